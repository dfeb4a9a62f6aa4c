/* Products, squares and Montgomery's reduction by rows of lower and of upper halves: Zheng et al. 2014, section 3
 * (products and squares), and the row oriented approach of Emmart et al. 2016, section II (papers/results.md), on the
 * machine of limbs/ptx/machine.h. Included by papers/limbs/reductions.h. The library multiplies otherwise, and is
 * measured beside these. */
#ifndef PAPERS_LIMBS_ROWS_H
#define PAPERS_LIMBS_ROWS_H

#include "papers/limbs/flag.h"

LANE_INLINE int reduces_by_rows(enum reduction reduction) {
    return reduction == REDUCE_ROWS || (LIMBS == 8 && reduction == REDUCE_ROWS_SM2);
}

/* c = a * b for a of m limbs and b of n, m >= n, by algorithm 1: 2 m n half products; c has m + n limbs. A row of upper
 * halves has no carry, since what is above it is at most 1 before, and such a half at most 2^32 - 2. */
LANE_INLINE void rows_product_of(limb *c, const limb *a, int m, const limb *b, int n) {
    limb flag = 0;
    LANE_UNROLL for (int i = 0; i < m + n; i++) c[i] = 0;
    LANE_UNROLL for (int i = 0; i < n; i++) {
        row_add_low(&flag, c + i, a, b[i], m);
        if (i > 0)
            c[i + m] = flag_end(&flag, 0);
        row_add_high(&flag, c + i + 1, a, b[i], m);
    }
}

LANE_INLINE void rows_product(limb c[2 * LIMBS], const limb *a, const limb *b) {
    rows_product_of(c, a, LIMBS, b, LIMBS);
}

/* c += a[k] b[k] at 2 k for k < n: both halves, in one chain. */
LANE_INLINE void rows_staircase(limb *flag, int first, limb *c, const limb *a, const limb *b, int n) {
    LANE_UNROLL for (int k = 0; k < n; k++) {
        c[2 * k] = flag_mad_low(flag, first && k == 0, a[k], b[k], c[2 * k]);
        c[2 * k + 1] = flag_mad_high(flag, 0, a[k], b[k], c[2 * k + 1]);
    }
}

/* c = a^2, by algorithm 2 for an even number of limbs: the triangle above the diagonal, made flat so that every row
 * ends with an upper half and has no carry; doubled; then the diagonal. LIMBS^2 + LIMBS half products. */
LANE_INLINE void rows_square(limb c[2 * LIMBS], const limb *a) {
    enum { HALF = LIMBS / 2 };
    limb flag = 0;
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) c[i] = 0;
    LANE_UNROLL for (int i = 0; i < HALF - 1; i++) {
        row_add_low(&flag, c + 2 * i + 1, a + i + 1, a[i], LIMBS - 2 * i - 2);
        rows_staircase(&flag, 0, c + LIMBS - 1, a + LIMBS - 1 - i, a + i, i + 1);
        row_add_high(&flag, c + 2 * i + 2, a + i + 1, a[i], LIMBS - 2 * i - 2);
        rows_staircase(&flag, 0, c + LIMBS, a + LIMBS - 1 - i, a + i + 1, i + 1);
    }
    rows_staircase(&flag, 1, c + LIMBS - 1, a + HALF, a + HALF - 1, HALF);
    LANE_UNROLL for (int i = 1; i < 2 * LIMBS - 1; i++) c[i] = flag_add(&flag, i == 1, c[i], c[i]);
    c[2 * LIMBS - 1] = flag_end(&flag, 0);
    rows_staircase(&flag, 1, c, a, a, LIMBS);
}

/* t / R mod m, t < m R. A row of each half for every limb of the quotient; what they carry past the limbs that later
 * quotients depend on is added at the end. */
LANE_INLINE struct limbs rows_reduce(const struct modulus *m, limb t[2 * LIMBS]) {
    limb flag = 0, over[2 * LIMBS + 2];
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS + 2; i++) over[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        limb q = t[i] * m->negative_inverse;
        row_add_low(&flag, t + i, m->m.v, q, LIMBS);
        over[i + LIMBS] = flag_end(&flag, over[i + LIMBS]);
        row_add_high(&flag, t + i + 1, m->m.v, q, LIMBS);
        over[i + LIMBS + 1] = flag_end(&flag, over[i + LIMBS + 1]);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = flag_add(&flag, i == 0, t[LIMBS + i], over[LIMBS + i]);
    return modular_reduce_once(m, r, flag_end(&flag, over[2 * LIMBS]));
}

#endif
