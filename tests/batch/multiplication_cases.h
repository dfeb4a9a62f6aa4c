/* Every scalar times every point of small groups, through recoding, tables and multiplication. */
#ifndef TESTS_BATCH_MULTIPLICATION_CASES_H
#define TESTS_BATCH_MULTIPLICATION_CASES_H

#include "../curve/small_group.h"

#include "batch/multiply.h"

enum {
    SLOTS = 512,
    ARENA_BYTES = SLOTS * (MULTIPLICATION_ELEMENTS + 2) * LIMBS * (int)sizeof(limb) +
                  SLOTS * MULTIPLICATION_DIGITS * 4 + TABLES_SCRATCH_BYTES + 64 * 16
};

static struct arena arena;
static void *tables;
static struct multiplication work;
static limb *inputs; /* affine points */

/* One row of a batch of multiplications: the indices of what was put in. */
struct operands {
    unsigned u, v, point;
};
static struct operands operands[SLOTS];

static void memory_take(void) {
    arena = (struct arena){NULL, ARENA_BYTES, 0};
    assert_int_equal(posix_memalign((void **)&arena.base, 64, ARENA_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TABLES_BYTES), 0);
    inputs = affine_column_take(&arena, SLOTS);
    multiplication_take(&work, ANY_POINT, &arena, SLOTS);
}

static void memory_give(void) {
    free(arena.base);
    free(tables);
}

/* Name the operands and fail, unless it holds. */
static void expect_operands(int holds, const char *what, const struct group *g, struct operands o) {
    if (!holds) {
        fprintf(stderr, "%s: order %u, b = %lu: u = %u, v = %u, point = %u\n", what, g->order, mpz_get_ui(g->b), o.u,
                o.v, o.point);
        fail();
    }
}

static struct limbs limbs_from_index(unsigned k) {
    struct limbs r = limbs_zero();
    r.v[0] = k;
    return r;
}

static unsigned limbs_mod_order(const struct group *g, struct limbs k) {
    mpz_t integer;
    mpz_init(integer);
    integer_from_limbs(integer, k);
    unsigned r = (unsigned)mpz_fdiv_ui(integer, g->order);
    mpz_clear(integer);
    return r;
}

/* The digits stand for +-k, and each is in its range. */
static void expect_digits(struct limbs k, int negate, unsigned width, unsigned windows) {
    uint32_t digits[32 * WORDS];
    mpz_t sum, expected, digit;
    mpz_inits(sum, expected, digit, NULL);
    recode_signed(&k, mask_set(negate), width, windows, digits);
    integer_from_limbs(expected, k);
    for (unsigned i = 0; i < windows; i++) {
        unsigned magnitude = digit_magnitude(digits[i]), half = 1u << (width - 1);
        int negative = mask_any(digit_is_negative(digits[i]));
        assert_true(magnitude < half || (magnitude == half && negative == negate));
        mpz_set_ui(digit, magnitude);
        mpz_mul_2exp(digit, digit, width * i);
        if (negative != negate)
            mpz_neg(digit, digit);
        mpz_add(sum, sum, digit);
    }
    expect_integer("sum of the digits", sum, k, expected, expected);
    mpz_clears(sum, expected, digit, NULL);
}

static void recoding(void **state) {
    struct prng prng = prng_for("recode_signed");
    (void)state;
    for (unsigned width = 2; width <= 22; width++) {
        unsigned windows = (32 * WORDS + width) / width;
        for (unsigned k = 0; k < 3u << 10; k++)
            expect_digits(limbs_from_index(k), (int)(k & 1), width, windows);
        for (size_t i = repetitions(300, 30000); i > 0; i--)
            expect_digits(limbs_random(&prng), (int)(i & 1), width, windows);
        for (unsigned below = 1; below < 40; below++) {
            mask borrow;
            expect_digits(limbs_sub(limbs_zero(), limbs_from_index(below), &borrow), 0, width, windows);
        }
    }
}

