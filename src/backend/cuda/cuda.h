/* The CUDA backend on a given driver with given kernels, of which the module's backend is made. */
#ifndef GECC_BACKEND_CUDA_CUDA_H
#define GECC_BACKEND_CUDA_CUDA_H

#include "backend/backend.h"
#include "backend/cuda/device/driver.h"
#include "backend/cuda/kernels/launch.h"
#include "backend/cuda/card/measure.h"

void gecc_cuda_probe(const struct driver *driver, const struct image *images, const gecc_config *config,
                     gecc_backend_info *info);
gecc_result gecc_cuda_open(void **state, const struct driver *driver, const struct image *images,
                           const gecc_config *config);

/* As devices of struct backend. */
size_t gecc_cuda_devices(const struct driver *driver, const void *state, size_t index, gecc_device_info *info);

/* As in struct backend. */
gecc_result gecc_cuda_run(void *state, const struct job *job, gecc_report *report);
gecc_result gecc_cuda_submit(void *state, const struct job *job, struct ticket **ticket);
gecc_result gecc_cuda_poll(void *state, struct ticket *ticket);
gecc_result gecc_cuda_await(void *state, struct ticket *ticket, const struct timespec *until);
void gecc_cuda_cancel(void *state, struct ticket *ticket);
gecc_result gecc_cuda_wait(void *state, struct ticket *ticket, gecc_report *report);
size_t gecc_cuda_enough(void *state, const struct job *job);
gecc_result gecc_cuda_prepare(void *state, const struct job *job);
gecc_result gecc_cuda_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                size_t *bytes);
gecc_result gecc_cuda_keys_add(void *state, const struct job *job, const struct key_set *set, size_t first);
void gecc_cuda_keys_free(void *state, const struct key_set *set);
void gecc_cuda_close(void *state);
int gecc_cuda_on_device(void *state, const void *address);
gecc_result gecc_cuda_pin(void *state, void **memory, size_t bytes);
void gecc_cuda_unpin(void *state, void *memory);

#endif
