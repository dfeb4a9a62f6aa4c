/* Several threads on one context, several jobs each, polled and waited for: the outcomes of synchronous calls.
 *
 * Test: fast; needs libcrypto; columns */
#define _POSIX_C_SOURCE 200809L
#include "support/generate.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, JOBS = 5, ROUNDS = 6, ROWS = 300, TASKS = 7 };

/* Rows of one operation and what came of them in a synchronous call. */
struct task {
    struct call call;
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    struct arena arena;
};

struct suite {
    gecc_context *context;
    struct task *tasks[TASKS];
    int count; /* of tasks */
};

/* Seen by one thread. cmocka's assertions belong to the main thread, so findings are counted. */
struct worker {
    const struct suite *suite;
    struct prng prng;
    size_t rows, differences, failures;
};

static const struct call calls[TASKS] = {
    {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_SECP256K1, .flags = GECC_DER},
    {.operation = OPERATION_ECDSA_SIGN, .curve = GECC_P256},
    {.operation = OPERATION_EC_MUL, .curve = GECC_P384},
    {.operation = OPERATION_ECDH, .curve = GECC_P256},
    {.operation = OPERATION_SM2_VERIFY, .curve = GECC_SM2},
    {.operation = OPERATION_EC_CONVERT, .curve = GECC_SECP256K1, .point_format = GECC_POINT_COMPRESSED},
    {.operation = OPERATION_ECDSA_VERIFY_KEYS, .curve = GECC_P256}, /* last: left out where it is not offered */
};

static struct task *task_new(gecc_context *context, const struct call *call, struct prng *prng) {
    struct task *task = memory_new(1, sizeof *task);
    task->call = *call;
    for (size_t i = 0; i < ROWS; i++) {
        task->rows[i] = row_good(call, prng, &task->arena);
        if (i % 4 == 3) {
            task->rows[i] = row_spoiled(call, task->rows[i], prng, &task->arena);
        }
    }
    run_rows(context, call, task->rows, ROWS, NULL, task->outcomes);
    return task;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    struct prng prng = prng_for("async");
    suite->context = test_context();
    suite->count = context_offers(suite->context, calls[TASKS - 1].operation) ? TASKS : TASKS - 1;
    for (int i = 0; i < suite->count; i++) {
        suite->tasks[i] = task_new(suite->context, &calls[i], &prng);
    }
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    for (int i = 0; i < suite->count; i++) {
        arena_free(&suite->tasks[i]->arena);
        free(suite->tasks[i]);
    }
    free(suite);
    return 0;
}

/* A part of a task's rows, submitted. */
struct submission {
    const struct task *task;
    size_t first, count;
    struct batch *batch;
    gecc_job *job;
};

static void submit(struct worker *worker, struct submission *submission) {
    const struct task *task = worker->suite->tasks[prng_below(&worker->prng, (uint64_t)worker->suite->count)];
    size_t first = (size_t)prng_below(&worker->prng, ROWS);
    size_t count = (size_t)prng_below(&worker->prng, ROWS - first + 1);
    struct batch *batch = batch_new(&task->call, task->rows + first, count, &worker->prng, ALIAS_NONE);
    *submission = (struct submission){task, first, count, batch, NULL};
    worker->failures += batch_call(batch, worker->suite->context, &submission->job) != GECC_OK;
}

/* Every other job is polled until it is done before it is waited for. */
static void finish(struct worker *worker, struct submission *submission, int poll) {
    struct outcome outcomes[ROWS];
    if (!submission->job) {
        worker->failures++;
        return;
    }
    while (poll && gecc_poll(submission->job) == GECC_PENDING) {
        sched_yield();
    }
    worker->failures += poll && gecc_poll(submission->job) != GECC_OK;
    gecc_result result = GECC_PENDING;
    while (!poll && result == GECC_PENDING) {
        result = gecc_wait_for(submission->job, 50);
    }
    worker->failures += (!poll && result != GECC_OK) || gecc_wait(submission->job) != GECC_OK;
    batch_outcomes(submission->batch, outcomes);
    for (size_t i = 0; i < submission->count; i++) {
        worker->differences += !outcome_equal(&submission->task->outcomes[submission->first + i], &outcomes[i]);
        worker->rows++;
    }
    batch_free(submission->batch);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (int round = 0; round < ROUNDS; round++) {
        struct submission submissions[JOBS];
        size_t order[JOBS];
        for (int i = 0; i < JOBS; i++) {
            submit(worker, &submissions[i]);
        }
        prng_permutation(&worker->prng, order, JOBS);
        for (int i = 0; i < JOBS; i++) {
            finish(worker, &submissions[order[i]], i % 2);
        }
    }
    return NULL;
}

static void many_threads_many_jobs(void **state) {
    const struct suite *suite = *state;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    size_t rows = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.suite = suite, .prng = prng_for((char[]){(char)('a' + i), 0})};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        rows += workers[i].rows;
        assert_int_equal(workers[i].failures, 0);
        assert_int_equal(workers[i].differences, 0);
    }
    assert_true(rows > THREADS * ROUNDS * JOBS * 10);
}

