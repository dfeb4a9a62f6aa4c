/* Columns of every shape: any number of rows, strides, offsets, repeated rows, unaligned memory, outputs over inputs.
 * The outcome of a row depends on nothing but the row.
 *
 * Test: fast; needs libcrypto; columns; no threads; no sanitizer on fake-cuda */
#include "support/effort.h"
#include "support/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { POOL_ROWS = 97, GREATEST_COUNT = 4097 };

static const size_t counts[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 256, 257, 1000};

static uint8_t modulus_bytes[28] = {[0] = 0x7f, [9] = 0x11, [27] = 0x0f};

/* Distinct rows, good and bad, and what came of them in a plain batch. */
struct sample {
    struct call call;
    struct row rows[POOL_ROWS];
    struct outcome outcomes[POOL_ROWS];
    struct arena arena;
};

struct suite {
    gecc_context *context;
    struct prng prng;
    struct sample *samples[OPERATION_COUNT]; /* NULL: the context does not offer the operation */
};

/* Of the curves that the operation works on, one after the other as operations go. */
static gecc_curve curve_of(enum operation operation) {
    struct call call = {.operation = operation};
    for (int i = 0; i <= (int)operation; i++) {
        if (!call_next_curve(&call)) {
            (void)call_next_curve(&call);
        }
    }
    return call.curve;
}

static struct sample *sample_new(struct suite *suite, enum operation operation) {
    struct sample *sample = memory_new(1, sizeof *sample);
    sample->call = (struct call){.operation = operation, .curve = curve_of(operation)};
    if (operation_of(operation)->selector == GECC_SELECT_MODULUS) {
        sample->call.modulus = (gecc_modulus){modulus_bytes, sizeof modulus_bytes};
    }
    sample->call.hash = operation_of(operation)->selector == GECC_SELECT_HASH ? GECC_SHA384 : GECC_HASH_DEFAULT;
    sample->call.flags = kind_of_output(operation, 0) == GECC_KIND_SIGNATURE ? GECC_DER : 0;
    sample->call.flags |= operation_of(operation)->flags & GECC_SIGHASH_BYTE;
    for (size_t i = 0; i < POOL_ROWS; i++) {
        sample->rows[i] = row_good(&sample->call, &suite->prng, &sample->arena);
        if (i % 5 == 4) {
            sample->rows[i] = row_spoiled(&sample->call, sample->rows[i], &suite->prng, &sample->arena);
        }
    }
    run_rows(suite->context, &sample->call, sample->rows, POOL_ROWS, NULL, sample->outcomes);
    return sample;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("layouts");
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        if (context_offers(suite->context, (enum operation)operation)) {
            suite->samples[operation] = sample_new(suite, (enum operation)operation);
        }
    }
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        if (suite->samples[operation]) {
            arena_free(&suite->samples[operation]->arena);
            free(suite->samples[operation]);
        }
    }
    free(suite);
    return 0;
}

static size_t differences(const struct sample *sample, const struct outcome *outcomes, size_t first, size_t count,
                          const char *label) {
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        if (!outcome_equal(&sample->outcomes[(first + i) % POOL_ROWS], &outcomes[i])) {
            fprintf(stderr, "%s: %s, row %zu of %zu differs\n", operation_of(sample->call.operation)->name, label, i,
                    count);
            mismatches++;
        }
    }
    return mismatches;
}

/* count rows of the sample, from `first` on and around. */
static size_t run_count(struct suite *suite, const struct sample *sample, size_t first, size_t count) {
    struct row *rows = memory_new(count, sizeof *rows);
    struct outcome *outcomes = memory_new(count, sizeof *outcomes);
    for (size_t i = 0; i < count; i++) {
        rows[i] = sample->rows[(first + i) % POOL_ROWS];
    }
    run_rows(suite->context, &sample->call, rows, count, &suite->prng, outcomes);
    size_t mismatches = differences(sample, outcomes, first, count, "another place and shape");
    free(rows);
    free(outcomes);
    return mismatches;
}

static void any_count_in_any_shape(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        if (!sample) {
            continue;
        }
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            if (tests_are_short() && i % 4 != (size_t)operation % 4)
                continue;
            mismatches += run_count(suite, sample, (size_t)prng_below(&suite->prng, POOL_ROWS), counts[i]);
        }
    }
    assert_int_equal(mismatches, 0);
}

