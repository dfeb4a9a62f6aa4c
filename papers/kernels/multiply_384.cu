/* Products and squares modulo odd numbers of 384 bits. */
enum { LIMBS = 12, WORDS = 12, BLOCK_THREADS = 128 };

#include "papers/kernels/multiply_any.cuh"
