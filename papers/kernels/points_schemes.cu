/* Signatures with a given nonce and their verification, by the paper's arithmetic. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_SM2 REDUCE_SM2_PAIRS
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include "papers/kernels/points.cuh"

KERNEL_OF_POINTS(sign_rapid_om, TASK_SIGN, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(sign_rapid_om_bi, TASK_SIGN, {0, 0, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(sign_gecc, TASK_SIGN, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
KERNEL_OF_POINTS(verify_rapid_om, TASK_VERIFY, {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(verify_rapid_om_bf, TASK_VERIFY, {1, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS})
KERNEL_OF_POINTS(verify_gecc, TASK_VERIFY, {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS})
