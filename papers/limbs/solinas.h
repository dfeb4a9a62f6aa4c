/* What Zheng et al. 2014, section 4.1, measure beside products by rows of halves: the schoolbook product, and the
 * reduction of Solinas modulo SM2's prime in plain representation (papers/results.md), on the machine of
 * limbs/ptx/machine.h. Included by papers/limbs/reductions.h. */
#ifndef PAPERS_LIMBS_SOLINAS_H
#define PAPERS_LIMBS_SOLINAS_H

/* t[0 .. n] = t[0 .. n - 1] + a b, each product with an addition of its own. */
LANE_INLINE void schoolbook_row(limb *t, const limb *a, limb b, int n) {
    uint64_t carry = 0;
    LANE_UNROLL for (int j = 0; j < n; j++) {
        carry += (uint64_t)a[j] * b + t[j];
        t[j] = (limb)carry;
        carry >>= 32;
    }
    t[n] = (limb)carry;
}

/* t = a * b. */
LANE_INLINE void schoolbook_product(limb t[2 * LIMBS], const limb *a, const limb *b) {
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) schoolbook_row(t + i, a, b[i], LIMBS);
}

/* t = a^2: the triangle above the diagonal, doubled, and the diagonal. */
LANE_INLINE void schoolbook_square(limb t[2 * LIMBS], const limb *a) {
    uint64_t carry = 0;
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) schoolbook_row(t + 2 * i + 1, a + i + 1, a[i], LIMBS - 1 - i);
    LANE_UNROLL for (int i = 2 * LIMBS - 1; i > 0; i--) t[i] = t[i] << 1 | t[i - 1] >> 31;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        uint64_t square = (uint64_t)a[i] * a[i];
        carry += (uint64_t)t[2 * i] + (limb)square;
        t[2 * i] = (limb)carry;
        carry = (carry >> 32) + t[2 * i + 1] + (square >> 32);
        t[2 * i + 1] = (limb)carry;
        carry >>= 32;
    }
}

/* r += a 2^(32 (8 - n)), a of n limbs, r of 9. */
LANE_INLINE void solinas_add(limb r[9], const limb *a, int n) { r[8] = r[8] + chain_add(r + 8 - n, a, n); }

/* t mod p for any t < 2^512 and SM2's p = 2^256 - 2^224 - 2^96 + 2^64 - 1. Since 2^256 = 2^224 + 2^96 - 2^64 + 1 mod p,
 * each of t[8 .. 15] is added to some limbs of the lower half; rows of eight have one addend for each of them, and what
 * is subtracted is at 2^64 alone. 4 p more keep the sum above 0; it is below 18 * 2^256. */
LANE_INLINE struct limbs solinas_reduce_sm2(const struct modulus *m, const limb t[16]) {
    const limb rows[11][8] = {
        {t[8], t[9], 0, t[8], t[9], t[10], t[11], t[8]},
        {t[9], t[10], 0, t[11], t[12], t[13], t[14], t[9]},
        {t[10], t[11], 0, t[12], t[13], t[14], t[15], t[10]},
        {t[11], t[12], 0, t[13], t[14], t[15], 0, t[11]},
        {t[12], t[13], 0, t[13], t[14], t[15], 0, t[12]},
        {t[13], t[14], 0, t[14], t[15], 0, 0, t[12]},
        {t[13], t[14], 0, t[15], 0, 0, 0, t[13]},
        {t[14], t[15], 0, 0, 0, 0, 0, t[13]},
        {t[14], t[15], 0, 0, 0, 0, 0, t[14]},
        {t[15], 0, 0, 0, 0, 0, 0, t[14]},
        {t[15], 0, 0, 0, 0, 0, 0, t[15]},
    };
    const uint64_t less = (uint64_t)t[8] + t[9] + t[13] + t[14];
    limb r[9], four[9], subtrahend[6] = {(limb)less, (limb)(less >> 32), 0, 0, 0, 0}, top[2] = {t[15], t[15]};
    struct limbs x;
    LANE_UNROLL for (int i = 0; i < 8; i++) {
        r[i] = t[i];
        four[i] = m->m.v[i] << 2 | (i ? m->m.v[i - 1] >> 30 : 0);
    }
    r[8] = m->m.v[7] >> 30;
    solinas_add(r, four, 8);
    LANE_UNROLL for (int i = 0; i < 11; i++) solinas_add(r, rows[i], 8);
    solinas_add(r, top, 1);
    solinas_add(r, top + 1, 1);
    r[8] = r[8] + chain_sub(r + 2, subtrahend, 6); /* all ones is -1 */
    /* What is above 2^256, once more: r[8] (2^224 + 2^96 - 2^64 + 1), which is so small that with a carry little is
     * left. */
    const uint64_t middle = (uint64_t)r[8] * 0xffffffff;
    limb folded[8] = {r[8], 0, (limb)middle, (limb)(middle >> 32), 0, 0, 0, r[8]};
    limb carry = chain_add(r, folded, 8);
    LANE_UNROLL for (int i = 0; i < 8; i++) x.v[i] = r[i];
    return modular_reduce_once(m, x, carry);
}

#endif
