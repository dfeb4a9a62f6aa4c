/* Inverses modulo any odd number on the machine that is included before, alone and in batches, against GMP. */
#ifndef TESTS_MOD_INVERSE_CASES_H
#define TESTS_MOD_INVERSE_CASES_H

#include "../limbs/integers.h"

#include "batch/batch.h"
#include "field/modulus.h"

enum { BATCH = 40 };

struct numbers {
    struct prng prng;
    mpz_t radix, m, a, r, t;
};

static int numbers_open(void **state) {
    static struct numbers n;
    n.prng = prng_for("inverse");
    mpz_inits(n.radix, n.m, n.a, n.r, n.t, NULL);
    integer_radix(n.radix);
    *state = &n;
    return 0;
}

static int numbers_close(void **state) {
    struct numbers *n = *state;
    mpz_clears(n->radix, n->m, n->a, n->r, n->t, NULL);
    return 0;
}

/* m = an odd number of 2 to LIMBS * LIMB_BITS bits: random with edges among its limbs, a multiple of 3, a square, a
 * power of 2 plus 1 or less 1. */
static void draw_modulus(struct numbers *n) {
    uint64_t kind = prng_below(&n->prng, 6), bits = 2 + prng_below(&n->prng, LIMBS * LIMB_BITS - 1);
    integer_from_limbs(n->m, limbs_random(&n->prng));
    if (kind == 1)
        mpz_fdiv_r_2exp(n->m, n->m, bits);
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
    if (mpz_cmp_ui(n->m, 3) < 0 || mpz_cmp(n->m, n->radix) >= 0)
        mpz_set_ui(n->m, 3);
}

/* a = a residue: random, an edge, a power of 2 (many division steps of one kind), a multiple of 3. */
static void draw_residue(struct numbers *n) {
    uint64_t kind = prng_below(&n->prng, 8);
    integer_from_limbs(n->a, limbs_random(&n->prng));
    if (kind == 0)
        mpz_set_ui(n->a, prng_below(&n->prng, 3));
    if (kind == 1)
        mpz_sub_ui(n->a, n->m, 1 + prng_below(&n->prng, 2));
    if (kind == 2)
        mpz_ui_pow_ui(n->a, 2, prng_below(&n->prng, LIMBS * LIMB_BITS));
    if (kind == 3)
        mpz_fdiv_q_2exp(n->a, n->m, 1);
    if (kind == 4)
        mpz_mul_ui(n->a, n->a, 3);
    mpz_mod(n->a, n->a, n->m);
}

static struct modulus derive(const mpz_t m) { return modulus_derive(limbs_from_integer(m)); }

/* The representation a R mod m. */
static struct limbs represent(struct numbers *n, const mpz_t a) {
    mpz_mul(n->t, a, n->radix);
    mpz_mod(n->t, n->t, n->m);
    return limbs_from_integer(n->t);
}

/* r = the inverse, 0 where there is none; returns whether there is one. */
static int reference_inverse(struct numbers *n) {
    int exists = mpz_invert(n->r, n->a, n->m) != 0;
    if (!exists)
        mpz_set_ui(n->r, 0);
    return exists;
}

static void expect_inverse(struct numbers *n, const struct modulus *m) {
    mask exists;
    struct limbs got = modular_inverse(m, represent(n, n->a), &exists);
    expect_mask("an inverse exists", reference_inverse(n), exists, n->a, n->m);
    represent(n, n->r);
    expect_integer("inverse", n->t, got, n->a, n->m);
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
    for (size_t i = 0; i < repetitions(5000, 1000000); i++) {
        if (i % 10 == 0)
            draw_modulus(n);
        struct modulus m = derive(n->m);
        draw_residue(n);
        expect_inverse(n, &m);
    }
}

static void every_residue_of_small_moduli(void **state) {
    struct numbers *n = *state;
    for (unsigned modulus = 3; modulus < 120; modulus += 2) {
        mpz_set_ui(n->m, modulus);
        struct modulus m = derive(n->m);
        for (unsigned a = 0; a < modulus; a++) {
            mpz_set_ui(n->a, a);
            expect_inverse(n, &m);
        }
    }
}

/* `depth` columns of BATCH slots and one inversion; zeros among them and, if `spoil` is set, others without inverse. */
static void expect_batch(struct numbers *n, const struct modulus *m, size_t depth, int spoil) {
    static limb values[2 * BATCH * LIMBS], prefix[2 * BATCH * LIMBS];
    static struct limbs before[2 * BATCH];
    struct worker w = worker_of_chunk(BATCH);
    for (size_t i = 0; i < depth * BATCH; i++) {
        do {
            draw_residue(n);
        } while (!spoil && mpz_sgn(n->a) != 0 && !reference_inverse(n));
        before[i] = represent(n, n->a);
        limbs_store(values, i, before[i]);
    }
    batch_inverse_modulo(&w, m, depth, values, prefix);
    for (size_t i = 0; i < depth * BATCH; i++) {
        integer_from_limbs(n->t, modular_decode(m, before[i]));
        mpz_set(n->a, n->t);
        reference_inverse(n);
        represent(n, n->r);
        expect_integer("inverse in a batch", n->t, limbs_load(values, i), n->a, n->m);
    }
}

static void batches(void **state) {
    struct numbers *n = *state;
    for (size_t i = 0; i < repetitions(60, 6000); i++) {
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
