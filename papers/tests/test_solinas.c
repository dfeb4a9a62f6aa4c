/* Schoolbook products and the reduction of Solinas modulo SM2's prime, on the model of the GPU's machine, against
 * GMP. */
enum { LIMBS = 8, WORDS = 8 };

#include "papers/limbs/multiply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <gmp.h>

#include "limbs/integers.h"

/* r = the integer of n limbs. */
static void integer_of(mpz_t r, const limb *v, size_t n) { mpz_import(r, n, -1, sizeof *v, 0, 0, v); }

/* Random limbs, all ones or zeros among them. */
static void draw(limb *v, size_t n, struct prng *prng) {
    for (size_t i = 0; i < n; i++) {
        uint64_t kind = prng_below(prng, 6);
        v[i] = kind == 0 ? 0 : kind == 1 ? 0xffffffff : (limb)prng_below(prng, (uint64_t)1 << 32);
    }
}

static void products(void **state) {
    struct prng prng = prng_for("schoolbook");
    limb a[LIMBS], b[LIMBS], t[2 * LIMBS];
    mpz_t x, y, r;
    (void)state;
    mpz_inits(x, y, r, NULL);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        draw(a, LIMBS, &prng);
        draw(b, LIMBS, &prng);
        integer_of(x, a, LIMBS);
        integer_of(y, b, LIMBS);
        mpz_mul(y, x, y);
        mpz_mul(x, x, x);
        schoolbook_product(t, a, b);
        integer_of(r, t, sizeof t / sizeof *t);
        assert_int_equal(mpz_cmp(r, y), 0);
        schoolbook_square(t, a);
        integer_of(r, t, sizeof t / sizeof *t);
        assert_int_equal(mpz_cmp(r, x), 0);
    }
    mpz_clears(x, y, r, NULL);
}

/* By rows, of as many limbs and of fewer. */
static void products_of_lengths(void **state) {
    struct prng prng = prng_for("rows of lengths");
    limb a[LIMBS], b[LIMBS], t[2 * LIMBS];
    mpz_t x, y, r;
    (void)state;
    mpz_inits(x, y, r, NULL);
    for (int n = 1; n <= LIMBS; n++)
        for (size_t i = repetitions(2000, 100000); i > 0; i--) {
            draw(a, LIMBS, &prng);
            draw(b, (size_t)n, &prng);
            integer_of(x, a, LIMBS);
            integer_of(y, b, (size_t)n);
            mpz_mul(x, x, y);
            rows_product_of(t, a, LIMBS, b, n);
            integer_of(r, t, (size_t)(LIMBS + n));
            assert_int_equal(mpz_cmp(r, x), 0);
        }
    mpz_clears(x, y, r, NULL);
}

static void expect_reduced(const struct modulus *m, const mpz_t p, const limb t[16]) {
    struct limbs r = solinas_reduce_sm2(m, t);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    integer_of(x, t, 16);
    mpz_mod(x, x, p);
    integer_from_limbs(y, r);
    if (mpz_cmp(x, y) != 0) {
        gmp_printf("t mod p is %Zx, got %Zx\n", x, y);
        fail();
    }
    mpz_clears(x, y, NULL);
}

/* r = what the reduction adds to the lower half of t before it folds, without the multiple of p: its upper half by the
 * rule 2^256 = 2^224 + 2^96 - 2^64 + 1, applied from the highest limb on. */
static void upper_sum(mpz_t r, const limb t[16]) {
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(r, 0);
    for (int i = 8; i < 16; i++) {
        int c[16] = {0};
        c[i] = 1;
        for (int k = i; k >= 8; k--) {
            c[k - 1] += c[k];
            c[k - 5] += c[k];
            c[k - 6] -= c[k];
            c[k - 8] += c[k];
        }
        for (unsigned k = 0; k < 8; k++) {
            mpz_set_ui(term, t[i]);
            mpz_mul_si(term, term, c[k]);
            mpz_mul_2exp(term, term, 32 * k);
            mpz_add(r, r, term);
        }
    }
    mpz_clear(term);
}

/* Lower halves for which the sum is a multiple of 2^256 and a little more or less: what random ones never borrow and
 * carry. */
static void reduction_at_the_edge(void **state) {
    struct prng prng = prng_for("solinas edge");
    struct modulus m = {0};
    limb t[16];
    mpz_t p, r;
    (void)state;
    mpz_inits(p, r, NULL);
    mpz_set_str(p, "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff", 16);
    m.m = constant_from_integer(p);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        draw(t, 16, &prng);
        upper_sum(r, t);
        mpz_addmul_ui(r, p, 4);
        mpz_neg(r, r);
        if (i % 2)
            mpz_add_ui(r, r, prng_below(&prng, 3));
        else
            mpz_sub_ui(r, r, prng_below(&prng, 3));
        mpz_fdiv_r_2exp(r, r, 256);
        memset(t, 0, 8 * sizeof *t);
        mpz_export(t, NULL, -1, sizeof *t, 0, 0, r);
        expect_reduced(&m, p, t);
    }
    mpz_clears(p, r, NULL);
}

static void reduction(void **state) {
    struct prng prng = prng_for("solinas");
    struct modulus m = {0};
    limb t[16];
    mpz_t p, multiple;
    (void)state;
    mpz_inits(p, multiple, NULL);
    mpz_set_str(p, "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff", 16);
    m.m = constant_from_integer(p);
    memset(t, 0, sizeof t);
    expect_reduced(&m, p, t);
    memset(t, 0xff, sizeof t);
    expect_reduced(&m, p, t);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        draw(t, 16, &prng);
        expect_reduced(&m, p, t);
        integer_of(multiple, t, 8); /* and a multiple of p, or its neighbour below */
        mpz_mul(multiple, multiple, p);
        if (i % 2 && mpz_sgn(multiple) > 0)
            mpz_sub_ui(multiple, multiple, 1);
        memset(t, 0, sizeof t);
        mpz_export(t, NULL, -1, sizeof *t, 0, 0, multiple);
        expect_reduced(&m, p, t);
    }
    mpz_clears(p, multiple, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(products_of_lengths),
                                       cmocka_unit_test(reduction), cmocka_unit_test(reduction_at_the_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
