/* The portable machine with the carry chains of 64-bit ARM in assembly: any such processor. */
#include "backend/cpu/machine.h"

#include <gecc/curves.h>

#ifdef GECC_HAVE_AARCH64

#define CURVE_SET(curve, number, name, ...) extern const struct program_set gecc_aarch64_##name;
GECC_CURVE_LIST(CURVE_SET)
GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
extern const struct program_set gecc_aarch64_mod_128, gecc_aarch64_mod_192, gecc_aarch64_mod_256, gecc_aarch64_mod_320,
    gecc_aarch64_mod_384, gecc_aarch64_mod_448, gecc_aarch64_mod_512;
extern const struct program_set gecc_portable_hash;

static int aarch64_supported(void) { return 1; }

static const struct program_set *aarch64_curve(gecc_curve curve) {
    switch (curve) {
#define CURVE_SET(curve, number, name, ...)                                                                            \
    case curve:                                                                                                        \
        return &gecc_aarch64_##name;
        GECC_CURVE_LIST(CURVE_SET)
        GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
    }
    return NULL;
}

static const struct program_set *aarch64_modulus(size_t bytes) {
    switch ((bytes + 7) / 8) {
    case 2:
        return &gecc_aarch64_mod_128;
    case 3:
        return &gecc_aarch64_mod_192;
    case 4:
        return &gecc_aarch64_mod_256;
    case 5:
        return &gecc_aarch64_mod_320;
    case 6:
        return &gecc_aarch64_mod_384;
    case 7:
        return &gecc_aarch64_mod_448;
    case 8:
        return &gecc_aarch64_mod_512;
    }
    return NULL;
}

static const struct program_set *aarch64_hash(void) { return &gecc_portable_hash; }

const struct cpu_machine gecc_cpu_portable_aarch64 = {"portable-aarch64", aarch64_supported, aarch64_curve,
                                                      aarch64_modulus, aarch64_hash};

#endif