/* Of every operation; in short tests of a third of them. */
static void many_rows(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0, step = tests_are_short() ? 3 : 1;
    for (size_t i = (size_t)prng_below(&suite->prng, step); i < OPERATION_COUNT; i += step) {
        if (suite->samples[i]) {
            mismatches += run_count(suite, suite->samples[i], 0, GREATEST_COUNT);
        }
    }
    assert_int_equal(mismatches, 0);
}

/* One row for all items, by stride 0 and by offsets. */
static void repeated_rows(void **state) {
    struct suite *suite = *state;
    enum { COUNT = 70 };
    size_t mismatches = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        if (!sample) {
            continue;
        }
        for (size_t repetition = repetitions(3, 60); repetition > 0; repetition--) {
            struct row rows[COUNT];
            struct outcome outcomes[COUNT];
            size_t which = (size_t)prng_below(&suite->prng, POOL_ROWS);
            for (size_t i = 0; i < COUNT; i++) {
                rows[i] = sample->rows[which];
            }
            run_rows(suite->context, &sample->call, rows, COUNT, &suite->prng, outcomes);
            for (size_t i = 0; i < COUNT; i++) {
                mismatches += differences(sample, &outcomes[i], which, 1, "a repeated row");
            }
        }
    }
    assert_int_equal(mismatches, 0);
}

/* The output takes the place of each input in turn. */
static void outputs_over_inputs(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0, run = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        if (!sample) {
            continue;
        }
        int outputs = kind_of_output((enum operation)operation, 0) != 0;
        for (int alias = 0; outputs && alias < CELLS && sample->rows[0].in[alias].data; alias++) {
            struct outcome outcomes[POOL_ROWS];
            struct batch *batch = batch_new(&sample->call, sample->rows, POOL_ROWS, &suite->prng, alias);
            assert_int_equal(batch_call(batch, suite->context, NULL), GECC_OK);
            batch_outcomes(batch, outcomes);
            batch_free(batch);
            mismatches += differences(sample, outcomes, 0, POOL_ROWS, "output over input");
            run++;
        }
    }
    assert_int_equal(mismatches, 0);
    assert_true(run > 30);
}

/* Of each operation any columns, widths, offsets and statuses, of the inputs and the outputs, may be in device memory;
 * some outputs take the place of inputs there. */
static size_t run_on_device(struct suite *suite, const struct sample *sample, size_t count, int alias) {
    struct outcome outcomes[POOL_ROWS];
    struct batch *batch = batch_new(&sample->call, sample->rows, count, &suite->prng, alias);
    batch_to_device(batch, &suite->prng);
    gecc_result result = batch_call(batch, suite->context, NULL);
    if (result != GECC_OK) {
        fprintf(stderr, "%s: %s\n", operation_of(sample->call.operation)->name, gecc_error_text());
        return 1;
    }
    batch_outcomes(batch, outcomes);
    batch_free(batch);
    return differences(sample, outcomes, 0, count, "in device memory");
}

static void columns_in_device_memory(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        if (!sample) {
            continue;
        }
        int outputs = kind_of_output((enum operation)operation, 0) != 0;
        for (size_t repetition = repetitions(20, 400); repetition > 0; repetition--) {
            size_t count = 1 + (size_t)prng_below(&suite->prng, POOL_ROWS);
            int alias = prng_below(&suite->prng, 2) ? ALIAS_NONE : (int)prng_below(&suite->prng, CELLS);
            alias = outputs && alias >= 0 && sample->rows[0].in[alias].data ? alias : ALIAS_NONE;
            mismatches += run_on_device(suite, sample, count, alias);
        }
    }
    assert_int_equal(mismatches, 0);
}

/* The sample itself is right: its plain batch agrees with the reference. */
static void sample_is_right(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        if (!sample) {
            continue;
        }
        for (size_t i = 0; i < POOL_ROWS && !sample->call.modulus.value; i++) {
            struct expectation expected;
            reference_row(&sample->call, &sample->rows[i], &expected);
            mismatches +=
                (size_t)outcome_mismatch(&sample->call, &sample->rows[i], &expected, &sample->outcomes[i], "sample");
        }
    }
    assert_int_equal(mismatches, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample_is_right),
        cmocka_unit_test(any_count_in_any_shape),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(repeated_rows),
        cmocka_unit_test(outputs_over_inputs),
        cmocka_unit_test(columns_in_device_memory), /* last: where there is one */
    };
    size_t count = sizeof tests / sizeof *tests - !test_context_is_fake_cuda();
    return _cmocka_run_group_tests("layouts", tests, count, start, stop);
}
