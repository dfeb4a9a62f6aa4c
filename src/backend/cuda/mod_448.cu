/* The GPU's machine on moduli of up to 448 bits. */
enum { LIMBS = 14, WORDS = 14, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
