enum { LIMBS = 8, WORDS = 8 };

#include "limbs/ptx/multiply.h"

#include "curve/generated/p256.gen.h"

#include "backend/cuda/kernels/measure_rows.h"
#include "fake_cuda/measure.h"

void fake_measure_p256(const struct launch *launch, int squaring, uint32_t times) {
    measure_rows(&CURVE.p, squaring, CURVE.bytes, launch, times);
}
