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

/* The last slot of a share that is not empty. */
LANE_INLINE size_t worker_last(const struct worker *w) {
    return w->first + (w->count - 1 - w->first) / w->step * w->step;
}

#endif
