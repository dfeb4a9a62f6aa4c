/* Multiplication on curves of Edwards form, on small groups: k G for every k, and u G + v P for every P, those of small
 * order included, and every v, from the multiples of P and from a table of P, of which every entry is looked at. */
#ifndef TESTS_BATCH_EDWARDS_MULTIPLICATION_CASES_H
#define TESTS_BATCH_EDWARDS_MULTIPLICATION_CASES_H

#include "../curve/small_edwards_group.h"

#include "batch/edwards_multiply.h"

/* Bits of a window of the table that sums with keys read. */
#ifdef TABLES_IN_ONE_PIECE
enum { KEYS_WINDOW = PUBLIC_WINDOW };
#else
enum { KEYS_WINDOW = EDWARDS_KEYS_WINDOW };
#endif
enum { KEYS_WINDOWS = WINDOW_COUNT(SCALAR_BITS, KEYS_WINDOW) };

static struct tables {
    _Alignas(64) limb secret[SECRET_TABLE_LIMBS];
    _Alignas(64) limb keys[PUBLIC_TABLE_LIMBS(KEYS_WINDOW, KEYS_WINDOWS)];
#ifndef TABLES_IN_ONE_PIECE
    _Alignas(64) limb few[PUBLIC_TABLE_LIMBS(EDWARDS_PUBLIC_FEW, 1)];
    _Alignas(64) limb many[PUBLIC_TABLE_LIMBS(EDWARDS_PUBLIC_MANY, 1)];
#endif
    _Alignas(64) uint8_t scratch[GENERATOR_SCRATCH_BYTES];
    _Alignas(64) limb multiples[MULTIPLES_LIMBS];
    _Alignas(64) uint32_t digits[SCALAR_WINDOWS * SLOT_GROUP * LANES];
    _Alignas(64) uint32_t base_digits[SCALAR_WINDOWS * SLOT_GROUP * LANES];
} tables;

/* The secret table and that of sums with keys, as programs are given them. */
#ifdef TABLES_IN_ONE_PIECE
static_assert(offsetof(struct tables, keys) == SECRET_TABLE_LIMBS * sizeof(limb), "they are one piece");

static const void *given_tables(void) { return tables.secret; }
#else
static const void *given_tables(void) {
    static const struct base_tables given = {tables.secret, tables.keys, KEYS_WINDOW, KEYS_WINDOWS};
    return &given;
}
#endif

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
    base_table_secret(tables.secret, NULL, &arena);
    for (unsigned first = 0; first < n; first += LANES) {
        unsigned k[LANES], expected[LANES];
        for (unsigned lane = 0; lane < LANES; lane++) {
            k[lane] = (first + lane) % n;
            expected[lane] = 8 * k[lane] % order;
        }
        struct limbs k_limbs = lane_integers(k);
        secret_recode(&k_limbs, tables.digits);
        expect_element("k G", expected, base_multiply(SECRET, given_tables(), tables.digits));
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
        secret_recode(&k_limbs, tables.digits);
        expect_element("k G, k of 253 bits", expected, base_multiply(SECRET, given_tables(), tables.digits));
        mpz_clear(integer);
    }
}

static void base(void **state) {
    (void)state;
    assert_true(small_groups_each(try_base) > 5);
}

/* By the tables that a program is given. u takes all values as P and v do. */
static void try_sums_by(const void *given) {
    const unsigned width = public_width(given);
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
        recode_signed(&v_integer, mask_set(0), POINT_WINDOW, SCALAR_WINDOWS, tables.digits);
        recode_signed(&u_integer, mask_set(0), width, scalar_windows(width), tables.base_digits);
        struct edwards r = edwards_multiply_add_vartime(tables.multiples, tables.digits, given, tables.base_digits);
        expect_element("u G + v P", expected, edwards_from_projective(r.x, r.y, r.z));
    }
}

static void try_sums(void) {
    struct arena arena = scratch_arena();
    if (small_group.order > 60)
        return;
#ifndef TABLES_IN_ONE_PIECE
    static const struct base_tables few = {NULL, tables.few, EDWARDS_PUBLIC_FEW, 1};
    static const struct base_tables many = {NULL, tables.many, EDWARDS_PUBLIC_MANY, 1};
    base_table_public(tables.few, EDWARDS_PUBLIC_FEW, 1, &arena);
    base_table_public(tables.many, EDWARDS_PUBLIC_MANY, 1, &arena);
    try_sums_by(&few);
    try_sums_by(&many);
#else
    base_table_public(tables.keys, KEYS_WINDOW, KEYS_WINDOWS, &arena);
    try_sums_by(given_tables());
#endif
}

static void sums(void **state) {
    (void)state;
    assert_true(small_groups_each(try_sums) > 5);
}

