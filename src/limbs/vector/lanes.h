/* Lanes of a vector machine, included after its instructions. What limbs/lanes_scalar.h says of lanes holds here. */
#ifndef GECC_LIMBS_VECTOR_LANES_H
#define GECC_LIMBS_VECTOR_LANES_H

#include <stdint.h>

#include "limbs/attributes.h"

LANE_INLINE lane32 lane32_insert(lane32 v, int lane, uint32_t x) {
    v[lane] = x;
    return v;
}
LANE_INLINE uint32_t lane32_extract(lane32 v, int lane) { return v[lane]; }
LANE_INLINE lane64 lane64_insert(lane64 v, int lane, uint64_t x) {
    v[lane] = x;
    return v;
}
LANE_INLINE uint64_t lane64_extract(lane64 v, int lane) { return v[lane]; }

LANE_INLINE lane32 lane32_select(lane32 m, lane32 a, lane32 b) { return b ^ (m & (a ^ b)); }
LANE_INLINE lane64 lane64_select(lane64 m, lane64 a, lane64 b) { return b ^ (m & (a ^ b)); }

LANE_INLINE lane32 lane32_from_bit(lane32 bit) { return lane32_set(0) - bit; }

/* a + b, for hashes. */
LANE_INLINE lane32 lane32_add(lane32 a, lane32 b) { return a + b; }

LANE_INLINE lane32 lane32_rotate_left(lane32 v, int n) { return v << n | v >> (32 - n); }
LANE_INLINE lane64 lane64_rotate_left(lane64 v, int n) { return v << n | v >> (64 - n); }

LANE_INLINE lane64 lane64_join(lane32 hi, lane32 lo) { return lane64_from_lane32(hi) << 32 | lane64_from_lane32(lo); }
LANE_INLINE lane32 lane64_high(lane64 v) { return lane64_low(v >> 32); }

LANE_INLINE lane64 lane64_mul_signed(lane32 a, lane32 b) {
    return lane64_product_signed(lane64_from_lane32(a), lane64_from_lane32(b));
}

/* The low 52 bits of the product of the low 52 bits of a and b. */
LANE_INLINE lane64 lane64_product_low(lane64 a, lane64 b) { return lane64_add_product_low(lane64_set(0), a, b); }

/* Masks: the operators of C on them, and these. */
LANE_INLINE mask mask_set(int value) { return mask_from_bits(value ? (1u << LANES) - 1 : 0); }
LANE_INLINE int mask_any(mask m) { return mask_to_bits(m) != 0; }
LANE_INLINE int mask_lane(mask m, int lane) { return mask_to_bits(m) >> lane & 1; }
LANE_INLINE mask mask_insert(mask m, int lane, int value) {
    return mask_from_bits((mask_to_bits(m) & ~(1u << lane)) | (value ? 1u << lane : 0));
}
LANE_INLINE mask lane32_is_odd(lane32 a) { return lane32_test(a, lane32_set(1)); }

#endif
