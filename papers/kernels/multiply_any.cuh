/* Products and squares modulo the job's modulus, any odd number: by the library's reduction and by that of
 * papers/limbs/apart.h, or, where PAPERS_HALVES is defined, by those of papers/limbs/rows.h and two_pass.h;
 * PAPERS_OURS: by the library's, too. The includer has set LIMBS, WORDS and BLOCK_THREADS. */
#ifndef PAPERS_KERNELS_MULTIPLY_ANY_CUH
#define PAPERS_KERNELS_MULTIPLY_ANY_CUH

#include "papers/limbs/multiply.h"

#include "papers/kernels/multiply.cuh"

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
