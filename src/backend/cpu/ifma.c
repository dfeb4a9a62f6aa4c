/* The IFMA machine: x86-64 processors with AVX-512 IFMA, and a kernel that keeps their registers. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_IFMA

#define MACHINE ifma
#include "backend/cpu/program_sets.h"

static int ifma_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512ifma");
}

const struct cpu_machine gecc_cpu_ifma = {"ifma", ifma_supported, curve_sets, modulus_sets, hash_set};

#endif
