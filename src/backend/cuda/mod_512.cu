/* The GPU's machine on moduli of up to 512 bits. */
enum { LIMBS = 16, WORDS = 16, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
