/* The report of a call of the ledger that recovers in several jobs.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "ledger/call.h"

/* Each place is named once, and each GPU with all of its rows. */
static void sums(void **state) {
    static const struct {
        const char *backend, *devices, *backends, *sum;
    } parts[] = {{"cuda", "0: 5", "cuda", "0: 5"},
                 {"cuda, cpu", "0: 2", "cuda, cpu", "0: 7"},
                 {"cpu", "", "cuda, cpu", "0: 7"},
                 {"cuda", "1: 3", "cuda, cpu", "0: 7, 1: 3"}};
    struct ledger_call ledger = {.report = GECC_REPORT_INIT};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        gecc_report report = GECC_REPORT_INIT;
        (void)snprintf(report.backend, sizeof report.backend, "%s", parts[i].backend);
        (void)snprintf(report.devices, sizeof report.devices, "%s", parts[i].devices);
        ledger_add_report(&ledger, &report);
        assert_string_equal(ledger.report.backend, parts[i].backends);
        assert_string_equal(ledger.report.devices, parts[i].sum);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