static void fold_and_split_every_scalar(struct group *g, struct prng *prng) {
    (void)prng;
    for (unsigned k = 0; k < g->order; k++) {
        struct operands o = {k, 0, 0};
        struct limbs folded = limbs_from_index(k), k1, k2;
        mask negative = scalar_fold(&folded), negative1, negative2;
        unsigned least = k <= g->order / 2 ? k : g->order - k;
        expect_operands(folded.v[0] == least && mask_any(negative) == (least != k), "scalar_fold", g, o);
        if (!CURVE.has_glv)
            continue;
        scalar_split(limbs_from_index(k), &k1, &negative1, &k2, &negative2);
        unsigned first = limbs_mod_order(g, k1), second = index_mul(g, limbs_mod_order(g, k2), g->lambda);
        first = mask_any(negative1) ? g->order - first : first;
        second = mask_any(negative2) ? g->order - second : second;
        expect_operands(index_add(g, first, second) == k, "scalar_split", g, o);
        expect_operands(k1.v[0] * k1.v[0] <= 2 * g->order && k2.v[0] * k2.v[0] <= 2 * g->order, "short", g, o);
    }
}

static void folding_and_splitting(void **state) {
    (void)state;
    for_each_group(fold_and_split_every_scalar, "scalar_split", 3);
}

/* Entry j of window i is j 2^(width i) G. */
static void expect_table(const struct group *g, enum secrecy secrecy) {
    unsigned base = 1, width = base_width(secrecy);
    for (unsigned i = 0; i < window_count(SCALAR_BITS, width); i++) {
        for (unsigned j = 0; j <= 1u << (width - 1); j++) {
            struct affine entry = base_lookup(secrecy, base_table(secrecy, tables), i, lane32_set(2 * j));
            struct operands o = {i, j, 1};
            expect_operands(affine_is_element(g, entry, (unsigned)((uint64_t)base * j % g->order)), "base table", g, o);
        }
        for (unsigned k = 0; k < width; k++)
            base = 2 * base % g->order;
    }
}

/* Multiply the scalars 0 .. 2 n, and long ones, which use every window, by G. */
static void expect_base_products(const struct group *g, struct prng *prng, enum secrecy secrecy) {
    unsigned width = base_width(secrecy), windows = window_count(SCALAR_BITS, width);
    for (unsigned first = 0; first < 2 * g->order + SLOTS; first += SLOTS) {
        struct worker w = worker_of_chunk(SLOTS);
        for (unsigned i = 0; i < SLOTS; i++) {
            unsigned k = first + i;
            struct limbs integer = k <= 2 * g->order ? limbs_from_index(k) : limbs_random(prng);
            int negate = k > g->order && prng_below(prng, 2);
            unsigned residue = limbs_mod_order(g, integer);
            operands[i].u = negate ? (g->order - residue) % g->order : residue;
            if (k < g->order)
                recode_base(&integer, width, base_digits_at(&work, i));
            else
                recode_signed(&integer, mask_set(negate), width, windows, base_digits_at(&work, i));
        }
        batch_multiply_base(secrecy, &w, &work, tables);
        for (unsigned i = 0; i < SLOTS; i++)
            expect_operands(affine_is_element(g, affine_load(work.points, i), operands[i].u),
                            secrecy == SECRET ? "k G, secret" : "k G, public", g, operands[i]);
    }
}

/* The digits of a long random integer by which slot i multiplies its point; returns the integer modulo the order. */
static unsigned recode_long(const struct group *g, struct prng *prng, unsigned i) {
    uint32_t *digits = point_digits_at(&work, i);
    struct limbs k1 = limbs_random(prng), k2 = limbs_random(prng);
    int negate1 = (int)prng_below(prng, 2), negate2 = (int)prng_below(prng, 2);
    if (!CURVE.has_glv) {
        recode_signed(&k1, mask_set(negate1), TABLE_WINDOW, point_windows(), digits);
        unsigned residue = limbs_mod_order(g, k1);
        return negate1 ? (g->order - residue) % g->order : residue;
    }
    for (int j = LIMBS / 2; j < LIMBS; j++)
        k1.v[j] = k2.v[j] = 0;
    recode_signed(&k1, mask_set(negate1), TABLE_WINDOW, GLV_WINDOWS, digits);
    recode_signed(&k2, mask_set(negate2), TABLE_WINDOW, GLV_WINDOWS, digits + GLV_WINDOWS);
    unsigned first = limbs_mod_order(g, k1), second = index_mul(g, limbs_mod_order(g, k2), g->lambda);
    return index_add(g, negate1 ? g->order - first : first, negate2 ? g->order - second : second);
}

