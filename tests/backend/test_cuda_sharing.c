/* Contexts of the CUDA backend that use the same device share its programs and their tables, within a limit.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "fake_cuda/backend.h"

enum { ROWS = 40, CALLERS = 4 };

/* A context with a configuration of its own; NULL: refused, and *info says why. */
static gecc_context *open_with(const char *device, size_t table_bytes, gecc_backend_info *info) {
    gecc_config config = GECC_CONFIG_INIT;
    config.device = device;
    config.device_table_bytes = table_bytes;
    gecc_context *context = calloc(1, sizeof *context);
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    context->instance.backend = &fake_cuda;
    if (fake_cuda_open(&context->instance.state, &config) == GECC_OK)
        return context;
    fake_cuda_probe(&config, info);
    free(context);
    return NULL;
}

static gecc_context *open_plain(void) {
    gecc_backend_info info;
    gecc_context *context = open_with(NULL, 0, &info);
    assert_non_null(context);
    return context;
}

/* Multiples of G on a curve, so that its tables are needed. */
static gecc_result multiply(gecc_context *context, gecc_curve curve) {
    uint8_t k[ROWS][GECC_CURVE_BYTES_MOST], out[ROWS][1 + 2 * GECC_CURVE_BYTES_MOST], status[ROWS];
    size_t length = gecc_curve_bytes(curve);
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_PUBLIC_SCALARS;
    memset(k, 0x35, sizeof k);
    for (int i = 0; i < ROWS; i++)
        k[i][0] = 0; /* less than each order */
    gecc_result result =
        gecc_ec_mul_base(context, curve, gecc_out_packed(out, sizeof out[0]), gecc_out_packed(status, 1),
                         gecc_rows_strided(k, length, sizeof k[0]), ROWS, &options);
    for (int i = 0; result == GECC_OK && i < ROWS; i++)
        assert_int_equal(status[i], GECC_ITEM_OK);
    return result;
}

static void start(void) {
    const struct fake_settings settings = fake_settings_good();
    fake_driver_start(&settings);
}

/* Launches that a job of one chunk has beside its own: the passes that build tables. */
static unsigned long launches_of(gecc_context *context, gecc_curve curve) {
    unsigned long before = fake_driver_launches();
    assert_int_equal(multiply(context, curve), GECC_OK);
    return fake_driver_launches() - before;
}

