/* What makes a vector machine the IFMA machine of four lanes: products by `vpmadd52` of AVX-IFMA, for processors that
 * have it without AVX-512. Assembly, since compilers know the instruction later than assemblers do.
 *
 * GECC_IFMA256_EVEX: in the encoding of AVX-512 IFMA, so that processors with AVX-512 can run what has no other
 * instruction of theirs. */
#ifndef GECC_LIMBS_IFMA256_PRODUCTS_H
#define GECC_LIMBS_IFMA256_PRODUCTS_H

#include "limbs/vector/avx2.h"

#ifdef GECC_IFMA256_EVEX
#define VPMADD52 "vpmadd52"
#else
#define VPMADD52 "%{vex%} vpmadd52"
#endif

/* sum + the low (high) 52 bits of the product of the low 52 bits of a and b. */
LANE_INLINE lane64 lane64_add_product_low(lane64 sum, lane64 a, lane64 b) {
    __asm__(VPMADD52 "luq %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
    return sum;
}
LANE_INLINE lane64 lane64_add_product_high(lane64 sum, lane64 a, lane64 b) {
    __asm__(VPMADD52 "huq %2, %1, %0" : "+x"(sum) : "x"(a), "x"(b));
    return sum;
}

/* low, high: the same, and these. */
#define PRODUCT_LOW_EXCESS 0
#define PRODUCT_HIGH_EXCESS 0
LANE_INLINE void lane64_add_product(lane64 *low, lane64 *high, lane64 a, lane64 b) {
    *low = lane64_add_product_low(*low, a, b);
    *high = lane64_add_product_high(*high, a, b);
}

#endif
