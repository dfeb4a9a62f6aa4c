/* What small programs share that measure one thing. */
#ifndef BENCH_COMMON_PROGRAM_H
#define BENCH_COMMON_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Unless good, say what went wrong and what gecc_error_text says of it, and exit with 2. */
void program_require(int good, const char *what);

/* Zeroed memory, which there has to be. Never freed. */
void *program_memory(size_t count, size_t size);

/* Seconds, from some moment on. */
double program_now(void);

/* The next number of SplitMix64. */
uint64_t program_random(uint64_t *state);

#endif
