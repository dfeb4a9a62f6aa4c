/* Simple multiplication of points by the arithmetic of Zheng et al.: products by rows of halves, the reduction of
 * Solinas. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

#include "papers/kernels/plain_sm2.gen.h"

#include "papers/kernels/points_simple.cuh"
