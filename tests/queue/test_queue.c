/* How a queue joins rows, by counts: which rows become one job, when, and which result each request gets.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "queue/fixture.h"

/* Under no load a row goes out at once; what comes while it runs is the next job. */
static void test_jobs_grow_under_load(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    submit(f, 1, 9, GECC_SHA256);
    assert_true(no_more_begin(&f->scripted, 1));
    permit(&f->scripted, 1);
    assert_true(have_begun(&f->scripted, 2));
    submit(f, 10, 20, GECC_SHA256);
    permit(&f->scripted, 2);
    gecc_queue_drain(f->queue);
    assert_int_equal(f->scripted.noted[0].rows, 1);
    assert_int_equal(f->scripted.noted[1].rows, 9);
    assert_int_equal(f->scripted.noted[2].rows, 20);
    assert_int_equal(f->scripted.begun, 3);
    for (unsigned i = 0; i < 30; i++)
        check_done(&f->row[i], GECC_SHA256);
    stop(f);
}

/* No job is larger than is enough, and operations take turns. */
static void test_operations_take_turns(void **state) {
    (void)state;
    static const size_t rows[] = {1, 4, 4, 4, 2, 4};
    static const gecc_hash hashes[] = {GECC_SHA512, GECC_SHA256,    GECC_KECCAK256,
                                       GECC_SHA256, GECC_KECCAK256, GECC_SHA256};
    struct fixture *f = start(&one_thread, 4);
    submit(f, 0, 1, GECC_SHA512);
    assert_true(have_begun(&f->scripted, 1));
    submit(f, 1, 12, GECC_SHA256);
    submit(f, 13, 6, GECC_KECCAK256);
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    assert_int_equal(f->scripted.begun, 6);
    unsigned order = f->scripted.noted[1].hash == GECC_SHA256 ? 0 : 1; /* which of the two is first is free */
    for (unsigned i = 1; i < 5; i++)
        assert_int_equal(f->scripted.noted[i].hash, hashes[1 + (i - 1 + order) % 2]);
    size_t sum = 0;
    for (unsigned i = 0; i < 6; i++) {
        sum += f->scripted.noted[i].rows;
        assert_true(f->scripted.noted[i].rows <= rows[1] && f->scripted.noted[i].rows >= 1);
    }
    assert_int_equal(sum, 19);
    stop(f);
}

/* While one thread computes, another takes rows when there are enough of them, or the oldest has waited. */
static void test_a_second_thread_waits_for_rows(void **state) {
    (void)state;
    struct fixture *f = start(&two_threads, 4);
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    submit(f, 1, 3, GECC_SHA256);
    assert_true(no_more_begin(&f->scripted, 1));
    submit(f, 4, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 2)); /* enough */
    permit(&f->scripted, 1);
    while (f->row[0].told + f->row[1].told == 0)
        usleep(100);
    submit(f, 5, 1, GECC_SHA256);
    assert_true(no_more_begin(&f->scripted, 2));
    atomic_fetch_add(&test_time, 199);
    assert_true(no_more_begin(&f->scripted, 2));
    atomic_fetch_add(&test_time, 1);
    assert_true(have_begun(&f->scripted, 3)); /* it has waited */
    assert_int_equal(f->scripted.noted[1].rows, 4);
    assert_int_equal(f->scripted.noted[2].rows, 1);
    assert_int_equal(f->scripted.most_inside, 2);
    permit(&f->scripted, 2);
    gecc_queue_drain(f->queue);
    for (unsigned i = 0; i < 6; i++)
        check_done(&f->row[i], GECC_SHA256);
    stop(f);
}

struct runner {
    struct fixture *fixture;
    unsigned row;
    gecc_result result;
    pthread_t thread;
    atomic_bool finished;
};

static void *run_one(void *argument) {
    struct runner *runner = argument;
    runner->result = run(runner->fixture, runner->row, GECC_SHA256);
    atomic_store(&runner->finished, true);
    return NULL;
}

