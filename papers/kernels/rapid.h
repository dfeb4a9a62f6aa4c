/* Multiplication of points as RapidEC does it, by what gECC's sections 2.2 and 5 say of it, on this library's lanes: a
 * point in Jacobian coordinates for each row, the non-adjacent form, inversions by Fermat's theorem, and branches on
 * digits. */
#ifndef PAPERS_KERNELS_RAPID_H
#define PAPERS_KERNELS_RAPID_H

#include "papers/kernels/affine.h"

/* Are inversions Fermat's, one for each row, or shared by batches? */
enum inversions { FERMAT_INVERSIONS, BATCH_INVERSIONS };

/* a^(m - 2) = 1 / a for a prime m, 0 for 0: the powers of two of a, and a factor a for each 1 of m - 2. */
LANE_FUNCTION struct limbs modular_fermat(const struct modulus *m, struct limbs a) {
    mask borrow;
    struct limbs two = limbs_zero(), r = limbs_set(&m->one);
    two.v[0] = two.v[0] + 2;
    const struct limbs exponent = limbs_sub(limbs_set(&m->m), two, &borrow);
    LANE_LOOP for (unsigned bit = SCALAR_BITS; bit-- > 0;) {
        r = modular_sqr(m, r);
        if (mask_any(lane32_is_odd(limbs_bits(&exponent, bit, 1))))
            r = modular_mul(m, r, a);
    }
    return r;
}

/* points[i] = (X, Y) becomes affine, given p->z[i]. */
LANE_INLINE void points_normalise(enum inversions inversions, const struct papers *p, limb *points) {
    const struct worker *w = &p->c.worker;
    if (inversions == BATCH_INVERSIONS) {
        batch_normalise(w, points, p->z, p->prefix);
        return;
    }
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        fe inverse = modular_fermat(&CURVE.p, limbs_load(p->z, i));
        affine_store(points, i, affine_from_jacobian(affine_load(points, i), inverse));
    }
}

/* The column s of scalars inverted. */
LANE_INLINE void scalars_invert(enum inversions inversions, const struct papers *p) {
    const struct worker *w = &p->c.worker;
    if (inversions == BATCH_INVERSIONS) {
        batch_scalar_inverse(w, p->c.s, p->prefix);
        return;
    }
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step)
        limbs_store(p->c.s, i, modular_fermat(&CURVE.n, limbs_load(p->c.s, i)));
}

LANE_INLINE void jacobian_keep(const struct papers *p, limb *points, size_t i, const struct jacobian *r) {
    struct affine xy = {r->x, r->y};
    affine_store(points, i, xy);
    limbs_store(p->z, i, r->z);
}

/* m.points = k G for the scalars of p->bits: the sum of those 2^i G whose bits are 1.     128 WORDS / 8 (8M + 3S) */
LANE_INLINE void rapid_multiply_fixed(enum inversions inversions, const struct papers *p, const limb *powers) {
    const struct worker *w = &p->c.worker;
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        struct jacobian r = jacobian_infinity();
        r.x = fe_zero(); /* jacobian_add_affine_vartime */
        LANE_LOOP for (unsigned bit = 0; bit < SCALAR_BITS; bit++) {
            struct affine t = power_load(powers, bit);
            if (bit_at(p, i, bit))
                jacobian_add_affine_vartime(&r, &t);
        }
        jacobian_keep(p, p->c.m.points, i, &r);
    }
    points_normalise(inversions, p, p->c.m.points);
}

/* The non-adjacent form of k: the words of its digits 1, and from WORDS + 1 on those of its digits -1. With h = 3 k
 * they are the bits of h that k has not and of k that h has not, above the lowest. */
LANE_INLINE void naf_store(const struct papers *p, size_t slot, struct limbs k) {
    mask carry, over;
    struct limbs h = limbs_add(k, k, &carry);
    h = limbs_add(h, k, &over);
    lane32 k_words[WORDS], h_words[WORDS], plus[WORDS + 2], minus[WORDS + 2];
    limbs_to_words(k_words, k);
    limbs_to_words(h_words, h);
    LANE_UNROLL for (unsigned i = 0; i < WORDS; i++) {
        plus[i] = h_words[WORDS - 1 - i] & ~k_words[WORDS - 1 - i];
        minus[i] = k_words[WORDS - 1 - i] & ~h_words[WORDS - 1 - i];
    }
    plus[WORDS] = (uint32_t)(mask_any(carry) + mask_any(over)); /* h has two bits more */
    plus[WORDS + 1] = minus[WORDS] = minus[WORDS + 1] = 0;
    LANE_UNROLL for (unsigned i = 0; i <= WORDS; i++) {
        *bits_at(p, slot, i) = plus[i] >> 1 | plus[i + 1] << 31;
        *bits_at(p, slot, WORDS + 1 + i) = minus[i] >> 1 | minus[i + 1] << 31;
    }
}

/* m.points = k P for the forms of p->bits and P of c.points, from the highest digit on.
 * 32 WORDS (4M + 4S + (8M + 3S) / 3), were it not that a warp adds where one of its lanes does */
LANE_INLINE void rapid_multiply_unknown(enum inversions inversions, const struct papers *p) {
    const struct worker *w = &p->c.worker;
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine q = affine_load(p->c.points, i);
        struct jacobian r = jacobian_infinity();
        r.x = fe_zero();
        LANE_LOOP for (unsigned digit = SCALAR_BITS + 1; digit-- > 0;) {
            int plus = bit_at(p, i, digit), minus = bit_at(p, i, 32 * (WORDS + 1) + digit);
            jacobian_double(&r);
            if (plus | minus) {
                struct affine t = affine_negate_if(mask_set(minus), q);
                jacobian_add_affine_vartime(&r, &t);
            }
        }
        jacobian_keep(p, p->c.m.points, i, &r);
    }
    points_normalise(inversions, p, p->c.m.points);
}

#endif
