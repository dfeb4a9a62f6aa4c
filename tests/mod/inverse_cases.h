/* Inverses modulo any odd number on the machine that is included before, alone and in batches, against GMP. */
#ifndef TESTS_MOD_INVERSE_CASES_H
#define TESTS_MOD_INVERSE_CASES_H

#include "../limbs/integers.h"

#include "batch/batch.h"
#include "field/modulus.h"

enum { BATCH = 40 };

struct numbers {
    struct prng prng;
    mpz_t limit;    /* of the moduli: 2^(32 WORDS) */
    mpz_t radix, m; /* R, a modulus */
    mpz_t a[LANES]; /* residues */
    mpz_t r, t;
};

static int numbers_open(void **state) {
    static struct numbers n;
    n.prng = prng_for("inverse");
    mpz_inits(n.limit, n.radix, n.m, n.r, n.t, NULL);
    for (int lane = 0; lane < LANES; lane++)
        mpz_init(n.a[lane]);
    integer_radix(n.radix);
    mpz_setbit(n.limit, 32 * WORDS);
    *state = &n;
    return 0;
}

static int numbers_close(void **state) {
    struct numbers *n = *state;
    for (int lane = 0; lane < LANES; lane++)
        mpz_clear(n->a[lane]);
    mpz_clears(n->limit, n->radix, n->m, n->r, n->t, NULL);
    return 0;
}

/* m = an odd number of 2 to 32 WORDS bits: random with edges among its limbs, a multiple of 3, a square, a power of 2
 * plus 1 or less 1. */
static void draw_modulus(struct numbers *n) {
    uint64_t kind = prng_below(&n->prng, 6), bits = 2 + prng_below(&n->prng, 32 * WORDS - 1);
    integer_random(n->m, &n->prng);
    mpz_fdiv_r_2exp(n->m, n->m, kind == 1 ? bits : 32 * WORDS);
    if (kind >= 4)
        mpz_ui_pow_ui(n->m, 2, bits);
    if (kind == 5)
        mpz_sub_ui(n->m, n->m, 1);
    if (kind == 3)
        mpz_sqrt(n->m, n->m);
    if (kind == 2)
        mpz_fdiv_q_ui(n->m, n->m, 4);
    mpz_setbit(n->m, 0);
    if (kind == 3)
        mpz_mul(n->m, n->m, n->m);
    if (kind == 2)
        mpz_mul_ui(n->m, n->m, 3);
    if (mpz_cmp_ui(n->m, 3) < 0 || mpz_cmp(n->m, n->limit) >= 0)
        mpz_set_ui(n->m, 3);
}

/* A lane's residue: random, an edge, a power of 2 (many division steps of one kind), a multiple of 3. */
static void draw_residue(struct numbers *n, int lane) {
    uint64_t kind = prng_below(&n->prng, 8);
    mpz_t *a = &n->a[lane];
    integer_random(*a, &n->prng);
    if (kind == 0)
        mpz_set_ui(*a, prng_below(&n->prng, 3));
    if (kind == 1)
        mpz_sub_ui(*a, n->m, 1 + prng_below(&n->prng, 2));
    if (kind == 2)
        mpz_ui_pow_ui(*a, 2, prng_below(&n->prng, LIMBS * LIMB_BITS));
    if (kind == 3)
        mpz_fdiv_q_2exp(*a, n->m, 1);
    if (kind == 4)
        mpz_mul_ui(*a, *a, 3);
    mpz_mod(*a, *a, n->m);
}

static struct modulus derive(const mpz_t m) { return modulus_derive(limbs_from_integer(m)); }

/* t = the representation a R mod m. */
static void represent(struct numbers *n, mpz_t t, const mpz_t a) {
    mpz_mul(t, a, n->radix);
    mpz_mod(t, t, n->m);
}

/* The representations of all lanes' residues. */
static struct limbs represent_lanes(struct numbers *n) {
    struct limbs x = limbs_zero();
    for (int lane = 0; lane < LANES; lane++) {
        represent(n, n->t, n->a[lane]);
        limbs_insert(&x, lane, constant_from_integer(n->t));
    }
    return x;
}

/* r = the inverse of a lane, 0 where there is none; returns whether there is one. */
static int reference_inverse(struct numbers *n, int lane) {
    int exists = mpz_invert(n->r, n->a[lane], n->m) != 0;
    if (!exists)
        mpz_set_ui(n->r, 0);
    return exists;
}

