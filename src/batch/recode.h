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

/* Sliding digits: a byte for each bit of a scalar, which is 0, or a digit that is odd (of Z[lambda]: not divisible by
 * 2) and stands for as many bits as a digit of recode_point does; the bytes of the others of these bits are 0. There is
 * a digit for 6 bits on average instead of 5 (of Z[lambda]: 3 1/3 instead of 3), at places that tell the scalar, which
 * is public. On a machine with several lanes one would wait for another's additions. */
LANE_INLINE int scalars_slide(void) { return LANES == 1 && SLOT_GROUP == 1; }

/* How many bytes. What 42 digits of Z[lambda] leave has norm 13 at most (generate_digits.py), and the last digit is
 * among the three bits after them. */
LANE_INLINE unsigned sliding_bits(void) { return CURVE.has_glv ? EISENSTEIN_WINDOWS * EISENSTEIN_WIDTH : SCALAR_BITS; }

/* The sliding digits of k, or of -k where negate. k < 2^(sliding_bits() - 1). A carry stays where a bit is skipped: the
 * sum of both is even. */
LANE_INLINE void sliding_recode_vartime(const struct limbs *k, mask negate, uint8_t *digits) {
    const unsigned width = TABLE_WINDOW, flip = mask_any(negate) ? 1 : 0;
    uint32_t carry = 0;
    for (unsigned i = 0; i < sliding_bits(); i++)
        digits[i] = 0;
    for (unsigned i = 0; i < SCALAR_BITS;) {
        uint32_t bits = lane32_extract(limbs_bits(k, i, width), 0) + carry;
        if (bits & 1) {
            carry = bits >> (width - 1);
            digits[i] = (uint8_t)((carry ? (1u << width) - bits : bits) << 1 | (carry ^ flip));
            i += width;
        } else {
            i++;
        }
    }
}

/* The same of +-k1 +- k2 lambda from scalar_split. */
LANE_INLINE void sliding_eisenstein_vartime(const struct limbs *k1, mask negative1, const struct limbs *k2,
                                            mask negative2, uint8_t *digits) {
    const uint32_t flip1 = mask_any(negative1) ? 7 : 0, flip2 = mask_any(negative2) ? 7 : 0;
    uint32_t carry1 = flip1 & 1, carry2 = flip2 & 1; /* -k = ~k + 1 */
    for (unsigned i = 0; i < sliding_bits(); i++)
        digits[i] = 0;
    for (unsigned i = 0; i < sliding_bits();) {
        uint32_t r1 = (lane32_extract(limbs_bits(k1, i, EISENSTEIN_WIDTH), 0) ^ flip1) + carry1;
        uint32_t r2 = (lane32_extract(limbs_bits(k2, i, EISENSTEIN_WIDTH), 0) ^ flip2) + carry2;
        if ((r1 | r2) & 1) {
            uint32_t digit = lane32_extract(eisenstein_digit(lane32_set((r1 & 7) | (r2 & 7) << 3)), 0);
            carry1 = (r1 >> 3) + (digit >> EISENSTEIN_CARRIES & 1);
            carry2 = (r2 >> 3) + (digit >> (EISENSTEIN_CARRIES + 1));
            digits[i] = (uint8_t)(digit & ((1u << EISENSTEIN_CARRIES) - 1));
            i += EISENSTEIN_WIDTH;
        } else {
            i++;
        }
    }
}

/* recode_point for public scalars: sliding digits where the machine has one lane. */
LANE_FUNCTION void recode_point_vartime(const struct limbs *k, uint32_t *digits) {
    if (!scalars_slide()) {
        recode_point(k, digits);
        return;
    }
    uint8_t *bytes = (uint8_t *)digits;
    if (CURVE.has_glv) {
        struct limbs k1, k2;
        mask negative1, negative2;
        scalar_split(*k, &k1, &negative1, &k2, &negative2);
        sliding_eisenstein_vartime(&k1, negative1, &k2, negative2, bytes);
    } else {
        struct limbs folded = *k;
        mask negative = scalar_fold(&folded);
        sliding_recode_vartime(&folded, negative, bytes);
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
