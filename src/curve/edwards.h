/* Points of CURVE in twisted Edwards form, -x^2 + y^2 = 1 + d x^2 y^2, and the group law, one point a lane.
 *
 * Extended (X, Y, Z, T): x = X / Z, y = Y / Z, x y = T / Z, Z not 0; the neutral element is (0, 1).
 * An entry of a table is the second point as an addition takes it: y + x, y - x, 2 d x y, or those times Z, and 2 Z.
 * -1 is a square mod p and d is none, so that the formulas hold for every two points, of small order too: nothing is an
 * exception. Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited" (2008); Explicit-Formulas Database,
 * https://hyperelliptic.org/EFD/g1p/auto-twisted-extended-1.html, named below. */
#ifndef GECC_CURVE_EDWARDS_H
#define GECC_CURVE_EDWARDS_H

#include "field/field.h"

struct edwards {
    fe x, y, z, t;
};

/* Of an affine point; twice_z is not there. */
struct edwards_entry {
    fe plus, minus, twice_dt;
};

struct edwards_projective_entry {
    struct edwards_entry entry;
    fe twice_z;
};

LANE_INLINE struct edwards edwards_neutral(void) {
    struct edwards r = {fe_zero(), fe_one(), fe_one(), fe_zero()};
    return r;
}

LANE_INLINE struct edwards edwards_from_affine(fe x, fe y) {
    struct edwards r = {x, y, fe_one(), fe_mul(x, y)};
    return r;
}

/* X / Z, Y / Z.     3M + 1S */
LANE_INLINE struct edwards edwards_from_projective(fe x, fe y, fe z) {
    struct edwards r = {fe_mul(x, z), fe_mul(y, z), fe_sqr(z), fe_mul(x, y)};
    return r;
}

/* G. */
LANE_INLINE struct edwards edwards_generator(void) { return edwards_from_affine(fe_set(&CURVE.gx), fe_set(&CURVE.gy)); }

LANE_INLINE struct edwards edwards_select(mask m, struct edwards a, struct edwards b) {
    struct edwards r = {fe_select(m, a.x, b.x), fe_select(m, a.y, b.y), fe_select(m, a.z, b.z), fe_select(m, a.t, b.t)};
    return r;
}

LANE_INLINE struct edwards edwards_negate(struct edwards a) {
    a.x = fe_neg(a.x);
    a.t = fe_neg(a.t);
    return a;
}

/* Is it (0, 1)? */
LANE_INLINE mask edwards_is_neutral(const struct edwards *a) { return fe_is_zero(a->x) & fe_equal(a->y, a->z); }

/* Is (x, y) on the curve? */
LANE_INLINE mask edwards_contains(fe x, fe y) {
    fe xx = fe_sqr(x), yy = fe_sqr(y);
    return fe_equal(fe_sub(yy, xx), fe_add(fe_one(), fe_mul(fe_mul(xx, yy), fe_set(&CURVE.d))));
}

/* Is (X, Y, Z) on the curve, Z not 0: (Y^2 - X^2) Z^2 = Z^4 + d X^2 Y^2, and does T go with it: T Z = X Y? */
LANE_INLINE mask edwards_is_sound(const struct edwards *a) {
    fe xx = fe_sqr(a->x), yy = fe_sqr(a->y), zz = fe_sqr(a->z);
    fe right = fe_add(fe_sqr(zz), fe_mul(fe_mul(xx, yy), fe_set(&CURVE.d)));
    return fe_equal(fe_mul(fe_sub(yy, xx), zz), right) & fe_equal(fe_mul(a->t, a->z), fe_mul(a->x, a->y)) &
           ~fe_is_zero(a->z);
}

/* (X, Y, Z, T) = 2 (X, Y, Z) (dbl-2008-hwcd):
 *   A = X^2, B = Y^2, C = 2 Z^2, H = A + B, E = H - (X + Y)^2, G = A - B, F = C + G;
 *   X3 = E F, Y3 = G H, T3 = E H, Z3 = F G.     4M + 4S, without T3 3M + 4S
 * T is not read. */
