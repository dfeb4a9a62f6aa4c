/* What there is to be said of the fields of a curve of any form, mod p and mod n, against GMP. */
#ifndef TESTS_FIELD_ANY_FIELD_H
#define TESTS_FIELD_ANY_FIELD_H

#include "../limbs/modular_cases.h"

#include "field/field.h"
#include "field/modulus.h"

enum { FAST_PRODUCTS = 100000, SLOW_PRODUCTS = 10000000 };

static void expect_constants(const struct modulus *derived, const struct modulus *modulus) {
    assert_memory_equal(&derived->m, &modulus->m, sizeof derived->m);
    assert_memory_equal(&derived->one, &modulus->one, sizeof derived->one);
    assert_memory_equal(&derived->r_squared, &modulus->r_squared, sizeof derived->r_squared);
    assert_int_equal(derived->negative_inverse, modulus->negative_inverse);
    assert_int_equal(derived->c, modulus->c);
}

/* Every constant follows from m. */
static void expect_modulus(const struct modulus *modulus) {
    struct modulus derived;
    mpz_t m;
    mpz_init(m);
    integer_from_constant(m, &modulus->m);
    assert_int_not_equal(mpz_probab_prime_p(m, 30), 0);
    modulus_set(&derived, m, modulus->reduction);
    expect_constants(&derived, modulus);
    mpz_clear(m);
}

/* The chain's power is a^exponent. */
static void expect_chain(const struct power_chain *chain, const mpz_t exponent) {
    mpz_t x[POWERS_KEPT];
    unsigned known = 1, last = 0;
    assert_in_range(chain->steps, 1, POWER_STEPS);
    for (unsigned i = 0; i < POWERS_KEPT; i++)
        mpz_init(x[i]);
    mpz_set_ui(x[0], 1);
    for (unsigned i = 0; i < chain->steps; i++) {
        const struct power_step step = chain->step[i];
        mpz_t power;
        assert_in_range(step.from, 0, known - 1);
        mpz_init(power);
        mpz_mul_2exp(power, x[step.from], step.squarings);
        if (step.times != POWER_ALONE) {
            assert_in_range(step.times, 0, known - 1);
            mpz_add(power, power, x[step.times]);
        }
        last = step.to;
        assert_in_range(last, 1, known < POWERS_KEPT ? known : POWERS_KEPT - 1);
        known += last == known;
        mpz_set(x[last], power);
        mpz_clear(power);
    }
    assert_int_equal(mpz_cmp(x[last], exponent), 0);
    for (unsigned i = 0; i < POWERS_KEPT; i++)
        mpz_clear(x[i]);
}

static void modulo_p(void **state) {
    struct prng prng = prng_for("field mod p");
    (void)state;
    modular_cases(&CURVE.p, &prng, repetitions(20000, 1000000));
    modular_products(&CURVE.p, &prng, repetitions(FAST_PRODUCTS, SLOW_PRODUCTS));
}

static void modulo_n(void **state) {
    struct prng prng = prng_for("field mod n");
    (void)state;
    modular_cases(&CURVE.n, &prng, repetitions(20000, 1000000));
    modular_products(&CURVE.n, &prng, repetitions(FAST_PRODUCTS, SLOW_PRODUCTS));
}

static void inverses(void **state) {
    struct prng prng = prng_for("inverses");
    (void)state;
    modular_inverses(&CURVE.p, &prng, repetitions(2000, 200000));
    modular_inverses(&CURVE.n, &prng, repetitions(2000, 200000));
    assert_false(mask_any(~fe_equal(fe_mul(fe_inverse(fe_double(fe_one())), fe_double(fe_one())), fe_one())));
    assert_false(mask_any(~fe_is_zero(fe_inverse(fe_zero()))));
}

static void formula_double(mpz_t r, const struct ring *g, int lane) { mpz_mul_ui(r, g->a.value[lane], 2); }
static void formula_triple(mpz_t r, const struct ring *g, int lane) { mpz_mul_ui(r, g->a.value[lane], 3); }

