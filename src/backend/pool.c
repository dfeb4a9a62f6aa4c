#define _GNU_SOURCE
#include "backend/pool.h"

#include <stdlib.h>
#include <unistd.h>

#include "backend/threads.h"
#include "limbs/attributes.h"

struct pool {
    pid_t process;
    unsigned limit; /* threads that may work on one task */
    struct arena_cache arenas;

    pthread_mutex_t mutex; /* for all that follows, and for the tasks' fields threads, behind and finished */
    pthread_cond_t work;
    struct task *first, *last; /* the queue: tasks that may have pieces nobody took */
    bool stopping;
    unsigned workers;
    pthread_t worker[]; /* [limit] */
};

bool gecc_pool_forked(const struct pool *pool) { return getpid() != pool->process; }

double gecc_task_seconds(const struct task *task) {
    return (double)(task->end.tv_sec - task->start.tv_sec) + 1e-9 * (double)(task->end.tv_nsec - task->start.tv_nsec);
}

static void now(struct timespec *time) { (void)clock_gettime(CLOCK_MONOTONIC, time); }

static void task_begin(struct task *task) {
    atomic_init(&task->next, 0);
    atomic_init(&task->result, GECC_OK);
    atomic_init(&task->done, false);
    task->threads = 0;
    now(&task->start);
}

static void task_end(struct task *task) {
    now(&task->end);
    atomic_store(&task->done, true);
}

static gecc_result task_result(const struct task *task) { return (gecc_result)atomic_load(&task->result); }

/* The first error stays. */
static void task_fail(struct task *task, gecc_result result) {
    int none = GECC_OK;
    atomic_compare_exchange_strong(&task->result, &none, (int)result);
}

static struct arena no_arena; /* stands for that of tasks that need none: their pieces get NULL */

/* Take pieces until there are none. */
static void task_work(struct task *task, struct arena *arena) {
    size_t index;
    while ((index = atomic_fetch_add(&task->next, 1)) < task->pieces) {
        gecc_result result = task->piece(task, arena == &no_arena ? NULL : arena, index);
        if (result != GECC_OK)
            task_fail(task, result);
    }
}

/* An arena for the task, NULL: not enough memory, or this thread has too little stack left for any piece. */
static struct arena *arena_for(const struct task *task, struct arena_cache *arenas) {
    if (task->arena_bytes == 0)
        return &no_arena;
    return gecc_stack_suffices() ? gecc_arena_take(arenas, task->arena_bytes) : NULL;
}

static void arena_give(struct arena_cache *arenas, struct arena *arena) {
    if (arena != &no_arena)
        gecc_arena_give(arenas, arena);
}

/* All of the task, by this thread. */
static gecc_result task_run_alone(struct task *task, struct arena_cache *arenas) {
    if (task->pieces != 0) {
        struct arena *arena = arena_for(task, arenas);
        if (arena == NULL) {
            task_fail(task, GECC_ERROR_MEMORY);
        } else {
            task_work(task, arena);
            arena_give(arenas, arena);
        }
    }
    task_end(task);
    return task_result(task);
}

static void queue_push(struct pool *pool, struct task *task) {
    task->behind = NULL;
    if (pool->first == NULL)
        pool->first = task;
    else
        pool->last->behind = task;
    pool->last = task;
}

/* Take the task out of the queue, if it is there. */
static void queue_remove(struct pool *pool, const struct task *task) {
    struct task *ahead = NULL;
    for (struct task *queued = pool->first; queued != NULL; ahead = queued, queued = queued->behind) {
        if (queued != task)
            continue;
        if (ahead == NULL)
            pool->first = queued->behind;
        else
            ahead->behind = queued->behind;
        if (pool->last == queued)
            pool->last = ahead;
        return;
    }
}

/* Can one more thread be of use? */
static bool task_wants_thread(const struct pool *pool, const struct task *task) {
    return task->threads < pool->limit && atomic_load(&task->next) < task->pieces;
}

/* The oldest task that one more thread can work on. */
static struct task *queue_find(const struct pool *pool) {
    struct task *task = pool->first;
    while (task != NULL && !task_wants_thread(pool, task))
        task = task->behind;
    return task;
}

/* Queue the task and wake as many threads as can be of use. */
static void task_publish(struct pool *pool, struct task *task) {
    condition_open(&task->finished);
    queue_push(pool, task);
    size_t wanted = task->pieces - task->threads;
    for (unsigned i = 0; i < pool->workers && i < wanted; i++)
        pthread_cond_signal(&pool->work);
}

/* A thread stops working on the task: because all its pieces are taken, or for want of memory; then those who have
 * memory finish it, and if there are none it fails. */
static void task_leave(struct pool *pool, struct task *task) {
    queue_remove(pool, task);
    if (--task->threads != 0)
        return;
    if (atomic_load(&task->next) < task->pieces)
        task_fail(task, GECC_ERROR_MEMORY);
    task_end(task);
    pthread_cond_broadcast(&task->finished);
}

/* Wait, with the pool locked, until no thread works on the task, or the clock shows the time; NULL: however long. */
static void task_await(struct pool *pool, struct task *task, const struct timespec *until) {
    while (!atomic_load(&task->done) && condition_wait(&task->finished, &pool->mutex, until))
        ;
}

gecc_result gecc_pool_run(struct pool *pool, struct task *task) {
    task_begin(task);
    if (gecc_pool_forked(pool))
        return task_run_alone(task, NULL);
    if (task->pieces <= 1 || pool->limit == 1)
        return task_run_alone(task, &pool->arenas);
    struct arena *arena = arena_for(task, &pool->arenas);
    if (arena == NULL) {
        task_end(task);
        return GECC_ERROR_MEMORY;
    }
    pthread_mutex_lock(&pool->mutex);
    task->threads = 1;
    task_publish(pool, task);
    pthread_mutex_unlock(&pool->mutex);
    task_work(task, arena);
    arena_give(&pool->arenas, arena);
    pthread_mutex_lock(&pool->mutex);
    task_leave(pool, task);
    task_await(pool, task, NULL);
    pthread_mutex_unlock(&pool->mutex);
    pthread_cond_destroy(&task->finished);
    return task_result(task);
}

