/* Products, squares and sums in registers modulo SM2's prime, by the library's reduction and by that of
 * papers/limbs/apart.h. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

#include "curve/generated/sm2.gen.h"

#include "papers/kernels/multiply.cuh"

LANE_INLINE struct modulus prime_reduced(enum reduction reduction) {
    struct modulus m = CURVE.p;
    m.reduction = reduction;
    return m;
}

KERNELS_OF_MODULUS(sm2, CURVE.p)
KERNELS_OF_MODULUS(sm2_pairs, prime_reduced(REDUCE_SM2_PAIRS))
KERNEL_OF_PAPERS(add_sm2, BLOCK_THREADS, const struct modulus m = CURVE.p;
                 add_rows(&m, l.job.modulus_bytes, &l, o.times))
