/* What machines of four lanes need of AVX2 beyond C's operators on vectors: lanes of 64 or 32 bits. Products are in a
 * header of each machine. */
#ifndef GECC_LIMBS_VECTOR_AVX2_H
#define GECC_LIMBS_VECTOR_AVX2_H

#include <immintrin.h>
#include <stdint.h>

#include "limbs/attributes.h"

enum { LANES = 4 };

typedef uint32_t lane32 __attribute__((vector_size(16)));
typedef uint64_t lane64 __attribute__((vector_size(32)));

/* All ones in each lane where it is true, else zeros. */
typedef int64_t mask __attribute__((vector_size(32)));

LANE_INLINE lane32 lane32_set(uint32_t x) { return (lane32)_mm_set1_epi32((int)x); }
LANE_INLINE lane64 lane64_set(uint64_t x) { return (lane64)_mm256_set1_epi64x((long long)x); }

/* Memory aligned as its elements are; the `_aligned` ones, to 32 bytes. */
LANE_INLINE lane32 lane32_load(const uint32_t *words) { return (lane32)_mm_loadu_si128((const __m128i_u *)words); }
LANE_INLINE void lane32_store(uint32_t *words, lane32 v) { _mm_storeu_si128((__m128i_u *)words, (__m128i)v); }
LANE_INLINE lane64 lane64_load(const uint64_t *p) { return (lane64)_mm256_loadu_si256((const __m256i_u *)p); }
LANE_INLINE lane64 lane64_load_aligned(const uint64_t *p) { return (lane64)_mm256_load_si256((const __m256i *)p); }
LANE_INLINE void lane64_store_aligned(uint64_t *p, lane64 v) { _mm256_store_si256((__m256i *)p, (__m256i)v); }

/* Two's complement: floor(v / 2^n); the product of the low 32 bits of a and b. */
LANE_INLINE lane64 lane64_shift_right_signed(lane64 v, int n) {
    const lane64 sign = lane64_set((uint64_t)1 << 63);
    return ((v + sign) >> n) - (sign >> n);
}
LANE_INLINE lane64 lane64_product_signed(lane64 a, lane64 b) {
    return (lane64)_mm256_mul_epi32((__m256i)a, (__m256i)b);
}

/* Between widths: zero- or sign-extended; the low 32 bits. */
LANE_INLINE lane64 lane64_from_lane32(lane32 v) { return (lane64)_mm256_cvtepu32_epi64((__m128i)v); }
LANE_INLINE lane64 lane64_from_lane32_signed(lane32 v) { return (lane64)_mm256_cvtepi32_epi64((__m128i)v); }
LANE_INLINE lane32 lane64_low(lane64 v) {
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    return (lane32)_mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)v, even));
}

/* Masks: a bit for each lane, and back. */
LANE_INLINE unsigned mask_to_bits(mask m) { return (unsigned)_mm256_movemask_pd((__m256d)m); }
LANE_INLINE mask mask_from_bits(unsigned bits) {
    const lane64 lane = {0, 1, 2, 3};
    return (mask)(lane64_set(0) - ((lane64_set(bits) >> lane) & lane64_set(1)));
}
LANE_INLINE mask mask_from_lane32(lane32 m) { return (mask)lane64_from_lane32_signed(m); }
/* All ones or zeros in 32 bits. */
LANE_INLINE lane32 mask_to_lane32(mask m) { return lane64_low((lane64)m); }

LANE_INLINE mask lane32_equal(lane32 a, lane32 b) {
    return mask_from_lane32((lane32)_mm_cmpeq_epi32((__m128i)a, (__m128i)b));
}
LANE_INLINE mask lane64_is_zero(lane64 a) { return (mask)_mm256_cmpeq_epi64((__m256i)a, _mm256_setzero_si256()); }
/* Have a and b a common bit? */
LANE_INLINE mask lane32_test(lane32 a, lane32 b) { return ~lane32_equal(a & b, lane32_set(0)); }
LANE_INLINE mask lane64_test(lane64 a, lane64 b) { return ~lane64_is_zero(a & b); }
/* Is the top bit set? */
LANE_INLINE mask lane64_is_negative(lane64 a) { return (mask)_mm256_cmpgt_epi64(_mm256_setzero_si256(), (__m256i)a); }

/* m ? a : b. */
LANE_INLINE lane32 lane32_blend(mask m, lane32 a, lane32 b) {
    return (lane32)_mm_blendv_epi8((__m128i)b, (__m128i)a, (__m128i)mask_to_lane32(m));
}
LANE_INLINE lane64 lane64_blend(mask m, lane64 a, lane64 b) {
    return (lane64)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
}

/* Lane l: entry index[l] mod LOOKUP_ENTRIES of the table, by a permutation of registers. */
enum { LOOKUP_ENTRIES = 4 };
LANE_INLINE lane64 lane64_lookup(const uint64_t *table, lane64 index) {
    lane64 halves = (index & lane64_set(3)) << 1;
    halves = halves | halves << 32 | lane64_set((uint64_t)1 << 32);
    return (lane64)_mm256_permutevar8x32_epi32((__m256i)lane64_load(table), (__m256i)halves);
}

/* Row l of r = column l: words 0 .. 3 of four lanes. */
LANE_INLINE void lane64_transpose(lane64 r[4]) {
    __m256i t[4];
    for (int i = 0; i < 4; i += 2) {
        t[i] = _mm256_unpacklo_epi64((__m256i)r[i], (__m256i)r[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi64((__m256i)r[i], (__m256i)r[i + 1]);
    }
    for (int j = 0; j < 2; j++) {
        r[j] = (lane64)_mm256_permute2x128_si256(t[j], t[j + 2], 0x20);
        r[j + 2] = (lane64)_mm256_permute2x128_si256(t[j], t[j + 2], 0x31);
    }
}

#endif