/* Put v and a point into slot i: the scalar itself, or in `stress` a long one of whatever residue. */
static void set_point_product(const struct group *g, struct prng *prng, unsigned i, unsigned v, unsigned point,
                              int stress) {
    struct limbs k = limbs_from_index(v);
    operands[i].point = point;
    operands[i].v = v;
    if (stress)
        operands[i].v = recode_long(g, prng, i);
    else
        recode_point(&k, point_digits_at(&work, i));
    affine_store(inputs, i, g->element[point]);
}

static void expect_tables(const struct group *g, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < TABLE_ENTRIES; j++) {
            struct operands o = {0, j, operands[i].point};
            expect_operands(
                affine_is_element(g, affine_load(work.table, i * TABLE_ENTRIES + j), index_mul(g, j, o.point)),
                "point table", g, o);
        }
}

static void expect_point_products(const struct group *g, unsigned count) {
    struct worker w = worker_of_chunk(count);
    batch_tables(&w, &work, inputs);
    expect_tables(g, count);
    for (int secrecy = PUBLIC; secrecy <= SECRET; secrecy++) {
        if (secrecy == SECRET)
            batch_multiply_point(SECRET, &w, &work);
        else
            batch_multiply_point(PUBLIC, &w, &work);
        for (unsigned i = 0; i < count; i++)
            expect_operands(
                affine_is_element(g, affine_load(work.points, i), index_mul(g, operands[i].v, operands[i].point)),
                secrecy == SECRET ? "v P, secret" : "v P, public", g, operands[i]);
    }
}

/* All pairs of a scalar and a point, or `most` random ones where those are too many. */
static void expect_pairs(const struct group *g, struct prng *prng, unsigned most, int stress) {
    unsigned pairs = g->order * g->order, tried = pairs < most ? pairs : most;
    for (unsigned at = 0; at < tried; at += SLOTS) {
        unsigned count = tried - at < SLOTS ? tried - at : SLOTS;
        for (unsigned i = 0; i < count; i++) {
            unsigned pair = tried == pairs ? at + i : (unsigned)prng_below(prng, pairs);
            set_point_product(g, prng, i, pair / g->order, pair % g->order, stress);
        }
        expect_point_products(g, count);
    }
}

static void multiply_point(struct group *g, struct prng *prng) {
    unsigned most = g->order < 20 ? 400 : 128;
    expect_pairs(g, prng, (unsigned)repetitions(most, UINT32_MAX), 0);
    expect_pairs(g, prng, (unsigned)repetitions(most, 16 * SLOTS), 1);
}

static void unknown_point(void **state) {
    (void)state;
    for_each_group(multiply_point, "batch_multiply_point", 3);
}

static void expect_sums(const struct group *g, unsigned count) {
    struct worker w = worker_of_chunk(count);
    batch_multiply_add_vartime(&w, &work, tables, inputs);
    for (unsigned i = 0; i < count; i++) {
        struct operands o = operands[i];
        unsigned expected = index_add(g, o.u, index_mul(g, o.v, o.point));
        expect_operands(affine_is_element(g, affine_load(work.points, i), expected), "u G + v P", g, o);
    }
}

/* Every (u, v, point), or random ones where those are too many. */
static void expect_every_sum(const struct group *g, struct prng *prng) {
    unsigned all = g->order * g->order * g->order, tried = all;
    if (g->order > 11)
        tried = (unsigned)repetitions(SLOTS / 4, g->order < 40 ? all : 40 * SLOTS);
    for (unsigned at = 0; at < tried; at += SLOTS) {
        unsigned count = tried - at < SLOTS ? tried - at : SLOTS;
        for (unsigned i = 0; i < count; i++) {
            unsigned triple = tried == all ? at + i : (unsigned)prng_below(prng, all);
            struct limbs u = limbs_from_index(triple % g->order);
            operands[i].u = triple % g->order;
            recode_base(&u, PUBLIC_WINDOW, base_digits_at(&work, i));
            set_point_product(g, prng, i, triple / g->order % g->order, triple / g->order / g->order, 0);
        }
        expect_sums(g, count);
    }
}

