/* The constants of a modulus that is known only at run time. */
#ifndef GECC_FIELD_MODULUS_H
#define GECC_FIELD_MODULUS_H

#include "field/modular.h"

enum { R_BITS = LIMBS * LIMB_BITS };

/* -m^-1 mod 2^LIMB_BITS for an odd limb m: Newton's iteration from m, which is its own inverse mod 8. */
LANE_INLINE limb limb_negative_inverse(limb m) {
    limb x = m;
    for (int bits = 3; bits < LIMB_BITS; bits *= 2)
        x *= 2 - m * x;
    return (0 - x) & (~(limb)0 >> (8 * sizeof(limb) - LIMB_BITS));
}

/* The number of m's bits. */
LANE_INLINE int modulus_bits(const struct modulus *m) {
    int bits = R_BITS;
    while (!(m->m.v[(bits - 1) / LIMB_BITS] >> (bits - 1) % LIMB_BITS & 1))
        bits--;
    return bits;
}

/* R mod m: the greatest power of 2 below m, doubled. */
LANE_INLINE struct limbs modulus_one(const struct modulus *m) {
    struct limbs_constant power = {{0}};
    int bit = modulus_bits(m) - 1;
    power.v[bit / LIMB_BITS] = (limb)1 << bit % LIMB_BITS;
    struct limbs r = limbs_set(&power);
    for (; bit < R_BITS; bit++)
        r = modular_add(m, r, r);
    return r;
}

/* R^2 mod m, the representation of 2^R_BITS: by squaring and doubling. */
LANE_INLINE struct limbs modulus_r_squared(const struct modulus *m) {
    struct limbs r = limbs_set(&m->one);
    for (int bit = 15; bit >= 0; bit--) {
        r = modular_sqr(m, r);
        if (R_BITS >> bit & 1)
            r = modular_add(m, r, r);
    }
    return r;
}

/* The modulus m, odd and at least 3, the same in all lanes; it need not be a prime. Public. */
LANE_FUNCTION struct modulus modulus_derive(struct limbs m) {
    struct modulus r;
    limbs_store_row(r.m.v, m, 0);
    r.reduction = REDUCE_MONTGOMERY;
    r.negative_inverse = limb_negative_inverse(r.m.v[0]);
    r.c = 0;
    limbs_store_row(r.one.v, modular_canonical(&r, modulus_one(&r)), 0);
    limbs_store_row(r.r_squared.v, modular_canonical(&r, modulus_r_squared(&r)), 0);
    return r;
}

#endif
