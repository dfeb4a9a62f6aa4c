/* The memory that keys take which repeat within a call: tables and what finds the keys together are what the caller
 * allows, however many rows there are, and each row is run once.
 *
 * Test: fast */
#define _DEFAULT_SOURCE /* nanosleep */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/repeats.h"

enum { ROWS = 300000, KEYS = 10, KEY_BYTES = 33, MEGABYTE = 1 << 20, SLACK = 16 << 10 };

/* What a set of tables takes at least, which is part of what the call does. */
enum { MAKING_NANOSECONDS = 1000000 };

/* A backend that runs nothing, and looks at how much memory there is. */
struct watcher {
    size_t allowed, before, rows, most_at_once, sets;
};

static size_t memory_in_use(void) {
    struct mallinfo2 info = mallinfo2(); /* zeros with a sanitizer's allocator */
    return info.uordblks + info.hblkhd;
}

static gecc_result watch_run(void *state, const struct job *job, gecc_report *report) {
    struct watcher *w = state;
    report->seconds = 0;
    w->rows += job->count;
    w->most_at_once = job->count > w->most_at_once ? job->count : w->most_at_once;
    for (size_t i = 0; i < job->count; i++)
        ((uint8_t *)job->status.data)[i * job->status.stride]++;
    return GECC_OK;
}

static gecc_result watch_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                   size_t *bytes) {
    struct watcher *w = state;
    const struct timespec time = {.tv_nsec = MAKING_NANOSECONDS};
    (void)job, (void)set;
    (void)nanosleep(&time, NULL);
    *bytes = 0;
    w->sets++;
    if (plan->memory < w->allowed / 2)
        fail_msg("tables get %zu of %zu bytes", plan->memory, w->allowed);
    if (plan->memory + memory_in_use() > w->allowed + w->before + SLACK)
        fail_msg("%zu bytes for tables and %zu besides, where %zu are allowed", plan->memory,
                 memory_in_use() - w->before, w->allowed);
    return GECC_OK;
}

static void watch_keys_free(void *state, const struct key_set *set) { (void)state, (void)set; }

static const struct backend watching = {
    .name = "watching", .run = watch_run, .keys_make = watch_keys_make, .keys_free = watch_keys_free};

static void test_memory(void **state) {
    (void)state;
    static uint8_t keys[KEYS][KEY_BYTES], status[ROWS];
    uint64_t *offsets = malloc(ROWS * sizeof *offsets);
    static const size_t allowed[] = {MEGABYTE / 2, MEGABYTE, 4 * MEGABYTE, 64 * MEGABYTE, 256 * MEGABYTE};
    for (size_t i = 0; i < KEYS; i++)
        keys[i][0] = (uint8_t)i;
    for (size_t i = 0; i < ROWS; i++)
        offsets[i] = i % KEYS * KEY_BYTES;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++) {
        struct watcher w = {.allowed = allowed[i]};
        gecc_report report = GECC_REPORT_INIT;
        gecc_result result = GECC_ERROR_DEVICE;
        struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = ROWS};
        job.in[0] = (gecc_rows){keys, 0, KEY_BYTES, NULL, offsets};
        job.in[1] = job.in[2] = gecc_rows_same(keys, KEY_BYTES);
        job.status = gecc_out_packed(status, 1);
        memset(status, 0, sizeof status);
        w.before = memory_in_use();
        assert_true(gecc_repeats_run(&watching, &w, &job, i == 4 ? 0 : allowed[i], &report, &result));
        assert_int_equal(result, GECC_OK);
        assert_int_equal(w.rows, ROWS);
        assert_int_equal(report.prepared_rows, ROWS);
        assert_true(w.sets >= 1 && report.prepared_keys >= KEYS);
        assert_true(report.seconds >= 1e-9 * MAKING_NANOSECONDS * (double)w.sets);
        for (size_t row = 0; row < ROWS; row++)
            if (status[row] != GECC_ITEM_NOT_PROCESSED + 1)
                fail_msg("row %zu has been run %d times", row, status[row]);
    }
    free(offsets);
}

/* Where the memory is too little to group enough rows, none are. */
static void test_too_little(void **state) {
    (void)state;
    static uint8_t key[KEY_BYTES], status[4096];
    for (size_t memory = 2; memory <= 65536; memory *= 2) {
        struct watcher w = {.allowed = memory};
        gecc_report report = GECC_REPORT_INIT;
        gecc_result result;
        struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = sizeof status};
        job.in[0] = job.in[1] = job.in[2] = gecc_rows_same(key, KEY_BYTES);
        job.status = gecc_out_packed(status, 1);
        assert_false(gecc_repeats_run(&watching, &w, &job, memory, &report, &result));
        assert_int_equal(w.rows + w.sets, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_too_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
