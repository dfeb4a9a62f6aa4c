/* The devices of a context, by the text that chooses them. */
#ifndef GECC_BACKEND_CUDA_DEVICE_LIST_H
#define GECC_BACKEND_CUDA_DEVICE_LIST_H

#include <stdbool.h>

#include <gecc/context.h>

#include "backend/cuda/device/driver.h"

/* More are not used. */
enum { DEVICES_MOST = 64 };

struct device_list {
    size_t count; /* at least 1 */
    bool named;   /* by their numbers: then all of them have to open */
    int number[DEVICES_MOST];
};

/* text: gecc_config's device. Every device of the list is one that the kernels can be built for; one that is named
 * twice is two of the list. GECC_ERROR_NO_BACKEND, or why the driver cannot be asked: `reason`, of `size` bytes, says
 * it. */
gecc_result gecc_device_list(struct device_list *list, const struct driver *driver, const char *text, char *reason,
                             size_t size);

#endif
