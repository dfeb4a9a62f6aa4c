/* Digits of k1 + k2 lambda in Z[lambda], lambda^2 + lambda + 1 = 0, to the base 8.
 *
 * Of the 64 residues modulo 8 each is a unit, +-lambda^j, times one of 11 numbers, or 0. As a unit costs a point a
 * multiplication of x by a power of beta and a negation, a table of 11 multiples of P serves a digit that has three
 * bits of k1 and three of k2. A digit is kept as entry * 8 + j * 2 + sign bit; the entries are those of
 * EISENSTEIN_ENTRY. */
#ifndef GECC_BATCH_EISENSTEIN_H
#define GECC_BATCH_EISENSTEIN_H

#include "batch/generated/eisenstein.gen.h"
#include "batch/points.h"

enum {
    EISENSTEIN_WIDTH = 3,  /* bits of k1, and of k2, in a digit */
    EISENSTEIN_CARRIES = 7 /* where a digit of EISENSTEIN_PLANE has the carry of k1, and beside it that of k2 */
};

LANE_INLINE lane32 eisenstein_entry(lane32 digit) { return digit >> 3; }

/* x of lambda^j times a point, for the j of a digit. */
LANE_INLINE fe eisenstein_rotate(fe x, lane32 digit) {
    lane32 power = (digit >> 1) & lane32_set(3);
    fe factor = fe_select(lane32_equal(power, lane32_set(1)), fe_set(&CURVE.glv.beta), fe_one());
    factor = fe_select(lane32_equal(power, lane32_set(2)), fe_set(&CURVE.glv.beta_squared), factor);
    return fe_mul(x, factor);
}

/* The digit of a residue, index = k1 mod 8 + 8 (k2 mod 8), and its carries. Looked up in registers: the index is
 * secret. */
LANE_INLINE lane32 eisenstein_digit(lane32 index) {
    lane32 upper = lane32_set(0) - (index >> 5), at = index & lane32_set(31), digit = lane32_set(0);
    LANE_UNROLL for (unsigned plane = 0; plane < EISENSTEIN_PLANES; plane++) {
        const uint32_t *bits = EISENSTEIN_PLANE[plane];
        lane32 half = lane32_set(bits[0]) ^ (lane32_set(bits[0] ^ bits[1]) & upper);
        digit = digit | ((half >> at) & lane32_set(1)) << plane;
    }
    return digit;
}

/* The digits of +-k1 +- k2 lambda, for which EISENSTEIN_WINDOWS are enough if it comes from scalar_split
 * (docs/constant-time.md). */
LANE_FUNCTION void eisenstein_recode(const struct limbs *k1, mask negative1, const struct limbs *k2, mask negative2,
                                     uint32_t *digits) {
    const lane32 low = lane32_set(7);
    lane32 flip1 = mask_to_lane32(negative1) & low, flip2 = mask_to_lane32(negative2) & low;
    lane32 carry1 = flip1 & lane32_set(1), carry2 = flip2 & lane32_set(1); /* -k = ~k + 1 */
    struct limbs rest1 = *k1, rest2 = *k2;
    for (unsigned i = 0; i < EISENSTEIN_WINDOWS; i++) {
        lane32 r1 = (limbs_next_bits(&rest1, i, EISENSTEIN_WIDTH) ^ flip1) + carry1;
        lane32 r2 = (limbs_next_bits(&rest2, i, EISENSTEIN_WIDTH) ^ flip2) + carry2;
        lane32 digit = eisenstein_digit((r1 & low) | (r2 & low) << 3);
        carry1 = (r1 >> 3) + ((digit >> EISENSTEIN_CARRIES) & lane32_set(1));
        carry2 = (r2 >> 3) + (digit >> (EISENSTEIN_CARRIES + 1));
        column32_store(digits, i * SLOT_GROUP, digit & lane32_set((1u << EISENSTEIN_CARRIES) - 1));
    }
}

/* How a table is made from entry 1: entry `sum` is entry a + entry b, a doubling where they are the same, with
 * -lambda^rotation a in place of a where rotation > 0. */
struct table_sum {
    uint8_t sum, a, rotation, b;
};

enum { EISENSTEIN_SUMS = EISENSTEIN_ENTRIES - 2 };

LANE_CONSTANT struct table_sum EISENSTEIN_SUM[EISENSTEIN_SUMS] = {
    {2, 1, 0, 1}, {3, 1, 2, 1},  {6, 3, 0, 1}, {7, 3, 0, 2}, {8, 3, 0, 3},
    {9, 3, 1, 1}, {10, 3, 1, 2}, {4, 2, 0, 1}, {5, 2, 0, 2}, {11, 8, 0, 1},
};

/* Sums are made in levels: those of a level need only what is in the levels before. */
enum { EISENSTEIN_LEVELS = 4 };
LANE_CONSTANT uint8_t EISENSTEIN_LEVEL_END[EISENSTEIN_LEVELS] = {2, 9, 10, 10};

/* -lambda^rotation a, a itself where rotation is 0. */
LANE_INLINE struct affine eisenstein_addend(struct affine a, unsigned rotation) {
    if (rotation == 0)
        return a;
    a.x = eisenstein_rotate(a.x, lane32_set(rotation << 1));
    return affine_negate_if(mask_set(1), a);
}

#endif
