/* Every pair of points of small groups through every formula, in random representations. */
#ifndef TESTS_CURVE_FORMULA_CASES_H
#define TESTS_CURVE_FORMULA_CASES_H

#include "small_group.h"

#include "batch/codec.h"

enum { REPRESENTATIONS = 16 };

/* 1, -1, then random elements, other ones in each lane and none of them 0. */
static void draw_representations(fe z[REPRESENTATIONS], struct prng *prng) {
    struct ring p;
    ring_open(&p, &CURVE.p);
    z[0] = fe_one();
    z[1] = fe_neg(fe_one());
    for (int i = 2; i < REPRESENTATIONS; i++) {
        do
            operand_draw(&p, &p.a, prng);
        while (mask_any(fe_is_zero(p.a.x)));
        z[i] = p.a.x;
    }
    ring_close(&p);
}

/* Jacobian representations of elements; infinity with any X and Y. */
static struct jacobian jacobian_elements(const struct group *g, struct indices i, fe z) {
    struct affine a = affine_elements(g, i);
    fe zz = fe_sqr(z);
    struct jacobian infinity = {zz, z, fe_zero()}, r = {fe_mul(a.x, zz), fe_mul(a.y, fe_mul(zz, z)), z};
    return jacobian_select(indices_are_zero(i), infinity, r);
}

static struct xyzz xyzz_elements(const struct group *g, struct indices i, fe z) {
    struct affine a = affine_elements(g, i);
    fe zz = fe_sqr(z), zzz = fe_mul(zz, z);
    struct xyzz infinity = {zzz, zz, fe_zero(), fe_zero()}, r = {fe_mul(a.x, zz), fe_mul(a.y, zzz), zz, zzz};
    return xyzz_select(indices_are_zero(i), infinity, r);
}

static mask jacobian_are_elements(const struct group *g, const struct jacobian *p, struct indices i) {
    struct affine a = affine_elements(g, i);
    fe zz = fe_sqr(p->z);
    mask infinity = jacobian_is_infinity(p), zero = indices_are_zero(i);
    mask same = fe_equal(p->x, fe_mul(a.x, zz)) & fe_equal(p->y, fe_mul(a.y, fe_mul(zz, p->z)));
    return (infinity & zero) | (same & ~infinity & ~zero);
}

static mask xyzz_are_elements(const struct group *g, const struct xyzz *p, struct indices i) {
    struct affine a = affine_elements(g, i);
    mask infinity = fe_is_zero(p->zz), consistent = ~(infinity ^ fe_is_zero(p->zzz)), zero = indices_are_zero(i);
    mask same = fe_equal(fe_mul(fe_sqr(p->zz), p->zz), fe_sqr(p->zzz)) & fe_equal(p->x, fe_mul(a.x, p->zz)) &
                fe_equal(p->y, fe_mul(a.y, p->zzz));
    return consistent & ((infinity & zero) | (same & ~infinity & ~zero));
}

/* Name the operands of the first lane where it does not hold, and fail; unless it holds in all. */
static void expect(mask holds, const char *formula, const struct group *g, struct indices i, struct indices j) {
    for (int l = 0; l < LANES; l++)
        if (!mask_lane(holds, l)) {
            fprintf(stderr, "%s: order %u, b = %lu, lane %d: %u G and %u G\n", formula, g->order, mpz_get_ui(g->b), l,
                    i.lane[l], j.lane[l]);
            fail();
        }
}

/* Lane l: pair number first + l of the order^2 pairs, around again after the last. */
static void pairs_from(const struct group *g, unsigned first, struct indices *i, struct indices *j) {
    for (unsigned l = 0; l < LANES; l++) {
        i->lane[l] = (first + l) / g->order % g->order;
        j->lane[l] = (first + l) % g->order;
    }
}

/* Of points that are public, where infinity has X = 0 before, after, and doubled. */
static void add_vartime(const struct group *g, struct indices i, struct indices j, fe z) {
    struct jacobian p = jacobian_elements(g, i, z);
    struct affine q = affine_elements(g, j);
    p.x = fe_select(indices_are_zero(i), fe_zero(), p.x);
    jacobian_add_affine_vartime(&p, &q);
    struct jacobian twice = p;
    jacobian_double(&twice);
    expect(jacobian_are_elements(g, &p, indices_add(g, i, j)), "jacobian_add_affine_vartime", g, i, j);
    expect(~jacobian_is_infinity(&p) | (fe_is_zero(p.x) & fe_is_zero(twice.x)), "X of infinity", g, i, j);
}