static void multiply_by_tables(struct group *g, struct prng *prng) {
    struct arena scratch = arena;
    tables_build(tables, &scratch);
    expect_table(g, SECRET);
    expect_table(g, PUBLIC);
    expect_base_products(g, prng, SECRET);
    expect_base_products(g, prng, PUBLIC);
    expect_every_sum(g, prng);
}

static void fixed_base_and_sums(void **state) {
    (void)state;
    for_each_group(multiply_by_tables, "batch_multiply_base", 3);
}

/* Inverses of every scalar of the group, 0 among them, twice over and in several columns. */
static void invert_every_scalar(struct group *g, struct prng *prng) {
    static limb values[2 * ORDER_MOST * LIMBS], prefix[2 * ORDER_MOST * LIMBS];
    struct worker w = worker_of_chunk(g->order);
    (void)prng;
    for (unsigned i = 0; i < 2 * g->order; i++)
        limbs_store(values, i, scalar_encode(limbs_from_index(i % g->order)));
    batch_inverse_modulo(&w, &CURVE.n, 2, values, prefix);
    for (unsigned i = 0; i < 2 * g->order; i++) {
        struct operands o = {i % g->order, 0, 0};
        unsigned inverse = limbs_mod_order(g, scalar_decode(limbs_load(values, i)));
        expect_operands(o.u == 0 ? inverse == 0 : index_mul(g, inverse, o.u) == 1, "1 / k", g, o);
    }
}

static void scalar_inverses(void **state) {
    (void)state;
    for_each_group(invert_every_scalar, "batch_inverse_modulo", 3);
}

/* k in each lane: random, and about 0, n and multiples of lambda. */
static void draw_scalars(struct ring *n, const mpz_t lambda, struct prng *prng) {
    for (int lane = 0; lane < LANES; lane++) {
        ring_draw(n, n->r, prng);
        if (prng_below(prng, 4) == 0) {
            mpz_mul_ui(n->r, lambda, prng_below(prng, 40));
            mpz_add_ui(n->r, n->r, prng_below(prng, 40));
            mpz_mod(n->r, n->r, n->m);
        }
        mpz_set(n->a.value[lane], n->r);
        limbs_insert(&n->a.x, lane, constant_from_integer(n->r));
    }
}

/* r = the short scalar of a lane, with its sign. */
static void short_scalar(mpz_t r, struct limbs k, mask negative, int lane) {
    integer_from_lane(r, k, lane);
    assert_true(mpz_sizeinbase(r, 2) <= 128);
    if (mask_lane(negative, lane))
        mpz_neg(r, r);
}

/* The real curve's scalars: k = +-k1 +-k2 lambda with both less than 2^128. */
static void real_split(void **state) {
    struct prng prng = prng_for("scalar_split");
    struct ring n;
    mpz_t lambda, second;
    (void)state;
    small_curve = FIELD_CURVE;
    if (!CURVE.has_glv)
        skip();
    ring_open(&n, &CURVE.n);
    mpz_inits(lambda, second, NULL);
    integer_from_limbs(lambda, scalar_decode(scalar_neg(scalar_set(&CURVE.glv.minus_lambda))));
    for (size_t i = lane_repetitions(20000, 1000000); i > 0; i--) {
        struct limbs k1, k2;
        mask negative1, negative2;
        draw_scalars(&n, lambda, &prng);
        scalar_split(n.a.x, &k1, &negative1, &k2, &negative2);
        for (int lane = 0; lane < LANES; lane++) {
            short_scalar(n.r, k1, negative1, lane);
            short_scalar(second, k2, negative2, lane);
            mpz_addmul(n.r, second, lambda);
            assert_true(mpz_congruent_p(n.r, n.a.value[lane], n.m));
        }
    }
    mpz_clears(lambda, second, NULL);
    ring_close(&n);
}

/* Runs them all over the groups of the curve called `name`; the result is main's. */
static int multiplication_cases(const char *name) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recoding),        cmocka_unit_test(folding_and_splitting),
        cmocka_unit_test(unknown_point),   cmocka_unit_test(fixed_base_and_sums),
        cmocka_unit_test(scalar_inverses), cmocka_unit_test(real_split),
    };
    groups_read(name);
    memory_take();
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    memory_give();
    return failures;
}

#endif
