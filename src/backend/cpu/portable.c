/* The portable machine: any processor with a compiler that has 128-bit integers. On x86-64 processors with BMI2 and ADX
 * a variant has the carry chains in assembly. */
#include "backend/cpu/machine.h"

#include <gecc/curves.h>

#define CURVE_SET(curve, number, name, ...) extern const struct program_set gecc_portable_##name;
GECC_CURVE_LIST(CURVE_SET)
GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
extern const struct program_set gecc_portable_mod_128, gecc_portable_mod_192, gecc_portable_mod_256,
    gecc_portable_mod_320, gecc_portable_mod_384, gecc_portable_mod_448, gecc_portable_mod_512;
extern const struct program_set gecc_portable_hash;

static int portable_supported(void) { return 1; }

static const struct program_set *portable_curve(gecc_curve curve) {
    switch (curve) {
#define CURVE_SET(curve, number, name, ...)                                                                            \
    case curve:                                                                                                        \
        return &gecc_portable_##name;
        GECC_CURVE_LIST(CURVE_SET)
        GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
    }
    return NULL;
}

static const struct program_set *portable_modulus(size_t bytes) {
    switch ((bytes + 7) / 8) {
    case 2:
        return &gecc_portable_mod_128;
    case 3:
        return &gecc_portable_mod_192;
    case 4:
        return &gecc_portable_mod_256;
    case 5:
        return &gecc_portable_mod_320;
    case 6:
        return &gecc_portable_mod_384;
    case 7:
        return &gecc_portable_mod_448;
    case 8:
        return &gecc_portable_mod_512;
    }
    return NULL;
}

static const struct program_set *portable_hash(void) { return &gecc_portable_hash; }

const struct cpu_machine gecc_cpu_portable_c = {
    "portable-c", portable_supported, portable_curve, portable_modulus, portable_hash,
};

#ifdef GECC_HAVE_ADX

#include <cpuid.h>

#define CURVE_SET(curve, number, name, ...) extern const struct program_set gecc_adx_##name;
GECC_CURVE_LIST(CURVE_SET)
GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
extern const struct program_set gecc_adx_mod_256, gecc_adx_mod_384;

static int adx_supported(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_BMI2) && (b & bit_ADX);
}

static const struct program_set *adx_curve(gecc_curve curve) {
    switch (curve) {
#define CURVE_SET(curve, number, name, ...)                                                                            \
    case curve:                                                                                                        \
        return &gecc_adx_##name;
        GECC_CURVE_LIST(CURVE_SET)
        GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
    }
    return NULL;
}

/* The assembly is for 4 and 6 limbs. */
static const struct program_set *adx_modulus(size_t bytes) {
    switch ((bytes + 7) / 8) {
    case 4:
        return &gecc_adx_mod_256;
    case 6:
        return &gecc_adx_mod_384;
    }
    return portable_modulus(bytes);
}

const struct cpu_machine gecc_cpu_portable_adx = {
    "portable-adx", adx_supported, adx_curve, adx_modulus, portable_hash,
};

#endif
