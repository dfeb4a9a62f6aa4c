/* Kernels of streams of instructions: thread t of the grid writes what seed + t gives to the workspace's word t. */
#include "papers/kernels/issue.h"
#include "papers/kernels/kernel.cuh"

enum { ISSUE_THREADS = 1024 }; /* one block fills a multiprocessor: 64 registers a thread at most */

LANE_INLINE uint32_t thread_of_grid(void) { return blockIdx.x * blockDim.x + threadIdx.x; }

#define KERNEL_OF_ISSUE(name, pattern, A, B)                                                                           \
    KERNEL_OF_PAPERS(issue_##name, ISSUE_THREADS,                                                                      \
                     ((uint32_t *)l.workspace)[thread_of_grid()] = issue_##name(o.seed + thread_of_grid(), o.times))
ISSUE_LIST(KERNEL_OF_ISSUE)
