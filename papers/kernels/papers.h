/* What the program papers/program and the kernels of this folder agree on. Plain C and CUDA C.
 *
 * A kernel is called gecc_papers_<name>; its arguments are a struct launch, of which it reads what it needs, a struct
 * papers_options, and where each block leaves its clock. */
#ifndef PAPERS_KERNELS_PAPERS_H
#define PAPERS_KERNELS_PAPERS_H

#include "backend/cuda/kernels/launch.h"

/* How long a block ran: in cycles of its multiprocessor, and by a clock that is the same everywhere. */
struct papers_clock {
    uint64_t cycles, nanoseconds;
};

struct papers_options {
    uint32_t times; /* repetitions, of kernels that repeat */
    uint32_t seed;  /* what streams of instructions start from */
};

/* Of an image that has rows of points: bytes of workspace a row, and of a chunk besides, of which the first 32 a row
 * are what an L2 cache is to keep; threads of a block; bytes of the launch's tables, which the kernel `powers` fills.
 * In device memory, as gecc_papers_sizes. */
struct papers_sizes {
    uint32_t row_bytes, chunk_bytes, threads, table_bytes;
};

#endif
