/* Products that stay in two parts, c + 2^32 d, until they are reduced: the general multiplication of gECC
 * (papers/results.md; section 4.1.3 there) and its reduction modulo SM2's prime (section 4.2), on the machine of
 * limbs/ptx/machine.h. Included by papers/limbs/reductions.h. The library multiplies otherwise, and is measured beside
 * these. */
#ifndef PAPERS_LIMBS_APART_H
#define PAPERS_LIMBS_APART_H

LANE_INLINE int reduces_apart(enum reduction reduction) {
    return reduction == REDUCE_APART || (LIMBS == 8 && reduction == REDUCE_SM2_PAIRS);
}

/* c + 2^32 d = a * b. LIMBS^2 products; d[2 LIMBS - 1] = 0. */
LANE_INLINE void limbs_product_apart(limb c[2 * LIMBS], limb d[2 * LIMBS], const limb *a, const limb *b) {
    products_apart(c, a, b[0], LIMBS);
    products_apart(d, a + 1, b[0], LIMBS);
    c[LIMBS] = 0;
    product_rows_apart(c, d, a, b, LIMBS);
}

/* Move what d has above R to c, where the sum fits as long as that of both parts does. */
LANE_INLINE void parts_join_upper(limb c[2 * LIMBS], limb d[2 * LIMBS]) {
    chain_add(c + LIMBS, d + LIMBS - 1, LIMBS);
    LANE_UNROLL for (int i = LIMBS - 1; i < 2 * LIMBS; i++) d[i] = 0;
}

/* x = q (p + 1) / 2^64 for q = q[0] + 2^32 q[1] and SM2's p: (2^192 - 2^160 - 2^32 + 1) q, eight limbs. */
LANE_INLINE void pair_multiple_sm2(limb x[8], const limb q[2]) {
    limb less[8];
    LANE_UNROLL for (int i = 0; i < 8; i++) x[i] = less[i] = 0;
    x[0] = x[6] = less[1] = less[5] = q[0];
    x[1] = x[7] = less[2] = less[6] = q[1];
    chain_sub(x + 1, less + 1, 7);
}

/* (c + 2^32 d) / R mod p for SM2's p = 2^256 - 2^224 - 2^96 + 2^64 - 1, a sum below p R that has no d from R on;
 * `apart`: it has some below. The lowest two limbs are q themselves, since -1 / p = 1 mod 2^64: adding q p clears them
 * without a carry, and q (p + 1) / 2^64 is what is left to be added. 1 or 2 additions, 7 subtractions and 9 additions
 * for each two limbs. */
LANE_INLINE struct limbs montgomery_reduce_sm2_pairs(const struct modulus *m, limb c[2 * LIMBS], const limb *d,
                                                     int apart) {
    struct limbs r;
    limb x[8], over[17];
    LANE_UNROLL for (int i = 0; i < 17; i++) over[i] = 0;
    LANE_UNROLL for (int i = 0; i < 8; i += 2) {
        limb carry = 0;
        if (apart)
            carry = i == 0 ? chain_add(c + 1, d, 1) : chain_add(c + i, d + i - 1, 2);
        pair_multiple_sm2(x, c + i);
        over[i + 10] = apart ? chain_add_from(c + i + 2, x, 8, carry) : chain_add(c + i + 2, x, 8);
    }
    limb carry = chain_add(c + 10, over + 10, 6);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = c[8 + i];
    return modular_reduce_once(m, r, over[16] + carry);
}

/* a * b / R mod m for b < m, a any integer below R. */
LANE_INLINE struct limbs modular_mul_apart(const struct modulus *m, struct limbs a, struct limbs b) {
    limb c[2 * LIMBS], d[2 * LIMBS];
    limbs_product_apart(c, d, a.v, b.v);
    parts_join_upper(c, d);
    return m->reduction == REDUCE_APART ? montgomery_reduce_parts(m, c, d) : montgomery_reduce_sm2_pairs(m, c, d, 1);
}

#endif
