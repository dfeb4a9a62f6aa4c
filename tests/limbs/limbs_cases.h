/* A machine on LIMBS limbs, each lane with numbers of its own, against GMP: integers, then residues modulo odd
 * numbers. */
#ifndef TESTS_LIMBS_LIMBS_CASES_H
#define TESTS_LIMBS_LIMBS_CASES_H

#include "integers.h"

#include "modular_cases.h"

#include "batch/scan.h"

/* Two random integers in each lane, as limbs and as GMP's; and GMP's for results. */
struct pair {
    struct limbs x, y;
    mpz_t a[LANES], b[LANES], r, radix;
};

static void pair_open(struct pair *p) {
    mpz_inits(p->r, p->radix, NULL);
    for (int lane = 0; lane < LANES; lane++)
        mpz_inits(p->a[lane], p->b[lane], NULL);
    integer_radix(p->radix);
}

static void pair_close(struct pair *p) {
    for (int lane = 0; lane < LANES; lane++)
        mpz_clears(p->a[lane], p->b[lane], NULL);
    mpz_clears(p->r, p->radix, NULL);
}

/* Random, and now and then equal or neighbours. */
static void pair_draw(struct pair *p, struct prng *prng) {
    for (int lane = 0; lane < LANES; lane++) {
        integer_random(p->a[lane], prng);
        switch (prng_below(prng, 8)) {
        case 0:
            mpz_set(p->b[lane], p->a[lane]);
            break;
        case 1:
            mpz_add_ui(p->b[lane], p->a[lane], 1);
            mpz_mod(p->b[lane], p->b[lane], p->radix);
            break;
        default:
            integer_random(p->b[lane], prng);
        }
        limbs_insert(&p->x, lane, constant_from_integer(p->a[lane]));
        limbs_insert(&p->y, lane, constant_from_integer(p->b[lane]));
    }
}

static void addition_and_subtraction(void **state) {
    struct prng prng = prng_for("limbs_add");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = lane_repetitions(20000, 1000000); i > 0; i--) {
        mask carry, borrow;
        pair_draw(&p, &prng);
        struct limbs sum = limbs_add(p.x, p.y, &carry), difference = limbs_sub(p.x, p.y, &borrow);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_add(p.r, p.a[lane], p.b[lane]);
            expect_lane_mask("carry of a + b", mpz_cmp(p.r, p.radix) >= 0, carry, lane, p.a[lane], p.b[lane]);
            mpz_mod(p.r, p.r, p.radix);
            expect_lane("a + b", p.r, sum, lane, p.a[lane], p.b[lane]);

            mpz_sub(p.r, p.a[lane], p.b[lane]);
            expect_lane_mask("borrow of a - b", mpz_sgn(p.r) < 0, borrow, lane, p.a[lane], p.b[lane]);
            mpz_mod(p.r, p.r, p.radix);
            expect_lane("a - b", p.r, difference, lane, p.a[lane], p.b[lane]);
        }
    }
    pair_close(&p);
}

/* A mask whose lanes are random. */
static mask mask_random(struct prng *prng) {
    mask r = mask_set(0);
    for (int lane = 0; lane < LANES; lane++)
        r = mask_insert(r, lane, (int)prng_below(prng, 2));
    return r;
}

static void comparisons_and_selection(void **state) {
    struct prng prng = prng_for("limbs_less");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = lane_repetitions(20000, 1000000); i > 0; i--) {
        mask choice = mask_random(&prng);
        pair_draw(&p, &prng);
        mask less = limbs_less(p.x, p.y), equal = limbs_equal(p.x, p.y), zero = limbs_is_zero(p.x);
        mask odd = limbs_is_odd(p.x);
        struct limbs chosen = limbs_select(choice, p.x, p.y);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_t *a = &p.a[lane], *b = &p.b[lane];
            expect_lane_mask("a < b", mpz_cmp(*a, *b) < 0, less, lane, *a, *b);
            expect_lane_mask("a = b", mpz_cmp(*a, *b) == 0, equal, lane, *a, *b);
            expect_lane_mask("a = 0", mpz_sgn(*a) == 0, zero, lane, *a, *b);
            expect_lane_mask("a odd", mpz_odd_p(*a), odd, lane, *a, *b);
            expect_lane("m ? a : b", mask_lane(choice, lane) ? *a : *b, chosen, lane, *a, *b);
        }
    }
    pair_close(&p);
}

