/* Jobs in the background: by few threads, in turn, to the end, whatever becomes of threads and processes.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads that the test's own pthread_create starts, and how many more it will; those joined. */
static unsigned created, creatable, joined;

static int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    if (created == creatable)
        return EAGAIN;
    created++;
    return pthread_create(thread, attributes, start, argument);
}

static int join_thread(pthread_t thread, void **result) {
    joined++;
    return pthread_join(thread, result);
}

#define pthread_create create_thread
#define pthread_join join_thread
#include "backend/background.h"
#undef pthread_create
#undef pthread_join

enum { MANY = 60, SECONDS_MOST = 60 };

/* A job that notes how it ran. */
struct noted {
    struct background_job job;
    atomic_uint runs;
    unsigned inside, turn; /* jobs at work when this one began, itself included; which it was to begin */
    atomic_bool *gate;     /* it waits until that opens; NULL: it does not */
    unsigned together;     /* and until so many are at work */
    bool signals;          /* can one reach it? */
};

static atomic_uint inside, turns;

static void noted_run(struct background_job *job) {
    struct noted *noted = (struct noted *)job;
    sigset_t blocked;
    noted->inside = atomic_fetch_add(&inside, 1) + 1;
    noted->turn = atomic_fetch_add(&turns, 1);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    noted->signals = !sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGUSR1);
    while ((noted->gate != NULL && !atomic_load(noted->gate)) || atomic_load(&inside) < noted->together)
        usleep(100);
    usleep(200);
    atomic_fetch_add(&noted->runs, 1);
    if (noted->together == 0)
        atomic_fetch_sub(&inside, 1);
}

static void noted_clear(struct noted *noted, size_t count) {
    for (size_t i = 0; i < count; i++)
        noted[i] = (struct noted){.job.run = noted_run};
    atomic_store(&inside, 0);
    atomic_store(&turns, 0);
}

static int start(void **state) {
    (void)state;
    created = joined = 0;
    creatable = 100;
    alarm(SECONDS_MOST); /* what hangs fails */
    return 0;
}

static void close_all(struct background *background) {
    background_close(background);
    assert_int_equal(joined, created);
}

/* No thread before the first job. */
static void test_one_job(void **state) {
    (void)state;
    struct background background;
    struct noted noted[10];
    noted_clear(noted, 10);
    background_open(&background);
    assert_int_equal(created, 0);
    for (int i = 0; i < 10; i++) {
        atomic_bool gate = false;
        noted[i].gate = &gate;
        assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
        assert_int_equal(background_poll(&noted[i].job), GECC_PENDING);
        atomic_store(&gate, true);
        assert_int_equal(background_wait(&noted[i].job), GECC_OK);
        assert_int_equal(background_poll(&noted[i].job), GECC_OK);
        assert_int_equal(noted[i].runs, 1);
        assert_false(noted[i].signals);
    }
    assert_in_range(created, 1, BACKGROUND_THREADS);
    close_all(&background);
}

/* Each runs once, and no more at once than there may be threads. */
static void test_more_jobs_than_threads(void **state) {
    (void)state;
    struct background background;
    struct noted noted[MANY];
    noted_clear(noted, MANY);
    background_open(&background);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
    for (int i = MANY - 1; i >= 0; i--) {
        assert_int_equal(background_wait(&noted[i].job), GECC_OK);
        assert_int_equal(noted[i].runs, 1);
        assert_in_range(noted[i].inside, 1, BACKGROUND_THREADS);
    }
    assert_int_equal(created, BACKGROUND_THREADS);
    close_all(&background);
}

/* As many as there may be threads run at once, whether their threads are there already, or some of them. */
static void test_jobs_at_once(void **state) {
    (void)state;
    for (int before = 0; before <= BACKGROUND_THREADS; before++) {
        struct background background;
        struct noted noted[BACKGROUND_THREADS];
        background_open(&background);
        for (int round = 0; round < 2; round++) {
            int jobs = round == 0 ? before : BACKGROUND_THREADS;
            noted_clear(noted, BACKGROUND_THREADS);
            for (int i = 0; i < jobs; i++) {
                noted[i].together = (unsigned)jobs;
                assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
            }
            for (int i = 0; i < jobs; i++)
                assert_int_equal(background_wait(&noted[i].job), GECC_OK);
            usleep(2000); /* they go to sleep */
        }
        close_all(&background);
    }
}

static void test_close_finishes_jobs(void **state) {
    (void)state;
    struct background background;
    struct noted noted[MANY];
    noted_clear(noted, MANY);
    background_open(&background);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
    close_all(&background);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(noted[i].runs, 1);
        assert_true(noted[i].job.done);
    }
}

