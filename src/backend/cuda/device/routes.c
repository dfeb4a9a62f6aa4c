#include "backend/cuda/device/routes.h"

#include "scheme/operation.h"

/* In columns that are not messages no row of more bytes is ever read: an SM2 id has at most 8191. */
enum { ROW_BYTES_MOST = 8192 };

/* CU_MEMORYTYPE_HOST, CU_MEMORYTYPE_DEVICE, or 0 for memory that the driver does not know. */
static int memory_type(const struct device *device, const void *address) {
    int type = 0;
    CUresult code =
        device->driver->cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(uintptr_t)address);
    return code == CUDA_SUCCESS ? type : 0;
}

bool gecc_routes_on_device(const struct device *device, const void *address) {
    return address != NULL && memory_type(device, address) == CU_MEMORYTYPE_DEVICE;
}

bool gecc_routes_device_of(const struct driver *driver, const void *address, int *number) {
    return driver->cuPointerGetAttribute(number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                         (CUdeviceptr)(uintptr_t)address) == CUDA_SUCCESS;
}

/* Note that the address is in device memory, if the job's bit says so. GECC_ERROR_ARGUMENT: another device's. */
static gecc_result look(struct routes *routes, const struct device *device, const void *address, uint32_t bit,
                        bool *on_device) {
    int ordinal = -1;
    *on_device = (routes->job->on_device & bit) != 0;
    if (!*on_device)
        return GECC_OK;
    routes->any_on_device = true;
    bool known = gecc_routes_device_of(device->driver, address, &ordinal);
    return known && ordinal != device->ordinal ? GECC_ERROR_ARGUMENT : GECC_OK;
}

/* Are the bytes pinned, as far as their ends tell? */
static bool is_pinned(const struct device *device, const void *bytes, size_t count) {
    return count != 0 && memory_type(device, bytes) == CU_MEMORYTYPE_HOST &&
           memory_type(device, (const uint8_t *)bytes + count - 1) == CU_MEMORYTYPE_HOST;
}

static gecc_result open_input(struct routes *routes, const struct device *device, unsigned column) {
    const struct job *job = routes->job;
    const gecc_rows *rows = &job->in[column];
    struct input *in = &routes->in[column];
    *in = (struct input){.route = ROUTE_NONE, .copied = ROW_BYTES_MOST};
    if (rows->data == NULL)
        return GECC_OK;
    if (operation_takes(operation_info(job), column, GECC_KIND_MESSAGE) ||
        operation_takes(operation_info(job), column, GECC_KIND_PLAINTEXT) ||
        operation_takes(operation_info(job), column, GECC_KIND_CIPHERTEXT))
        in->copied = SIZE_MAX;
    bool on_device;
    gecc_result result = look(routes, device, rows->data, (uint32_t)JOB_IN_ON_DEVICE << column, &on_device);
    if (result == GECC_OK)
        result = look(routes, device, rows->widths, (uint32_t)JOB_IN_WIDTHS_ON_DEVICE << column, &in->widths_on_device);
    if (result == GECC_OK)
        result =
            look(routes, device, rows->offsets, (uint32_t)JOB_IN_OFFSETS_ON_DEVICE << column, &in->offsets_on_device);
    if (result != GECC_OK)
        return result;
    if (!on_device && (in->widths_on_device || in->offsets_on_device))
        return GECC_ERROR_ARGUMENT;
    const bool is_made = column == 0 && routes->packer != NULL;
    bool packed = !is_made && rows->widths == NULL && rows->offsets == NULL && rows->stride == rows->width;
    if (on_device)
        in->route = ROUTE_DEVICE;
    else if (packed && is_pinned(device, rows->data, job->count * rows->width))
        in->route = ROUTE_DIRECT;
    else
        in->route = ROUTE_STAGED;
    in->widths_staged = rows->widths != NULL && !in->widths_on_device;
    in->offsets_staged =
        in->route == ROUTE_DEVICE ? rows->offsets != NULL && !in->offsets_on_device : in->widths_staged;
    routes->in_row += (in->widths_staged ? sizeof(uint32_t) : 0) + (in->offsets_staged ? sizeof(uint64_t) : 0);
    if (rows->widths == NULL && in->route != ROUTE_DEVICE && !is_one_row(rows))
        routes->in_row += rows->width;
    routes->varies |= rows->widths != NULL && in->route == ROUTE_STAGED;
    return GECC_OK;
}

/* May the output be in the same memory as an input? Inputs at offsets may be anywhere. */
static bool may_be_over_input(const struct routes *routes, const gecc_out *out) {
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const gecc_rows *rows = &routes->job->in[i];
        bool on_host = routes->in[i].route == ROUTE_DIRECT || routes->in[i].route == ROUTE_STAGED;
        if (on_host && (rows->data == out->data || rows->offsets != NULL))
            return true;
    }
    return false;
}

/* An output over an input is staged: then rows that are not processed, of a chunk that fails or withheld, leave their
 * inputs as they were. */
static gecc_result open_output(struct routes *routes, const struct device *device, unsigned column) {
    const struct job *job = routes->job;
    const gecc_out *out = &job->out[column];
    struct output *to = &routes->out[column];
    size_t width = job->out_width[column];
    *to = (struct output){.route = ROUTE_NONE};
    if (out->data == NULL)
        return GECC_OK;
    bool on_device;
    gecc_result result = look(routes, device, out->data, (uint32_t)JOB_OUT_ON_DEVICE << column, &on_device);
    if (result == GECC_OK)
        result = look(routes, device, out->widths, (uint32_t)JOB_OUT_WIDTHS_ON_DEVICE << column, &to->widths_on_device);
    to->plain = (job->plain_outputs >> column & 1) != 0;
    bool packed = out->stride == width && !may_be_over_input(routes, out);
    if (on_device)
        to->route = ROUTE_DEVICE;
    else if (packed && is_pinned(device, out->data, job->count * width))
        to->route = ROUTE_DIRECT;
    else
        to->route = ROUTE_STAGED;
    routes->out_row += to->route == ROUTE_DEVICE ? 0 : width;
    to->widths_staged = out->widths != NULL && (to->plain || !to->widths_on_device);
    routes->out_row += to->widths_staged ? sizeof(uint32_t) : 0;
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

gecc_result gecc_routes_open(struct routes *routes, const struct device *device, const struct job *job,
                             const struct packer *packer) {
    *routes = (struct routes){.job = job, .packer = packer, .out_row = 1};
    gecc_result result = look(routes, device, job->status.data, JOB_STATUS_ON_DEVICE, &routes->status_on_device);
    for (unsigned i = 0; i < JOB_INPUTS && result == GECC_OK; i++)
        result = open_input(routes, device, i);
    for (unsigned i = 0; i < JOB_OUTPUTS && result == GECC_OK; i++)
        result = open_output(routes, device, i);
    return result == GECC_OK && routes->any_on_device ? look_at_stream(device, job->stream) : result;
}