LANE_INLINE void edwards_double_to(struct edwards *p, int with_t) {
    fe a = fe_sqr(p->x), b = fe_sqr(p->y), c = fe_double(fe_sqr(p->z));
    fe h = fe_add(a, b), g = fe_sub(a, b);
    fe e = fe_sub(h, fe_sqr(fe_add_factor(p->x, p->y))), f = fe_add(c, g);
    p->x = fe_mul(e, f);
    p->y = fe_mul(g, h);
    p->z = fe_mul(f, g);
    if (with_t)
        p->t = fe_mul(e, h);
}

LANE_STEP void edwards_double(struct edwards *p) { edwards_double_to(p, 1); }

/* p = 2^n p. T is there afterwards, if n > 0. */
LANE_STEP void edwards_double_times(struct edwards *p, unsigned n) {
    LANE_LOOP for (; n > 0; n--) edwards_double_to(p, n == 1);
}

/* p = p + q (madd-2008-hwcd-3 and add-2008-hwcd-3, both for a = -1), given D = 2 Z1 Z2:
 *   A = (Y1 - X1) (Y2 - X2), B = (Y1 + X1) (Y2 + X2), C = 2 d T1 T2, E = B - A, F = D - C, G = D + C, H = B + A;
 *   X3 = E F, Y3 = G H, T3 = E H, Z3 = F G.     7M, without T3 6M */
LANE_INLINE void edwards_add_to(struct edwards *p, const struct edwards_entry *q, fe d, int with_t) {
    fe a = fe_mul(fe_sub(p->y, p->x), q->minus), b = fe_mul(fe_add(p->y, p->x), q->plus);
    fe c = fe_mul(p->t, q->twice_dt);
    fe e = fe_sub(b, a), f = fe_sub(d, c), g = fe_add(d, c), h = fe_add(b, a);
    p->x = fe_mul(e, f);
    p->y = fe_mul(g, h);
    p->z = fe_mul(f, g);
    if (with_t)
        p->t = fe_mul(e, h);
}

/* p = p + q, q affine, with T or without.     7M or 6M */
LANE_STEP void edwards_add_entry_to(struct edwards *p, const struct edwards_entry *q, int with_t) {
    edwards_add_to(p, q, fe_double(p->z), with_t);
}

LANE_INLINE void edwards_add_entry(struct edwards *p, const struct edwards_entry *q) { edwards_add_entry_to(p, q, 1); }

/* p = p + q, with T or without.     8M or 7M */
LANE_STEP void edwards_add_projective_to(struct edwards *p, const struct edwards_projective_entry *q, int with_t) {
    edwards_add_to(p, &q->entry, fe_mul(p->z, q->twice_z), with_t);
}

LANE_INLINE void edwards_add(struct edwards *p, const struct edwards_projective_entry *q) {
    edwards_add_projective_to(p, q, 1);
}

/* The entry of an affine point.     2M */
LANE_INLINE struct edwards_entry edwards_entry_of(fe x, fe y) {
    struct edwards_entry r = {fe_add(y, x), fe_sub(y, x), fe_mul(fe_mul(x, y), fe_set(&CURVE.twice_d))};
    return r;
}

/* An affine point from its entry: with a = y + x and b = y - x, X = 2 (a - b), Y = 2 (a + b), Z = 4, T = (a - b) (a +
 * b). 1M */
LANE_INLINE struct edwards edwards_from_entry(const struct edwards_entry *e) {
    fe x = fe_sub(e->plus, e->minus), y = fe_add(e->plus, e->minus);
    struct edwards r = {fe_double(x), fe_double(y), fe_double(fe_double(fe_one())), fe_mul(x, y)};
    return r;
}

/* The entry of any point.     1M */
LANE_INLINE struct edwards_projective_entry edwards_projective_entry_of(const struct edwards *a) {
    struct edwards_projective_entry r = {{fe_add(a->y, a->x), fe_sub(a->y, a->x), fe_mul(a->t, fe_set(&CURVE.twice_d))},
                                         fe_double(a->z)};
    return r;
}

/* That of the neutral element. */
LANE_INLINE struct edwards_entry edwards_entry_neutral(void) {
    struct edwards_entry r = {fe_one(), fe_one(), fe_zero()};
    return r;
}

