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

void prng_permutation(struct prng *prng, size_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t j = (size_t)prng_below(prng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}
