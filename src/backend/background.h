/* Jobs that run in the background, by a few threads that all jobs of a context share. Inlined, because modules need it
 * too. */
#ifndef GECC_BACKEND_BACKGROUND_H
#define GECC_BACKEND_BACKGROUND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <gecc/context.h>

#include "backend/threads.h"

/* The most threads of a context. A job in the background mostly waits for a device, on which no more run at once. */
enum { BACKGROUND_THREADS = 4 };

/* One of the jobs: the first field of the struct that `run` works on. */
struct background_job {
    struct background *background;
    struct background_job *behind; /* in the queue */
    void (*run)(struct background_job *job);
    bool cancelled;   /* before a thread took it */
    atomic_bool done; /* set under the mutex: a thread that then takes it may free the job */
};

/* All jobs of a context. */
struct background {
    pid_t process; /* that opened it: in its children the threads do not exist */
    pthread_mutex_t mutex;
    pthread_cond_t queued, finished;
    struct background_job *first, **last; /* that no thread took */
    unsigned waiting;                     /* how many they are */
    unsigned threads, idle;               /* idle: some of these may be about to take what waits */
    bool closing;
    pthread_t thread[BACKGROUND_THREADS];
};

static inline void background_open(struct background *background) {
    *background = (struct background){.process = getpid()};
    background->last = &background->first;
    pthread_mutex_init(&background->mutex, NULL);
    pthread_cond_init(&background->queued, NULL);
    condition_open(&background->finished);
}

static inline bool background_forked(const struct background *background) { return getpid() != background->process; }

/* Finish all jobs and wait for the threads, to their last instruction: a module may be unloaded next. */
static inline void background_close(struct background *background) {
    if (background_forked(background))
        return;
    pthread_mutex_lock(&background->mutex);
    background->closing = true;
    pthread_cond_broadcast(&background->queued);
    pthread_mutex_unlock(&background->mutex);
    for (unsigned i = 0; i < background->threads; i++)
        pthread_join(background->thread[i], NULL);
    pthread_cond_destroy(&background->queued);
    pthread_cond_destroy(&background->finished);
    pthread_mutex_destroy(&background->mutex);
}

/* Take jobs until there is none left and the background closes. */
static inline void *background_main(void *argument) {
    struct background *background = argument;
    pthread_mutex_lock(&background->mutex);
    for (;;) {
        struct background_job *job = background->first;
        if (job == NULL && background->closing)
            break;
        if (job == NULL) {
            background->idle++;
            pthread_cond_wait(&background->queued, &background->mutex);
            background->idle--;
            continue;
        }
        background->first = job->behind;
        if (background->first == NULL)
            background->last = &background->first;
        background->waiting--;
        pthread_mutex_unlock(&background->mutex);
        job->run(job);
        pthread_mutex_lock(&background->mutex);
        atomic_store(&job->done, true);
        pthread_cond_broadcast(&background->finished);
    }
    pthread_mutex_unlock(&background->mutex);
    return NULL;
}

/* One more thread, if that is of use and can be had; the caller holds the mutex. */
static inline void background_grow(struct background *background) {
    if (background->idle > background->waiting || background->threads == BACKGROUND_THREADS)
        return;
    if (thread_start(&background->thread[background->threads], background_main, background) == 0)
        background->threads++;
}

/* Have a thread run the job; `run` is set. GECC_ERROR_THREAD: there is none. In a forked child there is none to be had:
 * GECC_ERROR_DEVICE. */
static inline gecc_result background_start(struct background *background, struct background_job *job) {
    if (background_forked(background))
        return GECC_ERROR_DEVICE;
    job->background = background;
    job->behind = NULL;
    job->cancelled = false;
    atomic_init(&job->done, false);
    pthread_mutex_lock(&background->mutex);
    background_grow(background);
    bool runs = background->threads != 0;
    if (runs) {
        *background->last = job;
        background->last = &job->behind;
        background->waiting++;
        pthread_cond_signal(&background->queued);
    }
    pthread_mutex_unlock(&background->mutex);
    return runs ? GECC_OK : GECC_ERROR_THREAD;
}

/* Run the job in this thread, where background_start found no other one. It is done then. */
static inline void background_run(struct background *background, struct background_job *job) {
    job->background = background;
    job->cancelled = false;
    job->run(job);
    atomic_init(&job->done, true);
}

/* Have a job that no thread has taken be done at once, without running. One that runs goes on. */
static inline void background_cancel(struct background_job *job) {
    struct background *background = job->background;
    if (background_forked(background))
        return;
    pthread_mutex_lock(&background->mutex);
    struct background_job **at = &background->first;
    while (*at != NULL && *at != job)
        at = &(*at)->behind;
    if (*at == job) {
        *at = job->behind;
        if (job->behind == NULL)
            background->last = at;
        background->waiting--;
        job->cancelled = true;
        atomic_store(&job->done, true);
        pthread_cond_broadcast(&background->finished);
    }
    pthread_mutex_unlock(&background->mutex);
}

/* GECC_OK: the job is done; GECC_ERROR_CANCELLED: it was before it ran; GECC_PENDING; GECC_ERROR_DEVICE: it was
 * under way at a fork, in this child it never ends. */
static inline gecc_result background_poll(const struct background_job *job) {
    if (atomic_load(&job->done))
        return job->cancelled ? GECC_ERROR_CANCELLED : GECC_OK;
    return background_forked(job->background) ? GECC_ERROR_DEVICE : GECC_PENDING;
}

/* Wait for the job until CLOCK_MONOTONIC shows the time, then as background_poll. NULL: until it is done. */
static inline gecc_result background_await(struct background_job *job, const struct timespec *until) {
    struct background *background = job->background;
    if (!background_forked(background)) {
        pthread_mutex_lock(&background->mutex);
        while (!atomic_load(&job->done) && condition_wait(&background->finished, &background->mutex, until))
            ;
        pthread_mutex_unlock(&background->mutex);
    }
    return background_poll(job);
}

/* Wait for the job; as background_poll, but never GECC_PENDING. */
static inline gecc_result background_wait(struct background_job *job) { return background_await(job, NULL); }

#endif
