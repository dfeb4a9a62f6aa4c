#include "backend/cuda/device/transfer.h"

#include <string.h>

#include "backend/cuda/device/staging.h"
#include "scheme/operation.h"

/* In columns that are not messages no row of more bytes is ever read: an SM2 id has at most 8191. */
enum { ROW_BYTES_MOST = 8192 };

enum { ALIGNMENT = 256 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t align(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

/* CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, or 0 for memory that the driver does not know. */
static int memory_type(const struct device *device, const void *address) {
    int type = 0;
    CUresult code =
        device->driver->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)address);
    return code == CUDA_SUCCESS ? type : 0;
}

bool gecc_transfer_on_device(const struct device *device, const void *address) {
    return address != NULL && memory_type(device, address) == CU_MEMORYTYPE_DEVICE;
}

/* Note that the address is in device memory, if the job's bit says so. GECC_ERROR_ARGUMENT: another device's. */
static gecc_result look(struct transfer *transfer, const struct device *device, const void *address, uint32_t bit,
                        bool *on_device) {
    int ordinal = -1;
    *on_device = (transfer->job->on_device & bit) != 0;
    if (!*on_device)
        return GECC_OK;
    transfer->any_on_device = true;
    CUresult code = device->driver->cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                                          (CUdeviceptr)(uintptr_t)address);
    return code == CUDA_SUCCESS && ordinal != device->ordinal ? GECC_ERROR_ARGUMENT : GECC_OK;
}

/* Are the bytes pinned, as far as their ends tell? */
static bool is_pinned(const struct device *device, const void *bytes, size_t count) {
    return count != 0 && memory_type(device, bytes) == CU_MEMORYTYPE_HOST &&
           memory_type(device, (const uint8_t *)bytes + count - 1) == CU_MEMORYTYPE_HOST;
}

static gecc_result open_input(struct transfer *transfer, const struct device *device, unsigned column) {
    const struct job *job = transfer->job;
    const gecc_rows *rows = &job->in[column];
    struct input *in = &transfer->in[column];
    *in = (struct input){.route = ROUTE_NONE, .copied = ROW_BYTES_MOST};
    if (rows->data == NULL)
        return GECC_OK;
    if (operation_takes(operation_info(job), column, GECC_KIND_MESSAGE))
        in->copied = SIZE_MAX;
    bool on_device;
    gecc_result result = look(transfer, device, rows->data, (uint32_t)JOB_IN_ON_DEVICE << column, &on_device);
    if (result == GECC_OK)
        result =
            look(transfer, device, rows->widths, (uint32_t)JOB_IN_WIDTHS_ON_DEVICE << column, &in->widths_on_device);
    if (result == GECC_OK)
        result =
            look(transfer, device, rows->offsets, (uint32_t)JOB_IN_OFFSETS_ON_DEVICE << column, &in->offsets_on_device);
    if (result != GECC_OK)
        return result;
    if (!on_device && (in->widths_on_device || in->offsets_on_device))
        return GECC_ERROR_ARGUMENT;
    bool packed = rows->widths == NULL && rows->offsets == NULL && rows->stride == rows->width;
    if (on_device)
        in->route = ROUTE_DEVICE;
    else if (packed && is_pinned(device, rows->data, job->count * rows->width))
        in->route = ROUTE_DIRECT;
    else
        in->route = ROUTE_STAGED;
    bool widths = rows->widths != NULL && !in->widths_on_device;
    bool offsets = in->route == ROUTE_DEVICE ? rows->offsets != NULL && !in->offsets_on_device : widths;
    transfer->in_row += (widths ? sizeof(uint32_t) : 0) + (offsets ? sizeof(uint64_t) : 0);
    if (rows->widths == NULL && in->route != ROUTE_DEVICE && !transfer_is_one_row(rows))
        transfer->in_row += rows->width;
    transfer->varies |= rows->widths != NULL && in->route == ROUTE_STAGED;
    return GECC_OK;
}

/* May the output be in the same memory as an input? Inputs at offsets may be anywhere. */
static bool may_be_over_input(const struct transfer *transfer, const gecc_out *out) {
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const gecc_rows *rows = &transfer->job->in[i];
        bool on_host = transfer->in[i].route == ROUTE_DIRECT || transfer->in[i].route == ROUTE_STAGED;
        if (on_host && (rows->data == out->data || rows->offsets != NULL))
            return true;
    }
    return false;
}

/* Do the output's widths pass through staging? Those of plain rows follow from the statuses, on the host. */
static bool widths_are_staged(const struct output *to, const gecc_out *out) {
    return out->widths != NULL && (to->plain || !to->widths_on_device);
}

