/* k P of simple.h on SM2. The includer has included the machine and the curve's constants, which say by what arithmetic. */
#ifndef GECC_BACKEND_CUDA_PAPERS_POINTS_SIMPLE_CUH
#define GECC_BACKEND_CUDA_PAPERS_POINTS_SIMPLE_CUH

#include "backend/cuda/papers/points.cuh"
#include "backend/cuda/papers/simple.h"

KERNEL_OF_PAPERS(upmul_simple, BLOCK_THREADS, struct arena arena = launch_arena(&l);
                 if (simple_mul(&arena, &l.job, l.first, l.count) != GECC_OK) *l.faults = 1)

#endif
