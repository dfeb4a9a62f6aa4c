/* Constants are found again that times were made of, also where some are 0 or one term is missing from every sample.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "../../bench/check/fit.c"

enum { SAMPLES = 40 };

/* Terms of very different sizes, as launches, rows and bytes are; times that are off by up to `noise`. */
static void make(struct fit_sample *samples, const double x[FIT_TERMS], double noise) {
    for (int s = 0; s < SAMPLES; s++) {
        double rows = (double)(1 << 2 * (s % 10)), sign = s % 2 ? 1 : -1;
        const double terms[FIT_TERMS] = {1, 100 + 37 * (s % 7), rows * (100 + 37 * (s % 7)),
                                         rows * (65 + 11 * (s % 5))};
        samples[s].seconds = 0;
        for (int t = 0; t < FIT_TERMS; t++) {
            samples[s].terms[t] = terms[t];
            samples[s].seconds += terms[t] * x[t];
        }
        samples[s].seconds *= 1 + sign * noise;
    }
}

static void check(const double x[FIT_TERMS], double noise, double tolerance) {
    struct fit_sample samples[SAMPLES];
    double found[FIT_TERMS];
    make(samples, x, noise);
    fit(samples, SAMPLES, found);
    for (int t = 0; t < FIT_TERMS; t++)
        assert_true(fabs(found[t] - x[t]) <= tolerance * x[t] + 1e-18);
}

static void test_fit(void **state) {
    (void)state;
    check((const double[]){150e-6, 0.25e-6, 18e-12, 0.2e-9}, 0, 1e-6);
    check((const double[]){150e-6, 0.25e-6, 18e-12, 0.2e-9}, 0.02, 0.2);
    check((const double[]){0, 0.25e-6, 18e-12, 0}, 0, 1e-6);
}

/* What would fit best with a negative number is fitted without it. */
static void test_no_negative_constants(void **state) {
    (void)state;
    struct fit_sample samples[SAMPLES];
    double found[FIT_TERMS];
    make(samples, (const double[]){-50e-6, 2e-6, 18e-12, 0.2e-9}, 0);
    fit(samples, SAMPLES, found);
    for (int t = 0; t < FIT_TERMS; t++)
        assert_true(found[t] >= 0);
    assert_true(found[1] > 1e-6 && found[2] > 10e-12);
}

static void test_a_term_that_is_never_there(void **state) {
    (void)state;
    struct fit_sample samples[SAMPLES];
    double found[FIT_TERMS];
    make(samples, (const double[]){150e-6, 0.25e-6, 18e-12, 0}, 0);
    for (int s = 0; s < SAMPLES; s++)
        samples[s].terms[3] = 0;
    fit(samples, SAMPLES, found);
    assert_true(fabs(found[0] - 150e-6) < 1e-9 && found[3] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_no_negative_constants),
        cmocka_unit_test(test_a_term_that_is_never_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
