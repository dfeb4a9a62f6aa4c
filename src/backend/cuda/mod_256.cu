/* The GPU's machine on moduli of up to 256 bits. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#include "backend/cuda/mod.cuh"
