/* What the threads of a GPU's block share. The includer defines BLOCK_THREADS, the most that a block has. */
#ifndef GECC_LIMBS_PTX_BLOCK_H
#define GECC_LIMBS_PTX_BLOCK_H

#include "limbs/ptx/machine.h"
#include "limbs/ptx/threads.h"

enum {
    BLOCK_WARPS = BLOCK_THREADS / WARP_LANES,
    /* Words of a lane: two integers, and so many more that where each lane reads its own, eight reach different
     * banks. */
    SHARED_WORDS = 2 * LIMBS + 4
};

/* For one thing at a time, with a __syncwarp between. Whoever has had secrets there wipes it. */
static __shared__ uint4 block_memory[BLOCK_WARPS * WARP_LANES * SHARED_WORDS / 4];

LANE_INLINE unsigned block_warps(void) { return blockDim.x / WARP_LANES; }
LANE_INLINE unsigned thread_lane(void) {
    unsigned lane;
    __asm__("mov.u32 %0, %laneid;" : "=r"(lane));
    return lane;
}

/* The part of a warp, and of mine. */
LANE_INLINE limb *warp_memory_of(unsigned warp) {
    return (limb *)(block_memory + warp * (WARP_LANES * SHARED_WORDS / 4));
}
LANE_INLINE limb *warp_memory(void) { return warp_memory_of(thread_warp()); }

/* Wait for the warps of my scheduler, which see afterwards what mine wrote before. */
LANE_INLINE void scheduler_wait(void) {
    __asm__ volatile("bar.sync %0, %1;" ::"r"(scheduler_barrier()), "r"(scheduler_threads()) : "memory");
}

/* Rows that the lanes of a warp write, one after the other in memory, go by way of its shared memory, since lanes that
 * write to rows of their own take up to 32 accesses where one would do.
 *
 * Are all lanes here, each with a row of `width` bytes, and is the first one's at a multiple of 16? */
LANE_INLINE int warp_rows_adjoin(const uint8_t *row, size_t stride, size_t width) {
    return __activemask() == 0xffffffff && stride == width && width <= SHARED_WORDS * sizeof(limb) &&
           ((uintptr_t)row - thread_lane() * width) % sizeof(uint4) == 0;
}

/* Where my lane then writes its row. */
LANE_INLINE uint8_t *warp_row(size_t width) { return (uint8_t *)warp_memory() + thread_lane() * width; }

/* And what writes all of them to where they belong. */
LANE_INLINE void warp_rows_write(uint8_t *row, size_t width) {
    const uint4 *from = (const uint4 *)warp_memory();
    uint4 *to = (uint4 *)(row - thread_lane() * width);
    __syncwarp();
    for (size_t i = thread_lane(); i < WARP_LANES * width / sizeof(uint4); i += WARP_LANES)
        to[i] = from[i];
    __syncwarp();
}

/* What was there becomes 0, for results may be secret: all lanes that have had rows call this. */
LANE_INLINE void warp_rows_wipe(void) {
    for (unsigned i = thread_lane(); i < WARP_LANES * SHARED_WORDS / 4; i += WARP_LANES)
        ((uint4 *)warp_memory())[i] = make_uint4(0, 0, 0, 0);
}

#endif
