/* Chunks for a device: sizes and blocks.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda/card/plan.h"
#include "backend/cuda/device/grid.h"

static const struct launch_info info = {.threads = 128, .rows_a_thread = 16, .row_bytes = 4096, .chunk_bytes = 1 << 20};

enum { RESIDENT = 132 * 4 * 128, STAGED = 200, PLENTY = 1 << 30, STAGING = 256 << 20 };

static struct plan plan_for(size_t count, size_t memory, size_t staged, unsigned slots) {
    struct plan_input input = {
        .count = count, .resident = RESIDENT, .staged = staged, .memory = memory, .staging = STAGING, .slots = slots};
    return gecc_plan(&input, &info);
}

/* Device bytes of the plan's chunks. */
static size_t bytes_of(const struct plan *plan, size_t staged) {
    return plan->slots * (gecc_plan_workspace(plan->rows, &info) + plan->rows * staged);
}

static void test_a_job_that_fits_is_one_chunk(void **state) {
    (void)state;
    static const size_t counts[] = {1, 127, 128, 129, 10000, RESIDENT, 16 * RESIDENT};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct plan plan = plan_for(counts[i], (size_t)100 << 30, 0, 2);
        assert_true(plan.rows >= counts[i]);
        assert_true(plan.rows < counts[i] + info.threads);
        assert_int_equal(plan.slots, 1);
    }
}

static void test_a_large_job_is_even_chunks(void **state) {
    (void)state;
    size_t wave = (size_t)16 * RESIDENT;
    for (size_t count = wave + 1; count < 20 * wave; count += wave / 3) {
        struct plan plan = plan_for(count, (size_t)100 << 30, 0, 2);
        size_t chunks = (count + plan.rows - 1) / plan.rows;
        assert_int_equal(plan.slots, 2);
        assert_true(plan.rows <= wave);
        assert_int_equal(chunks, (count + wave - 1) / wave);
        assert_true(count - (chunks - 1) * plan.rows + chunks * info.threads >= plan.rows);
    }
}

/* Rows that are copied: up to four rows a thread in one chunk, then eight chunks at most until chunks are as large as
 * they get. */
static void test_copies_overlap(void **state) {
    (void)state;
    static const struct {
        size_t rounds, chunks;
    } expected[] = {{1, 1},  {4, 1},  {5, 2},  {8, 2},   {9, 3},   {16, 4}, {17, 5},
                    {32, 8}, {33, 7}, {40, 8}, {127, 8}, {128, 8}, {129, 9}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t count = expected[i].rounds * RESIDENT;
        struct plan plan = plan_for(count, (size_t)100 << 30, STAGED, 2);
        size_t chunks = (count + plan.rows - 1) / plan.rows;
        assert_int_equal(chunks, expected[i].chunks);
        assert_int_equal(plan.slots, chunks > 1 ? 2 : 1);
        assert_int_equal(plan_for(count, (size_t)100 << 30, STAGED, 1).rows >= count, expected[i].rounds <= 16);
    }
}

/* Whatever memory there is suffices, down to a block's rows; and it is used. */
static void test_memory(void **state) {
    (void)state;
    for (size_t memory = 16 << 20; memory <= (size_t)16 << 30; memory += memory / 3)
        for (unsigned slots = 1; slots <= 2; slots++) {
            struct plan plan = plan_for(PLENTY, memory, STAGED, slots);
            assert_int_equal(plan.slots, slots);
            assert_true(bytes_of(&plan, STAGED) <= memory);
            assert_true(2 * bytes_of(&plan, STAGED) >= memory || plan.rows * STAGED > STAGING / 2 ||
                        plan.rows > 15 * (size_t)RESIDENT);
        }
    assert_int_equal(plan_for(PLENTY, 0, STAGED, 2).rows, info.threads);
}

static void test_staging_is_bounded(void **state) {
    (void)state;
    struct plan plan = plan_for(PLENTY, (size_t)1 << 40, 100000, 2);
    assert_true(plan.rows * 100000 <= STAGING);
    assert_int_equal(plan_for(PLENTY, (size_t)1 << 40, STAGING, 2).rows, info.threads);
    assert_int_equal(plan_for(100 * (size_t)16 * RESIDENT, (size_t)1 << 40, 0, 2).rows, 16 * (size_t)RESIDENT);
}

static void test_halving_ends(void **state) {
    (void)state;
    size_t rows = 100000, steps = 0;
    for (size_t fewer; (fewer = gecc_plan_halve(rows, &info)) != 0; rows = fewer, steps++)
        assert_true(fewer < rows && fewer >= info.threads);
    assert_int_equal(rows, info.threads);
    assert_int_equal(steps, 10);
}

static void expect_grid(size_t count, size_t resident, const struct launch_info *of, unsigned blocks,
                        unsigned threads) {
    struct grid grid = gecc_grid_of(count, resident, of);
    assert_int_equal(grid.blocks, blocks);
    assert_int_equal(grid.threads, threads);
}

static void test_grid(void **state) {
    (void)state;
    expect_grid(1, RESIDENT, &info, 1, 128);
    expect_grid(128, RESIDENT, &info, 1, 128);
    expect_grid(129, RESIDENT, &info, 2, 128);
    expect_grid(RESIDENT, RESIDENT, &info, RESIDENT / 128, 128);
    expect_grid(16 * RESIDENT, RESIDENT, &info, RESIDENT / 128, 128);
    expect_grid(32 * RESIDENT, RESIDENT, &info, 2 * RESIDENT / 128, 128);
}

/* 100 multiprocessors of a block each: few rows are spread over many of them. */
static void test_grid_of_large_blocks(void **state) {
    struct launch_info large = info;
    (void)state;
    large.threads = 512;
    expect_grid(1, 51200, &large, 1, 128);
    expect_grid(1000, 51200, &large, 8, 128);
    expect_grid(12800, 51200, &large, 100, 128);
    expect_grid(12801, 51200, &large, 51, 256);
    expect_grid(25601, 51200, &large, 51, 512);
    expect_grid(1 << 20, 51200, &large, 128, 512);
    large.threads = 384;
    expect_grid(12800, 38400, &large, 100, 128);
    expect_grid(25600, 38400, &large, 100, 256);
    expect_grid(25601, 38400, &large, 67, 384);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_job_that_fits_is_one_chunk),
        cmocka_unit_test(test_a_large_job_is_even_chunks),
        cmocka_unit_test(test_copies_overlap),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_staging_is_bounded),
        cmocka_unit_test(test_halving_ends),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_grid_of_large_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
