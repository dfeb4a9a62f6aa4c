/* Products and squares modulo odd numbers of 512 bits. */
enum { LIMBS = 16, WORDS = 16, BLOCK_THREADS = 128 };

#include "papers/kernels/multiply_any.cuh"
