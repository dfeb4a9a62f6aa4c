/* The GPU's machine on moduli of up to 128 bits. */
enum { LIMBS = 4, WORDS = 4, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
