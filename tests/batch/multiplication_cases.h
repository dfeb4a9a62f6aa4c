/* Every scalar times every point of small groups, through tables and multiplication. */
#ifndef TESTS_BATCH_MULTIPLICATION_CASES_H
#define TESTS_BATCH_MULTIPLICATION_CASES_H

#include "recoding_cases.h"

#include "batch/multiply.h"
#include "support/base_tables.h"

enum {
    SLOTS = 512 / LANES,
    ROWS = SLOTS * LANES,
    SLOT_BYTES = ((MULTIPLICATION_ELEMENTS + 2) * LIMBS * (int)sizeof(limb) + MULTIPLICATION_DIGITS * 4) * LANES,
    PUBLIC_BYTES = (SLOTS + SLOT_GROUP - 1) * POINT_DIGITS * 4 * LANES,
    ARENA_BYTES = (SLOTS + SLOT_GROUP - 1) * SLOT_BYTES + PUBLIC_BYTES + TEST_TABLES_SCRATCH + 64 * 17
};

static struct arena arena;
static void *tables;
static struct multiplication work;
static limb *inputs; /* affine points */
static uint32_t
    *public_digits; /* of unknown points, by which public scalars are multiplied: sliding ones, or the same */

/* One row of a batch of multiplications: the indices of what was put in. Row i is lane i % LANES of slot i / LANES. */
struct operands {
    unsigned u, v, point;
};
static struct operands operands[ROWS];

static void memory_take(void) {
    arena = (struct arena){NULL, ARENA_BYTES, 0};
    assert_int_equal(posix_memalign((void **)&arena.base, 64, ARENA_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TEST_TABLES_BYTES), 0);
    inputs = affine_columns_take(&arena, SLOTS, 1);
    public_digits = columns32_take(&arena, SLOTS, POINT_DIGITS);
    multiplication_take(&work, ANY_POINT, &arena, SLOTS);
}

static void memory_give(void) {
    free(arena.base);
    free(tables);
}

/* The same work memory with the digits of public scalars. */
static struct multiplication work_public(void) {
    struct multiplication m = work;
    m.point_digits = public_digits;
    return m;
}

static uint32_t *public_digits_at(size_t slot) {
    struct multiplication m = work_public();
    return point_digits_at(&m, slot);
}

/* Name the operands and fail, unless it holds. */
static void expect_operands(int holds, const char *what, const struct group *g, struct operands o) {
    if (!holds) {
        fprintf(stderr, "%s: order %u, b = %lu: u = %u, v = %u, point = %u\n", what, g->order, mpz_get_ui(g->b), o.u,
                o.v, o.point);
        fail();
    }
}

/* The elements of these indices are what was computed for the rows of a slot. */
static void expect_elements(struct affine got, struct indices expected, const char *what, const struct group *g,
                            unsigned slot) {
    mask holds = affine_are_elements(g, got, expected);
    for (unsigned l = 0; l < LANES; l++)
        expect_operands(mask_lane(holds, (int)l), what, g, operands[slot * LANES + l]);
}

/* A lane of the short scalars k1 and k2. */
static void expect_short(const struct group *g, struct limbs k1, mask negative1, struct limbs k2, mask negative2,
                         unsigned k, int lane) {
    struct operands o = {k, 0, 0};
    mpz_t first, second;
    mpz_inits(first, second, NULL);
    integer_from_lane(first, k1, lane);
    integer_from_lane(second, k2, lane);
    expect_operands(mpz_get_ui(first) * mpz_get_ui(first) <= 2 * g->order &&
                        mpz_get_ui(second) * mpz_get_ui(second) <= 2 * g->order,
                    "short", g, o);
    unsigned i = signed_residues(g, k1, negative1).lane[lane], j = signed_residues(g, k2, negative2).lane[lane];
    expect_operands(index_add(g, i, index_mul(g, j, g->lambda)) == k, "scalar_split", g, o);
    mpz_clears(first, second, NULL);
}

