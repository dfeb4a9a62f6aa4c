/* Products and squares of 256 bits, alone and modulo SM2's prime in plain representation, as Zheng et al. measure them:
 * by the schoolbook's rows, by rows of lower and of upper halves, and by whole products in two carry chains. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 128 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

#include "curve/generated/sm2.gen.h"

#include "scheme/mod.h"

#include "papers/kernels/kernel.cuh"

enum way { SCHOOLBOOK, ROWS, WHOLE };

/* t = a * b. */
LANE_INLINE void product(enum way way, limb t[2 * LIMBS], const limb *a, const limb *b) {
    if (way == SCHOOLBOOK)
        schoolbook_product(t, a, b);
    else if (way == ROWS)
        rows_product(t, a, b);
    else
        limbs_product(t, a, b);
}

/* t = a^2. */
LANE_INLINE void square(enum way way, limb t[2 * LIMBS], const limb *a) {
    if (way == SCHOOLBOOK)
        schoolbook_square(t, a);
    else if (way == ROWS)
        rows_square(t, a);
    else
        limbs_square(t, a);
}

/* x times y, or x squared, `times` times: modulo p, or, so that the next depends on all of a product, its lower half
 * xor its upper half. */
LANE_INLINE void multiply_rows(enum way way, int squaring, int reducing, const struct launch *l, uint32_t times) {
    const struct worker w = worker_of_chunk(l->count);
    const struct modulus m = CURVE.p;
    for (size_t i = w.first; i < w.count; i += w.step) {
        lane32 status = status_ok();
        limb t[2 * LIMBS];
        struct limbs x = integer_read(0, &l->job.in[0], l->first + i, 1, 4 * LIMBS, &status);
        struct limbs y = integer_read(0, &l->job.in[1], l->first + i, 1, 4 * LIMBS, &status);
        for (uint32_t n = 0; n < times; n++) {
            if (squaring)
                square(way, t, x.v);
            else
                product(way, t, x.v, y.v);
            if (reducing)
                x = solinas_reduce_sm2(&m, t);
            else
                LANE_UNROLL for (int k = 0; k < LIMBS; k++) x.v[k] = t[k] ^ t[LIMBS + k];
        }
        integer_write(0, &l->job.out[0], l->first + i, 1, 4 * LIMBS, x);
    }
}

/* x times the lower half of y, 8 words by 4, `times` times: the next x is the lower 8 words of the 12 xor the upper
 * ones. */
LANE_INLINE void multiply_by_half(const struct launch *l, uint32_t times) {
    enum { HALF = LIMBS / 2 };
    const struct worker w = worker_of_chunk(l->count);
    for (size_t i = w.first; i < w.count; i += w.step) {
        lane32 status = status_ok();
        limb t[LIMBS + HALF];
        struct limbs x = integer_read(0, &l->job.in[0], l->first + i, 1, 4 * LIMBS, &status);
        struct limbs y = integer_read(0, &l->job.in[1], l->first + i, 1, 4 * LIMBS, &status);
        for (uint32_t n = 0; n < times; n++) {
            rows_product_of(t, x.v, LIMBS, y.v, HALF);
            LANE_UNROLL for (int k = 0; k < LIMBS; k++) x.v[k] = k < HALF ? t[k] ^ t[LIMBS + k] : t[k];
        }
        integer_write(0, &l->job.out[0], l->first + i, 1, 4 * LIMBS, x);
    }
}

#define KERNELS_OF_WAY(name, way)                                                                                      \
    KERNEL_OF_PAPERS(product_##name, BLOCK_THREADS, multiply_rows(way, 0, 0, &l, o.times))                             \
    KERNEL_OF_PAPERS(product_square_##name, BLOCK_THREADS, multiply_rows(way, 1, 0, &l, o.times))                      \
    KERNEL_OF_PAPERS(multiply_##name, BLOCK_THREADS, multiply_rows(way, 0, 1, &l, o.times))                            \
    KERNEL_OF_PAPERS(square_##name, BLOCK_THREADS, multiply_rows(way, 1, 1, &l, o.times))

KERNELS_OF_WAY(schoolbook, SCHOOLBOOK)
KERNELS_OF_WAY(rows, ROWS)
KERNELS_OF_WAY(whole, WHOLE)
KERNEL_OF_PAPERS(product_half_rows, BLOCK_THREADS, multiply_by_half(&l, o.times))
