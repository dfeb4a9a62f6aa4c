/* The AVX-512 machine: eight lanes, AVX-512 F, VL, DQ and BW (Intel from Skylake-SP). */
#ifndef GECC_LIMBS_AVX512_MULTIPLY_H
#define GECC_LIMBS_AVX512_MULTIPLY_H

#include "limbs/avx512/lanes.h"

#include "limbs/vector/multiply.h"

#endif