/* The shorthands of field.h are the operations they name, and of the right modulus. */
static void elements(void **state) {
    struct prng prng = prng_for("fe");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = lane_repetitions(5000, 100000); i > 0; i--) {
        operand_draw(&p, &p.a, &prng);
        operand_draw(&p, &p.b, &prng);
        fe x = p.a.x, y = p.b.x;
        expect_formula(&p, "fe_add", fe_add(x, y), formula_add);
        expect_formula(&p, "fe_sub", fe_sub(x, y), formula_sub);
        expect_formula(&p, "fe_mul", fe_mul(x, y), formula_mul);
        expect_formula(&p, "fe_sqr", fe_sqr(x), formula_sqr);
        expect_formula(&p, "fe_neg", fe_neg(x), formula_neg);
        expect_formula(&p, "fe_half", fe_half(x), formula_half);
        expect_formula(&p, "fe_double", fe_double(x), formula_double);
        expect_formula(&p, "fe_triple", fe_triple(x), formula_triple);
        struct limbs decoded = fe_decode(x);
        for (int lane = 0; lane < LANES; lane++)
            expect_lane("fe_decode", p.a.value[lane], decoded, lane, p.a.value[lane], p.m);
    }
    mpz_set_ui(p.r, 1);
    expect_residue(&p, "fe_one", fe_one());
    mpz_set_ui(p.r, 0);
    expect_residue(&p, "fe_zero", fe_zero());
    ring_close(&p);
}

static void formula_mul_sub(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->b.value[lane]);
    mpz_sub(r, r, g->c.value[lane]);
}
static void formula_mul_sub_mul(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->b.value[lane]);
    mpz_submul(r, g->c.value[lane], g->d.value[lane]);
}
static void formula_mul_sub_sqr(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->b.value[lane]);
    mpz_submul(r, g->c.value[lane], g->c.value[lane]);
}
static void formula_sqr_sub_double(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->a.value[lane]);
    mpz_submul_ui(r, g->b.value[lane], 2);
}
static void formula_sqr_sub_sum(mpz_t r, const struct ring *g, int lane) {
    mpz_mul(r, g->a.value[lane], g->a.value[lane]);
    mpz_sub(r, r, g->b.value[lane]);
    mpz_sub(r, r, g->c.value[lane]);
}
static void formula_sqr_sub_sum_double(mpz_t r, const struct ring *g, int lane) {
    formula_sqr_sub_sum(r, g, lane);
    mpz_sub(r, r, g->c.value[lane]);
}
static void formula_three_halves(mpz_t r, const struct ring *g, int lane) {
    mpz_mul_ui(r, g->a.value[lane], 3);
    if (mpz_odd_p(r))
        mpz_add(r, r, g->m);
    mpz_fdiv_q_2exp(r, r, 1);
}

static void formula_sum_mul(mpz_t r, const struct ring *g, int lane) {
    mpz_add(r, g->a.value[lane], g->b.value[lane]);
    mpz_mul(r, r, g->c.value[lane]);
}

static void expect_sums(struct ring *p) {
    fe a = p->a.x, b = p->b.x, c = p->c.x, d = p->d.x;
    expect_formula(p, "a b - c", fe_mul_sub(a, b, c), formula_mul_sub);
    expect_formula(p, "a b - c d", fe_mul_sub_mul(a, b, c, d), formula_mul_sub_mul);
    expect_formula(p, "a b - c^2", fe_mul_sub_sqr(a, b, c), formula_mul_sub_sqr);
    expect_formula(p, "a^2 - 2 b", fe_sqr_sub_double(a, b), formula_sqr_sub_double);
    expect_formula(p, "a^2 - b - c", fe_sqr_sub_sum(a, b, c), formula_sqr_sub_sum);
    expect_formula(p, "a^2 - b - 2 c", fe_sqr_sub_sum_double(a, b, c), formula_sqr_sub_sum_double);
    expect_formula(p, "3 a / 2", fe_three_halves(a), formula_three_halves);
    expect_formula(p, "(a + b) c", fe_mul(fe_add_factor(a, b), c), formula_sum_mul);
}

/* Sums of products, which a machine may reduce once. */
static void sums(void **state) {
    struct prng prng = prng_for("sums of products");
    struct ring p;
    (void)state;
    ring_open(&p, &CURVE.p);
    for (size_t i = lane_repetitions(20000, 2000000); i > 0; i--) {
        operand_draw(&p, &p.a, &prng);
        ring_draw_factor(&p, &prng);
        operand_draw(&p, &p.c, &prng);
        operand_draw(&p, &p.d, &prng);
        expect_sums(&p);
    }
    ring_close(&p);
}

enum { EXTREMES = 7 };

/* Representations that make the most and the least of every column: 0, 1, the bound less 1, the greatest whose lower
 * limbs are all ones; and three of which so many lower limbs are all ones that k p - x, k = 1, 2, 4, is a multiple of
 * 2^(32 WORDS) less something: limbs that borrow from a last one that is folded away. */