LANE_INLINE struct edwards_entry edwards_entry_select(mask m, struct edwards_entry a, struct edwards_entry b) {
    struct edwards_entry r = {fe_select(m, a.plus, b.plus), fe_select(m, a.minus, b.minus),
                              fe_select(m, a.twice_dt, b.twice_dt)};
    return r;
}

/* m ? -a : a. */
LANE_INLINE struct edwards_entry edwards_entry_negate_if(mask m, struct edwards_entry a) {
    struct edwards_entry negative = {a.minus, a.plus, fe_neg(a.twice_dt)};
    return edwards_entry_select(m, negative, a);
}

/* a (A + 2) / 4, A of the Montgomery curve, which is 121,666 on Curve25519. */
LANE_INLINE fe fe_mul_ladder(fe a) {
    if (CURVE.p.reduction == REDUCE_P25519)
        return modular_mul_small(&CURVE.p, a, CURVE.ladder.v[0]);
    return fe_mul(a, fe_set(&CURVE.ladder));
}

/* a^((p - 5) / 8). */
LANE_INLINE void fe_root_powers(fe *a, int n) { modular_powers(&CURVE.p, a, n, &CURVE.sqrt); }

/* x[k] with v[k] x[k]^2 = u[k] for k < n, as many as go in step at most; exists[k]: whether there is one (RFC 8032,
 * 5.1.3). For w = u v^3 (u v^7)^((p - 5) / 8), v w^2 is u, or -u, for which w is multiplied by a square root of -1, or
 * there is none. v = 0 has one for u = 0 alone, which is 0. */
LANE_INLINE void fe_sqrt_ratios(fe *x, const fe *u, const fe *v, mask *exists, int n) {
    fe uvvv[POWERS_IN_STEP];
    LANE_UNROLL for (int k = 0; k < n; k++) {
        uvvv[k] = fe_mul(u[k], fe_mul(v[k], fe_sqr(v[k])));
        x[k] = fe_mul(uvvv[k], fe_sqr(fe_sqr(v[k])));
    }
    fe_root_powers(x, n);
    LANE_UNROLL for (int k = 0; k < n; k++) {
        fe w = fe_mul(uvvv[k], x[k]);
        fe square = fe_mul(v[k], fe_sqr(w));
        mask right = fe_equal(square, u[k]), opposite = fe_is_zero(fe_add(square, u[k]));
        exists[k] = right | opposite;
        x[k] = fe_select(right, w, fe_mul(w, fe_set(&CURVE.sqrt_minus_one)));
    }
}

/* One of them. */
LANE_FUNCTION fe fe_sqrt_ratio(fe u, fe v, mask *exists) {
    fe x;
    fe_sqrt_ratios(&x, &u, &v, exists, 1);
    return x;
}

/* x[k] of the point with this y[k] whose parity is odd[k], 0 for y = 1 and -1, for k < n, as many as go in step at
 * most; exists[k]: whether there is one.
 *   x^2 = (y^2 - 1) / (d y^2 + 1), whose denominator is never 0 */
LANE_INLINE void edwards_lift_each(fe *x, const fe *y, const mask *odd, mask *exists, int n) {
    fe u[POWERS_IN_STEP], v[POWERS_IN_STEP];
    LANE_UNROLL for (int k = 0; k < n; k++) {
        fe yy = fe_sqr(y[k]);
        u[k] = fe_sub(yy, fe_one());
        v[k] = fe_add(fe_mul(yy, fe_set(&CURVE.d)), fe_one());
    }
    fe_sqrt_ratios(x, u, v, exists, n);
    LANE_UNROLL for (int k = 0; k < n; k++) {
        mask flip = limbs_is_odd(fe_decode(x[k])) ^ odd[k];
        x[k] = fe_select(flip, fe_neg(x[k]), x[k]);
    }
}

/* One of them, and as many as go in step. */
LANE_FUNCTION fe edwards_lift_y(fe y, mask odd, mask *exists) {
    fe x;
    edwards_lift_each(&x, &y, &odd, exists, 1);
    return x;
}
LANE_FUNCTION void edwards_lift_in_step(fe *x, const fe *y, const mask *odd, mask *exists) {
    edwards_lift_each(x, y, odd, exists, POWERS_IN_STEP);
}

#endif