static void *call_synchronously(void *argument) {
    struct worker *worker = argument;
    for (int i = 0; i < worker->suite->count; i++) {
        const struct task *task = worker->suite->tasks[i];
        struct outcome outcomes[ROWS];
        run_rows(worker->suite->context, &task->call, task->rows, ROWS, &worker->prng, outcomes);
        for (size_t row = 0; row < ROWS; row++) {
            worker->differences += !outcome_equal(&task->outcomes[row], &outcomes[row]);
        }
    }
    return NULL;
}

static void many_threads_synchronously(void **state) {
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.suite = *state, .prng = prng_for((char[]){(char)('s' + i), 0})};
        assert_int_equal(pthread_create(&threads[i], NULL, call_synchronously, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].differences, 0);
    }
}

/* The report says where a job ran; the options' memory may go as soon as the call returns. */
static void report_of_a_job(void **state) {
    const struct suite *suite = *state;
    static uint8_t point[64], status[1];
    gecc_report report = GECC_REPORT_INIT;
    gecc_job *job = NULL;
    memset((uint8_t *)&report + sizeof report.size, 0xff, sizeof report - sizeof report.size);
    {
        gecc_options options = GECC_OPTIONS_INIT;
        options.report = &report;
        options.job = &job;
        assert_int_equal(gecc_ec_validate(suite->context, GECC_P256, gecc_out_packed(status, 1),
                                          gecc_rows_packed(point, sizeof point), 1, &options),
                         GECC_OK);
        memset(&options, 0xff, sizeof options);
    }
    assert_non_null(job);
    assert_int_equal(gecc_wait(job), GECC_OK);
    assert_int_equal(status[0], GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
    assert_non_null(memchr(report.backend, 0, sizeof report.backend));
    assert_true(strlen(report.backend) > 0);
    assert_non_null(memchr(report.detail, 0, sizeof report.detail));
    assert_non_null(memchr(report.reason, 0, sizeof report.reason));
    assert_true(report.seconds >= 0 && report.seconds < 3600);
}

/* A job that is cancelled is over soon. Its rows have their results, or none; those of another job have all. */
static void cancelled_jobs(void **state) {
    const struct suite *suite = *state;
    enum { KEYS = 20000, BYTES = 65 };
    uint8_t *points = memory_new(KEYS, BYTES), *status = memory_new(KEYS, 1);
    uint8_t scalar[32] = {7}, expected[BYTES], other[BYTES], zeros[BYTES] = {0}, status_of_one;
    const gecc_out one = gecc_out_packed(&status_of_one, 1);
    size_t stopped = 0;
    assert_int_equal(gecc_ec_mul_base(suite->context, GECC_P256, gecc_out_packed(expected, BYTES), one,
                                      gecc_rows_packed(scalar, 32), 1, NULL),
                     GECC_OK);
    for (unsigned round = 0; round < 6; round++) {
        gecc_options options = GECC_OPTIONS_INIT;
        gecc_job *job, *behind;
        size_t computed = 0;
        options.job = &job;
        assert_int_equal(gecc_ec_mul_base(suite->context, GECC_P256, gecc_out_packed(points, BYTES),
                                          gecc_out_packed(status, 1), gecc_rows_same(scalar, 32), KEYS, &options),
                         GECC_OK);
        options.job = &behind;
        assert_int_equal(gecc_ec_mul_base(suite->context, GECC_P256, gecc_out_packed(other, BYTES), one,
                                          gecc_rows_packed(scalar, 32), 1, &options),
                         GECC_OK);
        if (gecc_wait_for(job, 500 * round) == GECC_PENDING) {
            gecc_cancel(job);
        }
        const gecc_result result = gecc_wait(job);
        for (size_t i = 0; i < KEYS; i++) {
            const uint8_t *point = points + i * BYTES;
            assert_true(status[i] == GECC_ITEM_OK || status[i] == GECC_ITEM_NOT_PROCESSED);
            assert_memory_equal(point, status[i] == GECC_ITEM_OK ? expected : zeros, BYTES);
            computed += status[i] == GECC_ITEM_OK;
        }
        assert_int_equal(result, computed == KEYS ? GECC_OK : GECC_ERROR_CANCELLED);
        stopped += computed != KEYS;
        assert_int_equal(gecc_wait(behind), GECC_OK);
        assert_memory_equal(other, expected, BYTES);
    }
    assert_true(stopped != 0);
    gecc_cancel(NULL);
    free(points);
    free(status);
}

/* gecc_close waits for the jobs under way. This one's handle is never waited for, which nothing can free any more: it
 * stays in sight of the leak checker. */
static void close_waits(void **state) {
    const struct suite *suite = *state;
    const struct task *task = suite->tasks[0];
    struct outcome outcomes[ROWS];
    gecc_context *context = test_context();
    struct batch *batch = batch_new(&task->call, task->rows, ROWS, NULL, ALIAS_NONE);
    static gecc_job *forgotten;
    assert_int_equal(batch_call(batch, context, &forgotten), GECC_OK);
    gecc_close(context);
    batch_outcomes(batch, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(outcome_equal(&task->outcomes[i], &outcomes[i]));
    }
    batch_free(batch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_threads_many_jobs),
        cmocka_unit_test(many_threads_synchronously),
        cmocka_unit_test(report_of_a_job),
        cmocka_unit_test(cancelled_jobs),
        cmocka_unit_test(close_waits),
    };
    return cmocka_run_group_tests_name("async", tests, start, stop);
}
