/* The GPU's machine on SM2. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/sm2_32.gen.h"

#include "scheme/ecdsa.h"
#include "scheme/sm2.h"

#define PROGRAM_SM2(operation, function) KERNEL(operation, function)
#include "backend/cuda/curve.cuh"
