/* Every pair of points of small groups through every formula, in random representations. */
#ifndef TESTS_CURVE_FORMULA_CASES_H
#define TESTS_CURVE_FORMULA_CASES_H

#include "small_group.h"

#include "batch/codec.h"

enum { REPRESENTATIONS = 16 };

/* 1, -1, then random elements, none of them 0. */
static void draw_representations(fe z[REPRESENTATIONS], struct prng *prng) {
    z[0] = fe_one();
    z[1] = fe_neg(fe_one());
    for (int i = 2; i < REPRESENTATIONS; i++)
        do
            z[i] = fe_encode(limbs_random(prng));
        while (mask_any(fe_is_zero(z[i])));
}

/* A Jacobian representation of element j; infinity with any X and Y. */
static struct jacobian jacobian_element(const struct group *g, unsigned j, fe z) {
    struct affine a = g->element[j];
    fe zz = fe_sqr(z);
    if (j == 0) {
        struct jacobian infinity = {zz, z, fe_zero()};
        return infinity;
    }
    struct jacobian r = {fe_mul(a.x, zz), fe_mul(a.y, fe_mul(zz, z)), z};
    return r;
}

static struct xyzz xyzz_element(const struct group *g, unsigned j, fe z) {
    struct affine a = g->element[j];
    fe zz = fe_sqr(z), zzz = fe_mul(zz, z);
    if (j == 0) {
        struct xyzz infinity = {zzz, zz, fe_zero(), fe_zero()};
        return infinity;
    }
    struct xyzz r = {fe_mul(a.x, zz), fe_mul(a.y, zzz), zz, zzz};
    return r;
}

static int jacobian_is_element(const struct group *g, const struct jacobian *p, unsigned j) {
    struct affine a = g->element[j];
    fe zz = fe_sqr(p->z);
    if (j == 0 || mask_any(jacobian_is_infinity(p)))
        return j == 0 && mask_any(jacobian_is_infinity(p));
    return mask_any(fe_equal(p->x, fe_mul(a.x, zz)) & fe_equal(p->y, fe_mul(a.y, fe_mul(zz, p->z))));
}

static int xyzz_is_element(const struct group *g, const struct xyzz *p, unsigned j) {
    struct affine a = g->element[j];
    mask infinity = fe_is_zero(p->zz);
    if (infinity != fe_is_zero(p->zzz))
        return 0;
    if (j == 0 || mask_any(infinity))
        return j == 0 && mask_any(infinity);
    return mask_any(fe_equal(fe_mul(fe_sqr(p->zz), p->zz), fe_sqr(p->zzz)) & fe_equal(p->x, fe_mul(a.x, p->zz)) &
                    fe_equal(p->y, fe_mul(a.y, p->zzz)));
}

/* Name the operands and fail, unless it holds. */
static void expect(int holds, const char *formula, const struct group *g, unsigned i, unsigned j) {
    if (!holds) {
        fprintf(stderr, "%s: order %u, b = %lu: %u G and %u G\n", formula, g->order, mpz_get_ui(g->b), i, j);
        fail();
    }
}

static void add_every_pair(struct group *g, struct prng *prng) {
    fe z[REPRESENTATIONS];
    draw_representations(z, prng);
    for (unsigned i = 0; i < g->order; i++)
        for (unsigned j = 0; j < g->order; j++) {
            struct affine q = g->element[j];
            struct jacobian p = jacobian_element(g, i, z[prng_below(prng, REPRESENTATIONS)]);
            struct xyzz s = xyzz_element(g, i, z[prng_below(prng, REPRESENTATIONS)]);
            jacobian_add_affine(&p, &q);
            expect(jacobian_is_element(g, &p, index_add(g, i, j)), "jacobian_add_affine", g, i, j);
            xyzz_add_affine(&s, &q);
            expect(xyzz_is_element(g, &s, index_add(g, i, j)), "xyzz_add_affine", g, i, j);
        }
}

static void mixed_addition(void **state) {
    (void)state;
    for_each_group(add_every_pair, "mixed addition", 1);
}

static void every_point(struct group *g, struct prng *prng) {
    fe z[REPRESENTATIONS];
    draw_representations(z, prng);
    for (unsigned i = 0; i < g->order; i++) {
        struct affine a = g->element[i];
        unsigned minus = (g->order - i) % g->order;
        struct xyzz twice = xyzz_double_affine(&a);
        expect(xyzz_is_element(g, &twice, index_add(g, i, i)), "xyzz_double_affine", g, i, i);
        for (int k = 0; k < REPRESENTATIONS; k++) {
            struct jacobian p = jacobian_element(g, i, z[k]);
            expect(jacobian_is_element(g, &p, i), "jacobian_element", g, i, i);
            jacobian_double(&p);
            expect(jacobian_is_element(g, &p, index_add(g, i, i)), "jacobian_double", g, i, i);
        }
        struct jacobian p = jacobian_from_affine(a);
        expect(jacobian_is_element(g, &p, i), "jacobian_from_affine", g, i, i);
        expect(affine_is_element(g, affine_negate_if(mask_set(1), a), minus), "affine_negate_if", g, i, i);
        expect(affine_is_element(g, affine_negate_if(mask_set(0), a), i), "affine_negate_if", g, i, i);
        expect(mask_any(affine_on_curve(a)) == (i != 0), "affine_on_curve", g, i, i);
    }
    expect(affine_is_element(g, affine_generator(), 1), "affine_generator", g, 1, 1);
    struct jacobian none = jacobian_infinity();
    struct xyzz nothing = xyzz_infinity();
    expect(jacobian_is_element(g, &none, 0) && xyzz_is_element(g, &nothing, 0), "infinity", g, 0, 0);
}

