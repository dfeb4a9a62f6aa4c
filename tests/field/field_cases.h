/* The fields of CURVE, mod p and mod n, against GMP. */
#ifndef TESTS_FIELD_FIELD_CASES_H
#define TESTS_FIELD_FIELD_CASES_H

#include "any_field.h"

static void expect_constant(const char *what, const mpz_t expected, const struct limbs_constant *got) {
    expect_integer(what, expected, limbs_set(got), expected, expected);
}

/* The reduction of a modulus that comes as bytes, and of those beside it. */
static void expect_known(const struct modulus *modulus, enum reduction reduction) {
    uint8_t bytes[4 * WORDS];
    mpz_t m;
    mpz_init(m);
    integer_from_constant(m, &modulus->m);
    mpz_export(bytes, NULL, 1, 1, 1, 0, m);
    assert_int_equal(modulus_reduction(bytes, sizeof bytes), reduction);
    for (size_t bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(modulus_reduction(bytes, sizeof bytes), REDUCE_MONTGOMERY);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    if (reduction != REDUCE_MONTGOMERY) {
        struct modulus derived = modulus_derive(limbs_set(&modulus->m));
        derived = modulus_reduced(&derived, reduction);
        expect_constants(&derived, modulus);
    }
    mpz_clear(m);
}

static void constants(void **state) {
    struct ring p;
    (void)state;
    expect_modulus(&CURVE.p);
    expect_modulus(&CURVE.n);
    /* as every curve says, but for tests */
    if (CURVE.p.reduction != REDUCE_MONTGOMERY && CURVE.p.reduction < REDUCE_OWN)
        if (CURVE_BITS % 32 == 0) /* as gecc/mod.h has them */
            expect_known(&CURVE.p, CURVE.p.reduction);
    if (CURVE_BITS % 32 == 0)
        expect_known(&CURVE.n, REDUCE_MONTGOMERY);
    ring_open(&p, &CURVE.p);
    mpz_add_ui(p.r, p.m, 1);
    mpz_fdiv_q_2exp(p.r, p.r, 2);
    expect_chain(&CURVE.sqrt, p.r);
    integer_from_constant(p.r, &CURVE.n.m);
    mpz_fdiv_q_2exp(p.r, p.r, 1);
    expect_constant("n / 2", p.r, &CURVE.half_order);
    if (CURVE.a_form != A_IS_ANY) {
        mpz_set_si(p.r, CURVE.a_form == A_IS_0 ? 0 : -3);
        expect_residue(&p, "a", fe_set(&CURVE.a));
    }
    ring_close(&p);
}

/* A square's root is one of two; what has none is not the square of what fe_sqrt gives. */
static void square_roots(void **state) {
    struct prng prng = prng_for("fe_sqrt");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = lane_repetitions(500, 50000); i > 0; i--) {
        operand_draw(&p, &p.a, &prng);
        for (int lane = 0; lane < LANES; lane++)
            if (prng_below(&prng, 2)) {
                mpz_powm_ui(p.r, p.a.value[lane], 2, p.m);
                operand_set(&p, &p.a, lane, p.r, &prng);
            }
        mask square = fe_equal(fe_sqr(fe_sqrt(p.a.x)), p.a.x);
        for (int lane = 0; lane < LANES; lane++)
            expect_lane_mask("a is a square", mpz_legendre(p.a.value[lane], p.m) >= 0, square, lane, p.a.value[lane],
                             p.m);
    }
    ring_close(&p);
}

/* Runs them all; the result is main's. */
static int field_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants), cmocka_unit_test(modulo_p),     cmocka_unit_test(modulo_n),
        cmocka_unit_test(inverses),  cmocka_unit_test(square_roots), cmocka_unit_test(elements),
        cmocka_unit_test(sums),      cmocka_unit_test(extremes),     cmocka_unit_test(scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
