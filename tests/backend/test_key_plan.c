/* How wide the windows of tables of keys are.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/key_plan.h"

enum { ROW_BYTES = 64 };

/* Entries of all tables have numbers of 32 bits, however much memory there is. */
static void test_entries_are_numbered(void **state) {
    (void)state;
    for (size_t count = 1; count < SIZE_MAX / 1000; count *= 10)
        for (size_t rows = 1; rows <= 1 << 20; rows *= 16)
            for (unsigned window = 0; window <= KEY_WINDOW_MOST; window += KEY_WINDOW_MOST) {
                const struct key_size size = {256, count, ROW_BYTES};
                const struct key_plan plan = {.rows = rows, .memory = SIZE_MAX, .window = window};
                const unsigned width = gecc_key_window(&size, &plan);
                assert_true(width < KEY_WINDOW_LEAST || gecc_key_bytes(&size, width) / ROW_BYTES <= UINT32_MAX);
                if (count <= 1000000)
                    assert_in_range(width, KEY_WINDOW_LEAST, KEY_WINDOW_MOST);
            }
}

/* Where memory is short windows are narrower, and where there is none for the narrowest there are none. */
static void test_memory(void **state) {
    (void)state;
    const struct key_size size = {256, 1000, ROW_BYTES};
    const size_t least = gecc_key_bytes(&size, KEY_WINDOW_LEAST);
    unsigned before = KEY_WINDOW_MOST;
    for (size_t memory = (size_t)1 << 34; memory >= least; memory /= 2) {
        const struct key_plan plan = {.rows = 1 << 20, .memory = memory};
        const unsigned width = gecc_key_window(&size, &plan);
        assert_in_range(width, KEY_WINDOW_LEAST, before);
        assert_true(gecc_key_bytes(&size, width) <= memory);
        before = width;
    }
    const struct key_plan none = {.rows = 1 << 20, .memory = least - 1};
    assert_true(gecc_key_window(&size, &none) < KEY_WINDOW_LEAST);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries_are_numbered), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