static void fold_and_split_every_scalar(struct group *g, struct prng *prng) {
    (void)prng;
    for (unsigned from = 0; from < g->order; from += LANES) {
        struct indices k = indices_from(g, from);
        struct limbs folded = limbs_from_indices(k), k1, k2;
        mask negative = scalar_fold(&folded), negative1, negative2;
        for (int l = 0; l < LANES; l++) {
            struct operands o = {k.lane[l], 0, 0};
            unsigned least = o.u <= g->order / 2 ? o.u : g->order - o.u;
            expect_operands(limbs_extract(folded, 0, l) == least && mask_lane(negative, l) == (least != o.u),
                            "scalar_fold", g, o);
        }
        if (!CURVE.has_glv)
            continue;
        scalar_split(limbs_from_indices(k), &k1, &negative1, &k2, &negative2);
        for (int l = 0; l < LANES; l++)
            expect_short(g, k1, negative1, k2, negative2, k.lane[l], l);
    }
}

static void folding_and_splitting(void **state) {
    (void)state;
    for_each_group(fold_and_split_every_scalar, "scalar_split", 3);
}

/* a + b lambda modulo the order. */
static unsigned eisenstein_index(const struct group *g, int a, int b) {
    int order = (int)g->order;
    return (unsigned)(((a + b * (int)g->lambda) % order + order) % order);
}

/* The digits of long random integers by which unknown points are multiplied, as secret and as public ones; returns the
 * integers modulo the order. */
static struct indices recode_long(const struct group *g, struct prng *prng, uint32_t *digits, uint32_t *open) {
    struct integers k;
    mask negate1 = mask_random(prng), negate2 = mask_random(prng);
    integers_open(&k);
    integers_draw(&k, prng, CURVE.has_glv ? 126 : CURVE_BITS - 1);
    struct limbs k1 = integers_limbs(&k);
    integers_draw(&k, prng, 126);
    struct limbs k2 = integers_limbs(&k);
    integers_close(&k);
    struct indices r = signed_residues(g, k1, negate1), second = signed_residues(g, k2, negate2);
    if (!CURVE.has_glv) {
        recode_signed(&k1, negate1, TABLE_WINDOW, point_windows(), digits);
        recode_signed(&k1, negate1, TABLE_WINDOW, point_windows(), open);
        if (scalars_slide())
            sliding_recode_vartime(&k1, negate1, (uint8_t *)open);
        return r;
    }
    eisenstein_recode(&k1, negate1, &k2, negate2, digits);
    eisenstein_recode(&k1, negate1, &k2, negate2, open);
    if (scalars_slide())
        sliding_eisenstein_vartime(&k1, negate1, &k2, negate2, (uint8_t *)open);
    for (int l = 0; l < LANES; l++)
        r.lane[l] = index_add(g, r.lane[l], index_mul(g, second.lane[l], g->lambda));
    return r;
}

static int is_eisenstein(enum secrecy secrecy) { return secrecy == SECRET && secret_is_eisenstein(); }

static unsigned base_width(enum secrecy secrecy, const void *given) {
    return secrecy == SECRET ? secret_doublings() : public_width(given);
}

/* Digit j of those that a window of a table of G has an entry for, its sign and unit included; *value: what it stands
 * for. */
static uint32_t base_digit(const struct group *g, enum secrecy secrecy, unsigned j, unsigned *value) {
    int parts[2];
    if (!is_eisenstein(secrecy)) {
        *value = j;
        return 2 * j;
    }
    uint32_t digit = j / 6 << 3 | j % 6;
    eisenstein_value(digit, parts);
    *value = eisenstein_index(g, parts[0], parts[1]);
    return digit;
}

/* Entry j of window i is j 2^(width i) G. */
static void expect_table(const struct group *g, enum secrecy secrecy) {
    unsigned base = 1, width = base_width(secrecy, tables), entries = (1u << (width - 1)) + 1;
    if (is_eisenstein(secrecy))
        entries = 6 * EISENSTEIN_ENTRIES;
    for (unsigned i = 0; i < base_windows(secrecy, tables); i++) {
        for (unsigned first = 0; first < entries; first += LANES) {
            lane32 digits = lane32_set(0);
            struct indices expected;
            for (unsigned l = 0; l < LANES; l++) {
                unsigned value;
                uint32_t digit = base_digit(g, secrecy, (first + l) % entries, &value);
                digits = lane32_insert(digits, (int)l, digit);
                expected.lane[l] = (unsigned)((uint64_t)base * value % g->order);
                operands[l] = (struct operands){i, value, 1};
            }
            expect_elements(base_lookup(secrecy, tables, i, digits), expected, "base table", g, 0);
        }
        for (unsigned k = 0; k < width; k++)
            base = 2 * base % g->order;
    }
}

