/* The paper's multiplications and additions by this library's arithmetic. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include "curve/generated/sm2.gen.h"

#include "papers/kernels/points.cuh"

KERNEL_OF_POINTS(fpmul_gecc, TASK_FPMUL, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(upmul_gecc, TASK_UPMUL, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(add_gecc, TASK_ADD, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
