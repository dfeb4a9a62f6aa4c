/* Sums of products for machines without functions of their own for them. */
#ifndef GECC_FIELD_SUMS_H
#define GECC_FIELD_SUMS_H

#include "field/modular.h"

/* a b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return modular_sub(m, modular_mul(m, a, b), c);
}

/* a^2 - 2 b. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_double(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_sub(m, modular_sqr(m, a), modular_add(m, b, b));
}

/* a^2 - b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return modular_sub(m, modular_sub(m, modular_sqr(m, a), b), c);
}

/* a^2 - b - 2 c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum_double(const struct modulus *m, struct limbs a, struct limbs b,
                                                    struct limbs c) {
    return modular_sub(m, modular_sub(m, modular_sqr(m, a), b), modular_add(m, c, c));
}

/* a b - c d. Maps loose, loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_mul(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c,
                                             struct limbs d) {
    return modular_sub(m, modular_mul(m, a, b), modular_mul(m, c, d));
}

/* a b - c^2. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_sqr(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return modular_sub(m, modular_mul(m, a, b), modular_sqr(m, c));
}

/* 3 a / 2. Maps loose to loose. */
LANE_INLINE struct limbs modular_three_halves(const struct modulus *m, struct limbs a) {
    return modular_half(m, modular_add(m, modular_add(m, a, a), a));
}

/* a + b as one of two factors of a product. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_add_factor(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_add(m, a, b);
}

#endif
