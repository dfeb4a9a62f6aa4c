/* Columns of points and of inverses for CURVE. */
#ifndef GECC_BATCH_POINTS_H
#define GECC_BATCH_POINTS_H

#include "batch/batch.h"
#include "curve/point.h"

/* depth columns of elements mod p, one after the other, inverted in place. */
LANE_FUNCTION void batch_inverse(const struct worker *w, size_t depth, limb *values, limb *prefix) {
    batch_inverse_modulo(w, &CURVE.p, depth, values, prefix);
}

/* A column of scalars inverted in place. */
LANE_FUNCTION void batch_scalar_inverse(const struct worker *w, limb *values, limb *prefix) {
    batch_inverse_modulo(w, &CURVE.n, 1, values, prefix);
}

/* Slot i of a column of affine points: x in slot 2 i, y in slot 2 i + 1. */
LANE_INLINE struct affine affine_load(const limb *points, size_t i) {
    struct affine r = {limbs_load(points, 2 * i), limbs_load(points, 2 * i + 1)};
    return r;
}

LANE_INLINE void affine_store(limb *points, size_t i, struct affine a) {
    limbs_store(points, 2 * i, a.x);
    limbs_store(points, 2 * i + 1, a.y);
}

LANE_INLINE limb *affine_column_take(struct arena *arena, size_t slots) { return column_take(arena, 2 * slots); }

/* (x, y) = (X / Z^2, Y / Z^3) given 1 / Z, or 0 where Z = 0, which makes infinity.     3M + 1S */
LANE_INLINE struct affine affine_from_jacobian(struct affine xy, fe z_inverse) {
    fe zz = fe_sqr(z_inverse);
    struct affine r = {fe_mul(xy.x, zz), fe_mul(xy.y, fe_mul(zz, z_inverse))};
    return r;
}

/* points[i] = (X, Y) becomes affine, given z[i]; z and prefix are overwritten. */
LANE_FUNCTION void batch_normalise(const struct worker *w, limb *points, limb *z, limb *prefix) {
    batch_inverse(w, 1, z, prefix);
    for (size_t i = w->first; i < w->count; i += w->step)
        affine_store(points, i, affine_from_jacobian(affine_load(points, i), limbs_load(z, i)));
}

/* The same for XYZZ points: points[i] = (X, Y), zz[i], zzz[i].     4M + 1S, of which the inversion of ZZZ is not part */
LANE_FUNCTION void batch_normalise_xyzz(const struct worker *w, limb *points, const limb *zz, limb *zzz, limb *prefix) {
    batch_inverse(w, 1, zzz, prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine a = affine_load(points, i);
        fe inverse = limbs_load(zzz, i);
        fe z_inverse = fe_mul(limbs_load(zz, i), inverse);
        a.x = fe_mul(a.x, fe_sqr(z_inverse));
        a.y = fe_mul(a.y, inverse);
        affine_store(points, i, a);
    }
}

/* What affine_add divides by: xb - xa, or 2 ya where that is 0. Zero where a + b is infinity or a or b is. */
LANE_INLINE fe affine_add_denominator(struct affine a, struct affine b) {
    fe difference = fe_sub(b.x, a.x);
    return fe_select(fe_is_zero(difference), fe_double(a.y), difference);
}

/* a + b for any points, infinity included, by selection alone, given the denominator's inverse:
 *   s = (yb - ya) / (xb - xa), or where b = a  s = (3 xa^2 + A) / 2 ya, A the curve's coefficient;
 *   x = s^2 - xa - xb, y = s (xa - x) - ya.     2M + 2S */
LANE_FUNCTION struct affine affine_add(const struct affine *a, const struct affine *b, const fe *inverse) {
    struct affine r;
    mask same_x = fe_equal(a->x, b->x), same_y = fe_equal(a->y, b->y);
    fe tangent = fe_triple(fe_sqr(a->x));
    if (!CURVE.a_is_zero)
        tangent = fe_add(tangent, fe_set(&CURVE.a));
    fe slope = fe_mul(fe_select(same_x, tangent, fe_sub(b->y, a->y)), *inverse);
    r.x = fe_sub(fe_sub(fe_sqr(slope), a->x), b->x);
    r.y = fe_sub(fe_mul(slope, fe_sub(a->x, r.x)), a->y);
    r = affine_select(same_x & ~same_y, affine_infinity(), r);
    r = affine_select(affine_is_infinity(*a), *b, r);
    return affine_select(affine_is_infinity(*b), *a, r);
}

/* a[i] = a[i] + b[i], affine, for any points: 5M + 2S a slot and a share of one inversion. denominators and prefix are
 * scratch. */
LANE_FUNCTION void batch_add(const struct worker *w, limb *a, const limb *b, limb *denominators, limb *prefix) {
    for (size_t i = w->first; i < w->count; i += w->step)
        limbs_store(denominators, i, affine_add_denominator(affine_load(a, i), affine_load(b, i)));
    batch_inverse(w, 1, denominators, prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine p = affine_load(a, i), q = affine_load(b, i);
        fe inverse = limbs_load(denominators, i);
        affine_store(a, i, affine_add(&p, &q, &inverse));
    }
}

#endif
