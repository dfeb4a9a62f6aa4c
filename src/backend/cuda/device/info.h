/* What there is to say of the GPUs of a machine. */
#ifndef GECC_BACKEND_CUDA_DEVICE_INFO_H
#define GECC_BACKEND_CUDA_DEVICE_INFO_H

#include <gecc/context.h>

#include "backend/cuda/device/driver.h"

/* How many devices the driver has, and to *info, which is initialised, the facts that it knows of number `index`. */
size_t gecc_device_describe(const struct driver *driver, size_t index, gecc_device_info *info);

#endif
