/* Groups of small prime order over the real prime fields, in the place of CURVE, so that tests can try every point and
 * every scalar. The includer has included small_curve.h.
 *
 * The groups are those of tests/data/small_groups.json, which tools/generate_small_groups.py found, or of the file that
 * GECC_SMALL_GROUPS names: subgroups of curves y^2 = x^3 + a x + b with the real curve's p and a and another b. Where
 * the real curve has an endomorphism they have it too. */
#ifndef TESTS_CURVE_SMALL_GROUP_H
#define TESTS_CURVE_SMALL_GROUP_H

#include "coefficient.h"
#include "../limbs/modular_cases.h"

#include <jansson.h>

#include "batch/points.h"

#include "support/folders.h"

enum { ORDER_SMALL = 60, ORDER_MOST = 257, GROUPS_MOST = 64, GLV_SHIFT = 64 };

/* Element j is j G, for j < order; element 0 is infinity. */
struct group {
    unsigned order;
    struct affine element[ORDER_MOST];
    unsigned x_mod_order[ORDER_MOST];
    unsigned lambda; /* with an endomorphism: lambda (x, y) = (beta x, y) */
    mpz_t b, gx, gy;
    mpz_t x[ORDER_MOST], y[ORDER_MOST]; /* integers */
};

static struct group groups[GROUPS_MOST];
static size_t group_count;

/* i + j and i * j modulo the order, and i / j, j not 0. */
static inline unsigned index_add(const struct group *g, unsigned i, unsigned j) { return (i + j) % g->order; }
static inline unsigned index_mul(const struct group *g, unsigned i, unsigned j) { return i * j % g->order; }
static inline unsigned index_div(const struct group *g, unsigned i, unsigned j) {
    unsigned r = 0;
    while (index_mul(g, r, j) != i)
        r++;
    return r;
}

/* (x3, y3) = (x1, y1) + (x2, y2) on affine points whose sum is finite. */
static void reference_add(mpz_t x3, mpz_t y3, const mpz_t x1, const mpz_t y1, const mpz_t x2, const mpz_t y2,
                          const mpz_t a, const mpz_t p) {
    mpz_t slope, t;
    mpz_inits(slope, t, NULL);
    if (mpz_cmp(x1, x2) == 0) {
        mpz_mul(slope, x1, x1);
        mpz_mul_ui(slope, slope, 3);
        mpz_add(slope, slope, a);
        mpz_mul_ui(t, y1, 2);
    } else {
        mpz_sub(slope, y2, y1);
        mpz_sub(t, x2, x1);
    }
    assert_int_not_equal(mpz_invert(t, t, p), 0);
    mpz_mul(slope, slope, t);
    mpz_mul(t, slope, slope);
    mpz_sub(t, t, x1);
    mpz_sub(t, t, x2);
    mpz_mod(t, t, p);
    mpz_sub(x3, x1, t);
    mpz_mul(x3, x3, slope);
    mpz_sub(y3, x3, y1);
    mpz_mod(y3, y3, p);
    mpz_set(x3, t);
    mpz_clears(slope, t, NULL);
}

/* The elements by adding G again and again; the last one must be -G. */
static void group_fill(struct group *g) {
    struct ring p;
    mpz_t a;
    ring_open(&p, &FIELD_CURVE.p);
    mpz_init(a);
    curve_coefficient_a(a, &FIELD_CURVE);
    for (unsigned j = 0; j < g->order; j++) {
        mpz_inits(g->x[j], g->y[j], NULL);
        if (j == 1) {
            mpz_set(g->x[j], g->gx);
            mpz_set(g->y[j], g->gy);
        } else if (j > 1) {
            reference_add(g->x[j], g->y[j], g->x[j - 1], g->y[j - 1], g->gx, g->gy, a, p.m);
        }
        g->element[j].x = ring_represent(&p, g->x[j]);
        g->element[j].y = ring_represent(&p, g->y[j]);
        g->x_mod_order[j] = (unsigned)mpz_fdiv_ui(g->x[j], g->order);
    }
    mpz_add(p.r, g->y[g->order - 1], g->gy);
    assert_true(mpz_cmp(g->x[g->order - 1], g->gx) == 0 && mpz_cmp(p.r, p.m) == 0);
    mpz_clear(a);
    ring_close(&p);
}

static void group_read(struct group *g, json_t *entry) {
    g->order = (unsigned)json_integer_value(json_object_get(entry, "order"));
    assert_in_range(g->order, 5, ORDER_MOST);
    mpz_init_set_ui(g->b, (unsigned long)json_integer_value(json_object_get(entry, "b")));
    assert_int_equal(mpz_init_set_str(g->gx, json_string_value(json_object_get(entry, "Gx")), 16), 0);
    assert_int_equal(mpz_init_set_str(g->gy, json_string_value(json_object_get(entry, "Gy")), 16), 0);
    group_fill(g);
}

/* Read the groups over the field of the curve called `name`. CURVE is the real curve until one of them is used. */
static void groups_read(const char *name) {
    const char *path = getenv("GECC_SMALL_GROUPS");
    char path_memory[PATH_BYTES];
    json_error_t error;
    json_t *entry;
    size_t i;
    small_curve = FIELD_CURVE;
    if (path == NULL)
        path = repository_path(path_memory, "tests/data/small_groups.json");
    json_t *all = json_load_file(path, 0, &error);
    if (all == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        exit(EXIT_FAILURE);
    }
    json_array_foreach(all, i, entry) {
        if (strcmp(json_string_value(json_object_get(entry, "curve")), name) != 0)
            continue;
        if (group_count == GROUPS_MOST)
            exit(EXIT_FAILURE);
        group_read(&groups[group_count++], entry);
    }
    json_decref(all);
    if (group_count == 0)
        exit(EXIT_FAILURE);
    printf("%s: %zu groups\n", name, group_count);
}

