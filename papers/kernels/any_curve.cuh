/* Points of any curve modulo any p of BITS bits, as Giorgi et al. have them: P + times Q and 2^times P, with a thread's
 * numbers in local memory, shared memory or registers; k P in shared memory. Columns are those of struct point_rows: P,
 * then a and 1, which all rows share, then k or Q. The includer sets BITS. */
#ifndef PAPERS_KERNELS_ANY_CURVE_CUH
#define PAPERS_KERNELS_ANY_CURVE_CUH

enum { BLOCK_THREADS = 32 };

#include "papers/kernels/any_curve.h"
#include "papers/kernels/kernel.cuh"

/* `w`, `bits`: of the form. */
LANE_INLINE void points_run(enum task task, const struct numbers *n, const struct launch *l, uint32_t times, int w,
                            int bits) {
    const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const struct point_rows rows = {
        (const uint8_t *)l->job.in[0].data + row * 2 * NUMBER_BYTES,
        (const uint8_t *)l->job.in[1].data,
        l->job.modulus + JOB_MODULUS_BYTES - NUMBER_BYTES,
        (const uint8_t *)l->job.in[2].data + row * 3 * NUMBER_BYTES,
        (uint8_t *)l->job.out[0].data + row * 3 * NUMBER_BYTES,
    };
    numbers_run(task, n, &rows, times, w, bits);
}

LANE_INLINE uint32_t inverse_of(const struct launch *l) {
    return fios_negative_inverse(word_of(l->job.modulus + JOB_MODULUS_BYTES - NUMBER_BYTES, 0));
}

LANE_INLINE void points_in_local_memory(enum task task, const struct launch *l, uint32_t times) {
    uint32_t memory[NUMBERS * FIOS_DIGITS];
    const struct numbers n = {0, NULL, {memory, 1}, inverse_of(l)};
    points_run(task, &n, l, times, 0, 0);
}

LANE_INLINE void points_in_shared_memory(enum task task, const struct launch *l, uint32_t times, int w, int bits) {
    __shared__ uint32_t memory[NUMBERS * FIOS_DIGITS * BLOCK_THREADS];
    const struct numbers n = {0, NULL, {memory + threadIdx.x, BLOCK_THREADS}, inverse_of(l)};
    points_run(task, &n, l, times, w, bits);
}

LANE_INLINE void points_in_registers(enum task task, const struct launch *l, uint32_t times) {
    uint32_t words[NUMBERS][FIOS_WORDS];
    const struct numbers n = {1, words, {NULL, 1}, inverse_of(l)};
    points_run(task, &n, l, times, 0, 0);
}

KERNEL_OF_PAPERS(addition_local, BLOCK_THREADS, points_in_local_memory(TASK_ADD, &l, o.times))
KERNEL_OF_PAPERS(addition_shared, BLOCK_THREADS, points_in_shared_memory(TASK_ADD, &l, o.times, 0, 0))
KERNEL_OF_PAPERS(addition_register, BLOCK_THREADS, points_in_registers(TASK_ADD, &l, o.times))
KERNEL_OF_PAPERS(doubling_local, BLOCK_THREADS, points_in_local_memory(TASK_DOUBLE, &l, o.times))
KERNEL_OF_PAPERS(doubling_shared, BLOCK_THREADS, points_in_shared_memory(TASK_DOUBLE, &l, o.times, 0, 0))
KERNEL_OF_PAPERS(doubling_register, BLOCK_THREADS, points_in_registers(TASK_DOUBLE, &l, o.times))
KERNEL_OF_PAPERS(from_right, BLOCK_THREADS, points_in_shared_memory(TASK_FROM_RIGHT, &l, o.times, 0, 0))
KERNEL_OF_PAPERS(form_2, BLOCK_THREADS, points_in_shared_memory(TASK_FORM, &l, o.times, 2, 32))
KERNEL_OF_PAPERS(form_2_packed, BLOCK_THREADS, points_in_shared_memory(TASK_FORM, &l, o.times, 2, 2))
KERNEL_OF_PAPERS(form_3, BLOCK_THREADS, points_in_shared_memory(TASK_FORM, &l, o.times, 3, 32))
KERNEL_OF_PAPERS(form_3_packed, BLOCK_THREADS, points_in_shared_memory(TASK_FORM, &l, o.times, 3, 3))

#endif
