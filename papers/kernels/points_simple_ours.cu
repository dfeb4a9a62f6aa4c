/* The same by this library's arithmetic. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include "curve/generated/sm2.gen.h"

#include "papers/kernels/points_simple.cuh"