/* Tables of every element of the group, element k as key number k. */
static void key_set_make(struct key_set *set, unsigned width) {
    enum { PIECE = 64 * LANES };
    struct arena arena = scratch_arena();
    const struct entries e = entries_take(&arena, PIECE / LANES);
    *set = (struct key_set){.count = small_group.order, .width = width, .windows = WINDOW_COUNT(SCALAR_BITS, width)};
    const size_t bytes = (size_t)set->count * key_entries(set) * ENTRY_ROWS * ROW_LIMBS * sizeof(limb);
    assert_int_equal(posix_memalign(&set->rows, 64, bytes), 0);
    memset(set->rows, 0xa5, bytes);
    for (unsigned first = 0; first < set->count; first += LANES) {
        unsigned number[LANES];
        uint32_t row[LANES];
        const int lanes = (int)(set->count - first < LANES ? set->count - first : LANES);
        for (unsigned lane = 0; lane < LANES; lane++) {
            number[lane] = (first + lane) % set->count;
            row[lane] = number[lane] * key_entries(set);
        }
        const lane32 table_at = lane32_load(row);
        const group_bases bases = {{small_point(number, 1 + first % (small_group.p - 1))}};
        key_bases(set, bases, &table_at, &lanes, 1);
    }
    for (set->have = 0; set->have < 1u << (width - 1); set->have = set->have == 0 ? 1 : 2 * set->have) {
        const size_t all = (size_t)set->count * set->windows * (set->have == 0 ? 1 : set->have);
        for (size_t first = 0; first < all; first += PIECE) {
            const size_t count = all - first < PIECE ? all - first : PIECE;
            const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
            if (set->have == 0)
                key_normalise(&w, set, first, count, &e);
            else
                key_extend(&w, set, first, count, &e);
        }
    }
}

static mask same_residue(fe a, fe b) { return limbs_equal(a, modular_canonical(&CURVE.p, b)); }

static void expect_entries(const struct key_set *set) {
    for (unsigned k = 0; k < set->count; k++) {
        unsigned base = k;
        for (unsigned window = 0; window < set->windows; window++) {
            for (unsigned j = 0; j < window_entries(set); j++) {
                unsigned number[LANES];
                for (int lane = 0; lane < LANES; lane++)
                    number[lane] = base * j % small_group.order;
                const struct edwards p = small_point(number, 1);
                const struct edwards_entry expected = edwards_entry_of(p.x, p.y);
                const struct edwards_entry got = entry_load(
                    set->rows, lane32_set(k * key_entries(set) + window * (uint32_t)window_entries(set) + j));
                mask same = same_residue(got.plus, expected.plus) & same_residue(got.minus, expected.minus) &
                            same_residue(got.twice_dt, expected.twice_dt);
                if (!mask_lane(same, 0))
                    fail_msg("p = %u, d = %u: entry %u of window %u of key %u", small_group.p, small_group.d, j, window,
                             k);
            }
            for (unsigned i = 0; i < set->width; i++)
                base = 2 * base % small_group.order;
        }
    }
}

/* u G + v A for all A and v; v is added or taken away. */
static void try_sums_by_keys(const struct key_set *set) {
    const unsigned order = small_group.order, n = small_group.n;
    for (unsigned first = 0; first < order * n; first += LANES) {
        unsigned u[LANES], v[LANES], expected[LANES];
        uint32_t row[LANES];
        const int minus = first / LANES % 2 != 0;
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned key = (first + lane) / n % order;
            v[lane] = (first + lane) % n;
            u[lane] = (first + 5 * lane) / 3 % n;
            row[lane] = key * key_entries(set);
            expected[lane] = (8 * u[lane] + (minus ? order - v[lane] : v[lane]) * key) % order;
        }
        struct limbs u_integer = lane_integers(u), v_integer = lane_integers(v);
        recode_signed(&v_integer, mask_set(minus), set->width, set->windows, tables.digits);
        base_recode(PUBLIC, given_tables(), &u_integer, tables.base_digits);
        const struct sum_with_keys sum = {given_tables(), set, lane32_load(row), tables.base_digits, tables.digits};
        expect_element("u G + v A", expected, multiply_add_keys_vartime(&sum));
    }
}

static void try_keys(void) {
    struct arena arena = scratch_arena();
    if (small_group.order > 60)
        return;
    base_table_public(tables.keys, KEYS_WINDOW, KEYS_WINDOWS, &arena);
    for (unsigned width = KEY_WINDOW_LEAST; width < KEY_WINDOW_LEAST + 3; width++) {
        struct key_set set;
        key_set_make(&set, width);
        expect_entries(&set);
        try_sums_by_keys(&set);
        free(set.rows);
    }
}

static void keys(void **state) {
    (void)state;
    assert_true(small_groups_each(try_keys) > 5);
}

/* Runs them all; the result is main's. */
static int edwards_multiplication_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(base), cmocka_unit_test(sums), cmocka_unit_test(keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
