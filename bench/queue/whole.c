#define _GNU_SOURCE
#include "whole.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

#include "program.h"
#include "rows.h"
#include "summary.h"

enum {
    REQUESTS = 1000, /* outstanding */
    SUBMITTERS = 4,
    CALLS = 7,
    LATENCIES = 1 << 22,
    QUEUE_ROWS = 1 << 19,  /* room for all requests, */
    QUEUE_BYTES = 1 << 28, /* and their bytes */
    GPU_ROWS = 1 << 20,    /* of large calls */
    SLEEP_NANOSECONDS = 20000
};

/* Callbacks of one job follow each other; between two jobs of a thread there is more time. */
static const double between_jobs = 20e-6;

/* A request that is submitted again whenever it is done. */
struct request {
    struct load *load;
    size_t row;
    double submitted, done;
    atomic_bool is_done;
};

struct load {
    struct bench *bench;
    gecc_queue *queue;
    size_t rows; /* of a request */
    double until;
    struct request request[REQUESTS];
    atomic_size_t latencies, jobs, failed;
    double *latency; /* [LATENCIES], microseconds */
};

struct submitter {
    struct load *load;
    size_t first, end; /* its requests */
    size_t done;
    double submitting; /* seconds in gecc_queue_submit */
    pthread_t thread;
};

static void on_done(void *argument, gecc_result result) {
    static _Thread_local double last;
    struct request *r = argument;
    r->done = program_now();
    atomic_fetch_add(&r->load->jobs, r->done - last > between_jobs);
    atomic_fetch_add(&r->load->failed, result != GECC_OK);
    last = r->done;
    atomic_store(&r->is_done, true);
}

static void submit(struct submitter *s, struct request *r) {
    const struct load *load = s->load;
    atomic_store(&r->is_done, false);
    r->submitted = program_now();
    const double start = r->submitted;
    program_require(bench_submit(load->bench, load->queue, r->row, load->rows, on_done, r) == GECC_OK,
                    load->bench->name);
    s->submitting += program_now() - start;
}

/* A request that is done: its latency, and the rows that it has next. */
static void note(struct load *load, struct request *r) {
    const size_t at = atomic_fetch_add(&load->latencies, 1), stride = REQUESTS * load->rows;
    if (at < LATENCIES)
        load->latency[at] = 1e6 * (r->done - r->submitted);
    r->row = r->row + stride + load->rows <= load->bench->rows ? r->row + stride : r->row % stride;
}

static void *submit_all(void *argument) {
    struct submitter *s = argument;
    struct load *load = s->load;
    size_t outstanding = s->end - s->first;
    (void)prctl(PR_SET_TIMERSLACK, 1);
    for (size_t i = s->first; i < s->end; i++)
        submit(s, &load->request[i]);
    while (outstanding != 0) {
        size_t found = 0;
        const bool again = program_now() < load->until;
        for (size_t i = s->first; i < s->end; i++) {
            struct request *r = &load->request[i];
            if (!atomic_exchange(&r->is_done, false))
                continue;
            found++;
            note(load, r);
            if (again)
                submit(s, r);
            else
                outstanding--;
        }
        s->done += again ? found : 0;
        if (found == 0)
            (void)nanosleep(&(struct timespec){0, SLEEP_NANOSECONDS}, NULL);
    }
    return NULL;
}

static double processor_seconds(void) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* So many rows a request, for so many seconds; large: rows/s of large calls in pinned memory. */
static void closed_loop(struct load *load, size_t rows, double seconds, double large, bool quiet) {
    struct submitter submitter[SUBMITTERS];
    const double start = program_now(), worked = processor_seconds();
    double submitting = 0;
    size_t done = 0;
    load->rows = rows;
    load->until = start + seconds;
    atomic_store(&load->latencies, 0);
    atomic_store(&load->jobs, 0);
    for (size_t i = 0; i < REQUESTS; i++)
        load->request[i] = (struct request){.load = load, .row = i * rows};
    for (size_t i = 0; i < SUBMITTERS; i++) {
        submitter[i] = (struct submitter){
            .load = load, .first = i * REQUESTS / SUBMITTERS, .end = (i + 1) * REQUESTS / SUBMITTERS};
        program_require(pthread_create(&submitter[i].thread, NULL, submit_all, &submitter[i]) == 0, "thread");
    }
    for (size_t i = 0; i < SUBMITTERS; i++) {
        pthread_join(submitter[i].thread, NULL);
        done += submitter[i].done;
        submitting += submitter[i].submitting;
    }
    const double processors = (processor_seconds() - worked) / (program_now() - start);
    const double rate = (double)(done * rows) / seconds;
    const size_t all = atomic_load(&load->latencies), seen = all < LATENCIES ? all : LATENCIES;
    const double median = summary_of(load->latency, seen).median; /* sorts */
    program_require(atomic_load(&load->failed) == 0, "a request");
    bench_check(load->bench, REQUESTS * rows);
    if (!quiet)
        printf("    1,000 of %zu row%s: %8.4g M rows/s, %.2f of large calls; %.2f ms median, %.2f ms 99th percentile, "
               "%.2f ms at most; %.0f rows a job, %.1f us to submit, %.1f processors\n",
               rows, rows == 1 ? "" : "s", 1e-6 * rate, rate / large, 1e-3 * median,
               1e-3 * load->latency[seen - 1 - seen / 100], 1e-3 * load->latency[seen - 1],
               (double)(all * rows) / (double)atomic_load(&load->jobs), 1e6 * submitting / (double)all, processors);
    (void)fflush(stdout);
}

