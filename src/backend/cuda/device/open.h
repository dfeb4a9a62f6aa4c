/* The devices that the driver has: opened, and shared by the contexts of a process. */
#ifndef GECC_BACKEND_CUDA_DEVICE_OPEN_H
#define GECC_BACKEND_CUDA_DEVICE_OPEN_H

#include "backend/cuda/device/device.h"

/* How many devices the driver has, at least one; otherwise `reason`, of `size` bytes, says why there is none. */
gecc_result gecc_device_count(const struct driver *driver, int *count, char *reason, size_t size);

/* Can the kernels be built for the driver's device of this number? Asked without opening it. Otherwise `reason`, of
 * `size` bytes, says why not. */
gecc_result gecc_device_is_usable(const struct driver *driver, int number, char *reason, size_t size);

/* Open the driver's device of this number, with these images, or share the one that is open. table_bytes: gecc_config's
 * device_table_bytes. Otherwise `reason`, of `size` bytes, says why not. */
gecc_result gecc_device_open(struct device **opened, const struct driver *driver, const struct image *images,
                             int number, size_t table_bytes, char *reason, size_t size);

/* Every job of this context is done; the last one to close it gives everything back. In a forked child the driver is
 * left alone. */
void gecc_device_close(struct device *device);

#endif
