/* What the threads of a GPU's block share. The includer defines BLOCK_THREADS, the most that a block has. */
#ifndef GECC_LIMBS_PTX_BLOCK_H
#define GECC_LIMBS_PTX_BLOCK_H

#include "limbs/ptx.h"

enum {
    WARP_LANES = 32,
    BLOCK_WARPS = BLOCK_THREADS / WARP_LANES,
    /* Words of a lane: two integers, and so many more that where each lane reads its own, eight reach different banks. */
    SHARED_WORDS = 2 * LIMBS + 4
};

/* For one thing at a time. Whoever has had secrets there wipes it. */
static __shared__ uint4 block_memory[BLOCK_WARPS * WARP_LANES * SHARED_WORDS / 4];

LANE_INLINE unsigned block_warps(void) { return blockDim.x / WARP_LANES; }
LANE_INLINE unsigned thread_warp(void) { return threadIdx.x / WARP_LANES; }
LANE_INLINE unsigned thread_lane(void) {
    unsigned lane;
    __asm__("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}

/* The part of a warp. */
LANE_INLINE limb *warp_memory(void) { return (limb *)(block_memory + thread_warp() * (WARP_LANES * SHARED_WORDS / 4)); }

#endif
