/* Kernels that only multiply, or square: what measure.h is about. The includer defines MEASURE_MODULUS(l), the
 * modulus of a launch as an lvalue of type struct modulus, and MEASURE_BYTES(l), the width of its rows.
 *
 * A thread may use every register there is, so that nothing but the arithmetic is measured. */
#ifndef GECC_BACKEND_CUDA_KERNELS_MEASURE_CUH
#define GECC_BACKEND_CUDA_KERNELS_MEASURE_CUH

#include "backend/cuda/kernels/measure_rows.h"

#define KERNEL_OF_MEASUREMENT(name, squaring)                                                                          \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS)                                                        \
        gecc_measure_##name(const __grid_constant__ struct launch l, uint32_t times) {                                 \
        const struct modulus m = MEASURE_MODULUS(&l);                                                                  \
        measure_rows(&m, squaring, MEASURE_BYTES(&l), &l, times);                                                      \
    }

KERNEL_OF_MEASUREMENT(multiply, 0)
KERNEL_OF_MEASUREMENT(square, 1)

#endif
