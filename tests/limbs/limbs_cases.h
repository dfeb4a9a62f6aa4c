/* A machine of one lane on LIMBS limbs, against GMP: integers, then residues modulo odd numbers. */
#ifndef TESTS_LIMBS_LIMBS_CASES_H
#define TESTS_LIMBS_LIMBS_CASES_H

#include "integers.h"

#include "modular_cases.h"

/* Two random integers, as limbs and as GMP's; and GMP's for results. */
struct pair {
    struct limbs x, y;
    mpz_t a, b, r, radix;
};

static void pair_open(struct pair *p) {
    mpz_inits(p->a, p->b, p->r, p->radix, NULL);
    integer_radix(p->radix);
}

static void pair_close(struct pair *p) { mpz_clears(p->a, p->b, p->r, p->radix, NULL); }

/* Random, and now and then equal or neighbours. */
static void pair_draw(struct pair *p, struct prng *prng) {
    mask carry;
    struct limbs one = {{1}};
    p->x = limbs_random(prng);
    p->y = limbs_random(prng);
    switch (prng_below(prng, 8)) {
    case 0:
        p->y = p->x;
        break;
    case 1:
        p->y = limbs_add(p->x, one, &carry);
        break;
    default:
        break;
    }
    integer_from_limbs(p->a, p->x);
    integer_from_limbs(p->b, p->y);
}

static void addition_and_subtraction(void **state) {
    struct prng prng = prng_for("limbs_add");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        mask carry;
        pair_draw(&p, &prng);
        struct limbs sum = limbs_add(p.x, p.y, &carry);
        mpz_add(p.r, p.a, p.b);
        expect_mask("carry of a + b", mpz_cmp(p.r, p.radix) >= 0, carry, p.a, p.b);
        mpz_mod(p.r, p.r, p.radix);
        expect_integer("a + b", p.r, sum, p.a, p.b);

        struct limbs difference = limbs_sub(p.x, p.y, &carry);
        mpz_sub(p.r, p.a, p.b);
        expect_mask("borrow of a - b", mpz_sgn(p.r) < 0, carry, p.a, p.b);
        mpz_mod(p.r, p.r, p.radix);
        expect_integer("a - b", p.r, difference, p.a, p.b);
    }
    pair_close(&p);
}

static void comparisons_and_selection(void **state) {
    struct prng prng = prng_for("limbs_less");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        pair_draw(&p, &prng);
        expect_mask("a < b", mpz_cmp(p.a, p.b) < 0, limbs_less(p.x, p.y), p.a, p.b);
        expect_mask("a = b", mpz_cmp(p.a, p.b) == 0, limbs_equal(p.x, p.y), p.a, p.b);
        expect_mask("a = 0", mpz_sgn(p.a) == 0, limbs_is_zero(p.x), p.a, p.b);
        expect_mask("a odd", mpz_odd_p(p.a), limbs_is_odd(p.x), p.a, p.b);
        expect_integer("1 ? a : b", p.a, limbs_select(mask_set(1), p.x, p.y), p.a, p.b);
        expect_integer("0 ? a : b", p.b, limbs_select(mask_set(0), p.x, p.y), p.a, p.b);
    }
    for (int i = 0; i < LIMBS; i++)
        for (int bit = 0; bit < LIMB_BITS; bit++) {
            struct limbs power = limbs_zero();
            power.v[i] = (limb)1 << bit;
            integer_from_limbs(p.a, power);
            expect_mask("2^i = 0", 0, limbs_is_zero(power), p.a, p.a);
            expect_mask("2^i = 0", 0, limbs_equal(power, limbs_zero()), p.a, p.a);
        }
    expect_mask("0 = 0", 1, limbs_is_zero(limbs_zero()), p.a, p.a);
    pair_close(&p);
}

