/* Products, squares and sums in registers modulo SM2's prime, by the library's reduction and by that of limbs/ptx_apart.h. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/sm2_32.gen.h"

#include "backend/cuda/papers/multiply.cuh"

LANE_INLINE struct modulus prime_reduced(enum reduction reduction) {
    struct modulus m = CURVE.p;
    m.reduction = reduction;
    return m;
}

/* x + times y. */
LANE_INLINE void add_rows(const struct modulus *m, size_t bytes, const struct launch *l, uint32_t times) {
    const struct worker w = worker_of_chunk(l->count);
    for (size_t i = w.first; i < w.count; i += w.step) {
        lane32 status = status_ok();
        struct limbs x = modular_encode(m, integer_read(0, &l->job.in[0], l->first + i, 1, bytes, &status));
        struct limbs y = modular_encode(m, integer_read(0, &l->job.in[1], l->first + i, 1, bytes, &status));
        for (uint32_t n = 0; n < times; n++)
            x = modular_add(m, x, y);
        integer_write(0, &l->job.out[0], l->first + i, 1, bytes, modular_decode(m, x));
    }
}

KERNELS_OF_MODULUS(sm2, CURVE.p)
KERNELS_OF_MODULUS(sm2_pairs, prime_reduced(REDUCE_SM2_PAIRS))
KERNEL_OF_PAPERS(add_sm2, BLOCK_THREADS, const struct modulus m = CURVE.p;
                 add_rows(&m, l.job.modulus_bytes, &l, o.times))
