#include "scheme/operation.h"

/* Each curve has a bit of its own in gecc_operation.curves, positive as an int: where all of them differ, their sum is
 * what they are or'ed. Curves of Weierstrass form are numbered from 1 on and meet those of Edwards form at the
 * sixteenth. */
#define ADD_BIT(curve, ...) +(UINT64_C(1) << (curve))
#define OR_BIT(curve, ...) | UINT64_C(1) << (curve)
#define ALL_CURVES(X) (UINT64_C(0) GECC_CURVE_LIST(X) GECC_EDWARDS_CURVE_LIST(X))
_Static_assert(ALL_CURVES(ADD_BIT) == (ALL_CURVES(OR_BIT)), "no two curves have one number");
_Static_assert(ALL_CURVES(OR_BIT) <= INT32_MAX, "numbers of curves are at most 30");
#undef ADD_BIT
#undef OR_BIT
#undef ALL_CURVES

/* Bits of gecc_operation.curves. */
enum {
#define BIT(curve, ...) | 1 << (curve)
    CURVES_CURVE = 0 GECC_CURVE_LIST(BIT),
#undef BIT
    CURVES_SUMS = CURVES_CURVE,
    CURVES_SM2 = 1 << GECC_SM2,
    CURVES_SECP256K1 = 1 << GECC_SECP256K1,
    CURVES_CURVE25519 = 1 << GECC_CURVE25519,
    CURVES_MOD = 0,
    CURVES_HASH = 0
};

enum {
    SELECTOR_CURVE = GECC_SELECT_CURVE,
    SELECTOR_SUMS = GECC_SELECT_CURVE,
    SELECTOR_SM2 = GECC_SELECT_CURVE,
    SELECTOR_SECP256K1 = GECC_SELECT_CURVE,
    SELECTOR_CURVE25519 = GECC_SELECT_CURVE,
    SELECTOR_MOD = GECC_SELECT_MODULUS,
    SELECTOR_HASH = GECC_SELECT_HASH
};

/* Flags that mean something to a whole family. */
enum {
    FLAGS_CURVE = GECC_LITTLE_ENDIAN,
    FLAGS_SUMS = GECC_LITTLE_ENDIAN,
    FLAGS_SM2 = GECC_LITTLE_ENDIAN,
    FLAGS_SECP256K1 = 0,
    FLAGS_CURVE25519 = 0,
    FLAGS_MOD = GECC_LITTLE_ENDIAN,
    FLAGS_HASH = 0
};

enum { SECRECY_NONE = GECC_PUBLIC, SECRECY_ALWAYS = GECC_SECRET, SECRECY_BY_FLAG = GECC_SECRET_BY_FLAG };

#define SECRECY(kind, value, secrecy, name, text) SECRECY_OF_##kind = GECC_##secrecy,
enum { GECC_KIND_LIST(SECRECY) };
#undef SECRECY

#define COLUMN(kind, name, text, output, optional)                                                                     \
    {name, text, GECC_KIND_##kind, (gecc_secrecy)SECRECY_OF_GECC_KIND_##kind, output, optional},
#define IN(kind, name, text) COLUMN(kind, name, text, 0, 0)
#define IN_OPTIONAL(kind, name, text) COLUMN(kind, name, text, 0, 1)
#define OUT(kind, name, text) COLUMN(kind, name, text, 1, 0)
#define OUT_OPTIONAL(kind, name, text) COLUMN(kind, name, text, 1, 1)

#define OPERATION(identifier, function, name, family, secrets, base, flags, inputs, outputs, text)                     \
    [OPERATION_##identifier] = {{name, text, (gecc_selector)SELECTOR_##family, CURVES_##family,                        \
                                 (flags) | FLAGS_##family, (gecc_secrecy)SECRECY_##secrets},                           \
                                FAMILY_##family,                                                                       \
                                BASE_SCALARS_##base,                                                                   \
                                #function,                                                                             \
                                {inputs{0}},                                                                           \
                                {outputs{0}}},

const struct operation_info gecc_operation_table[OPERATION_COUNT] = {
#include "scheme/operations.def"
};