/* An output over an input is staged: then rows that are not processed, of a chunk that fails or withheld, leave their
 * inputs as they were. */
static gecc_result open_output(struct transfer *transfer, const struct device *device, unsigned column) {
    const struct job *job = transfer->job;
    const gecc_out *out = &job->out[column];
    struct output *to = &transfer->out[column];
    size_t width = job->out_width[column];
    *to = (struct output){.route = ROUTE_NONE};
    if (out->data == NULL)
        return GECC_OK;
    bool on_device;
    gecc_result result = look(transfer, device, out->data, (uint32_t)JOB_OUT_ON_DEVICE << column, &on_device);
    if (result == GECC_OK)
        result =
            look(transfer, device, out->widths, (uint32_t)JOB_OUT_WIDTHS_ON_DEVICE << column, &to->widths_on_device);
    to->plain = (job->plain_outputs >> column & 1) != 0;
    bool packed = out->stride == width && !may_be_over_input(transfer, out);
    if (on_device)
        to->route = ROUTE_DEVICE;
    else if (packed && is_pinned(device, out->data, job->count * width))
        to->route = ROUTE_DIRECT;
    else
        to->route = ROUTE_STAGED;
    transfer->out_row += to->route == ROUTE_DEVICE ? 0 : width;
    transfer->out_row += widths_are_staged(to, out) ? sizeof(uint32_t) : 0;
    return result;
}

/* Is the caller's stream one of the device's context? Another card's cannot be waited for. */
static gecc_result look_at_stream(const struct device *device, void *stream) {
    CUcontext context = NULL;
    if ((uintptr_t)stream <= CU_STREAM_PER_THREAD)
        return GECC_OK;
    CUresult code = device->driver->cuStreamGetCtx((CUstream)stream, &context);
    return code == CUDA_SUCCESS && context == device->context ? GECC_OK : GECC_ERROR_ARGUMENT;
}

gecc_result gecc_transfer_open(struct transfer *transfer, const struct device *device, const struct job *job) {
    *transfer = (struct transfer){.job = job, .out_row = 1};
    gecc_result result = look(transfer, device, job->status.data, JOB_STATUS_ON_DEVICE, &transfer->status_on_device);
    for (unsigned i = 0; i < JOB_INPUTS && result == GECC_OK; i++)
        result = open_input(transfer, device, i);
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        result = open_output(transfer, device, i);
    return result == GECC_OK && transfer->any_on_device ? look_at_stream(device, job->stream) : result;
}

/* Bytes that travel of the chunk's rows of a staged column. */
static size_t input_bytes(const struct transfer *transfer, const struct chunk *chunk, unsigned column) {
    const gecc_rows *rows = &transfer->job->in[column];
    if (rows->widths == NULL)
        return transfer_is_one_row(rows) ? rows->width : chunk->count * rows->width;
    size_t bytes = 0;
    for (size_t i = 0; i < chunk->count; i++)
        bytes += least(rows->widths[chunk->first + i], transfer->in[column].copied);
    return bytes;
}

/* Set in_bytes. Returns those of columns whose rows have widths of their own. */
static size_t measure_inputs(const struct transfer *transfer, struct chunk *chunk) {
    size_t varying = 0;
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const enum route route = transfer->in[i].route;
        if (route != ROUTE_STAGED && route != ROUTE_DIRECT)
            continue;
        chunk->in_bytes[i] = input_bytes(transfer, chunk, i);
        varying += transfer->job->in[i].widths != NULL ? chunk->in_bytes[i] : 0;
    }
    return varying;
}

/* Set count: at most `rows`, that have no more than `staging` bytes, at least 1; and in_bytes. */
static void count_rows(const struct transfer *transfer, struct chunk *chunk, size_t rows, size_t staging) {
    const size_t row = transfer->in_row > transfer->out_row ? transfer->in_row : transfer->out_row;
    chunk->count = least(rows, staging / row > 1 ? staging / row : 1);
    while (measure_inputs(transfer, chunk) > staging - least(staging, chunk->count * row) && chunk->count > 1)
        chunk->count /= 2;
}

/* Give `bytes` bytes a place, behind what has one. */
static size_t place(size_t *used, size_t bytes) {
    size_t at = *used;
    *used += align(bytes);
    return at;
}

