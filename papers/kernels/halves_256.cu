/* Products and squares modulo odd numbers of 256 bits, by halves of products: of Zheng et al. and of Emmart et al. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#define PAPERS_HALVES
#include "papers/kernels/multiply_any.cuh"
