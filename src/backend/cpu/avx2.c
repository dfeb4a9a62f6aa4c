/* The AVX2 machine: x86-64 processors with AVX2, and a kernel that keeps their registers. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_AVX2

#define MACHINE avx2
#include "backend/cpu/program_sets.h"

static int avx2_supported(void) { return __builtin_cpu_supports("avx2"); }

const struct cpu_machine gecc_cpu_avx2 = {"avx2", avx2_supported, curve_sets, modulus_sets, hash_set};

#endif
