/* Random numbers whose seed is in the environment. */
#ifndef TESTS_SUPPORT_PRNG_H
#define TESTS_SUPPORT_PRNG_H

#include "cell.h"

/* The seed of GECC_TEST_SEED, or a fixed one, made different for each purpose. Prints the seed. */
struct prng prng_for(const char *purpose);
/* A random order of 0 .. count - 1. */
void prng_permutation(struct prng *prng, size_t *order, size_t count);

#endif
