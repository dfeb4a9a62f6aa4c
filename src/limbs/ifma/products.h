/* What makes a vector machine the IFMA machine: products by `vpmadd52`, of AVX-512 IFMA. The constant-time tests put a
 * model of this file in its place, as of vector/avx512.h. */
#ifndef GECC_LIMBS_IFMA_PRODUCTS_H
#define GECC_LIMBS_IFMA_PRODUCTS_H

#include "limbs/vector/avx512.h"

/* sum + the low (high) 52 bits of the product of the low 52 bits of a and b. */
LANE_INLINE lane64 lane64_add_product_low(lane64 sum, lane64 a, lane64 b) {
    return (lane64)_mm512_madd52lo_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}
LANE_INLINE lane64 lane64_add_product_high(lane64 sum, lane64 a, lane64 b) {
    return (lane64)_mm512_madd52hi_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}

/* low, high: the same, and these. */
#define PRODUCT_LOW_EXCESS 0
#define PRODUCT_HIGH_EXCESS 0
LANE_INLINE void lane64_add_product(lane64 *low, lane64 *high, lane64 a, lane64 b) {
    *low = lane64_add_product_low(*low, a, b);
    *high = lane64_add_product_high(*high, a, b);
}

#endif
