/* Text on its way out: memory that grows. */
#ifndef TOOL_BUFFER_H
#define TOOL_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct buffer {
    char *bytes;
    size_t used, capacity;
    bool secret; /* memory is wiped before it is given back */
    bool failed; /* there was not enough memory: text is missing */
};

enum { BUFFER_LEAST = 4096 }; /* room that there always is once buffer_reserve succeeded */

/* Room for `more` bytes besides those used. false: not enough memory. */
bool buffer_reserve(struct buffer *buffer, size_t more);

/* Where BUFFER_LEAST bytes may be put; buffer_advance then says where they end. */
char *buffer_room(struct buffer *buffer);
static inline void buffer_advance(struct buffer *buffer, const char *end) {
    buffer->used = (size_t)(end - buffer->bytes);
}

void buffer_put(struct buffer *buffer, const char *text, size_t length);

/* No text any more; wiped if it is secret. */
void buffer_clear(struct buffer *buffer);
void buffer_free(struct buffer *buffer);

/* Text that is printed to a file, which is memory. */
struct print {
    FILE *file; /* NULL before print_begin, or where memory lacks */
    char *text;
    size_t size;
};

/* Begin anew; the memory stays. false: not enough memory. */
bool print_begin(struct print *print);
/* text[0 .. size) has all that was printed. false: not enough memory. */
bool print_end(struct print *print);
void print_free(struct print *print);

#endif
