/* The thread pool: every piece once, whoever asks and however many ask at once.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "backend/pool.h"
#include "backend/threads.h"

enum { PIECES_MOST = 1000, ARENA_BYTES = 256, CHILD_SECONDS = 60 };

/* More than any address space has. */
static const size_t TOO_MUCH = PTRDIFF_MAX - 4096;

struct probe {
    struct task task;
    atomic_uint visits[PIECES_MOST];
    atomic_uint inside, most_inside; /* threads in a piece at once */
    atomic_uint broken;              /* pieces whose arena was not theirs alone */
    pthread_t creator;
    pthread_t last_thread; /* of a task of one piece */
    bool queued;           /* a piece run by the creator, for others to see */
    size_t failing;        /* the piece that fails; PIECES_MOST: none */
    unsigned microseconds; /* that a piece takes */
    unsigned company;      /* pieces wait until so many threads were inside at once */
    atomic_bool *gate;     /* pieces wait until it opens; NULL: none */
};

static void note_most(struct probe *probe, unsigned inside) {
    unsigned most = atomic_load(&probe->most_inside);
    while (inside > most && !atomic_compare_exchange_weak(&probe->most_inside, &most, inside)) {
    }
}

/* Wait for company, but not for ever. */
static void await_company(struct probe *probe) {
    for (unsigned i = 0; i < 100000 && atomic_load(&probe->most_inside) < probe->company; i++)
        usleep(100);
}

/* Is the arena aligned, large enough, and written by no other thread while we use it? */
static bool arena_is_ours(struct arena *arena, uint8_t mark, unsigned microseconds) {
    bool good = (uintptr_t)arena->base % 64 == 0 && arena->bytes >= ARENA_BYTES;
    for (size_t i = 0; i < ARENA_BYTES; i++)
        arena->base[i] = mark;
    usleep(microseconds);
    for (size_t i = 0; i < ARENA_BYTES; i++)
        good &= arena->base[i] == mark;
    return good;
}

static gecc_result probe_piece(struct task *task, struct arena *arena, size_t index) {
    struct probe *probe = (struct probe *)task;
    note_most(probe, atomic_fetch_add(&probe->inside, 1) + 1);
    await_company(probe);
    while (probe->gate != NULL && !atomic_load(probe->gate))
        usleep(100);
    if (!arena_is_ours(arena, (uint8_t)index, probe->microseconds))
        atomic_fetch_add(&probe->broken, 1);
    atomic_fetch_add(&probe->visits[index], 1);
    if (task->pieces == 1) {
        probe->last_thread = pthread_self();
        probe->queued |= pthread_equal(probe->last_thread, probe->creator) && task->threads != 0;
    }
    atomic_fetch_sub(&probe->inside, 1);
    return index == probe->failing ? GECC_ERROR_DEVICE : GECC_OK;
}

static struct probe *probe_create(size_t pieces) {
    struct probe *probe = calloc(1, sizeof *probe);
    probe->task.piece = probe_piece;
    probe->task.pieces = pieces;
    probe->task.arena_bytes = ARENA_BYTES;
    probe->failing = PIECES_MOST;
    probe->creator = pthread_self();
    return probe;
}

/* Was each piece visited `times` times, in an arena of its own? */
static bool probe_is_good(const struct probe *probe, unsigned times) {
    bool good = probe->broken == 0;
    for (size_t i = 0; i < PIECES_MOST; i++)
        good &= probe->visits[i] == (i < probe->task.pieces ? times : 0);
    return good;
}

static struct pool *pool_create(unsigned threads) {
    struct pool *pool;
    assert_int_equal(gecc_pool_open(&pool, threads), GECC_OK);
    return pool;
}

static void test_every_piece_once(void **state) {
    (void)state;
    static const size_t pieces[] = {0, 1, 2, 3, 10, PIECES_MOST};
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct pool *pool = pool_create(threads);
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            struct probe *probe = probe_create(pieces[i]);
            assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_OK);
            assert_true(probe_is_good(probe, 1));
            assert_true(probe->most_inside <= threads);
            assert_true(gecc_task_seconds(&probe->task) >= 0);
            free(probe);
        }
        gecc_pool_close(pool);
    }
}

static void count_visit(void *argument, size_t index) {
    atomic_uint *visits = argument;
    atomic_fetch_add(&visits[index], 1);
}

