/* Memory of tests: allocation that cannot fail, an arena for rows that live as long as a test, and bytes as hex. */
#ifndef TESTS_SUPPORT_MEMORY_H
#define TESTS_SUPPORT_MEMORY_H

#include "cell.h"

#include <stdio.h>
#include <stdlib.h>

/* A broken assumption of the test itself, or a call that failed where it must not: say so and stop. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: required: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

struct arena {
    struct arena_block *blocks;
};

void *arena_new(struct arena *arena, size_t size);
struct cell arena_copy(struct arena *arena, const void *data, size_t width);
void arena_free(struct arena *arena);

/* The bytes of a text of hex digits; "0x" is skipped and an odd number of digits gets a leading zero. */
struct cell hex_cell(struct arena *arena, const char *text);
/* The same number in exactly `width` bytes; zeros are added or taken away on the left. */
struct cell hex_number(struct arena *arena, const char *text, size_t width);
void hex_print(FILE *file, const char *label, const void *data, size_t width);

#endif
