#include "backend/cuda/device/transfer.h"

#include <string.h>

#include "backend/cuda/device/staging.h"

static gecc_result send(struct device *device, CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    if (bytes == 0)
        return GECC_OK;
    return gecc_device_check(device, device->driver->cuMemcpyHtoDAsync(to, from, bytes, stream), "cuMemcpyHtoDAsync");
}

static gecc_result fetch(struct device *device, void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    if (bytes == 0)
        return GECC_OK;
    return gecc_device_check(device, device->driver->cuMemcpyDtoHAsync(to, from, bytes, stream), "cuMemcpyDtoHAsync");
}

gecc_result gecc_transfer_send(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                               struct device *device, struct pool *pool) {
    gecc_staging_pack(routes, chunk, slot, pool);
    gecc_result result = send(device, slot->in, slot->in_host, chunk->sizes.in_staged, slot->stream);
    for (unsigned i = 0; i < JOB_INPUTS && result == GECC_OK; i++)
        if (routes->in[i].route == ROUTE_DIRECT)
            result = send(device, slot->in + chunk->in_at[i], row_start(&routes->job->in[i], chunk->first),
                          chunk->in_bytes[i], slot->stream);
    if (result == GECC_OK)
        result = gecc_device_check(
            device, device->driver->cuMemsetD8Async(slot->out, GECC_ITEM_NOT_PROCESSED, chunk->zeroed, slot->stream),
            "cuMemsetD8Async");
    return result;
}

gecc_result gecc_transfer_fetch(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                struct device *device) {
    const struct job *job = routes->job;
    gecc_result result = fetch(device, slot->out_host, slot->out, chunk->sizes.out_staged, slot->stream);
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        if (routes->out[i].route == ROUTE_DIRECT)
            result = fetch(device, (uint8_t *)job->out[i].data + chunk->first * job->out[i].stride,
                           slot->out + chunk->out_at[i], chunk->count * job->out_width[i], slot->stream);
    return result;
}

/* Queue the copy of plain widths to device memory. */
static gecc_result send_plain_widths(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                     struct device *device) {
    gecc_result result = GECC_OK;
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        if (routes->out[i].plain && routes->out[i].widths_on_device)
            result = send(device, (CUdeviceptr)(uintptr_t)(routes->job->out[i].widths + chunk->first),
                          (const uint8_t *)slot->out_host + chunk->out_widths_at[i], chunk->count * sizeof(uint32_t),
                          slot->stream);
    return result;
}

/* Queue the copy of statuses within device memory. */
static gecc_result send_statuses(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                 struct device *device) {
    const gecc_out *column = &routes->job->status;
    const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = slot->out + chunk->status_at,
                                .srcPitch = 1,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = (CUdeviceptr)(uintptr_t)out_start(column, chunk->first),
                                .dstPitch = column->stride,
                                .WidthInBytes = 1,
                                .Height = chunk->count};
    if (column->stride != 1)
        return gecc_device_check(device, device->driver->cuMemcpy2DAsync(&copy, slot->stream), "cuMemcpy2DAsync");
    return gecc_device_check(
        device, device->driver->cuMemcpyDtoDAsync(copy.dstDevice, copy.srcDevice, chunk->count, slot->stream),
        "cuMemcpyDtoDAsync");
}

gecc_result gecc_transfer_clear_status(const struct routes *routes, const struct slot *slot, struct device *device) {
    const gecc_out *column = &routes->job->status;
    CUdeviceptr to = (CUdeviceptr)(uintptr_t)column->data;
    if (column->stride != 1)
        return gecc_device_check(device,
                                 device->driver->cuMemsetD2D8Async(to, column->stride, GECC_ITEM_NOT_PROCESSED, 1,
                                                                   routes->job->count, slot->stream),
                                 "cuMemsetD2D8Async");
    return gecc_device_check(
        device, device->driver->cuMemsetD8Async(to, GECC_ITEM_NOT_PROCESSED, routes->job->count, slot->stream),
        "cuMemsetD8Async");
}

gecc_result gecc_transfer_publish(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                  struct device *device, struct pool *pool, bool *fault) {
    uint32_t faults;
    gecc_staging_publish(routes, chunk, slot, pool);
    memcpy(&faults, (const uint8_t *)slot->out_host + chunk->faults_at, sizeof faults);
    *fault |= faults != 0;
    gecc_result result = send_plain_widths(routes, chunk, slot, device);
    if (result == GECC_OK && routes->status_on_device)
        return send_statuses(routes, chunk, slot, device);
    if (result == GECC_OK)
        gecc_staging_publish_statuses(routes, chunk, slot, pool);
    return result;
}
