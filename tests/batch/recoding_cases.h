/* Scalars of small groups and of any length, and the digits that are made of them. */
#ifndef TESTS_BATCH_RECODING_CASES_H
#define TESTS_BATCH_RECODING_CASES_H

#include "../curve/small_group.h"

#include "batch/recode.h"

/* Integers, one for each lane, and as limbs. */
struct integers {
    mpz_t lane[LANES];
};

static void integers_open(struct integers *k) {
    for (int l = 0; l < LANES; l++)
        mpz_init(k->lane[l]);
}

static void integers_close(struct integers *k) {
    for (int l = 0; l < LANES; l++)
        mpz_clear(k->lane[l]);
}

static struct limbs integers_limbs(const struct integers *k) {
    struct limbs r = limbs_zero();
    for (int l = 0; l < LANES; l++)
        limbs_insert(&r, l, constant_from_integer(k->lane[l]));
    return r;
}

/* k = integers below 2^bits. */
static void integers_draw(struct integers *k, struct prng *prng, unsigned bits) {
    for (int l = 0; l < LANES; l++) {
        integer_random(k->lane[l], prng);
        mpz_fdiv_r_2exp(k->lane[l], k->lane[l], bits);
    }
}

static struct limbs limbs_from_indices(struct indices i) {
    struct limbs r = limbs_zero();
    for (int l = 0; l < LANES; l++) {
        struct limbs_constant c = {{i.lane[l]}};
        limbs_insert(&r, l, c);
    }
    return r;
}

static unsigned lane_mod_order(const struct group *g, struct limbs k, int lane) {
    mpz_t integer;
    mpz_init(integer);
    integer_from_lane(integer, k, lane);
    unsigned r = (unsigned)mpz_fdiv_ui(integer, g->order);
    mpz_clear(integer);
    return r;
}

/* k modulo the order, or -k where negate. */
static struct indices signed_residues(const struct group *g, struct limbs k, mask negate) {
    struct indices r;
    for (int l = 0; l < LANES; l++) {
        unsigned residue = lane_mod_order(g, k, l);
        r.lane[l] = mask_lane(negate, l) ? (g->order - residue) % g->order : residue;
    }
    return r;
}

static mask mask_random(struct prng *prng) {
    mask r = mask_set(0);
    for (int lane = 0; lane < LANES; lane++)
        r = mask_insert(r, lane, (int)prng_below(prng, 2));
    return r;
}

/* A lane's digits stand for +-k, and each is in its range. */
static void expect_lane_digits(const uint32_t *digits, int lane, const mpz_t k, int negate, unsigned width,
                               unsigned windows) {
    mpz_t sum, digit;
    mpz_inits(sum, digit, NULL);
    for (unsigned i = 0; i < windows; i++) {
        lane32 column = digit_load(digits, i);
        unsigned magnitude = lane32_extract(digit_magnitude(column), lane), half = 1u << (width - 1);
        int negative = mask_lane(digit_is_negative(column), lane);
        assert_true(magnitude < half || (magnitude == half && negative == negate));
        mpz_set_ui(digit, magnitude);
        mpz_mul_2exp(digit, digit, width * i);
        if (negative != negate)
            mpz_neg(digit, digit);
        mpz_add(sum, sum, digit);
    }
    assert_int_equal(mpz_cmp(sum, k), 0);
    mpz_clears(sum, digit, NULL);
}

static void expect_digits(const struct integers *k, mask negate, unsigned width, unsigned windows) {
    static uint32_t digits[32 * WORDS * SLOT_GROUP * LANES];
    struct limbs integers = integers_limbs(k);
    recode_signed(&integers, negate, width, windows, digits);
    for (int l = 0; l < LANES; l++)
        expect_lane_digits(digits, l, k->lane[l], mask_lane(negate, l), width, windows);
}

/* k1 + k2 lambda of a digit, lambda^2 = -lambda - 1. */
static void eisenstein_value(uint32_t digit, int value[2]) {
    assert_true((digit >> 3) < EISENSTEIN_ENTRIES && (digit >> 1 & 3) < 3);
    int a = EISENSTEIN_ENTRY[digit >> 3][0], b = EISENSTEIN_ENTRY[digit >> 3][1];
    for (uint32_t j = 0; j < (digit >> 1 & 3); j++) {
        int before = a;
        a = -b;
        b = before - b;
    }
    value[0] = digit & 1 ? -a : a;
    value[1] = digit & 1 ? -b : b;
}

