#include "backend/cuda/device/device.h"

#include <stdio.h>
#include <unistd.h>

bool gecc_device_forked(const struct device *device) { return getpid() != device->process; }

const char *gecc_device_error(const struct driver *driver, CUresult result) {
    const char *name = NULL;
    if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        return "an unknown error";
    return name;
}

gecc_result gecc_device_check(struct device *device, CUresult result, const char *call) {
    if (result == CUDA_SUCCESS)
        return GECC_OK;
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return GECC_ERROR_MEMORY;
    pthread_mutex_lock(&device->text);
    if (!atomic_load(&device->dead))
        (void)snprintf(device->failure, sizeof device->failure, "%s: %s", call,
                       gecc_device_error(device->driver, result));
    atomic_store(&device->dead, true);
    pthread_mutex_unlock(&device->text);
    return GECC_ERROR_DEVICE;
}

void gecc_device_failure(struct device *device, char *text, size_t size) {
    if (gecc_device_forked(device)) {
        (void)snprintf(text, size, "a GPU cannot be used after fork()");
        return;
    }
    pthread_mutex_lock(&device->text);
    (void)snprintf(text, size, "the device failed: %.70s", device->failure);
    pthread_mutex_unlock(&device->text);
}

gecc_result gecc_device_enter(struct device *device) {
    return gecc_device_check(device, device->driver->cuCtxPushCurrent(device->context), "cuCtxPushCurrent");
}

bool gecc_device_enter_to_close(struct device *device) {
    return gecc_device_enter(device) == GECC_OK || gecc_device_enter(device) == GECC_OK;
}

gecc_result gecc_device_leave(struct device *device) {
    CUcontext context;
    return gecc_device_check(device, device->driver->cuCtxPopCurrent(&context), "cuCtxPopCurrent");
}
