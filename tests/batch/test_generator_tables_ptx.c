/* Tables of G filled by many workers, pass by pass and without what the last window does not need, as a GPU does it,
 * are those that one worker fills.
 *
 * Test: fast */
enum { LIMBS = 8, WORDS = 8 };

#define BATCH_WINDOWS "support/small_gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include "curve/generated/secp256k1.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/base_tables.h"

enum { TABLES_BYTES = (SECRET_TABLE_LIMBS + TRIMMED_TABLE_LIMBS(PUBLIC_WINDOW)) * sizeof(limb) };

/* A pass over `tasks` tasks that start at number `first`. */
typedef void pass(const struct worker *w, struct key_set *keys, limb *table, size_t first, size_t tasks,
                  const struct entries *e);

static void normalise(const struct worker *w, struct key_set *keys, limb *table, size_t first, size_t tasks,
                      const struct entries *e) {
    (void)table;
    key_normalise(w, keys, first, tasks, e);
}

static void extend(const struct worker *w, struct key_set *keys, limb *table, size_t first, size_t tasks,
                   const struct entries *e) {
    (void)table;
    key_extend(w, keys, first, tasks, e);
}

static void scan(const struct worker *w, struct key_set *keys, limb *table, size_t first, size_t tasks,
                 const struct entries *e) {
    base_scan(w, keys, table, first, tasks, e);
}

/* In pieces, as launches are, of which each is the work of `threads` threads that stride through its tasks, the last
 * thread first. */
static void run(pass *work, struct key_set *keys, limb *table, size_t tasks, size_t threads) {
    enum { PIECE = 100 };
    static _Alignas(64) uint8_t scratch[ENTRIES_BYTES(PIECE)];
    for (size_t first = 0; first < tasks; first += PIECE) {
        struct arena arena = {scratch, sizeof scratch, 0};
        const size_t count = tasks - first < PIECE ? tasks - first : PIECE;
        const struct entries e = entries_take(&arena, count);
        for (size_t thread = threads; thread-- > 0;) {
            const struct worker w = {thread, threads, count};
            work(&w, keys, table, first, count, &e);
        }
    }
}

static void fill(struct key_set *keys, size_t last) {
    base_bases(keys, keys->width);
    run(normalise, keys, NULL, keys->windows, 7);
    for (keys->have = 1; keys->have < 1u << (keys->width - 1); keys->have *= 2)
        run(extend, keys, NULL, (keys->have < last ? keys->windows : keys->windows - 1) * (size_t)keys->have, 13);
}

static void passes(void **state) {
    void *expected = NULL, *tables = NULL, *rows = NULL;
    struct arena arena = {NULL, TEST_TABLES_SCRATCH, 0};
    (void)state;
    assert_int_equal(posix_memalign(&expected, 64, TEST_TABLES_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TEST_TABLES_BYTES), 0);
    assert_int_equal(posix_memalign(&rows, 64, SECRET_SET_LIMBS * sizeof(limb)), 0);
    assert_int_equal(posix_memalign((void **)&arena.base, 64, TEST_TABLES_SCRATCH), 0);
    memset(expected, 0x5a, TEST_TABLES_BYTES);
    test_tables_fill(expected, &arena);
    memset(tables, 0x5a, TEST_TABLES_BYTES);
    struct key_set secret = secret_key_set(rows);
    fill(&secret, SECRET_ENTRIES);
    run(scan, &secret, tables, secret_scans(), 50);
    struct key_set public_set =
        base_key_set((limb *)tables + SECRET_TABLE_LIMBS, PUBLIC_WINDOW, WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW));
    fill(&public_set, LAST_ENTRIES(PUBLIC_WINDOW));
    assert_true((int)TABLES_BYTES < (int)TEST_TABLES_BYTES);
    assert_memory_equal(tables, expected, TABLES_BYTES);
    for (size_t i = TABLES_BYTES; i < TEST_TABLES_BYTES; i++)
        assert_int_equal(((const uint8_t *)tables)[i], 0x5a);
    free(expected);
    free(tables);
    free(rows);
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
