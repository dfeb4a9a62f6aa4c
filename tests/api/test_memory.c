/* Memory for rows, from contexts that can pin it and from others.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorder.h"

/* Under sanitizers too, an allocation that cannot succeed fails. */
GECC_API const char *__asan_default_options(void);
GECC_API const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

static int open_cpu(void **state) {
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    config.threads = 1;
    return gecc_open((gecc_context **)state, &config) != GECC_OK;
}

static int close_cpu(void **state) {
    gecc_close(*state);
    return 0;
}

static void test_ordinary(void **state) {
    gecc_context *context = *state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 1000000};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    uint8_t *memory[SIZES];
    for (size_t i = 0; i < SIZES; i++) {
        void *allocated = NULL;
        assert_int_equal(gecc_memory_allocate(context, &allocated, sizes[i]), GECC_OK);
        assert_non_null(allocated);
        assert_int_equal((uintptr_t)allocated % 64, 0);
        memory[i] = allocated;
        memset(memory[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < SIZES; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            if (memory[i][k] != i + 1)
                fail_msg("byte %zu of %zu was written by another", k, sizes[i]);
    for (size_t i = 0; i < SIZES; i++)
        gecc_memory_free(context, memory[(i * 3 + 2) % SIZES]);
}

static void test_too_much(void **state) {
    gecc_context *context = *state;
    static const size_t sizes[] = {SIZE_MAX,         SIZE_MAX - 63,    SIZE_MAX - 64,    SIZE_MAX - 127,
                                   PTRDIFF_MAX,      PTRDIFF_MAX - 63, PTRDIFF_MAX - 64, PTRDIFF_MAX - 128,
                                   SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 64};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        void *memory = &memory;
        assert_int_equal(gecc_memory_allocate(context, &memory, sizes[i]), GECC_ERROR_MEMORY);
        assert_null(memory);
        assert_memory_equal(gecc_error_text(), "not enough memory for ", 22);
    }
}

static void test_null(void **state) {
    gecc_context *context = *state;
    void *memory = NULL;
    assert_int_equal(gecc_memory_allocate(NULL, &memory, 1), GECC_ERROR_ARGUMENT);
    assert_string_equal(gecc_error_text(), "context is NULL");
    assert_int_equal(gecc_memory_allocate(context, NULL, 1), GECC_ERROR_ARGUMENT);
    assert_string_equal(gecc_error_text(), "memory is NULL");
    gecc_memory_free(context, NULL);
    gecc_memory_free(NULL, NULL);
}

/* From a backend that pins, pinned memory, which goes back to it; where it cannot, ordinary memory, which does not. */
static void test_pinned(void **state) {
    (void)state;
    static _Alignas(4096) uint8_t page[4096];
    struct recorder recorder = {.pinned = page};
    gecc_context context = recorder_context(&recorder);
    void *pinned, *ordinary;
    assert_int_equal(gecc_memory_allocate(&context, &pinned, 4000), GECC_OK);
    assert_int_equal((uintptr_t)pinned % 64, 0);
    assert_true((uint8_t *)pinned > page && (uint8_t *)pinned + 4000 <= page + sizeof page);
    memset(pinned, 0xff, 4000);
    recorder.pinned = NULL;
    assert_int_equal(gecc_memory_allocate(&context, &ordinary, 4000), GECC_OK);
    memset(ordinary, 0xff, 4000);
    recorder.pinned = page;
    assert_int_equal(recorder.pins, 1);
    gecc_memory_free(&context, ordinary);
    assert_int_equal(recorder.unpins, 0);
    gecc_memory_free(&context, pinned);
    assert_int_equal(recorder.unpins, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_pinned),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
