/* A context whose backend does what the test says, when the test says so, and a clock that the test sets: what a queue
 * decides is then counted, and no noise of the machine decides with it. */
#ifndef TESTS_QUEUE_SCRIPTED_H
#define TESTS_QUEUE_SCRIPTED_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "api/context.h"
#include "queue/queue.h"

enum { JOBS_NOTED = 64, ROW_BYTES = 8, HASH_BYTES = 32, SECONDS_MOST = 60 };

/* A job that reached the backend. */
struct noted {
    size_t rows;
    gecc_hash hash;
    pthread_t thread;
    const uint8_t *data; /* of its messages */
};

struct scripted {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_open;                    /* jobs need no permission */
    unsigned permitted, begun, done; /* jobs */
    struct noted noted[JOBS_NOTED];
    size_t enough;     /* 0: it cannot say */
    const void *asked; /* the first column of the job for which it said so last */
    uint64_t faulty;   /* rows whose first byte is this have no result; 256: none */
    unsigned inside, most_inside;
};

static inline const uint8_t *row_at(const gecc_rows *rows, size_t i, size_t *width) {
    *width = rows->widths != NULL ? rows->widths[i] : rows->width;
    return (const uint8_t *)rows->data + (rows->offsets != NULL ? rows->offsets[i] : i * rows->stride);
}

/* "Hash" the messages: the hash's number, then the message as far as there is room. */
static inline gecc_result scripted_compute(const struct job *job, uint64_t faulty) {
    gecc_result result = GECC_OK;
    for (size_t i = 0; i < job->count; i++) {
        size_t width;
        const uint8_t *message = row_at(&job->in[0], i, &width);
        uint8_t *out = (uint8_t *)job->out[0].data + i * job->out[0].stride;
        if (width != 0 && message[0] == faulty) {
            result = GECC_ERROR_FAULT;
            continue;
        }
        memset(out, 0, job->out_width[0]);
        out[0] = (uint8_t)job->hash;
        memcpy(out + 1, message, width < HASH_BYTES - 1 ? width : HASH_BYTES - 1);
        if (job->out[0].widths != NULL)
            job->out[0].widths[i] = (uint32_t)job->out_width[0];
        ((uint8_t *)job->status.data)[i * job->status.stride] = GECC_ITEM_OK;
    }
    return result;
}

static inline gecc_result scripted_run(void *state, const struct job *job, gecc_report *report) {
    struct scripted *s = state;
    (void)report;
    pthread_mutex_lock(&s->mutex);
    if (s->begun < JOBS_NOTED)
        s->noted[s->begun] = (struct noted){job->count, job->hash, pthread_self(), job->in[0].data};
    s->begun++;
    s->inside++;
    s->most_inside = s->inside > s->most_inside ? s->inside : s->most_inside;
    pthread_cond_broadcast(&s->changed);
    while (!s->is_open && s->permitted == 0)
        pthread_cond_wait(&s->changed, &s->mutex);
    s->permitted -= s->is_open ? 0 : 1;
    const uint64_t faulty = s->faulty;
    pthread_mutex_unlock(&s->mutex);
    gecc_result result = scripted_compute(job, faulty);
    pthread_mutex_lock(&s->mutex);
    s->done++;
    s->inside--;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
    return result;
}

static inline size_t scripted_enough(void *state, const struct job *job) {
    struct scripted *s = state;
    s->asked = job->in[0].data;
    return s->enough;
}

static const struct backend scripted_backend = {.name = "scripted", .run = scripted_run, .enough = scripted_enough};

static inline void scripted_start(struct scripted *s, size_t enough) {
    *s = (struct scripted){.enough = enough, .faulty = 256};
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
}

static inline gecc_context scripted_context(struct scripted *s) {
    gecc_context context = {.instance = {&scripted_backend, s, "a test asked for it"}};
    return context;
}

/* Let so many jobs go on, or all from now on. */
static inline void permit(struct scripted *s, unsigned jobs) {
    pthread_mutex_lock(&s->mutex);
    s->permitted += jobs;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

static inline void permit_all(struct scripted *s) {
    pthread_mutex_lock(&s->mutex);
    s->is_open = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->mutex);
}

/* Have so many jobs begun, now or, if need be, soon? */
static inline bool have_begun(struct scripted *s, unsigned jobs) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS_MOST;
    pthread_mutex_lock(&s->mutex);
    while (s->begun < jobs && pthread_cond_timedwait(&s->changed, &s->mutex, &until) == 0)
        ;
    const bool have = s->begun >= jobs;
    pthread_mutex_unlock(&s->mutex);
    return have;
}

/* Are so many jobs begun a little later, and no more? */
static inline bool no_more_begin(struct scripted *s, unsigned jobs) {
    const struct timespec little = {0, 20 * 1000 * 1000};
    (void)nanosleep(&little, NULL);
    pthread_mutex_lock(&s->mutex);
    const bool so = s->begun == jobs;
    pthread_mutex_unlock(&s->mutex);
    return so;
}

/* The test's clock. */
static _Atomic uint64_t test_time = 1000;
static inline uint64_t test_clock(void) { return atomic_load(&test_time); }

#endif
