/* k G by odd digits, on the model of the GPU's machine: the digits, the order in which windows are added, and the
 * products of scalars for which another order would meet equal points. */
#ifndef TESTS_BATCH_ODD_WINDOW_CASES_H
#define TESTS_BATCH_ODD_WINDOW_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gmp.h>

#include "../limbs/integers.h"

#include "batch/multiply.h"
#include "support/base_tables.h"

static void *tables;

/* 0 <= k < n in every digit's column: odd digits whose sum is k modulo n. */
static void expect_odd_digits(const mpz_t k, const mpz_t n, const uint32_t *digits) {
    mpz_t sum, digit;
    mpz_inits(sum, digit, NULL);
    for (unsigned i = 0; i < base_windows(SECRET, tables); i++) {
        lane32 column = digit_load(digits, i);
        assert_in_range(digit_magnitude(column), 1, 1u << (SECRET_WINDOW - 1));
        mpz_set_ui(digit, 2 * digit_magnitude(column) - 1);
        mpz_mul_2exp(digit, digit, SECRET_WINDOW * i);
        (digit_is_negative(column) ? mpz_sub : mpz_add)(sum, sum, digit);
    }
    assert_true(mpz_cmpabs(sum, n) <= 0);
    assert_true(mpz_congruent_p(sum, k, n));
    mpz_clears(sum, digit, NULL);
}

/* k G by doublings and additions that are right for all points. */
static struct jacobian product_bit_by_bit(const mpz_t k) {
    struct jacobian r = jacobian_infinity();
    struct affine g = affine_generator();
    for (size_t bit = mpz_sizeinbase(k, 2); bit-- > 0;) {
        jacobian_double(&r);
        if (mpz_tstbit(k, bit))
            jacobian_add_affine(&r, &g);
    }
    return r;
}

static void expect_product(const mpz_t k, const mpz_t n) {
    static uint32_t digits[BASE_DIGITS * SLOT_GROUP];
    struct limbs integer = limbs_from_integer(k);
    base_recode(SECRET, tables, &integer, digits);
    expect_odd_digits(k, n, digits);
    struct xyzz got = base_multiply(SECRET, tables, digits).point;
    struct jacobian expected = product_bit_by_bit(k);
    mask infinity = jacobian_is_infinity(&expected);
    assert_int_equal(fe_is_zero(got.zz), infinity);
    assert_int_equal(fe_is_zero(got.zzz), infinity);
    if (!infinity) {
        fe zz = fe_sqr(expected.z);
        assert_true(fe_equal(fe_mul(got.x, zz), fe_mul(expected.x, got.zz)));
        assert_true(fe_equal(fe_mul(got.y, fe_mul(zz, expected.z)), fe_mul(expected.y, got.zzz)));
    }
}

/* About 0 and n; and 2 d 2^(width i) modulo n, where window i, if it were the last one, might add d 2^(width i) G to
 * itself. */
static void special_scalars(void **state) {
    mpz_t n, k;
    (void)state;
    mpz_inits(n, k, NULL);
    integer_from_limbs(n, limbs_set(&CURVE.n.m));
    for (unsigned i = 0; i < 20; i++) {
        mpz_set_ui(k, i);
        expect_product(k, n);
        mpz_sub_ui(k, n, i + 1);
        expect_product(k, n);
    }
    const unsigned windows[] = {0, 1, ODD_LAST_WINDOW, base_windows(SECRET, tables) - 1};
    for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++)
        for (unsigned d = 1; d < 1u << SECRET_WINDOW; d += (unsigned)repetitions(16, 2)) {
            mpz_set_ui(k, 2 * d);
            mpz_mul_2exp(k, k, SECRET_WINDOW * windows[i]);
            mpz_mod(k, k, n);
            expect_product(k, n);
            mpz_sub(k, n, k);
            mpz_mod(k, k, n);
            expect_product(k, n);
        }
    mpz_clears(n, k, NULL);
}

static void random_scalars(void **state) {
    struct prng prng = prng_for("odd windows");
    mpz_t n, k;
    (void)state;
    mpz_inits(n, k, NULL);
    integer_from_limbs(n, limbs_set(&CURVE.n.m));
    for (size_t i = repetitions(200, 20000); i > 0; i--) {
        integer_random(k, &prng);
        mpz_mod(k, k, n);
        expect_product(k, n);
    }
    mpz_clears(n, k, NULL);
}

/* What docs/constant-time.md needs of the window that is added last: n's odd digit there is negative, and the bits of n
 * are not all the same. */
static void last_window(void **state) {
    mpz_t n, bits;
    (void)state;
    mpz_inits(n, bits, NULL);
    integer_from_limbs(n, limbs_set(&CURVE.n.m));
    mpz_fdiv_q_2exp(bits, n, SECRET_WINDOW * ODD_LAST_WINDOW + 1);
    assert_false(mpz_tstbit(bits, SECRET_WINDOW - 1));
    mpz_fdiv_q_2exp(bits, n, SECRET_WINDOW * ODD_LAST_WINDOW);
    assert_in_range(mpz_fdiv_ui(bits, 1u << SECRET_WINDOW), 1, (1u << SECRET_WINDOW) - 2);
    mpz_clears(n, bits, NULL);
    unsigned seen[BASE_DIGITS] = {0};
    for (unsigned i = 0; i < base_windows(SECRET, tables); i++)
        seen[secret_order(i)]++;
    for (unsigned i = 0; i < base_windows(SECRET, tables); i++)
        assert_int_equal(seen[i], 1);
}

static int build_tables(void **state) {
    struct arena arena = {NULL, TEST_TABLES_SCRATCH, 0};
    (void)state;
    if (posix_memalign(&tables, 64, TEST_TABLES_BYTES) || posix_memalign((void **)&arena.base, 64, TEST_TABLES_SCRATCH))
        return -1;
    test_tables_fill(tables, &arena);
    free(arena.base);
    return 0;
}

static int free_tables(void **state) {
    (void)state;
    free(tables);
    return 0;
}

static int odd_window_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_window),
        cmocka_unit_test(special_scalars),
        cmocka_unit_test(random_scalars),
    };
    return cmocka_run_group_tests(tests, build_tables, free_tables);
}

#endif
