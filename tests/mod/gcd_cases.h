/* Division by division steps, each lane with a modulus and operands of its own, against GMP. The includer defines WORDS
 * and includes the lanes. */
#ifndef TESTS_MOD_GCD_CASES_H
#define TESTS_MOD_GCD_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gmp.h>

#include "field/gcd.h"

#include "support/effort.h"
#include "support/prng.h"

_Static_assert(19929 * (GCD_STEPS + 1) > 45907 * GCD_BITS + 26313,
               "no step fewer than the bound asks for: too few are right "
               "for all but the rarest operands");

/* s / a mod m, lane by lane. */
struct operands {
    mpz_t m[LANES], a[LANES], s[LANES];
};

/* word[i] of a lane = the integer's words, most significant first. */
static void lane_from_integer(lane32 word[WORDS], int lane, const mpz_t a) {
    mpz_t t;
    mpz_init_set(t, a);
    for (int i = WORDS - 1; i >= 0; i--) {
        word[i] = lane32_insert(word[i], lane, (uint32_t)mpz_get_ui(t));
        mpz_fdiv_q_2exp(t, t, 32);
    }
    assert_int_equal(mpz_sgn(t), 0);
    mpz_clear(t);
}

static void integer_from_lane(mpz_t r, const lane32 word[WORDS], int lane) {
    mpz_set_ui(r, 0);
    for (int i = 0; i < WORDS; i++) {
        mpz_mul_2exp(r, r, 32);
        mpz_add_ui(r, r, lane32_extract(word[i], lane));
    }
}

/* r = a random integer of at most `bits` bits. */
static void draw_integer(mpz_t r, struct prng *prng, uint64_t bits) {
    mpz_set_ui(r, 0);
    for (int i = 0; i < WORDS; i++) {
        mpz_mul_2exp(r, r, 32);
        mpz_add_ui(r, r, (uint32_t)prng_next(prng));
    }
    mpz_fdiv_r_2exp(r, r, bits);
}

static void draw_operands(struct operands *o, int lane, struct prng *prng) {
    uint64_t kind = prng_below(prng, 8);
    draw_integer(o->m[lane], prng, kind < 6 ? GCD_BITS : 2 + prng_below(prng, GCD_BITS - 1));
    mpz_setbit(o->m[lane], 0);
    if (mpz_cmp_ui(o->m[lane], 3) < 0)
        mpz_set_ui(o->m[lane], 3);
    draw_integer(o->a[lane], prng, kind < 4 ? GCD_BITS : 1 + prng_below(prng, GCD_BITS));
    draw_integer(o->s[lane], prng, GCD_BITS);
    mpz_mod(o->a[lane], o->a[lane], o->m[lane]);
    mpz_mod(o->s[lane], o->s[lane], o->m[lane]);
    if (kind == 0)
        mpz_set_ui(o->a[lane], 0);
    if (kind == 1)
        mpz_sub_ui(o->a[lane], o->m[lane], 1);
}

static uint32_t inverse_mod_2_32(const mpz_t m) {
    uint32_t odd = (uint32_t)mpz_get_ui(m), x = odd;
    for (int i = 0; i < 4; i++)
        x *= 2 - odd * x;
    return x;
}

static struct gcd_integer gather(mpz_t integers[LANES]) {
    lane32 words[WORDS] = {lane32_set(0)};
    for (int lane = 0; lane < LANES; lane++)
        lane_from_integer(words, lane, integers[lane]);
    return gcd_from_words(words);
}

static void expect_lane(const struct operands *o, int lane, const lane32 quotient[WORDS], uint32_t exists) {
    mpz_t r, t;
    mpz_inits(r, t, NULL);
    integer_from_lane(r, quotient, lane);
    mpz_gcd(t, o->a[lane], o->m[lane]);
    assert_int_equal(exists, mpz_cmp_ui(t, 1) == 0 ? UINT32_MAX : 0);
    assert_true(mpz_cmp(r, o->m[lane]) < 0);
    if (exists) {
        mpz_mul(t, r, o->a[lane]);
        mpz_sub(t, t, o->s[lane]);
        assert_true(mpz_divisible_p(t, o->m[lane]));
    }
    mpz_clears(r, t, NULL);
}

