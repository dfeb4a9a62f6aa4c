/* The CUDA backend on a driver without a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cuda_samples.h"

static void start(struct fake_settings settings) { fake_driver_start(&settings); }

static gecc_context *open_on(const struct backend *backend) {
    gecc_context *context;
    assert_int_equal(context_on(&context, backend), GECC_OK);
    return context;
}

/* What the CPU makes of the sample. */
static struct sample *run_on_cpu(const struct sample_kind *kind, const struct sample *sample) {
    struct sample *expected = sample_copy(sample);
    gecc_context *context = open_on(&gecc_backend_cpu);
    assert_int_equal(sample_run(kind, context, expected), GECC_OK);
    gecc_close(context);
    return expected;
}

static void check_call(const struct sample_kind *kind, gecc_context *context, const struct sample *sample,
                       const struct sample *expected) {
    struct sample *copy = sample_copy(sample);
    assert_int_equal(sample_run(kind, context, copy), GECC_OK);
    if (!sample_equal(copy, expected))
        print_error("%s, %zu rows\n", kind->name, sample->count);
    assert_true(sample_equal(copy, expected));
    free(copy);
}

/* All kinds of calls and sizes give what the CPU gives, whenever the device does its work. */
static void test_results(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 7, 8, 9, 63, 64, 65, 130, SAMPLE_ROWS};
    for (int lazy = 0; lazy <= 1; lazy++) {
        struct fake_settings settings = fake_settings_good();
        settings.lazy = lazy;
        start(settings);
        gecc_context *context = open_on(&fake_cuda);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            struct sample *sample = sample_new(counts[i]);
            for (unsigned k = 0; k < SAMPLE_KINDS; k++) {
                struct sample *expected = run_on_cpu(&sample_kinds[k], sample);
                check_call(&sample_kinds[k], context, sample, expected);
                free(expected);
            }
            free(sample);
        }
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
