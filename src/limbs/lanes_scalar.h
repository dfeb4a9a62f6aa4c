/* Lanes of the portable machine: one item at a time.
 *
 * lane32 and lane64 are one unsigned integer for each lane. On every machine C's operators + - * & | ^ ~ << >> work on
 * them lane by lane (scalars here and on a GPU, vector types of the compiler in the IFMA machine); comparisons do not,
 * so they have names. A mask is all ones or all zeros in each lane. */
#ifndef GECC_LIMBS_LANES_SCALAR_H
#define GECC_LIMBS_LANES_SCALAR_H

#include <stdint.h>

#include "limbs/attributes.h"

enum { LANES = 1 };

typedef uint32_t lane32;
typedef uint64_t lane64;

/* Every lane = x. */
LANE_INLINE lane32 lane32_set(uint32_t x) { return x; }
LANE_INLINE lane64 lane64_set(uint64_t x) { return x; }

/* v with lane `lane` replaced by x; lane `lane` of v. */
LANE_INLINE lane32 lane32_insert(lane32 v, int lane, uint32_t x) { return (void)v, (void)lane, x; }
LANE_INLINE uint32_t lane32_extract(lane32 v, int lane) { return (void)lane, v; }
LANE_INLINE lane64 lane64_insert(lane64 v, int lane, uint64_t x) { return (void)v, (void)lane, x; }
LANE_INLINE uint64_t lane64_extract(lane64 v, int lane) { return (void)lane, v; }

/* The LANES consecutive words at `words`, one for each lane, and back. Aligned as words are. */
LANE_INLINE lane32 lane32_load(const uint32_t *words) { return *words; }
LANE_INLINE void lane32_store(uint32_t *words, lane32 v) { *words = v; }

/* mask ? a : b, lane by lane. */
LANE_INLINE lane32 lane32_select(lane32 mask, lane32 a, lane32 b) { return b ^ (mask & (a ^ b)); }
LANE_INLINE lane64 lane64_select(lane64 mask, lane64 a, lane64 b) { return b ^ (mask & (a ^ b)); }

/* All ones where the bit is 1, zeros where it is 0; the empty asm keeps compilers from turning selections into
 * branches. */
LANE_INLINE lane32 lane32_from_bit(lane32 bit) {
    __asm__("" : "+r"(bit));
    return 0 - bit;
}

/* v rotated left by n bits, 0 < n < 32 (64), n constant. */
LANE_INLINE lane32 lane32_rotate_left(lane32 v, int n) { return v << n | v >> (32 - n); }
LANE_INLINE lane64 lane64_rotate_left(lane64 v, int n) { return v << n | v >> (64 - n); }

/* a + b for hashes: on a GPU by its multiplier, which is idle while shifts and logic occupy another pipe. So that no
 * compiler makes it an addition again, a is multiplied by a 1 that none knows: the height of a block of threads. */
LANE_INLINE lane32 lane32_add(lane32 a, lane32 b) {
#ifdef __CUDACC__
    lane32 r;
    __asm__("mad.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(blockDim.y), "r"(b));
    return r;
#else
    return a + b;
#endif
}

/* hi : lo as one 64-bit integer, and its halves. */
LANE_INLINE lane64 lane64_join(lane32 hi, lane32 lo) { return (lane64)hi << 32 | lo; }
LANE_INLINE lane32 lane64_high(lane64 v) { return (lane32)(v >> 32); }
LANE_INLINE lane32 lane64_low(lane64 v) { return (lane32)v; }

/* Two's complement: a * b, which cannot overflow; floor(v / 2^n), n constant. */
LANE_INLINE lane64 lane64_mul_signed(lane32 a, lane32 b) { return (lane64)((int64_t)(int32_t)a * (int32_t)b); }
LANE_INLINE lane64 lane64_shift_right_signed(lane64 v, int n) { return (lane64)((int64_t)v >> n); }

#endif
