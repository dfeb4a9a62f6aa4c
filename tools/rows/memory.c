/* Memory, random numbers, and the way out. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "cell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trouble(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments); /* NOLINT: va_start is lost where the analyzer inlines the call */
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
    exit(2);
}

void *memory_new(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (memory == NULL)
        trouble("not enough memory");
    return memory;
}

void *memory_resize(void *memory, size_t size) {
    void *resized = realloc(memory, size ? size : 1);
    if (resized == NULL)
        trouble("not enough memory");
    return resized;
}

uint64_t prng_next(struct prng *prng) {
    uint64_t z = (prng->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t prng_below(struct prng *prng, uint64_t bound) { return prng_next(prng) % bound; }

void prng_bytes(struct prng *prng, void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = prng_next(prng);
        memcpy((uint8_t *)bytes + i, &word, count - i < 8 ? count - i : 8);
    }
}