static void extreme_representation(mpz_t x, const struct ring *p, unsigned i) {
    const unsigned last = (LIMBS - 1) * LIMB_BITS;
    mpz_set_ui(x, i);
    if (i == 2)
        mpz_sub_ui(x, p->bound, 1);
    if (i == 3)
        mpz_fdiv_q_2exp(x, p->bound, last);
    if (i > 3) {
        mpz_fdiv_q_2exp(x, p->m, last);
        mpz_mul_ui(x, x, 1u << (i - 4));
        mpz_fdiv_r_2exp(x, x, 32 * WORDS - last);
        mpz_add_ui(x, x, 1);
    }
    if (i > 2) {
        mpz_mul_2exp(x, x, last);
        mpz_sub_ui(x, x, 1);
    }
    mpz_mod(x, x, p->bound);
}

/* Every operation on all combinations of extremes. */
static void extremes(void **state) {
    struct ring p;
    mpz_t x;
    struct operand *operands[] = {&p.a, &p.b, &p.c, &p.d};
    (void)state;
    mpz_init(x);
    ring_open(&p, &CURVE.p);
    for (unsigned first = 0; first < EXTREMES * EXTREMES * EXTREMES * EXTREMES; first += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            unsigned rest = first + (unsigned)lane;
            for (int i = 0; i < 4; i++, rest /= EXTREMES) {
                extreme_representation(x, &p, rest % EXTREMES);
                operand_set_representation(&p, operands[i], lane, x);
            }
        }
        expect_linear(&p);
        expect_products(&p);
        expect_sums(&p);
    }
    ring_close(&p);
    mpz_clear(x);
}

/* r = a number about 0, n or R, or any. */
static void scalar_candidate(mpz_t r, const struct ring *n, struct prng *prng) {
    switch (prng_below(prng, 4)) {
    case 0:
        mpz_set_ui(r, prng_below(prng, 5));
        break;
    case 1:
        mpz_add_ui(r, n->m, prng_below(prng, 5));
        mpz_sub_ui(r, r, 2);
        break;
    case 2:
        integer_radix(r);
        mpz_sub_ui(r, r, 1 + prng_below(prng, 5));
        break;
    default:
        integer_random(r, prng);
    }
}

static void formula_increment(mpz_t r, const struct ring *g, int lane) { mpz_add_ui(r, g->a.value[lane], 1); }
static void formula_decrement(mpz_t r, const struct ring *g, int lane) { mpz_sub_ui(r, g->a.value[lane], 1); }
static void formula_identity(mpz_t r, const struct ring *g, int lane) { mpz_set(r, g->a.value[lane]); }

static void scalars(void **state) {
    struct prng prng = prng_for("scalar");
    struct ring n;
    (void)state;
    ring_open(&n, &CURVE.n);
    for (size_t i = lane_repetitions(5000, 100000); i > 0; i--) {
        struct limbs k = limbs_zero(), words = limbs_zero(); /* words: what WORDS words hold of k */
        for (int lane = 0; lane < LANES; lane++) {
            scalar_candidate(n.a.value[lane], &n, &prng);
            limbs_insert(&k, lane, constant_from_integer(n.a.value[lane]));
            mpz_fdiv_r_2exp(n.r, n.a.value[lane], 32 * WORDS);
            limbs_insert(&words, lane, constant_from_integer(n.r));
        }
        mask in_range = scalar_in_range(k);
        struct limbs reduced = scalar_reduce(words);
        scalar x = scalar_encode(k);
        mask zero = scalar_is_zero(x);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_t *a = &n.a.value[lane];
            expect_lane_mask("0 < k < n", mpz_sgn(*a) > 0 && mpz_cmp(*a, n.m) < 0, in_range, lane, *a, *a);
            mpz_fdiv_r_2exp(n.r, *a, 32 * WORDS);
            mpz_mod(n.r, n.r, n.m);
            expect_lane("k mod n", n.r, reduced, lane, *a, *a);
            mpz_mod(n.r, *a, n.m);
            expect_lane_mask("k = 0 mod n", mpz_sgn(n.r) == 0, zero, lane, *a, *a);
        }
        expect_formula(&n, "scalar_encode", x, formula_identity);
        expect_formula(&n, "scalar_mul", scalar_mul(x, x), formula_sqr);
        expect_formula(&n, "scalar_add", scalar_add(x, scalar_one()), formula_increment);
        expect_formula(&n, "scalar_sub", scalar_sub(x, scalar_one()), formula_decrement);
        expect_formula(&n, "scalar_neg", scalar_neg(x), formula_neg);
        expect_mask("k = k mod n", 1, scalar_equal(x, x), n.m, n.m);
        expect_mask("k = k + 1 mod n", 0, scalar_equal(x, scalar_add(x, scalar_one())), n.m, n.m);
    }
    ring_close(&n);
}

#endif
