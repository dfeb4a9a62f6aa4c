/* The GPU's machine on moduli of up to MODULUS_WORDS words of 32 bits. */
enum { LIMBS = MODULUS_WORDS, WORDS = MODULUS_WORDS, BLOCK_THREADS = 128 };

#include "backend/cuda/kernels/mod.cuh"