/* Multiply what base_recode makes of every scalar by G, and, where `stress`, 0 .. 2 n and long integers, which use
 * every window. */
static void set_base_products(const struct group *g, struct prng *prng, enum secrecy secrecy, unsigned slot,
                              unsigned first, int stress) {
    unsigned width = base_width(secrecy, tables);
    struct indices k = indices_from(g, first), residues = k;
    struct limbs integers = limbs_from_indices(k);
    if (stress && is_eisenstein(secrecy)) {
        residues = recode_long(g, prng, base_digits_at(&work, slot), public_digits_at(slot));
    } else if (stress) {
        struct integers any;
        mask negate = mask_random(prng);
        integers_open(&any);
        integers_draw(&any, prng, CURVE_BITS - 1);
        for (unsigned l = 0; l < LANES; l++)
            if (first + l <= 2 * g->order)
                mpz_set_ui(any.lane[l], first + l);
        integers = integers_limbs(&any);
        integers_close(&any);
        recode_signed(&integers, negate, width, WINDOW_COUNT(SCALAR_BITS, width), base_digits_at(&work, slot));
        residues = signed_residues(g, integers, negate);
    } else {
        base_recode(secrecy, tables, &integers, base_digits_at(&work, slot));
    }
    for (unsigned l = 0; l < LANES; l++)
        operands[slot * LANES + l] = (struct operands){residues.lane[l], 0, 0};
}

/* `count` slots at once, by one worker, or by three in turn: few are added up by a chain, many by affine sums. */
static void expect_base_batch(const struct group *g, struct prng *prng, enum secrecy secrecy, unsigned first,
                              unsigned count, int stress) {
    const unsigned workers = stress ? 3 : 1;
    for (unsigned i = 0; i < count; i++)
        set_base_products(g, prng, secrecy, i, first + i * LANES, stress);
    for (unsigned k = 0; k < workers; k++) {
        const struct worker w = {k, workers, count};
        if (secrecy == SECRET)
            batch_multiply_base(SECRET, &w, &work, tables);
        else
            batch_multiply_base(PUBLIC, &w, &work, tables);
    }
    for (unsigned i = 0; i < count; i++) {
        struct indices expected;
        for (unsigned l = 0; l < LANES; l++)
            expected.lane[l] = operands[i * LANES + l].u;
        expect_elements(affine_load(work.points, i), expected, secrecy == SECRET ? "k G, secret" : "k G, public", g, i);
    }
}

static void expect_base_products(const struct group *g, struct prng *prng, enum secrecy secrecy) {
    for (unsigned first = 0; first < g->order; first += ROWS)
        expect_base_batch(g, prng, secrecy, first, SLOTS, 0);
    for (unsigned first = 0; first < 2 * g->order + ROWS; first += ROWS)
        expect_base_batch(g, prng, secrecy, first, SLOTS, 1);
    expect_base_batch(g, prng, secrecy, 0, 3, 0);
    expect_base_batch(g, prng, secrecy, 2 * g->order - LANES, 3, 1);
}

/* Digits and points for a slot whose operands are set; in `stress` v becomes a long integer of whatever residue. */
static void set_point_products(const struct group *g, struct prng *prng, unsigned slot, int stress) {
    struct indices v, point;
    struct operands *o = operands + slot * LANES;
    for (unsigned l = 0; l < LANES; l++) {
        v.lane[l] = o[l].v;
        point.lane[l] = o[l].point;
    }
    struct limbs k = limbs_from_indices(v);
    if (stress)
        v = recode_long(g, prng, point_digits_at(&work, slot), public_digits_at(slot));
    if (!stress) {
        recode_point(&k, point_digits_at(&work, slot));
        recode_point_vartime(&k, public_digits_at(slot));
    }
    for (unsigned l = 0; l < LANES; l++)
        o[l].v = v.lane[l];
    affine_store(inputs, slot, affine_elements(g, point));
}

