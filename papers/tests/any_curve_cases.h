/* Points of papers/kernels/any_curve.h, BITS bits, against affine sums in GMP: random curves and points modulo the
 * prime PRIME, a number in hexadecimal. */
#ifndef PAPERS_TESTS_ANY_CURVE_CASES_H
#define PAPERS_TESTS_ANY_CURVE_CASES_H

#include "papers/kernels/any_curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "support/effort.h"
#include "support/prng.h"

struct point {
    mpz_t x, y;
    int infinity;
};

static mpz_t prime, radix, curve_a;
static uint32_t memory[NUMBERS][FIOS_DIGITS], words[NUMBERS][FIOS_WORDS];

static void random_below_prime(mpz_t r, struct prng *prng) {
    uint32_t v[FIOS_WORDS];
    for (int i = 0; i < FIOS_WORDS; i++)
        v[i] = (uint32_t)prng_below(prng, (uint64_t)1 << 32);
    mpz_import(r, FIOS_WORDS, -1, sizeof *v, 0, 0, v);
    mpz_mod(r, r, prime);
}

/* p = p + q by the affine group law; q is finite. */
static void point_add(struct point *p, const struct point *q) {
    mpz_t l, d;
    if (p->infinity) {
        mpz_set(p->x, q->x);
        mpz_set(p->y, q->y);
        p->infinity = q->infinity;
        return;
    }
    mpz_inits(l, d, NULL);
    if (mpz_cmp(p->x, q->x) == 0 && mpz_cmp(p->y, q->y) == 0) {
        mpz_mul(l, p->x, p->x);
        mpz_mul_ui(l, l, 3);
        mpz_add(l, l, curve_a);
        mpz_mul_ui(d, p->y, 2);
    } else {
        mpz_sub(l, q->y, p->y);
        mpz_sub(d, q->x, p->x);
    }
    mpz_mod(d, d, prime);
    assert_true(mpz_invert(d, d, prime));
    mpz_mul(l, l, d);
    mpz_mul(d, l, l);
    mpz_sub(d, d, p->x);
    mpz_sub(d, d, q->x);
    mpz_mod(d, d, prime);
    mpz_sub(p->x, p->x, d);
    mpz_mul(p->x, p->x, l);
    mpz_sub(p->y, p->x, p->y);
    mpz_mod(p->y, p->y, prime);
    mpz_set(p->x, d);
    mpz_clears(l, d, NULL);
}

static void put(const struct numbers *n, int i, const mpz_t value) {
    uint32_t v[FIOS_WORDS] = {0};
    mpz_t encoded;
    mpz_init(encoded);
    mpz_mul(encoded, value, radix);
    mpz_mod(encoded, encoded, prime);
    mpz_export(v, NULL, -1, sizeof *v, 0, 0, encoded);
    memcpy(n->words[i], v, sizeof v);
    for (int k = 0; k < FIOS_DIGITS; k++)
        digit_set(number_digits(n, i), k, v[k / 2] >> 16 * (k % 2) & 0xffff);
    mpz_clear(encoded);
}

static void get(mpz_t r, const struct numbers *n, int i) {
    uint32_t v[FIOS_WORDS];
    mpz_t inverse;
    mpz_init(inverse);
    for (int k = 0; k < FIOS_WORDS; k++)
        v[k] = n->in_registers ? n->words[i][k]
                               : digit_of(number_digits(n, i), 2 * k) | digit_of(number_digits(n, i), 2 * k + 1) << 16;
    mpz_import(r, FIOS_WORDS, -1, sizeof *v, 0, 0, v);
    assert_true(mpz_invert(inverse, radix, prime));
    mpz_mul(r, r, inverse);
    mpz_mod(r, r, prime);
    mpz_clear(inverse);
}

/* Numbers with z = 1, P at X1 and X2. */
static struct numbers numbers_set(int in_registers, const struct point *p, const struct point *q) {
    struct numbers n = {in_registers, words, {memory[0], 1}, 0};
    uint32_t v[FIOS_WORDS] = {0};
    mpz_t one;
    mpz_init_set_ui(one, 1);
    memset(memory, 0xff, sizeof memory);
    memset(words, 0xff, sizeof words);
    mpz_export(v, NULL, -1, sizeof *v, 0, 0, prime);
    memcpy(words[CURVE_P], v, sizeof v);
    for (int k = 0; k < FIOS_DIGITS; k++)
        digit_set(number_digits(&n, CURVE_P), k, v[k / 2] >> 16 * (k % 2) & 0xffff);
    n.negative_inverse = fios_negative_inverse(v[0]);
    put(&n, CURVE_A, curve_a);
    put(&n, X1, p->x);
    put(&n, Y1, p->y);
    put(&n, Z1, one);
    put(&n, X2, q->x);
    put(&n, Y2, q->y);
    put(&n, Z2, one);
    mpz_clear(one);
    return n;
}

