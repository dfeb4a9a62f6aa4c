/* The module libgecc_cuda.so.1: the CUDA backend on this machine's driver, with the kernels that were built into it. */
#include "backend/cuda/cuda.h"
#include "backend/registry.h"

#include <stdio.h>

static void probe(const gecc_config *config, gecc_backend_info *info) {
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    (void)snprintf(info->name, sizeof info->name, "cuda");
    const struct driver *driver = gecc_driver_load(info->reason, sizeof info->reason);
    if (driver != NULL)
        gecc_cuda_probe(driver, gecc_cuda_images, config, info);
}

static gecc_result open_device(void **state, const gecc_config *config) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct driver *driver = gecc_driver_load(reason, sizeof reason);
    return driver == NULL ? GECC_ERROR_NO_BACKEND : gecc_cuda_open(state, driver, gecc_cuda_images, config);
}

static size_t devices(const void *state, size_t index, gecc_device_info *info) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct driver *driver = gecc_driver_load(reason, sizeof reason);
    return driver == NULL ? 0 : gecc_cuda_devices(driver, state, index, info);
}

static const struct backend backend = {.name = "cuda",
                                       .probe = probe,
                                       .open = open_device,
                                       .run = gecc_cuda_run,
                                       .submit = gecc_cuda_submit,
                                       .poll = gecc_cuda_poll,
                                       .await = gecc_cuda_await,
                                       .cancel = gecc_cuda_cancel,
                                       .wait = gecc_cuda_wait,
                                       .enough = gecc_cuda_enough,
                                       .prepare = gecc_cuda_prepare,
                                       .keys_make = gecc_cuda_keys_make,
                                       .keys_add = gecc_cuda_keys_add,
                                       .keys_free = gecc_cuda_keys_free,
                                       .close = gecc_cuda_close,
                                       .on_device = gecc_cuda_on_device,
                                       .pin = gecc_cuda_pin,
                                       .unpin = gecc_cuda_unpin,
                                       .devices = devices};

gecc_result gecc_cuda_measure(struct gecc_cuda_measurement *measurement) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct driver *driver = gecc_driver_load(reason, sizeof reason);
    return driver == NULL ? GECC_ERROR_NO_BACKEND : gecc_cuda_measure_on(driver, gecc_cuda_images, measurement);
}

GECC_API const struct module gecc_module;
const struct module gecc_module = {MODULE_ABI, sizeof(struct job), &backend};
