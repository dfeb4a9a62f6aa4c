/* Rows that are worth a thread of their own: not so few that they take no longer than waking it may, nor so many that threads
 * idle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cost.h"

enum { BYTES = 32, MESSAGE_BYTES = 64 };

/* `rows` rows of an operation on P-256, modulo a number of 256 bits, or on messages; only their sizes matter. */
static struct job job_of(enum operation operation, size_t rows) {
    static const uint8_t some[2 * MESSAGE_BYTES];
    struct job job = {.operation = operation, .count = rows, .flags = GECC_PUBLIC_SCALARS};
    gecc_rows column = {.data = some, .width = BYTES};
    if (operation >= OPERATION_MOD_ADD && operation <= OPERATION_MOD_POWER)
        job.modulus_bytes = BYTES;
    else if (operation == OPERATION_DIGEST || operation == OPERATION_SM2_DIGEST)
        column.width = MESSAGE_BYTES;
    else
        job.curve = GECC_P256;
    job.in[0] = job.in[1] = column;
    return job;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_worth_a_thread)};
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