/* The lanes of x, made canonical, represent the inverses of the residues; returns where there are any. */
static mask expect_inverses(struct numbers *n, const struct modulus *m, const char *what, struct limbs x) {
    mask exist = mask_set(0);
    x = modular_canonical(m, x);
    for (int lane = 0; lane < LANES; lane++) {
        exist = mask_insert(exist, lane, reference_inverse(n, lane));
        represent(n, n->t, n->r);
        expect_lane(what, n->t, x, lane, n->a[lane], n->m);
    }
    return exist;
}

static void expect_inverse(struct numbers *n, const struct modulus *m) {
    mask exist;
    struct limbs got = modular_inverse(m, represent_lanes(n), &exist);
    assert_true(exist == expect_inverses(n, m, "inverse", got));
}

static void constants_of_a_modulus(void **state) {
    struct numbers *n = *state;
    for (size_t i = 0; i < repetitions(2000, 200000); i++) {
        draw_modulus(n);
        struct modulus m = derive(n->m);
        mpz_mod(n->r, n->radix, n->m);
        expect_integer("R mod m", n->r, limbs_set(&m.one), n->radix, n->m);
        mpz_mul(n->r, n->r, n->r);
        mpz_mod(n->r, n->r, n->m);
        expect_integer("R^2 mod m", n->r, limbs_set(&m.r_squared), n->radix, n->m);
        expect_integer("m", n->m, limbs_set(&m.m), n->radix, n->m);
        assert_true((limb)(m.negative_inverse * m.m.v[0] + 1) << (8 * sizeof(limb) - LIMB_BITS) == 0);
        assert_int_equal(m.reduction, REDUCE_MONTGOMERY);
    }
}

static void inverses_of_random_residues(void **state) {
    struct numbers *n = *state;
    for (size_t i = 0; i < lane_repetitions(5000, 1000000); i++) {
        if (i % 10 == 0 || LANES > 1)
            draw_modulus(n);
        struct modulus m = derive(n->m);
        for (int lane = 0; lane < LANES; lane++)
            draw_residue(n, lane);
        expect_inverse(n, &m);
    }
}

static void every_residue_of_small_moduli(void **state) {
    struct numbers *n = *state;
    for (unsigned modulus = 3; modulus < 120; modulus += 2) {
        mpz_set_ui(n->m, modulus);
        struct modulus m = derive(n->m);
        for (unsigned a = 0; a < modulus; a += LANES) {
            for (unsigned lane = 0; lane < LANES; lane++)
                mpz_set_ui(n->a[lane], (a + lane) % modulus);
            expect_inverse(n, &m);
        }
    }
}

/* A lane's residue, or, unless `spoil` is set, one that is 0 or has an inverse. */
static void draw_for_batch(struct numbers *n, int lane, int spoil) {
    do {
        draw_residue(n, lane);
    } while (!spoil && mpz_sgn(n->a[lane]) != 0 && !reference_inverse(n, lane));
}

/* `depth` columns of BATCH slots and one inversion; zeros among them and, if `spoil` is set, others without inverse. */
static void expect_batch(struct numbers *n, const struct modulus *m, size_t depth, int spoil) {
    enum { BATCH_SLOTS = 2 * BATCH + SLOT_GROUP - 1 };
    _Alignas(64) static limb values[BATCH_SLOTS * LIMBS * LANES], prefix[BATCH_SLOTS * LIMBS * LANES];
    static struct limbs before[2 * BATCH];
    struct worker w = worker_of_chunk(BATCH);
    for (size_t i = 0; i < depth * BATCH; i++) {
        for (int lane = 0; lane < LANES; lane++)
            draw_for_batch(n, lane, spoil);
        before[i] = represent_lanes(n);
        limbs_store(values, i, before[i]);
    }
    batch_inverse_modulo(OWN_INVERSION, &w, m, depth, values, prefix);
    for (size_t i = 0; i < depth * BATCH; i++) {
        struct limbs decoded = modular_decode(m, before[i]);
        for (int lane = 0; lane < LANES; lane++)
            integer_from_lane(n->a[lane], decoded, lane);
        expect_inverses(n, m, "inverse in a batch", limbs_load(values, i));
    }
}

static void batches(void **state) {
    struct numbers *n = *state;
    for (size_t i = 0; i < lane_repetitions(60, 6000); i++) {
        draw_modulus(n);
        struct modulus m = derive(n->m);
        expect_batch(n, &m, 1 + i % 2, i / 2 % 2);
    }
}

static inline int inverse_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_of_a_modulus),
        cmocka_unit_test(inverses_of_random_residues),
        cmocka_unit_test(every_residue_of_small_moduli),
        cmocka_unit_test(batches),
    };
    return cmocka_run_group_tests_name("inverse", tests, numbers_open, numbers_close);
}

#endif
