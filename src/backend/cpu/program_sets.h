/* The program sets of a machine, as struct cpu_machine has them. The includer says the name of the machine in names of
 * units before: `#define MACHINE ifma`. */
#ifndef GECC_BACKEND_CPU_PROGRAM_SETS_H
#define GECC_BACKEND_CPU_PROGRAM_SETS_H

#include "backend/cpu/machine.h"

#include <gecc/curves.h>

#define SET_NAME(machine, name) gecc_##machine##_##name
#define SET_OF(machine, name) SET_NAME(machine, name)
#define SET(name) SET_OF(MACHINE, name)

#define CURVE_SET(curve, number, name, ...) extern const struct program_set SET(name);
GECC_CURVE_LIST(CURVE_SET)
GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET

static inline const struct program_set *curve_sets(gecc_curve curve) {
    switch (curve) {
#define CURVE_SET(curve, number, name, ...)                                                                            \
    case curve:                                                                                                        \
        return &SET(name);
        GECC_CURVE_LIST(CURVE_SET)
        GECC_EDWARDS_CURVE_LIST(CURVE_SET)
#undef CURVE_SET
    }
    return NULL;
}

/* X(words of 64 bits, bits) for each width of moduli. */
#define MODULUS_LIST(X) X(2, 128) X(3, 192) X(4, 256) X(5, 320) X(6, 384) X(7, 448) X(8, 512)

#define MODULUS_SET(words, bits) extern const struct program_set SET(mod_##bits);
MODULUS_LIST(MODULUS_SET)
#undef MODULUS_SET

static inline const struct program_set *modulus_sets(size_t bytes) {
    switch ((bytes + 7) / 8) {
#define MODULUS_SET(words, bits)                                                                                       \
    case words:                                                                                                        \
        return &SET(mod_##bits);
        MODULUS_LIST(MODULUS_SET)
#undef MODULUS_SET
    }
    return NULL;
}

extern const struct program_set SET(hash);

static inline const struct program_set *hash_set(void) { return &SET(hash); }

#endif