/* Jobs that no thread took are done at once, first, middle and last, and those behind them run; others go on. */
static void test_cancel(void **state) {
    (void)state;
    struct background background;
    struct noted noted[6];
    atomic_bool gate = false;
    noted_clear(noted, 6);
    creatable = 1;
    noted[0].gate = &gate;
    background_open(&background);
    for (int i = 0; i < 5; i++)
        assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
    while (atomic_load(&inside) == 0)
        usleep(100);
    for (int i = 1; i < 5; i++) {
        if (i == 2)
            continue;
        background_cancel(&noted[i].job);
        assert_int_equal(background_poll(&noted[i].job), GECC_ERROR_CANCELLED);
        assert_int_equal(background_wait(&noted[i].job), GECC_ERROR_CANCELLED);
    }
    assert_int_equal(background_start(&background, &noted[5].job), GECC_OK);
    background_cancel(&noted[0].job);
    background_cancel(&noted[1].job);
    assert_int_equal(background_poll(&noted[0].job), GECC_PENDING);
    atomic_store(&gate, true);
    for (unsigned i = 0; i < 6; i++) {
        const bool runs = i == 0 || i == 2 || i == 5;
        assert_int_equal(background_wait(&noted[i].job), runs ? GECC_OK : GECC_ERROR_CANCELLED);
        assert_int_equal(noted[i].runs, runs);
    }
    close_all(&background);
}

static void test_close_without_jobs(void **state) {
    (void)state;
    struct background background;
    background_open(&background);
    close_all(&background);
    assert_int_equal(created, 0);
}

/* Without any thread a job does not start, and a later one tries again; with fewer than there may be all jobs are done,
 * in their order where there is one. */
static void test_threads_that_cannot_be_had(void **state) {
    (void)state;
    struct background background;
    struct noted noted[MANY];
    noted_clear(noted, MANY);
    background_open(&background);
    creatable = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(background_start(&background, &noted[i].job), GECC_ERROR_THREAD);
    creatable = 1;
    for (int i = 0; i < MANY; i++)
        assert_int_equal(background_start(&background, &noted[i].job), GECC_OK);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(background_wait(&noted[i].job), GECC_OK);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(noted[i].runs, 1);
        assert_int_equal(noted[i].inside, 1);
        assert_int_equal(noted[i].turn, i);
    }
    assert_int_equal(created, 1);
    close_all(&background);
}

/* A signal mask of the caller's own survives. */
static void test_signals_of_the_caller(void **state) {
    (void)state;
    struct background background;
    struct noted noted;
    sigset_t mine, after;
    noted_clear(&noted, 1);
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &mine, NULL);
    background_open(&background);
    assert_int_equal(background_start(&background, &noted.job), GECC_OK);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        assert_int_equal(sigismember(&after, signal), signal == SIGUSR2);
    assert_int_equal(background_wait(&noted.job), GECC_OK);
    close_all(&background);
}

struct caller {
    pthread_t thread;
    struct background *background;
    unsigned bad;
};

static void *caller_main(void *argument) {
    struct caller *caller = argument;
    for (int i = 0; i < 100; i++) {
        struct noted noted = {.job.run = noted_run};
        caller->bad += background_start(caller->background, &noted.job) != GECC_OK;
        while (i % 2 != 0 && background_poll(&noted.job) == GECC_PENDING)
            usleep(50);
        caller->bad += background_wait(&noted.job) != GECC_OK || noted.runs != 1 || noted.inside > BACKGROUND_THREADS;
    }
    return NULL;
}

static void test_many_callers(void **state) {
    (void)state;
    enum { CALLERS = 6 };
    struct background background;
    struct caller callers[CALLERS];
    atomic_store(&inside, 0);
    background_open(&background);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.background = &background, .bad = 0};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, caller_main, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(callers[i].thread, NULL), 0);
        assert_int_equal(callers[i].bad, 0);
    }
    close_all(&background);
}

/* What a child can do with jobs of its parent: those that are done are, others never end there. 0: all of it is so. */
static int use_in_child(struct background *background, struct noted *done, struct noted *under_way) {
    struct noted another = {.job.run = noted_run};
    int bad = background_poll(&done->job) != GECC_OK || background_wait(&done->job) != GECC_OK;
    bad += background_poll(&under_way->job) != GECC_ERROR_DEVICE;
    bad += background_wait(&under_way->job) != GECC_ERROR_DEVICE;
    bad += background_start(background, &another.job) != GECC_ERROR_DEVICE || another.runs != 0;
    background_close(background);
    return bad;
}

static void test_fork(void **state) {
    (void)state;
    struct background background;
    struct noted noted[2 + MANY];
    atomic_bool gate = false;
    noted_clear(noted, 2 + MANY);
    noted[1].gate = &gate;
    background_open(&background);
    assert_int_equal(background_start(&background, &noted[0].job), GECC_OK);
    assert_int_equal(background_wait(&noted[0].job), GECC_OK);
    assert_int_equal(background_start(&background, &noted[1].job), GECC_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(background_start(&background, &noted[2 + i].job), GECC_OK);
        pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS_MOST);
            _exit(use_in_child(&background, &noted[0], &noted[1]));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    atomic_store(&gate, true);
    close_all(&background);
    assert_int_equal(noted[1].runs, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_one_job, start),
        cmocka_unit_test_setup(test_more_jobs_than_threads, start),
        cmocka_unit_test_setup(test_jobs_at_once, start),
        cmocka_unit_test_setup(test_close_finishes_jobs, start),
        cmocka_unit_test_setup(test_cancel, start),
        cmocka_unit_test_setup(test_close_without_jobs, start),
        cmocka_unit_test_setup(test_threads_that_cannot_be_had, start),
        cmocka_unit_test_setup(test_signals_of_the_caller, start),
        cmocka_unit_test_setup(test_many_callers, start),
        cmocka_unit_test_setup(test_fork, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
