/* The kernels of measure.h as lane code: integers, a machine and scheme/job.h come before. */
#ifndef GECC_BACKEND_CUDA_KERNELS_MEASURE_ROWS_H
#define GECC_BACKEND_CUDA_KERNELS_MEASURE_ROWS_H

#include "backend/cuda/kernels/launch.h"
#include "batch/integers.h"
#include "field/modular.h"

/* out = x y^times mod m or, squaring, x^(2^times), for x in the first column and y in the second, of `bytes` bytes. */
LANE_INLINE void measure_rows(const struct modulus *m, int squaring, size_t bytes, const struct launch *l,
                              uint32_t times) {
    const struct job *job = &l->job;
    const struct worker w = worker_of_chunk((l->count + LANES - 1) / LANES);
    for (size_t i = w.first; i < w.count; i += w.step) {
        size_t row = l->first + i * LANES;
        int rows = lanes_filled(l->count, i);
        lane32 status = status_ok();
        struct limbs x = modular_encode(m, integer_read(0, &job->in[0], row, rows, bytes, &status)), y = x;
        if (!squaring)
            y = modular_encode(m, integer_read(0, &job->in[1], row, rows, bytes, &status));
        for (uint32_t n = 0; n < times; n++)
            x = squaring ? modular_sqr(m, x) : modular_mul(m, x, y);
        integer_write(0, &job->out[0], row, rows, bytes, modular_decode(m, x));
    }
}

#endif
