/* Eight lanes in vector types of the compiler, for tests: what limbs/lanes_scalar.h declares, on any processor. */
#ifndef GECC_TESTS_HASH_LANES_VECTOR8_H
#define GECC_TESTS_HASH_LANES_VECTOR8_H

#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"

/* Vectors larger than the registers of the processor built for are passed in memory, here always by one compiler. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANES = 8 };

typedef uint32_t lane32 __attribute__((vector_size(32)));
typedef uint64_t lane64 __attribute__((vector_size(64)));
typedef int32_t lane32_signed __attribute__((vector_size(32)));
typedef int64_t lane64_signed __attribute__((vector_size(64)));

LANE_INLINE lane32 lane32_set(uint32_t x) { return (lane32){x, x, x, x, x, x, x, x}; }
LANE_INLINE lane64 lane64_set(uint64_t x) { return (lane64){x, x, x, x, x, x, x, x}; }

LANE_INLINE lane32 lane32_insert(lane32 v, int lane, uint32_t x) { return v[lane] = x, v; }
LANE_INLINE uint32_t lane32_extract(lane32 v, int lane) { return v[lane]; }
LANE_INLINE lane64 lane64_insert(lane64 v, int lane, uint64_t x) { return v[lane] = x, v; }
LANE_INLINE uint64_t lane64_extract(lane64 v, int lane) { return v[lane]; }

LANE_INLINE lane32 lane32_load(const uint32_t *words) {
    lane32 v;
    memcpy(&v, words, sizeof v);
    return v;
}
LANE_INLINE void lane32_store(uint32_t *words, lane32 v) { memcpy(words, &v, sizeof v); }

LANE_INLINE lane32 lane32_select(lane32 mask, lane32 a, lane32 b) { return b ^ (mask & (a ^ b)); }
LANE_INLINE lane64 lane64_select(lane64 mask, lane64 a, lane64 b) { return b ^ (mask & (a ^ b)); }

LANE_INLINE lane32 lane32_from_bit(lane32 bit) { return 0 - bit; }

LANE_INLINE lane32 lane32_add(lane32 a, lane32 b) { return a + b; }

LANE_INLINE lane32 lane32_rotate_left(lane32 v, int n) { return v << n | v >> (32 - n); }
LANE_INLINE lane64 lane64_rotate_left(lane64 v, int n) { return v << n | v >> (64 - n); }

LANE_INLINE lane64 lane64_join(lane32 hi, lane32 lo) {
    return __builtin_convertvector(hi, lane64) << 32 | __builtin_convertvector(lo, lane64);
}
LANE_INLINE lane32 lane64_high(lane64 v) { return __builtin_convertvector(v >> 32, lane32); }
LANE_INLINE lane32 lane64_low(lane64 v) { return __builtin_convertvector(v, lane32); }

LANE_INLINE lane64 lane64_mul_signed(lane32 a, lane32 b) {
    return (lane64)(__builtin_convertvector((lane32_signed)a, lane64_signed) *
                    __builtin_convertvector((lane32_signed)b, lane64_signed));
}
LANE_INLINE lane64 lane64_shift_right_signed(lane64 v, int n) { return (lane64)((lane64_signed)v >> n); }

#endif
