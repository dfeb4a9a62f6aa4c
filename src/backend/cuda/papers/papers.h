/* What the program bench/papers and the kernels of this folder agree on. Plain C and CUDA C.
 *
 * A kernel is called gecc_papers_<name>; its arguments are a struct launch, of which it reads what it needs, a struct
 * papers_options, and where each block leaves its clock. */
#ifndef GECC_BACKEND_CUDA_PAPERS_PAPERS_H
#define GECC_BACKEND_CUDA_PAPERS_PAPERS_H

#include "backend/cuda/launch.h"

/* How long a block ran: in cycles of its multiprocessor, and by a clock that is the same everywhere. */
struct papers_clock {
    uint64_t cycles, nanoseconds;
};

struct papers_options {
    uint32_t times; /* repetitions, of kernels that repeat */
    uint32_t seed;  /* what streams of instructions start from */
};

/* Of an image that has rows of points: bytes of workspace a row, and of a chunk besides, of which the first 32 a row are what
 * an L2 cache is to keep; threads of a block; bytes of the launch's tables, which the kernel `powers` fills. In device memory,
 * as gecc_papers_sizes. */
struct papers_sizes {
    uint32_t row_bytes, chunk_bytes, threads, table_bytes;
};

#ifdef __CUDACC__

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

#endif
