/* The portable machine with carry chains in assembly: x86-64 processors with BMI2 and ADX. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_ADX

#define MACHINE adx
#include "backend/cpu/program_sets.h"

#include <cpuid.h>

static int adx_supported(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && (b & bit_ADX);
}

/* The assembly is for 4 and 6 limbs. */
static const struct program_set *adx_modulus(size_t bytes) {
    switch ((bytes + 7) / 8) {
    case 4:
        return &SET(mod_256);
    case 6:
        return &SET(mod_384);
    }
    return gecc_cpu_portable_c.modulus(bytes);
}

static const struct program_set *adx_hash(void) { return gecc_cpu_portable_c.hash(); }

const struct cpu_machine gecc_cpu_portable_adx = {"portable-adx", adx_supported, curve_sets, adx_modulus, adx_hash};

#endif
