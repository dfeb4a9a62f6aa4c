/* The GPU's machine on moduli of up to 192 bits. */
enum { LIMBS = 6, WORDS = 6, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