static void test_a_loop_visits_every_index_once(void **state) {
    (void)state;
    static const size_t pieces[] = {0, 1, 2, 3, 10, PIECES_MOST};
    for (unsigned threads = 0; threads <= 8; threads++) {
        struct pool *pool = threads == 0 ? NULL : pool_create(threads);
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            atomic_uint visits[PIECES_MOST] = {0};
            gecc_pool_for(pool, pieces[i], count_visit, visits);
            for (size_t j = 0; j < PIECES_MOST; j++)
                assert_int_equal(visits[j], j < pieces[i]);
        }
        if (pool != NULL)
            gecc_pool_close(pool);
    }
}

static void test_all_threads_work(void **state) {
    (void)state;
    struct pool *pool = pool_create(4);
    struct probe *probe = probe_create(40);
    probe->microseconds = 1000;
    probe->company = 4;
    assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_OK);
    assert_int_equal(probe->most_inside, 4);
    assert_true(gecc_task_seconds(&probe->task) >= 0.01);
    assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
    assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_OK);
    assert_int_equal(probe->most_inside, 4);
    atomic_store(&probe->most_inside, 0);
    assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_OK);
    assert_int_equal(probe->most_inside, 4);
    free(probe);
    gecc_pool_close(pool);
}

static void test_one_piece_runs_in_the_caller(void **state) {
    (void)state;
    struct pool *pool = pool_create(4);
    struct probe *probe = probe_create(1);
    for (unsigned i = 1; i <= 100; i++) {
        assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_OK);
        assert_true(pthread_equal(probe->last_thread, pthread_self()) && !probe->queued);
        assert_true(probe_is_good(probe, i));
    }
    free(probe);
    gecc_pool_close(pool);
}

struct caller {
    pthread_t thread;
    struct pool *pool;
    size_t pieces;
    bool submits;
    unsigned bad;
};

static void *caller_main(void *argument) {
    struct caller *caller = argument;
    for (unsigned i = 0; i < 50; i++) {
        struct probe *probe = probe_create(caller->pieces);
        gecc_result result =
            caller->submits ? gecc_pool_submit(caller->pool, &probe->task) : gecc_pool_run(caller->pool, &probe->task);
        if (caller->submits && result == GECC_OK)
            result = gecc_pool_wait(caller->pool, &probe->task);
        caller->bad += result != GECC_OK || !probe_is_good(probe, 1);
        free(probe);
    }
    return NULL;
}

static void run_callers(struct pool *pool) {
    struct caller callers[16];
    for (unsigned i = 0; i < 16; i++) {
        callers[i] = (struct caller){.pool = pool, .pieces = i * 3, .submits = i % 2 == 1, .bad = 0};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, caller_main, &callers[i]), 0);
    }
    for (unsigned i = 0; i < 16; i++) {
        pthread_join(callers[i].thread, NULL);
        assert_int_equal(callers[i].bad, 0);
    }
}

static void test_many_callers(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct pool *pool = pool_create(threads);
        run_callers(pool);
        gecc_pool_close(pool);
    }
}

static void test_submit_poll_wait(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct pool *pool = pool_create(threads);
        atomic_bool gate = false;
        struct probe *probe = probe_create(20);
        probe->gate = &gate;
        assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
        assert_int_equal(gecc_pool_poll(pool, &probe->task), GECC_PENDING);
        atomic_store(&gate, true);
        while (gecc_pool_poll(pool, &probe->task) == GECC_PENDING)
            usleep(100);
        assert_int_equal(gecc_pool_poll(pool, &probe->task), GECC_OK);
        assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_OK);
        assert_true(probe_is_good(probe, 1));
        free(probe);
        gecc_pool_close(pool);
    }
}

/* The pieces that were begun are finished, and no others run; a task that waits for its turn is done at once. */
static void test_cancel(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct pool *pool = pool_create(threads);
        atomic_bool gate = false;
        struct probe *probe = probe_create(20), *behind = probe_create(20);
        probe->gate = &gate;
        assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
        while (atomic_load(&probe->inside) < threads)
            usleep(100);
        assert_int_equal(gecc_pool_submit(pool, &behind->task), GECC_OK);
        gecc_pool_cancel(pool, &behind->task);
        assert_int_equal(gecc_pool_wait(pool, &behind->task), GECC_ERROR_CANCELLED);
        assert_true(probe_is_good(behind, 0));
        const struct timespec soon = time_after(2000);
        assert_int_equal(gecc_pool_await(pool, &probe->task, &soon), GECC_PENDING);
        gecc_pool_cancel(pool, &probe->task);
        assert_int_equal(gecc_pool_poll(pool, &probe->task), GECC_PENDING);
        atomic_store(&gate, true);
        const struct timespec late = time_after(UINT64_C(600000000));
        assert_int_equal(gecc_pool_await(pool, &probe->task, &late), GECC_ERROR_CANCELLED);
        gecc_pool_cancel(pool, &probe->task); /* too late */
        assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_ERROR_CANCELLED);
        for (unsigned i = 0; i < 20; i++)
            assert_int_equal(probe->visits[i], i < threads);
        free(probe);
        free(behind);
        gecc_pool_close(pool);
    }
}

