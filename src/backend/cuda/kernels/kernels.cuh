/* A kernel for each operation of operations.def that a program set offers. The includer has included the machine and
 * the programs, and defines PROGRAM_<family> as PROGRAM for each family that the set has (scheme/programs.h), and
 * KERNEL_TABLES(l), the tables of a launch.
 *
 * Each thread runs the program on its share of the rows. What threads of a block give each other goes through shared
 * memory (limbs/ptx/block.h). */
#ifndef GECC_BACKEND_CUDA_KERNELS_KERNELS_CUH
#define GECC_BACKEND_CUDA_KERNELS_KERNELS_CUH

#include "backend/cuda/kernels/launch.h"

#define KERNEL(function)                                                                                               \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)                                 \
        gecc_kernel_##function(const __grid_constant__ struct launch l) {                                              \
        struct arena arena = {(uint8_t *)l.workspace, l.workspace_bytes, 0};                                           \
        if (function(&arena, KERNEL_TABLES(&l), &l.job, l.first, l.count) != GECC_OK)                                  \
            *l.faults = 1;                                                                                             \
    }

#define PROGRAM(identifier, function) KERNEL(function)
#include "scheme/programs.h"

#endif
