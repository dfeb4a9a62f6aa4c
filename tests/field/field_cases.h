/* The fields of CURVE, mod p and mod n, against GMP. */
#ifndef TESTS_FIELD_FIELD_CASES_H
#define TESTS_FIELD_FIELD_CASES_H

#include "../limbs/modular_cases.h"

#include "field/field.h"

enum { FAST_PRODUCTS = 100000, SLOW_PRODUCTS = 10000000 };

static void expect_constant(const char *what, const mpz_t expected, const struct limbs_constant *got) {
    expect_integer(what, expected, limbs_set(got), expected, expected);
}

/* Every constant follows from m. */
static void expect_modulus(const struct modulus *modulus) {
    struct modulus derived;
    mpz_t m;
    mpz_init(m);
    integer_from_limbs(m, limbs_set(&modulus->m));
    assert_int_not_equal(mpz_probab_prime_p(m, 30), 0);
    modulus_set(&derived, m, modulus->reduction);
    assert_memory_equal(&derived.m, &modulus->m, sizeof derived.m);
    assert_memory_equal(&derived.one, &modulus->one, sizeof derived.one);
    assert_memory_equal(&derived.r_squared, &modulus->r_squared, sizeof derived.r_squared);
    assert_int_equal(derived.negative_inverse, modulus->negative_inverse);
    assert_int_equal(derived.c, modulus->c);
    mpz_clear(m);
}

static void constants(void **state) {
    struct ring p;
    (void)state;
    expect_modulus(&CURVE.p);
    expect_modulus(&CURVE.n);
    ring_open(&p, &CURVE.p);
    mpz_add_ui(p.r, p.m, 1);
    mpz_fdiv_q_2exp(p.r, p.r, 2);
    expect_constant("(p + 1) / 4", p.r, &CURVE.sqrt_exponent);
    integer_from_limbs(p.r, limbs_set(&CURVE.n.m));
    mpz_fdiv_q_2exp(p.r, p.r, 1);
    expect_constant("n / 2", p.r, &CURVE.half_order);
    mpz_set_si(p.r, CURVE.a_is_zero ? 0 : -3);
    expect_residue(&p, "a", fe_set(&CURVE.a));
    ring_close(&p);
}

static void modulo_p(void **state) {
    struct prng prng = prng_for("field mod p");
    (void)state;
    modular_cases(&CURVE.p, &prng, repetitions(20000, 1000000));
    modular_products(&CURVE.p, &prng, repetitions(FAST_PRODUCTS, SLOW_PRODUCTS));
    modular_powers(&CURVE.p, &prng, repetitions(200, 20000));
}

static void modulo_n(void **state) {
    struct prng prng = prng_for("field mod n");
    (void)state;
    modular_cases(&CURVE.n, &prng, repetitions(20000, 1000000));
    modular_products(&CURVE.n, &prng, repetitions(FAST_PRODUCTS, SLOW_PRODUCTS));
    modular_powers(&CURVE.n, &prng, repetitions(200, 20000));
}

static void inverses(void **state) {
    struct prng prng = prng_for("inverses");
    (void)state;
    modular_inverses(&CURVE.p, &prng, repetitions(2000, 200000));
    modular_inverses(&CURVE.n, &prng, repetitions(2000, 200000));
    assert_true(fe_equal(fe_mul(fe_inverse(fe_double(fe_one())), fe_double(fe_one())), fe_one()));
    assert_true(fe_is_zero(fe_inverse(fe_zero())));
}

/* A square's root is one of two; what has none is not the square of what fe_sqrt gives. */
static void square_roots(void **state) {
    struct prng prng = prng_for("fe_sqrt");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = repetitions(500, 50000); i > 0; i--) {
        ring_draw(&p, p.a, &prng);
        if (i % 2)
            mpz_powm_ui(p.a, p.a, 2, p.m);
        struct limbs x = ring_represent(&p, p.a);
        expect_mask("a is a square", mpz_legendre(p.a, p.m) >= 0, fe_equal(fe_sqr(fe_sqrt(x)), x), p.a, p.b);
    }
    ring_close(&p);
}

