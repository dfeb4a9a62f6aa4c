/* Points of CURVE and the group law, one point a lane.
 *
 * Affine (x, y) with (0, 0) for infinity, which is on no curve here: the group's order is odd, so no point has y = 0.
 * Its limbs are zero; a residue that is zero but for a multiple of p does not stand for it. Jacobian (X, Y, Z): x = X /
 * Z^2, y = Y / Z^3, infinity has Z = 0. XYZZ (X, Y, ZZ, ZZZ): x = X / ZZ, y = Y / ZZZ, ZZ^3 = ZZZ^2, infinity has ZZ =
 * ZZZ = 0. Formulas: Explicit-Formulas Database, https://hyperelliptic.org/EFD/g1p/auto-shortw.html, named below. */
#ifndef GECC_CURVE_POINT_H
#define GECC_CURVE_POINT_H

#include "field/field.h"

struct affine {
    fe x, y;
};

struct jacobian {
    fe x, y, z;
};

struct xyzz {
    fe x, y, zz, zzz;
};

LANE_INLINE struct affine affine_infinity(void) {
    struct affine r = {fe_zero(), fe_zero()};
    return r;
}

LANE_INLINE mask affine_is_infinity(struct affine a) { return limbs_is_zero(a.y); }

LANE_INLINE struct affine affine_select(mask m, struct affine a, struct affine b) {
    struct affine r = {fe_select(m, a.x, b.x), fe_select(m, a.y, b.y)};
    return r;
}

/* m ? -a : a. */
LANE_INLINE struct affine affine_negate_if(mask m, struct affine a) {
    a.y = fe_select(m & ~affine_is_infinity(a), fe_neg(a.y), a.y);
    return a;
}

/* G. */
LANE_INLINE struct affine affine_generator(void) {
    struct affine r = {fe_set(&CURVE.gx), fe_set(&CURVE.gy)};
    return r;
}

/* x^3 + a x + b. */
LANE_INLINE fe curve_rhs(fe x) {
    fe t = fe_sqr(x);
    if (CURVE.a_form != A_IS_0)
        t = fe_add(t, fe_set(&CURVE.a));
    return fe_add(fe_mul(t, x), fe_set(&CURVE.b));
}

/* Is a finite point on the curve? */
LANE_INLINE mask affine_on_curve(struct affine a) { return fe_equal(fe_sqr(a.y), curve_rhs(a.x)); }

LANE_INLINE struct jacobian jacobian_infinity(void) {
    struct jacobian r = {fe_one(), fe_one(), fe_zero()};
    return r;
}

LANE_INLINE mask jacobian_is_infinity(const struct jacobian *a) { return fe_is_zero(a->z); }

LANE_INLINE struct jacobian jacobian_select(mask m, struct jacobian a, struct jacobian b) {
    struct jacobian r = {fe_select(m, a.x, b.x), fe_select(m, a.y, b.y), fe_select(m, a.z, b.z)};
    return r;
}

LANE_INLINE struct jacobian jacobian_from_affine(struct affine a) {
    struct jacobian r = {a.x, a.y, fe_select(affine_is_infinity(a), fe_zero(), fe_one())};
    return r;
}

/* (X, Y, Z) = 2 (X, Y, Z), halved from the usual formulas so that Z3 = Y Z:
 *   a = 0:  L = 3/2 X^2, B = Y^2, S = X B;   a = -3:  L = 3/2 (X - Z^2)(X + Z^2), B and S alike (dbl-2001-b);
 *   any a:  L = (3 X^2 + a Z^4) / 2;
 *   X3 = L^2 - 2 S, Y3 = L (S - X3) - B^2, Z3 = Y Z.
 * 3M + 4S (a = 0), 4M + 4S (a = -3), 4M + 6S (any a). Infinity gives infinity; no point has Y = 0.
 * n points, one or two, go in step: while the processor waits for a result of one, it works on the other. */
LANE_INLINE void jacobian_double_each(struct jacobian *p, int n) {
    fe b[2], l[2], s[2];
    LANE_UNROLL for (int k = 0; k < n; k++) b[k] = fe_sqr(p[k].y);
    if (CURVE.a_form == A_IS_0) {
        LANE_UNROLL for (int k = 0; k < n; k++) l[k] = fe_three_halves(fe_sqr(p[k].x));
    } else if (CURVE.a_form == A_IS_ANY) {
        fe azzzz[2];
        LANE_UNROLL for (int k = 0; k < n; k++) azzzz[k] = fe_sqr(fe_sqr(p[k].z));
        LANE_UNROLL for (int k = 0; k < n; k++) azzzz[k] = fe_mul(azzzz[k], fe_set(&CURVE.a));
        LANE_UNROLL for (int k = 0; k < n; k++) l[k] = fe_half(fe_add(fe_triple(fe_sqr(p[k].x)), azzzz[k]));
    } else {
        fe zz[2];
        LANE_UNROLL for (int k = 0; k < n; k++) zz[k] = fe_sqr(p[k].z);
        LANE_UNROLL for (int k = 0; k < n; k++) l[k] =
            fe_mul(fe_add_factor(p[k].x, zz[k]), fe_three_halves(fe_sub(p[k].x, zz[k])));
    }
    LANE_UNROLL for (int k = 0; k < n; k++) s[k] = fe_mul(p[k].x, b[k]);
    LANE_UNROLL for (int k = 0; k < n; k++) p[k].z = fe_mul(p[k].y, p[k].z);
    LANE_UNROLL for (int k = 0; k < n; k++) p[k].x = fe_sqr_sub_double(l[k], s[k]);
    LANE_UNROLL for (int k = 0; k < n; k++) p[k].y = fe_mul_sub_sqr(l[k], fe_sub(s[k], p[k].x), b[k]);
}

