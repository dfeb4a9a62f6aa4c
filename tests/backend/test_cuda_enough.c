/* How many rows are enough for a job on a GPU, which a queue asks, on a driver without one.
 *
 * Test: fast; no sanitizers; no threads */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda_samples.h"

static size_t enough(const gecc_context *context, enum operation operation) {
    const struct job job = {.operation = operation,
                            .curve = GECC_SECP256K1,
                            .flags = GECC_DER | GECC_LOW_S,
                            .hash = GECC_SHA256,
                            .count = 1};
    return fake_cuda.enough(context->instance.state, &job);
}

static void sign(gecc_context *context, const struct sample *sample, size_t rows) {
    struct sample *copy = sample_copy(sample);
    copy->count = rows;
    assert_int_equal(sample_run(&sample_kinds[0], context, copy), GECC_OK);
    free(copy);
}

/* How many rows are enough for a job can be said once one of some rows has run: as many as fill the device, until a job
 * of as many has shown that those of a smaller one take no longer each. */
static void test_enough(void **state) {
    (void)state;
    enum { RESIDENT = 32, FEW = 8, ROW_NANOSECONDS = 2000000, TRIES = 50 };
    struct fake_settings settings = fake_settings_good();
    struct sample *sample = sample_new(RESIDENT);
    for (settings.devices = 1; settings.devices <= 2; settings.devices++) {
        settings.row_nanoseconds[settings.devices - 1] = ROW_NANOSECONDS;
        fake_driver_start(&settings);
        gecc_context *context;
        assert_int_equal(context_on(&context, &fake_cuda), GECC_OK);
        assert_int_equal(enough(context, OPERATION_ECDSA_SIGN), 0);
        sign(context, sample, 1);
        assert_int_equal(enough(context, OPERATION_ECDSA_SIGN), 0);
        sign(context, sample, FEW);
        assert_int_equal(enough(context, OPERATION_ECDSA_SIGN), RESIDENT);
        assert_int_equal(enough(context, OPERATION_ECDSA_VERIFY), 0);
        for (int n = 0; n < TRIES && enough(context, OPERATION_ECDSA_SIGN) != FEW; n++) {
            sign(context, sample, RESIDENT);
            sign(context, sample, FEW);
        }
        assert_int_equal(enough(context, OPERATION_ECDSA_SIGN), FEW);
        fake_driver_fail(1, true, CUDA_ERROR_LAUNCH_FAILED);
        assert_int_equal(enough(context, OPERATION_ECDSA_SIGN), 0);
        gecc_close(context);
    }
    free(sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_enough)};
    return cmocka_run_group_tests_name("enough", tests, NULL, NULL);
}
