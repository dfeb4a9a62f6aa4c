/* Threads of a GPU, as batch/worker.h shares a batch among them. To other compilers than nvcc there is one thread, and this defines
 * nothing. */
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

/* Wait for the warps that share a scheduler with mine, every fourth of a block. All threads of a block come here equally often.
 * Blocks have a multiple of 128 threads, or fewer. */
LANE_INLINE void threads_keep_pace(void) {
    enum { SCHEDULERS = 4, WARP = 32 };
    unsigned fellows = blockDim.x < SCHEDULERS * WARP ? WARP : blockDim.x / SCHEDULERS;
    __asm__ volatile("bar.sync %0, %1;" ::"r"(1 + threadIdx.x / WARP % SCHEDULERS), "r"(fellows));
}

#endif
#endif