/* A task whose pieces take an argument and cannot fail. */
struct loop {
    struct task task;
    void (*piece)(void *argument, size_t index);
    void *argument;
};

static gecc_result loop_piece(struct task *task, struct arena *arena, size_t index) {
    const struct loop *loop = (const struct loop *)task;
    (void)arena;
    loop->piece(loop->argument, index);
    return GECC_OK;
}

void gecc_pool_for(struct pool *pool, size_t pieces, void (*piece)(void *argument, size_t index), void *argument) {
    struct loop loop = {.task = {.piece = loop_piece, .pieces = pieces}, .piece = piece, .argument = argument};
    if (pool != NULL)
        (void)gecc_pool_run(pool, &loop.task);
    else
        for (size_t i = 0; i < pieces; i++)
            piece(argument, i);
}

static void worker_work(struct pool *pool, struct task *task) {
    struct arena *arena = arena_for(task, &pool->arenas);
    if (arena == NULL)
        return;
    task_work(task, arena);
    arena_give(&pool->arenas, arena);
}

static void *worker_main(void *argument) {
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        struct task *task = queue_find(pool);
        if (task != NULL) {
            task->threads++;
            pthread_mutex_unlock(&pool->mutex);
            worker_work(pool, task);
            pthread_mutex_lock(&pool->mutex);
            task_leave(pool, task);
        } else if (pool->stopping) {
            break;
        } else {
            pthread_cond_wait(&pool->work, &pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

/* One more worker. */
static gecc_result worker_start(struct pool *pool) {
    VERIFY(pool->workers < pool->limit);
    if (thread_start(&pool->worker[pool->workers], worker_main, pool) != 0)
        return GECC_ERROR_THREAD;
    pool->workers++;
    return GECC_OK;
}

/* A submitted task has no caller that works on it: with the first one, a worker takes the caller's place. */
static gecc_result pool_replace_caller(struct pool *pool) {
    if (pool->workers == pool->limit)
        return GECC_OK;
    gecc_result result = worker_start(pool);
    return pool->workers == 0 ? result : GECC_OK;
}

gecc_result gecc_pool_submit(struct pool *pool, struct task *task) {
    task_begin(task);
    if (task->pieces == 0 || gecc_pool_forked(pool)) {
        task_run_alone(task, NULL);
        return GECC_OK;
    }
    pthread_mutex_lock(&pool->mutex);
    gecc_result result = pool_replace_caller(pool);
    if (result == GECC_OK)
        task_publish(pool, task);
    pthread_mutex_unlock(&pool->mutex);
    return result;
}

gecc_result gecc_pool_poll(const struct pool *pool, const struct task *task) {
    if (atomic_load(&task->done))
        return task_result(task);
    return gecc_pool_forked(pool) ? GECC_ERROR_DEVICE : GECC_PENDING;
}

gecc_result gecc_pool_await(struct pool *pool, struct task *task, const struct timespec *until) {
    if (!gecc_pool_forked(pool) && task->pieces != 0) {
        pthread_mutex_lock(&pool->mutex);
        task_await(pool, task, until);
        pthread_mutex_unlock(&pool->mutex);
    }
    return gecc_pool_poll(pool, task);
}

void gecc_pool_cancel(struct pool *pool, struct task *task) {
    if (gecc_pool_forked(pool) || task->pieces == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    if (!atomic_load(&task->done)) {
        if (atomic_exchange(&task->next, task->pieces) < task->pieces)
            task_fail(task, GECC_ERROR_CANCELLED);
        task->threads++; /* this one leaves it at once: where none works on it the task is done */
        task_leave(pool, task);
    }
    pthread_mutex_unlock(&pool->mutex);
}

gecc_result gecc_pool_wait(struct pool *pool, struct task *task) {
    if (gecc_pool_forked(pool))
        return gecc_pool_poll(pool, task);
    if (task->pieces != 0) {
        pthread_mutex_lock(&pool->mutex);
        task_await(pool, task, NULL);
        pthread_mutex_unlock(&pool->mutex);
        pthread_cond_destroy(&task->finished);
    }
    return task_result(task);
}

gecc_result gecc_pool_open(struct pool **opened, unsigned threads) {
    struct pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->worker[0]);
    if (pool == NULL)
        return GECC_ERROR_MEMORY;
    pool->process = getpid();
    pool->limit = threads;
    gecc_arena_cache_open(&pool->arenas, SIZE_MAX);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    gecc_result result = GECC_OK;
    pthread_mutex_lock(&pool->mutex);
    while (result == GECC_OK && pool->workers < threads - 1)
        result = worker_start(pool);
    pthread_mutex_unlock(&pool->mutex);
    if (result != GECC_OK)
        gecc_pool_close(pool);
    else
        *opened = pool;
    return result;
}

static void pool_join(struct pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->workers; i++)
        pthread_join(pool->worker[i], NULL);
}

void gecc_pool_close(struct pool *pool) {
    /* In a forked child the list of arenas may have been caught in the middle of a change, so it is left alone. */
    if (!gecc_pool_forked(pool)) {
        pool_join(pool);
        gecc_arena_cache_close(&pool->arenas);
        pthread_mutex_destroy(&pool->mutex);
        pthread_cond_destroy(&pool->work);
    }
    free(pool);
}
