/* Arithmetic in registers: row i of the result is x y^times, or x^(2^times), as in measure.cuh, or x + times y; modulo
 * SM2's prime, which is known, and modulo the job's modulus, any odd number, each by the library's reduction and by that
 * of limbs/ptx_apart.h. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "limbs/ptx_mul.h"

#include "curve/generated/sm2_32.gen.h"

#include "scheme/mod.h"

#include "backend/cuda/measure_rows.h"
#include "backend/cuda/papers/papers.h"

/* The job's modulus: one thread of the block makes it. */
LANE_INLINE struct modulus any_modulus(const struct job *job, enum reduction reduction) {
    __shared__ struct modulus m;
    if (threadIdx.x == 0)
        m = job_modulus(job);
    __syncthreads();
    return modulus_reduced(&m, reduction);
}

LANE_INLINE struct modulus prime_reduced(enum reduction reduction) {
    struct modulus m = CURVE.p;
    m.reduction = reduction;
    return m;
}

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

/* Both kernels of a modulus. */
#define KERNELS_OF_MODULUS(name, given)                                                                                \
    KERNEL_OF_PAPERS(multiply_##name, BLOCK_THREADS, const struct modulus m = given;                                   \
                     measure_rows(&m, 0, l.job.modulus_bytes, &l, o.times))                                            \
    KERNEL_OF_PAPERS(square_##name, BLOCK_THREADS, const struct modulus m = given;                                     \
                     measure_rows(&m, 1, l.job.modulus_bytes, &l, o.times))

KERNELS_OF_MODULUS(sm2, CURVE.p)
KERNELS_OF_MODULUS(sm2_pairs, prime_reduced(REDUCE_SM2_PAIRS))
KERNELS_OF_MODULUS(any, any_modulus(&l.job, REDUCE_MONTGOMERY))
KERNELS_OF_MODULUS(any_apart, any_modulus(&l.job, REDUCE_APART))
KERNEL_OF_PAPERS(add_sm2, BLOCK_THREADS, const struct modulus m = CURVE.p;
                 add_rows(&m, l.job.modulus_bytes, &l, o.times))
