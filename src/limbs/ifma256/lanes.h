/* Lanes of the IFMA machine of four lanes: four items at a time. */
#ifndef GECC_LIMBS_IFMA256_LANES_H
#define GECC_LIMBS_IFMA256_LANES_H

#include "limbs/ifma256/products.h"

#include "limbs/vector/lanes.h"

#endif
