/* The GPU's machine with the reductions of the papers besides its own. */
#ifndef PAPERS_LIMBS_MULTIPLY_H
#define PAPERS_LIMBS_MULTIPLY_H

#define OWN_REDUCTIONS "papers/limbs/reductions.h"
#include "limbs/ptx/multiply.h"

#endif
