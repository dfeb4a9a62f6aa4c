/* The GPU's machine on moduli of up to 384 bits. */
enum { LIMBS = 12, WORDS = 12, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
