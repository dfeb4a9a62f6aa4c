/* The GPU's machine on secp256k1. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/secp256k1_32.gen.h"

#include "scheme/ethereum.h"
#include "scheme/schnorr.h"

#define PROGRAM_SM2(operation, function)
#define PROGRAM_SECP256K1(operation, function) KERNEL(operation, function)
#include "backend/cuda/curve.cuh"
