/* The GPU's machine: hashes. */
#include "limbs/lanes_scalar.h"
#include "limbs/ptx/threads.h"

#include "batch/arena.h"
#include "scheme/digest.h"

enum { BLOCK_THREADS = 128, MULTIPROCESSOR_BLOCKS = 4 };

#define PROGRAM_CURVE(operation, function)
#define PROGRAM_SM2(operation, function)
#define PROGRAM_SECP256K1(operation, function)
#define PROGRAM_CURVE25519(operation, function)
#define PROGRAM_MOD(operation, function)
#define PROGRAM_HASH(operation, function) KERNEL(operation, function)
#define KERNEL_TABLES(l) NULL
#include "backend/cuda/kernels.cuh"

extern "C" {
__device__ struct launch_info gecc_info = {LAUNCH_ABI, sizeof(struct job), BLOCK_THREADS, 1, 0, 0, 0, 0, 0, 0, {{0}}};
}
