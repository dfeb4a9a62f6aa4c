/* gecc-queue: rows that come one at a time, through a queue, beside the same rows in large calls.
 *
 * usage: gecc-queue [SECONDS]       (of each measurement, 2)
 *        gecc-queue --backend NAME [--seconds S] [--rows N] [--threads N,...] [--wait US,...]
 *
 * Both verify on P-256, sign with SM2 and verify of Ed25519. The second one has all processors, and GPUs where the
 * backend is "cuda" or "auto": see whole.h. In the first one who submits runs on the first processor that the process
 * may use, the library, with one thread, on the last. Rates are rows by a second of the library's thread, so that what
 * else the machine does counts for little; latencies are by the wall clock, and it counts. Threads that call themselves
 * share the first processor, and those that wait for the queue its one thread on the last. */
#define _GNU_SOURCE
#include <gecc/gecc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program.h"
#include "rows.h"
#include "summary.h"
#include "whole.h"

enum {
    ROWS = 4096,
    SUBMITTERS = 4,
    OUTSTANDING = 1024,
    GROUP = 64,
    BLOCKED = 64,
    OTHERS = 16, /* threads beside which one has 20 rows */
    LATENCIES = 1 << 20,
    RUNS = 200
};

static void pin(bool last) {
    static cpu_set_t all;
    cpu_set_t one;
    if (CPU_COUNT(&all) == 0)
        program_require(sched_getaffinity(0, sizeof all, &all) == 0, "processors");
    int chosen = -1;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && (chosen < 0 || last))
            chosen = i;
    CPU_ZERO(&one);
    CPU_SET(chosen, &one);
    program_require(sched_setaffinity(0, sizeof one, &one) == 0, "a processor");
}

static double thread_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Large calls, by this thread. */
static double rate_of_calls(struct bench *b) {
    double rates[5];
    program_require(bench_call(b, 0, ROWS) == GECC_OK, b->name);
    bench_check(b, ROWS);
    for (unsigned i = 0; i < 5; i++) {
        const double start = thread_seconds();
        program_require(bench_call(b, 0, ROWS) == GECC_OK, b->name);
        rates[i] = ROWS / (thread_seconds() - start);
    }
    return summary_of(rates, 5).median;
}

static gecc_queue *queue_open(struct bench *b) {
    gecc_queue_config config = GECC_QUEUE_CONFIG_INIT;
    gecc_queue *queue;
    config.threads = 1;
    pin(true);
    program_require(gecc_queue_open(b->context, &queue, &config) == GECC_OK, "queue");
    pin(false);
    return queue;
}

/* Seconds that the queue's thread has worked, as a callback sees it. */
static _Atomic double worked;
static void note_time(void *argument, gecc_result result) {
    (void)result;
    atomic_store(&worked, thread_seconds());
    atomic_store((atomic_bool *)argument, true);
}

static double worked_so_far(struct bench *b, gecc_queue *queue) {
    atomic_bool told = false;
    program_require(bench_submit(b, queue, 0, 1, note_time, &told) == GECC_OK, b->name);
    while (!atomic_load(&told))
        sched_yield();
    return atomic_load(&worked);
}

/* Four threads submit, with so many rows outstanding in all; who takes completions takes them in groups. */
struct closed {
    struct bench *bench;
    gecc_queue *queue;
    double until;
    size_t done;
    unsigned number;
    pthread_t thread;
};

static atomic_int credit[SUBMITTERS]; /* rows that a submitter may submit */

static void *submit_main(void *argument) {
    struct closed *c = argument;
    const size_t rows = ROWS / SUBMITTERS, first = c->number * rows;
    pin(false);
    for (size_t i = 0; program_now() < c->until;) {
        if (atomic_load(&credit[c->number]) == 0) {
            const struct timespec little = {0, 50000};
            (void)nanosleep(&little, NULL);
            continue;
        }
        atomic_fetch_sub(&credit[c->number], 1);
        program_require(bench_submit(c->bench, c->queue, first + i++ % rows, 1, NULL, &credit[c->number]) == GECC_OK,
                        c->bench->name);
    }
    return NULL;
}

static double rate_of_queue(struct bench *b, double *wall) {
    gecc_queue *queue = queue_open(b);
    struct closed closed[SUBMITTERS];
    gecc_completion taken[GROUP];
    const double before = worked_so_far(b, queue), start = program_now();
    size_t done = 0;
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        atomic_store(&credit[i], OUTSTANDING / SUBMITTERS);
        closed[i] = (struct closed){.bench = b, .queue = queue, .until = start + b->seconds, .number = i};
        program_require(pthread_create(&closed[i].thread, NULL, submit_main, &closed[i]) == 0, "thread");
    }
    while (program_now() < start + b->seconds) {
        const size_t count = gecc_queue_take(queue, taken, GROUP, 1000);
        for (size_t i = 0; i < count; i++)
            atomic_fetch_add((atomic_int *)taken[i].argument, 1);
        done += count;
    }
    *wall = (double)done / (program_now() - start);
    for (unsigned i = 0; i < SUBMITTERS; i++)
        pthread_join(closed[i].thread, NULL);
    for (size_t count; (count = gecc_queue_take(queue, taken, GROUP, 100000)) != 0;)
        done += count;
    const double rate = (double)done / (worked_so_far(b, queue) - before);
    gecc_queue_close(queue);
    bench_check(b, ROWS);
    return rate;
}