/* Powers of 2, each in one lane alone, among zeros. */
static void zeros_and_powers(void **state) {
    mpz_t power;
    (void)state;
    mpz_init(power);
    for (unsigned bit = 0; bit < LIMBS * LIMB_BITS; bit++) {
        struct limbs x = limbs_zero();
        int lane = (int)(bit % LANES);
        mpz_set_ui(power, 0);
        mpz_setbit(power, bit);
        limbs_insert(&x, lane, constant_from_integer(power));
        mask zero = limbs_is_zero(x), equal = limbs_equal(x, limbs_zero());
        for (int l = 0; l < LANES; l++) {
            expect_lane_mask("is 0", l != lane, zero, l, power, power);
            expect_lane_mask("= 0", l != lane, equal, l, power, power);
        }
    }
    expect_mask("0 = 0", 1, limbs_is_zero(limbs_zero()), power, power);
    mpz_clear(power);
}

/* Lane l = f(l). */
static lane32 lane32_steps(uint32_t from, uint32_t step) {
    lane32 r = lane32_set(from);
    for (int lane = 0; lane < LANES; lane++)
        r = lane32_insert(r, lane, from + (uint32_t)lane * step);
    return r;
}

static void masks(void **state) {
    (void)state;
    for (uint32_t a = 0; a < 40; a++)
        for (uint32_t b = 0; b < 40; b++) {
            mask small = lane32_equal(lane32_steps(a, 1), lane32_steps(b, 2));
            mask great = lane32_equal(lane32_steps(a, 1), lane32_steps(UINT32_MAX - b, 0));
            for (uint32_t lane = 0; lane < LANES; lane++) {
                assert_int_equal(mask_lane(small, (int)lane), a + lane == b + 2 * lane);
                assert_int_equal(mask_lane(great, (int)lane), a + lane == UINT32_MAX - b);
            }
        }
    for (int bit = 0; bit < 32; bit++) {
        lane32 v = lane32_steps((uint32_t)1 << bit, 1);
        assert_false(mask_any(lane32_equal(lane32_set((uint32_t)1 << bit), lane32_set(0))));
        for (int lane = 0; lane < LANES; lane++)
            assert_int_equal(mask_lane(lane32_is_odd(v), lane), (lane + (bit == 0)) % 2);
    }
    for (int lane = 0; lane < LANES; lane++) {
        mask one = mask_insert(mask_set(0), lane, 1), others = mask_insert(mask_set(1), lane, 0);
        assert_true(mask_any(one) && (LANES > 1) == mask_any(others));
        for (int l = 0; l < LANES; l++) {
            assert_int_equal(mask_lane(one, l), l == lane);
            assert_int_equal(mask_lane(others, l), l != lane);
            assert_int_equal(lane32_extract(mask_to_lane32(one), l), l == lane ? UINT32_MAX : 0);
            assert_int_equal(lane32_extract(lane32_from_bit(lane32_insert(lane32_set(0), lane, 1)), l),
                             l == lane ? UINT32_MAX : 0);
        }
    }
    assert_true(mask_any(mask_set(1)) && !mask_any(mask_set(0)));
}

static void halving(void **state) {
    struct prng prng = prng_for("limbs_half");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = lane_repetitions(20000, 1000000); i > 0; i--) {
        mask carry = mask_random(&prng);
        pair_draw(&p, &prng);
        struct limbs half = limbs_half(p.x, carry);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_set(p.r, p.a[lane]);
            if (mask_lane(carry, lane))
                mpz_add(p.r, p.r, p.radix);
            mpz_fdiv_q_2exp(p.r, p.r, 1);
            expect_lane("(carry : a) / 2", p.r, half, lane, p.a[lane], p.b[lane]);
        }
    }
    pair_close(&p);
}

