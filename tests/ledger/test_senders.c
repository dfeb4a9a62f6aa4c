/* Rows of transactions in several chunks, on the CPU and a GPU as one, which fails meanwhile.
 *
 * Test: fast; no sanitizers; link -Wl,--wrap=gecc_ethereum_recover_message */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>

#include "backend/auto_contexts.h"
#include "ledger/transactions.h"

static atomic_uint recoveries; /* that calls consisted of */

gecc_result __real_gecc_ethereum_recover_message(gecc_context *context, gecc_out address, gecc_out status,
                                                 gecc_rows message, gecc_rows signature, size_t count,
                                                 const gecc_options *options);
gecc_result __wrap_gecc_ethereum_recover_message(gecc_context *context, gecc_out address, gecc_out status,
                                                 gecc_rows message, gecc_rows signature, size_t count,
                                                 const gecc_options *options);

gecc_result __wrap_gecc_ethereum_recover_message(gecc_context *context, gecc_out address, gecc_out status,
                                                 gecc_rows message, gecc_rows signature, size_t count,
                                                 const gecc_options *options) {
    atomic_fetch_add(&recoveries, 1);
    return __real_gecc_ethereum_recover_message(context, address, status, message, signature, count, options);
}

enum { ROWS_MOST = 1500, FEW = 100, MANY = ROWS_MOST };

static struct row source[ROWS];

/* What a call gives for `count` rows, which are those of `source` in turns. */
struct answer {
    uint8_t sender[ROWS_MOST][GECC_ADDRESS_BYTES], hash[ROWS_MOST][32], type[ROWS_MOST], reason[ROWS_MOST];
    uint32_t position[ROWS_MOST];
    uint8_t status[ROWS_MOST];
};

static gecc_result ask(gecc_context *context, struct answer *a, size_t count, gecc_report *report) {
    static uint64_t offsets[ROWS_MOST];
    static uint32_t widths[ROWS_MOST];
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    for (size_t i = 0; i < count; i++) {
        offsets[i] = (uint64_t)(source[i % ROWS].bytes - source[0].bytes);
        widths[i] = (uint32_t)source[i % ROWS].width;
    }
    *report = (gecc_report)GECC_REPORT_INIT;
    options.report = report;
    atomic_store(&recoveries, 0);
    memset(a, 0xa5, sizeof *a);
    return gecc_ethereum_senders(context, gecc_out_packed(a->sender, GECC_ADDRESS_BYTES), gecc_out_packed(a->hash, 32),
                                 gecc_out_packed(a->type, 1), gecc_out_packed(a->reason, 1),
                                 gecc_out_packed(a->position, 4), gecc_out_packed(a->status, 1),
                                 (gecc_rows){source[0].bytes, 0, 0, widths, offsets}, count, &options);
}

/* By the CPU alone. */
static struct answer *answer_new(size_t count) {
    struct answer *answer = malloc(sizeof *answer);
    gecc_context *cpu;
    gecc_report report;
    assert_non_null(answer);
    make_rows(source);
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    assert_int_equal(ask(cpu, answer, count, &report), GECC_OK);
    gecc_close(cpu);
    return answer;
}

/* Rows of 60 KB, a hundred of which are much less than a chunk may have, are one. */
static void test_few_wide_rows_are_one_chunk(void **state) {
    (void)state;
    free(answer_new(FEW));
    assert_int_equal(atomic_load(&recoveries), 1);
    free(answer_new(MANY));
    assert_in_range(atomic_load(&recoveries), 2, 4);
}

/* The row as expected; or, where it was not processed, nothing. */
static void check_row(const struct answer *a, const struct answer *expected, size_t i) {
    static const uint8_t zeros[32];
    if (a->status[i] == GECC_ITEM_NOT_PROCESSED) {
        assert_memory_equal(a->sender[i], zeros, GECC_ADDRESS_BYTES);
        assert_memory_equal(a->hash[i], zeros, 32);
        assert_int_equal(a->type[i], 0);
        return;
    }
    assert_int_equal(a->status[i], expected->status[i]);
    assert_memory_equal(a->sender[i], expected->sender[i], GECC_ADDRESS_BYTES);
    assert_memory_equal(a->hash[i], expected->hash[i], 32);
    assert_int_equal(a->type[i], expected->type[i]);
    assert_int_equal(a->reason[i], expected->reason[i]);
    assert_int_equal(a->position[i], expected->position[i]);
}

static gecc_context *open_gpu_alone(void) {
    gecc_context *context;
    assert_int_equal(context_on(&context, &fake_cuda), GECC_OK);
    return context;
}

static gecc_context *open_gpu_and_cpu(void) {
    struct speeds speeds = made_up();
    speeds.of[1].call = 0;
    return open_with(&speeds);
}

/* A GPU fails, once or for good, in the middle of a call: beside a CPU the answers are the CPU's; alone it gives these
 * answers or says that a row was not processed. */
static void test_failing_gpu(void **state) {
    (void)state;
    enum { PARTS = 6 };
    struct answer *expected = answer_new(MANY), *answer = malloc(sizeof *answer);
    unsigned both = 0, failed = 0;
    for (int alone = 0; alone <= 1; alone++) {
        unsigned long calls = 0;
        for (unsigned part = 0; part <= 2 * PARTS; part++) {
            gecc_report report;
            start(4);
            gecc_context *context = alone ? open_gpu_alone() : open_gpu_and_cpu();
            const unsigned long before = fake_driver_calls();
            const bool from_then_on = part > PARTS;
            fake_driver_fail(part == 0 ? 0 : before + 1 + (part - 1) % PARTS * calls / PARTS, from_then_on,
                             CUDA_ERROR_LAUNCH_FAILED);
            const gecc_result result = ask(context, answer, MANY, &report);
            calls = part == 0 ? fake_driver_calls() - before : calls;
            assert_true(result == GECC_OK || (alone && part != 0 && result == GECC_ERROR_DEVICE));
            both += strcmp(report.backend, "cuda, cpu") == 0;
            failed += result != GECC_OK;
            for (size_t i = 0; i < MANY; i++) {
                assert_true(result != GECC_OK || answer->status[i] != GECC_ITEM_NOT_PROCESSED);
                check_row(answer, expected, i);
            }
            fake_driver_fail(0, false, CUDA_SUCCESS);
            gecc_close(context);
        }
    }
    printf("%u calls ran on both, %u failed\n", both, failed);
    assert_true(both > 0 && failed > 0);
    free(answer);
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_wide_rows_are_one_chunk),
        cmocka_unit_test(test_failing_gpu),
    };
    return cmocka_run_group_tests_name("senders", tests, NULL, NULL);
}
