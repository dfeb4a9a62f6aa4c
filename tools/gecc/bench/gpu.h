/* What only a GPU is asked for: multiplications in registers, and inversions in great batches. */
#ifndef TOOL_BENCH_GPU_H
#define TOOL_BENCH_GPU_H

#include "command_line/options.h"

struct bench_gpu {
    const struct options *options;
    gecc_context *context;   /* on the GPU */
    gecc_context *reference; /* on the CPU: a sample of the results is compared with its own */
    size_t runs;
    size_t rows;           /* that are multiplied at once, at most */
    const size_t *batches; /* of inversions; NULL: 2^20 and 2^25 */
    size_t batch_count;
};

/* Prints lines; returns an exit status. */
int bench_gpu_run(const struct bench_gpu *gpu);

/* Whether --op names one of the operations that only this has. */
bool bench_gpu_has_asked_for(const struct options *options);

#endif
