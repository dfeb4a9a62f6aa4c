/* The kernels gecc_measure_multiply and gecc_measure_square of two images, on the model of the GPU's machine. */
#ifndef TESTS_FAKE_CUDA_MEASURE_H
#define TESTS_FAKE_CUDA_MEASURE_H

#include "backend/cuda/kernels/launch.h"

typedef void fake_measurement(const struct launch *launch, int squaring, uint32_t times);

fake_measurement fake_measure_p256, fake_measure_mod_256;

#endif