static void masks(void **state) {
    (void)state;
    for (uint32_t a = 0; a < 40; a++)
        for (uint32_t b = 0; b < 40; b++) {
            assert_true(lane32_equal(a, b) == mask_set(a == b));
            assert_true(lane32_equal(a, UINT32_MAX - b) == mask_set(0));
            assert_true(lane32_equal(UINT32_MAX - a, UINT32_MAX - b) == mask_set(a == b));
        }
    for (int bit = 0; bit < 32; bit++) {
        assert_true(lane32_equal((lane32)1 << bit, 0) == mask_set(0));
        assert_true(lane32_is_odd((lane32)1 << bit) == mask_set(bit == 0));
    }
    assert_true(mask_from_bit(1) == ~(mask)0 && mask_from_bit(0) == 0);
    assert_true(mask_any(mask_set(1)) && !mask_any(mask_set(0)));
    assert_true(mask_insert(mask_set(1), 0, 0) == mask_set(0) && mask_insert(mask_set(0), 0, 1) == mask_set(1));
    assert_true(mask_to_lane32(mask_set(1)) == UINT32_MAX && mask_to_lane32(mask_set(0)) == 0);
}

static void halving(void **state) {
    struct prng prng = prng_for("limbs_half");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(20000, 1000000); i > 0; i--) {
        int carry = (int)prng_below(&prng, 2);
        pair_draw(&p, &prng);
        if (carry)
            mpz_add(p.r, p.a, p.radix);
        else
            mpz_set(p.r, p.a);
        mpz_fdiv_q_2exp(p.r, p.r, 1);
        expect_integer("(carry : a) / 2", p.r, limbs_half(p.x, mask_set(carry)), p.a, p.b);
    }
    pair_close(&p);
}

static void bits(void **state) {
    struct prng prng = prng_for("limbs_bits");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(20, 500); i > 0; i--) {
        pair_draw(&p, &prng);
        for (unsigned from = 0; from < (LIMBS + 2) * LIMB_BITS; from++)
            for (unsigned width = 1; width <= 24; width++) {
                mpz_fdiv_q_2exp(p.r, p.a, from);
                mpz_fdiv_r_2exp(p.r, p.r, width);
                assert_int_equal(limbs_bits(&p.x, from, width), mpz_get_ui(p.r));
            }
    }
    pair_close(&p);
}

/* r = round(a b / 2^shift), upwards from one half. */
static void rounded_product(mpz_t r, const mpz_t a, const mpz_t b, unsigned shift) {
    mpz_mul(r, a, b);
    mpz_fdiv_q_2exp(r, r, shift - 1);
    mpz_add_ui(r, r, 1);
    mpz_fdiv_q_2exp(r, r, 1);
}

static void high_products(void **state) {
    struct prng prng = prng_for("limbs_mul_high");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(50000, 1000000); i > 0; i--) {
        unsigned shift = LIMB_BITS + (unsigned)prng_below(&prng, 2 * (LIMBS - 1) * LIMB_BITS + 1);
        if (prng_below(&prng, 4) == 0)
            shift = shift / LIMB_BITS * LIMB_BITS;
        pair_draw(&p, &prng);
        rounded_product(p.r, p.a, p.b, shift);
        if (mpz_cmp(p.r, p.radix) < 0)
            expect_integer("a b / 2^shift", p.r, limbs_mul_high(p.x, p.y, shift), p.a, p.b);
    }
    pair_close(&p);
}

static void words(void **state) {
    struct prng prng = prng_for("limbs_from_words");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = repetitions(2000, 100000); i > 0; i--) {
        lane32 word[WORDS], back[WORDS];
        for (int k = 0; k < WORDS; k++)
            word[k] = prng_below(&prng, 4) ? (lane32)prng_next(&prng) : 0 - (lane32)prng_below(&prng, 2);
        mpz_import(p.a, WORDS, 1, sizeof(lane32), 0, 0, word);
        struct limbs x = limbs_from_words(word);
        expect_integer("words", p.a, x, p.a, p.a);
        limbs_to_words(back, x);
        assert_memory_equal(back, word, sizeof word);
    }
    pair_close(&p);
}

