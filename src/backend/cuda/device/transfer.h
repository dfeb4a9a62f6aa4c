/* A chunk's rows to the device and back, by a slot's stream. */
#ifndef GECC_BACKEND_CUDA_DEVICE_TRANSFER_H
#define GECC_BACKEND_CUDA_DEVICE_TRANSFER_H

#include "backend/cuda/device/chunk.h"
#include "backend/pool.h"

/* Pack the chunk's rows into the slot's pinned memory and queue the copies to the device; statuses there read
 * NOT_PROCESSED. pool: whose threads pack; NULL: the caller alone. */
gecc_result gecc_transfer_send(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                               struct device *device, struct pool *pool);

/* Queue that statuses in device memory read NOT_PROCESSED. */
gecc_result gecc_transfer_clear_status(const struct routes *routes, const struct slot *slot, struct device *device);

/* Queue the copies back. */
gecc_result gecc_transfer_fetch(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                struct device *device);

/* When the slot's stream is idle: give the rows to the caller, statuses last; those in device memory are queued. *fault
 * becomes true if a signature failed its check. */
gecc_result gecc_transfer_publish(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                  struct device *device, struct pool *pool, bool *fault);

#endif
