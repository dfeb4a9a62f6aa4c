/* Columns of points and of inverses for CURVE. */
#ifndef GECC_BATCH_POINTS_H
#define GECC_BATCH_POINTS_H

#include <assert.h>

#include "batch/batch.h"
#include "curve/point.h"

/* depth columns of elements mod p, one after the other, inverted in place. */
LANE_FUNCTION void batch_inverse(const struct worker *w, size_t depth, limb *values, limb *prefix) {
    batch_inverse_modulo(SHARED_INVERSION, w, &CURVE.p, depth, values, prefix);
}

/* A column of scalars inverted in place. */
LANE_FUNCTION void batch_scalar_inverse(const struct worker *w, limb *values, limb *prefix) {
    batch_inverse_modulo(SHARED_INVERSION, w, &CURVE.n, 1, values, prefix);
}

/* Point j of slot i, in a column of `points` affine points a slot: x and y are elements 2 j and 2 j + 1. */
LANE_INLINE struct affine affine_load_part(const limb *column, size_t i, size_t points, size_t j) {
    struct affine r = {limbs_load(column, column_at(i, 2 * points, 2 * j)),
                       limbs_load(column, column_at(i, 2 * points, 2 * j + 1))};
    return r;
}

LANE_INLINE void affine_store_part(limb *column, size_t i, size_t points, size_t j, struct affine a) {
    limbs_store(column, column_at(i, 2 * points, 2 * j), a.x);
    limbs_store(column, column_at(i, 2 * points, 2 * j + 1), a.y);
}

/* Slot i of a column of affine points. */
LANE_INLINE struct affine affine_load(const limb *points, size_t i) { return affine_load_part(points, i, 1, 0); }
LANE_INLINE void affine_store(limb *points, size_t i, struct affine a) { affine_store_part(points, i, 1, 0, a); }

/* Memory for `points` affine points a slot. */
LANE_INLINE limb *affine_columns_take(struct arena *arena, size_t slots, size_t points) {
    return columns_take(arena, slots, 2 * points);
}

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

/* The same for XYZZ points: points[i] = (X, Y), zz[i], zzz[i].     4M + 1S, of which the inversion of ZZZ is not
 * part */
