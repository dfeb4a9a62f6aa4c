#define _DEFAULT_SOURCE /* explicit_bzero */

#include "text/buffer.h"

#include <stdlib.h>
#include <string.h>

bool buffer_reserve(struct buffer *buffer, size_t more) {
    if (buffer->capacity - buffer->used >= more)
        return true;
    size_t capacity = buffer->used + more + buffer->capacity / 2;
    char *larger = malloc(capacity);
    if (!larger) {
        buffer->failed = true;
        return false;
    }
    if (buffer->used)
        memcpy(larger, buffer->bytes, buffer->used);
    if (buffer->secret && buffer->bytes)
        explicit_bzero(buffer->bytes, buffer->capacity);
    free(buffer->bytes);
    buffer->bytes = larger;
    buffer->capacity = capacity;
    return true;
}

char *buffer_room(struct buffer *buffer) {
    if (!buffer_reserve(buffer, BUFFER_LEAST))
        buffer->used = 0; /* what is there is of no use any more */
    return buffer->bytes + buffer->used;
}

void buffer_put(struct buffer *buffer, const char *text, size_t length) {
    if (length == 0 || !buffer_reserve(buffer, length))
        return;
    memcpy(buffer->bytes + buffer->used, text, length);
    buffer->used += length;
}

void buffer_clear(struct buffer *buffer) {
    if (buffer->secret && buffer->bytes)
        explicit_bzero(buffer->bytes, buffer->used);
    buffer->used = 0;
    buffer->failed = false;
}

void buffer_free(struct buffer *buffer) {
    if (buffer->secret && buffer->bytes)
        explicit_bzero(buffer->bytes, buffer->capacity);
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

bool print_begin(struct print *print) {
    if (!print->file)
        print->file = open_memstream(&print->text, &print->size);
    else
        rewind(print->file);
    return print->file != NULL;
}

bool print_end(struct print *print) {
    const bool good = fflush(print->file) == 0 && !ferror(print->file);
    print->size = good ? (size_t)ftell(print->file) : 0;
    return good;
}

void print_free(struct print *print) {
    if (print->file)
        fclose(print->file);
    free(print->text);
}