LANE_STEP void jacobian_double(struct jacobian *p) { jacobian_double_each(p, 1); }
LANE_STEP void jacobian_double_pair(struct jacobian *p) { jacobian_double_each(p, 2); }

/* The same as a call, where it is not expected. */
LANE_FUNCTION void jacobian_double_rarely(struct jacobian *p) { jacobian_double(p); }

/* p = p + q (madd-2004-hmv): H = X2 Z1^2 - X1, R = Y2 Z1^3 - Y1, V = X1 H^2;
 *   X3 = R^2 - H^3 - 2 V, Y3 = R (V - X3) - Y1 H^3, Z3 = Z1 H.     8M + 3S
 * Right for every p and q. p = -q gives H = 0, so Z3 = 0. p = q takes a branch, which public callers take as it comes
 * and secret callers have proved away (docs/constant-time.md). */
LANE_STEP void jacobian_add_affine(struct jacobian *p, const struct affine *q) {
    fe zz = fe_sqr(p->z);
    fe h = fe_mul_sub(q->x, zz, p->x);
    fe r = fe_mul_sub(q->y, fe_mul(p->z, zz), p->y);
    mask p_infinity = jacobian_is_infinity(p), q_infinity = affine_is_infinity(*q);
    mask same = fe_is_zero(h) & ~p_infinity & ~q_infinity;
    fe hh = fe_sqr(h);
    fe hhh = fe_mul(h, hh);
    fe v = fe_mul(p->x, hh);
    struct jacobian sum;
    sum.x = fe_sqr_sub_sum_double(r, hhh, v);
    sum.y = fe_mul_sub_mul(r, fe_sub(v, sum.x), p->y, hhh);
    sum.z = fe_mul(p->z, h);
    sum = jacobian_select(p_infinity, jacobian_from_affine(*q), sum);
    sum = jacobian_select(q_infinity, *p, sum);
    LANE_DECLASSIFY(same);
    if (mask_any(same)) {
        struct jacobian twice = *p;
        jacobian_double_rarely(&twice);
        sum = jacobian_select(same & fe_is_zero(r), twice, sum);
    }
    *p = sum;
}

/* The same as a call, where what it is right for is not expected. Infinity has X = 0 after it. */
LANE_FUNCTION void jacobian_add_affine_rarely(struct jacobian *p, const struct affine *q) {
    jacobian_add_affine(p, q);
    p->x = fe_select(jacobian_is_infinity(p), fe_zero(), p->x);
}

/* p = p + q for public points, by branches, one lane. Infinity has X = 0, as doubled it still has, so that H = 0 for it
 * too. */
LANE_INLINE void jacobian_add_affine_vartime(struct jacobian *p, const struct affine *q) {
    if (mask_any(affine_is_infinity(*q)))
        return;
    fe zz = fe_sqr(p->z);
    fe h = fe_mul_sub(q->x, zz, p->x);
    fe r = fe_mul_sub(q->y, fe_mul(p->z, zz), p->y);
    if (mask_any(fe_is_zero(h))) {
        struct affine addend = *q;
        struct jacobian sum = *p;
        jacobian_add_affine_rarely(&sum, &addend);
        *p = sum;
        return;
    }
    fe hh = fe_sqr(h);
    fe hhh = fe_mul(h, hh);
    fe v = fe_mul(p->x, hh);
    p->x = fe_sqr_sub_sum_double(r, hhh, v);
    p->y = fe_mul_sub_mul(r, fe_sub(v, p->x), p->y, hhh);
    p->z = fe_mul(p->z, h);
}

LANE_INLINE struct xyzz xyzz_infinity(void) {
    struct xyzz r = {fe_one(), fe_one(), fe_zero(), fe_zero()};
    return r;
}

LANE_INLINE struct xyzz xyzz_select(mask m, struct xyzz a, struct xyzz b) {
    struct xyzz r = {fe_select(m, a.x, b.x), fe_select(m, a.y, b.y), fe_select(m, a.zz, b.zz),
                     fe_select(m, a.zzz, b.zzz)};
    return r;
}

LANE_INLINE struct xyzz xyzz_from_affine(struct affine a) {
    fe z = fe_select(affine_is_infinity(a), fe_zero(), fe_one());
    struct xyzz r = {a.x, a.y, z, z};
    return r;
}

