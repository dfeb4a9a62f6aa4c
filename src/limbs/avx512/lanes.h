/* Lanes of the AVX-512 machine: eight items at a time. */
#ifndef GECC_LIMBS_AVX512_LANES_H
#define GECC_LIMBS_AVX512_LANES_H

#include "limbs/avx512/products.h"

#include "limbs/vector/lanes.h"

#endif