static void expect_tables(const struct group *g, unsigned slots) {
    for (unsigned i = 0; i < slots; i++)
        for (unsigned j = 0; j < (CURVE.has_glv ? EISENSTEIN_ENTRIES : TABLE_ENTRIES); j++) {
            struct indices expected;
            unsigned multiple = CURVE.has_glv ? eisenstein_index(g, EISENSTEIN_ENTRY[j][0], EISENSTEIN_ENTRY[j][1]) : j;
            for (unsigned l = 0; l < LANES; l++)
                expected.lane[l] = index_mul(g, multiple, operands[i * LANES + l].point);
            expect_elements(table_entry(&work, i, j), expected, "point table", g, i);
        }
}

static void expect_point_products(const struct group *g, unsigned slots) {
    struct worker w = worker_of_chunk(slots);
    const struct multiplication open = work_public();
    batch_tables(&w, &work, inputs);
    expect_tables(g, slots);
    for (int secrecy = PUBLIC; secrecy <= SECRET; secrecy++) {
        if (secrecy == SECRET)
            batch_multiply_point(SECRET, &w, &work);
        else
            batch_multiply_point(PUBLIC, &w, &open);
        for (unsigned i = 0; i < slots; i++) {
            struct indices expected;
            for (unsigned l = 0; l < LANES; l++) {
                struct operands o = operands[i * LANES + l];
                expected.lane[l] = index_mul(g, o.v, o.point);
            }
            expect_elements(affine_load(work.points, i), expected, secrecy == SECRET ? "v P, secret" : "v P, public", g,
                            i);
        }
    }
}

/* All pairs of a scalar and a point, or `most` random ones where those are too many. */
static void expect_pairs(const struct group *g, struct prng *prng, unsigned most, int stress) {
    unsigned pairs = g->order * g->order, tried = pairs < most ? pairs : most;
    for (unsigned at = 0; at < tried; at += ROWS) {
        unsigned rows = tried - at < ROWS ? tried - at : ROWS, slots = (rows + LANES - 1) / LANES;
        for (unsigned i = 0; i < slots * LANES; i++) {
            unsigned pair = tried == pairs ? (at + i) % pairs : (unsigned)prng_below(prng, pairs);
            operands[i] = (struct operands){0, pair / g->order, pair % g->order};
        }
        for (unsigned slot = 0; slot < slots; slot++)
            set_point_products(g, prng, slot, stress);
        expect_point_products(g, slots);
        expect_point_products(g, slots < 3 ? slots : 3); /* by chains */
    }
}

static void multiply_point(struct group *g, struct prng *prng) {
    unsigned most = g->order < 20 ? 400 : 128;
    expect_pairs(g, prng, (unsigned)repetitions(most, UINT32_MAX), 0);
    expect_pairs(g, prng, (unsigned)repetitions(most, 16 * ROWS), 1);
}

static void unknown_point(void **state) {
    (void)state;
    for_each_group(multiply_point, "batch_multiply_point", 3);
}

static void expect_sums(const struct group *g, unsigned slots) {
    struct worker w = worker_of_chunk(slots);
    const struct multiplication open = work_public();
    batch_multiply_add_vartime(&w, &open, tables, inputs);
    for (unsigned i = 0; i < slots; i++) {
        struct indices expected;
        for (unsigned l = 0; l < LANES; l++) {
            struct operands o = operands[i * LANES + l];
            expected.lane[l] = index_add(g, o.u, index_mul(g, o.v, o.point));
        }
        expect_elements(affine_load(work.points, i), expected, "u G + v P", g, i);
    }
}

