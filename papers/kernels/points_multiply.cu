/* Multiplications of points, by the paper's arithmetic. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_SM2 REDUCE_SM2_PAIRS
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include "papers/kernels/points.cuh"

KERNEL_OF_POINTS(fpmul_rapid_om, TASK_FPMUL, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(fpmul_gecc_mo_kf, TASK_FPMUL, {1, 1, BY_SLOTS, APART, BATCH_INVERSIONS})
KERNEL_OF_POINTS(fpmul_gecc_mo, TASK_FPMUL, {1, 1, BY_SLOTS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(fpmul_gecc, TASK_FPMUL, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(upmul_rapid_om, TASK_UPMUL, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(upmul_gecc_mo_kf, TASK_UPMUL, {1, 1, BY_SLOTS, APART, BATCH_INVERSIONS})
KERNEL_OF_POINTS(upmul_gecc_mo, TASK_UPMUL, {1, 1, BY_SLOTS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(upmul_gecc, TASK_UPMUL, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
