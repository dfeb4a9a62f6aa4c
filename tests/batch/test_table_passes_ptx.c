/* Tables filled pass by pass, as a GPU does it, are those that are filled at once. */
enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx_mul.h"

#include "curve/generated/secp256k1_32.gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "batch/table_passes.h"

/* Tasks in the order of `threads` threads that stride through them, the last thread first. */
static void run(void (*pass)(const struct worker *, void *), void *tables, size_t tasks, size_t threads) {
    for (size_t thread = threads; thread-- > 0;) {
        struct worker w = {thread, threads, tasks};
        pass(&w, tables);
    }
}

static void passes(void **state) {
    void *expected = NULL, *tables = NULL;
    struct arena arena = {NULL, TABLES_SCRATCH_BYTES, 0};
    (void)state;
    assert_int_equal(posix_memalign(&expected, 64, TABLES_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TABLES_BYTES), 0);
    assert_int_equal(posix_memalign((void **)&arena.base, 64, TABLES_SCRATCH_BYTES), 0);
    memset(expected, 0x5a, TABLES_BYTES);
    tables_build(expected, &arena);
    memset(tables, 0x5a, TABLES_BYTES);
    run(tables_bases, tables, TABLES_WINDOWS, 7);
    run(tables_starts, tables, TABLES_WINDOWS, 100);
    run(tables_runs, tables, TABLES_RUNS, 13);
    assert_memory_equal(tables, expected, TABLES_BYTES);
    free(expected);
    free(tables);
    free(arena.base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
