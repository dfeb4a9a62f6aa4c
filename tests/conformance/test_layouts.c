/* Columns of every shape: any number of rows, strides, offsets, repeated rows, unaligned memory, outputs over inputs. The
 * outcome of a row depends on nothing but the row. */
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
    struct sample *samples[OPERATION_COUNT];
};

static const gecc_curve curve_of[OPERATION_COUNT] = {
    [EC_VALIDATE] = GECC_SECP256K1,   [EC_CONVERT] = GECC_P384,       [EC_ADD] = GECC_P256,
    [EC_DOUBLE] = GECC_SM2,           [EC_PUBLIC_KEY] = GECC_P256,    [EC_MUL_BASE] = GECC_P384,
    [EC_MUL] = GECC_SECP256K1,        [EC_MUL_ADD] = GECC_P256,       [ECDH] = GECC_P384,
    [ECDSA_SIGN] = GECC_SECP256K1,    [ECDSA_SIGN_NONCE] = GECC_P384, [ECDSA_VERIFY] = GECC_SECP256K1,
    [ECDSA_RECOVER] = GECC_SECP256K1, [SM2_DIGEST] = GECC_SM2,        [SM2_SIGN] = GECC_SM2,
    [SM2_SIGN_NONCE] = GECC_SM2,      [SM2_VERIFY] = GECC_SM2,
};

static int is_modular(enum operation operation) { return operation >= MOD_ADD && operation <= MOD_POWER; }

static struct row modular_row(struct suite *suite, enum operation operation, struct arena *arena) {
    struct row row = {{{NULL, 0}}};
    uint8_t bytes[28];
    for (int i = 0; i < 2 && operation_info[operation].in[i] != COLUMN_NONE; i++) {
        prng_bytes(&suite->prng, bytes, sizeof bytes);
        row.in[i] = arena_copy(arena, bytes, operation_info[operation].in[i] == COLUMN_EXPONENT ? 5 : sizeof bytes);
    }
    return row;
}

static struct sample *sample_new(struct suite *suite, enum operation operation) {
    struct sample *sample = memory_new(1, sizeof *sample);
    struct pool *pool = NULL;
    sample->call = (struct call){.operation = operation, .curve = curve_of[operation]};
    if (is_modular(operation)) {
        sample->call.modulus = (gecc_modulus){modulus_bytes, sizeof modulus_bytes};
    } else {
        pool = pool_new(operation == DIGEST ? GECC_P256 : sample->call.curve, &suite->prng);
        sample->call.hash = operation == DIGEST ? GECC_SHA384 : GECC_HASH_DEFAULT;
        sample->call.flags = operation_info[operation].out == OUTPUT_SIGNATURE ? GECC_DER : 0;
    }
    for (size_t i = 0; i < POOL_ROWS; i++) {
        sample->rows[i] = is_modular(operation) ? modular_row(suite, operation, &sample->arena)
                                                : row_good(pool, &sample->call, &suite->prng, &sample->arena);
        if (!is_modular(operation) && i % 5 == 4) {
            sample->rows[i] = row_spoiled(pool, &sample->call, sample->rows[i], &suite->prng, &sample->arena);
        }
    }
    run_rows(suite->context, &sample->call, sample->rows, POOL_ROWS, NULL, sample->outcomes);
    if (pool) {
        pool_free(pool);
    }
    return sample;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("layouts");
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        suite->samples[operation] = sample_new(suite, (enum operation)operation);
    }
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        arena_free(&suite->samples[operation]->arena);
        free(suite->samples[operation]);
    }
    free(suite);
    return 0;
}

static size_t differences(const struct sample *sample, const struct outcome *outcomes, size_t first, size_t count,
                          const char *label) {
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        if (!outcome_equal(&sample->outcomes[(first + i) % POOL_ROWS], &outcomes[i])) {
            fprintf(stderr, "%s: %s, row %zu of %zu differs\n", operation_info[sample->call.operation].name, label, i,
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
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            if (tests_are_short() && i % 4 != (size_t)operation % 4)
                continue;
            mismatches += run_count(suite, sample, (size_t)prng_below(&suite->prng, POOL_ROWS), counts[i]);
        }
    }
    assert_int_equal(mismatches, 0);
}

static void many_rows(void **state) {
    static const enum operation operations[] = {EC_CONVERT,   EC_ADD,      EC_MUL_BASE, ECDSA_SIGN,
                                                ECDSA_VERIFY, MOD_INVERSE, SM2_DIGEST};
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        mismatches += run_count(suite, suite->samples[operations[i]], 0, GREATEST_COUNT);
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
        for (size_t repetition = repetitions(6, 60); repetition > 0; repetition--) {
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
        const struct operation_info *info = &operation_info[operation];
        for (int alias = 0; info->out != OUTPUT_NONE && alias < 3 && info->in[alias] != COLUMN_NONE; alias++) {
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

/* The sample itself is right: its plain batch agrees with the reference. */
static void sample_is_right(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        const struct sample *sample = suite->samples[operation];
        for (size_t i = 0; i < POOL_ROWS && !is_modular((enum operation)operation); i++) {
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
        cmocka_unit_test(sample_is_right), cmocka_unit_test(any_count_in_any_shape), cmocka_unit_test(many_rows),
        cmocka_unit_test(repeated_rows),   cmocka_unit_test(outputs_over_inputs),
    };
    return cmocka_run_group_tests_name("layouts", tests, start, stop);
}
