/* Deterministic random numbers (splitmix64), so that a failure is repeated by its seed. Not for secrets. */
#ifndef TESTS_SUPPORT_PRNG_H
#define TESTS_SUPPORT_PRNG_H

#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state;
};

/* The seed of GECC_TEST_SEED, or a fixed one, made different for each purpose. Prints the seed. */
struct prng prng_for(const char *purpose);
uint64_t prng_next(struct prng *prng);
/* 0 <= result < bound; bound > 0. */
uint64_t prng_below(struct prng *prng, uint64_t bound);
void prng_bytes(struct prng *prng, void *bytes, size_t count);
/* A random order of 0 .. count - 1. */
void prng_permutation(struct prng *prng, size_t *order, size_t count);

#endif