static struct limbs_constant scalar_constant(long value) {
    struct ring n;
    ring_open(&n, &CURVE.n);
    mpz_set_si(n.r, value);
    struct limbs_constant r = ring_constant(&n, n.r);
    ring_close(&n);
    return r;
}

/* round(2^GLV_SHIFT * numerator / order). */
static struct limbs_constant glv_multiplier(const struct group *g, unsigned numerator) {
    mpz_t r;
    mpz_init_set_ui(r, numerator);
    mpz_mul_2exp(r, r, GLV_SHIFT);
    mpz_add_ui(r, r, g->order / 2);
    mpz_fdiv_q_ui(r, r, g->order);
    struct limbs_constant c = constant_from_integer(r);
    mpz_clear(r);
    return c;
}

/* Is (a, b) in the lattice a + b lambda = 0 mod order? */
static int glv_in_lattice(const struct group *g, int a, int b) { return (a + b * (int)g->lambda) % (int)g->order == 0; }

/* The shortest basis (a1, b1), (a2, b2) of the lattice with b1 < 0 < b2 and a1 b2 - a2 b1 = order, in the order
 * found. */
static void glv_basis(const struct group *g, int *b1, int *b2) {
    int best = INT32_MAX, limit = 2;
    while (limit * limit <= 4 * (int)g->order)
        limit++;
    for (int a = -limit; a <= limit; a++)
        for (int b = -limit; b < 0; b++)
            for (int c = -limit; glv_in_lattice(g, a, b) && c <= limit; c++)
                for (int d = 1; d <= limit; d++) {
                    int size = a * a + b * b + c * c + d * d;
                    if (!glv_in_lattice(g, c, d) || a * d - c * b != (int)g->order || size >= best)
                        continue;
                    best = size;
                    *b1 = b;
                    *b2 = d;
                }
    assert_int_not_equal(best, INT32_MAX);
}

static void glv_set(struct group *g) {
    int b1 = 0, b2 = 0;
    fe x = fe_mul(g->element[1].x, fe_set(&CURVE.glv.beta));
    for (g->lambda = 1; g->lambda < g->order; g->lambda++)
        if (mask_any(fe_equal(g->element[g->lambda].x, x) & fe_equal(g->element[g->lambda].y, g->element[1].y)))
            break; /* the same in all lanes */
    assert_int_not_equal(g->lambda, g->order);
    glv_basis(g, &b1, &b2);
    small_curve.glv.minus_lambda = scalar_constant(-(long)g->lambda);
    small_curve.glv.minus_b1 = scalar_constant(-b1);
    small_curve.glv.minus_b2 = scalar_constant(-b2);
    small_curve.glv.g1 = glv_multiplier(g, (unsigned)b2);
    small_curve.glv.g2 = glv_multiplier(g, (unsigned)-b1);
    small_curve.glv.shift = GLV_SHIFT;
}

/* Make the group CURVE's. */
static void group_use(struct group *g) {
    struct ring p;
    small_curve = FIELD_CURVE;
    ring_open(&p, &CURVE.p);
    mpz_set_ui(p.r, g->order);
    modulus_set(&small_curve.n, p.r, REDUCE_MONTGOMERY);
    mpz_set_ui(p.r, g->order / 2);
    small_curve.half_order = constant_from_integer(p.r);
    small_curve.b = ring_constant(&p, g->b);
    small_curve.gx = ring_constant(&p, g->gx);
    small_curve.gy = ring_constant(&p, g->gy);
    if (CURVE.has_glv)
        glv_set(g);
    ring_close(&p);
}

/* An element for each lane, by its index. */
struct indices {
    unsigned lane[LANES];
};

/* Lane l: the index (first + l) modulo the order. */
static inline struct indices indices_from(const struct group *g, unsigned first) {
    struct indices r;
    for (unsigned l = 0; l < LANES; l++)
        r.lane[l] = (first + l) % g->order;
    return r;
}

static inline struct indices indices_add(const struct group *g, struct indices i, struct indices j) {
    for (int l = 0; l < LANES; l++)
        i.lane[l] = index_add(g, i.lane[l], j.lane[l]);
    return i;
}

static inline mask indices_are_zero(struct indices i) {
    mask r = mask_set(0);
    for (int l = 0; l < LANES; l++)
        r = mask_insert(r, l, i.lane[l] == 0);
    return r;
}

static inline struct affine affine_elements(const struct group *g, struct indices i) {
    struct affine r = g->element[i.lane[0]];
    for (int l = 1; l < LANES; l++)
        r = affine_select(mask_insert(mask_set(0), l, 1), g->element[i.lane[l]], r);
    return r;
}

/* Where a is that element of the group, and only it. */
static inline mask affine_are_elements(const struct group *g, struct affine a, struct indices i) {
    struct affine e = affine_elements(g, i);
    return fe_equal(a.x, e.x) & fe_equal(a.y, e.y) & ~(affine_is_infinity(a) ^ indices_are_zero(i));
}

/* Calls `test` for each group, as CURVE; for one in `part` of the larger ones, in short tests for one of them, in
 * long ones for all. */
static void for_each_group(void (*test)(struct group *g, struct prng *prng), const char *purpose, size_t part) {
    struct prng prng = prng_for(purpose);
    size_t larger = 0;
    part = tests_are_long() ? 1 : tests_are_short() ? GROUPS_MOST : part;
    for (size_t i = 0; i < group_count; i++) {
        if (groups[i].order > ORDER_SMALL && larger++ % part != 0)
            continue;
        group_use(&groups[i]);
        test(&groups[i], &prng);
    }
}

#endif
