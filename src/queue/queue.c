/* Rows of many threads, joined into jobs: gecc/queue.h. */
#define _GNU_SOURCE
#include "queue/queue.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/sized.h"
#include "backend/least.h"
#include "backend/memory.h"
#include "backend/threads.h"
#include "queue/group.h"

_Static_assert(sizeof(gecc_queue_config) == offsetof(gecc_queue_config, reserved) + sizeof(int), "no padding ends it");

enum {
    CONFIG_LEAST = offsetof(gecc_queue_config, reserved) + sizeof(int),
    ROWS = 1 << 16,       /* by default, */
    BYTES = 64 << 20,     /* and this, */
    WAIT_US = 200,        /* and this */
    THREADS_MOST = 4096,  /* more are a mistake */
    BATCH_BYTES = 1 << 20 /* of address space: pages that no row touches take no memory */
};

/* A thread that waits in gecc_queue_run. */
struct waiter {
    pthread_mutex_t mutex;
    pthread_cond_t finished;
    bool done;
    gecc_result result;
};

/* A completion, and the rows of its request. */
struct completed {
    gecc_completion completion;
    size_t rows;
};

struct gecc_queue {
    gecc_context *context;
    gecc_queue_config limit;
    uint64_t (*clock)(void);
    pid_t process;
    struct arena_cache arenas;

    pthread_mutex_t mutex; /* for all that follows */
    pthread_cond_t work, copied, room, finished, completed;
    struct groups groups;
    unsigned running, idle;        /* jobs; threads without one */
    size_t rows, bytes;            /* of requests that are not done; rows of completions not taken, too */
    size_t queued;                 /* requests that no job has taken */
    uint64_t numbers;              /* requests so far */
    unsigned callers;              /* threads that wait for room or for completions */
    uint64_t places;               /* of threads that waited for room so far, in order; */
    uint64_t places_left;          /* the place of the thread that is next */
    struct completed *completions; /* [limit.rows], a ring; NULL: none was needed yet */
    size_t first_completion, completion_count;
    bool draining, closing;
    unsigned threads;   /* as many were started; for opening and closing alone */
    pthread_t thread[]; /* [limit.threads] */
};

/* The queue of which this thread is one. */
static _Thread_local const gecc_queue *own_queue;

static bool forked(const gecc_queue *queue) { return getpid() != queue->process; }

