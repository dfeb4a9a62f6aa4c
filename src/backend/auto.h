/* The backend "auto": the CPU and a GPU as one. A small job runs on the CPU and a large one on the GPU. Rows that the GPU
 * leaves without a result, for want of memory or because it failed, are finished on the CPU. A job with a column in
 * device memory is the GPU's alone. */
#ifndef GECC_BACKEND_AUTO_H
#define GECC_BACKEND_AUTO_H

#include "backend/cost.h"
#include "backend/registry.h"

extern const struct backend gecc_backend_auto;

/* Join the two, which are then closed with *state. cost: by which they are chosen. */
gecc_result gecc_auto_open(void **state, const struct opened *gpu, const struct opened *cpu, const struct cost *cost);

/* Is it one of the two? */
int gecc_auto_uses(const void *state, const struct backend *backend);

#endif
