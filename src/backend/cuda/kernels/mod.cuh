/* The kernels of one width of modulus. The includer has set LIMBS, WORDS and BLOCK_THREADS. */
#ifndef GECC_BACKEND_CUDA_KERNELS_MOD_CUH
#define GECC_BACKEND_CUDA_KERNELS_MOD_CUH

#include "limbs/ptx/multiply.h"

#include "scheme/mod.h"

/* Many rows a thread, since inversion is all that shares anything. */
enum { MULTIPROCESSOR_BLOCKS = 4, ROWS_A_THREAD = 128 };

/* The job's modulus: one thread of the block makes it. */
LANE_INLINE const void *block_modulus(const struct job *job) {
    __shared__ struct modulus m;
    if (threadIdx.x == 0)
        m = job_modulus(job);
    __syncthreads();
    return &m;
}

/* The same without a reduction of its own. */
LANE_INLINE struct modulus any_modulus(const struct job *job) {
    return modulus_reduced((const struct modulus *)block_modulus(job), REDUCE_MONTGOMERY);
}

#define PROGRAM_MOD PROGRAM
#define KERNEL_TABLES(l) block_modulus(&(l)->job)
#include "backend/cuda/kernels/kernels.cuh"

#define MEASURE_MODULUS(l) any_modulus(&(l)->job)
#define MEASURE_BYTES(l) (l)->job.modulus_bytes
#include "backend/cuda/kernels/measure.cuh"

extern "C" {
__device__ struct launch_info gecc_info = {
    LAUNCH_ABI, sizeof(struct job), BLOCK_THREADS, ROWS_A_THREAD, MOD_SLOT_BYTES, MOD_CHUNK_BYTES,
};
}

#endif