static void test_no_pieces_are_done_at_once(void **state) {
    (void)state;
    struct pool *pool = pool_create(2);
    struct probe *probe = probe_create(0);
    assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
    assert_int_equal(gecc_pool_poll(pool, &probe->task), GECC_OK);
    assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_OK);
    free(probe);
    gecc_pool_close(pool);
}

/* A task that is not finished keeps neither other tasks nor their callers waiting. */
static void test_tasks_pass_a_slow_one(void **state) {
    (void)state;
    struct pool *pool = pool_create(3);
    atomic_bool gate = false;
    struct probe *slow = probe_create(1), *submitted = probe_create(10), *run = probe_create(10);
    slow->gate = &gate;
    assert_int_equal(gecc_pool_submit(pool, &slow->task), GECC_OK);
    assert_int_equal(gecc_pool_submit(pool, &submitted->task), GECC_OK);
    assert_int_equal(gecc_pool_run(pool, &run->task), GECC_OK);
    assert_int_equal(gecc_pool_wait(pool, &submitted->task), GECC_OK);
    assert_int_equal(gecc_pool_poll(pool, &slow->task), GECC_PENDING);
    atomic_store(&gate, true);
    assert_int_equal(gecc_pool_wait(pool, &slow->task), GECC_OK);
    assert_true(probe_is_good(slow, 1) && probe_is_good(submitted, 1) && probe_is_good(run, 1));
    free(slow);
    free(submitted);
    free(run);
    gecc_pool_close(pool);
}

static void test_an_error_stops_no_other_piece(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct pool *pool = pool_create(threads);
        struct probe *probe = probe_create(30);
        probe->failing = 7;
        assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_ERROR_DEVICE);
        assert_true(probe_is_good(probe, 1));
        assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
        assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_ERROR_DEVICE);
        assert_true(probe_is_good(probe, 2));
        free(probe);
        gecc_pool_close(pool);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct pool *pool = pool_create(threads);
        struct probe *probe = probe_create(30);
        probe->task.arena_bytes = TOO_MUCH;
        assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_ERROR_MEMORY);
        assert_int_equal(gecc_pool_submit(pool, &probe->task), GECC_OK);
        assert_int_equal(gecc_pool_wait(pool, &probe->task), GECC_ERROR_MEMORY);
        assert_true(probe_is_good(probe, 0));
        probe->task.arena_bytes = ARENA_BYTES;
        assert_int_equal(gecc_pool_run(pool, &probe->task), GECC_OK);
        assert_true(probe_is_good(probe, 1));
        free(probe);
        gecc_pool_close(pool);
    }
}

static void test_close_finishes_what_was_submitted(void **state) {
    (void)state;
    enum { TASKS = 20 };
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct pool *pool = pool_create(threads);
        struct probe *probes[TASKS];
        for (unsigned i = 0; i < TASKS; i++) {
            probes[i] = probe_create(i);
            probes[i]->microseconds = 200;
            assert_int_equal(gecc_pool_submit(pool, &probes[i]->task), GECC_OK);
        }
        gecc_pool_close(pool);
        for (unsigned i = 0; i < TASKS; i++) {
            assert_true(probes[i]->task.done && probe_is_good(probes[i], 1));
            free(probes[i]);
        }
    }
}

/* What a forked child can do with a pool; 0: all of it went well. */
static int use_in_child(struct pool *pool, struct probe *under_way) {
    struct probe *probe = probe_create(30);
    int bad = gecc_pool_wait(pool, &under_way->task) != GECC_ERROR_DEVICE;
    bad += gecc_pool_run(pool, &probe->task) != GECC_OK;
    bad += !probe_is_good(probe, 1) || probe->most_inside != 1;
    bad += gecc_pool_submit(pool, &probe->task) != GECC_OK;
    bad += gecc_pool_poll(pool, &probe->task) != GECC_OK;
    bad += gecc_pool_wait(pool, &probe->task) != GECC_OK;
    bad += !probe_is_good(probe, 2);
    free(probe);
    gecc_pool_close(pool);
    return bad;
}

