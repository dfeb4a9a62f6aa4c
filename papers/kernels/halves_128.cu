/* Products and squares modulo odd numbers of 128 bits, by halves of products: of Zheng et al. and of Emmart et al. */
enum { LIMBS = 4, WORDS = 4, BLOCK_THREADS = 128 };

#define PAPERS_HALVES
#define PAPERS_OURS
#include "papers/kernels/multiply_any.cuh"