static void single_points(void **state) {
    (void)state;
    for_each_group(every_point, "single points", 1);
}

/* y from x and a parity, for the group's points and for neighbours of their x, of which about half have no y. */
static void lift_every_x(struct group *g, struct prng *prng) {
    (void)prng;
    for (unsigned i = 1; i < g->order; i++)
        for (int odd = 0; odd < 2; odd++) {
            mask exists;
            struct affine a = g->element[i];
            unsigned expected = mpz_odd_p(g->y[i]) == odd ? i : g->order - i;
            a.y = point_lift_x(a.x, mask_set(odd), &exists);
            expect(mask_any(exists) && affine_is_element(g, a, expected), "point_lift_x", g, i, (unsigned)odd);
            a.x = fe_add(a.x, fe_one());
            a.y = point_lift_x(a.x, mask_set(odd), &exists);
            expect(affine_on_curve(a) == exists, "point_lift_x of x + 1", g, i, (unsigned)odd);
        }
}

static void lifting(void **state) {
    (void)state;
    for_each_group(lift_every_x, "point_lift_x", 1);
}

/* Row i of the addition table as one batch, so that infinity, doublings and opposites stand among the rest. */
static void batch_add_every_pair(struct group *g, struct prng *prng) {
    static limb a[2 * ORDER_MOST * LIMBS], b[2 * ORDER_MOST * LIMBS];
    static limb denominators[ORDER_MOST * LIMBS], prefix[ORDER_MOST * LIMBS];
    struct worker w = worker_of_chunk(g->order);
    (void)prng;
    for (unsigned i = 0; i < g->order; i++) {
        for (unsigned j = 0; j < g->order; j++) {
            affine_store(a, j, g->element[i]);
            affine_store(b, j, g->element[j]);
        }
        batch_add(&w, a, b, denominators, prefix);
        for (unsigned j = 0; j < g->order; j++)
            expect(affine_is_element(g, affine_load(a, j), index_add(g, i, j)), "batch_add", g, i, j);
    }
}

static void batch_addition(void **state) {
    (void)state;
    for_each_group(batch_add_every_pair, "batch_add", 1);
}

static void normalise_every_point(struct group *g, struct prng *prng) {
    static limb points[2 * ORDER_MOST * LIMBS], z[ORDER_MOST * LIMBS], zzz[ORDER_MOST * LIMBS];
    static limb prefix[ORDER_MOST * LIMBS];
    struct worker w = worker_of_chunk(g->order);
    fe representation[REPRESENTATIONS];
    draw_representations(representation, prng);
    for (unsigned j = 0; j < g->order; j++) {
        struct jacobian p = jacobian_element(g, j, representation[prng_below(prng, REPRESENTATIONS)]);
        struct affine xy = {p.x, p.y};
        affine_store(points, j, xy);
        limbs_store(z, j, p.z);
    }
    batch_normalise(&w, points, z, prefix);
    for (unsigned j = 0; j < g->order; j++)
        expect(affine_is_element(g, affine_load(points, j), j), "batch_normalise", g, j, j);
    for (unsigned j = 0; j < g->order; j++) {
        struct xyzz p = xyzz_element(g, j, representation[prng_below(prng, REPRESENTATIONS)]);
        struct affine xy = {p.x, p.y};
        affine_store(points, j, xy);
        limbs_store(z, j, p.zz);
        limbs_store(zzz, j, p.zzz);
    }
    batch_normalise_xyzz(&w, points, z, zzz, prefix);
    for (unsigned j = 0; j < g->order; j++)
        expect(affine_is_element(g, affine_load(points, j), j), "batch_normalise_xyzz", g, j, j);
}

static void normalisation(void **state) {
    (void)state;
    for_each_group(normalise_every_point, "batch_normalise", 1);
}

/* Runs them all over the groups of the curve called `name`; the result is main's. */
static int formula_cases(const char *name) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_addition), cmocka_unit_test(single_points), cmocka_unit_test(lifting),
        cmocka_unit_test(batch_addition), cmocka_unit_test(normalisation),
    };
    groups_read(name);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