/* Every (u, v, point), or random ones where those are too many. */
static void expect_every_sum(const struct group *g, struct prng *prng) {
    unsigned all = g->order * g->order * g->order, tried = all;
    if (g->order > 11)
        tried = (unsigned)repetitions(ROWS / 4, g->order < 40 ? all : 40 * ROWS);
    for (unsigned at = 0; at < tried; at += ROWS) {
        unsigned rows = tried - at < ROWS ? tried - at : ROWS, slots = (rows + LANES - 1) / LANES;
        for (unsigned i = 0; i < slots * LANES; i++) {
            unsigned triple = tried == all ? (at + i) % all : (unsigned)prng_below(prng, all);
            operands[i] =
                (struct operands){triple % g->order, triple / g->order % g->order, triple / g->order / g->order};
        }
        for (unsigned slot = 0; slot < slots; slot++) {
            struct indices u;
            for (unsigned l = 0; l < LANES; l++)
                u.lane[l] = operands[slot * LANES + l].u;
            struct limbs k = limbs_from_indices(u);
            base_recode(PUBLIC, tables, &k, base_digits_at(&work, slot));
            set_point_products(g, prng, slot, 0);
        }
        expect_sums(g, slots);
    }
}

static void multiply_by_tables(struct group *g, struct prng *prng) {
    struct arena scratch = arena;
    test_tables_fill(tables, &scratch);
    expect_table(g, SECRET);
    expect_table(g, PUBLIC);
    expect_base_products(g, prng, SECRET);
    expect_base_products(g, prng, PUBLIC);
    expect_every_sum(g, prng);
#ifndef TABLES_IN_ONE_PIECE
    test_tables_fill_width(tables, PUBLIC_WINDOW_FEW, &scratch);
    expect_table(g, PUBLIC);
    expect_base_products(g, prng, PUBLIC);
    expect_every_sum(g, prng);
#endif
}

static void fixed_base_and_sums(void **state) {
    (void)state;
    for_each_group(multiply_by_tables, "batch_multiply_base", 3);
}

/* Inverses of every scalar of the group, 0 among them, twice over and in several columns. */
static void invert_every_scalar(struct group *g, struct prng *prng) {
    enum { SLOTS_MOST = 2 * ORDER_MOST + SLOT_GROUP - 1 };
    _Alignas(64) static limb values[SLOTS_MOST * LIMBS * LANES], prefix[SLOTS_MOST * LIMBS * LANES];
    struct worker w = worker_of_chunk(g->order);
    (void)prng;
    for (unsigned i = 0; i < 2 * g->order; i++)
        limbs_store(values, i, scalar_encode(limbs_from_indices(indices_from(g, i))));
    batch_inverse_modulo(OWN_INVERSION, &w, &CURVE.n, 2, values, prefix);
    for (unsigned i = 0; i < 2 * g->order; i++) {
        struct indices k = indices_from(g, i);
        struct limbs inverses = scalar_decode(limbs_load(values, i));
        for (int l = 0; l < LANES; l++) {
            struct operands o = {k.lane[l], 0, 0};
            unsigned inverse = lane_mod_order(g, inverses, l);
            expect_operands(o.u == 0 ? inverse == 0 : index_mul(g, inverse, o.u) == 1, "1 / k", g, o);
        }
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

/* The real curve's scalars: k = +-k1 +-k2 lambda with both less than 2^128, and the digits of those. */
static void real_split(void **state) {
    static uint32_t digits[EISENSTEIN_WINDOWS * SLOT_GROUP * LANES];
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
        eisenstein_recode(&k1, negative1, &k2, negative2, digits);
        for (int lane = 0; lane < LANES; lane++) {
            short_scalar(n.r, k1, negative1, lane);
            short_scalar(second, k2, negative2, lane);
            expect_lane_eisenstein(digits, lane, n.r, second);
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
        cmocka_unit_test(eisenstein_digits), cmocka_unit_test(eisenstein_recoding),
        cmocka_unit_test(recoding),          cmocka_unit_test(folding_and_splitting),
        cmocka_unit_test(unknown_point),     cmocka_unit_test(fixed_base_and_sums),
        cmocka_unit_test(scalar_inverses),   cmocka_unit_test(real_split),
    };
    groups_read(name);
    memory_take();
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    memory_give();
    return failures;
}

#endif
