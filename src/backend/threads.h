/* Threads of the library, and how much stack a thread needs that calls it. Inlined, because modules need it too. */
#ifndef GECC_BACKEND_THREADS_H
#define GECC_BACKEND_THREADS_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Bytes of stack that a call takes on the CPU, most of them what is wiped after secrets were there (memory.c); and
 * those of a thread that can make one: libc keeps some for itself. gecc_open in include/gecc/context.h states the
 * latter. */
enum { CALL_STACK = 144 * 1024, THREAD_STACK = 160 * 1024 };

/* Start a thread with enough stack, whatever the limit that the process was given, to which the process's signals do
 * not come. 0, or an error of pthread_create. */
static inline int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
    pthread_attr_t attributes;
    size_t stack = 0;
    sigset_t all, before;
    int error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    (void)pthread_attr_getstacksize(&attributes, &stack);
    if (stack < THREAD_STACK)
        error = pthread_attr_setstacksize(&attributes, THREAD_STACK);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error == 0)
        error = pthread_create(thread, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* A condition that is waited for by CLOCK_MONOTONIC. */
static inline void condition_open(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* So many microseconds from now, by that clock; as good as never where they are very many. */
static inline struct timespec time_after(uint64_t microseconds) {
    const uint64_t seconds = microseconds / 1000000;
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += (long)(microseconds % 1000000) * 1000;
    time.tv_sec += (time_t)(seconds < INT32_MAX ? seconds : INT32_MAX) + time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* Wait for the condition, until that clock shows the time; NULL: for ever. Whether it was not too late. */
static inline bool condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    return (until == NULL ? pthread_cond_wait(condition, mutex) : pthread_cond_timedwait(condition, mutex, until)) !=
           ETIMEDOUT;
}

#endif