LANE_INLINE void batch_normalise_xyzz(enum inversion inversion, const struct worker *w, limb *points, const limb *zz,
                                      const limb *zzz, limb *prefix) {
    mask exists;
    fe product = batch_multiply_up(w, &CURVE.p, 1, zzz, prefix);
    fe inverse = worker_quotient(inversion, &CURVE.p, limbs_set(&CURVE.p.r_squared), product, &exists);
    if (w->first >= w->count)
        return;
    for (size_t i = worker_last(w);; i -= w->step) {
        struct affine a = affine_load(points, i);
        fe denominator = limbs_load(zzz, i);
        mask zero = fe_is_zero(denominator);
        fe own = fe_select(zero, fe_zero(), fe_mul(inverse, limbs_load(prefix, i)));
        fe z_inverse = fe_mul(limbs_load(zz, i), own);
        inverse = fe_mul(inverse, fe_select(zero, fe_one(), denominator));
        a.x = fe_mul(a.x, fe_sqr(z_inverse));
        a.y = fe_mul(a.y, own);
        affine_store(points, i, a);
        if (i == w->first)
            break;
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
    if (CURVE.a_form != A_IS_0)
        tangent = fe_add(tangent, fe_set(&CURVE.a));
    fe slope = fe_mul(fe_select(same_x, tangent, fe_sub(b->y, a->y)), *inverse);
    r.x = fe_sub(fe_sub(fe_sqr(slope), a->x), b->x);
    r.y = fe_sub(fe_mul(slope, fe_sub(a->x, r.x)), a->y);
    r = affine_select(same_x & ~same_y, affine_infinity(), r);
    r = affine_select(affine_is_infinity(*a), *b, r);
    return affine_select(affine_is_infinity(*b), *a, r);
}

/* a + b for finite points with different x, given 1 / (xb - xa):
 *   s = (yb - ya) / (xb - xa); x = s^2 - xa - xb, y = s (xa - x) - ya.     2M + 1S */
LANE_INLINE struct affine affine_add_distinct(const struct affine *a, const struct affine *b, fe inverse) {
    struct affine r;
    fe slope = fe_mul(fe_sub(b->y, a->y), inverse);
    r.x = fe_sqr_sub_sum(slope, a->x, b->x);
    r.y = fe_mul_sub(slope, fe_sub(a->x, r.x), a->y);
    return r;
}

/* 2 a for a finite a, given 1 / 2 y:
 *   s = (3 x^2 + A) / 2 y, A the curve's coefficient; x3 = s^2 - 2 x, y3 = s (x - x3) - y.     2M + 2S */
LANE_INLINE struct affine affine_double(const struct affine *a, fe inverse) {
    struct affine r;
    fe tangent = fe_triple(fe_sqr(a->x));
    if (CURVE.a_form != A_IS_0)
        tangent = fe_add(tangent, fe_set(&CURVE.a));
    fe slope = fe_mul(tangent, inverse);
    r.x = fe_sqr_sub_double(slope, a->x);
    r.y = fe_mul_sub(slope, fe_sub(a->x, r.x), a->y);
    return r;
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

/* a + b where both are finite and have the same x, for which batch_add_distinct has no formula. */
LANE_FUNCTION struct affine affine_add_same(const struct affine *a, const struct affine *b) {
    fe inverse = fe_inverse(affine_add_denominator(*a, *b));
    return affine_add(a, b, &inverse);
}

/* What an addition of batch_add_distinct divides by: xb - xa, 1 where a or b is infinity, for the points in slots a and
 * b. Where both are finite and have the same x, a becomes the sum and b infinity; that is rare, and shows in the
 * time. */
LANE_INLINE fe distinct_denominator(limb *points, size_t a, size_t b) {
    struct affine p = affine_load(points, a), q = affine_load(points, b);
    fe difference = fe_sub(q.x, p.x);
    mask lone = affine_is_infinity(p) | affine_is_infinity(q);
    mask same = fe_is_zero(difference) & ~lone;
    LANE_DECLASSIFY(same);
    if (mask_any(same)) {
        affine_store(points, a, affine_select(same, affine_add_same(&p, &q), p));
        affine_store(points, b, affine_select(same, affine_infinity(), q));
    }
    return fe_select(lone | same, fe_one(), difference);
}

/* points[k] = points[k] + points[other + k], affine, for my slots i, j < depth and k = j * count + i: 5M + 1S each and
 * one inversion. For points that are not expected to be equal or opposite: where they are, docs/constant-time.md has to
 * say why not. The other points are overwritten; denominators and prefix are scratch of depth columns. */
LANE_STEP void batch_add_distinct(const struct worker *w, size_t depth, limb *points, size_t other, limb *denominators,
                                  limb *prefix) {
    if (w->first >= w->count)
        return;
    fe product = fe_one();
    for (size_t j = 0; j < depth; j++)
        for (size_t i = j * w->count + w->first; i < (j + 1) * w->count; i += w->step) {
            fe denominator = distinct_denominator(points, i, other + i);
            limbs_store(denominators, i, denominator);
            limbs_store(prefix, i, product);
            product = fe_mul(product, denominator);
        }
    fe inverse = fe_inverse(product);
    for (size_t j = depth; j-- > 0;)
        for (size_t i = j * w->count + worker_last(w);; i -= w->step) {
            struct affine p = affine_load(points, i), q = affine_load(points, other + i);
            fe own = fe_mul(inverse, limbs_load(prefix, i));
            inverse = fe_mul(inverse, limbs_load(denominators, i));
            struct affine sum = affine_add_distinct(&p, &q, own);
            sum = affine_select(affine_is_infinity(p), q, sum);
            affine_store(points, i, affine_select(affine_is_infinity(q), p, sum));
            if (i == j * w->count + w->first)
                break;
        }
}

/* Montgomery's trick with additions of public points that seldom are infinity, equal or opposite. One lane.
 *
 * p + q is to come: its divisor, xq - xp, or 1 where that is 0, goes into *product. Returns the product
 * before. */
LANE_INLINE fe affine_divide_later_vartime(fe xp, fe xq, fe *product) {
    fe before = *product, denominator = fe_sub(xq, xp);
    if (mask_any(fe_is_zero(denominator)))
        denominator = fe_one();
    *product = fe_mul(*product, denominator);
    return before;
}

/* p + q where one is infinity or both have the same x, and nothing else. */
LANE_FUNCTION void affine_add_rarely(struct affine *sum, const struct affine *p, const struct affine *q) {
    if (mask_any(affine_is_infinity(*q)))
        *sum = *p;
    else if (mask_any(affine_is_infinity(*p)))
        *sum = *q;
    else
        *sum = affine_add_same(p, q);
}

/* p + q, given the product before it and the inverse of the product with it, which loses its part.     5M + 1S */
LANE_INLINE struct affine affine_add_divided_vartime(struct affine p, struct affine q, fe before, fe *inverse) {
    fe denominator = fe_sub(q.x, p.x), own = fe_mul(*inverse, before);
    struct affine sum;
    mask same = fe_is_zero(denominator);
    if (mask_any(same | affine_is_infinity(p) | affine_is_infinity(q))) {
        struct affine a = p, b = q, rare;
        affine_add_rarely(&rare, &a, &b);
        sum = rare;
        denominator = fe_select(same, fe_one(), denominator);
    } else {
        sum = affine_add_distinct(&p, &q, own);
    }
    *inverse = fe_mul(*inverse, denominator);
    return sum;
}

/* The inverse of a product that is not 0. One inversion serves a GPU's block, and has barriers: all its threads call
 * this equally often. */
LANE_INLINE fe worker_inverse(fe product) {
    mask exists;
    return worker_quotient(SHARED_INVERSION, &CURVE.p, limbs_set(&CURVE.p.r_squared), product, &exists);
}

/* What affine_add divides by for slot i of a and b, whose x differ by this much: 2 y where that is 0, and 1 where both
 * are, as there is nothing to be divided then. y is loaded where x are the same, which is rare but for doublings, and
 * shows. */
LANE_INLINE fe affine_divisor_vartime(fe difference, const limb *a, size_t i) {
    mask same = fe_is_zero(difference);
    if (!mask_any(same))
        return difference;
    fe divisor = fe_select(same, fe_double(affine_load(a, i).y), difference);
    return fe_select(fe_is_zero(divisor), fe_one(), divisor);
}

/* batch_add for public points: 5M + 2S a slot and a share of one inversion. The way up reads x alone and keeps the
 * products before; the way down, which reads the points to add them, makes what they are divided by again. All of a
 * GPU's block call it together. */
LANE_FUNCTION void batch_add_vartime(const struct worker *w, limb *a, const limb *b, limb *prefix) {
    fe product = fe_one();
    for (size_t i = w->first; i < w->count; i += w->step) {
        fe difference = fe_sub(limbs_load(b, column_at(i, 2, 0)), limbs_load(a, column_at(i, 2, 0)));
        limbs_store(prefix, i, product);
        product = fe_mul(product, affine_divisor_vartime(difference, a, i));
    }
    fe inverse = worker_inverse(product);
    if (w->first >= w->count)
        return;
    for (size_t i = worker_last(w);; i -= w->step) {
        struct affine p = affine_load(a, i), q = affine_load(b, i);
        fe own = fe_mul(inverse, limbs_load(prefix, i));
        inverse = fe_mul(inverse, affine_divisor_vartime(fe_sub(q.x, p.x), a, i));
        affine_store(a, i, affine_add(&p, &q, &own));
        if (i == w->first)
            break;
    }
}

static_assert(POINTS_IN_STEP <= 2, "jacobian_double_pair, and points_in_step, which leaves one");

/* Points of slots that are computed in step: some slot and the worker's next. */
struct points {
    struct jacobian v[POINTS_IN_STEP];
};

LANE_INLINE int points_in_step(const struct worker *w, size_t i) { return slots_in_step(w, i, POINTS_IN_STEP); }

LANE_INLINE void points_double(struct points *p, int count) {
    if (count == 1)
        jacobian_double(p->v);
    else
        jacobian_double_pair(p->v);
}

#endif
