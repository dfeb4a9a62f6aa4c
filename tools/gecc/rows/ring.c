#define _DEFAULT_SOURCE /* sysconf */

#include "rows/ring.h"

#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

enum { MOST_WORKERS = 32, LEAST_WORKERS = 2 };

/* Items are numbered in the order in which the first stage takes them. Numbers in flight are `done` to turn[0] - 1. */
struct flow {
    const struct ring *ring;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t turn[RING_STAGES];    /* the number that comes next into a stage that takes items in order */
    bool is_taken[RING_STAGES];    /* RING_IN_TURN: a thread is in it */
    uint64_t done, last, reopened; /* last: numbers that there will be; UINT64_MAX: not yet known */
    void *unused[RING_ITEMS];
    size_t unused_count;
    struct passage {
        void *item;
        size_t stage; /* that comes next, or in which it is */
        bool is_busy;
    } passages[RING_ITEMS]; /* by number modulo their count */
};

static struct passage *passage_at(struct flow *flow, uint64_t number) { return &flow->passages[number % RING_ITEMS]; }

static bool waits_for(struct flow *flow, uint64_t number, size_t stage) {
    const struct passage *passage = passage_at(flow, number);
    return number < flow->turn[0] && passage->stage == stage && !passage->is_busy;
}

/* The number of an item that the stage can take now. false: there is none. */
static bool find(struct flow *flow, size_t stage, uint64_t *number) {
    const enum ring_order order = flow->ring->stages[stage].order;
    *number = flow->turn[stage];
    if (order == RING_IN_TURN && flow->is_taken[stage])
        return false;
    if (stage == 0)
        return *number < flow->last && flow->unused_count != 0;
    if (order != RING_ANY)
        return waits_for(flow, *number, stage);
    for (*number = flow->done; *number < flow->turn[0]; ++*number)
        if (waits_for(flow, *number, stage))
            return true;
    return false;
}

static void take(struct flow *flow, size_t stage, uint64_t number) {
    struct passage *passage = passage_at(flow, number);
    if (stage == 0)
        *passage = (struct passage){.item = flow->unused[--flow->unused_count]};
    passage->is_busy = true;
    flow->turn[stage] = number + 1;
    flow->is_taken[stage] = true;
    if (flow->ring->stages[stage].begin)
        flow->ring->stages[stage].begin(flow->ring->owner, passage->item);
}

static void pass(struct flow *flow, size_t stage, uint64_t number) {
    struct passage *passage = passage_at(flow, number);
    passage->is_busy = false;
    passage->stage++;
    flow->is_taken[stage] = false;
    if (passage->stage == flow->ring->stage_count) {
        flow->unused[flow->unused_count++] = passage->item;
        flow->done++;
    }
    pthread_cond_broadcast(&flow->changed);
}

/* The caller holds the lock, and has it again when the stage has done its work. */
static void work(struct flow *flow, size_t stage, uint64_t number) {
    void *item;
    const uint64_t reopened = flow->reopened;
    take(flow, stage, number);
    item = passage_at(flow, number)->item;
    pthread_mutex_unlock(&flow->lock);
    const enum ring_answer answer = flow->ring->stages[stage].work(flow->ring->owner, item);
    pthread_mutex_lock(&flow->lock);
    if (answer == RING_REOPEN) {
        flow->reopened++;
        flow->last = UINT64_MAX;
    } else if (answer == RING_LAST && flow->reopened == reopened) {
        flow->last = number + 1;
    }
    pass(flow, stage, number);
}

/* The stage nearest to the end comes first, so that items are free again as soon as possible. */
static void serve(struct flow *flow, bool calls) {
    const struct ring *ring = flow->ring;
    uint64_t number = 0;
    pthread_mutex_lock(&flow->lock);
    while (flow->done < flow->last) {
        size_t stage = ring->stage_count;
        while (stage != 0 && (ring->stages[stage - 1].calls != calls || !find(flow, stage - 1, &number)))
            stage--;
        if (stage != 0)
            work(flow, stage - 1, number);
        else
            pthread_cond_wait(&flow->changed, &flow->lock);
    }
    pthread_mutex_unlock(&flow->lock);
}

static void *serve_as_worker(void *flow) {
    serve(flow, false);
    return NULL;
}

static void *serve_as_caller(void *flow) {
    serve(flow, true);
    return NULL;
}

static size_t start(pthread_t *threads, size_t count, void *(*run)(void *flow), struct flow *flow) {
    size_t started = 0;
    while (started < count && pthread_create(&threads[started], NULL, run, flow) == 0)
        started++;
    return started;
}

bool ring_run(const struct ring *ring) {
    struct flow flow = {.ring = ring, .last = UINT64_MAX};
    pthread_t threads[RING_THREADS];
    pthread_mutex_init(&flow.lock, NULL);
    pthread_cond_init(&flow.changed, NULL);
    for (size_t i = 0; i < ring->item_count; i++)
        flow.unused[flow.unused_count++] = ring->items[ring->item_count - 1 - i];
    size_t started = start(threads, ring->workers, serve_as_worker, &flow);
    const bool works = started != 0;
    if (works) {
        started += start(threads + started, ring->callers - 1, serve_as_caller, &flow);
        serve(&flow, true);
    }
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_cond_destroy(&flow.changed);
    pthread_mutex_destroy(&flow.lock);
    return works;
}

size_t ring_workers(size_t asked) {
    const long count = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
    return count < LEAST_WORKERS ? LEAST_WORKERS : count > MOST_WORKERS ? MOST_WORKERS : (size_t)count;
}