static void lanes_with_moduli_of_their_own(void **state) {
    struct prng prng = prng_for("gcd");
    struct operands o;
    (void)state;
    for (int lane = 0; lane < LANES; lane++)
        mpz_inits(o.m[lane], o.a[lane], o.s[lane], NULL);
    for (size_t i = 0; i < repetitions(500, 100000); i++) {
        lane32 m_inverse = lane32_set(0), quotient[WORDS];
        for (int lane = 0; lane < LANES; lane++) {
            draw_operands(&o, lane, &prng);
            m_inverse = lane32_insert(m_inverse, lane, inverse_mod_2_32(o.m[lane]));
        }
        struct gcd_integer m = gather(o.m), a = gather(o.a), s = gather(o.s);
        lane32 exists = gcd_divide(&s, &a, &m, m_inverse);
        gcd_to_words(quotient, &s);
        for (int lane = 0; lane < LANES; lane++)
            expect_lane(&o, lane, quotient, lane32_extract(exists, lane));
    }
    for (int lane = 0; lane < LANES; lane++)
        mpz_clears(o.m[lane], o.a[lane], o.s[lane], NULL);
}

/* Pairs that need many division steps for their size, found by going backwards from the end: 573 of at most 591 with
 * 256 bits, 1145 of at most 1180 with 512. */
static void operands_that_need_many_steps(void **state) {
    static const char *const pairs[][2] = {
        {"cfd3e4c526aaf9c9fa6e67c651b503f65d8235779fc849613ee3ffc3f40f0db5",
         "e6b38bfdcc1fc1d157971da5b84701966e27173318744ee4793dbf4594f8d65"},
        {"c642a34227cf8d333ef0b6785dbc499cdbece0feef39c9bca69b3600be48a191"
         "55ebe01b6d41a670c8efb009f6623543e074b891d00b74a97fd90669ce1f2a71",
         "baa8482d8d7ee1f90eaeccd462927de396b180a9e6e87bd048d05368e4299265"
         "568194447d829da53c0643589ee277dac0b8bc8553d66f1150001504e89eea7f"},
    };
    struct operands o;
    lane32 quotient[WORDS];
    (void)state;
    for (int lane = 0; lane < LANES; lane++) {
        mpz_init_set_str(o.m[lane], pairs[WORDS == 16][0], 16);
        mpz_init_set_str(o.a[lane], pairs[WORDS == 16][1], 16);
        mpz_init_set_ui(o.s[lane], (unsigned)lane + 1);
    }
    struct gcd_integer m = gather(o.m), a = gather(o.a), s = gather(o.s);
    lane32 exists = gcd_divide(&s, &a, &m, lane32_set(inverse_mod_2_32(o.m[0])));
    gcd_to_words(quotient, &s);
    for (int lane = 0; lane < LANES; lane++) {
        expect_lane(&o, lane, quotient, lane32_extract(exists, lane));
        mpz_clears(o.m[lane], o.a[lane], o.s[lane], NULL);
    }
}

/* Digits of a signed integer, the same in all lanes, and back. */
static struct gcd_integer from_signed(const mpz_t a) {
    struct gcd_integer r;
    mpz_t t;
    mpz_init_set(t, a);
    for (int i = 0; i < GCD_DIGITS; i++) {
        mpz_t digit;
        mpz_init(digit);
        mpz_fdiv_r_2exp(digit, t, i == GCD_DIGITS - 1 ? 32 : GCD_DIGIT);
        r.v[i] = lane32_set((uint32_t)mpz_get_ui(digit));
        mpz_fdiv_q_2exp(t, t, GCD_DIGIT);
        mpz_clear(digit);
    }
    mpz_clear(t);
    return r;
}

static void to_signed(mpz_t r, const struct gcd_integer *a) {
    mpz_set_si(r, (int32_t)lane32_extract(a->v[GCD_DIGITS - 1], 0));
    for (int i = GCD_DIGITS - 2; i >= 0; i--) {
        mpz_mul_2exp(r, r, GCD_DIGIT);
        mpz_add_ui(r, r, lane32_extract(a->v[i], 0));
    }
}