static void add_every_pair(struct group *g, struct prng *prng) {
    fe z[REPRESENTATIONS];
    draw_representations(z, prng);
    for (unsigned pair = 0; pair < g->order * g->order; pair += LANES) {
        struct indices i, j;
        pairs_from(g, pair, &i, &j);
        struct affine q = affine_elements(g, j);
        struct jacobian p = jacobian_elements(g, i, z[prng_below(prng, REPRESENTATIONS)]);
        struct xyzz s = xyzz_elements(g, i, z[prng_below(prng, REPRESENTATIONS)]);
        jacobian_add_affine(&p, &q);
        expect(jacobian_are_elements(g, &p, indices_add(g, i, j)), "jacobian_add_affine", g, i, j);
        if (LANES == 1)
            add_vartime(g, i, j, z[pair % REPRESENTATIONS]);
        xyzz_add_affine(&s, &q);
        expect(xyzz_are_elements(g, &s, indices_add(g, i, j)), "xyzz_add_affine", g, i, j);
    }
}

static void mixed_addition(void **state) {
    (void)state;
    for_each_group(add_every_pair, "mixed addition", 1);
}

static void expect_point(const struct group *g, struct indices i, const fe z[REPRESENTATIONS]) {
    struct affine a = affine_elements(g, i);
    struct indices minus, twice = indices_add(g, i, i), some = i;
    mask flip = mask_set(0);
    for (int l = 0; l < LANES; l++) {
        minus.lane[l] = (g->order - i.lane[l]) % g->order;
        flip = mask_insert(flip, l, (l ^ (int)i.lane[0]) & 1);
        some.lane[l] = mask_lane(flip, l) ? minus.lane[l] : i.lane[l];
    }
    struct xyzz doubled = xyzz_double_affine(&a);
    expect(xyzz_are_elements(g, &doubled, twice), "xyzz_double_affine", g, i, i);
    for (int k = 0; k < REPRESENTATIONS; k++) {
        struct jacobian p = jacobian_elements(g, i, z[k]);
        expect(jacobian_are_elements(g, &p, i), "jacobian_elements", g, i, i);
        jacobian_double(&p);
        expect(jacobian_are_elements(g, &p, twice), "jacobian_double", g, i, i);
        struct jacobian pair[2] = {jacobian_elements(g, twice, z[k]), jacobian_elements(g, i, z[k])};
        jacobian_double_pair(pair);
        expect(jacobian_are_elements(g, &pair[0], indices_add(g, twice, twice)), "jacobian_double_pair", g, twice,
               twice);
        expect(jacobian_are_elements(g, &pair[1], twice), "jacobian_double_pair", g, i, i);
    }
    struct jacobian p = jacobian_from_affine(a);
    expect(jacobian_are_elements(g, &p, i), "jacobian_from_affine", g, i, i);
    expect(affine_are_elements(g, affine_negate_if(mask_set(1), a), minus), "affine_negate_if", g, i, i);
    expect(affine_are_elements(g, affine_negate_if(mask_set(0), a), i), "affine_negate_if", g, i, i);
    expect(affine_are_elements(g, affine_negate_if(flip, a), some), "affine_negate_if", g, i, i);
    expect(affine_on_curve(a) ^ indices_are_zero(i), "affine_on_curve", g, i, i);
}

static void every_point(struct group *g, struct prng *prng) {
    const struct indices zero = {{0}};
    struct indices one;
    fe z[REPRESENTATIONS];
    draw_representations(z, prng);
    for (unsigned i = 0; i < g->order; i += LANES)
        expect_point(g, indices_from(g, i), z);
    for (int l = 0; l < LANES; l++)
        one.lane[l] = 1;
    expect(affine_are_elements(g, affine_generator(), one), "affine_generator", g, one, one);
    struct jacobian none = jacobian_infinity();
    struct xyzz nothing = xyzz_infinity();
    expect(jacobian_are_elements(g, &none, zero) & xyzz_are_elements(g, &nothing, zero), "infinity", g, zero, zero);
}

static void single_points(void **state) {
    (void)state;
    for_each_group(every_point, "single points", 1);
}

