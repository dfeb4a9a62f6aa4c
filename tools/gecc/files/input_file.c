#define _GNU_SOURCE /* fopencookie */

#include "files/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 << 10 };

static ssize_t read_descriptor(struct input_file *file, char *out, size_t size) {
    ssize_t count;
    do
        count = read(file->descriptor, out, size);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        file->failure = strerror(errno);
    return count;
}

/* For the stream: the bytes that were looked at come first; an input that is not whole does not end, but fails. */
static ssize_t give(void *cookie, char *out, size_t size) {
    struct input_file *file = cookie;
    size_t left = file->used - file->given;
    if (left) {
        size = left < size ? left : size;
        memcpy(out, file->start + file->given, size);
        file->given += size;
        return (ssize_t)size;
    }
    ssize_t count = read_descriptor(file, out, size);
    if (count == 0 && file->decompression)
        file->failure = decompression_failure(file->decompression);
    return file->failure ? -1 : count;
}

static int end(void *cookie) {
    struct input_file *file = cookie;
    decompression_end(file->decompression);
    file->decompression = NULL;
    return file->input > STDIN_FILENO ? close(file->input) : 0;
}

/* Read what tells whether it is compressed, and begin to decompress it if it is. */
static bool look(struct input_file *file) {
    ssize_t count = 1;
    while (count > 0 && file->used < sizeof file->start && !memchr(file->start, '\n', file->used)) {
        count = read_descriptor(file, file->start + file->used, sizeof file->start - file->used);
        file->used += count > 0 ? (size_t)count : 0;
    }
    enum compression compression = compression_of_text(file->start, file->used);
    if (count < 0 || compression == COMPRESSION_NONE)
        return count >= 0;
    file->decompression = decompression_begin(compression, &file->descriptor, file->start, file->used, &file->failure);
    file->used = 0;
    return file->decompression != NULL;
}

FILE *input_file_open(struct input_file *file, const char *path) {
    static const cookie_io_functions_t functions = {.read = give, .close = end};
    bool standard = !path || strcmp(path, "-") == 0;
    *file = (struct input_file){.input = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)};
    file->descriptor = file->input;
    if (file->input < 0) {
        file->failure = strerror(errno);
        return NULL;
    }
    FILE *stream = look(file) ? fopencookie(file, "r", functions) : NULL;
    if (stream) {
        setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
        return stream;
    }
    if (!file->failure)
        file->failure = "not enough memory";
    end(file);
    return NULL;
}
