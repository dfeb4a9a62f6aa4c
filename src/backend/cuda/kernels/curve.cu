/* The GPU's machine on a curve: CURVE_WORDS words of 32 bits, CURVE_CONSTANTS the header with its constants. */
enum {
    LIMBS = CURVE_WORDS + CURVE_WORDS % 2,
    WORDS = CURVE_WORDS,
    BLOCK_THREADS = CURVE_WORDS > 12  ? 256
                    : CURVE_WORDS > 8 ? 384
                                      : 512
};

#if CURVE_WORDS > 8
#define FIELD_MULTIPLY LANE_FUNCTION /* inlined, its multiplications take minutes to compile */
#endif
#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include CURVE_CONSTANTS

#include "backend/cuda/kernels/curve.cuh"
