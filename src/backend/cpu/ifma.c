/* The IFMA machine: x86-64 processors with AVX-512 IFMA, and a kernel that keeps their registers. */
#include "backend/cpu/machine.h"

#include <gecc/curves.h>

#ifdef GECC_HAVE_IFMA

#define CURVE_SET(curve, number, name, ...) extern const struct program_set gecc_ifma_##name;
GECC_CURVE_LIST(CURVE_SET)
GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
extern const struct program_set gecc_ifma_mod_128, gecc_ifma_mod_192, gecc_ifma_mod_256, gecc_ifma_mod_320,
    gecc_ifma_mod_384, gecc_ifma_mod_448, gecc_ifma_mod_512;
extern const struct program_set gecc_ifma_hash;

static int ifma_supported(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512ifma");
}

static const struct program_set *ifma_curve(gecc_curve curve) {
    switch (curve) {
#define CURVE_SET(curve, number, name, ...)                                                                            \
    case curve:                                                                                                        \
        return &gecc_ifma_##name;
        GECC_CURVE_LIST(CURVE_SET)
        GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
    }
    return NULL;
}

static const struct program_set *ifma_modulus(size_t bytes) {
    switch ((bytes + 7) / 8) {
    case 2:
        return &gecc_ifma_mod_128;
    case 3:
        return &gecc_ifma_mod_192;
    case 4:
        return &gecc_ifma_mod_256;
    case 5:
        return &gecc_ifma_mod_320;
    case 6:
        return &gecc_ifma_mod_384;
    case 7:
        return &gecc_ifma_mod_448;
    case 8:
        return &gecc_ifma_mod_512;
    }
    return NULL;
}

static const struct program_set *ifma_hash(void) { return &gecc_ifma_hash; }

const struct cpu_machine gecc_cpu_ifma = {"ifma", ifma_supported, ifma_curve, ifma_modulus, ifma_hash};

#endif
