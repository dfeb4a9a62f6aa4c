/* Products and squares modulo odd numbers of 256 bits. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#include "papers/kernels/multiply_any.cuh"