static void expect_point(const char *what, const struct point *expected, const struct numbers *n) {
    mpz_t x, y, z, power;
    mpz_inits(x, y, z, power, NULL);
    get(x, n, X1);
    get(y, n, Y1);
    get(z, n, Z1);
    assert_true(mpz_invert(z, z, prime));
    mpz_mul(power, z, z);
    mpz_mul(x, x, power);
    mpz_mod(x, x, prime);
    mpz_mul(power, power, z);
    mpz_mul(y, y, power);
    mpz_mod(y, y, prime);
    if (mpz_cmp(x, expected->x) != 0 || mpz_cmp(y, expected->y) != 0) {
        gmp_printf("%s: expected %Zx, %Zx, got %Zx, %Zx\n", what, expected->x, expected->y, x, y);
        fail();
    }
    mpz_clears(x, y, z, power, NULL);
}

/* r = k p. */
static void point_multiply(struct point *r, const mpz_t k, const struct point *p) {
    r->infinity = 1;
    for (mp_bitcnt_t bit = mpz_sizeinbase(k, 2); bit-- > 0;) {
        if (!r->infinity) {
            struct point same = *r;
            mpz_init_set(same.x, r->x);
            mpz_init_set(same.y, r->y);
            point_add(r, &same);
            mpz_clears(same.x, same.y, NULL);
        }
        if (mpz_tstbit(k, bit))
            point_add(r, p);
    }
}

static void multiplications(const struct point *p, const mpz_t k, const struct point *expected) {
    static const struct { int w, bits; } forms[] = {{2, 2}, {2, 32}, {3, 3}, {3, 32}};
    for (int in_registers = 0; in_registers < 2; in_registers++) {
        uint32_t v[FIOS_WORDS + 1] = {0}, digits[BITS + 1];
        struct numbers n = numbers_set(in_registers, p, p);
        mpz_export(v, NULL, -1, sizeof *v, 0, 0, k);
        numbers_multiply_from_right(&n, v);
        expect_point("k P from the right", expected, &n);
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            struct form f = {digits, forms[i].bits};
            memset(v, 0, sizeof v);
            mpz_export(v, NULL, -1, sizeof *v, 0, 0, k);
            memset(digits, 0, sizeof digits);
            n = numbers_set(in_registers, p, p);
            numbers_multiply_by_form(&n, f, v, forms[i].w);
            expect_point("k P by a form", expected, &n);
        }
    }
}

static void against_affine(void **state) {
    struct prng prng = prng_for("any curve");
    struct point p, q, r;
    mpz_t k;
    (void)state;
    mpz_inits(p.x, p.y, q.x, q.y, r.x, r.y, k, radix, curve_a, NULL);
    mpz_init_set_str(prime, PRIME, 16);
    mpz_setbit(radix, BITS);
    for (size_t i = repetitions(30, 1000); i > 0; i--) {
        p.infinity = q.infinity = 0;
        random_below_prime(curve_a, &prng);
        random_below_prime(p.x, &prng);
        random_below_prime(p.y, &prng);
        mpz_set_ui(k, 3 + prng_below(&prng, 30)); /* 2 Q is not 4 P */
        point_multiply(&q, k, &p);                /* on the same curve, with z that is not 1 below */
        for (int in_registers = 0; in_registers < 2; in_registers++) {
            struct numbers n = numbers_set(in_registers, &p, &q);
            numbers_double_point(&n, X1);
            numbers_double_point(&n, X1);
            mpz_set_ui(k, 4);
            point_multiply(&r, k, &p);
            expect_point("4 P", &r, &n);
            numbers_copy_point(&n, X3, X1);
            numbers_copy_point(&n, X1, X2);
            numbers_double_point(&n, X1);
            numbers_add_points(&n, X1, X3, 0);
            mpz_set_ui(k, 2);
            struct point sum = {.infinity = 1};
            mpz_inits(sum.x, sum.y, NULL);
            point_multiply(&sum, k, &q);
            point_add(&sum, &r);
            expect_point("2 Q + 4 P", &sum, &n);
            numbers_add_points(&n, X1, X3, 1);
            point_multiply(&sum, k, &q);
            expect_point("2 Q + 4 P - 4 P", &sum, &n);
            mpz_clears(sum.x, sum.y, NULL);
        }
        random_below_prime(k, &prng);
        if (i % 4 == 0)
            mpz_fdiv_q_2exp(k, k, BITS - 4);
        mpz_add_ui(k, k, 1);
        point_multiply(&r, k, &p);
        multiplications(&p, k, &r);
    }
    mpz_clears(p.x, p.y, q.x, q.y, r.x, r.y, k, radix, curve_a, prime, NULL);
}

static int any_curve_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_affine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
