/* What is known of curves by their number, for code that is not compiled for one of them. */
#ifndef GECC_CURVE_SIZES_H
#define GECC_CURVE_SIZES_H

#include <gecc/context.h>

/* Has it Weierstrass form, and with it the operations of points and ECDSA? */
static inline int curve_is_weierstrass(gecc_curve curve) { return curve != 0 && (size_t)curve < GECC_CURVE_END; }

/* Of the field, and of the order of a curve of Weierstrass form; 0: there is no such curve. */
static inline unsigned curve_bits(gecc_curve curve) {
#define BITS(identifier, number, name, title, bits, ...) [identifier] = bits,
    static const unsigned bits_of[GECC_CURVE_END] = {GECC_CURVE_LIST(BITS)};
    static const unsigned edwards_bits_of[] = {GECC_EDWARDS_CURVE_LIST(BITS)};
#undef BITS
    if ((size_t)curve < GECC_CURVE_END)
        return bits_of[curve];
    return (size_t)curve < sizeof edwards_bits_of / sizeof edwards_bits_of[0] ? edwards_bits_of[curve] : 0;
}

/* Of a field element, and of a scalar. */
static inline size_t curve_bytes(gecc_curve curve) { return (curve_bits(curve) + 7) / 8; }

/* Of RFC 6979's nonces, unless another is asked for. */
static inline gecc_hash curve_hash(gecc_curve curve) {
#define HASH(identifier, number, name, title, bits, hash, ...) [identifier] = hash,
    static const gecc_hash hash_of[GECC_CURVE_END] = {GECC_CURVE_LIST(HASH)};
#undef HASH
    return (size_t)curve < GECC_CURVE_END ? hash_of[curve] : GECC_HASH_DEFAULT;
}

/* Is s of signatures that are made on it low, unless any is asked for? */
static inline int curve_makes_low_s(gecc_curve curve) {
#define OR_IS(identifier) || curve == (identifier)
    return 0 GECC_LOW_S_CURVE_LIST(OR_IS);
#undef OR_IS
}

#endif
