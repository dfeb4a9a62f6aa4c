/* The kernels of one curve. The includer has included the machine and the curve's constants, and defines BLOCK_THREADS, the
 * most that a block has. */
#ifndef GECC_BACKEND_CUDA_CURVE_CUH
#define GECC_BACKEND_CUDA_CURVE_CUH

#ifdef CURVE_HAS_SECP256K1
#include "scheme/ethereum.h"
#include "scheme/schnorr.h"
#define PROGRAM_SECP256K1(operation, function) KERNEL(operation, function)
#else
#define PROGRAM_SECP256K1(operation, function)
#endif
#include "scheme/ecdsa.h"
#ifdef CURVE_HAS_SM2
#include "scheme/sm2.h"
#define PROGRAM_SM2(operation, function) KERNEL(operation, function)
#else
#define PROGRAM_SM2(operation, function)
#endif

#include "batch/table_passes.h"

/* 512 threads leave 128 registers to each, 384 leave 168. All of a multiprocessor's warps are one block, since those that
 * start together stay near each other in the code, which the instruction caches need. */
enum { MULTIPROCESSOR_BLOCKS = 1, ROWS_A_THREAD = 32 };

static_assert(BLOCK_THREADS % 128 == 0, "each scheduler has as many warps of a block: worker_keep_pace");
static_assert(BASE_SUMS == 1,
              "batch_multiply_base_sums would have a thread's sums where another's tables of points are");

#define PROGRAM_CURVE(operation, function) KERNEL(operation, function)
#define PROGRAM_CURVE25519(operation, function)
#define PROGRAM_MOD(operation, function)
#define PROGRAM_HASH(operation, function)
#define KERNEL_TABLES(l) (l)->tables
#include "backend/cuda/kernels.cuh"

/* Which make tables of keys. */
KERNEL(, keys_bases)
KERNEL(, keys_normalise)
KERNEL(, keys_extend)

#define KERNEL_OF_TABLES(pass, fill)                                                                                   \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)                                 \
        gecc_tables_##pass(const __grid_constant__ struct launch l) {                                                  \
        struct worker w = worker_of_chunk(l.count);                                                                    \
        struct table_memory memory = {(limb *)l.tables, (limb *)l.workspace};                                          \
        fill(&w, &memory);                                                                                             \
    }

KERNEL_OF_TABLES(0, tables_bases)
KERNEL_OF_TABLES(1, tables_starts)
KERNEL_OF_TABLES(2, tables_runs)
KERNEL_OF_TABLES(3, tables_scans)

#define MEASURE_MODULUS(l) CURVE.p
#define MEASURE_BYTES(l) CURVE.bytes
#include "backend/cuda/measure.cuh"

#define TABLES_OF(width)                                                                                               \
    {                                                                                                                  \
        (width), WINDOW_COUNT(SCALAR_BITS, width), TABLES_BYTES_OF(width), {                                           \
            TABLES_WINDOWS(width), TABLES_WINDOWS(width), TABLES_RUNS(width), TABLES_SCANS                             \
        }                                                                                                              \
    }

extern "C" {
__device__ struct launch_info gecc_info = {
    LAUNCH_ABI,
    sizeof(struct job),
    BLOCK_THREADS,
    ROWS_A_THREAD,
    CHUNK_SLOT_BYTES,
    CHUNK_BYTES,
    SECRET_TABLE_LIMBS * sizeof(limb),
    4,
    PUBLIC_WIDTHS,
    ROW_LIMBS * sizeof(limb),
    {TABLES_OF(PUBLIC_WIDTH_MOST), TABLES_OF(PUBLIC_WIDTH_MOST - PUBLIC_WIDTH_STEP),
     TABLES_OF(PUBLIC_WIDTH_MOST - 2 * PUBLIC_WIDTH_STEP), TABLES_OF(PUBLIC_WIDTH_MOST - 3 * PUBLIC_WIDTH_STEP)},
};
}

#endif
