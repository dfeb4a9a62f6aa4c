/* A model of limbs/vector/avx512.h in plain C, for tools and processors that know no AVX-512: this file's folder comes
 * before src among the compiler's include paths, and a vector machine is compiled unchanged.
 *
 * For memcheck it must be as constant in time as the instructions are: lanes are selected by arithmetic, no table is
 * indexed, and what is undefined in one lane stays in that lane. tests/limbs/test_avx512_model.c compares the two. */
#ifndef TESTS_SUPPORT_AVX512_MODEL_H
#define TESTS_SUPPORT_AVX512_MODEL_H

#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"

enum { LANES = 8 };

typedef uint32_t lane32 __attribute__((vector_size(32)));
typedef uint64_t lane64 __attribute__((vector_size(64)));
typedef int32_t lane32_signed __attribute__((vector_size(32)));
typedef int64_t lane64_signed __attribute__((vector_size(64)));

/* A bit for each lane: 1 is true. */
typedef uint8_t mask;

LANE_INLINE lane32 lane32_set(uint32_t x) { return (lane32){x, x, x, x, x, x, x, x}; }
LANE_INLINE lane64 lane64_set(uint64_t x) { return (lane64){x, x, x, x, x, x, x, x}; }

LANE_INLINE lane32 lane32_load(const uint32_t *words) {
    lane32 v;
    memcpy(&v, words, sizeof v);
    return v;
}
LANE_INLINE void lane32_store(uint32_t *words, lane32 v) { memcpy(words, &v, sizeof v); }
LANE_INLINE lane64 lane64_load(const uint64_t *p) {
    lane64 v;
    memcpy(&v, p, sizeof v);
    return v;
}
LANE_INLINE lane64 lane64_load_aligned(const uint64_t *p) {
    return lane64_load((const uint64_t *)__builtin_assume_aligned(p, 64));
}
LANE_INLINE void lane64_store_aligned(uint64_t *p, lane64 v) { memcpy(__builtin_assume_aligned(p, 64), &v, sizeof v); }

/* Two's complement: floor(v / 2^n); the product of the low 32 bits of a and b. */
LANE_INLINE lane64 lane64_shift_right_signed(lane64 v, int n) { return (lane64)((lane64_signed)v >> n); }
LANE_FUNCTION lane64 lane64_product_signed(lane64 a, lane64 b) {
    for (int l = 0; l < LANES; l++)
        a[l] = (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]);
    return a;
}

/* All ones where the mask has a bit. */
LANE_INLINE lane32 mask_to_lane32(mask m) {
    const lane32 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return lane32_set(0) - (lane32_set(m) >> lane & 1);
}
LANE_INLINE lane64 mask_to_lane64(mask m) {
    const lane64 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return lane64_set(0) - (lane64_set(m) >> lane & 1);
}

/* m ? a : b. */
LANE_FUNCTION lane32 lane32_blend(mask m, lane32 a, lane32 b) {
    lane32 all = mask_to_lane32(m);
    return (a & all) | (b & ~all);
}
LANE_FUNCTION lane64 lane64_blend(mask m, lane64 a, lane64 b) {
    lane64 all = mask_to_lane64(m);
    return (a & all) | (b & ~all);
}

/* The bit of each lane, which is 0 or 1 there. */
LANE_INLINE mask mask_from_lanes(lane64 bits) {
    uint64_t m = 0;
    for (int l = 0; l < LANES; l++)
        m |= bits[l] << l;
    return (mask)m;
}

LANE_INLINE lane64 lane64_from_lane32(lane32 v) { return __builtin_convertvector(v, lane64); }
LANE_INLINE lane64 lane64_from_lane32_signed(lane32 v) {
    return (lane64) __builtin_convertvector((lane32_signed)v, lane64_signed);
}
LANE_INLINE lane32 lane64_low(lane64 v) { return __builtin_convertvector(v, lane32); }

/* Masks: a bit for each lane, and back. */
LANE_INLINE unsigned mask_to_bits(mask m) { return m; }
LANE_INLINE mask mask_from_bits(unsigned bits) { return (mask)bits; }
LANE_FUNCTION mask lane64_is_zero(lane64 a) { return mask_from_lanes(~(a | (lane64_set(0) - a)) >> 63); }
LANE_FUNCTION mask lane64_test(lane64 a, lane64 b) { return (mask)~lane64_is_zero(a & b); }
LANE_FUNCTION mask lane64_is_negative(lane64 a) { return mask_from_lanes(a >> 63); }
LANE_FUNCTION mask lane32_equal(lane32 a, lane32 b) { return lane64_is_zero(lane64_from_lane32(a ^ b)); }
LANE_FUNCTION mask lane32_test(lane32 a, lane32 b) {
    return lane64_test(lane64_from_lane32(a & b), lane64_set(UINT32_MAX));
}

/* Lane l: entry index[l] mod LOOKUP_ENTRIES of the table. Every entry is read. */
enum { LOOKUP_ENTRIES = 16 };
LANE_FUNCTION lane64 lane64_lookup(const uint64_t *table, lane64 index) {
    lane64 r = lane64_set(0);
    for (unsigned i = 0; i < LOOKUP_ENTRIES; i++) {
        lane64 entry = lane64_set(table[i]);
        r = r | lane64_blend(lane64_is_zero((index & 15) ^ lane64_set(i)), entry, lane64_set(0));
    }
    return r;
}

/* Row l of r = column l: words 0 .. 7 of eight lanes. */
LANE_INLINE void lane64_transpose(lane64 r[8]) {
    lane64 t[8];
    memcpy(t, r, sizeof t);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            r[i][j] = t[j][i];
}

#endif
