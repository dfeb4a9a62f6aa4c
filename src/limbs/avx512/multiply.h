/* The AVX-512 machine: eight lanes, AVX-512 F, VL, DQ and BW (Intel from Skylake-SP). */
#ifndef GECC_LIMBS_AVX512_MULTIPLY_H
#define GECC_LIMBS_AVX512_MULTIPLY_H

/* More than five limbs have no room in registers as doubles: there multiplications are calls, which take a tenth longer
 * at most and a fifth of the code. */
#ifndef FIELD_MULTIPLY
#define FIELD_MULTIPLY LANE_FUNCTION
#endif

#include "limbs/avx512/lanes.h"

#include "limbs/vector/multiply.h"

#endif
