/* The GPU's machine on moduli of up to 320 bits. */
enum { LIMBS = 10, WORDS = 10, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
