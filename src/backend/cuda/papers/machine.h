/* The GPU's machine with the reductions of the papers besides its own. */
#ifndef GECC_BACKEND_CUDA_PAPERS_MACHINE_H
#define GECC_BACKEND_CUDA_PAPERS_MACHINE_H

#define OWN_REDUCTIONS "backend/cuda/papers/reductions.h"
#include "limbs/ptx/multiply.h"

#endif
