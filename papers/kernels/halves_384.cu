/* Products and squares modulo odd numbers of 384 bits, by halves of products: of Zheng et al. and of Emmart et al. */
enum { LIMBS = 12, WORDS = 12, BLOCK_THREADS = 128 };

#define PAPERS_HALVES
#include "papers/kernels/multiply_any.cuh"
