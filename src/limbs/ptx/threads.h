/* Threads of a GPU, as batch/worker.h shares a batch among them. To other compilers than nvcc there is one thread, and
 * this defines nothing. */
#ifndef GECC_LIMBS_PTX_THREADS_H
#define GECC_LIMBS_PTX_THREADS_H

#include <stddef.h>

#include "limbs/attributes.h"

#ifdef __CUDACC__

/* Workers are threads, which have memory in common (limbs/ptx/block.h). */
#define LIMBS_THREADS

LANE_INLINE size_t thread_number(void) { return blockIdx.x * (size_t)blockDim.x + threadIdx.x; }
LANE_INLINE size_t thread_count(void) { return gridDim.x * (size_t)blockDim.x; }
LANE_INLINE size_t thread_in_block(void) { return threadIdx.x; }

/* Wait for all threads of the block, which come here. */
LANE_INLINE void threads_wait(void) { __syncthreads(); }

enum {
    WARP_LANES = 32,
    SCHEDULERS = 4 /* of a multiprocessor: every fourth warp of a block has the same one */
};

LANE_INLINE unsigned thread_warp(void) { return threadIdx.x / WARP_LANES; }

/* The number of the barrier of my scheduler's warps, and how many threads wait there. Blocks have a multiple of 128
 * threads, or fewer; all threads of a block come to its barriers equally often. */
LANE_INLINE unsigned scheduler_barrier(void) { return 1 + thread_warp() % SCHEDULERS; }
LANE_INLINE unsigned scheduler_threads(void) {
    return blockDim.x < SCHEDULERS * WARP_LANES ? WARP_LANES : blockDim.x / SCHEDULERS;
}

/* Wait for the warps of my scheduler; loads and stores may pass the barrier. */
LANE_INLINE void threads_keep_pace(void) {
    __asm__ volatile("bar.sync %0, %1;" ::"r"(scheduler_barrier()), "r"(scheduler_threads()));
}

#endif
#endif
