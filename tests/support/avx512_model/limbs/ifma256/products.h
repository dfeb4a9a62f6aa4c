/* A model of limbs/ifma256/products.h in plain C. */
#ifndef TESTS_SUPPORT_IFMA256_MODEL_H
#define TESTS_SUPPORT_IFMA256_MODEL_H

#include "limbs/vector/avx2.h"

/* sum + the low (high) 52 bits of the product of the low 52 bits of a and b. */
LANE_FUNCTION lane64 lane64_add_product_low(lane64 sum, lane64 a, lane64 b) {
    const uint64_t low = ((uint64_t)1 << 52) - 1;
    for (int l = 0; l < LANES; l++)
        sum[l] += (a[l] & low) * (b[l] & low) & low;
    return sum;
}
LANE_FUNCTION lane64 lane64_add_product_high(lane64 sum, lane64 a, lane64 b) {
    __extension__ typedef unsigned __int128 product;
    const uint64_t low = ((uint64_t)1 << 52) - 1;
    for (int l = 0; l < LANES; l++)
        sum[l] += (uint64_t)((product)(a[l] & low) * (b[l] & low) >> 52);
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