/* A thread that waits runs its rows itself where a thread of the queue would be idle, and has them joined otherwise. */
static void test_a_waiting_thread_runs_its_rows(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    struct runner runner[4] = {{.fixture = f}};
    assert_int_equal(pthread_create(&runner[0].thread, NULL, run_one, &runner[0]), 0);
    assert_true(have_begun(&f->scripted, 1));
    for (unsigned i = 1; i < 4; i++) {
        runner[i] = (struct runner){.fixture = f, .row = i};
        assert_int_equal(pthread_create(&runner[i].thread, NULL, run_one, &runner[i]), 0);
    }
    assert_true(no_more_begin(&f->scripted, 1)); /* the place of the queue's only thread is taken, however long */
    atomic_fetch_add(&test_time, 1000);
    assert_true(no_more_begin(&f->scripted, 1));
    permit_all(&f->scripted);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(runner[i].thread, NULL), 0);
        assert_int_equal(runner[i].result, GECC_OK);
        assert_int_equal(f->row[i].status, GECC_ITEM_OK);
        assert_memory_equal(f->row[i].hash + 1, f->row[i].message, ROW_BYTES);
    }
    assert_true(pthread_equal(f->scripted.noted[0].thread, runner[0].thread));
    assert_false(pthread_equal(f->scripted.noted[1].thread, runner[0].thread));
    assert_int_equal(f->scripted.begun, 2);
    assert_int_equal(f->scripted.noted[1].rows, 3);
    stop(f);
}

