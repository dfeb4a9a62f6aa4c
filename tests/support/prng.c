#include "prng.h"

#include <stdio.h>
#include <stdlib.h>

struct prng prng_for(const char *purpose) {
    const char *text = getenv("GECC_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 20240613;
    struct prng prng = {seed};
    for (const char *c = purpose; *c; c++) {
        prng.state = prng_next(&prng) ^ (uint8_t)*c;
    }
    printf("%s: GECC_TEST_SEED=%llu\n", purpose, (unsigned long long)seed);
    return prng;
}

uint64_t prng_next(struct prng *prng) {
    uint64_t z = (prng->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t prng_below(struct prng *prng, uint64_t bound) { return prng_next(prng) % bound; }

void prng_bytes(struct prng *prng, void *bytes, size_t count) {
    uint8_t *out = bytes;
    for (size_t i = 0; i < count; i++) {
        out[i] = (uint8_t)(prng_next(prng) >> 32);
    }
}

void prng_permutation(struct prng *prng, size_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t j = (size_t)prng_below(prng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}
