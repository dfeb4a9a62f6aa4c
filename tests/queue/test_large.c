/* Requests of many rows: how many of them are one job, and that each has its own rows where several threads submit while
 * the number of rows that are enough changes.
 *
 * Test: fast; threads */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queue/fixture.h"

enum { ROWS = 4096, LARGE = 5, THREADS = 4, ROUNDS = 60 };

struct large {
    uint8_t message[ROWS][ROW_BYTES], hash[ROWS][HASH_BYTES], status[ROWS];
    atomic_uint told;
};

static void note(void *argument, gecc_result result) {
    atomic_fetch_add(&((struct large *)argument)->told, result == GECC_OK ? 1 : 100);
}

/* Rows that differ by request, round and place. */
static gecc_result submit_large(gecc_queue *queue, struct large *large, uint64_t seed, size_t rows) {
    const gecc_parameters parameters = of(GECC_SHA256);
    const gecc_out out = gecc_out_packed(large->hash, HASH_BYTES);
    const gecc_rows in = gecc_rows_packed(large->message, ROW_BYTES);
    for (size_t i = 0; i < rows; i++) {
        const uint64_t word = (seed * ROWS + i) * 0x9e3779b97f4a7c15u;
        memcpy(large->message[i], &word, ROW_BYTES);
    }
    return gecc_queue_submit(queue, gecc_operation_find("digest"), &parameters, &out, gecc_out_packed(large->status, 1),
                             &in, rows, NULL, note, large, NULL);
}

static unsigned bad_rows(const struct large *large, size_t rows) {
    unsigned bad = 0;
    for (size_t i = 0; i < rows; i++)
        bad += large->status[i] != GECC_ITEM_OK || large->hash[i][0] != GECC_SHA256 ||
               memcmp(large->hash[i] + 1, large->message[i], ROW_BYTES) != 0;
    return bad;
}

/* The rows that are enough are no multiple of a request's, and the batch has room for the columns of its job. */
static void test_as_many_as_fit(void **state) {
    (void)state;
    struct fixture *f = start(&one_thread, (LARGE - 1) * ROWS + 1);
    struct large *large = calloc(LARGE, sizeof *large);
    assert_non_null(large);
    submit(f, 0, 1, GECC_SHA256);
    assert_true(have_begun(&f->scripted, 1));
    for (unsigned i = 0; i < LARGE; i++)
        assert_int_equal(submit_large(f->queue, &large[i], i, ROWS), GECC_OK);
    permit_all(&f->scripted);
    gecc_queue_drain(f->queue);
    assert_int_equal(f->scripted.begun, 3);
    assert_int_equal(f->scripted.noted[1].rows, (LARGE - 1) * ROWS);
    assert_int_equal(f->scripted.noted[2].rows, ROWS);
    for (unsigned i = 0; i < LARGE; i++) {
        assert_int_equal(large[i].told, 1);
        assert_int_equal(bad_rows(&large[i], ROWS), 0);
    }
    free(large);
    stop(f);
}

/* The number of rows that are enough changes with every question. */
static size_t changing_enough(void *state, const struct job *job) {
    static atomic_uint asked;
    (void)state;
    (void)job;
    return atomic_fetch_add(&asked, 1) % 2 == 0 ? 1000 : 100000;
}

static const struct backend changing = {.name = "changing", .run = scripted_run, .enough = changing_enough};

struct submitter {
    gecc_queue *queue;
    struct large large[LARGE];
    unsigned number, bad;
    pthread_t thread;
};

static void *submit_all(void *argument) {
    struct submitter *s = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t rows = 1 + (round * 977 + s->number * 311) % ROWS;
        for (unsigned i = 0; i < LARGE; i++) {
            atomic_store(&s->large[i].told, 0);
            s->bad += submit_large(s->queue, &s->large[i], ((uint64_t)round * THREADS + s->number) * LARGE + i, rows) !=
                      GECC_OK;
        }
        for (unsigned i = 0; i < LARGE; i++) {
            while (atomic_load(&s->large[i].told) == 0)
                (void)nanosleep(&(struct timespec){0, 20000}, NULL);
            s->bad += bad_rows(&s->large[i], rows) + (atomic_load(&s->large[i].told) != 1);
        }
    }
    return NULL;
}

static void test_several_threads(void **state) {
    (void)state;
    const gecc_queue_config config = {.size = sizeof config, .threads = 3, .rows = 1 << 20};
    struct scripted scripted;
    struct submitter *submitters = calloc(THREADS, sizeof *submitters);
    gecc_queue *queue;
    assert_non_null(submitters);
    scripted_start(&scripted, 0);
    scripted.is_open = true;
    gecc_context context = {.instance = {&changing, &scripted, "a test asked for it"}};
    assert_int_equal(gecc_queue_open(&context, &queue, &config), GECC_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        submitters[i].queue = queue;
        submitters[i].number = i;
        assert_int_equal(pthread_create(&submitters[i].thread, NULL, submit_all, &submitters[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(submitters[i].thread, NULL);
        assert_int_equal(submitters[i].bad, 0);
    }
    gecc_queue_close(queue);
    free(submitters);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_many_as_fit), cmocka_unit_test(test_several_threads)};
    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
