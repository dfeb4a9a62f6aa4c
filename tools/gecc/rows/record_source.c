#define _DEFAULT_SOURCE /* S_ISREG */

#include "rows/record_source.h"
#include "files/magic.h"
#include "rows/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_SIZE = 1 << 20,
    PAUSE_MS = 20,                  /* without input for so long, records that wait are computed */
    STOP_MS = 100,                  /* how often a source without input looks whether to stop */
    LONGEST_RECORD_BYTES = 64 << 20 /* a block with all that Bitcoin Core says of it has less */
};

static bool fail(struct record_source *source, const char *text) {
    snprintf(source->error, sizeof source->error, "%.100s: %.150s", source->name, text);
    return false;
}

bool record_source_open(struct record_source *source, const struct options *options, const atomic_bool *stop) {
    const char *path = options->input;
    bool standard = !path || strcmp(path, "-") == 0;
    struct stat status;
    *source = (struct record_source){.name = standard ? "standard input" : path, .stop = stop, .line = 1};
    source->input = source->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (source->input < 0 || fstat(source->input, &status) < 0)
        return fail(source, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(source, strerror(EISDIR));
    if (S_ISREG(status.st_mode))
        source->bytes_total = (uint64_t)status.st_size;
    return true;
}

void record_source_close(struct record_source *source) {
    decompression_end(source->decompression);
    if (source->input > STDIN_FILENO)
        close(source->input);
    free(source->buffer);
}

/* Wait until there is something to read; false: there is nothing for a while, or `stop` is set. */
static bool wait_for_input(const struct record_source *source, bool may_pause) {
    for (;;) {
        struct pollfd ready = {source->descriptor, POLLIN, 0};
        int count = poll(&ready, 1, may_pause ? PAUSE_MS : STOP_MS);
        if (atomic_load(source->stop))
            return false;
        if (count != 0 || may_pause)
            return count != 0;
    }
}

static bool make_room(struct record_source *source) {
    if (source->start && source->used - source->start <= source->start) {
        memmove(source->buffer, source->buffer + source->start, source->used - source->start);
        source->used -= source->start;
        source->start = 0;
    }
    if (source->capacity - source->used >= READ_SIZE)
        return true;
    size_t capacity = 2 * source->capacity + READ_SIZE;
    char *buffer = realloc(source->buffer, capacity);
    if (!buffer)
        return fail(source, gecc_result_text(GECC_ERROR_MEMORY));
    source->buffer = buffer;
    source->capacity = capacity;
    return true;
}

static bool read_more(struct record_source *source, bool may_pause, bool *paused) {
    if (!make_room(source))
        return false;
    *paused = !wait_for_input(source, may_pause);
    if (*paused) {
        source->ended |= atomic_load(source->stop);
        return true;
    }
    ssize_t count = read(source->descriptor, source->buffer + source->used, READ_SIZE);
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        return fail(source, strerror(errno));
    source->ended = count == 0;
    const char *broken = source->ended && source->decompression ? decompression_failure(source->decompression) : NULL;
    if (broken)
        return fail(source, broken);
    if (count > 0) {
        source->used += (size_t)count;
        source->bytes_read += (uint64_t)count;
    }
    return true;
}

/* Read enough to tell text from something else. */
static bool look(struct record_source *source) {
    bool paused;
    while (!source->ended && source->used < MAGIC_BYTES)
        if (!read_more(source, false, &paused))
            return false;
    return true;
}

/* From here on what is read is decompressed, if it is compressed; how much there is of it is not known. */
static bool decompress(struct record_source *source) {
    const char *reason;
    enum compression compression = compression_of_text(source->buffer, source->used);
    if (compression == COMPRESSION_NONE)
        return true;
    source->decompression =
        decompression_begin(compression, &source->descriptor, source->buffer, source->used, &reason);
    if (!source->decompression)
        return fail(source, reason);
    source->used = source->bytes_read = source->bytes_total = 0;
    source->ended = false;
    return look(source);
}

bool record_source_format(struct record_source *source, const struct options *options, enum format *format) {
    bool paused;
    *format = options->format;
    if (!*format && options->input)
        *format = format_of_name(options->input);
    if (!look(source) || !decompress(source))
        return false;
    const char *refusal = source->used ? magic_refusal(source->buffer, source->used) : NULL;
    if (refusal)
        return fail(source, refusal);
    source->start = source->used ? byte_order_mark(source->buffer, source->used) : 0;
    while (!*format && !source->ended) {
        if (!read_more(source, false, &paused))
            return false;
        *format = format_of_text(source->buffer, source->used);
    }
    if (source->ended &&
        skip_blank(source->buffer + source->start, source->used - source->start) == source->used - source->start &&
        !options->allow_empty)
        return fail(source, EMPTY_INPUT);
    if (*format == FORMAT_UNKNOWN)
        *format = FORMAT_JSONL;
    return *format != FORMAT_RAW || fail(source, "neither CSV nor JSON");
}

static bool opens_object(const char *text, size_t size) {
    while (size && strchr(" \t\r\n", text[size - 1]))
        size--;
    return size == 1 && text[0] == '{';
}

/* Step over lines until one ends the record. false: it does not end in what was read. */
static bool find_end(struct record_source *source) {
    for (;;) {
        const char *text = source->buffer + source->start, *line = text + source->scanned;
        size_t left = source->used - source->start - source->scanned;
        const char *newline = left ? memchr(line, '\n', left) : NULL;
        if (!newline && !source->ended)
            return false;
        size_t size = newline ? (size_t)(newline - line) + 1 : left;
        bool first = source->scanned == 0;
        /* In an object over several lines what it holds is indented: another that begins here was not closed. */
        if (!first && size && line[0] == '{')
            return true;
        bool last = first ? !opens_object(line, size) : size && line[0] == '}';
        source->scanned += size;
        source->lines++;
        if (last || !newline)
            return true;
    }
}

static void take_record(struct record_source *source, struct source_record *record) {
    *record = (struct source_record){source->buffer + source->start, source->scanned, source->line};
    source->line += source->lines;
    source->start += source->scanned;
    source->scanned = source->lines = 0;
}

enum source_step record_source_next(struct record_source *source, struct source_record *record, bool may_pause) {
    bool paused = false;
    for (;;) {
        bool some = source->used > source->start;
        if (some && find_end(source)) {
            bool skipped = source->skipping;
            source->skipping = false;
            take_record(source, record);
            if (!skipped)
                return SOURCE_RECORD;
            continue;
        }
        if (source->ended)
            return SOURCE_END;
        if (source->used - source->start >= LONGEST_RECORD_BYTES) {
            bool known = source->skipping;
            /* What follows up to the next line end belongs to it. */
            source->scanned = source->used - source->start;
            take_record(source, record);
            source->skipping = true;
            if (!known)
                return SOURCE_LONG;
        }
        if (!read_more(source, may_pause, &paused))
            return SOURCE_FAILED;
        if (paused && !source->ended)
            return SOURCE_PAUSE;
    }
}
