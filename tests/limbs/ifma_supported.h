/* Has this processor what the IFMA machine needs? Included by tests that are compiled for it: main asks before anything
 * else, and runs no vector instruction until it knows. */
#ifndef TESTS_LIMBS_IFMA_SUPPORTED_H
#define TESTS_LIMBS_IFMA_SUPPORTED_H

#include <stdio.h>

static inline int ifma_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512ifma");
}

/* Says why the test is not run; its exit status then. */
static inline int ifma_skip(void) {
    puts("not run: no AVX-512 IFMA here");
    return 77;
}

#endif