static void place_staged_input(const struct transfer *transfer, struct chunk *chunk, unsigned column, size_t *used) {
    const gecc_rows *rows = &transfer->job->in[column];
    const struct input *in = &transfer->in[column];
    if (in->route == ROUTE_STAGED)
        chunk->in_at[column] = place(used, chunk->in_bytes[column]);
    if (rows->widths != NULL && !in->widths_on_device)
        chunk->in_widths_at[column] = place(used, chunk->count * sizeof(uint32_t));
    bool offsets = in->route == ROUTE_DEVICE ? rows->offsets != NULL && !in->offsets_on_device : rows->widths != NULL;
    if (offsets)
        chunk->in_offsets_at[column] = place(used, chunk->count * sizeof(uint64_t));
}

static void place_inputs(const struct transfer *transfer, struct chunk *chunk) {
    size_t used = 0;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (transfer->in[i].route != ROUTE_NONE)
            place_staged_input(transfer, chunk, i, &used);
    chunk->sizes.in_staged = used;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (transfer->in[i].route == ROUTE_DIRECT)
            chunk->in_at[i] = place(&used, chunk->in_bytes[i]);
    chunk->sizes.in = used;
}

static void place_outputs(const struct transfer *transfer, struct chunk *chunk) {
    const struct job *job = transfer->job;
    size_t used = 0;
    chunk->faults_at = place(&used, sizeof(uint32_t));
    chunk->status_at = place(&used, chunk->count);
    chunk->zeroed = used;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        if (transfer->out[i].route == ROUTE_STAGED)
            chunk->out_at[i] = place(&used, chunk->count * job->out_width[i]);
        if (transfer->out[i].route != ROUTE_NONE && widths_are_staged(&transfer->out[i], &job->out[i]))
            chunk->out_widths_at[i] = place(&used, chunk->count * sizeof(uint32_t));
    }
    chunk->sizes.out_staged = used;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (transfer->out[i].route == ROUTE_DIRECT)
            chunk->out_at[i] = place(&used, chunk->count * job->out_width[i]);
    chunk->sizes.out = used;
}

void gecc_transfer_measure(const struct transfer *transfer, struct chunk *chunk, size_t first, size_t rows,
                           size_t staging) {
    *chunk = (struct chunk){.first = first};
    count_rows(transfer, chunk, least(rows, transfer->job->count - first), staging);
    place_inputs(transfer, chunk);
    place_outputs(transfer, chunk);
}

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

gecc_result gecc_transfer_send(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                               struct device *device, struct pool *pool) {
    gecc_staging_pack(transfer, chunk, slot, pool);
    gecc_result result = send(device, slot->in, slot->in_host, chunk->sizes.in_staged, slot->stream);
    for (unsigned i = 0; i < JOB_INPUTS && result == GECC_OK; i++)
        if (transfer->in[i].route == ROUTE_DIRECT)
            result = send(device, slot->in + chunk->in_at[i], transfer_row_at(&transfer->job->in[i], chunk->first),
                          chunk->in_bytes[i], slot->stream);
    if (result == GECC_OK)
        result = gecc_device_check(
            device, device->driver->cuMemsetD8Async(slot->out, GECC_ITEM_NOT_PROCESSED, chunk->zeroed, slot->stream),
            "cuMemsetD8Async");
    return result;
}

static void *address(CUdeviceptr memory, size_t at) { return (void *)(uintptr_t)(memory + at); }

static gecc_rows bind_input(const struct transfer *transfer, const struct chunk *chunk, unsigned column,
                            CUdeviceptr memory) {
    const struct input *in = &transfer->in[column];
    gecc_rows rows = transfer->job->in[column];
    if (in->route == ROUTE_NONE)
        return rows;
    bool one_row = transfer_is_one_row(&rows), varies = rows.widths != NULL;
    if (in->widths_on_device)
        rows.widths += chunk->first;
    else if (varies)
        rows.widths = address(memory, chunk->in_widths_at[column]);
    if (in->route == ROUTE_DEVICE) {
        if (in->offsets_on_device)
            rows.offsets += chunk->first;
        else if (rows.offsets != NULL)
            rows.offsets = address(memory, chunk->in_offsets_at[column]);
        else
            rows.data = (const uint8_t *)rows.data + chunk->first * rows.stride;
        return rows;
    }
    rows.data = address(memory, chunk->in_at[column]);
    rows.offsets = varies ? address(memory, chunk->in_offsets_at[column]) : NULL;
    rows.stride = one_row || varies ? 0 : rows.width;
    return rows;
}