/* The shorthands of field.h are the operations they name, and of the right modulus. */
static void elements(void **state) {
    struct prng prng = prng_for("fe");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = repetitions(5000, 100000); i > 0; i--) {
        ring_draw(&p, p.a, &prng);
        ring_draw(&p, p.b, &prng);
        fe x = ring_represent(&p, p.a), y = ring_represent(&p, p.b);
        mpz_add(p.r, p.a, p.b);
        expect_residue(&p, "fe_add", fe_add(x, y));
        mpz_sub(p.r, p.a, p.b);
        expect_residue(&p, "fe_sub", fe_sub(x, y));
        mpz_mul(p.r, p.a, p.b);
        expect_residue(&p, "fe_mul", fe_mul(x, y));
        mpz_mul(p.r, p.a, p.a);
        expect_residue(&p, "fe_sqr", fe_sqr(x));
        mpz_neg(p.r, p.a);
        expect_residue(&p, "fe_neg", fe_neg(x));
        mpz_mul_ui(p.r, p.a, 2);
        expect_residue(&p, "fe_double", fe_double(x));
        mpz_mul_ui(p.r, p.a, 3);
        expect_residue(&p, "fe_triple", fe_triple(x));
        mpz_set(p.r, p.a);
        expect_residue(&p, "2 * fe_half", fe_double(fe_half(x)));
        expect_integer("fe_decode", p.a, fe_decode(x), p.a, p.b);
    }
    mpz_set_ui(p.r, 1);
    expect_residue(&p, "fe_one", fe_one());
    mpz_set_ui(p.r, 0);
    expect_residue(&p, "fe_zero", fe_zero());
    ring_close(&p);
}

/* r = a number about 0, n or R, or any. */
static struct limbs scalar_candidate(struct prng *prng) {
    struct limbs x = limbs_random(prng), near = {{prng_below(prng, 5)}}, n = limbs_set(&CURVE.n.m);
    mask carry;
    switch (prng_below(prng, 4)) {
    case 0:
        return near;
    case 1:
        return limbs_sub(limbs_add(n, near, &carry), (struct limbs){{2}}, &carry);
    case 2:
        return limbs_sub(limbs_zero(), near, &carry);
    default:
        return x;
    }
}

static void scalars(void **state) {
    struct prng prng = prng_for("scalar");
    struct ring n;
    (void)state;
    ring_open(&n, &CURVE.n);
    for (size_t i = repetitions(5000, 100000); i > 0; i--) {
        struct limbs k = scalar_candidate(&prng);
        integer_from_limbs(n.a, k);
        expect_mask("0 < k < n", mpz_sgn(n.a) > 0 && mpz_cmp(n.a, n.m) < 0, scalar_in_range(k), n.a, n.a);
        mpz_mod(n.r, n.a, n.m);
        expect_integer("k mod n", n.r, scalar_reduce(k), n.a, n.a);
        scalar x = scalar_encode(k);
        expect_mask("k = 0 mod n", mpz_sgn(n.r) == 0, scalar_is_zero(x), n.a, n.a);
        expect_residue(&n, "scalar_encode", x);
        mpz_mul(n.r, n.a, n.a);
        expect_residue(&n, "scalar_mul", scalar_mul(x, x));
        mpz_add_ui(n.r, n.a, 1);
        expect_residue(&n, "scalar_add", scalar_add(x, scalar_one()));
        mpz_sub_ui(n.r, n.a, 1);
        expect_residue(&n, "scalar_sub", scalar_sub(x, scalar_one()));
        mpz_neg(n.r, n.a);
        expect_residue(&n, "scalar_neg", scalar_neg(x));
        expect_mask("k = k mod n", 1, scalar_equal(x, x), n.a, n.a);
        expect_mask("k = k + 1 mod n", 0, scalar_equal(x, scalar_add(x, scalar_one())), n.a, n.a);
    }
    ring_close(&n);
}

/* Runs them all; the result is main's. */
static int field_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants), cmocka_unit_test(modulo_p),     cmocka_unit_test(modulo_n),
        cmocka_unit_test(inverses),  cmocka_unit_test(square_roots), cmocka_unit_test(elements),
        cmocka_unit_test(scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
