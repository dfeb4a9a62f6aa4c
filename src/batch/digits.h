/* Integers to signed digits.
 *
 * k = sum of d_i 2^(width i) with -2^(width - 1) < d_i <= 2^(width - 1). A digit is kept as magnitude * 2 + sign
 * bit. */
#ifndef GECC_BATCH_DIGITS_H
#define GECC_BATCH_DIGITS_H

#include "batch/batch.h"

LANE_INLINE lane32 digit_magnitude(lane32 digit) { return digit >> 1; }
LANE_INLINE mask digit_is_negative(lane32 digit) { return lane32_is_odd(digit); }

/* Windows for an integer below 2^(bits - 1): the bit more is the carry of the last digit. */
#define WINDOW_COUNT(bits, width) (((bits) + (width)-1) / (width))

/* Digits of a slot: as many as its column has for each slot. */
LANE_INLINE lane32 digit_load(const uint32_t *digits, unsigned i) { return column32_load(digits, i * SLOT_GROUP); }

/* The digits of k, or of -k where negate. k < 2^(width * windows - 1). */
LANE_FUNCTION void recode_signed(const struct limbs *k, mask negate, unsigned width, unsigned windows,
                                 uint32_t *digits) {
    const lane32 half = lane32_set(1u << (width - 1)), full = lane32_set(1u << width);
    lane32 carry = lane32_set(0), flip = mask_to_lane32(negate) & lane32_set(1);
    struct limbs rest = *k;
    for (unsigned i = 0; i < windows; i++) {
        lane32 bits = limbs_next_bits(&rest, i, width) + carry;
        carry = (half - bits) >> 31; /* bits > half */
        lane32 magnitude = lane32_select(lane32_set(0) - carry, full - bits, bits);
        column32_store(digits, i * SLOT_GROUP, magnitude << 1 | (carry ^ flip));
    }
}

#endif
