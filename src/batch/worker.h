/* Whose share of a batch is whose. */
#ifndef GECC_BATCH_WORKER_H
#define GECC_BATCH_WORKER_H

/* Include the machine first, whose workers may be threads: LIMBS_THREADS. */

#include <stddef.h>

#include "limbs/attributes.h"

#ifndef LIMBS_THREADS
LANE_INLINE size_t thread_number(void) { return 0; }
LANE_INLINE size_t thread_count(void) { return 1; }
LANE_INLINE size_t thread_in_block(void) { return 0; }
LANE_INLINE void threads_wait(void) {}
LANE_INLINE void threads_keep_pace(void) {}
#endif

/* My share of `count` slots: first, first + step, ... It may be empty. */
struct worker {
    size_t first, step, count;
};

/* A thread of the CPU has all slots of its chunk; a thread of a GPU strides through those of the whole grid, so that
 * neighbours work on neighbouring slots. */
LANE_INLINE struct worker worker_of_chunk(size_t slots) {
    struct worker w = {thread_number(), thread_count(), slots};
    return w;
}

/* On a GPU warps that share a scheduler wait for each other, so that they run through large loops together and a line
 * that the instruction caches fetch serves all of them. All threads of a block come here equally often: they go up to
 * worker_end(). */
LANE_INLINE void worker_keep_pace(void) { threads_keep_pace(); }

/* Where the slots of a worker end if all threads of its block go through equally many. What is not below `count` is not
 * a slot. */
LANE_INLINE size_t worker_end(const struct worker *w) {
    size_t first = w->first - thread_in_block(),
           slots = first < w->count ? (w->count - first + w->step - 1) / w->step : 0;
    return w->first + slots * w->step;
}

/* Wait for all threads of the block, which come here: a worker without a slot goes on to read what the last slot's has
 * written. */
LANE_INLINE void worker_wait(void) { threads_wait(); }

/* Slot i, or the last one where there is none, for a worker that keeps pace with others and then must not write. */
LANE_INLINE size_t worker_slot(const struct worker *w, size_t i) { return i < w->count ? i : w->count - 1; }

/* The last slot of a share that is not empty. */
LANE_INLINE size_t worker_last(const struct worker *w) {
    return w->first + (w->count - 1 - w->first) / w->step * w->step;
}

/* How many slots go in step, slot i and the worker's next ones: `most`, one or two, unless i is its last. */
LANE_INLINE int slots_in_step(const struct worker *w, size_t i, int most) {
    return most == 1 || w->count - i > w->step ? most : 1;
}

#endif
