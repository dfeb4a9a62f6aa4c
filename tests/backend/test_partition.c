/* Cutting a job's rows into pieces.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cpu/partition.h"

/* The pieces are the rows 0 .. count - 1 in order, none is empty or too large, and each starts at a multiple of
 * lanes. */
static void check_partition(size_t count, const struct partition_limits *limits) {
    struct partition partition = gecc_partition(count, limits);
    size_t next = 0;
    for (size_t i = 0; i < partition.pieces; i++) {
        struct row_range span = gecc_partition_range(&partition, i);
        assert_int_equal(span.first, next);
        assert_int_equal(span.first % limits->lanes, 0);
        assert_in_range(span.count, 1, limits->chunk);
        next += span.count;
    }
    assert_int_equal(next, count);
}

static void test_partition(void **state) {
    (void)state;
    static const size_t counts[] = {0,   1,   2,    7,    8,    9,    15,   16,   17,   63,    64,    65,     127,
                                    128, 129, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 10007, 65536, 100003, 1000003};
    static const unsigned threads[] = {1, 2, 3, 4, 7, 8, 64, 256};
    static const size_t chunks[] = {8, 16, 24, 64, 512, 4096};
    static const size_t lanes[] = {1, 4, 8};
    static const size_t leasts[] = {1, 4, 64, 1024};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            for (size_t k = 0; k < sizeof chunks / sizeof *chunks; k++)
                for (size_t l = 0; l < sizeof lanes / sizeof *lanes; l++)
                    for (size_t m = 0; m < sizeof leasts / sizeof *leasts; m++)
                        check_partition(counts[c],
                                        &(struct partition_limits){threads[t], chunks[k], lanes[l], leasts[m]});
}

/* When the last of the threads is done, if each takes the next piece as soon as it can; slow: the first one needs that
 * many times as long for a row. */
static double makespan(const struct partition *partition, unsigned threads, double slow) {
    double busy_until[64] = {0};
    for (size_t i = 0; i < partition->pieces; i++) {
        unsigned first = 0;
        for (unsigned t = 1; t < threads; t++)
            if (busy_until[t] < busy_until[first])
                first = t;
        busy_until[first] += (double)gecc_partition_range(partition, i).count * (first == 0 ? slow : 1);
    }
    double last = 0;
    for (unsigned t = 0; t < threads; t++)
        last = busy_until[t] > last ? busy_until[t] : last;
    return last;
}

static void test_threads_share_evenly(void **state) {
    (void)state;
    static const size_t counts[] = {256, 1000, 4096, 10000, 100000};
    for (unsigned threads = 2; threads <= 16; threads++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            struct partition partition = gecc_partition(counts[c], &(struct partition_limits){threads, 2048, 1, 4});
            assert_true(makespan(&partition, threads, 1) <= 1.1 * (double)counts[c] / threads + 1);
        }
}

static void test_a_slow_thread_does_not_keep_the_others_waiting(void **state) {
    (void)state;
    struct partition partition = gecc_partition(4096, &(struct partition_limits){2, 2048, 8, 4});
    double ideal = 4096 / (1 + 1 / 1.6);
    assert_true(makespan(&partition, 2, 1.6) <= 1.1 * ideal);
}

static void test_pieces_are_few_and_large(void **state) {
    (void)state;
    struct partition partition = gecc_partition(4096, &(struct partition_limits){2, 2048, 8, 4});
    assert_in_range(partition.pieces, 2, 8);
    assert_true(gecc_partition_range(&partition, 0).count >= 1500);
    partition = gecc_partition(4096, &(struct partition_limits){1, 2048, 8, 4});
    assert_int_equal(partition.pieces, 2);
}

static void test_few_rows_stay_together(void **state) {
    (void)state;
    assert_int_equal(gecc_partition(1, &(struct partition_limits){8, 512, 1, 4}).pieces, 1);
    assert_int_equal(gecc_partition(7, &(struct partition_limits){8, 512, 1, 4}).pieces, 1);
    assert_int_equal(gecc_partition(8, &(struct partition_limits){8, 512, 1, 4}).pieces, 2);
    assert_int_equal(gecc_partition(32, &(struct partition_limits){8, 512, 1, 4}).pieces, 8);
    assert_int_equal(gecc_partition(15, &(struct partition_limits){8, 512, 8, 4}).pieces, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partition),
        cmocka_unit_test(test_threads_share_evenly),
        cmocka_unit_test(test_a_slow_thread_does_not_keep_the_others_waiting),
        cmocka_unit_test(test_pieces_are_few_and_large),
        cmocka_unit_test(test_few_rows_stay_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
