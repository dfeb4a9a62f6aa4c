/* Products, squares and Montgomery's reduction in two passes over halves of limbs: Emmart et al. 2016, section IV
 * (papers/results.md), on the machine of limbs/ptx/machine.h. Included by papers/limbs/reductions.h. The GPUs of that
 * paper multiply 16 by 16 bits; those of today take more instructions so. The library multiplies otherwise, and is
 * measured beside these. */
#ifndef PAPERS_LIMBS_TWO_PASS_H
#define PAPERS_LIMBS_TWO_PASS_H

#include "papers/limbs/flag.h"

/* a b + c, which must fit, for a, b < 2^16. */
LANE_INLINE limb half_product(limb a, limb b, limb c) { return a * b + c; }

LANE_INLINE void halves_apart(limb low[LIMBS], limb high[LIMBS], const limb *a) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        low[i] = a[i] & 0xffff;
        high[i] = a[i] >> 16;
    }
}

/* t[0 .. n - 1] += a[j] b + (c if j = 0), for halves a[j] and b, c < 2^16. The carry is in the flag. */
LANE_INLINE void row_add_halves(limb *flag, limb *t, const limb *a, limb b, limb c, int n) {
    LANE_UNROLL for (int j = 0; j < n; j++) t[j] = flag_add(flag, j == 0, t[j], half_product(a[j], b, j ? 0 : c));
}

/* t 2^16, which must fit. */
LANE_INLINE void two_pass_shift(limb t[2 * LIMBS]) {
    LANE_UNROLL for (int i = 2 * LIMBS - 1; i > 0; i--) t[i] = t[i] << 16 | t[i - 1] >> 16;
    t[0] <<= 16;
}

/* t += 2^(32 LIMBS) over. */
LANE_INLINE void two_pass_carry(limb t[2 * LIMBS], const limb over[LIMBS + 1]) {
    limb flag = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) t[LIMBS + i] = flag_add(&flag, i == 0, t[LIMBS + i], over[i]);
    t[2 * LIMBS - 1] = flag_end(&flag, t[2 * LIMBS - 1] + over[LIMBS - 1]);
}

/* t = a * b, by figure 6: the products of a lower with an upper half, shifted by a half; then the others. The carries
 * of rows of the second pass are added at its end. 4 LIMBS^2 half products. */
LANE_INLINE void two_pass_product(limb t[2 * LIMBS], const limb *a, const limb *b) {
    limb low[LIMBS], high[LIMBS], over[LIMBS + 1], flag = 0;
    halves_apart(low, high, a);
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = 0;
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) over[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        row_add_halves(&flag, t + i, high, b[i] & 0xffff, 0, LIMBS);
        t[i + LIMBS] = flag_end(&flag, 0);
        row_add_halves(&flag, t + i, low, b[i] >> 16, 0, LIMBS);
        t[i + LIMBS] = flag_end(&flag, t[i + LIMBS]);
    }
    two_pass_shift(t);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        row_add_halves(&flag, t + i, low, b[i] & 0xffff, 0, LIMBS);
        over[i] = flag_end(&flag, over[i]);
        row_add_halves(&flag, t + i + 1, high, b[i] >> 16, 0, LIMBS);
        over[i + 1] = flag_end(&flag, over[i + 1]);
    }
    two_pass_carry(t, over);
}

/* t = a^2, which the paper leaves to its reader: the products of a lower with an upper half, shifted by a half; those
 * of two different limbs' lower or upper halves; all of that doubled; then the squares. 2 LIMBS^2 + LIMBS half
 * products. */
LANE_INLINE void two_pass_square(limb t[2 * LIMBS], const limb *a) {
    limb low[LIMBS], high[LIMBS], over[LIMBS + 1], flag = 0;
    halves_apart(low, high, a);
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = 0;
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) over[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        row_add_halves(&flag, t + i, high, low[i], 0, LIMBS);
        t[i + LIMBS] = flag_end(&flag, 0);
    }
    two_pass_shift(t);
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) {
        row_add_halves(&flag, t + 2 * i + 1, low + i + 1, low[i], 0, LIMBS - 1 - i);
        over[i] = flag_end(&flag, over[i]);
        row_add_halves(&flag, t + 2 * i + 2, high + i + 1, high[i], 0, LIMBS - 1 - i);
        over[i + 1] = flag_end(&flag, over[i + 1]);
    }
    two_pass_carry(t, over);
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t[i] = flag_add(&flag, i == 0, t[i], t[i]);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        t[2 * i] = flag_add(&flag, i == 0, t[2 * i], half_product(low[i], low[i], 0));
        t[2 * i + 1] = flag_add(&flag, 0, t[2 * i + 1], half_product(high[i], high[i], 0));
    }
}

/* t / R mod m, t < m R, by figure 7: quotients of 16 bits in turn for t, whose terms are aligned, and for u, whose
 * terms have 2^16 more weight. A row takes the upper half of the limb that the row before has made a multiple of 2^16.
 * u needs a limb more than m before each shift, which the paper does not say. */
LANE_INLINE struct limbs two_pass_reduce(const struct modulus *m, limb t[2 * LIMBS]) {
    limb low[LIMBS], high[LIMBS], u[2 * LIMBS], over[LIMBS + 1], flag = 0, q;
    struct limbs r;
    halves_apart(low, high, m->m.v);
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) u[i] = 0;
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) over[i] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        q = t[i] * m->negative_inverse & 0xffff;
        row_add_halves(&flag, t + i, low, q, 0, LIMBS);
        over[i] = flag_end(&flag, over[i]);
        row_add_halves(&flag, u + i, high, q, t[i] >> 16, LIMBS);
        u[i + LIMBS] = flag_end(&flag, 0);
        q = u[i] * m->negative_inverse & 0xffff;
        row_add_halves(&flag, u + i, low, q, 0, LIMBS);
        u[i + LIMBS] = flag_end(&flag, u[i + LIMBS]);
        row_add_halves(&flag, t + i + 1, high, q, u[i] >> 16, LIMBS);
        over[i + 1] = flag_end(&flag, over[i + 1]);
    }
    /* r = t + over + 2^16 u, from R on */
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = flag_add(&flag, i == 0, t[LIMBS + i], over[i]);
    limb top = flag_end(&flag, over[LIMBS]);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] =
        flag_add(&flag, i == 0, r.v[i], u[LIMBS + i] << 16 | (i ? u[LIMBS + i - 1] >> 16 : 0));
    top = flag_end(&flag, top + (u[2 * LIMBS - 1] >> 16));
    return modular_reduce_once(m, r, top);
}

#endif
