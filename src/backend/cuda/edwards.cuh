/* The kernels of one curve of Edwards form. The includer has included the machine and the curve's constants, and defines
 * BLOCK_THREADS, the most that a block has. */
#ifndef GECC_BACKEND_CUDA_EDWARDS_CUH
#define GECC_BACKEND_CUDA_EDWARDS_CUH

#include "batch/edwards_table_passes.h"
#include "scheme/edwards_keys.h"

/* As for other curves: curve.cuh. */
enum { MULTIPROCESSOR_BLOCKS = 1, ROWS_A_THREAD = 32 };

static_assert(BLOCK_THREADS % 128 == 0, "each scheduler has as many warps of a block: worker_keep_pace");

#define PROGRAM_CURVE(operation, function)
#define PROGRAM_SM2(operation, function)
#define PROGRAM_SECP256K1(operation, function)
#define PROGRAM_CURVE25519(operation, function) KERNEL(operation, function)
#define PROGRAM_MOD(operation, function)
#define PROGRAM_HASH(operation, function)
#define KERNEL_TABLES(l) (l)->tables
#include "backend/cuda/kernels.cuh"

/* Which make tables of keys. */
KERNEL(, keys_bases)
KERNEL(, keys_normalise)
KERNEL(, keys_extend)

extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)
    gecc_tables_0(const __grid_constant__ struct launch l) {
    struct worker w = worker_of_chunk(l.count);
    struct edwards_table_memory memory = {(limb *)l.tables, (limb *)l.workspace, gecc_public_windows.width};
    edwards_tables_fill(&w, &memory);
}

#define MEASURE_MODULUS(l) CURVE.p
#define MEASURE_BYTES(l) CURVE.bytes
#include "backend/cuda/measure.cuh"

#define TABLES_OF(width)                                                                                               \
    {                                                                                                                  \
        (width), WINDOW_COUNT(SCALAR_BITS, width), EDWARDS_BYTES(width), { EDWARDS_TASKS(width) }                      \
    }

extern "C" {
__device__ struct launch_info gecc_info = {
    LAUNCH_ABI,
    sizeof(struct job),
    BLOCK_THREADS,
    ROWS_A_THREAD,
    EDWARDS_SLOT_BYTES,
    EDWARDS_CHUNK_BYTES,
    TABLES_SCRATCH_LIMBS * sizeof(limb),
    1,
    4,
    ENTRY_ROWS *ROW_LIMBS * sizeof(limb),
    {TABLES_OF(EDWARDS_PUBLIC_MOST), TABLES_OF(EDWARDS_PUBLIC_MOST - EDWARDS_PUBLIC_STEP),
     TABLES_OF(EDWARDS_PUBLIC_MOST - 2 * EDWARDS_PUBLIC_STEP),
     TABLES_OF(EDWARDS_PUBLIC_MOST - 3 * EDWARDS_PUBLIC_STEP)},
};
}

#endif
