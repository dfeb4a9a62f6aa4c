/* Whose share of a batch is whose. */
#ifndef GECC_BATCH_WORKER_H
#define GECC_BATCH_WORKER_H

#include <stddef.h>

#include "limbs/attributes.h"

/* My share of `count` slots: first, first + step, ... It may be empty. */
struct worker {
    size_t first, step, count;
};

/* A thread of the CPU has all slots of its chunk; a thread of a GPU strides through those of the whole grid, so that
 * neighbours work on neighbouring slots. */
LANE_INLINE struct worker worker_of_chunk(size_t slots) {
#ifdef __CUDACC__
    struct worker w = {blockIdx.x * (size_t)blockDim.x + threadIdx.x, gridDim.x * (size_t)blockDim.x, slots};
#else
    struct worker w = {0, 1, slots};
#endif
    return w;
}

/* On a GPU warps that share a scheduler, every fourth of a block, wait for each other, so that they run through large loops
 * together and what the instruction caches fetch serves all of them. All threads of a block come here equally often: they
 * go up to worker_end(). Blocks have a multiple of 128 threads, or fewer. */
LANE_INLINE void worker_keep_pace(void) {
#ifdef __CUDACC__
    enum { SCHEDULERS = 4, WARP = 32 };
    unsigned fellows = blockDim.x < SCHEDULERS * WARP ? WARP : blockDim.x / SCHEDULERS;
    __asm__ volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.x / WARP % SCHEDULERS), "r"(fellows));
#endif
}

/* Where the slots of a worker end if all threads of its block go through equally many. What is not below `count` is not a
 * slot. */
LANE_INLINE size_t worker_end(const struct worker *w) {
#ifdef __CUDACC__
    size_t first = w->first - threadIdx.x, slots = first < w->count ? (w->count - first + w->step - 1) / w->step : 0;
    return w->first + slots * w->step;
#else
    return w->count;
#endif
}

/* Wait for all threads of the block, which come here: a worker without a slot goes on to read what the last slot's has written. */
LANE_INLINE void worker_wait(void) {
#ifdef __CUDACC__
    __syncthreads();
#endif
}

/* Slot i, or the last one where there is none, for a worker that keeps pace with others and then must not write. */
LANE_INLINE size_t worker_slot(const struct worker *w, size_t i) { return i < w->count ? i : w->count - 1; }

/* The last slot of a share that is not empty. */
LANE_INLINE size_t worker_last(const struct worker *w) {
    return w->first + (w->count - 1 - w->first) / w->step * w->step;
}

#endif
