/* The GPU's machine: hashes. */
#include "limbs/lanes_scalar.h"
#include "limbs/ptx/threads.h"

#include "batch/arena.h"
#include "scheme/digest.h"

enum { BLOCK_THREADS = 128, MULTIPROCESSOR_BLOCKS = 4 };

#define PROGRAM_HASH PROGRAM
#define KERNEL_TABLES(l) NULL
#include "backend/cuda/kernels/kernels.cuh"

extern "C" {
__device__ struct launch_info gecc_info = {LAUNCH_ABI, sizeof(struct job), BLOCK_THREADS, 1};
}
