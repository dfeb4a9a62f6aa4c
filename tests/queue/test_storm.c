/* Many threads at once, which submit, wait, cancel, are told that the queue is full, and see it close, on a backend some
 * of whose rows are faulty: every request is done once, with what is its own, and none is lost. A million rows in all,
 * 200,000 with GECC_SHORT_TESTS.
 *
 * Test: fast; threads */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "queue/scripted.h"
#include "support/prng.h"

enum {
    THREADS = 64,
    OUTSTANDING = 24, /* of a thread */
    ROWS_MOST = 3,    /* of a request */
    FAULTY = 0xfa,
    DRAIN_EVERY = 16, /* rounds of which one ends while threads still submit */
    ROUNDS = 32
};

static const gecc_hash hashes[] = {GECC_SHA256, GECC_SHA384, GECC_SHA512, GECC_SM3};
enum { HASHES = sizeof hashes / sizeof hashes[0], WIDEST = 64 };

/* A request and what came of it. */
struct slot {
    uint8_t message[ROWS_MOST][ROW_BYTES], hash[ROWS_MOST][WIDEST], status[ROWS_MOST];
    gecc_hash kind;
    size_t count;
    uint64_t number;
    bool cancelled;   /* gecc_queue_cancel said so */
    atomic_uint told; /* how often, */
    atomic_int result;
    bool is_used;
};

struct storm {
    gecc_queue *queue;
    size_t rows; /* that each thread submits in a round */
};

struct storm_thread {
    struct storm *storm;
    struct prng prng;
    struct slot slots[OUTSTANDING];
    size_t done, cancelled, busy, faults, waited, refused; /* rows, or requests */
    unsigned bad;                                          /* findings: cmocka's assertions belong to the main thread */
};

static void told(void *argument, gecc_result result) {
    struct slot *slot = argument;
    atomic_store(&slot->result, (int)result);
    atomic_fetch_add(&slot->told, 1);
}

static void fill(struct slot *slot, struct prng *prng) {
    slot->kind = hashes[prng_below(prng, HASHES)];
    slot->count = 1 + (size_t)prng_below(prng, ROWS_MOST);
    for (size_t i = 0; i < slot->count; i++) {
        for (size_t j = 0; j < ROW_BYTES; j++)
            slot->message[i][j] = (uint8_t)prng_below(prng, 256);
        if (prng_below(prng, 50) == 0)
            slot->message[i][0] = FAULTY;
    }
    memset(slot->status, 0xee, sizeof slot->status);
    memset(slot->hash, 0xee, sizeof slot->hash);
    slot->cancelled = false;
    atomic_store(&slot->told, 0);
    atomic_store(&slot->result, GECC_PENDING);
}

static bool is_faulty(const struct slot *slot) {
    bool faulty = false;
    for (size_t i = 0; i < slot->count; i++)
        faulty |= slot->message[i][0] == FAULTY;
    return faulty;
}

/* The request was done, with what its rows have. */
static void check(struct storm_thread *t, const struct slot *slot) {
    static const uint8_t zeros[WIDEST];
    const size_t width = gecc_hash_bytes(slot->kind), shown = width - 1 < ROW_BYTES ? width - 1 : ROW_BYTES;
    const gecc_result expected = slot->cancelled ? GECC_ERROR_CANCELLED : is_faulty(slot) ? GECC_ERROR_FAULT : GECC_OK;
    t->bad += atomic_load(&slot->told) != 1 || atomic_load(&slot->result) != (int)expected;
    for (size_t i = 0; i < slot->count; i++) {
        const bool none = slot->cancelled || slot->message[i][0] == FAULTY;
        t->bad += slot->status[i] != (none ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK);
        t->bad +=
            none ? memcmp(slot->hash[i], zeros, width) != 0
                 : slot->hash[i][0] != (uint8_t)slot->kind || memcmp(slot->hash[i] + 1, slot->message[i], shown) != 0;
    }
    t->done += slot->cancelled ? 0 : slot->count;
    t->cancelled += slot->cancelled ? slot->count : 0;
    t->faults += is_faulty(slot) && !slot->cancelled;
}

static gecc_result call(struct storm_thread *t, struct slot *slot, unsigned way) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    const gecc_out out = gecc_out_packed(slot->hash, WIDEST), status = gecc_out_packed(slot->status, 1);
    const gecc_rows in = gecc_rows_packed(slot->message, ROW_BYTES);
    const gecc_operation *digest = gecc_operation_find("digest");
    gecc_queue *queue = t->storm->queue;
    parameters.hash = slot->kind;
    if (way != 0)
        return gecc_queue_submit(queue, digest, &parameters, &out, status, &in, slot->count, NULL,
                                 way == 1 ? told : NULL, slot, &slot->number);
    gecc_result result = gecc_queue_run(queue, digest, &parameters, &out, status, &in, slot->count, NULL);
    if (result != GECC_ERROR_BUSY && result != GECC_ERROR_CANCELLED)
        told(slot, result);
    return result;
}

/* Submit in one of three ways, and cancel some of what was submitted. Returns whether there was room; *open: whether the
 * queue takes requests. */
