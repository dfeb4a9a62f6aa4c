/* Jobs that have a thread of their own. Inlined, because modules need it too. */
#ifndef GECC_BACKEND_BACKGROUND_H
#define GECC_BACKEND_BACKGROUND_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <gecc/context.h>

#include "backend/threads.h"

/* All jobs of a context. */
struct background {
    pid_t process; /* that opened it: in its children the threads do not exist */
    pthread_mutex_t mutex;
    struct background_job *jobs; /* not waited for yet */
};

/* One of them: the first field of whatever `run` works on. */
struct background_job {
    struct background *background;
    struct background_job *next;
    void (*run)(struct background_job *job);
    pthread_t thread;
    atomic_bool done;
};

static inline void background_open(struct background *background) {
    background->process = getpid();
    background->jobs = NULL;
    pthread_mutex_init(&background->mutex, NULL);
}

static inline bool background_forked(const struct background *background) { return getpid() != background->process; }

/* Wait for the threads of jobs that nobody waited for, to their last instruction: a module may be unloaded next. */
static inline void background_close(struct background *background) {
    if (background_forked(background))
        return;
    for (struct background_job *job = background->jobs; job != NULL; job = job->next)
        pthread_join(job->thread, NULL);
    pthread_mutex_destroy(&background->mutex);
}

static inline void *background_main(void *argument) {
    struct background_job *job = argument;
    job->run(job);
    atomic_store(&job->done, true);
    return NULL;
}

/* Start the job's thread; `run` is set. In a forked child there is none to be had:
 * GECC_ERROR_DEVICE. */
static inline gecc_result background_start(struct background *background, struct background_job *job) {
    if (background_forked(background))
        return GECC_ERROR_DEVICE;
    job->background = background;
    atomic_init(&job->done, false);
    pthread_mutex_lock(&background->mutex);
    int error = thread_start(&job->thread, background_main, job);
    if (error == 0) {
        job->next = background->jobs;
        background->jobs = job;
    }
    pthread_mutex_unlock(&background->mutex);
    return error == 0 ? GECC_OK : GECC_ERROR_THREAD;
}

/* GECC_OK: the job is done; GECC_PENDING; GECC_ERROR_DEVICE: it was under way at a fork, in this child it never ends. */
static inline gecc_result background_poll(const struct background_job *job) {
    if (atomic_load(&job->done))
        return GECC_OK;
    return background_forked(job->background) ? GECC_ERROR_DEVICE : GECC_PENDING;
}

static inline void background_forget(struct background *background, struct background_job *job) {
    pthread_mutex_lock(&background->mutex);
    struct background_job **link = &background->jobs;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    pthread_mutex_unlock(&background->mutex);
}

/* Wait for the job; as background_poll, but never GECC_PENDING. Once for each job. */
static inline gecc_result background_wait(struct background_job *job) {
    if (!background_forked(job->background)) {
        pthread_join(job->thread, NULL);
        background_forget(job->background, job);
    }
    return background_poll(job);
}

#endif