/* Rows a second of large calls, the first of which is not counted. */
static double rate_of_large(const struct bench *b) {
    double seconds[CALLS];
    const double end = program_now() + b->seconds;
    size_t count = 0;
    for (bool first = true; count == 0 || (count < CALLS && program_now() < end); first = false) {
        const double start = program_now();
        program_require(bench_call(b, 0, b->rows) == GECC_OK, b->name);
        seconds[count] = program_now() - start;
        count += !first;
    }
    bench_check(b, b->rows);
    return (double)b->rows / summary_of(seconds, count).median;
}

/* The same, with all rows in memory of the context. */
static double rate_of_pinned(const struct bench *b) {
    struct bench pinned = *b;
    const size_t bytes[] = {b->rows * b->width[0], b->rows * b->width[1], b->rows * b->width[2], b->rows * b->output,
                            b->rows};
    uint8_t **const columns[] = {&pinned.in[0], &pinned.in[1], &pinned.in[2], &pinned.outputs, &pinned.statuses};
    void *memory[5] = {NULL};
    for (size_t i = 0; i < 5; i++) {
        if (bytes[i] == 0 || (i < INPUTS && i >= b->inputs))
            continue;
        program_require(gecc_memory_allocate(b->context, &memory[i], bytes[i]) == GECC_OK, "pinned memory");
        if (i < INPUTS)
            memcpy(memory[i], b->in[i], bytes[i]);
        *columns[i] = memory[i];
    }
    const double rate = rate_of_large(&pinned);
    for (size_t i = 0; i < 5; i++)
        gecc_memory_free(b->context, memory[i]);
    return rate;
}

/* The next number of a list; false: there is none. */
static bool next_of(const char **list, unsigned *number) {
    char *end;
    if (**list == 0)
        return false;
    *number = (unsigned)strtoul(*list, &end, 10);
    program_require(end != *list && (*end == 0 || *end == ','), *list);
    *list = *end == ',' ? end + 1 : end;
    return true;
}

static void with_queue(const struct whole *whole, struct load *load, unsigned threads, unsigned wait, double large) {
    gecc_queue_config config = GECC_QUEUE_CONFIG_INIT;
    config.rows = QUEUE_ROWS;
    config.bytes = QUEUE_BYTES;
    config.threads = threads;
    config.max_wait_us = wait;
    program_require(gecc_queue_open(load->bench->context, &load->queue, &config) == GECC_OK, "queue");
    printf("  threads %u, max_wait_us %u\n", threads, wait);
    for (size_t rows = whole->rows; rows != 0; rows = rows == 1 ? 0 : 1) {
        closed_loop(load, rows, whole->seconds / 2, large, true); /* so that it learns */
        closed_loop(load, rows, whole->seconds, large, false);
    }
    gecc_queue_close(load->queue);
}

int whole_machine(const struct whole *whole) {
    struct load *load = program_memory(1, sizeof *load);
    gecc_config config = GECC_CONFIG_INIT;
    struct bench b = {.rows = REQUESTS * whole->rows, .seconds = whole->seconds};
    load->bench = &b;
    load->latency = program_memory(LATENCIES, sizeof load->latency[0]);
    config.backend = whole->backend;
    program_require(gecc_open(&b.context, &config) == GECC_OK, "context");
    if (b.rows < GPU_ROWS && gecc_devices(b.context, 0, &(gecc_device_info)GECC_DEVICE_INFO_INIT) != 0)
        b.rows = GPU_ROWS;
    for (unsigned which = 0; which < OPERATIONS; which++) {
        bench_fill(&b, which);
        (void)rate_of_large(&b); /* a GPU is open now, if it pays */
        const double pinned = rate_of_pinned(&b), pageable = rate_of_large(&b);
        printf("%s, %s: calls of %zu rows: %.4g M rows/s from memory of the context, %.4g from the program's\n", b.name,
               whole->backend, b.rows, 1e-6 * pinned, 1e-6 * pageable);
        const char *threads = whole->threads;
        for (unsigned t; next_of(&threads, &t);) {
            const char *waits = whole->waits;
            for (unsigned w; next_of(&waits, &w);)
                with_queue(whole, load, t, w, pinned);
        }
        bench_empty(&b);
    }
    gecc_close(b.context);
    free(load->latency);
    free(load);
    return 0;
}
