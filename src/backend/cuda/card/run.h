/* A job on the device, from its first chunk to its last. */
#ifndef GECC_BACKEND_CUDA_CARD_RUN_H
#define GECC_BACKEND_CUDA_CARD_RUN_H

#include "backend/cuda/device/routes.h"
#include "backend/cuda/device/slot.h"

/* Run the job; the device's context is entered. Rows of chunks that were not finished keep their status. packer: see
 * gecc_routes_open. Adds what the kernels took to *kernel_seconds. */
gecc_result gecc_cuda_run_job(struct device *device, struct slots *slots, const struct job *job,
                              const struct packer *packer, double *kernel_seconds);

/* Load the job's kernel, and build what tables its program has. */
gecc_result gecc_cuda_prepare_job(struct device *device, struct slots *slots, const struct job *job);

#endif
