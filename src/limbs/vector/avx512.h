/* What machines of eight lanes need of AVX-512 beyond C's operators on vectors: lanes of 64 or 32 bits. Products are in
 * a header of each machine.
 *
 * The constant-time tests, whose tools know no AVX-512, and processors
 * without it compile a model of this file in plain C in its place (tests/support/avx512_model). */
#ifndef GECC_LIMBS_VECTOR_AVX512_H
#define GECC_LIMBS_VECTOR_AVX512_H

#include <immintrin.h>
#include <stdint.h>

#include "limbs/attributes.h"

enum { LANES = 8 };

typedef uint32_t lane32 __attribute__((vector_size(32)));
typedef uint64_t lane64 __attribute__((vector_size(64)));
typedef int64_t lane64_signed __attribute__((vector_size(64)));

/* A bit for each lane: 1 is true. */
typedef uint8_t mask;

LANE_INLINE lane32 lane32_set(uint32_t x) { return (lane32)_mm256_set1_epi32((int)x); }
LANE_INLINE lane64 lane64_set(uint64_t x) { return (lane64)_mm512_set1_epi64((long long)x); }

/* Memory aligned as its elements are; the `_aligned` ones, to 64 bytes. */
LANE_INLINE lane32 lane32_load(const uint32_t *words) { return (lane32)_mm256_loadu_si256((const __m256i_u *)words); }
LANE_INLINE void lane32_store(uint32_t *words, lane32 v) { _mm256_storeu_si256((__m256i_u *)words, (__m256i)v); }
LANE_INLINE lane64 lane64_load(const uint64_t *p) { return (lane64)_mm512_loadu_si512(p); }
LANE_INLINE lane64 lane64_load_aligned(const uint64_t *p) { return (lane64)_mm512_load_si512(p); }
LANE_INLINE void lane64_store_aligned(uint64_t *p, lane64 v) { _mm512_store_si512(p, (__m512i)v); }

/* Two's complement: floor(v / 2^n); the product of the low 32 bits of a and b. */
LANE_INLINE lane64 lane64_shift_right_signed(lane64 v, int n) { return (lane64)((lane64_signed)v >> n); }
LANE_INLINE lane64 lane64_product_signed(lane64 a, lane64 b) {
    return (lane64)_mm512_mul_epi32((__m512i)a, (__m512i)b);
}

/* m ? a : b. */
LANE_INLINE lane32 lane32_blend(mask m, lane32 a, lane32 b) {
    return (lane32)_mm256_mask_blend_epi32(m, (__m256i)b, (__m256i)a);
}
LANE_INLINE lane64 lane64_blend(mask m, lane64 a, lane64 b) {
    return (lane64)_mm512_mask_blend_epi64(m, (__m512i)b, (__m512i)a);
}

/* Lane l: entry index[l] mod LOOKUP_ENTRIES of the table, by a permutation of registers. */
enum { LOOKUP_ENTRIES = 16 };
LANE_INLINE lane64 lane64_lookup(const uint64_t *table, lane64 index) {
    return (lane64)_mm512_permutex2var_epi64((__m512i)lane64_load(table), (__m512i)index,
                                             (__m512i)lane64_load(table + 8));
}

/* Row l of r = column l: words 0 .. 7 of eight lanes. */
LANE_INLINE void lane64_transpose(lane64 r[8]) {
    __m512i t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64((__m512i)r[i], (__m512i)r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64((__m512i)r[i], (__m512i)r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            u[i + j] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0x88);
            u[i + j + 2] = _mm512_shuffle_i64x2(t[i + j], t[i + j + 2], 0xdd);
        }
    for (int j = 0; j < 4; j++) {
        r[j] = (lane64)_mm512_shuffle_i64x2(u[j], u[j + 4], 0x88);
        r[j + 4] = (lane64)_mm512_shuffle_i64x2(u[j], u[j + 4], 0xdd);
    }
}

/* Masks: a bit for each lane, and back. */
LANE_INLINE unsigned mask_to_bits(mask m) { return m; }
LANE_INLINE mask mask_from_bits(unsigned bits) { return (mask)bits; }
LANE_INLINE mask lane32_equal(lane32 a, lane32 b) { return _mm256_cmpeq_epi32_mask((__m256i)a, (__m256i)b); }
/* Have a and b a common bit? */
LANE_INLINE mask lane32_test(lane32 a, lane32 b) { return _mm256_test_epi32_mask((__m256i)a, (__m256i)b); }
LANE_INLINE mask lane64_test(lane64 a, lane64 b) { return _mm512_test_epi64_mask((__m512i)a, (__m512i)b); }
LANE_INLINE mask lane64_is_zero(lane64 a) { return _mm512_testn_epi64_mask((__m512i)a, (__m512i)a); }
/* Is the top bit set? */
LANE_INLINE mask lane64_is_negative(lane64 a) { return _mm512_movepi64_mask((__m512i)a); }
/* All ones or zeros in 32 bits. */
LANE_INLINE lane32 mask_to_lane32(mask m) { return (lane32)_mm256_movm_epi32(m); }

/* Between widths: zero- or sign-extended; the low 32 bits. */
LANE_INLINE lane64 lane64_from_lane32(lane32 v) { return (lane64)_mm512_cvtepu32_epi64((__m256i)v); }
LANE_INLINE lane64 lane64_from_lane32_signed(lane32 v) { return (lane64)_mm512_cvtepi32_epi64((__m256i)v); }
LANE_INLINE lane32 lane64_low(lane64 v) { return (lane32)_mm512_cvtepi64_epi32((__m512i)v); }

#endif