static int status_of_child(struct pool *pool, struct probe *under_way) {
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(use_in_child(pool, under_way));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Children are forked at any moment, locks held by other threads included. */
static void test_fork(void **state) {
    (void)state;
    struct pool *pool = pool_create(3);
    struct caller caller = {.pool = pool, .pieces = 50, .submits = false, .bad = 0};
    assert_int_equal(pthread_create(&caller.thread, NULL, caller_main, &caller), 0);
    atomic_bool gate = false;
    struct probe *under_way = probe_create(2);
    under_way->gate = &gate;
    assert_int_equal(gecc_pool_submit(pool, &under_way->task), GECC_OK);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(status_of_child(pool, under_way), 0);
    atomic_store(&gate, true);
    assert_int_equal(gecc_pool_wait(pool, &under_way->task), GECC_OK);
    pthread_join(caller.thread, NULL);
    assert_int_equal(caller.bad, 0);
    free(under_way);
    gecc_pool_close(pool);
}

static void test_arenas_are_kept(void **state) {
    (void)state;
    struct arena_cache cache;
    gecc_arena_cache_open(&cache, SIZE_MAX);
    struct arena *first = gecc_arena_take(&cache, 1000), *second = gecc_arena_take(&cache, 1000);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first->base, second->base);
    gecc_arena_give(&cache, first);
    assert_ptr_equal(gecc_arena_take(&cache, 500), first);
    gecc_arena_give(&cache, second);
    struct arena *larger = gecc_arena_take(&cache, 100000);
    assert_non_null(larger);
    assert_true(larger->bytes >= 100000 && gecc_is_zero(larger->base, 100000));
    gecc_arena_give(&cache, first);
    gecc_arena_give(&cache, larger);
    assert_null(gecc_arena_take(&cache, SIZE_MAX));
    gecc_arena_cache_close(&cache);
}

/* Of many that are given back as many are kept as the limit has room for, and one if it has none. */
static void test_few_arenas_are_kept(void **state) {
    (void)state;
    enum { MANY = 50, BYTES = 1 << 16 };
    for (size_t kept = 1; kept <= 5; kept += 4) {
        struct arena_cache cache;
        struct arena *arenas[MANY];
        gecc_arena_cache_open(&cache, kept == 1 ? 0 : kept * (BYTES + 64));
        for (unsigned i = 0; i < MANY; i++)
            assert_non_null(arenas[i] = gecc_arena_take(&cache, BYTES));
        for (unsigned i = 0; i < MANY; i++)
            gecc_arena_give(&cache, arenas[i]);
        assert_int_equal(cache.bytes, kept * (BYTES + 64));
        for (unsigned i = 0; i < kept; i++)
            assert_ptr_equal(gecc_arena_take(&cache, BYTES), arenas[kept - 1 - i]);
        assert_int_equal(cache.bytes, 0);
        assert_null(cache.first);
        for (unsigned i = 0; i < kept; i++)
            gecc_arena_give(&cache, arenas[i]);
        gecc_arena_cache_close(&cache);
    }
}

static void test_arenas_are_zero_in_a_child(void **state) {
    (void)state;
    struct arena *arena = gecc_arena_take(NULL, 10000);
    for (size_t i = 0; i < 10000; i++)
        arena->base[i] = 0xa5;
    pid_t child = fork();
    if (child == 0)
        _exit(gecc_is_zero((uint8_t *)arena + 64, 10000) ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(gecc_is_zero(arena->base, 10000));
    gecc_arena_give(NULL, arena);
}

static void test_wipe(void **state) {
    (void)state;
    uint8_t bytes[100];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i + 1);
    assert_false(gecc_is_zero(bytes, 1));
    gecc_wipe(bytes + 1, 98);
    assert_true(gecc_is_zero(bytes + 1, 98));
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[99], 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_once),
        cmocka_unit_test(test_a_loop_visits_every_index_once),
        cmocka_unit_test(test_all_threads_work),
        cmocka_unit_test(test_one_piece_runs_in_the_caller),
        cmocka_unit_test(test_many_callers),
        cmocka_unit_test(test_submit_poll_wait),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_no_pieces_are_done_at_once),
        cmocka_unit_test(test_tasks_pass_a_slow_one),
        cmocka_unit_test(test_an_error_stops_no_other_piece),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_close_finishes_what_was_submitted),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_few_arenas_are_kept),
        cmocka_unit_test(test_arenas_are_kept),
        cmocka_unit_test(test_arenas_are_zero_in_a_child),
        cmocka_unit_test(test_wipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
