/* gecc-queue: rows that come one at a time, through a queue, beside the same rows in large calls.
 *
 * usage: gecc-queue [SECONDS]       (of each measurement, 2)
 *
 * Who submits runs on the first processor that the process may use, the library, with one thread, on the last:
 * verifying on P-256, signing with SM2, verifying of Ed25519. Rates are rows by a second of the library's thread, so
 * that what else the machine does counts for little; latencies are by the wall clock, and it counts. Threads that call
 * themselves share the first processor, and those that wait for the queue its one thread on the last. */
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
#include "summary.h"

enum {
    ROWS = 4096,
    SUBMITTERS = 4,
    OUTSTANDING = 1024,
    GROUP = 64,
    BLOCKED = 64,
    OTHERS = 16, /* threads beside which one has 20 rows */
    LATENCIES = 1 << 20,
    RUNS = 200,
    WIDTH = 80,
    COLUMNS = 4 /* of an operation, at most */
};

struct bench {
    const char *name;
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_context *context;
    size_t inputs, width[3];
    uint8_t in[3][ROWS][WIDTH];
    size_t output; /* the output's width; 0: there is none */
    double seconds;
};

static uint8_t outputs[ROWS][WIDTH], statuses[ROWS];

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

static void columns(struct bench *b, size_t row, gecc_rows in[COLUMNS]) {
    for (size_t i = 0; i < COLUMNS; i++)
        in[i] = i < b->inputs && i < 3 ? gecc_rows_strided(b->in[i][row], b->width[i], WIDTH) : gecc_rows_none();
}

static gecc_out out_at(const struct bench *b, size_t row) {
    return b->output == 0 ? gecc_out_none() : gecc_out_packed(outputs[row], WIDTH);
}

static gecc_result call(struct bench *b, size_t row, size_t count) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_run(b->context, b->operation, &b->parameters, &out, gecc_out_packed(&statuses[row], 1), in, count,
                    NULL);
}

static gecc_result submit(struct bench *b, gecc_queue *queue, size_t row, gecc_queue_done done, void *argument) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_queue_submit(queue, b->operation, &b->parameters, &out, gecc_out_packed(&statuses[row], 1), in, 1, NULL,
                             done, argument, NULL);
}

static gecc_result run(struct bench *b, gecc_queue *queue, size_t row, size_t count) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_queue_run(queue, b->operation, &b->parameters, &out, gecc_out_packed(&statuses[row], 1), in, count,
                          NULL);
}

static void check(const struct bench *b) {
    for (size_t i = 0; i < ROWS; i++)
        program_require(statuses[i] == GECC_ITEM_OK, b->name);
}

/* Rows of each operation, that are good. */
static void fill(struct bench *b, unsigned which) {
    static uint8_t key[ROWS][WIDTH], scratch[ROWS];
    static const char *const names[] = {"ecdsa.verify", "sm2.sign", "ed25519.verify"};
    static const gecc_curve curves[] = {GECC_P256, GECC_SM2, GECC_CURVE25519};
    static const char *const titles[] = {"P-256 verify", "SM2 sign", "Ed25519 verify"};
    const gecc_out status = gecc_out_packed(scratch, 1);
    const gecc_rows keys = gecc_rows_strided(key, 32, WIDTH), digests = gecc_rows_strided(b->in[1], 32, WIDTH);
    uint64_t state = which;
    gecc_result result = GECC_OK;
    b->name = titles[which];
    b->operation = gecc_operation_find(names[which]);
    b->parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    b->parameters.curve = curves[which];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < 32; j++) {
            key[i][j] = (uint8_t)(program_random(&state) >> (j == 0 ? 57 : 56));
            b->in[1][i][j] = (uint8_t)program_random(&state);
        }
    b->output = 0;
    b->inputs = 3;
    b->width[0] = which == 2 ? 32 : 65;
    b->width[1] = 32;
    b->width[2] = 64;
    const gecc_out public = gecc_out_packed(b->in[0], WIDTH), signature = gecc_out_packed(b->in[2], WIDTH);
    if (which == 0) {
        result = gecc_ec_public_key(b->context, GECC_P256, public, status, keys, ROWS, NULL);
        if (result == GECC_OK)
            result = gecc_ecdsa_sign(b->context, GECC_P256, signature, gecc_out_none(), status, keys, digests,
                                     gecc_rows_none(), ROWS, NULL);
    } else if (which == 1) {
        b->output = 64;
        b->inputs = 2; /* and entropy, which is left out */
        b->width[0] = 32;
        memcpy(b->in[0], key, sizeof key);
    } else {
        result = gecc_ed25519_public_key(b->context, public, status, keys, ROWS, NULL);
        if (result == GECC_OK)
            result = gecc_ed25519_sign(b->context, signature, status, keys, digests, gecc_rows_none(), ROWS, NULL);
    }
    program_require(result == GECC_OK, "rows");
}

/* Large calls, by this thread. */
static double rate_of_calls(struct bench *b) {
    double rates[5];
    program_require(call(b, 0, ROWS) == GECC_OK, b->name);
    check(b);
    for (unsigned i = 0; i < 5; i++) {
        const double start = thread_seconds();
        program_require(call(b, 0, ROWS) == GECC_OK, b->name);
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
    program_require(submit(b, queue, 0, note_time, &told) == GECC_OK, b->name);
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
        program_require(submit(c->bench, c->queue, first + i++ % rows, NULL, &credit[c->number]) == GECC_OK,
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
    check(b);
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
        program_require(submit(b, queue, count % ROWS, note_done, &arrivals[count]) == GECC_OK, b->name);
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
        program_require(call(b, i, 1) == GECC_OK, b->name);
        direct[i] = 1e6 * (program_now() - start);
        start = program_now();
        program_require(run(b, queue, i, 1) == GECC_OK, b->name);
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
            t->queue != NULL ? run(t->bench, t->queue, row, t->rows) : call(t->bench, row, t->rows);
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

static void bench(struct bench *b, unsigned which) {
    double wall, ratios[3], rate = 0, direct = 0;
    fill(b, which);
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

int main(int count, char **arguments) {
    static struct bench b;
    gecc_config config = GECC_CONFIG_INIT;
    b.seconds = count > 1 ? atof(arguments[1]) : 2;
    if (count > 2 || !(b.seconds > 0)) {
        fputs("usage: gecc-queue [SECONDS]\n", stderr);
        return 2;
    }
    config.threads = 1;
    config.backend = "cpu";
    pin(true);
    program_require(gecc_open(&b.context, &config) == GECC_OK, "context");
    for (unsigned which = 0; which < 3; which++)
        bench(&b, which);
    wake_up();
    gecc_close(b.context);
    return 0;
}
