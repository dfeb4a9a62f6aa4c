/* Sums and products of papers/kernels/fios.h, BITS bits, against GMP: digits in neighbouring words and in words of
 * which others take turns, and words of 32 bits. */
#ifndef PAPERS_TESTS_FIOS_CASES_H
#define PAPERS_TESTS_FIOS_CASES_H

#include "papers/kernels/fios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "support/effort.h"
#include "support/prng.h"

enum { TURNS = 3 };

static void digits_put(struct digits d, const mpz_t a) {
    uint16_t v[FIOS_DIGITS] = {0};
    mpz_export(v, NULL, -1, sizeof *v, 0, 0, a);
    for (int i = 0; i < FIOS_DIGITS; i++)
        digit_set(d, i, v[i]);
}

static void digits_expect(const char *what, const mpz_t expected, struct digits d) {
    uint16_t v[FIOS_DIGITS];
    mpz_t r;
    mpz_init(r);
    for (int i = 0; i < FIOS_DIGITS; i++) {
        assert_true(digit_of(d, i) <= 0xffff);
        v[i] = (uint16_t)digit_of(d, i);
    }
    mpz_import(r, FIOS_DIGITS, -1, sizeof *v, 0, 0, v);
    if (mpz_cmp(r, expected) != 0) {
        gmp_printf("%s: expected %Zx, got %Zx\n", what, expected, r);
        fail();
    }
    mpz_clear(r);
}

static void words_put(uint32_t v[FIOS_WORDS], const mpz_t a) {
    memset(v, 0, FIOS_WORDS * sizeof *v);
    mpz_export(v, NULL, -1, sizeof *v, 0, 0, a);
}

static void words_expect(const char *what, const mpz_t expected, const uint32_t v[FIOS_WORDS]) {
    mpz_t r;
    mpz_init(r);
    mpz_import(r, FIOS_WORDS, -1, sizeof *v, 0, 0, v);
    if (mpz_cmp(r, expected) != 0) {
        gmp_printf("%s: expected %Zx, got %Zx\n", what, expected, r);
        fail();
    }
    mpz_clear(r);
}

/* Random words, all ones and zeros among them. */
static void draw(mpz_t r, struct prng *prng) {
    uint32_t v[FIOS_WORDS];
    for (int i = 0; i < FIOS_WORDS; i++) {
        uint64_t kind = prng_below(prng, 6);
        v[i] = kind == 0 ? 0 : kind == 1 ? 0xffffffff : (uint32_t)prng_below(prng, (uint64_t)1 << 32);
    }
    mpz_import(r, FIOS_WORDS, -1, sizeof *v, 0, 0, v);
}

struct case_numbers {
    mpz_t m, a, b, product, sum, difference, twice;
};

/* An odd m, now and then a short one; a, b < m, now and then m - 1; a b / 2^BITS and a + b mod m. */
static void numbers_draw(struct case_numbers *c, struct prng *prng) {
    mpz_t inverse;
    mpz_init(inverse);
    draw(c->m, prng);
    if (prng_below(prng, 8) == 0)
        mpz_fdiv_q_2exp(c->m, c->m, (mp_bitcnt_t)prng_below(prng, BITS - 2));
    mpz_setbit(c->m, 0);
    mpz_setbit(c->m, 1);
    draw(c->a, prng);
    draw(c->b, prng);
    mpz_mod(c->a, c->a, c->m);
    mpz_mod(c->b, c->b, c->m);
    if (prng_below(prng, 8) == 0)
        mpz_sub_ui(c->a, c->m, 1);
    if (prng_below(prng, 8) == 0)
        mpz_sub_ui(c->b, c->m, 1);
    mpz_set_ui(inverse, 0);
    mpz_setbit(inverse, BITS);
    assert_true(mpz_invert(inverse, inverse, c->m));
    mpz_mul(c->product, c->a, c->b);
    mpz_mul(c->product, c->product, inverse);
    mpz_mod(c->product, c->product, c->m);
    mpz_add(c->sum, c->a, c->b);
    mpz_mod(c->sum, c->sum, c->m);
    mpz_sub(c->difference, c->a, c->b);
    mpz_mod(c->difference, c->difference, c->m);
    mpz_add(c->twice, c->a, c->a);
    mpz_mod(c->twice, c->twice, c->m);
    mpz_clear(inverse);
}

static void against_gmp(void **state) {
    struct prng prng = prng_for("fios");
    uint32_t memory[4][FIOS_DIGITS * TURNS], m[FIOS_WORDS], a[FIOS_WORDS], b[FIOS_WORDS], t[FIOS_WORDS];
    struct case_numbers c;
    (void)state;
    mpz_inits(c.m, c.a, c.b, c.product, c.sum, c.difference, c.twice, NULL);
    for (size_t i = repetitions(10000, 300000); i > 0; i--) {
        struct digits d[4];
        memset(memory, 0xff, sizeof memory);
        for (int k = 0; k < 4; k++)
            d[k] = (struct digits){memory[k] + (i % 2 ? 1 : 0), i % 2 ? TURNS : 1};
        numbers_draw(&c, &prng);
        digits_put(d[0], c.m);
        digits_put(d[1], c.a);
        digits_put(d[2], c.b);
        digits_multiply(d[3], d[1], d[2], d[0], fios_negative_inverse((uint32_t)mpz_get_ui(c.m)));
        digits_expect("digits, a b / R", c.product, d[3]);
        digits_add(d[1], d[2], d[0]);
        digits_expect("digits, a + b", c.sum, d[1]);
        digits_put(d[1], c.a);
        digits_subtract(d[1], d[2], d[0]);
        digits_expect("digits, a - b", c.difference, d[1]);
        digits_put(d[1], c.a);
        digits_add(d[1], d[1], d[0]);
        digits_expect("digits, a + a", c.twice, d[1]);
        words_put(m, c.m);
        words_put(a, c.a);
        words_put(b, c.b);
        words_multiply(t, a, b, m, fios_negative_inverse(m[0]));
        words_expect("words, a b / R", c.product, t);
        words_add(a, b, m);
        words_expect("words, a + b", c.sum, a);
        words_put(a, c.a);
        words_subtract(a, b, m);
        words_expect("words, a - b", c.difference, a);
        words_put(a, c.a);
        words_add(a, a, m);
        words_expect("words, a + a", c.twice, a);
    }
    mpz_clears(c.m, c.a, c.b, c.product, c.sum, c.difference, c.twice, NULL);
}

static int fios_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_gmp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