static bool submit(struct storm_thread *t, struct slot *slot, bool *open) {
    const unsigned way = (unsigned)prng_below(&t->prng, 4) % 3;
    fill(slot, &t->prng);
    const gecc_result result = call(t, slot, way);
    if (result == GECC_ERROR_BUSY || result == GECC_ERROR_CANCELLED) {
        t->busy += result == GECC_ERROR_BUSY;
        t->refused += result == GECC_ERROR_CANCELLED;
        t->bad += slot->told != 0 || slot->hash[0][0] != 0xee; /* not submitted, not done */
        *open = result == GECC_ERROR_BUSY;
        return false;
    }
    slot->is_used = true;
    t->waited += way == 0;
    if (way != 0 && prng_below(&t->prng, 8) == 0)
        slot->cancelled = gecc_queue_cancel(t->storm->queue, slot->number) != 0;
    return true;
}

static void take_completions(gecc_queue *queue) {
    gecc_completion taken[16];
    const size_t count = gecc_queue_take(queue, taken, 16, 0);
    for (size_t i = 0; i < count; i++)
        told(taken[i].argument, taken[i].result);
}

/* Look at those that are done; returns how many are not. */
static unsigned collect(struct storm_thread *t) {
    unsigned left = 0;
    take_completions(t->storm->queue);
    for (unsigned i = 0; i < OUTSTANDING; i++) {
        struct slot *slot = &t->slots[i];
        if (slot->is_used && atomic_load(&slot->told) != 0) {
            check(t, slot);
            slot->is_used = false;
        }
        left += slot->is_used;
    }
    return left;
}

static void *storm_main(void *argument) {
    struct storm_thread *t = argument;
    bool open = true;
    size_t before = t->done + t->cancelled;
    while (open && t->done + t->cancelled - before < t->storm->rows) {
        for (unsigned i = 0; i < OUTSTANDING && open; i++)
            if (!t->slots[i].is_used && !submit(t, &t->slots[i], &open))
                break;
        (void)collect(t);
        sched_yield();
    }
    while (collect(t) != 0)
        sched_yield();
    return NULL;
}

/* Close while threads submit, every now and then. */
static void *drain_main(void *argument) {
    const struct timespec little = {0, 3 * 1000 * 1000};
    (void)nanosleep(&little, NULL);
    gecc_queue_drain(argument);
    return NULL;
}

static void run_round(struct storm_thread *threads, const gecc_queue_config *config, size_t rows, bool drains) {
    static struct scripted scripted;
    scripted_start(&scripted, 16);
    scripted.is_open = true;
    scripted.faulty = FAULTY;
    gecc_context context = scripted_context(&scripted);
    struct storm storm = {.rows = rows};
    pthread_t handle[THREADS], drainer;
    assert_int_equal(gecc_queue_open(&context, &storm.queue, config), GECC_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i].storm = &storm;
        assert_int_equal(pthread_create(&handle[i], NULL, storm_main, &threads[i]), 0);
    }
    if (drains)
        assert_int_equal(pthread_create(&drainer, NULL, drain_main, storm.queue), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(handle[i], NULL), 0);
    if (drains)
        assert_int_equal(pthread_join(drainer, NULL), 0);
    gecc_queue_close(storm.queue);
}

static void test_storm(void **state) {
    (void)state;
    struct storm_thread *threads = calloc(THREADS, sizeof *threads);
    const size_t rows = getenv("GECC_SHORT_TESTS") != NULL ? 200000 : 1000000;
    struct storm_thread sum = {.bad = 0};
    assert_non_null(threads);
    struct prng prng = prng_for("storm");
    for (unsigned i = 0; i < THREADS; i++)
        threads[i].prng.state = prng_next(&prng);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const gecc_queue_config config = {.size = sizeof config,
                                          .rows = round % 3 == 0 ? 64 : 4096,
                                          .bytes = round % 5 == 0 ? 1 << 16 : 0,
                                          .max_wait_us = 1 + round,
                                          .threads = 1 + round % 4,
                                          .waits_for_room = 0};
        run_round(threads, &config, rows / ROUNDS / THREADS + 1, round % DRAIN_EVERY == DRAIN_EVERY - 1);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        sum.bad += threads[i].bad;
        sum.done += threads[i].done;
        sum.cancelled += threads[i].cancelled;
        sum.busy += threads[i].busy;
        sum.faults += threads[i].faults;
        sum.waited += threads[i].waited;
        sum.refused += threads[i].refused;
    }
    print_message("%zu rows computed, %zu cancelled; %zu requests faulty, %zu waited for, %zu too many, %zu too late\n",
                  sum.done, sum.cancelled, sum.faults, sum.waited, sum.busy, sum.refused);
    assert_int_equal(sum.bad, 0);
    assert_true(sum.done + sum.cancelled > rows * (ROUNDS - ROUNDS / DRAIN_EVERY) / ROUNDS);
    assert_true(sum.cancelled != 0 && sum.faults != 0 && sum.waited != 0 && sum.busy != 0);
    free(threads);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_storm)};
    return cmocka_run_group_tests_name("storm", tests, NULL, NULL);
}
