/* k P of simple.h on SM2. The includer has included the machine and the curve's constants, which say by what
 * arithmetic. */
#ifndef PAPERS_KERNELS_POINTS_SIMPLE_CUH
#define PAPERS_KERNELS_POINTS_SIMPLE_CUH

#include "papers/kernels/points.cuh"
#include "papers/kernels/simple.h"

KERNEL_OF_PAPERS(upmul_simple, BLOCK_THREADS, struct arena arena = launch_arena(&l);
                 if (simple_mul(&arena, &l.job, l.first, l.count) != GECC_OK) *l.faults = 1)

#endif