static void bits(void **state) {
    struct prng prng = prng_for("limbs_bits");
    struct pair p;
    (void)state;
    pair_open(&p);
    for (size_t i = lane_repetitions(20, 500); i > 0; i--) {
        pair_draw(&p, &prng);
        for (unsigned from = 0; from < (LIMBS + 2) * LIMB_BITS; from++)
            for (unsigned width = 1; width <= 24; width++) {
                lane32 got = limbs_bits(&p.x, from, width);
                for (int lane = 0; lane < LANES; lane++) {
                    mpz_fdiv_q_2exp(p.r, p.a[lane], from);
                    mpz_fdiv_r_2exp(p.r, p.r, width);
                    assert_int_equal(lane32_extract(got, lane), mpz_get_ui(p.r));
                }
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
    for (size_t i = lane_repetitions(50000, 1000000); i > 0; i--) {
        unsigned shift = 64 + (unsigned)prng_below(&prng, 2 * (LIMBS - 1) * LIMB_BITS + 1);
        if (shift >= 64 + LIMB_BITS && prng_below(&prng, 4) == 0)
            shift = shift / LIMB_BITS * LIMB_BITS;
        pair_draw(&p, &prng);
        struct limbs high = limbs_mul_high(p.x, p.y, shift);
        for (int lane = 0; lane < LANES; lane++) {
            rounded_product(p.r, p.a[lane], p.b[lane], shift);
            if (mpz_cmp(p.r, p.radix) < 0)
                expect_lane("a b / 2^shift", p.r, high, lane, p.a[lane], p.b[lane]);
        }
    }
    pair_close(&p);
}

static void words(void **state) {
    struct prng prng = prng_for("limbs_from_words");
    mpz_t r;
    (void)state;
    mpz_init(r);
    for (size_t i = lane_repetitions(2000, 100000); i > 0; i--) {
        uint32_t word[LANES][WORDS];
        lane32 given[WORDS], back[WORDS];
        for (int k = 0; k < WORDS; k++) {
            given[k] = lane32_set(0);
            for (int lane = 0; lane < LANES; lane++) {
                word[lane][k] = prng_below(&prng, 4) ? (uint32_t)prng_next(&prng) : 0 - (uint32_t)prng_below(&prng, 2);
                given[k] = lane32_insert(given[k], lane, word[lane][k]);
            }
        }
        struct limbs x = limbs_from_words(given);
        limbs_to_words(back, x);
        for (int lane = 0; lane < LANES; lane++) {
            mpz_import(r, WORDS, 1, sizeof(uint32_t), 0, 0, word[lane]);
            expect_lane("words", r, x, lane, r, r);
        }
        assert_memory_equal(back, given, sizeof given);
    }
    mpz_clear(r);
}

static int limbs_are_equal(struct limbs a, struct limbs b) { return !mask_any(~limbs_equal(a, b)); }

/* One lane of an integer. */
static struct limbs_constant lane_of(struct limbs a, int lane) {
    struct limbs_constant r;
    for (unsigned j = 0; j < LIMBS; j++)
        r.v[j] = limbs_extract(a, j, lane);
    return r;
}

static void columns_and_rows(void **state) {
    enum { SLOTS = 2 * SLOT_GROUP + 3, PIECE = SLOT_GROUP == 1 ? LIMBS : LIMBS % 4 ? 2 : 4 };
    _Alignas(64) static limb column[(SLOTS + SLOT_GROUP) * LIMBS * LANES];
    limb row[LIMBS];
    struct limbs stored[SLOTS];
    struct prng prng = prng_for("limbs_load");
    (void)state;
    for (size_t i = 0; i < SLOTS; i++) {
        stored[i] = limbs_random(&prng);
        limbs_store(column, i, stored[i]);
    }
    for (size_t i = 0; i < SLOTS; i++) {
        size_t at = i / SLOT_GROUP * SLOT_GROUP * LIMBS + i % SLOT_GROUP * PIECE;
        assert_true(limbs_are_equal(limbs_load(column, i), stored[i]));
        for (int lane = 0; lane < LANES; lane++) {
            struct limbs_constant c = lane_of(stored[i], lane);
            for (size_t j = 0; j < LIMBS; j++)
                assert_true(column[(at + j / PIECE * PIECE * SLOT_GROUP + j % PIECE) * LANES + (size_t)lane] == c.v[j]);
            limbs_store_row(row, stored[i], lane);
            assert_memory_equal(row, c.v, sizeof row);
            assert_true(limbs_are_equal(limbs_load_row(row), limbs_set(&c)));
        }
    }
}

/* Tables of random pairs below 2^(32 WORDS), of which each lane takes another one. */
enum { ENTRIES = 32 };
static struct limbs_constant table_pairs[ENTRIES][2];

static void draw_pairs(struct prng *prng) {
    mpz_t r;
    mpz_init(r);
    for (int i = 0; i < ENTRIES; i++)
        for (int j = 0; j < 2; j++) {
            integer_random(r, prng);
            mpz_fdiv_r_2exp(r, r, 32 * WORDS);
            table_pairs[i][j] = constant_from_integer(r);
        }
    mpz_clear(r);
}

/* The lanes of these integers, two or one, are those of the pairs of these indices; zeros from ENTRIES on. */
static void expect_parts(const struct limbs *got_parts, int parts, lane32 index) {
    const struct limbs_constant zero = {{0}};
    for (int lane = 0; lane < LANES; lane++)
        for (int j = 0; j < parts; j++) {
            uint32_t i = lane32_extract(index, lane);
            struct limbs_constant got = lane_of(got_parts[j], lane);
            assert_memory_equal(&got, i < ENTRIES ? &table_pairs[i][j] : &zero, sizeof got);
        }
}

static lane32 lane32_random(struct prng *prng, uint32_t bound) {
    lane32 r = lane32_set(0);
    for (int lane = 0; lane < LANES; lane++)
        r = lane32_insert(r, lane, (uint32_t)prng_below(prng, bound));
    return r;
}

static void tables_by_index(void **state) {
    _Alignas(64) static limb rows[ENTRIES * ROW_LIMBS];
    struct prng prng = prng_for("limbs_gather_pair_vartime");
    struct limbs pair[2];
    (void)state;
    draw_pairs(&prng);
    for (int i = 0; i < ENTRIES; i++) {
        int lane = i % LANES;
        pair[0] = limbs_random(&prng);
        pair[1] = limbs_random(&prng);
        limbs_insert(&pair[0], lane, table_pairs[i][0]);
        limbs_insert(&pair[1], lane, table_pairs[i][1]);
        limbs_store_pair(rows + (size_t)i * ROW_LIMBS, pair, lane);
    }
    for (int i = 0; i < 1000; i++) {
        lane32 index = i < ENTRIES ? lane32_set((uint32_t)i) : lane32_random(&prng, ENTRIES);
        limbs_prefetch_pair_vartime(rows, index);
        limbs_gather_pair_vartime(pair, rows, index);
        expect_parts(pair, 2, index);
    }
}

/* Row by row what limbs_store_pair writes; and lanes past the number given write nothing. */
static void tables_by_scattering(void **state) {
    _Alignas(64) static limb rows[ENTRIES * ROW_LIMBS];
    _Alignas(64) limb row[ROW_LIMBS];
    struct prng prng = prng_for("limbs_scatter_pair_vartime");
    (void)state;
    draw_pairs(&prng);
    for (int i = 0; i < 1000; i++) {
        const int lanes = (int)prng_below(&prng, LANES + 1);
        const uint32_t first = (uint32_t)prng_below(&prng, ENTRIES);
        struct limbs pair[2] = {limbs_random(&prng), limbs_random(&prng)};
        lane32 index = lane32_set(0);
        for (int l = 0; l < LANES; l++) {
            index = lane32_insert(index, l, (first + (uint32_t)(3 * l)) % ENTRIES);
            limbs_insert(&pair[0], l, table_pairs[(first + (unsigned)l) % ENTRIES][0]);
            limbs_insert(&pair[1], l, table_pairs[(first + (unsigned)l) % ENTRIES][1]);
        }
        memset(rows, 0xa5, sizeof rows);
        limbs_scatter_pair_vartime(rows, index, pair, lanes);
        for (int l = 0; l < LANES; l++) {
            if (l < lanes)
                limbs_store_pair(row, pair, l);
            else
                memset(row, 0xa5, sizeof row);
            assert_memory_equal(rows + (size_t)lane32_extract(index, l) * ROW_LIMBS, row, sizeof row);
        }
    }
}

/* Entries of one pair, of an integer less and of one more, which is of another pair. */
static void scan_tables_of(int parts) {
    _Alignas(64) static limb table[ENTRIES * 3 * LIMBS];
    struct prng prng = prng_for("limbs_scan");
    struct limbs result[4];
    for (unsigned i = 0; i < ENTRIES; i++)
        for (unsigned j = 0; j < (unsigned)parts * LIMBS; j++) {
            const unsigned part = j / LIMBS, pair = part < 2 ? i : ENTRIES - 1 - i;
            limbs_scan_store(table, parts, ENTRIES, i, j, table_pairs[pair][part % 2].v[j % LIMBS]);
        }
    for (uint32_t i = 0; i < 1000; i++) {
        lane32 index = i < 2 * ENTRIES ? lane32_set(i) : lane32_random(&prng, 2 * ENTRIES);
        if (i % 16 == 0)
            index = lane32_insert(index, (int)(i / 16 % LANES), UINT32_MAX); /* 0 less 1 */
        limbs_scan(result, parts, table, ENTRIES, index);
        expect_parts(result, parts < 2 ? parts : 2, index);
        if (parts > 2)
            expect_parts(result + 2, 1, lane32_set(ENTRIES - 1) - index);
    }
}

static void tables_by_scanning(void **state) {
    struct prng prng = prng_for("tables_by_scanning");
    (void)state;
    draw_pairs(&prng);
    for (int parts = SCAN_PARTS; parts <= 3; parts += SCAN_PARTS)
        scan_tables_of(parts);
}

/* m = a random odd number from 3 to 2^(32 WORDS), now and then short or with small factors. */
static void odd_modulus(mpz_t m, struct prng *prng) {
    integer_random(m, prng);
    if (prng_below(prng, 4) == 0)
        mpz_fdiv_r_2exp(m, m, 2 + prng_below(prng, LIMBS * LIMB_BITS - 2));
    if (prng_below(prng, 8) == 0)
        mpz_mul_ui(m, m, 3 * 5 * 7 * 11);
    mpz_fdiv_r_2exp(m, m, 32 * WORDS);
    mpz_setbit(m, 0);
    if (mpz_cmp_ui(m, 3) < 0)
        mpz_set_ui(m, 3);
}

/* Of the machine's reductions modulo any odd number the one to be tested. */
#ifndef ANY_ODD
#define ANY_ODD REDUCE_MONTGOMERY
#endif

static void modulo_odd_numbers(void **state) {
    struct prng prng = prng_for("modular, Montgomery");
    mpz_t m;
    (void)state;
    mpz_init(m);
    for (size_t i = lane_repetitions(500, 20000); i > 0; i--) {
        struct modulus modulus;
        odd_modulus(m, &prng);
        modulus_set(&modulus, m, ANY_ODD);
        modular_cases(&modulus, &prng, 50 * LANES);
        modular_inverses(&modulus, &prng, 10 * LANES);
    }
    for (unsigned long below = 1; below < 40; below += 2) {
        struct modulus modulus;
        mpz_set_ui(m, 0);
        mpz_setbit(m, 32 * WORDS);
        mpz_sub_ui(m, m, below);
        modulus_set(&modulus, m, ANY_ODD);
        modular_cases(&modulus, &prng, 50);
        mpz_set_ui(m, below + 2);
        modulus_set(&modulus, m, ANY_ODD);
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
    for (size_t i = lane_repetitions(500, 20000); i > 0; i--) {
        struct modulus modulus;
        unsigned long c = prng_below(&prng, 4) ? prng_below(&prng, (uint64_t)1 << 33) | 1 : ((uint64_t)1 << 33) - 1;
        if (LIMB_BITS == 32) /* the GPU's machine asks for that */
            c &= ~0xf0000000ul;
        mpz_set_ui(m, 0);
        mpz_setbit(m, 32 * WORDS);
        mpz_sub_ui(m, m, c);
        modulus_set(&modulus, m, REDUCE_PSEUDO_MERSENNE);
        modular_cases(&modulus, &prng, 50 * LANES);
    }
    mpz_clear(m);
}

/* Runs them all; the result is main's. pseudo_mersenne: has the machine that reduction for these limbs? */
static int limbs_cases(int pseudo_mersenne) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addition_and_subtraction),
        cmocka_unit_test(comparisons_and_selection),
        cmocka_unit_test(zeros_and_powers),
        cmocka_unit_test(masks),
        cmocka_unit_test(halving),
        cmocka_unit_test(bits),
        cmocka_unit_test(high_products),
        cmocka_unit_test(words),
        cmocka_unit_test(columns_and_rows),
        cmocka_unit_test(tables_by_index),
        cmocka_unit_test(tables_by_scattering),
        cmocka_unit_test(tables_by_scanning),
        cmocka_unit_test(modulo_odd_numbers),
        cmocka_unit_test_prestate(modulo_pseudo_mersenne, &pseudo_mersenne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
