/* The fields of CURVE, which has twisted Edwards form, against GMP. */
#ifndef TESTS_FIELD_EDWARDS_FIELD_CASES_H
#define TESTS_FIELD_EDWARDS_FIELD_CASES_H

#include "any_field.h"

#include "curve/edwards.h"

static void constants(void **state) {
    struct ring p, n;
    mpz_t t;
    (void)state;
    mpz_init(t);
    expect_modulus(&CURVE.p);
    expect_modulus(&CURVE.n);
    ring_open(&p, &CURVE.p);
    ring_open(&n, &CURVE.n);
    mpz_sub_ui(p.r, p.m, 5);
    mpz_fdiv_q_2exp(p.r, p.r, 3);
    expect_chain(&CURVE.sqrt, p.r);
    mpz_sub_ui(p.r, p.m, 1);
    expect_residue(&p, "i^2", fe_sqr(fe_set(&CURVE.sqrt_minus_one)));
    expect_mask("2 d", 1, fe_equal(fe_set(&CURVE.twice_d), fe_double(fe_set(&CURVE.d))), p.m, p.m);
    /* (A + 2) / 4 for A = 2 (a + d) / (a - d), a = -1, is -d ... = 1 / (1 + d) */
    fe one_and_d = fe_add(fe_one(), fe_set(&CURVE.d));
    mpz_set_ui(p.r, 1);
    expect_residue(&p, "(A + 2) / 4", fe_mul(fe_set(&CURVE.ladder), one_and_d));
    mpz_ui_pow_ui(n.r, 2, 32 * WORDS);
    mpz_mod(n.r, n.r, n.m);
    expect_residue(&n, "2^(32 WORDS)", scalar_mul(limbs_one(), scalar_set(&CURVE.upper)));
    ring_close(&p);
    ring_close(&n);
    mpz_clear(t);
}

/* x^2 = u / v where there is such an x, and where not is told. */
static void square_roots(void **state) {
    struct prng prng = prng_for("fe_sqrt_ratio");
    struct ring p;
    mpz_t inverse;
    (void)state;
    mpz_init(inverse);
    ring_open(&p, &CURVE.p);
    for (size_t i = lane_repetitions(500, 50000); i > 0; i--) {
        mask exists;
        operand_draw(&p, &p.a, &prng);
        operand_draw(&p, &p.b, &prng);
        fe x = fe_sqrt_ratio(p.a.x, p.b.x, &exists);
        mask right = fe_equal(fe_mul(fe_sqr(x), p.b.x), p.a.x);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_mul(inverse, p.a.value[lane], p.b.value[lane]);
            int square =
                mpz_legendre(inverse, p.m) >= 0 && (mpz_sgn(p.b.value[lane]) != 0 || mpz_sgn(p.a.value[lane]) == 0);
            expect_lane_mask("u / v is a square", square, exists, lane, p.a.value[lane], p.b.value[lane]);
            expect_lane_mask("v x^2 = u", square, right, lane, p.a.value[lane], p.b.value[lane]);
        }
    }
    ring_close(&p);
    mpz_clear(inverse);
}

/* Products with (A + 2) / 4, which machines have a shorter way for. */
static void ladder_products(void **state) {
    struct prng prng = prng_for("fe_mul_ladder");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = lane_repetitions(2000, 200000); i > 0; i--) {
        operand_draw(&p, &p.a, &prng);
        fe product = fe_mul_ladder(p.a.x);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_mul_ui(p.r, p.a.value[lane], 121666);
            expect_residue_lane(&p, "121,666 a", product, lane, p.r);
        }
    }
    ring_close(&p);
}

/* Runs them all; the result is main's. */
static int edwards_field_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants),    cmocka_unit_test(modulo_p),
        cmocka_unit_test(modulo_n),     cmocka_unit_test(inverses),
        cmocka_unit_test(square_roots), cmocka_unit_test(elements),
        cmocka_unit_test(sums),         cmocka_unit_test(extremes),
        cmocka_unit_test(scalars),      cmocka_unit_test(ladder_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
