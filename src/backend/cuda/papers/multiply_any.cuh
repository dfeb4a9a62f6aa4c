/* Products and squares modulo the job's modulus, any odd number: by the library's reduction and by that of limbs/ptx/apart.h,
 * or, where PAPERS_HALVES is defined, by those of limbs/ptx/rows.h and two_pass.h; PAPERS_OURS: by the library's, too.
 * The includer has set LIMBS, WORDS and BLOCK_THREADS. */
#ifndef GECC_BACKEND_CUDA_PAPERS_MULTIPLY_ANY_CUH
#define GECC_BACKEND_CUDA_PAPERS_MULTIPLY_ANY_CUH

#include "backend/cuda/papers/machine.h"

#include "backend/cuda/papers/multiply.cuh"

#ifdef PAPERS_HALVES
#ifdef PAPERS_OURS
KERNELS_OF_MODULUS(any, any_modulus(&l.job, REDUCE_MONTGOMERY))
#endif
KERNELS_OF_MODULUS(any_rows, any_modulus(&l.job, REDUCE_ROWS))
KERNELS_OF_MODULUS(any_two_pass, any_modulus(&l.job, REDUCE_TWO_PASS))
#else
KERNELS_OF_MODULUS(any, any_modulus(&l.job, REDUCE_MONTGOMERY))
KERNELS_OF_MODULUS(any_apart, any_modulus(&l.job, REDUCE_APART))
#endif

#endif
