/* Scalars to signed digits.
 *
 * Those of digits.h; with an endomorphism the digits for unknown points are those of eisenstein.h. Odd digits, all of
 * which are odd and below 2^width in absolute value, are kept as (|d_i| + 1) / 2 * 2 + sign bit. */
#ifndef GECC_BATCH_RECODE_H
#define GECC_BATCH_RECODE_H

#include "batch/digits.h"
#include "batch/eisenstein.h"

enum {
    TABLE_WINDOW = 5,                              /* multiples of an unknown point: 1 .. 16 */
    TABLE_ENTRIES = (1 << (TABLE_WINDOW - 1)) + 1, /* with 0 */
    SCALAR_BITS = CURVE_BITS
};

/* Odd digits of an odd k < 2^(width * windows), or of -k where negate: k = sum of (2 u_i + 1 - 2^width) 2^(width i),
 * where the u_i are the bits of (k - 1) / 2 + 2^(width windows - 1). */
LANE_FUNCTION void recode_odd(const struct limbs *k, mask negate, unsigned width, unsigned windows, uint32_t *digits) {
    const lane32 half = lane32_set(1u << (width - 1)), low = lane32_set((1u << (width - 1)) - 1);
    lane32 flip = mask_to_lane32(negate) & lane32_set(1);
    struct limbs rest = limbs_half(*k, mask_set(0));
    for (unsigned i = 0; i < windows; i++) {
        lane32 bits = limbs_next_bits(&rest, i, width);
        if (i == windows - 1)
            bits = bits | half;
        lane32 negative = (bits >> (width - 1)) ^ lane32_set(1);
        lane32 entry = ((bits ^ (lane32_set(0) - negative)) & low) + lane32_set(1);
        column32_store(digits, i * SLOT_GROUP, entry << 1 | (negative ^ flip));
    }
}

/* Replace k by n - k where k is even; returns where. Then k is odd, and k <= n. */
LANE_INLINE mask scalar_make_odd(struct limbs *k) {
    mask borrow, even = ~limbs_is_odd(*k);
    *k = limbs_select(even, limbs_sub(limbs_set(&CURVE.n.m), *k, &borrow), *k);
    return even;
}

/* Replace k by n - k where that is smaller; returns where. Then k <= n / 2. */
LANE_INLINE mask scalar_fold(struct limbs *k) {
    mask borrow, high = limbs_less(limbs_set(&CURVE.half_order), *k);
    *k = limbs_select(high, limbs_sub(limbs_set(&CURVE.n.m), *k, &borrow), *k);
    return high;
}

/* k = +-k1 +- k2 lambda with k1, k2 < 2^128; *negative1 and *negative2 are the signs. See struct glv. */
LANE_INLINE void scalar_split(struct limbs k, struct limbs *k1, mask *negative1, struct limbs *k2, mask *negative2) {
    struct limbs c1 = limbs_mul_high(k, limbs_set(&CURVE.glv.g1), CURVE.glv.shift);
    struct limbs c2 = limbs_mul_high(k, limbs_set(&CURVE.glv.g2), CURVE.glv.shift);
    /* an integer times a representation is an integer, mod n */
    *k2 = scalar_add(scalar_mul(c1, scalar_set(&CURVE.glv.minus_b1)), scalar_mul(c2, scalar_set(&CURVE.glv.minus_b2)));
    *k1 = scalar_add(scalar_mul(*k2, scalar_set(&CURVE.glv.minus_lambda)), k);
    *k1 = modular_canonical(&CURVE.n, *k1);
    *k2 = modular_canonical(&CURVE.n, *k2);
    *negative1 = scalar_fold(k1);
    *negative2 = scalar_fold(k2);
}

/* How many digits recode_point makes. */
LANE_INLINE unsigned point_windows(void) {
    return CURVE.has_glv ? EISENSTEIN_WINDOWS : WINDOW_COUNT(SCALAR_BITS, TABLE_WINDOW);
}

/* Doublings between two of them. */
LANE_INLINE unsigned point_window(void) { return CURVE.has_glv ? EISENSTEIN_WIDTH : TABLE_WINDOW; }

/* The digits by which an unknown point is multiplied; k < n. Constant time. */
LANE_FUNCTION void recode_point(const struct limbs *k, uint32_t *digits) {
    if (CURVE.has_glv) {
        struct limbs k1, k2;
        mask negative1, negative2;
        scalar_split(*k, &k1, &negative1, &k2, &negative2);
        eisenstein_recode(&k1, negative1, &k2, negative2, digits);
    } else {
        struct limbs folded = *k;
        mask negative = scalar_fold(&folded);
        recode_signed(&folded, negative, TABLE_WINDOW, point_windows(), digits);
    }
}

/* The digits by which a point that has a table is multiplied, G or a key; k < n. Constant time. */
LANE_FUNCTION void recode_scalar(const struct limbs *k, unsigned width, unsigned windows, uint32_t *digits) {
    struct limbs folded = *k;
    mask negative = scalar_fold(&folded);
    recode_signed(&folded, negative, width, windows, digits);
}

/* The same by odd digits: of k, or of n - k with their signs turned. */
LANE_FUNCTION void recode_scalar_odd(const struct limbs *k, unsigned width, unsigned windows, uint32_t *digits) {
    struct limbs odd = *k;
    mask negative = scalar_make_odd(&odd);
    recode_odd(&odd, negative, width, windows, digits);
}

#endif
