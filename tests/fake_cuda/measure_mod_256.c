enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx/multiply.h"

#include "scheme/mod.h"

#include "backend/cuda/kernels/measure_rows.h"
#include "fake_cuda/measure.h"

void fake_measure_mod_256(const struct launch *launch, int squaring, uint32_t times) {
    const struct modulus m = job_modulus(&launch->job);
    measure_rows(&m, squaring, launch->job.modulus_bytes, launch, times);
}
