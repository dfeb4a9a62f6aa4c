/* Products and squares modulo odd numbers of 512 bits, by halves of products: of Zheng et al. and of Emmart et al. */
enum { LIMBS = 16, WORDS = 16, BLOCK_THREADS = 128 };

#define PAPERS_HALVES
#include "papers/kernels/multiply_any.cuh"
