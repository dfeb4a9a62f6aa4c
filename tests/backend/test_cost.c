/* What jobs cost by the table of operations, and rows that are worth a thread of their own: not so few that they take
 * no longer than waking it may, nor so many that threads idle.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cost.h"

enum { BYTES = 32, MESSAGE_BYTES = 64 };

/* `rows` rows of an operation on P-256 or SM2, modulo a number of 256 bits, or on messages; only their sizes matter. */
static struct job job_of(enum operation operation, size_t rows) {
    static const uint8_t some[2 * MESSAGE_BYTES];
    const gecc_operation *described = gecc_operations((size_t)operation);
    const gecc_column *column;
    struct job job = {.operation = operation, .count = rows, .flags = GECC_PUBLIC_SCALARS};
    if (described->selector == GECC_SELECT_MODULUS)
        job.modulus_bytes = BYTES;
    else if (described->selector == GECC_SELECT_CURVE)
        job.curve = (described->curves >> GECC_P256 & 1) != 0 ? GECC_P256 : GECC_SM2;
    for (size_t i = 0; (column = gecc_operation_input(described, i)) != NULL; i++)
        job.in[i] = gecc_rows_packed(some, column->kind == GECC_KIND_MESSAGE ? MESSAGE_BYTES : BYTES);
    return job;
}

static bool takes(enum operation operation, gecc_kind kind) {
    const gecc_column *column;
    bool found = false;
    for (size_t i = 0; (column = gecc_operation_input(gecc_operations((size_t)operation), i)) != NULL; i++)
        found |= column->kind == kind;
    return found;
}

/* Units that it must have at least, by its columns: what verifies, or multiplies a point, takes some thousand, a
 * multiple of G, or of a key that has a table, some hundred. */
static double least_units(enum operation operation) {
    bool multiplies = takes(operation, GECC_KIND_SCALAR) || takes(operation, GECC_KIND_PRIVATE_KEY);
    if (takes(operation, GECC_KIND_KEY_NUMBER))
        return 100;
    if (takes(operation, GECC_KIND_SIGNATURE) || (multiplies && takes(operation, GECC_KIND_POINT)))
        return 1000;
    return multiplies ? 100 : 1;
}

/* Each operation has work of its own, on the CPU and on a GPU, apart from bytes to move and calls to make; many rows
 * have as many times of it, and secret scalars no less than public ones. */
static void test_no_operation_is_free(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        enum operation operation = (enum operation)i;
        struct cost work = gecc_cost_of("portable-c", 1);
        double terms[COST_TERMS], more[COST_TERMS];
        struct job job = job_of(operation, 1), many = job_of(operation, 1000), secret = job_of(operation, 1);
        work.byte = work.waking = 0;
        secret.flags = 0;
        gecc_cost_gpu_terms(&job, terms);
        gecc_cost_gpu_terms(&many, more);
        double seconds = gecc_cost_cpu(&work, &job);
        if (!(seconds >= 10e-9 * least_units(operation)) || !(terms[COST_UNIT] >= least_units(operation)))
            fail_msg("%s costs %g ns, or %g units on a GPU", gecc_operations((size_t)i)->name, seconds * 1e9,
                     terms[COST_UNIT]);
        assert_float_equal(gecc_cost_cpu(&work, &many), 1000 * seconds, 1e-6 * seconds);
        for (int term = COST_UNIT; term <= COST_BYTE; term++)
            assert_float_equal(more[term], 1000 * terms[term], 1e-6 * terms[term]);
        assert_true(gecc_cost_cpu(&work, &secret) >= seconds);
    }
}

/* Signing and verifying what was signed is no cheaper than both apart but for a share of reading and inverting. */
static void test_verifying_signatures_costs(void **state) {
    (void)state;
    struct cost work = gecc_cost_of("portable-c", 1);
    const struct job sign = {.operation = OPERATION_ECDSA_SIGN, .curve = GECC_P256, .count = 1000},
                     verify = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = 1000};
    struct job both = sign;
    both.flags = GECC_VERIFY_SIGNATURES;
    work.byte = work.waking = 0;
    double apart = gecc_cost_cpu(&work, &sign) + gecc_cost_cpu(&work, &verify);
    double together = gecc_cost_cpu(&work, &both);
    assert_true(together > 0.9 * apart && together < 1.2 * apart);
}

static void test_rows_worth_a_thread(void **state) {
    (void)state;
    static const char *const machines[] = {"portable-c", "portable-adx", "ifma"};
    for (int m = 0; m < 3; m++) {
        const struct cost cost = gecc_cost_of(machines[m], 1);
        for (int operation = 0; operation < OPERATION_COUNT; operation++) {
            size_t rows = gecc_rows_worth_a_thread((enum operation)operation, cost.lanes);
            const struct job job = job_of((enum operation)operation, rows);
            double seconds = gecc_cost_cpu(&cost, &job);
            if (!(seconds > 8e-6 && seconds < 0.5e-3))
                fail_msg("operation %d on %s: %zu rows take %.1f us", operation, machines[m], rows, seconds * 1e6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_operation_is_free),
        cmocka_unit_test(test_verifying_signatures_costs),
        cmocka_unit_test(test_rows_worth_a_thread),
    };
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
