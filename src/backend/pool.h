/* Threads that share the pieces of tasks. */
#ifndef GECC_BACKEND_POOL_H
#define GECC_BACKEND_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include <gecc/context.h>

#include "backend/memory.h"

/* Work in pieces 0 .. pieces - 1, independent of each other. Set the first three fields; the others are the pool's.
 * A task stays where it is until it is done. */
struct task {
    gecc_result (*piece)(struct task *task, struct arena *arena, size_t index);
    size_t pieces;
    size_t arena_bytes; /* what a thread needs to work on it; 0: nothing, and pieces get no arena, NULL */

    atomic_size_t next;  /* the first piece that no thread took */
    atomic_int result;   /* the first error of a piece, else GECC_OK */
    atomic_bool done;    /* set while the pool is locked: a thread that then takes the lock may free it */
    unsigned threads;    /* that work on it now */
    struct task *behind; /* in the queue */
    pthread_cond_t finished;
    struct timespec start, end;
};

struct pool;

/* A pool that lets `threads` >= 1 threads work on a task at once, the caller of gecc_pool_run among them. */
gecc_result gecc_pool_open(struct pool **opened, unsigned threads);

/* Finish the tasks submitted, end the threads, free. */
void gecc_pool_close(struct pool *pool);

/* Run all pieces; the calling thread takes its share. The result is the first error of a piece (all other pieces are
 * run nevertheless), GECC_ERROR_MEMORY if no thread had memory to start, else GECC_OK. A task of one piece wakes
 * nobody. */
gecc_result gecc_pool_run(struct pool *pool, struct task *task);

/* Have piece(argument, index) run for 0 .. pieces - 1, as gecc_pool_run has it, but without an arena. pool NULL: by the
 * caller alone. */
void gecc_pool_for(struct pool *pool, size_t pieces, void (*piece)(void *argument, size_t index), void *argument);

/* Start the task and return. */
gecc_result gecc_pool_submit(struct pool *pool, struct task *task);

/* GECC_PENDING, or the result of a task submitted. */
gecc_result gecc_pool_poll(const struct pool *pool, const struct task *task);

/* The same, once the task is done or CLOCK_MONOTONIC shows the time. */
gecc_result gecc_pool_await(struct pool *pool, struct task *task, const struct timespec *until);

/* Begin no more pieces of a task submitted; where there are some its result is GECC_ERROR_CANCELLED, unless one that
 * was begun fails. */
void gecc_pool_cancel(struct pool *pool, struct task *task);

/* Wait for a task submitted; its result. */
gecc_result gecc_pool_wait(struct pool *pool, struct task *task);

/* Are we in a child of the process that opened the pool? Then the pool's threads do not exist and its locks may be held
 * for ever: tasks are run by their callers alone, and one that was under way at the fork ends in GECC_ERROR_DEVICE. */
bool gecc_pool_forked(const struct pool *pool);

/* From its start to its end. */
double gecc_task_seconds(const struct task *task);

#endif
