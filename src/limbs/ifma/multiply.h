/* The IFMA machine: eight lanes, AVX-512 IFMA (Intel from Ice Lake, AMD from Zen 4). */
#ifndef GECC_LIMBS_IFMA_MULTIPLY_H
#define GECC_LIMBS_IFMA_MULTIPLY_H

#include "limbs/ifma/lanes.h"

#include "limbs/vector/multiply.h"

#endif