static gecc_out bind_output(const struct transfer *transfer, const struct chunk *chunk, unsigned column,
                            CUdeviceptr memory) {
    const struct output *to = &transfer->out[column];
    gecc_out out = transfer->job->out[column];
    if (to->route == ROUTE_NONE)
        return out;
    if (to->plain)
        out.widths = NULL;
    else if (to->widths_on_device)
        out.widths += chunk->first;
    else if (out.widths != NULL)
        out.widths = address(memory, chunk->out_widths_at[column]);
    if (to->route == ROUTE_DEVICE) {
        out.data = (uint8_t *)out.data + chunk->first * out.stride;
    } else {
        out.data = address(memory, chunk->out_at[column]);
        out.stride = transfer->job->out_width[column];
    }
    return out;
}

void gecc_transfer_bind(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                        struct launch *launch) {
    launch->job = *transfer->job;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        launch->job.in[i] = bind_input(transfer, chunk, i, slot->in);
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        launch->job.out[i] = bind_output(transfer, chunk, i, slot->out);
    launch->job.status = gecc_out_packed(address(slot->out, chunk->status_at), 1);
    launch->job.count = chunk->count;
    launch->first = 0;
    launch->count = chunk->count;
    launch->faults = address(slot->out, chunk->faults_at);
}

gecc_result gecc_transfer_fetch(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                                struct device *device) {
    const struct job *job = transfer->job;
    gecc_result result = fetch(device, slot->out_host, slot->out, chunk->sizes.out_staged, slot->stream);
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        if (transfer->out[i].route == ROUTE_DIRECT)
            result = fetch(device, (uint8_t *)job->out[i].data + chunk->first * job->out[i].stride,
                           slot->out + chunk->out_at[i], chunk->count * job->out_width[i], slot->stream);
    return result;
}

/* Queue the copy of plain widths to device memory. */
static gecc_result send_plain_widths(const struct transfer *transfer, const struct chunk *chunk,
                                     const struct slot *slot, struct device *device) {
    gecc_result result = GECC_OK;
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        if (transfer->out[i].plain && transfer->out[i].widths_on_device)
            result = send(device, (CUdeviceptr)(uintptr_t)(transfer->job->out[i].widths + chunk->first),
                          (const uint8_t *)slot->out_host + chunk->out_widths_at[i], chunk->count * sizeof(uint32_t),
                          slot->stream);
    return result;
}

/* Queue the copy of statuses within device memory. */
static gecc_result send_statuses(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                                 struct device *device) {
    const gecc_out *column = &transfer->job->status;
    const CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                                .srcDevice = slot->out + chunk->status_at,
                                .srcPitch = 1,
                                .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                                .dstDevice = (CUdeviceptr)(uintptr_t)transfer_out_row(column, chunk->first),
                                .dstPitch = column->stride,
                                .WidthInBytes = 1,
                                .Height = chunk->count};
    if (column->stride != 1)
        return gecc_device_check(device, device->driver->cuMemcpy2DAsync(&copy, slot->stream), "cuMemcpy2DAsync");
    return gecc_device_check(
        device, device->driver->cuMemcpyDtoDAsync(copy.dstDevice, copy.srcDevice, chunk->count, slot->stream),
        "cuMemcpyDtoDAsync");
}

gecc_result gecc_transfer_clear_status(const struct transfer *transfer, const struct slot *slot,
                                       struct device *device) {
    const gecc_out *column = &transfer->job->status;
    CUdeviceptr to = (CUdeviceptr)(uintptr_t)column->data;
    if (column->stride != 1)
        return gecc_device_check(device,
                                 device->driver->cuMemsetD2D8Async(to, column->stride, GECC_ITEM_NOT_PROCESSED, 1,
                                                                   transfer->job->count, slot->stream),
                                 "cuMemsetD2D8Async");
    return gecc_device_check(
        device, device->driver->cuMemsetD8Async(to, GECC_ITEM_NOT_PROCESSED, transfer->job->count, slot->stream),
        "cuMemsetD8Async");
}

gecc_result gecc_transfer_publish(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                                  struct device *device, struct pool *pool, bool *fault) {
    uint32_t faults;
    gecc_staging_publish(transfer, chunk, slot, pool);
    memcpy(&faults, (const uint8_t *)slot->out_host + chunk->faults_at, sizeof faults);
    *fault |= faults != 0;
    gecc_result result = send_plain_widths(transfer, chunk, slot, device);
    if (result == GECC_OK && transfer->status_on_device)
        return send_statuses(transfer, chunk, slot, device);
    if (result == GECC_OK)
        gecc_staging_publish_statuses(transfer, chunk, slot, pool);
    return result;
}
