/* Arithmetic in registers: row i of the result is x y^times, or x^(2^times), as in measure.cuh. The includer has
 * included the machine. */
#ifndef PAPERS_KERNELS_MULTIPLY_CUH
#define PAPERS_KERNELS_MULTIPLY_CUH

#include "scheme/mod.h"

#include "backend/cuda/kernels/measure_rows.h"
#include "papers/kernels/kernel.cuh"

/* The job's modulus: one thread of the block makes it. */
LANE_INLINE struct modulus any_modulus(const struct job *job, enum reduction reduction) {
    __shared__ struct modulus m;
    if (threadIdx.x == 0)
        m = job_modulus(job);
    __syncthreads();
    return modulus_reduced(&m, reduction);
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

/* Both kernels of a modulus. */
#define KERNELS_OF_MODULUS(name, given)                                                                                \
    KERNEL_OF_PAPERS(multiply_##name, BLOCK_THREADS, const struct modulus m = given;                                   \
                     measure_rows(&m, 0, l.job.modulus_bytes, &l, o.times))                                            \
    KERNEL_OF_PAPERS(square_##name, BLOCK_THREADS, const struct modulus m = given;                                     \
                     measure_rows(&m, 1, l.job.modulus_bytes, &l, o.times))

#endif
