/* Arithmetic in registers: row i of the result is x y^times, or x^(2^times), as in measure.cuh. The includer has included the
 * machine. */
#ifndef GECC_BACKEND_CUDA_PAPERS_MULTIPLY_CUH
#define GECC_BACKEND_CUDA_PAPERS_MULTIPLY_CUH

#include "scheme/mod.h"

#include "backend/cuda/measure_rows.h"
#include "backend/cuda/papers/papers.h"

/* Both kernels of a modulus. */
#define KERNELS_OF_MODULUS(name, given)                                                                                \
    KERNEL_OF_PAPERS(multiply_##name, BLOCK_THREADS, const struct modulus m = given;                                   \
                     measure_rows(&m, 0, l.job.modulus_bytes, &l, o.times))                                            \
    KERNEL_OF_PAPERS(square_##name, BLOCK_THREADS, const struct modulus m = given;                                     \
                     measure_rows(&m, 1, l.job.modulus_bytes, &l, o.times))

#endif
