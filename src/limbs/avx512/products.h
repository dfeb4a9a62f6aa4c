/* What makes a vector machine the AVX-512 machine: products by fused multiplications of doubles, whose significands
 * have 53 bits, those of a limb and one more (N. Emmart, F. Zheng, C. Weems, "Faster modular exponentiation using
 * double precision floating point arithmetic on the GPU", ARITH 2018).
 *
 * For x, y < 2^52 let x y = h 2^52 + l. 2^104 + x y, rounded towards zero, is 2^104 + h 2^52, since doubles from 2^104
 * up to 2^105 are 2^52 apart; and 2^52 + l = x y + ((2^104 + 2^52) - (2^104 + h 2^52)) is exact. Their significands are
 * h and l, so that integers are added to columns as these doubles stand, the exponents being the excess.
 *
 * What the thread has set for doubles decides nothing: rounding is in the two instructions that round, which raise no
 * exceptions either; differences here are exact; and nothing is denormal, since all doubles here are 0, of either sign,
 * or have an absolute value of 1 at least. */
#ifndef GECC_LIMBS_AVX512_PRODUCTS_H
#define GECC_LIMBS_AVX512_PRODUCTS_H

#include "limbs/vector/avx512.h"

#define PRODUCT_LOW_EXCESS ((uint64_t)(1023 + 52) << 52)
#define PRODUCT_HIGH_EXCESS ((uint64_t)(1023 + 104) << 52)

/* The low 52 bits of a. */
LANE_INLINE __m512d lane64_to_double(lane64 a) {
    lane64 low = a & (lane64)_mm512_set1_epi64((1LL << 52) - 1), one = (lane64)_mm512_set1_pd(0x1p52);
    return _mm512_sub_pd((__m512d)(low | one), (__m512d)one);
}

/* 2^104 + h 2^52. */
LANE_INLINE __m512d product_high(__m512d x, __m512d y) {
    return _mm512_fmadd_round_pd(x, y, _mm512_set1_pd(0x1p104), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/* 2^52 + l. */
LANE_INLINE __m512d product_low(__m512d x, __m512d y, __m512d high) {
    return _mm512_fmadd_round_pd(x, y, _mm512_sub_pd(_mm512_set1_pd(0x1p104 + 0x1p52), high),
                                 _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/* low, high += the low (high) 52 bits of the product of the low 52 bits of a and b, and the excess. The empty asm keeps
 * compilers from putting additions off until all products of a column are there, for which there are no registers. */
LANE_INLINE void lane64_add_product(lane64 *low, lane64 *high, lane64 a, lane64 b) {
    __m512d x = lane64_to_double(a), y = lane64_to_double(b), upper = product_high(x, y);
    *low = *low + (lane64)product_low(x, y, upper);
    *high = *high + (lane64)upper;
    __asm__("" : "+v"(*low), "+v"(*high));
}

/* sum + the low (high) 52 bits of the product of the low 52 bits of a and b. */
LANE_INLINE lane64 lane64_add_product_low(lane64 sum, lane64 a, lane64 b) {
    __m512d x = lane64_to_double(a), y = lane64_to_double(b);
    return sum + ((lane64)product_low(x, y, product_high(x, y)) - lane64_set(PRODUCT_LOW_EXCESS));
}
LANE_INLINE lane64 lane64_add_product_high(lane64 sum, lane64 a, lane64 b) {
    return sum + ((lane64)product_high(lane64_to_double(a), lane64_to_double(b)) - lane64_set(PRODUCT_HIGH_EXCESS));
}

#endif
