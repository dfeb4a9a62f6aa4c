/* Products and squares modulo the job's modulus, any odd number: by the library's reduction and by that of limbs/ptx_apart.h.
 * The includer has set LIMBS, WORDS and BLOCK_THREADS. */
#ifndef GECC_BACKEND_CUDA_PAPERS_MULTIPLY_ANY_CUH
#define GECC_BACKEND_CUDA_PAPERS_MULTIPLY_ANY_CUH

#include "limbs/ptx_mul.h"

#include "backend/cuda/papers/multiply.cuh"

/* The job's modulus: one thread of the block makes it. */
LANE_INLINE struct modulus any_modulus(const struct job *job, enum reduction reduction) {
    __shared__ struct modulus m;
    if (threadIdx.x == 0)
        m = job_modulus(job);
    __syncthreads();
    return modulus_reduced(&m, reduction);
}

KERNELS_OF_MODULUS(any, any_modulus(&l.job, REDUCE_MONTGOMERY))
KERNELS_OF_MODULUS(any_apart, any_modulus(&l.job, REDUCE_APART))

#endif
