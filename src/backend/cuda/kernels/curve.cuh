/* The kernels of one curve of any form. The includer has included the machine and the curve's constants, and defines
 * BLOCK_THREADS, the most that a block has. */
#ifndef GECC_BACKEND_CUDA_KERNELS_CURVE_CUH
#define GECC_BACKEND_CUDA_KERNELS_CURVE_CUH

#include "scheme/curve_programs.h"

/* 512 threads leave 128 registers to each, 384 leave 168. All of a multiprocessor's warps are one block, since those
 * that start together stay near each other in the code, which the instruction caches need. */
enum { MULTIPROCESSOR_BLOCKS = 1, ROWS_A_THREAD = 32 };

static_assert(BLOCK_THREADS % 128 == 0, "each scheduler has as many warps of a block: worker_keep_pace");
static_assert(BASE_SUMS == 1,
              "batch_multiply_base_sums would have a thread's sums where another's tables of points are");

#define KERNEL_TABLES(l) (l)->tables
#include "backend/cuda/kernels/kernels.cuh"

#define MEASURE_MODULUS(l) CURVE.p
#define MEASURE_BYTES(l) CURVE.bytes
#include "backend/cuda/kernels/measure.cuh"

/* Tables of keys, and the passes after the first one for G's. */
KERNEL(keys_bases)
KERNEL(keys_normalise)
KERNEL(keys_extend)

/* The first pass for G, whose set is the job's: one thread's work. */
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)
    gecc_tables_bases(const __grid_constant__ struct launch l) {
    if (thread_number() == 0)
        base_bases(&l.job.keys, l.job.keys.width);
}

/* From the secret set, which is the job's, to the secret table. */
extern "C" __global__ void __launch_bounds__(BLOCK_THREADS, MULTIPROCESSOR_BLOCKS)
    gecc_tables_scan(const __grid_constant__ struct launch l) {
    struct arena arena = {(uint8_t *)l.workspace, l.workspace_bytes, 0};
    struct worker w = worker_of_chunk(l.count);
    struct entries e = entries_take(&arena, w.count);
    base_scan(&w, &l.job.keys, (limb *)l.tables, l.first, l.count, &e);
}

#ifdef CURVE_IS_EDWARDS
static_assert(PUBLIC_WIDTH_MOST % POINT_WINDOW == 0 && PUBLIC_WIDTH_STEP % POINT_WINDOW == 0,
              "windows of G start at the same doublings as those of other points");
#endif
static_assert(!SECRET_EISENSTEIN, "the passes double entries");
static_assert(ENTRIES_BYTES(0) <= CHUNK_BYTES, "and a pass has chunk_bytes besides those of its rows");

#define TABLES_OF(width)                                                                                               \
    {                                                                                                                  \
        (width), WINDOW_COUNT(SCALAR_BITS, width), LAST_ENTRIES(width),                                                \
            (SECRET_TABLE_LIMBS + TRIMMED_TABLE_LIMBS(width)) * sizeof(limb)                                           \
    }

extern "C" {
__device__ struct launch_info gecc_info = {
    LAUNCH_ABI,
    sizeof(struct job),
    BLOCK_THREADS,
    ROWS_A_THREAD,
    CHUNK_SLOT_BYTES,
    CHUNK_BYTES,
    ENTRIES_BYTES(1) - ENTRIES_BYTES(0),
    ENTRY_ROWS *ROW_LIMBS * sizeof(limb),
    {SECRET_WINDOW, SECRET_WINDOWS, SECRET_ENTRIES, SECRET_TABLE_LIMBS * sizeof(limb)},
    PUBLIC_WIDTHS,
    {TABLES_OF(PUBLIC_WIDTH_MOST), TABLES_OF(PUBLIC_WIDTH_MOST - PUBLIC_WIDTH_STEP),
     TABLES_OF(PUBLIC_WIDTH_MOST - 2 * PUBLIC_WIDTH_STEP), TABLES_OF(PUBLIC_WIDTH_MOST - 3 * PUBLIC_WIDTH_STEP)},
};
}

#endif
