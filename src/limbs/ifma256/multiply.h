/* The IFMA machine of four lanes: AVX2 and AVX-IFMA (Intel Arrow Lake, Lunar Lake, Sierra Forest). */
#ifndef GECC_LIMBS_IFMA256_MULTIPLY_H
#define GECC_LIMBS_IFMA256_MULTIPLY_H

#include "limbs/ifma256/lanes.h"

#include "limbs/vector/multiply.h"

#endif
