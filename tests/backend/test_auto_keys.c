/* Sets of prepared keys of the CPU and a GPU as one: tables of a set are on both, and its rows run where others do.
 *
 * Test: fast; no sanitizers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "backend/auto_contexts.h"

/* Jobs on numbers of keys run where others do; the GPU gets tables of a set when it first needs them, and has the keys
 * that are added later. */
static void test_keys(void **state) {
    (void)state;
    enum { KEYS = 200, SCALARS = 4 };
    struct speeds speeds = made_up();
    speeds.of[1].call = 0;
    start(4);
    gecc_context *context = open_with(&speeds);
    static uint8_t one[32] = {[31] = 1}, scalars[SCALARS][32], point[SCALARS][65]; /* 1 to 4, and G to 4 G */
    static uint8_t number[KEYS][4], sum[KEYS][65], status[KEYS];
    gecc_out statuses = gecc_out_packed(status, 1), sums = gecc_out_packed(sum, 65);
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_keys *keys;
    options.report = &report;
    for (int i = 0; i < SCALARS; i++)
        scalars[i][31] = (uint8_t)(i + 1);
    assert_int_equal(gecc_ec_public_key(context, GECC_P256, gecc_out_packed(point, 65), statuses,
                                        gecc_rows_packed(scalars, 32), SCALARS, &options),
                     GECC_OK);
    assert_string_equal(report.backend, "cuda");
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    config.capacity = 3;
    assert_int_equal(gecc_keys_open(context, &keys, GECC_P256, statuses, gecc_rows_packed(point, 65), 0, &config),
                     GECC_OK);
    for (int added = 1; added <= 3; added++) { /* the second one after the GPU's tables were made */
        const unsigned long launches = fake_driver_launches();
        gecc_rows ones = gecc_rows_same(one, 32), numbers = gecc_rows_packed(number, 4);
        assert_int_equal(gecc_keys_add(keys, statuses, gecc_rows_packed(point[added - 1], 65), 1, NULL), GECC_OK);
        for (int i = 0; i < KEYS; i++)
            number[i][0] = (uint8_t)(i % added);
        memset(sum, 0, sizeof sum);
        assert_int_equal(gecc_ec_mul_add_keys(context, keys, sums, statuses, ones, ones, numbers, KEYS, &options),
                         GECC_OK);
        assert_string_equal(report.backend, "cuda");
        assert_true(fake_driver_launches() > launches + 1); /* tables, and rows */
        for (int i = 0; i < KEYS; i++)
            assert_true(status[i] == GECC_ITEM_OK && memcmp(sum[i], point[1 + i % added], 65) == 0); /* G + key */
    }
    gecc_rows ones = gecc_rows_same(one, 32), numbers = gecc_rows_packed(number, 4);
    uint8_t *scalar = fake_device_new(32);
    fake_device_write(scalar, one, 32);
    assert_int_equal(
        gecc_ec_mul_add_keys(context, keys, sums, statuses, gecc_rows_same(scalar, 32), ones, numbers, KEYS, &options),
        GECC_OK);
    for (int i = 0; i < KEYS; i++)
        assert_true(status[i] == GECC_ITEM_OK && memcmp(sum[i], point[1 + i % 3], 65) == 0);
    gecc_keys *none;
    assert_int_equal(
        gecc_keys_open(context, &none, GECC_P256, gecc_out_packed(scalar, 1), gecc_rows_packed(point, 65), 1, NULL),
        GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_keys_open(context, &none, GECC_P256, statuses, gecc_rows_packed(scalar, 33), 1, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_null(none);
    fake_device_free(scalar);
    gecc_keys_close(keys);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* Whichever call of the driver fails while the GPU gets tables of a set and runs rows, the CPU does what it left. */
static void test_every_failure_of_keys(void **state) {
    (void)state;
    enum { ROWS = 100 };
    static uint8_t two[32] = {[31] = 2}, point[65], number[ROWS][4], sum[ROWS][65], expected[65], status[ROWS];
    const gecc_out statuses = gecc_out_packed(status, 1);
    const gecc_rows twos = gecc_rows_same(two, 32), numbers = gecc_rows_packed(number, 4);
    struct speeds speeds = made_up();
    speeds.of[1].call = 0;
    size_t on_cpu = 0, on_gpu = 0;
    for (int lacks_memory = 0; lacks_memory <= 1; lacks_memory++)
        for (unsigned long failing = 0, calls = 0; failing <= calls; failing++) {
            start(4);
            gecc_context *context = open_with(&speeds);
            gecc_report report = GECC_REPORT_INIT;
            gecc_options options = GECC_OPTIONS_INIT;
            gecc_keys *keys;
            options.report = &report;
            assert_int_equal(
                gecc_ec_public_key(context, GECC_P256, gecc_out_packed(point, 65), statuses, twos, 1, NULL), GECC_OK);
            assert_int_equal(gecc_keys_open(context, &keys, GECC_P256, statuses, gecc_rows_packed(point, 65), 1, NULL),
                             GECC_OK);
            two[31] = 6;
            assert_int_equal(
                gecc_ec_public_key(context, GECC_P256, gecc_out_packed(expected, 65), statuses, twos, 1, NULL),
                GECC_OK);
            two[31] = 2;
            const unsigned long before = fake_driver_calls();
            fake_driver_fail(failing == 0 ? 0 : before + failing, false,
                             lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
            for (int time = 0; time < 2; time++) {
                memset(sum, 0, sizeof sum);
                assert_int_equal(gecc_ec_mul_add_keys(context, keys, gecc_out_packed(sum, 65), statuses, twos, twos,
                                                      numbers, ROWS, &options),
                                 GECC_OK);
                for (int i = 0; i < ROWS; i++) /* 2 G + 2 (2 G) */
                    assert_true(status[i] == GECC_ITEM_OK && memcmp(sum[i], expected, 65) == 0);
                on_cpu += strcmp(report.backend, "cpu") == 0;
                on_gpu += strcmp(report.backend, "cuda") == 0;
            }
            calls = failing == 0 ? fake_driver_calls() - before : calls; /* those of both where none fails */
            fake_driver_fail(0, false, CUDA_SUCCESS);
            gecc_keys_close(keys);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
    assert_true(on_cpu > 0 && on_gpu > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_every_failure_of_keys),
    };
    return cmocka_run_group_tests_name("keys on auto", tests, NULL, NULL);
}
