/* Lanes of the AVX2 machine: four items at a time. */
#ifndef GECC_LIMBS_AVX2_LANES_H
#define GECC_LIMBS_AVX2_LANES_H

#include "limbs/avx2/products.h"

#include "limbs/vector/lanes.h"

#endif