/* Rows that come at random, at a given rate, whatever becomes of them: half of the rate that the queue had by the clock
 * a moment ago, since this machine may give the library a part of a processor. */
struct arrival {
    double due, done;
};

static void note_done(void *argument, gecc_result result) {
    (void)result;
    ((struct arrival *)argument)->done = program_now();
}

static void open_loop(struct bench *b, double rate) {
    static struct arrival arrivals[LATENCIES];
    static double latency[LATENCIES];
    gecc_queue *queue = queue_open(b);
    uint64_t state = 7;
    size_t count = 0;
    for (double due = program_now(), end = due + b->seconds; due < end && count < LATENCIES; count++) {
        /* Gaps from 0 to twice their mean. */
        due += 2 / rate * (double)(program_random(&state) >> 11) / 9007199254740992.0;
        for (double left; (left = due - program_now()) > 0;)
            if (left > 150e-6)
                (void)nanosleep(&(struct timespec){0, 50000}, NULL);
        arrivals[count].due = due;
        program_require(bench_submit(b, queue, count % ROWS, 1, note_done, &arrivals[count]) == GECC_OK, b->name);
    }
    gecc_queue_close(queue);
    for (size_t i = 0; i < count; i++)
        latency[i] = 1e6 * (arrivals[i].done - arrivals[i].due);
    (void)summary_of(latency, count); /* sorts */
    printf("  open loop at %.0f rows/s: %.0f us median, %.0f us 99th percentile, %.0f us 99.9th\n", rate,
           latency[count / 2], latency[count - 1 - count / 100], latency[count - 1 - count / 1000]);
}

/* One row by a thread that waits, beside a direct call. */
static void alone(struct bench *b) {
    static double direct[RUNS], queued[RUNS], added[RUNS];
    gecc_queue *queue = queue_open(b);
    pin(true);
    for (size_t i = 0; i < RUNS; i++) {
        double start = program_now();
        program_require(bench_call(b, i, 1) == GECC_OK, b->name);
        direct[i] = 1e6 * (program_now() - start);
        start = program_now();
        program_require(bench_run(b, queue, i, 1) == GECC_OK, b->name);
        queued[i] = 1e6 * (program_now() - start);
        added[i] = queued[i] - direct[i];
    }
    gecc_queue_close(queue);
    const double d = summary_of(direct, RUNS).median, q = summary_of(queued, RUNS).median;
    printf("  a row that runs itself: %.1f us, called %.1f us; %.1f us more\n", q, d, summary_of(added, RUNS).median);
}

/* Many threads that wait, each for some rows: by the queue, or where there is none by calls of their own. */
struct blocked {
    struct bench *bench;
    gecc_queue *queue;
    double until;
    size_t done, number, rows;
    double *latency; /* [LATENCIES / BLOCKED] */
    pthread_t thread;
};

static void *blocked_main(void *argument) {
    struct blocked *t = argument;
    pin(false);
    for (double start = program_now(), now; start < t->until && t->done < LATENCIES / BLOCKED; start = now) {
        const size_t row = (t->number + BLOCKED * t->done) % (ROWS - t->rows);
        const gecc_result result =
            t->queue != NULL ? bench_run(t->bench, t->queue, row, t->rows) : bench_call(t->bench, row, t->rows);
        program_require(result == GECC_OK, t->bench->name);
        now = program_now();
        t->latency[t->done++] = 1e3 * (now - start);
    }
    return NULL;
}

static void many_blocked(struct bench *b, size_t count, size_t rows, bool queued) {
    static struct blocked threads[BLOCKED];
    static double latency[LATENCIES], all[LATENCIES];
    gecc_queue *queue = queued ? queue_open(b) : NULL;
    const double start = program_now();
    size_t done = 0;
    for (size_t i = 0; i < count; i++) {
        threads[i] = (struct blocked){.bench = b,
                                      .queue = queue,
                                      .until = start + b->seconds,
                                      .number = i,
                                      .rows = rows,
                                      .latency = latency + i * (LATENCIES / BLOCKED)};
        program_require(pthread_create(&threads[i].thread, NULL, blocked_main, &threads[i]) == 0, "thread");
    }
    for (size_t i = 0; i < count; i++) {
        pthread_join(threads[i].thread, NULL);
        memcpy(all + done, threads[i].latency, threads[i].done * sizeof *all);
        done += threads[i].done;
    }
    const double rate = (double)(done * rows) / (program_now() - start), median = summary_of(all, done).median;
    printf("  %zu threads wait for %zu row%s each, %s: %.0f rows/s, %.1f ms median, %.1f ms 99th percentile\n", count,
           rows, rows == 1 ? "" : "s", queued ? "by the queue" : "in calls of their own", rate, median,
           all[done - 1 - done / 100]);
    gecc_queue_close(queue);
}

