/* Jobs that have a thread of their own. Inlined, because modules need it too. */
#ifndef GECC_BACKEND_BACKGROUND_H
#define GECC_BACKEND_BACKGROUND_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <gecc/context.h>

/* All jobs of a context. */
struct background {
    pid_t process; /* that opened it: in its children the threads do not exist */
    pthread_mutex_t mutex;
    pthread_cond_t idle;
    size_t busy;
};

/* One of them: the first field of whatever `run` works on. */
struct background_job {
    struct background *background;
    void (*run)(struct background_job *job);
    pthread_t thread;
    atomic_bool done;
};

static inline void background_open(struct background *background) {
    background->process = getpid();
    background->busy = 0;
    pthread_mutex_init(&background->mutex, NULL);
    pthread_cond_init(&background->idle, NULL);
}

static inline bool background_forked(const struct background *background) { return getpid() != background->process; }

/* Wait until no job runs. */
static inline void background_close(struct background *background) {
    if (background_forked(background))
        return;
    pthread_mutex_lock(&background->mutex);
    while (background->busy != 0)
        pthread_cond_wait(&background->idle, &background->mutex);
    pthread_mutex_unlock(&background->mutex);
    pthread_mutex_destroy(&background->mutex);
    pthread_cond_destroy(&background->idle);
}

static inline void *background_main(void *argument) {
    struct background_job *job = argument;
    struct background *background = job->background;
    job->run(job);
    atomic_store(&job->done, true);
    pthread_mutex_lock(&background->mutex);
    background->busy--;
    pthread_cond_broadcast(&background->idle);
    pthread_mutex_unlock(&background->mutex);
    return NULL;
}

/* Start the job's thread; `run` is set. The process's signals are not for it. In a forked child there is none to be had:
 * GECC_ERROR_DEVICE. */
static inline gecc_result background_start(struct background *background, struct background_job *job) {
    sigset_t all, before;
    if (background_forked(background))
        return GECC_ERROR_DEVICE;
    job->background = background;
    atomic_init(&job->done, false);
    sigfillset(&all);
    pthread_mutex_lock(&background->mutex);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&job->thread, NULL, background_main, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    background->busy += error == 0;
    pthread_mutex_unlock(&background->mutex);
    return error == 0 ? GECC_OK : GECC_ERROR_THREAD;
}

/* GECC_OK: the job is done; GECC_PENDING; GECC_ERROR_DEVICE: it was under way at a fork, in this child it never ends. */
static inline gecc_result background_poll(const struct background_job *job) {
    if (atomic_load(&job->done))
        return GECC_OK;
    return background_forked(job->background) ? GECC_ERROR_DEVICE : GECC_PENDING;
}

/* Wait for the job; as background_poll, but never GECC_PENDING. */
static inline gecc_result background_wait(const struct background_job *job) {
    if (!background_forked(job->background))
        pthread_join(job->thread, NULL);
    return background_poll(job);
}

#endif
