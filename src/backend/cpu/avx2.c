/* The AVX2 machine: x86-64 processors with AVX2, and a kernel that keeps their registers. Limbs of wider numbers do not
 * fit in its registers, and scalar code is faster: it has the programs of the fastest scalar machine there. */
#include "backend/cpu/machines.h"

#ifdef GECC_HAVE_AVX2

#define MACHINE avx2
#define MACHINE_BITS_MOST 256
#include "backend/cpu/program_sets.h"

static const struct cpu_machine *scalar(void) {
    char reason[1];
    return gecc_machine_choose("portable", reason, sizeof reason);
}

static const struct program_set *avx2_curve(gecc_curve curve) {
    const struct program_set *set = curve_sets(curve);
    return set != NULL ? set : scalar()->curve(curve);
}

static const struct program_set *scalar_modulus(size_t bytes) { return scalar()->modulus(bytes); }

static int avx2_supported(void) { return __builtin_cpu_supports("avx2"); }

const struct cpu_machine gecc_cpu_avx2 = {"avx2", avx2_supported, avx2_curve, scalar_modulus, hash_set};

#endif
