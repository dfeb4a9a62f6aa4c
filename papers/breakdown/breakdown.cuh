/* The kernels of breakdown.h on one curve. The includer has included the machine and the curve's constants. Where
 * BREAKDOWN_BATCHED is defined rows share inversions. */
#ifndef PAPERS_BREAKDOWN_BREAKDOWN_CUH
#define PAPERS_BREAKDOWN_BREAKDOWN_CUH

#include "backend/cuda/kernels/launch.h"

#ifdef BREAKDOWN_BATCHED
enum { BATCHED = 1 };
#else
enum { BATCHED = 0 };
#endif

#include "papers/breakdown/breakdown.h"

/* As in curve.cuh. */
enum { MULTIPROCESSOR_BLOCKS = 1, ROWS_A_THREAD = 32 };

#define KERNEL_OF_BREAKDOWN(name, program)                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)                                 \
        gecc_kernel_##name(const __grid_constant__ struct launch l) {                                                  \
        struct arena arena = {(uint8_t *)l.workspace, l.workspace_bytes, 0};                                           \
        if (program(&arena, &l.job, l.first, l.count) != GECC_OK)                                                      \
            *l.faults = 1;                                                                                             \
    }

KERNEL_OF_BREAKDOWN(ec_mul_base, plain_mul_base)
KERNEL_OF_BREAKDOWN(ecdsa_verify, plain_verify)

extern "C" {
__device__ struct launch_info gecc_info = {
    LAUNCH_ABI, sizeof(struct job), BLOCK_THREADS, ROWS_A_THREAD, PLAIN_SLOT_BYTES, PLAIN_BYTES,
};
}

#endif
