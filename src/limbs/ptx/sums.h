/* Sums of products on the machine of limbs/ptx/machine.h, reduced once where that takes less. Included by
 * limbs/ptx/multiply.h. */
#ifndef GECC_LIMBS_PTX_SUMS_H
#define GECC_LIMBS_PTX_SUMS_H

/* t[0 .. LIMBS] = 2 m - a, for a loose a, or 4 m - a. */
LANE_INLINE void loose_negative(limb t[LIMBS + 1], const struct modulus *m, const limb *a) {
    limb subtrahend[LIMBS + 1];
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) {
        t[i] = loose_twice(m, i);
        subtrahend[i] = i < LIMBS ? a[i] : 0;
    }
    chain_sub(t, subtrahend, LIMBS + 1);
}

/* t - s mod m for two products of residues; t and s are overwritten. */
LANE_INLINE struct limbs products_difference(const struct modulus *m, limb t[2 * LIMBS], limb s[2 * LIMBS]) {
    limb multiple[LIMBS], over;
    if (reduction_is_loose(m->reduction)) {
        /* t + 2 m R - s, or with 4 m */
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) multiple[i] = loose_twice(m, i);
        over = loose_twice(m, LIMBS) + chain_add(t + LIMBS, multiple, LIMBS);
        over += chain_sub(t, s, 2 * LIMBS);
        return loose_reduce(m, t, over);
    }
    limb wrap = chain_sub(t, s, 2 * LIMBS);
    if (LIMBS == 18 && m->reduction == REDUCE_P521) { /* t + 2^521 p, which is less than 2^1042 */
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) multiple[i] = (i == 0    ? 0xfffffe00
                                                                   : i < 16  ? 0xffffffff
                                                                   : i == 16 ? 0x3ffff
                                                                             : 0) &
                                                                  wrap;
        chain_add(t + 16, multiple, LIMBS);
    } else {
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) multiple[i] = m->m.v[i] & wrap;
        chain_add(t + LIMBS, multiple, LIMBS);
    }
    return modular_reduce(m, t);
}

/* a b - c. */
LANE_INLINE struct limbs modular_mul_sub(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    if (!reduction_is_loose(m->reduction))
        return modular_sub(m, modular_mul(m, a, b), c);
    limb t[2 * LIMBS];
    loose_negative(t, m, c.v);
    limbs_product_onto(t, a.v, b.v);
    return loose_reduce(m, t, 0);
}

/* a^2 - 2 b. */
LANE_INLINE struct limbs modular_sqr_sub_double(const struct modulus *m, struct limbs a, struct limbs b) {
    if (!reduction_is_loose(m->reduction)) /* a subtraction takes less than an addition */
        return modular_sub(m, modular_sub(m, modular_sqr(m, a), b), b);
    limb t[2 * LIMBS];
    loose_negative(t, m, b.v);
    limb over = limbs_square_onto(t, a.v);
    return loose_reduce(m, t, over);
}

/* a^2 - b - c. */
LANE_INLINE struct limbs modular_sqr_sub_sum(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return modular_sub(m, modular_sub(m, modular_sqr(m, a), b), c);
}

/* a^2 - b - 2 c. */
LANE_INLINE struct limbs modular_sqr_sub_sum_double(const struct modulus *m, struct limbs a, struct limbs b,
                                                    struct limbs c) {
    return modular_sub(m, modular_sqr_sub_double(m, a, c), b);
}

/* a b - c d. */
LANE_INLINE struct limbs modular_mul_sub_mul(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c,
                                             struct limbs d) {
    if (!reduces_after_product(m->reduction))
        return modular_sub(m, modular_mul(m, a, b), modular_mul(m, c, d));
    limb t[2 * LIMBS], s[2 * LIMBS];
    modular_product(m, t, a.v, b.v);
    modular_product(m, s, c.v, d.v);
    return products_difference(m, t, s);
}

/* a b - c^2. */
LANE_INLINE struct limbs modular_mul_sub_sqr(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    if (!reduces_after_product(m->reduction))
        return modular_sub(m, modular_mul(m, a, b), modular_sqr(m, c));
    limb t[2 * LIMBS], s[2 * LIMBS];
    modular_product(m, t, a.v, b.v);
    modular_square(m, s, c.v);
    return products_difference(m, t, s);
}

/* 3 a / 2. */
LANE_INLINE struct limbs modular_three_halves(const struct modulus *m, struct limbs a) {
    return modular_add(m, a, modular_half(m, a));
}

/* a + b as one of two factors of a product: an integer below R, but below p where montgomery_reduce_p521 needs that. */
LANE_INLINE struct limbs modular_add_factor(const struct modulus *m, struct limbs a, struct limbs b) {
    if (reduction_is_loose(m->reduction) || m->reduction == REDUCE_P521)
        return modular_add(m, a, b);
    limb multiple[LIMBS], carry = chain_add(a.v, b.v, LIMBS);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) multiple[i] = m->m.v[i] & mask_from_bit(carry);
    chain_sub(a.v, multiple, LIMBS);
    return a;
}

#endif
