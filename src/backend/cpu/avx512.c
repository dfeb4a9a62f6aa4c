/* The AVX-512 machine: x86-64 processors with AVX-512 F, VL, DQ and BW, and a kernel that keeps their registers. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_AVX512

#define MACHINE avx512
#include "backend/cpu/program_sets.h"

static int avx512_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

const struct cpu_machine gecc_cpu_avx512 = {"avx512", avx512_supported, curve_sets, modulus_sets, hash_set};

#endif