/* r = 2 q (mdbl-2008-s-1): U = 2 Y, V = U^2, W = U V, S = X V, M = 3 X^2 + a;
 *   X3 = M^2 - 2 S, Y3 = M (S - X3) - W Y, ZZ = V, ZZZ = W.     4M + 3S */
LANE_FUNCTION struct xyzz xyzz_double_affine(const struct affine *q) {
    struct xyzz r;
    fe u = fe_double(q->y);
    fe m = fe_triple(fe_sqr(q->x));
    if (CURVE.a_form != A_IS_0)
        m = fe_add(m, fe_set(&CURVE.a));
    r.zz = fe_sqr(u);
    r.zzz = fe_mul(u, r.zz);
    fe s = fe_mul(q->x, r.zz);
    r.x = fe_sqr_sub_double(m, s);
    r.y = fe_mul_sub_mul(m, fe_sub(s, r.x), r.zzz, q->y);
    return r;
}

/* p + q by madd-2008-s, or by mmadd-2008-s where p is affine, so that ZZ1 = ZZZ1 = 1:
 *   H = X2 ZZ1 - X1, R = Y2 ZZZ1 - Y1, Q = X1 H^2;
 *   X3 = R^2 - H^3 - 2 Q, Y3 = R (Q - X3) - Y1 H^3, ZZ3 = ZZ1 H^2, ZZZ3 = ZZZ1 H^3.     8M + 2S, affine 4M + 2S
 * in two parts, since H and R say whether that is the sum: for finite p and q it is but for p = q. */
struct chord {
    fe h, r;
};

LANE_INLINE struct chord xyzz_chord(const struct xyzz *p, const struct affine *q, int p_is_affine) {
    struct chord c;
    c.h = p_is_affine ? fe_sub(q->x, p->x) : fe_mul_sub(q->x, p->zz, p->x);
    c.r = p_is_affine ? fe_sub(q->y, p->y) : fe_mul_sub(q->y, p->zzz, p->y);
    return c;
}

LANE_INLINE struct xyzz xyzz_chord_sum(const struct xyzz *p, const struct chord *c, int p_is_affine) {
    struct xyzz sum;
    fe hh = fe_sqr(c->h);
    fe hhh = fe_mul(c->h, hh);
    fe v = fe_mul(p->x, hh);
    sum.x = fe_sqr_sub_sum_double(c->r, hhh, v);
    sum.y = fe_mul_sub_mul(c->r, fe_sub(v, sum.x), p->y, hhh);
    sum.zz = p_is_affine ? hh : fe_mul(p->zz, hh);
    sum.zzz = p_is_affine ? hhh : fe_mul(p->zzz, hhh);
    return sum;
}

/* p = p + q for finite p and q with p != q. */
LANE_INLINE void xyzz_add_distinct(struct xyzz *p, const struct affine *q, int p_is_affine) {
    struct chord c = xyzz_chord(p, q, p_is_affine);
    VERIFY_LANES(~affine_is_infinity(*q) & ~(fe_is_zero(c.h) & fe_is_zero(c.r)));
    VERIFY_LANES(p_is_affine ? mask_set(1) : ~fe_is_zero(p->zz));
    *p = xyzz_chord_sum(p, &c, p_is_affine);
}

/* p = p + q, right for every p and q, as jacobian_add_affine is. */
LANE_STEP void xyzz_add_affine(struct xyzz *p, const struct affine *q) {
    struct chord c = xyzz_chord(p, q, 0);
    mask p_infinity = fe_is_zero(p->zz), q_infinity = affine_is_infinity(*q);
    mask same = fe_is_zero(c.h) & ~p_infinity & ~q_infinity;
    struct xyzz sum = xyzz_chord_sum(p, &c, 0);
    struct xyzz lone = {q->x, q->y, fe_one(), fe_one()};
    sum = xyzz_select(p_infinity, lone, sum);
    sum = xyzz_select(q_infinity, *p, sum);
    LANE_DECLASSIFY(same);
    if (mask_any(same))
        sum = xyzz_select(same & fe_is_zero(c.r), xyzz_double_affine(q), sum);
    *p = sum;
}

/* The same as a call, where what it is right for is not expected; *infinity: whether p is infinity now. */
LANE_FUNCTION void xyzz_add_affine_rarely(struct xyzz *p, const struct affine *q, mask *infinity) {
    xyzz_add_affine(p, q);
    *infinity = fe_is_zero(p->zz);
}

/* p = p + q for public points that seldom are infinity or equal, by a branch for those. *infinity says whether p is,
 * before and after. One lane. */
LANE_INLINE void xyzz_add_affine_vartime(struct xyzz *p, const struct affine *q, int p_is_affine, mask *infinity) {
    struct chord c = xyzz_chord(p, q, p_is_affine);
    if (mask_any(*infinity | affine_is_infinity(*q) | fe_is_zero(c.h))) {
        struct affine addend = *q;
        struct xyzz sum = *p;
        mask sum_infinity;
        xyzz_add_affine_rarely(&sum, &addend, &sum_infinity);
        *infinity = sum_infinity;
        *p = sum;
    } else {
        *p = xyzz_chord_sum(p, &c, p_is_affine);
    }
}

#endif