static void test_tables_are_built_once(void **state) {
    (void)state;
    start();
    gecc_context *first = open_plain(), *second = open_plain();
    unsigned long with_tables = launches_of(first, GECC_P256), without = launches_of(second, GECC_P256);
    assert_true(without < with_tables);
    assert_int_equal(launches_of(first, GECC_P256), without);

    /* What is shared outlives the context that made it, and not the last one. */
    gecc_close(first);
    assert_int_equal(launches_of(second, GECC_P256), without);
    gecc_close(second);
    assert_int_equal(fake_driver_held(), 0);
    gecc_context *third = open_plain();
    assert_int_equal(launches_of(third, GECC_P256), with_tables);
    gecc_close(third);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_preparing_builds_tables(void **state) {
    (void)state;
    start();
    gecc_context *context = open_plain();
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = GECC_P256;
    unsigned long before = fake_driver_launches();
    assert_int_equal(gecc_prepare(context, gecc_operation_find("ec.mul_base"), &parameters, ROWS, NULL), GECC_OK);
    unsigned long prepared = fake_driver_launches() - before, later = launches_of(context, GECC_P256);
    assert_true(prepared > 0);
    gecc_context *other = open_plain();
    assert_int_equal(launches_of(other, GECC_P256), later);
    gecc_close(other);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

static void *call(void *context) {
    for (int i = 0; i < 10; i++)
        assert_int_equal(multiply(context, i % 2 ? GECC_P256 : GECC_SM2), GECC_OK);
    return NULL;
}

/* From several threads, each with a context that others open and close meanwhile. */
static void *open_call_close(void *nothing) {
    for (int i = 0; i < 5; i++) {
        gecc_context *context = open_plain();
        call(context);
        gecc_close(context);
    }
    return nothing;
}

static void test_contexts_come_and_go(void **state) {
    (void)state;
    start();
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_call_close, NULL), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(fake_driver_held(), 0);
}

/* A device that failed is not shared with a context that opens later: that one may be luckier. */
static void test_a_dead_device_is_not_shared(void **state) {
    (void)state;
    start();
    gecc_context *first = open_plain();
    fake_driver_fail(fake_driver_calls() + 3, false, CUDA_ERROR_LAUNCH_FAILED);
    assert_int_equal(multiply(first, GECC_P256), GECC_ERROR_DEVICE);
    gecc_context *second = open_plain();
    assert_int_equal(multiply(first, GECC_P256), GECC_ERROR_DEVICE);
    assert_int_equal(multiply(second, GECC_P256), GECC_OK);
    gecc_close(first);
    assert_int_equal(multiply(second, GECC_P256), GECC_OK);
    gecc_close(second);
    assert_int_equal(fake_driver_held(), 0);
}

/* All tables together stay within the limit: a curve that comes too late has none, and says so. */
static void test_a_limit_on_tables(void **state) {
    (void)state;
    gecc_backend_info info;
    start();
    gecc_context *context = open_with(NULL, 1, &info);
    assert_non_null(context);
    assert_int_equal(multiply(context, GECC_P256), GECC_ERROR_MEMORY);
    gecc_close(context);

    /* Room for one curve's: the limit is doubled until it fits. */
    size_t limit = 1024;
    gecc_result result;
    do {
        limit *= 2;
        context = open_with(NULL, limit, &info);
        assert_non_null(context);
        result = multiply(context, GECC_P384);
        if (result != GECC_OK)
            gecc_close(context);
    } while (result != GECC_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(multiply(context, GECC_P384), GECC_OK);
    unsigned refused = 0;
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        refused += multiply(context, curve) == GECC_ERROR_MEMORY;
    assert_true(refused > 0);

    /* A context that allows more allows it to all. */
    gecc_context *generous = open_with(NULL, SIZE_MAX, &info);
    assert_non_null(generous);
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        assert_int_equal(multiply(context, curve), GECC_OK);
    gecc_close(context);
    gecc_close(generous);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_devices_by_number(void **state) {
    (void)state;
    static const char *const wrong[] = {"1", "-1", "", "x", "0x", "0 ", "99999999999999999999"};
    gecc_backend_info info;
    start();
    gecc_context *context = open_with("0", 0, &info);
    assert_non_null(context);
    gecc_close(context);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(open_with(wrong[i], 0, &info));
        assert_false(info.available);
        assert_non_null(strstr(info.reason, "there is no device"));
    }
    assert_int_equal(fake_driver_held(), 0);
}

/* Rows from memory of the library's are copied from where they are. */
static void test_memory(void **state) {
    (void)state;
    start();
    gecc_context *context = open_plain();
    size_t held = fake_driver_held();
    void *memory = NULL;
    assert_int_equal(gecc_memory_allocate(context, &memory, 100000), GECC_OK);
    assert_int_equal((uintptr_t)memory % 64, 0);
    assert_int_equal(fake_driver_held(), held + 1);
    memset(memory, 1, 100000);
    gecc_memory_free(context, memory);
    assert_int_equal(fake_driver_held(), held);

    /* Where no more can be pinned there is other memory. */
    fake_driver_fail(fake_driver_calls() + 2, false, CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(gecc_memory_allocate(context, &memory, 100000), GECC_OK);
    assert_int_equal(fake_driver_held(), held);
    memset(memory, 1, 100000);
    gecc_memory_free(context, memory);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_built_once),
        cmocka_unit_test(test_preparing_builds_tables),
        cmocka_unit_test(test_contexts_come_and_go),
        cmocka_unit_test(test_a_dead_device_is_not_shared),
        cmocka_unit_test(test_a_limit_on_tables),
        cmocka_unit_test(test_devices_by_number),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