/* Every residue's digit is in its class, with the carries that it leaves. */
static void eisenstein_digits(void **state) {
    (void)state;
    for (uint32_t index = 0; index < 64; index++) {
        uint32_t digit = lane32_extract(eisenstein_digit(lane32_set(index)), LANES - 1);
        int value[2];
        eisenstein_value(digit & 127, value);
        assert_int_equal(value[0] + 8 * (int)(digit >> 7 & 1), index & 7);
        assert_int_equal(value[1] + 8 * (int)(digit >> 8), index >> 3);
    }
}

/* The digits of a lane stand for +-k1 +- k2 lambda. */
static void expect_lane_eisenstein(const uint32_t *digits, int lane, const mpz_t k1, const mpz_t k2) {
    mpz_t sums[2], term;
    mpz_inits(sums[0], sums[1], term, NULL);
    for (unsigned i = 0; i < EISENSTEIN_WINDOWS; i++) {
        int value[2];
        eisenstein_value(lane32_extract(digit_load(digits, i), lane), value);
        for (int j = 0; j < 2; j++) {
            mpz_set_si(term, value[j]);
            mpz_mul_2exp(term, term, 3 * i);
            mpz_add(sums[j], sums[j], term);
        }
    }
    assert_true(mpz_cmp(sums[0], k1) == 0 && mpz_cmp(sums[1], k2) == 0);
    mpz_clears(sums[0], sums[1], term, NULL);
}

static void eisenstein_recoding(void **state) {
    static uint32_t digits[EISENSTEIN_WINDOWS * SLOT_GROUP * LANES];
    struct prng prng = prng_for("eisenstein_recode");
    struct integers k1, k2;
    (void)state;
    integers_open(&k1);
    integers_open(&k2);
    for (size_t i = lane_repetitions(5000, 500000); i > 0; i--) {
        mask negative1 = mask_random(&prng), negative2 = mask_random(&prng);
        unsigned bits = 1 + (unsigned)prng_below(&prng, 126);
        integers_draw(&k1, &prng, bits);
        integers_draw(&k2, &prng, prng_below(&prng, 4) == 0 ? 126 : bits);
        struct limbs first = integers_limbs(&k1), second = integers_limbs(&k2);
        eisenstein_recode(&first, negative1, &second, negative2, digits);
        for (int l = 0; l < LANES; l++) {
            if (mask_lane(negative1, l))
                mpz_neg(k1.lane[l], k1.lane[l]);
            if (mask_lane(negative2, l))
                mpz_neg(k2.lane[l], k2.lane[l]);
            expect_lane_eisenstein(digits, l, k1.lane[l], k2.lane[l]);
        }
    }
    integers_close(&k1);
    integers_close(&k2);
}

static void recoding(void **state) {
    struct prng prng = prng_for("recode_signed");
    struct integers k;
    /* Nine limbs of 58 bits hold fewer than WORDS words. */
    const unsigned bits = 32 * WORDS < LIMBS * LIMB_BITS ? 32 * WORDS : LIMBS * LIMB_BITS;
    (void)state;
    integers_open(&k);
    for (unsigned width = 2; width <= 22; width++) {
        unsigned windows = (bits + width) / width;
        for (unsigned first = 0; first < 3u << 10; first += LANES) {
            for (unsigned l = 0; l < LANES; l++)
                mpz_set_ui(k.lane[l], first + l);
            expect_digits(&k, mask_random(&prng), width, windows);
        }
        for (size_t i = lane_repetitions(300, 30000); i > 0; i--) {
            integers_draw(&k, &prng, bits);
            expect_digits(&k, mask_random(&prng), width, windows);
        }
        for (unsigned below = 1; below < 40; below += LANES) {
            for (unsigned l = 0; l < LANES; l++) {
                mpz_ui_pow_ui(k.lane[l], 2, bits);
                mpz_sub_ui(k.lane[l], k.lane[l], below + l);
            }
            expect_digits(&k, mask_set(0), width, windows);
        }
    }
    integers_close(&k);
}

#endif