/* A queue is bounded, by rows and by bytes; who waits for room gets it. */
static void test_full(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    config.rows = 4;
    struct fixture *f = start(&config, 0);
    submit(f, 0, 4, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    assert_int_equal(submit_by(f, 4, GECC_SHA256, told), GECC_ERROR_BUSY);
    assert_string_equal(gecc_result_text(GECC_ERROR_BUSY), "the queue is full");
    permit_all(&f->scripted);
    while (submit_by(f, 4, GECC_SHA256, told) == GECC_ERROR_BUSY)
        usleep(100);
    gecc_queue_drain(f->queue);
    for (unsigned i = 0; i < 5; i++)
        check_done(&f->row[i], GECC_SHA256);
    stop(f);

    config.bytes = 4096;
    config.rows = 0;
    f = start(&config, 0);
    unsigned fit = 0;
    while (submit_by(f, fit, GECC_SHA256, told) == GECC_OK)
        fit++;
    assert_true(fit >= 4 && fit < 20);
    stop(f);

    config.waits_for_room = 1;
    config.rows = 2;
    f = start(&config, 0);
    submit(f, 0, 2, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    struct runner runner = {.fixture = f, .row = 2};
    assert_int_equal(pthread_create(&runner.thread, NULL, run_one, &runner), 0);
    assert_true(no_more_begin(&f->scripted, 1));
    assert_false(atomic_load(&runner.finished));
    permit_all(&f->scripted);
    assert_int_equal(pthread_join(runner.thread, NULL), 0);
    assert_int_equal(runner.result, GECC_OK);
    stop(f);
}

enum { LARGE = 3 };

/* Rows of one message, as many as there are statuses. */
struct large {
    struct runner runner;
    uint8_t hash[LARGE][HASH_BYTES], status[LARGE];
};

static void *submit_large(void *argument) {
    struct large *large = argument;
    struct fixture *f = large->runner.fixture;
    const gecc_parameters parameters = of(GECC_SHA256);
    const gecc_out out = gecc_out_packed(large->hash, HASH_BYTES);
    const gecc_rows in = gecc_rows_same("abc", 3);
    large->runner.result =
        gecc_queue_submit(f->queue, gecc_operation_find("digest"), &parameters, &out, gecc_out_packed(large->status, 1),
                          &in, LARGE, NULL, told, &f->row[large->runner.row], NULL);
    atomic_store(&large->runner.finished, true);
    return NULL;
}

static void *submit_one(void *argument) {
    struct runner *runner = argument;
    runner->result = submit_by(runner->fixture, runner->row, GECC_SHA256, told);
    atomic_store(&runner->finished, true);
    return NULL;
}

/* A large request that waits for room is not passed by small ones, which would find some. */
static void test_room_is_given_in_order(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    config.rows = LARGE + 1;
    config.waits_for_room = 1;
    struct fixture *f = start(&config, 0);
    struct large large = {.runner = {.fixture = f, .row = 10}};
    struct runner small = {.fixture = f, .row = 11};
    submit(f, 0, 2, GECC_SHA256);
    assert_int_equal(pthread_create(&large.runner.thread, NULL, submit_large, &large), 0);
    assert_true(have_begun(&f->scripted, 1) && no_more_begin(&f->scripted, 1));
    assert_int_equal(pthread_create(&small.thread, NULL, submit_one, &small), 0);
    assert_true(no_more_begin(&f->scripted, 1));
    assert_false(atomic_load(&large.runner.finished));
    assert_false(atomic_load(&small.finished));
    permit_all(&f->scripted);
    assert_int_equal(pthread_join(large.runner.thread, NULL), 0);
    assert_int_equal(pthread_join(small.thread, NULL), 0);
    assert_int_equal(large.runner.result, GECC_OK);
    assert_int_equal(small.result, GECC_OK);
    gecc_queue_drain(f->queue);
    assert_int_equal(large.status[LARGE - 1], GECC_ITEM_OK);
    check_done(&f->row[11], GECC_SHA256);
    stop(f);
}

static void test_cancel(void **state) {
    (void)state;
    static const uint8_t zeros[HASH_BYTES];
    struct fixture *f = start(&one_thread, 0);
    submit(f, 0, 5, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    const unsigned taken = (unsigned)f->scripted.noted[0].rows;
    assert_int_equal(gecc_queue_cancel(f->queue, f->row[0].number), 0); /* taken */
    assert_int_equal(gecc_queue_cancel(f->queue, 0), 0);
    if (taken < 4) {
        assert_int_equal(gecc_queue_cancel(f->queue, f->row[3].number), 1);
        assert_int_equal(gecc_queue_cancel(f->queue, f->row[3].number), 0);
    }
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    for (unsigned i = 0; i < 5; i++) {
        if (i != 3 || taken >= 4) {
            check_done(&f->row[i], GECC_SHA256);
            continue;
        }
        assert_int_equal(f->row[i].result, GECC_ERROR_CANCELLED);
        assert_int_equal(f->row[i].told, 1);
        assert_int_equal(f->row[i].status, GECC_ITEM_NOT_PROCESSED);
        assert_memory_equal(f->row[i].hash, zeros, HASH_BYTES);
    }
    assert_int_equal(gecc_queue_cancel(f->queue, f->row[1].number), 0);
    stop(f);
}

/* A row that has no result fails its own request alone. */
static void test_faults(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    f->row[2].message[0] = 0xfa;
    f->scripted.faulty = 0xfa;
    submit(f, 1, 4, GECC_SHA256);
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    for (unsigned i = 0; i < 5; i++) {
        if (i != 2)
            check_done(&f->row[i], GECC_SHA256);
    }
    assert_int_equal(f->row[2].result, GECC_ERROR_FAULT);
    assert_int_equal(f->row[2].status, GECC_ITEM_NOT_PROCESSED);
    stop(f);
}

static void test_completions(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    gecc_completion taken[8];
    config.rows = 6;
    struct fixture *f = start(&config, 0);
    assert_int_equal(gecc_queue_take(f->queue, taken, 8, 1000), 0);
    permit_all(&f->scripted);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(submit_by(f, i, GECC_SHA256, NULL), GECC_OK);
    size_t count = gecc_queue_take(f->queue, taken, 4, 60000000);
    assert_true(count >= 1 && count <= 4);
    while (count < 6) { /* rows that nobody takes fill the queue */
        assert_int_equal(submit_by(f, 6, GECC_SHA256, NULL) == GECC_OK, true);
        assert_int_equal(gecc_queue_cancel(f->queue, f->row[6].number) >= 0, true);
        count += gecc_queue_take(f->queue, taken, 8, 60000000);
    }
    gecc_queue_drain(f->queue);
    while (gecc_queue_take(f->queue, taken, 8, 60000000) != 0)
        ;
    assert_int_equal(gecc_queue_take(f->queue, taken, 8, 60000000), 0); /* at once: it is drained */
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(f->row[i].status, GECC_ITEM_OK);
        assert_int_equal(f->row[i].told, 0);
    }
    stop(f);
}

static void *take_none(void *argument) {
    gecc_completion taken;
    for (unsigned i = 0; i < 10; i++)
        if (gecc_queue_take(argument, &taken, 0, 60000000) != 0)
            return argument;
    return NULL;
}

/* Who takes none does not wait, and takes no other thread's turn. */
static void test_taking_none(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    gecc_completion taken;
    pthread_t thread;
    void *bad;
    assert_int_equal(pthread_create(&thread, NULL, take_none, f->queue), 0);
    assert_int_equal(pthread_join(thread, &bad), 0); /* at once, or the test takes ten minutes */
    assert_null(bad);
    assert_int_equal(submit_by(f, 0, GECC_SHA256, NULL), GECC_OK);
    permit_all(&f->scripted);
    assert_int_equal(gecc_queue_take(f->queue, &taken, 1, 60000000), 1);
    stop(f);
}

/* Completions that nobody takes count as rows of the queue. */
static void test_completions_fill_the_queue(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    gecc_completion taken[2];
    config.rows = 3;
    struct fixture *f = start(&config, 0);
    permit_all(&f->scripted);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(submit_by(f, i, GECC_SHA256, i == 2 ? told : NULL), GECC_OK);
    while (atomic_load(&f->row[2].told) == 0) /* the others were done before */
        usleep(100);
    assert_int_equal(submit_by(f, 3, GECC_SHA256, NULL), GECC_OK);
    assert_int_equal(submit_by(f, 4, GECC_SHA256, NULL), GECC_ERROR_BUSY);
    size_t count = gecc_queue_take(f->queue, taken, 2, 60000000);
    assert_int_equal(count, 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_ptr_equal(taken[i].argument, &f->row[i]);
        assert_int_equal(taken[i].result, GECC_OK);
    }
    assert_int_equal(submit_by(f, 4, GECC_SHA256, NULL), GECC_OK);
    stop(f);
}

/* After it has begun to drain a queue takes nothing, and what it has it finishes. */
static void test_drain(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    permit_all(&f->scripted);
    submit(f, 0, 30, GECC_SHA256);
    gecc_queue_drain(f->queue);
    for (unsigned i = 0; i < 30; i++)
        check_done(&f->row[i], GECC_SHA256);
    assert_int_equal(submit_by(f, 31, GECC_SHA256, told), GECC_ERROR_CANCELLED);
    assert_int_equal(run(f, 31, GECC_SHA256), GECC_ERROR_CANCELLED);
    assert_int_equal(f->row[31].told, 0);
    gecc_queue_drain(f->queue);
    stop(f);
    gecc_queue_close(NULL);
    gecc_queue_drain(NULL);
}

/* Requests of several rows, of widths of their own, in any layout, one of no rows: each row is where it belongs. */
static void test_layouts(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    static const char text[] = "abcdefghijklmnopqrstuvwxyz";
    const uint32_t widths[3] = {5, 0, 9};
    const uint64_t offsets[3] = {20, 3, 1};
    uint8_t hash[3][40], status[3][2], same[2][HASH_BYTES], same_status[2];
    const gecc_parameters parameters = of(GECC_SHA256);
    const gecc_operation *digest = gecc_operation_find("digest");
    const gecc_rows in = {.data = text, .widths = widths, .offsets = offsets}, repeated = gecc_rows_same(text, 4);
    const gecc_out out = gecc_out_packed(hash, 40), out_same = gecc_out_packed(same, HASH_BYTES);
    struct submitted none = {.result = GECC_PENDING};
    memset(hash, 0xee, sizeof hash);
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    assert_int_equal(gecc_queue_submit(f->queue, digest, &parameters, &out, gecc_out_packed(status, 2), &in, 3, NULL,
                                       told, &f->row[1], NULL),
                     GECC_OK);
    submit(f, 2, 1, GECC_SHA256);
    assert_int_equal(gecc_queue_submit(f->queue, digest, &parameters, &out_same, gecc_out_packed(same_status, 1),
                                       &repeated, 2, NULL, told, &f->row[3], NULL),
                     GECC_OK);
    assert_int_equal(
        gecc_queue_submit(f->queue, digest, &parameters, &out, gecc_out_none(), &in, 0, NULL, told, &none, NULL),
        GECC_OK);
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    assert_int_equal(f->scripted.noted[1].rows, 6);
    assert_int_equal(none.result, GECC_OK);
    assert_int_equal(none.told, 1);
    assert_int_equal(f->row[1].result, GECC_OK);
    assert_memory_equal(hash[0] + 1, "uvwxy", 5);
    assert_int_equal(hash[1][1], 0);
    assert_memory_equal(hash[2] + 1, "bcdefghij", 9);
    assert_int_equal(hash[2][HASH_BYTES], 0xee); /* between rows nothing is written */
    for (unsigned i = 0; i < 2; i++)
        assert_memory_equal(same[i] + 1, "abcd", 4);
    check_done(&f->row[2], GECC_SHA256);
    stop(f);
}

/* The copies are in memory that is not dumped, and are gone afterwards. */
static void test_copies_are_wiped(void **state) {
    (void)state;
    static const uint8_t zeros[4096];
    struct fixture *f = start(&one_thread, 0);
    char line[256], flags[256] = "";
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    const uint8_t *batch = f->scripted.noted[0].data;
    assert_non_null(memmem(batch, sizeof zeros, f->row[0].message, ROW_BYTES));
    FILE *maps = fopen("/proc/self/smaps", "r");
    bool inside = false;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = (uintptr_t)batch >= from && (uintptr_t)batch < to;
        if (inside && strncmp(line, "VmFlags:", 8) == 0)
            strcpy(flags, line);
    }
    if (maps != NULL)
        fclose(maps);
    assert_true(flags[0] == 0 || (strstr(flags, " dd") != NULL && strstr(flags, " wf") != NULL));
    submit(f, 1, 2, GECC_SHA256);
    assert_int_equal(gecc_queue_cancel(f->queue, f->row[1].number), 1); /* which is wiped at once: seen by test_storm */
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    assert_memory_equal(batch, zeros, sizeof zeros); /* kept for later batches */
    stop(f);
}

/* A callback may submit, and may run rows; a full queue is not waited for there. */
struct chain {
    struct fixture *fixture;
    unsigned left;
    gecc_result ran;
    atomic_bool ended;
};

static void go_on(void *argument, gecc_result result) {
    struct chain *chain = argument;
    struct submitted *row = &chain->fixture->row[chain->left];
    const gecc_parameters parameters = of(GECC_SHA256);
    const gecc_out out = gecc_out_packed(row->hash, HASH_BYTES);
    const gecc_rows in = gecc_rows_packed(row->message, ROW_BYTES);
    if (result != GECC_OK || chain->left == 0) {
        chain->ran = run(chain->fixture, REQUESTS - 1, GECC_SHA256);
        atomic_store(&chain->ended, true);
        return;
    }
    chain->left--;
    if (gecc_queue_submit(chain->fixture->queue, gecc_operation_find("digest"), &parameters, &out,
                          gecc_out_packed(&row->status, 1), &in, 1, NULL, go_on, chain, NULL) != GECC_OK)
        atomic_store(&chain->ended, true);
}

static void test_callbacks_may_submit(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    config.rows = 1;
    config.waits_for_room = 1;
    struct fixture *f = start(&config, 0);
    struct chain chain = {.fixture = f, .left = 20, .ran = GECC_PENDING};
    permit_all(&f->scripted);
    go_on(&chain, GECC_OK);
    while (!atomic_load(&chain.ended))
        usleep(100);
    assert_int_equal(chain.left, 0);
    assert_int_equal(chain.ran, GECC_OK);
    stop(f);
}

static void check_refused(gecc_queue *queue, const gecc_operation *operation, const gecc_options *options, gecc_rows in,
                          size_t count, const char *text) {
    uint8_t hash[4][HASH_BYTES], status[4] = {9, 9, 9, 9};
    const gecc_parameters parameters = of(GECC_SHA256);
    const gecc_out out = gecc_out_packed(hash, HASH_BYTES);
    assert_int_equal(gecc_queue_submit(queue, operation, &parameters, &out, gecc_out_packed(status, 1), &in, count,
                                       options, told, NULL, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_non_null(strstr(gecc_error_text(), text));
    assert_int_equal(
        gecc_queue_run(queue, operation, &parameters, &out, gecc_out_packed(status, 1), &in, count, options),
        GECC_ERROR_ARGUMENT);
    assert_int_equal(status[0], count <= 4 ? GECC_ITEM_NOT_PROCESSED : status[0]);
}

static void test_refusals(void **state) {
    (void)state;
    gecc_queue_config config = one_thread;
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_queue *queue;
    config.rows = 3;
    struct fixture *f = start(&config, 0);
    const gecc_operation *digest = gecc_operation_find("digest");
    const gecc_rows in = gecc_rows_same("abc", 3);
    check_refused(NULL, digest, NULL, in, 1, "queue is NULL");
    check_refused(f->queue, NULL, NULL, in, 1, "operation");
    check_refused(f->queue, digest, NULL, gecc_rows_same(NULL, 3), 1, "message: data is NULL");
    check_refused(f->queue, digest, NULL, in, 4, "no room for 4 rows");
    check_refused(f->queue, digest, NULL, gecc_rows_same("abc", SIZE_MAX / 2), 1, "");
    options.report = &report;
    check_refused(f->queue, digest, &options, in, 1, "report, job and stream");
    assert_int_equal(f->scripted.begun, 0);
    assert_int_equal(gecc_queue_open(NULL, &queue, NULL), GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_queue_open(&f->context, NULL, NULL), GECC_ERROR_ARGUMENT);
    config.waits_for_room = 2;
    assert_int_equal(gecc_queue_open(&f->context, &queue, &config), GECC_ERROR_ARGUMENT);
    assert_null(queue);
    config.waits_for_room = 0;
    config.reserved = 1;
    assert_int_equal(gecc_queue_open(&f->context, &queue, &config), GECC_ERROR_ARGUMENT);
    config.reserved = 0;
    config.size = 3;
    assert_int_equal(gecc_queue_open(&f->context, &queue, &config), GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_queue_take(NULL, NULL, 0, 0), 0);
    assert_int_equal(gecc_queue_cancel(NULL, 1), 0);
    stop(f);
}

/* A child of fork runs rows itself, and may close. */
static void test_fork(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, 0);
    permit_all(&f->scripted);
    submit(f, 0, 1, GECC_SHA256);
    gecc_completion taken;
    pid_t child = fork();
    if (child == 0) {
        int bad = run(f, 1, GECC_SHA256) != GECC_OK || f->row[1].status != GECC_ITEM_OK;
        bad += submit_by(f, 2, GECC_SHA256, told) != GECC_ERROR_THREAD;
        bad += gecc_queue_take(f->queue, &taken, 1, 60000000) != 0;
        bad += gecc_queue_cancel(f->queue, 1) != 0;
        gecc_queue_drain(f->queue);
        gecc_queue_close(f->queue);
        _exit(bad);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    stop(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_grow_under_load),
        cmocka_unit_test(test_operations_take_turns),
        cmocka_unit_test(test_a_second_thread_waits_for_rows),
        cmocka_unit_test(test_a_waiting_thread_runs_its_rows),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_room_is_given_in_order),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_completions),
        cmocka_unit_test(test_taking_none),
        cmocka_unit_test(test_completions_fill_the_queue),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_copies_are_wiped),
        cmocka_unit_test(test_callbacks_may_submit),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
