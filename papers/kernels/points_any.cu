/* What RapidEC does, by arithmetic modulo any odd number. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_SM2 REDUCE_MONTGOMERY
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include "papers/kernels/points.cuh"

KERNEL_OF_POINTS(fpmul_rapid, TASK_FPMUL, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(upmul_rapid, TASK_UPMUL, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(sign_rapid, TASK_SIGN, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(verify_rapid, TASK_VERIFY, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
