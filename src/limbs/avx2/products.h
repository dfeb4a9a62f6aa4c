/* What makes a vector machine the AVX2 machine: products by `vpmuludq`, of 32 bits by 32, so limbs of 29 bits, whose
 * products a column takes whole. */
#ifndef GECC_LIMBS_AVX2_PRODUCTS_H
#define GECC_LIMBS_AVX2_PRODUCTS_H

#include "limbs/vector/avx2.h"

/* The product of the low 32 bits of a and b. */
LANE_INLINE lane64 lane64_product(lane64 a, lane64 b) { return (lane64)_mm256_mul_epu32((__m256i)a, (__m256i)b); }

/* sum + the part of a product of two limbs that a column takes, all of it, and the part of the next one, nothing. */
LANE_INLINE lane64 lane64_add_product_low(lane64 sum, lane64 a, lane64 b) { return sum + lane64_product(a, b); }
LANE_INLINE lane64 lane64_add_product_high(lane64 sum, lane64 a, lane64 b) { return (void)a, (void)b, sum; }

#endif
