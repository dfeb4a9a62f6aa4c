/* Kernels of papers: the clock that each reads itself, and how one is declared. */
#ifndef PAPERS_KERNELS_KERNEL_CUH
#define PAPERS_KERNELS_KERNEL_CUH

#include "papers/kernels/papers.h"

/* The clock of a block's first thread, which stands for the block. */
static __device__ __forceinline__ struct papers_clock papers_now(void) {
    struct papers_clock now;
    __asm__ volatile("mov.u64 %0, %%clock64;\n\tmov.u64 %1, %%globaltimer;"
                     : "=l"(now.cycles), "=l"(now.nanoseconds)::"memory");
    return now;
}

static __device__ __forceinline__ void papers_stop(struct papers_clock start, struct papers_clock *clocks) {
    __syncthreads();
    struct papers_clock stop = papers_now();
    if (threadIdx.x == 0) {
        clocks[blockIdx.x].cycles = stop.cycles - start.cycles;
        clocks[blockIdx.x].nanoseconds = stop.nanoseconds - start.nanoseconds;
    }
}

/* The body, last, sees l and o. */
#define KERNEL_OF_PAPERS(name, threads, ...)                                                                           \
    extern "C" __global__ void __launch_bounds__(threads)                                                              \
        gecc_papers_##name(const __grid_constant__ struct launch l, const __grid_constant__ struct papers_options o,   \
                           struct papers_clock *clocks) {                                                              \
        struct papers_clock start = papers_now();                                                                      \
        __VA_ARGS__;                                                                                                   \
        papers_stop(start, clocks);                                                                                    \
    }

#endif
