/* The IFMA machine of four lanes: x86-64 processors with AVX2 and AVX-IFMA, and a kernel that keeps their registers. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_IFMA256

#define MACHINE ifma256
#include "backend/cpu/program_sets.h"

#include <cpuid.h>
#include <stdbool.h>

/* CPUID's leaf 7, subleaf 1. */
enum { AVX_IFMA = 1 << 23 };

static bool has_instruction(void) {
#ifdef GECC_IFMA256_EVEX
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma");
#else
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & AVX_IFMA);
#endif
}

static int ifma256_supported(void) { return __builtin_cpu_supports("avx2") && has_instruction(); }

const struct cpu_machine gecc_cpu_ifma256 = {"ifma-256", ifma256_supported, curve_sets, modulus_sets, hash_set};

#endif
