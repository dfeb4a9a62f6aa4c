/* The CUDA backend on the fake driver, and contexts on it and on the CPU. */
#ifndef TESTS_FAKE_CUDA_BACKEND_H
#define TESTS_FAKE_CUDA_BACKEND_H

#include <stdlib.h>

#include "api/context.h"
#include "api/key_cache.h"
#include "backend/cpu/cpu.h"
#include "backend/cuda/cuda.h"
#include "fake_cuda/driver.h"

static inline void fake_cuda_probe(const gecc_config *config, gecc_backend_info *info) {
    gecc_cuda_probe(&fake_driver, fake_driver_images(), config, info);
}

static inline gecc_result fake_cuda_open(void **state, const gecc_config *config) {
    return gecc_cuda_open(state, &fake_driver, fake_driver_images(), config);
}

static inline size_t fake_cuda_devices(const void *state, size_t index, gecc_device_info *info) {
    return gecc_cuda_devices(&fake_driver, state, index, info);
}

static const struct backend fake_cuda = {.name = "cuda",
                                         .probe = fake_cuda_probe,
                                         .open = fake_cuda_open,
                                         .run = gecc_cuda_run,
                                         .submit = gecc_cuda_submit,
                                         .poll = gecc_cuda_poll,
                                         .await = gecc_cuda_await,
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
                                         .devices = fake_cuda_devices};

/* A context on a backend that is not asked for by name. Closed by gecc_close. */
static inline gecc_result context_on_with(gecc_context **opened, const struct backend *backend,
                                          const gecc_config *config) {
    gecc_context *context = calloc(1, sizeof *context);
    *opened = NULL;
    gecc_result result = backend->open(&context->instance.state, config);
    context->instance.backend = backend;
    if (config->key_cache_bytes != 0)
        context->key_cache = gecc_key_cache_new(context, config->key_cache_bytes);
    if (result == GECC_OK)
        *opened = context;
    else
        free(context);
    return result;
}

static inline gecc_result context_on(gecc_context **opened, const struct backend *backend) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = 1;
    return context_on_with(opened, backend, &config);
}

#endif
