/* Products and squares in two passes of Emmart et al., modulo odd numbers of MODULUS_BITS bits, for blocks of
 * MOST_THREADS threads: the more a block has, the fewer registers each of them. */
enum { LIMBS = MODULUS_BITS / 32, WORDS = LIMBS, BLOCK_THREADS = MOST_THREADS };

#include "papers/limbs/multiply.h"

#include "papers/kernels/multiply.cuh"

KERNELS_OF_MODULUS(any_two_pass, any_modulus(&l.job, REDUCE_TWO_PASS))