/* r = an integer between -2m and m: random, or next to one of them, to -m or to 0. */
static void draw_signed(mpz_t r, const mpz_t m, struct prng *prng) {
    int64_t bound = (int64_t)prng_below(prng, 4) - 2; /* -2 .. 1 */
    mpz_mul_si(r, m, bound);
    if (prng_below(prng, 2)) {
        mpz_t t;
        mpz_init(t);
        draw_integer(t, prng, GCD_BITS);
        mpz_mod(t, t, m);
        mpz_add(r, r, t);
        mpz_clear(t);
    }
    if (bound == -2)
        mpz_add_ui(r, r, 1);
    if (bound == 1)
        mpz_sub(r, r, m);
}

/* Division steps keep d and e between -2m and m, change them by a multiple of m and otherwise as their matrix says. */
static void steps_keep_the_range(void **state) {
    struct prng prng = prng_for("steps");
    mpz_t m, d, e, expected, got, bound;
    (void)state;
    mpz_inits(m, d, e, expected, got, bound, NULL);
    for (size_t i = 0; i < repetitions(20000, 2000000); i++) {
        lane32 zeta = lane32_set((uint32_t)prng_below(&prng, 9) - 4);
        draw_integer(m, &prng, i % 3 ? GCD_BITS : 2 + prng_below(&prng, GCD_BITS - 1));
        mpz_setbit(m, 0);
        mpz_setbit(m, 1);
        draw_signed(d, m, &prng);
        draw_signed(e, m, &prng);
        struct gcd_integer digits_m = from_signed(m), digits_d = from_signed(d), digits_e = from_signed(e);
        lane32 inverse = lane32_set(inverse_mod_2_32(m));
        uint32_t f = (uint32_t)prng_next(&prng) | 1, g = (uint32_t)prng_next(&prng) << prng_below(&prng, 31);
        struct gcd_matrix t = gcd_steps(&zeta, lane32_set(f), lane32_set(i % 2 ? g : f + g));
        lane32 x = gcd_cofactor(t.u, t.v, &digits_d, &digits_e, inverse);
        lane32 y = gcd_cofactor(t.q, t.r, &digits_d, &digits_e, inverse);
        gcd_apply(&t, &digits_d, &digits_e, &digits_m, x, y);
        for (int row = 0; row < 2; row++) {
            mpz_mul_si(expected, d, (int32_t)lane32_extract(row ? t.q : t.u, 0));
            mpz_mul_si(bound, e, (int32_t)lane32_extract(row ? t.r : t.v, 0));
            mpz_add(expected, expected, bound);
            to_signed(got, row ? &digits_e : &digits_d);
            assert_true(mpz_cmp(got, m) < 0);
            mpz_mul_si(bound, m, -2);
            assert_true(mpz_cmp(got, bound) > 0);
            mpz_mul_2exp(got, got, GCD_DIGIT);
            assert_true(mpz_congruent_p(got, expected, m));
        }
    }
    mpz_clears(m, d, e, expected, got, bound, NULL);
}

static void normal_form(void **state) {
    struct prng prng = prng_for("normal form");
    mpz_t m, d, got;
    (void)state;
    mpz_inits(m, d, got, NULL);
    for (size_t i = 0; i < 2000; i++) {
        draw_integer(m, &prng, i % 3 ? GCD_BITS : 2 + prng_below(&prng, GCD_BITS - 1));
        mpz_setbit(m, 0);
        mpz_setbit(m, 1);
        draw_signed(d, m, &prng);
        struct gcd_integer digits_m = from_signed(m), digits_d = from_signed(d);
        gcd_normalise(&digits_d, lane32_set(i % 2 ? UINT32_MAX : 0), &digits_m);
        if (i % 2)
            mpz_neg(d, d);
        mpz_mod(d, d, m);
        to_signed(got, &digits_d);
        assert_int_equal(mpz_cmp(got, d), 0);
    }
    mpz_clears(m, d, got, NULL);
}

static int gcd_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_with_moduli_of_their_own),
        cmocka_unit_test(operands_that_need_many_steps),
        cmocka_unit_test(steps_keep_the_range),
        cmocka_unit_test(normal_form),
    };
    return cmocka_run_group_tests_name("gcd", tests, NULL, NULL);
}

#endif
