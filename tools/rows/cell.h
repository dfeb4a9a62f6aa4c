/* What rows stand on: bytes, memory that is there or ends the program, and random numbers. */
#ifndef TOOLS_ROWS_CELL_H
#define TOOLS_ROWS_CELL_H

#include <stddef.h>
#include <stdint.h>

/* A row of one column. */
struct cell {
    uint8_t *data;
    uint32_t width;
};

/* count * size bytes, zeroed; never NULL: where memory is short that is trouble. */
void *memory_new(size_t count, size_t size);
void *memory_resize(void *memory, size_t size);
/* Prints the text on stderr, after the program's name, and ends the program with status 2. */
void trouble(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* SplitMix64 (Steele, Lea, Flood, 2014), so that a failure is repeated by its seed. Not for secrets. */
struct prng {
    uint64_t state;
};

uint64_t prng_next(struct prng *prng);
/* 0 <= result < bound; bound > 0. */
uint64_t prng_below(struct prng *prng, uint64_t bound);
void prng_bytes(struct prng *prng, void *bytes, size_t count);

#endif
