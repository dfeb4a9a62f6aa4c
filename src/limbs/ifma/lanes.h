/* Lanes of the IFMA machine: eight items at a time. */
#ifndef GECC_LIMBS_IFMA_LANES_H
#define GECC_LIMBS_IFMA_LANES_H

#include "limbs/ifma/products.h"

#include "limbs/vector/lanes.h"

#endif
