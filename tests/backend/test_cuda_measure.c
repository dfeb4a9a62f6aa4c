/* The GPU's multiplications in registers, on a driver without a GPU: results are those of modular arithmetic,
 * failures are reported and leave nothing behind.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "fake_cuda/backend.h"
#include "support/prng.h"

enum { ROWS = 100, BYTES = 32, RUNS = 3 };

static const uint8_t any_odd[BYTES] = {0x9b, 0x12, [17] = 0xfe, [31] = 0x35};
/* FIPS 186-4, D.1.2.3. */
static const uint8_t p256[BYTES] = {0xff, 0xff, 0xff, 0xff, 0,    0,    0,    1,    [20] = 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,        0xff};

static struct rows {
    uint8_t x[ROWS][BYTES], y[ROWS][BYTES], out[ROWS][BYTES];
    double seconds[RUNS];
} rows;

/* Random numbers, 0 and 2^256 - 1 among them. */
static void fill(void) {
    struct prng prng = prng_for("measure");
    prng_bytes(&prng, rows.x, sizeof rows.x);
    prng_bytes(&prng, rows.y, sizeof rows.y);
    memset(rows.x[3], 0, BYTES);
    memset(rows.x[5], 0xff, BYTES);
    memset(rows.y[7], 0xff, BYTES);
    memset(rows.out, 0xcc, sizeof rows.out);
}

static struct gecc_cuda_measurement measurement(gecc_curve curve, int squaring, uint32_t times) {
    return (struct gecc_cuda_measurement){.size = sizeof(struct gecc_cuda_measurement),
                                          .curve = curve,
                                          .modulus = {any_odd, BYTES},
                                          .squaring = squaring,
                                          .times = times,
                                          .x = rows.x[0],
                                          .y = squaring ? NULL : rows.y[0],
                                          .out = rows.out[0],
                                          .rows = ROWS,
                                          .seconds = rows.seconds,
                                          .runs = RUNS};
}

static void start(int multiprocessors) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = multiprocessors;
    fake_driver_start(&settings);
}

/* expected = x y^times, one multiplication after the other, or x squared so often. */
static void expect(const struct gecc_cuda_measurement *m, uint8_t expected[ROWS][BYTES]) {
    gecc_context *context;
    uint8_t status[ROWS], one[BYTES] = {[BYTES - 1] = 1};
    gecc_modulus modulus = {m->curve == 0 ? any_odd : p256, BYTES};
    assert_int_equal(context_on(&context, &gecc_backend_cpu), GECC_OK);
    gecc_out out = gecc_out_packed(expected, BYTES);
    gecc_rows r = gecc_rows_packed(expected, BYTES), y = gecc_rows_packed(rows.y, BYTES);
    assert_int_equal(gecc_mod_mul(context, modulus, out, gecc_out_packed(status, 1), gecc_rows_packed(rows.x, BYTES),
                                  gecc_rows_same(one, BYTES), ROWS, NULL),
                     GECC_OK);
    for (uint32_t i = 0; i < m->times; i++)
        assert_int_equal(
            gecc_mod_mul(context, modulus, out, gecc_out_packed(status, 1), r, m->squaring ? r : y, ROWS, NULL),
            GECC_OK);
    gecc_close(context);
}

static void test_results(void **state) {
    (void)state;
    static const uint32_t times[] = {0, 1, 2, 77};
    for (int squaring = 0; squaring <= 1; squaring++)
        for (int curve = 0; curve <= GECC_P256; curve += GECC_P256)
            for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
                uint8_t expected[ROWS][BYTES];
                struct gecc_cuda_measurement m = measurement((gecc_curve)curve, squaring, times[i]);
                start(4);
                fill();
                expect(&m, expected);
                assert_int_equal(gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &m), GECC_OK);
                /* 4 multiprocessors of 8 threads, 3 times */
                assert_int_equal(m.rows, 96);
                assert_memory_equal(rows.out, expected, 96 * BYTES);
                assert_int_equal(rows.out[96][0], 0xcc);
                assert_string_equal(m.device, "a fake GPU");
                assert_int_equal(fake_driver_launches(), RUNS + 1);
                for (int run = 0; run < RUNS; run++)
                    assert_true(rows.seconds[run] == 1e-3); /* what the fake driver's events always say */
                assert_int_equal(fake_driver_held(), 0);
            }
}

static void test_rows_that_do_not_fill_the_device(void **state) {
    (void)state;
    struct gecc_cuda_measurement m = measurement(GECC_P256, 0, 1);
    start(13);
    fill();
    assert_int_equal(gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &m), GECC_OK);
    assert_int_equal(m.rows, ROWS);
    assert_int_not_equal(rows.out[ROWS - 1][0], 0xcc);
}

static void test_arguments(void **state) {
    (void)state;
    static const uint8_t even[BYTES] = {[0] = 1};
    struct gecc_cuda_measurement good = measurement((gecc_curve)0, 0, 1), bad[7];
    start(4);
    for (size_t i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].size++;
    bad[1].rows = 0;
    bad[2].runs = 0;
    bad[3].modulus.bytes = 30;
    bad[4].modulus.value = even;
    bad[5].curve = GECC_P384; /* of 48 bytes */
    bad[6].curve = (gecc_curve)9;
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &bad[i]), GECC_ERROR_ARGUMENT);
    assert_int_equal(fake_driver_calls(), 0);
    struct gecc_cuda_measurement none = measurement(GECC_SM2, 0, 1);
    assert_int_equal(gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &none), GECC_ERROR_UNSUPPORTED);
    assert_int_equal(fake_driver_held(), 0);
}

/* Whichever call fails: an error, or none where something was given back; and everything is given back. */
static void test_failures(void **state) {
    (void)state;
    static const CUresult errors[] = {CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_OUT_OF_MEMORY};
    struct gecc_cuda_measurement good = measurement(GECC_P256, 1, 1), m = good;
    start(4);
    fill();
    assert_int_equal(gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &m), GECC_OK);
    unsigned long calls = fake_driver_calls();
    unsigned failed = 0;
    for (size_t i = 0; i < 2; i++)
        for (unsigned long call = 1; call <= calls; call++) {
            m = good;
            start(4);
            fake_driver_fail(call, false, errors[i]);
            failed += gecc_cuda_measure_on(&fake_driver, fake_driver_images(), &m) != GECC_OK;
            assert_int_equal(fake_driver_held(), 0);
        }
    assert_true(failed > calls && failed < 2 * calls);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_rows_that_do_not_fill_the_device),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