/* How long a thread sleeps past the time at which another one wakes it. */
struct wake {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    double signalled, woken;
    bool sleeps, go;
};

static void *wake_main(void *argument) {
    struct wake *w = argument;
    pin(false);
    pthread_mutex_lock(&w->mutex);
    w->sleeps = true;
    while (!w->go)
        pthread_cond_wait(&w->condition, &w->mutex);
    w->woken = program_now();
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

static void wake_up(void) {
    static double seen[RUNS], spent[RUNS];
    pin(true);
    for (size_t i = 0; i < RUNS; i++) {
        struct wake w = {.mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER};
        const struct timespec little = {0, 200000};
        pthread_t thread;
        program_require(pthread_create(&thread, NULL, wake_main, &w) == 0, "thread");
        for (bool sleeps = false; !sleeps;) {
            (void)nanosleep(&little, NULL);
            pthread_mutex_lock(&w.mutex);
            sleeps = w.sleeps;
            pthread_mutex_unlock(&w.mutex);
        }
        pthread_mutex_lock(&w.mutex);
        w.go = true;
        w.signalled = program_now();
        pthread_cond_signal(&w.condition);
        spent[i] = 1e6 * (program_now() - w.signalled);
        pthread_mutex_unlock(&w.mutex);
        pthread_join(thread, NULL);
        seen[i] = 1e6 * (w.woken - w.signalled);
    }
    printf("waking a thread: %.1f us of who wakes it, %.1f us until it runs\n", summary_of(spent, RUNS).median,
           summary_of(seen, RUNS).median);
}

static void one_processor(struct bench *b) {
    double wall, ratios[3], rate = 0, direct = 0;
    for (unsigned i = 0; i < 3; i++) { /* side by side, since the machine has other things to do */
        pin(true);
        direct = rate_of_calls(b);
        pin(false);
        rate = rate_of_queue(b, &wall);
        ratios[i] = rate / direct;
    }
    printf("%s: %.0f rows/s in large calls\n  %d threads, %d rows outstanding: %.0f rows/s, %.2f of that; %.0f by the "
           "clock\n",
           b->name, direct, (int)SUBMITTERS, (int)OUTSTANDING, rate, summary_of(ratios, 3).median, wall);
    open_loop(b, wall > 200 ? wall / 2 : 100);
    alone(b);
    many_blocked(b, BLOCKED, 1, true);
    for (int queued = 0; queued <= 1; queued++)
        many_blocked(b, OTHERS + 1, 20, queued != 0);
}

static int usage(void) {
    fputs("usage: gecc-queue [SECONDS]\n"
          "       gecc-queue --backend NAME [--seconds S] [--rows N] [--threads N,...] [--wait US,...]\n",
          stderr);
    return 2;
}

static bool parse_options(struct whole *whole, int count, char **arguments) {
    for (int i = 1; i < count; i += 2) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;
        if (value == NULL)
            return false;
        if (strcmp(name, "--backend") == 0)
            whole->backend = value;
        else if (strcmp(name, "--seconds") == 0)
            whole->seconds = atof(value);
        else if (strcmp(name, "--rows") == 0)
            whole->rows = strtoul(value, NULL, 10);
        else if (strcmp(name, "--threads") == 0)
            whole->threads = value;
        else if (strcmp(name, "--wait") == 0)
            whole->waits = value;
        else
            return false;
    }
    return whole->backend != NULL && whole->seconds > 0 && whole->rows > 0;
}

int main(int count, char **arguments) {
    struct whole whole = {.seconds = 2, .rows = 256, .threads = "0", .waits = "0"};
    struct bench b = {.rows = ROWS, .seconds = count > 1 ? atof(arguments[1]) : 2};
    gecc_config config = GECC_CONFIG_INIT;
    if (count > 2)
        return parse_options(&whole, count, arguments) ? whole_machine(&whole) : usage();
    if (!(b.seconds > 0))
        return usage();
    config.threads = 1;
    config.backend = "cpu";
    pin(true);
    program_require(gecc_open(&b.context, &config) == GECC_OK, "context");
    for (unsigned which = 0; which < OPERATIONS; which++) {
        bench_fill(&b, which);
        one_processor(&b);
        bench_empty(&b);
    }
    wake_up();
    gecc_close(b.context);
    return 0;
}
