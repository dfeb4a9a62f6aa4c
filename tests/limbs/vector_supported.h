/* Has this processor what a vector machine needs? Included by tests that are compiled for it: main asks before anything
 * else, and runs no vector instruction until it knows. */
#ifndef TESTS_LIMBS_VECTOR_SUPPORTED_H
#define TESTS_LIMBS_VECTOR_SUPPORTED_H

#include <stdio.h>

static inline int avx512_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

static inline int ifma_supported(void) { return avx512_supported() && __builtin_cpu_supports("avx512ifma"); }

/* In tests the machine of four lanes has its products in the encoding of AVX-512 IFMA. */
static inline int ifma256_supported(void) { return ifma_supported(); }

/* Says why the test is not run; its exit status then. */
static inline int vector_skip(void) {
    puts("not run: no AVX-512 (IFMA) here");
    return 77;
}

#endif
