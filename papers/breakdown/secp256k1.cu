/* The GPU's machine on secp256k1, for the breakdown. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx/multiply.h"

#include "curve/generated/secp256k1.gen.h"

#include "papers/breakdown/breakdown.cuh"
