/* The GPU's machine on a curve of Edwards form: CURVE_WORDS words of 32 bits, CURVE_CONSTANTS the header with its constants. */
enum { LIMBS = CURVE_WORDS, WORDS = CURVE_WORDS, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include CURVE_CONSTANTS

#include "backend/cuda/edwards.cuh"