static uint64_t monotonic_us(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

/* A mutex that is held for less time than it takes to sleep and be woken: a thread tries for a while before it sleeps,
 * where the C library has such mutexes. */
static void mutex_open(pthread_mutex_t *mutex) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#ifdef __GLIBC__
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* Is there a job for one more thread? Threads that run rows of their own are among those that run. */
static bool may_run(const gecc_queue *queue) { return queue->queued != 0 && queue->running < queue->limit.threads; }

/* Are there rows for a thread that has rested? *since: when the oldest came. */
static bool is_ready(const gecc_queue *queue, uint64_t now, uint64_t *since) {
    const struct batch *oldest = queue->groups.oldest;
    *since = oldest == NULL ? UINT64_MAX : oldest->since;
    return may_run(queue) &&
           (queue->running == 0 || queue->groups.full != 0 || now - *since >= queue->limit.max_wait_us);
}

/* A resting thread looks at what there is. */
static void wake(gecc_queue *queue) {
    if (queue->idle != 0)
        pthread_cond_signal(&queue->work);
}

/* Submitting. */

/* The rows that the request takes of the queue's room. */
static size_t room_rows(const struct request *request) { return request->count == 0 ? 1 : request->count; }

/* A batch for the request; NULL: there is no memory. */
static struct batch *batch_for(gecc_queue *queue, const struct request *request, const struct call *call) {
    struct group *group = gecc_group_find(&queue->groups, call);
    struct batch *batch = group == NULL ? NULL : group->last;
    if (batch != NULL && batch->rows < group->enough && gecc_batch_fits(batch, request))
        return batch;
    /* As many such rows as are enough; but each thread has an arena, and one is being filled. */
    const size_t row_bytes = request->bytes / room_rows(request), enough = gecc_call_enough(call);
    const size_t share = most(queue->limit.bytes / (queue->limit.threads + 1), least(queue->limit.bytes, BATCH_BYTES));
    const size_t bytes = row_bytes < share / enough ? row_bytes * enough : share;
    const size_t wanted = most(most(bytes, request->bytes), least(share, BATCH_BYTES));
    struct arena *arena = gecc_arena_take(&queue->arenas, BATCH_HEAD + wanted);
    if (arena == NULL)
        return NULL;
    batch = gecc_batch_new(arena);
    batch->since = queue->clock();
    if (group != NULL) {
        gecc_group_append(&queue->groups, group, call, batch);
    } else if (!gecc_group_begin(&queue->groups, call, batch)) {
        gecc_arena_give(&queue->arenas, gecc_batch_end(batch));
        return NULL;
    }
    return batch;
}

static bool has_room(const gecc_queue *queue, const struct request *request) {
    return room_rows(request) <= queue->limit.rows - queue->rows && request->bytes <= queue->limit.bytes - queue->bytes;
}

/* GECC_OK, or why the request is not submitted. Those that wait for room go first, in the order in which they came. */
static gecc_result await_room(gecc_queue *queue, const struct request *request) {
    const bool waits = queue->limit.waits_for_room != 0 && own_queue != queue;
    if (queue->places == queue->places_left && has_room(queue, request) && !queue->draining)
        return GECC_OK;
    if (!waits && !queue->draining)
        return gecc_error(GECC_ERROR_BUSY, "the queue is full: %zu rows, of %zu bytes", queue->rows, queue->bytes);
    const uint64_t place = queue->places++;
    queue->callers++;
    while (!queue->draining && (place != queue->places_left || !has_room(queue, request)))
        pthread_cond_wait(&queue->room, &queue->mutex);
    queue->callers--;
    queue->places_left++;
    pthread_cond_broadcast(&queue->room);
    pthread_cond_broadcast(&queue->finished);
    return queue->draining ? gecc_error(GECC_ERROR_CANCELLED, "the queue takes no more requests") : GECC_OK;
}

/* Room for completions that are taken. */
static bool has_completions(gecc_queue *queue) {
    if (queue->completions == NULL)
        queue->completions = calloc(queue->limit.rows, sizeof *queue->completions);
    return queue->completions != NULL;
}

static gecc_result no_memory(void) { return gecc_error(GECC_ERROR_MEMORY, "not enough memory for a queue's rows"); }

/* A place for the request in a batch, with the queue locked. *wakes: a thread that rests may have something to do. */
static gecc_result reserve(gecc_queue *queue, struct request *request, const struct call *call, struct batch **batch,
                           struct request **own, bool *wakes) {
    gecc_result result = await_room(queue, request);
    if (result != GECC_OK)
        return result;
    if (request->done == NULL && request->waiter == NULL && !has_completions(queue))
        return no_memory();
    const size_t full = queue->groups.full;
    *batch = batch_for(queue, request, call);
    if (*batch == NULL)
        return no_memory();
    request->number = ++queue->numbers;
    *own = gecc_batch_add(*batch, request, call);
    queue->rows += room_rows(request);
    queue->bytes += request->bytes;
    gecc_group_note(&queue->groups, (*batch)->group);
    *wakes = (queue->queued++ == 0 || queue->groups.full > full) && queue->idle != 0;
    return GECC_OK;
}

/* Queue the rows, with the queue locked, and unlock it: rows are copied, and a thread is woken, without the lock. The
 * request is not done before it is copied, so that the queue is there until then. */
static gecc_result append(gecc_queue *queue, struct request *request, const struct call *call, uint64_t *number) {
    struct batch *batch = NULL;
    struct request *own = NULL;
    bool wakes = false;
    gecc_result result = reserve(queue, request, call, &batch, &own, &wakes);
    pthread_mutex_unlock(&queue->mutex);
    if (result != GECC_OK)
        return result;
    if (number != NULL)
        *number = request->number;
    if (wakes)
        pthread_cond_signal(&queue->work);
    gecc_request_copy(own, request, call);
    if (gecc_batch_leave(batch))
        return GECC_OK;
    pthread_mutex_lock(&queue->mutex);
    if (gecc_batch_leave_taken(batch))
        pthread_cond_broadcast(&queue->copied);
    pthread_mutex_unlock(&queue->mutex);
    return GECC_OK;
}

/* Take the arguments over. */
static gecc_result request_take(struct request *request, struct call *call, gecc_queue *queue,
                                const gecc_operation *operation, const gecc_parameters *parameters,
                                const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                                const gecc_options *options) {
    if (queue == NULL) {
        gecc_call_clear(NULL, status, count);
        return gecc_error(GECC_ERROR_ARGUMENT, "queue is NULL");
    }
    gecc_result result = gecc_call_take(call, queue->context, gecc_operation_entry(operation), parameters, outputs,
                                        status, inputs, count, options);
    if (result != GECC_OK)
        return result;
    *request = (struct request){.status = call->job.status};
    memcpy(request->out, call->job.out, sizeof request->out);
    if (!gecc_request_measure(request, call, queue->limit.bytes) || count > queue->limit.rows)
        return gecc_error(GECC_ERROR_ARGUMENT, "count: an empty queue has no room for %zu rows like these", count);
    return GECC_OK;
}

gecc_result gecc_queue_submit(gecc_queue *queue, const gecc_operation *operation, const gecc_parameters *parameters,
                              const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                              const gecc_options *options, gecc_queue_done done, void *argument, uint64_t *number) {
    struct request request;
    struct call call;
    gecc_result result =
        request_take(&request, &call, queue, operation, parameters, outputs, status, inputs, count, options);
    if (result != GECC_OK)
        return result;
    if (forked(queue))
        return gecc_error(GECC_ERROR_THREAD, "the queue has no threads in a child of fork");
    request.done = done;
    request.argument = argument;
    pthread_mutex_lock(&queue->mutex);
    return append(queue, &request, &call, number);
}

/* The calling thread takes the place of one of the queue's, which is locked; unlock it. */
static gecc_result run_here(gecc_queue *queue, const struct call *call) {
    queue->running++;
    pthread_mutex_unlock(&queue->mutex);
    gecc_result result = gecc_call_run(call);
    pthread_mutex_lock(&queue->mutex);
    queue->running--;
    if (queue->queued != 0)
        wake(queue);
    if (queue->draining)
        pthread_cond_broadcast(&queue->finished);
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

static gecc_result wait_for(struct waiter *waiter) {
    pthread_mutex_lock(&waiter->mutex);
    while (!waiter->done)
        pthread_cond_wait(&waiter->finished, &waiter->mutex);
    pthread_mutex_unlock(&waiter->mutex);
    pthread_cond_destroy(&waiter->finished);
    pthread_mutex_destroy(&waiter->mutex);
    return waiter->result == GECC_OK ? GECC_OK : gecc_error(waiter->result, "%s", gecc_result_text(waiter->result));
}

gecc_result gecc_queue_run(gecc_queue *queue, const gecc_operation *operation, const gecc_parameters *parameters,
                           const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                           const gecc_options *options) {
    struct waiter waiter = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, GECC_OK};
    struct request request;
    struct call call;
    gecc_result result =
        request_take(&request, &call, queue, operation, parameters, outputs, status, inputs, count, options);
    if (result != GECC_OK)
        return result;
    if (forked(queue) || own_queue == queue)
        return gecc_call_run(&call);
    request.waiter = &waiter;
    pthread_mutex_lock(&queue->mutex);
    if (queue->queued == 0 && queue->running < queue->limit.threads && !queue->draining)
        return run_here(queue, &call);
    result = append(queue, &request, &call, NULL);
    return result == GECC_OK ? wait_for(&waiter) : result;
}

/* Running. */

/* Give the room of the batch back, and completions to the requests that have no callback. */
static void release(gecc_queue *queue, const struct batch *batch) {
    for (const struct request *r = batch->first; r != NULL; r = r->next) {
        queue->bytes -= r->bytes;
        if (r->done != NULL || r->waiter != NULL) {
            queue->rows -= room_rows(r);
            continue;
        }
        const size_t at = (queue->first_completion + queue->completion_count++) % queue->limit.rows;
        queue->completions[at] = (struct completed){{r->argument, r->result}, room_rows(r)};
        pthread_cond_signal(&queue->completed);
    }
    pthread_cond_broadcast(&queue->room);
}

/* Tell those that are told. A waiter is gone once it has been. */
static void tell(const struct batch *batch) {
    for (const struct request *r = batch->first, *next; r != NULL; r = next) {
        next = r->next;
        if (r->done != NULL)
            r->done(r->argument, r->result);
        if (r->waiter == NULL)
            continue;
        pthread_mutex_lock(&r->waiter->mutex);
        r->waiter->result = r->result;
        r->waiter->done = true;
        pthread_cond_signal(&r->waiter->finished);
        pthread_mutex_unlock(&r->waiter->mutex);
    }
}

/* Wait until there is something for this thread, or the queue closes. */
static void rest(gecc_queue *queue) {
    uint64_t now, since;
    queue->idle++;
    while (!queue->closing && !is_ready(queue, now = queue->clock(), &since)) {
        if (!may_run(queue)) {
            pthread_cond_wait(&queue->work, &queue->mutex);
            continue;
        }
        const struct timespec until = time_after(queue->limit.max_wait_us - (now - since));
        (void)condition_wait(&queue->work, &queue->mutex, &until);
    }
    queue->idle--;
}

static void serve(gecc_queue *queue) {
    struct batch *batch = gecc_groups_take(&queue->groups);
    queue->queued -= batch->requests;
    queue->running++;
    if (queue->queued != 0)
        wake(queue); /* another thread sees to it that the others do not wait for too long */
    while (gecc_batch_is_copying(batch))
        pthread_cond_wait(&queue->copied, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
    gecc_batch_run(batch);
    pthread_mutex_lock(&queue->mutex);
    release(queue, batch);
    pthread_mutex_unlock(&queue->mutex);
    tell(batch);
    gecc_arena_give(&queue->arenas, gecc_batch_end(batch));
    pthread_mutex_lock(&queue->mutex);
    queue->running--;
    if (queue->draining)
        pthread_cond_broadcast(&queue->finished);
}

static void *serve_all(void *argument) {
    gecc_queue *queue = argument;
    own_queue = queue;
    pthread_mutex_lock(&queue->mutex);
    while (!queue->closing) {
        rest(queue);
        while (may_run(queue))
            serve(queue);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

/* The rest. */

int gecc_queue_cancel(gecc_queue *queue, uint64_t number) {
    if (queue == NULL || forked(queue))
        return 0;
    pthread_mutex_lock(&queue->mutex);
    const bool cancelled = gecc_groups_cancel(&queue->groups, number);
    pthread_mutex_unlock(&queue->mutex);
    return cancelled;
}

size_t gecc_queue_take(gecc_queue *queue, gecc_completion *taken, size_t most, uint64_t microseconds) {
    size_t count = 0;
    if (queue == NULL || taken == NULL || most == 0 || forked(queue))
        return 0;
    const struct timespec until = time_after(microseconds);
    pthread_mutex_lock(&queue->mutex);
    queue->callers++;
    while (queue->completion_count == 0 && !(queue->draining && queue->queued == 0 && queue->running == 0))
        if (microseconds == 0 || !condition_wait(&queue->completed, &queue->mutex, &until))
            break;
    for (; count < most && queue->completion_count != 0; count++, queue->completion_count--) {
        const struct completed *first = &queue->completions[queue->first_completion];
        taken[count] = first->completion;
        queue->rows -= first->rows;
        queue->first_completion = (queue->first_completion + 1) % queue->limit.rows;
    }
    if (count != 0)
        pthread_cond_broadcast(&queue->room);
    queue->callers--;
    pthread_cond_broadcast(&queue->finished);
    pthread_mutex_unlock(&queue->mutex);
    return count;
}

void gecc_queue_drain(gecc_queue *queue) {
    if (queue == NULL || forked(queue))
        return;
    pthread_mutex_lock(&queue->mutex);
    queue->draining = true;
    pthread_cond_broadcast(&queue->room);
    while (queue->queued != 0 || queue->running != 0)
        pthread_cond_wait(&queue->finished, &queue->mutex);
    pthread_cond_broadcast(&queue->completed);
    pthread_mutex_unlock(&queue->mutex);
}

static void stop(gecc_queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->closing = true;
    pthread_cond_broadcast(&queue->work);
    while (queue->callers != 0)
        pthread_cond_wait(&queue->finished, &queue->mutex);
    pthread_mutex_unlock(&queue->mutex);
    for (unsigned i = 0; i < queue->threads; i++)
        pthread_join(queue->thread[i], NULL);
    gecc_arena_cache_close(&queue->arenas);
    pthread_cond_destroy(&queue->work);
    pthread_cond_destroy(&queue->copied);
    pthread_cond_destroy(&queue->room);
    pthread_cond_destroy(&queue->finished);
    pthread_cond_destroy(&queue->completed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->completions);
}

void gecc_queue_close(gecc_queue *queue) {
    if (queue == NULL)
        return;
    if (!forked(queue)) {
        gecc_queue_drain(queue);
        stop(queue);
    }
    free(queue);
}

static unsigned threads_of(gecc_context *context) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    unsigned threads = 1;
    for (size_t i = 0; i < gecc_backends(context, i, &info); i++)
        threads = info.threads > threads ? info.threads : threads;
    return threads;
}

static gecc_result config_take(gecc_queue_config *own, gecc_context *context, const gecc_queue_config *config) {
    *own = (gecc_queue_config)GECC_QUEUE_CONFIG_INIT;
    if (config != NULL && !gecc_sized_take(own, sizeof *own, CONFIG_LEAST, config, config->size))
        return gecc_error(GECC_ERROR_ARGUMENT, "config: size is %zu, which this version (%s) does not know",
                          config->size, gecc_version());
    own->rows = own->rows == 0 ? ROWS : own->rows;
    own->bytes = own->bytes == 0 ? BYTES : own->bytes;
    own->max_wait_us = own->max_wait_us == 0 ? WAIT_US : own->max_wait_us;
    own->threads = own->threads == 0 ? threads_of(context) : own->threads;
    if (own->rows > REQUEST_ROWS_MOST || own->bytes > PTRDIFF_MAX / 2)
        return gecc_error(GECC_ERROR_ARGUMENT, "config: %zu rows of %zu bytes are more than a queue can have",
                          own->rows, own->bytes);
    if (own->threads > THREADS_MOST)
        return gecc_error(GECC_ERROR_ARGUMENT, "config: %u threads, where %d are the most", own->threads, THREADS_MOST);
    if (own->waits_for_room != 0 && own->waits_for_room != 1)
        return gecc_error(GECC_ERROR_ARGUMENT, "config: waits_for_room is %d, not 0 or 1", own->waits_for_room);
    if (own->reserved != 0)
        return gecc_error(GECC_ERROR_ARGUMENT, "config: reserved is %d, not 0", own->reserved);
    return GECC_OK;
}

gecc_result gecc_queue_open_by(gecc_context *context, gecc_queue **opened, const gecc_queue_config *config,
                               uint64_t (*clock)(void)) {
    gecc_queue_config own;
    if (context == NULL || opened == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "%s is NULL", context == NULL ? "context" : "queue");
    *opened = NULL;
    gecc_result result = config_take(&own, context, config);
    if (result != GECC_OK)
        return result;
    gecc_queue *queue = calloc(1, sizeof *queue + own.threads * sizeof queue->thread[0]);
    if (queue == NULL)
        return no_memory();
    queue->context = context;
    queue->limit = own;
    queue->clock = clock;
    queue->process = getpid();
    gecc_groups_open(&queue->groups);
    gecc_arena_cache_open(&queue->arenas, own.bytes);
    mutex_open(&queue->mutex);
    condition_open(&queue->work);
    condition_open(&queue->completed);
    pthread_cond_init(&queue->copied, NULL);
    pthread_cond_init(&queue->room, NULL);
    pthread_cond_init(&queue->finished, NULL);
    for (; queue->threads < own.threads; queue->threads++)
        if (thread_start(&queue->thread[queue->threads], serve_all, queue) != 0)
            break;
    if (queue->threads == own.threads) {
        *opened = queue;
        return GECC_OK;
    }
    gecc_queue_close(queue);
    return gecc_error(GECC_ERROR_THREAD, "a thread of the queue could not be started");
}

gecc_result gecc_queue_open(gecc_context *context, gecc_queue **queue, const gecc_queue_config *config) {
    return gecc_queue_open_by(context, queue, config, monotonic_us);
}
