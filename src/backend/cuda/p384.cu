/* The GPU's machine on P-384. */
enum { LIMBS = 12, WORDS = 12, BLOCK_THREADS = 384 };

#define FIELD_MULTIPLY LANE_FUNCTION /* inlined, its multiplications take minutes to compile */
#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/p384_32.gen.h"

#include "scheme/ecdsa.h"

#define PROGRAM_SM2(operation, function)
#include "backend/cuda/curve.cuh"