/* y from x and a parity, for the group's points and for neighbours of their x, of which about half have no y. */
static void lift_every_x(struct group *g, struct prng *prng) {
    for (unsigned first = 0; first < 2 * (g->order - 1); first += LANES) {
        mask odd = mask_set(0), exists;
        struct indices i, expected, parity;
        for (unsigned l = 0; l < LANES; l++) {
            i.lane[l] = 1 + (first + l) / 2 % (g->order - 1);
            parity.lane[l] = (unsigned)prng_below(prng, 2) ^ (first + l) % 2;
            odd = mask_insert(odd, (int)l, (int)parity.lane[l]);
            int same = mpz_odd_p(g->y[i.lane[l]]) == (int)parity.lane[l];
            expected.lane[l] = same ? i.lane[l] : g->order - i.lane[l];
        }
        struct affine a = affine_elements(g, i);
        a.y = point_lift_x(a.x, odd, &exists);
        expect(exists & affine_are_elements(g, a, expected), "point_lift_x", g, i, parity);
        a.x = fe_add(a.x, fe_one());
        a.y = point_lift_x(a.x, odd, &exists);
        expect(~(affine_on_curve(a) ^ exists), "point_lift_x of x + 1", g, i, parity);
    }
}

static void lifting(void **state) {
    (void)state;
    for_each_group(lift_every_x, "point_lift_x", 1);
}

enum { SLOTS_MOST = (ORDER_MOST + SLOT_GROUP - 1) / SLOT_GROUP * SLOT_GROUP }; /* of a column */

/* A row of the addition table as one batch, so that infinity, doublings and opposites stand among the rest, in each
 * lane another row. */
static void batch_add_every_pair(struct group *g, struct prng *prng) {
    _Alignas(64) static limb a[4 * SLOTS_MOST * LIMBS * LANES], b[2 * SLOTS_MOST * LIMBS * LANES];
    _Alignas(64) static limb denominators[SLOTS_MOST * LIMBS * LANES], prefix[SLOTS_MOST * LIMBS * LANES];
    static const char *const ways[] = {"batch_add", "batch_add_distinct", "batch_add_vartime"};
    struct worker w = worker_of_chunk(g->order);
    (void)prng;
    for (unsigned row = 0; row < g->order; row += LANES)
        for (int way = 0; way < 3; way++) {
            struct indices i = indices_from(g, row), j;
            for (unsigned k = 0; k < g->order; k++) {
                affine_store(a, k, affine_elements(g, i));
                affine_store(b, k, affine_elements(g, indices_from(g, k)));
                affine_store(a, g->order + k, affine_elements(g, indices_from(g, k)));
            }
            if (way == 0)
                batch_add(&w, a, b, denominators, prefix);
            else if (way == 1)
                batch_add_distinct(&w, 1, a, g->order, denominators, prefix);
            else
                batch_add_vartime(&w, a, b, prefix);
            for (unsigned k = 0; k < g->order; k++) {
                j = indices_from(g, k);
                expect(affine_are_elements(g, affine_load(a, k), indices_add(g, i, j)), ways[way], g, i, j);
            }
        }
}

static void batch_addition(void **state) {
    (void)state;
    for_each_group(batch_add_every_pair, "batch_add", 1);
}

static void normalise_every_point(struct group *g, struct prng *prng) {
    _Alignas(64) static limb points[2 * SLOTS_MOST * LIMBS * LANES], z[SLOTS_MOST * LIMBS * LANES];
    _Alignas(64) static limb zzz[SLOTS_MOST * LIMBS * LANES], prefix[SLOTS_MOST * LIMBS * LANES];
    struct worker w = worker_of_chunk(g->order);
    fe representation[REPRESENTATIONS];
    draw_representations(representation, prng);
    for (unsigned j = 0; j < g->order; j++) {
        struct jacobian p = jacobian_elements(g, indices_from(g, j), representation[prng_below(prng, REPRESENTATIONS)]);
        struct affine xy = {p.x, p.y};
        affine_store(points, j, xy);
        limbs_store(z, j, p.z);
    }
    batch_normalise(&w, points, z, prefix);
    for (unsigned j = 0; j < g->order; j++) {
        struct indices i = indices_from(g, j);
        expect(affine_are_elements(g, affine_load(points, j), i), "batch_normalise", g, i, i);
    }
    for (unsigned j = 0; j < g->order; j++) {
        struct xyzz p = xyzz_elements(g, indices_from(g, j), representation[prng_below(prng, REPRESENTATIONS)]);
        struct affine xy = {p.x, p.y};
        affine_store(points, j, xy);
        limbs_store(z, j, p.zz);
        limbs_store(zzz, j, p.zzz);
    }
    batch_normalise_xyzz(OWN_INVERSION, &w, points, z, zzz, prefix);
    for (unsigned j = 0; j < g->order; j++) {
        struct indices i = indices_from(g, j);
        expect(affine_are_elements(g, affine_load(points, j), i), "batch_normalise_xyzz", g, i, i);
    }
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
