/* Multiplication on curves of Edwards form, on small groups: k G for every k, and u G + v P for every P, those of small order
 * included, and every v. */
#ifndef TESTS_BATCH_EDWARDS_MULTIPLICATION_CASES_H
#define TESTS_BATCH_EDWARDS_MULTIPLICATION_CASES_H

#include "../curve/small_edwards_group.h"

#include "batch/edwards_multiply.h"
#include "batch/edwards_table_passes.h"

enum {
    SCRATCH_SLOTS = SECRET_SLOTS * SECRET_ENTRIES > PUBLIC_SLOTS_MOST ? SECRET_SLOTS *SECRET_ENTRIES : PUBLIC_SLOTS_MOST
};

static struct tables {
    _Alignas(64) limb secret[SECRET_TABLE_LIMBS];
    _Alignas(64) limb few[EDWARDS_PUBLIC_LIMBS(EDWARDS_PUBLIC_FEW)];
    _Alignas(64) limb many[EDWARDS_PUBLIC_LIMBS(EDWARDS_PUBLIC_MANY)];
    _Alignas(64) uint8_t scratch[EDWARDS_SCRATCH_BYTES(SCRATCH_SLOTS)];
    _Alignas(64) limb multiples[MULTIPLES_LIMBS];
    _Alignas(64) uint32_t digits[SCALAR_WINDOWS * SLOT_GROUP * LANES];
    _Alignas(64) uint32_t base_digits[SCALAR_WINDOWS * SLOT_GROUP * LANES];
} tables;

static struct arena scratch_arena(void) { return (struct arena){tables.scratch, sizeof tables.scratch, 0}; }

static struct limbs lane_integers(const unsigned k[LANES]) {
    struct limbs r = limbs_zero();
    for (int lane = 0; lane < LANES; lane++) {
        struct limbs_constant c = {{k[lane]}};
        limbs_insert(&r, lane, c);
    }
    return r;
}

/* k G, k < n; and an integer far greater than n, which every digit has a part in. */
static void try_base(void) {
    const unsigned order = small_group.order, n = small_group.n;
    struct arena arena = scratch_arena();
    edwards_table_secret(tables.secret, &arena);
    for (unsigned first = 0; first < n; first += LANES) {
        unsigned k[LANES], expected[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            k[lane] = (first + lane) % n;
            expected[lane] = 8 * k[lane] % order;
        }
        struct limbs k_limbs = lane_integers(k);
        edwards_base_recode(&k_limbs, tables.digits);
        expect_element("k G", expected, edwards_multiply_base(tables.secret, tables.digits));
    }
    /* 2^252 - 1 and 2^252 + 2^100 */
    for (unsigned way = 0; way < 2; way++) {
        unsigned power = 1, part = 1, expected[LANES];
        for (unsigned i = 0; i < 252; i++) {
            power = 2 * power % n;
            part = i < 100 ? 2 * part % n : part;
        }
        mpz_t integer;
        mpz_init(integer);
        mpz_ui_pow_ui(integer, 2, 252);
        if (way == 0) {
            mpz_sub_ui(integer, integer, 1);
        } else {
            mpz_setbit(integer, 100);
        }
        struct limbs_constant c = constant_from_integer(integer);
        struct limbs k_limbs = limbs_set(&c);
        for (int lane = 0; lane < LANES; lane++)
            expected[lane] = 8 * (way == 0 ? power + n - 1 : power + part) % order;
        edwards_base_recode(&k_limbs, tables.digits);
        expect_element("k G, k of 253 bits", expected, edwards_multiply_base(tables.secret, tables.digits));
        mpz_clear(integer);
    }
}

static void base(void **state) {
    (void)state;
    assert_true(small_groups_each(try_base) > 5);
}

/* Of the table of so many bits. u takes all values as P and v do. */
static void try_sums_by(const limb *table, unsigned width) {
    const unsigned order = small_group.order, n = small_group.n;
    for (unsigned first = 0; first < order * n; first += LANES) {
        unsigned u[LANES], v[LANES], point[LANES], expected[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            point[lane] = (first + lane) / n % order;
            v[lane] = (first + lane) % n;
            u[lane] = (first + 5 * lane) / 3 % n;
            expected[lane] = (8 * u[lane] + v[lane] * point[lane]) % order;
        }
        struct limbs u_integer = lane_integers(u), v_integer = lane_integers(v);
        struct edwards p = small_point(point, 1 + first % (small_group.p - 1));
        edwards_multiples_of(tables.multiples, &p);
        recode_signed(&v_integer, mask_set(0), ENTRY_WINDOW, SCALAR_WINDOWS, tables.digits);
        recode_signed(&u_integer, mask_set(0), width, scalar_windows(width), tables.base_digits);
        struct edwards r =
            edwards_multiply_add_vartime(tables.multiples, tables.digits, table, width, tables.base_digits);
        expect_element("u G + v P", expected, edwards_from_projective(r.x, r.y, r.z));
    }
}

static void try_sums(void) {
    struct arena arena = scratch_arena();
    if (small_group.order > 60)
        return;
    edwards_table_public(EDWARDS_PUBLIC_FEW, tables.few, &arena);
    edwards_table_public(EDWARDS_PUBLIC_MANY, tables.many, &arena);
    try_sums_by(tables.few, EDWARDS_PUBLIC_FEW);
    try_sums_by(tables.many, EDWARDS_PUBLIC_MANY);
}

static void sums(void **state) {
    (void)state;
    assert_true(small_groups_each(try_sums) > 5);
}

/* What many threads fill, one after the other here, is what one fills. */
static void try_passes(void) {
    static struct {
        _Alignas(64) uint8_t tables[EDWARDS_BYTES(EDWARDS_PUBLIC_MANY)];
        _Alignas(64) limb scratch[TABLES_SCRATCH_LIMBS];
    } passes;
    const struct edwards_table_memory memory = {(limb *)passes.tables, passes.scratch, EDWARDS_PUBLIC_MANY};
    struct arena arena = scratch_arena();
    const size_t tasks = EDWARDS_TASKS(EDWARDS_PUBLIC_MANY);
    if (small_group.order > 40)
        return;
    memset(tables.secret, 0, sizeof tables.secret); /* rows that no entry fills */
    memset(passes.tables, 0, sizeof passes.tables);
    edwards_table_secret(tables.secret, &arena);
    edwards_table_public(EDWARDS_PUBLIC_MANY, tables.many, &arena);
    for (size_t i = tasks; i-- > 0;) {
        struct worker w = {i, tasks, tasks};
        edwards_tables_fill(&w, &memory);
    }
    assert_memory_equal(passes.tables, tables.secret, sizeof tables.secret);
    assert_memory_equal(passes.tables + sizeof tables.secret, tables.many, sizeof tables.many);
}

static void passes(void **state) {
    (void)state;
    if (LANES == 1)
        assert_true(small_groups_each(try_passes) > 5);
}

/* Runs them all; the result is main's. */
static int edwards_multiplication_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(base), cmocka_unit_test(sums), cmocka_unit_test(passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
