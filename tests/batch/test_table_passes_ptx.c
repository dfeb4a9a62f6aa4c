/* Tables filled pass by pass, as a GPU does it, are those that are filled at once. */
enum { LIMBS = 8, WORDS = 8 };

#define BATCH_WINDOWS "support/small_gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include "curve/generated/secp256k1.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "batch/table_passes.h"
#include "support/base_tables.h"

/* Tasks in the order of `threads` threads that stride through them, the last thread first. */
static void run(void (*pass)(const struct worker *, const struct table_memory *), const struct table_memory *memory,
                size_t tasks, size_t threads) {
    for (size_t thread = threads; thread-- > 0;) {
        struct worker w = {thread, threads, tasks};
        pass(&w, memory);
    }
}

static void passes(void **state) {
    void *expected = NULL, *tables = NULL;
    struct arena arena = {NULL, TEST_TABLES_SCRATCH, 0};
    (void)state;
    assert_int_equal(posix_memalign(&expected, 64, TEST_TABLES_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TEST_TABLES_BYTES), 0);
    assert_int_equal(posix_memalign((void **)&arena.base, 64, TEST_TABLES_SCRATCH), 0);
    memset(expected, 0x5a, TEST_TABLES_BYTES);
    test_tables_fill(expected, &arena);
    memset(tables, 0x5a, TEST_TABLES_BYTES);
    struct table_memory memory = {tables, malloc(SECRET_TABLE_LIMBS * sizeof(limb))};
    assert_non_null(memory.scratch);
    run(tables_bases, &memory, TABLES_WINDOWS(PUBLIC_WINDOW), 7);
    run(tables_starts, &memory, TABLES_WINDOWS(PUBLIC_WINDOW), 100);
    run(tables_runs, &memory, TABLES_RUNS(PUBLIC_WINDOW), 13);
    run(tables_scans, &memory, TABLES_SCANS, 50);
    free(memory.scratch);
    /* of the last window only the entries that its digits reach */
    assert_memory_equal(tables, expected, TABLES_BYTES_OF(PUBLIC_WINDOW));
    for (size_t i = TABLES_BYTES_OF(PUBLIC_WINDOW); i < TEST_TABLES_BYTES; i++)
        assert_int_equal(((const uint8_t *)tables)[i], 0x5a);
    free(expected);
    free(tables);
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
