/* How a kernel's threads are laid out. A pure function. */
#ifndef GECC_BACKEND_CUDA_DEVICE_GRID_H
#define GECC_BACKEND_CUDA_DEVICE_GRID_H

#include "backend/cuda/kernels/launch.h"

struct grid {
    unsigned blocks, threads; /* of a block: info->threads, or fewer so that few rows reach more multiprocessors */
};

/* For `count` >= 1 rows: a thread for each row while the device has threads idle, then as many rows on each as share an
 * inversion, then more threads. */
struct grid gecc_grid_of(size_t count, size_t resident, const struct launch_info *info);

#endif
