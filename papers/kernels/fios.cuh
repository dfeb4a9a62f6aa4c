/* Sums and products modulo any odd m of BITS bits, as Giorgi et al. have them in each memory, and the library's: row i
 * of the result is x + times y, or x y^times, where y of their products is in Montgomery form. `times` is even. The
 * includer sets BITS. */
#ifndef PAPERS_KERNELS_FIOS_CUH
#define PAPERS_KERNELS_FIOS_CUH

enum { LIMBS = (BITS + 63) / 64 * 2, WORDS = LIMBS, BLOCK_THREADS = 64, ROW_BYTES = BITS / 8 };

#include "limbs/ptx/multiply.h"

#include "papers/kernels/fios.h"
#include "papers/kernels/multiply.cuh"

enum numbers { X, Y, T, M, NUMBERS };

LANE_INLINE const uint8_t *row_of(const gecc_rows *column, size_t i) {
    return (const uint8_t *)column->data + i * ROW_BYTES;
}

LANE_INLINE void digits_read(struct digits d, const uint8_t *bytes) {
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        const uint8_t *at = bytes + ROW_BYTES - 2 * (i + 1);
        digit_set(d, i, (uint32_t)at[0] << 8 | at[1]);
    }
}

LANE_INLINE void words_read(uint32_t v[FIOS_WORDS], const uint8_t *bytes) {
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        const uint8_t *at = bytes + ROW_BYTES - 4 * (i + 1);
        v[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
}

/* In the memory of d. */
LANE_INLINE void rows_in_memory(int adding, const struct digits d[NUMBERS], const struct launch *l, uint32_t times) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint8_t *modulus = l->job.modulus + JOB_MODULUS_BYTES - ROW_BYTES;
    const uint32_t inverse = fios_negative_inverse(modulus[ROW_BYTES - 1] | (uint32_t)modulus[ROW_BYTES - 2] << 8);
    if (i >= l->count)
        return;
    digits_read(d[X], row_of(&l->job.in[0], i));
    digits_read(d[Y], row_of(&l->job.in[1], i));
    digits_read(d[M], modulus);
    LANE_LOOP for (uint32_t n = 0; n < times; n += 2) {
        if (adding) {
            digits_add(d[X], d[Y], d[M]);
            digits_add(d[X], d[Y], d[M]);
        } else {
            digits_multiply(d[T], d[X], d[Y], d[M], inverse);
            digits_multiply(d[X], d[T], d[Y], d[M], inverse);
        }
    }
    LANE_LOOP for (int k = 0; k < FIOS_DIGITS; k++) {
        uint8_t *at = (uint8_t *)l->job.out[0].data + i * ROW_BYTES + ROW_BYTES - 2 * (k + 1);
        at[0] = (uint8_t)(digit_of(d[X], k) >> 8);
        at[1] = (uint8_t)digit_of(d[X], k);
    }
}

LANE_INLINE void rows_in_local_memory(int adding, const struct launch *l, uint32_t times) {
    uint32_t memory[NUMBERS][FIOS_DIGITS];
    const struct digits d[NUMBERS] = {{memory[X], 1}, {memory[Y], 1}, {memory[T], 1}, {memory[M], 1}};
    rows_in_memory(adding, d, l, times);
}

LANE_INLINE void rows_in_shared_memory(int adding, const struct launch *l, uint32_t times) {
    __shared__ uint32_t memory[NUMBERS][FIOS_DIGITS][BLOCK_THREADS];
    const struct digits d[NUMBERS] = {{&memory[X][0][threadIdx.x], BLOCK_THREADS},
                                      {&memory[Y][0][threadIdx.x], BLOCK_THREADS},
                                      {&memory[T][0][threadIdx.x], BLOCK_THREADS},
                                      {&memory[M][0][threadIdx.x], BLOCK_THREADS}};
    rows_in_memory(adding, d, l, times);
}

LANE_INLINE void rows_in_registers(int adding, const struct launch *l, uint32_t times) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x[FIOS_WORDS], y[FIOS_WORDS], t[FIOS_WORDS], m[FIOS_WORDS];
    if (i >= l->count)
        return;
    words_read(x, row_of(&l->job.in[0], i));
    words_read(y, row_of(&l->job.in[1], i));
    words_read(m, l->job.modulus + JOB_MODULUS_BYTES - ROW_BYTES);
    const uint32_t inverse = fios_negative_inverse(m[0]);
    LANE_LOOP for (uint32_t n = 0; n < times; n += 2) {
        if (adding) {
            words_add(x, y, m);
            words_add(x, y, m);
        } else {
            words_multiply(t, x, y, m, inverse);
            words_multiply(x, t, y, m, inverse);
        }
    }
    LANE_UNROLL for (int k = 0; k < FIOS_WORDS; k++) {
        uint8_t *at = (uint8_t *)l->job.out[0].data + i * ROW_BYTES + ROW_BYTES - 4 * (k + 1);
        LANE_UNROLL for (int byte = 0; byte < 4; byte++) at[byte] = (uint8_t)(x[k] >> (24 - 8 * byte));
    }
}

KERNEL_OF_PAPERS(multiply_local, BLOCK_THREADS, rows_in_local_memory(0, &l, o.times))
KERNEL_OF_PAPERS(multiply_shared, BLOCK_THREADS, rows_in_shared_memory(0, &l, o.times))
KERNEL_OF_PAPERS(multiply_register, BLOCK_THREADS, rows_in_registers(0, &l, o.times))
KERNEL_OF_PAPERS(add_local, BLOCK_THREADS, rows_in_local_memory(1, &l, o.times))
KERNEL_OF_PAPERS(add_shared, BLOCK_THREADS, rows_in_shared_memory(1, &l, o.times))
KERNEL_OF_PAPERS(add_register, BLOCK_THREADS, rows_in_registers(1, &l, o.times))
KERNEL_OF_PAPERS(multiply_ours, BLOCK_THREADS, const struct modulus m = any_modulus(&l.job, REDUCE_MONTGOMERY);
                 measure_rows(&m, 0, ROW_BYTES, &l, o.times))
KERNEL_OF_PAPERS(add_ours, BLOCK_THREADS, const struct modulus m = any_modulus(&l.job, REDUCE_MONTGOMERY);
                 add_rows(&m, ROW_BYTES, &l, o.times))

#endif