static void columns_and_rows(void **state) {
    enum { SLOTS = 5 };
    limb column[SLOTS * LIMBS * LANES];
    struct limbs stored[SLOTS];
    struct prng prng = prng_for("limbs_load");
    (void)state;
    for (size_t i = 0; i < SLOTS; i++) {
        stored[i] = limbs_random(&prng);
        limbs_store(column, i, stored[i]);
    }
    for (size_t i = 0; i < SLOTS; i++)
        assert_true(limbs_equal(limbs_load(column, i), stored[i]));
    limbs_store_row(column + LIMBS, stored[3], 0);
    assert_true(limbs_equal(limbs_load_row(column + LIMBS), stored[3]));
    assert_true(limbs_equal(limbs_load_row(column), stored[0]) && limbs_equal(limbs_load(column, 2), stored[2]));
}

/* m = a random odd number from 3 to 2^(32 WORDS), now and then short or with small factors. */
static void odd_modulus(mpz_t m, struct prng *prng) {
    integer_from_limbs(m, limbs_random(prng));
    if (prng_below(prng, 4) == 0)
        mpz_fdiv_r_2exp(m, m, 2 + prng_below(prng, LIMBS * LIMB_BITS - 2));
    if (prng_below(prng, 8) == 0)
        mpz_mul_ui(m, m, 3 * 5 * 7 * 11);
    mpz_fdiv_r_2exp(m, m, 32 * WORDS);
    mpz_setbit(m, 0);
    if (mpz_cmp_ui(m, 3) < 0)
        mpz_set_ui(m, 3);
}

static void modulo_odd_numbers(void **state) {
    struct prng prng = prng_for("modular, Montgomery");
    mpz_t m;
    (void)state;
    mpz_init(m);
    for (size_t i = repetitions(500, 20000); i > 0; i--) {
        struct modulus modulus;
        odd_modulus(m, &prng);
        modulus_set(&modulus, m, REDUCE_MONTGOMERY);
        modular_cases(&modulus, &prng, 50);
        modular_powers(&modulus, &prng, 1);
        modular_inverses(&modulus, &prng, 10);
    }
    for (unsigned long below = 1; below < 40; below += 2) {
        struct modulus modulus;
        integer_radix(m);
        mpz_sub_ui(m, m, below);
        modulus_set(&modulus, m, REDUCE_MONTGOMERY);
        modular_cases(&modulus, &prng, 50);
        mpz_set_ui(m, below + 2);
        modulus_set(&modulus, m, REDUCE_MONTGOMERY);
        modular_cases(&modulus, &prng, 50);
        modular_inverses(&modulus, &prng, 50);
    }
    mpz_clear(m);
}

static void modulo_pseudo_mersenne(void **state) {
    const int *offered = *state;
    if (!*offered)
        skip();
    struct prng prng = prng_for("modular, pseudo-Mersenne");
    mpz_t m;
    mpz_init(m);
    for (size_t i = repetitions(500, 20000); i > 0; i--) {
        struct modulus modulus;
        unsigned long c = prng_below(&prng, 4) ? prng_below(&prng, (uint64_t)1 << 33) | 1 : ((uint64_t)1 << 33) - 1;
        integer_radix(m);
        mpz_sub_ui(m, m, c);
        modulus_set(&modulus, m, REDUCE_PSEUDO_MERSENNE);
        modular_cases(&modulus, &prng, 50);
        modular_powers(&modulus, &prng, 1);
    }
    mpz_clear(m);
}

/* Runs them all; the result is main's. pseudo_mersenne: has the machine that reduction for these limbs? */
static int limbs_cases(int pseudo_mersenne) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addition_and_subtraction),
        cmocka_unit_test(comparisons_and_selection),
        cmocka_unit_test(masks),
        cmocka_unit_test(halving),
        cmocka_unit_test(bits),
        cmocka_unit_test(high_products),
        cmocka_unit_test(words),
        cmocka_unit_test(columns_and_rows),
        cmocka_unit_test(modulo_odd_numbers),
        cmocka_unit_test_prestate(modulo_pseudo_mersenne, &pseudo_mersenne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
