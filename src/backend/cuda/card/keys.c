#include "backend/cuda/card/keys.h"

#include <string.h>

#include "backend/cuda/card/passes.h"
#include "backend/cuda/card/plan.h"
#include "curve/sizes.h"

/* Of the memory that is free, where the caller gives no bound. */
enum { FREE_SHARE = 4 };

/* Keys on their way into a set. */
struct making {
    struct device *device;
    struct program *program;
    struct slot *slot;
    struct job job;       /* as kernels are given it */
    size_t rows;          /* of a launch, at most: as many as there is workspace for */
    size_t stride, count; /* of points, as they are sent; of keys */
};

static CUdeviceptr address_of(const void *pointer) { return (CUdeviceptr)(uintptr_t)pointer; }

/* Memory for the tables and, behind them, the statuses, with narrower windows where there is not enough. */
static gecc_result allocate(struct making *m, const struct key_plan *plan, struct key_set *set, size_t *bytes) {
    const struct driver *driver = m->device->driver;
    const struct key_size size = {curve_bits(m->job.curve), plan->capacity > m->count ? plan->capacity : m->count,
                                  (size_t)m->program->info.key_entry_bytes};
    struct key_plan own = *plan;
    size_t free_bytes = 0, total = 0;
    CUdeviceptr memory = 0;
    gecc_result result = gecc_device_check(m->device, driver->cuMemGetInfo(&free_bytes, &total), "cuMemGetInfo");
    if (result != GECC_OK)
        return result;
    if (own.memory == 0)
        own.memory = free_bytes / FREE_SHARE;
    result = GECC_ERROR_MEMORY;
    for (set->width = gecc_key_window(&size, &own); set->width >= KEY_WINDOW_LEAST; set->width--) {
        *bytes = gecc_key_bytes(&size, set->width);
        result = gecc_device_check(m->device, driver->cuMemAlloc(&memory, *bytes + size.count + 1), "cuMemAlloc");
        if (result != GECC_ERROR_MEMORY)
            break;
    }
    if (result != GECC_OK)
        return result;
    set->windows = gecc_key_windows(&size, set->width);
    set->rows = (void *)(uintptr_t)memory;
    set->status = (const uint8_t *)set->rows + *bytes;
    return GECC_OK;
}

static size_t point_bytes(const struct making *m) { return m->count * (sizeof(uint32_t) + m->stride); }

/* Workspace for as many rows as a launch is worth, and room for the points. */
static gecc_result reserve(struct making *m, const struct kernel *kernel, size_t rows) {
    const struct launch_info *info = &kernel->info;
    struct slot_sizes sizes = {
        .in = point_bytes(m), .in_staged = point_bytes(m), .out = m->count + sizeof(uint32_t), .out_staged = m->count};
    m->rows = kernel->resident * info->rows_a_thread;
    m->rows = rows < m->rows ? rows : m->rows;
    for (;;) {
        sizes.workspace = gecc_plan_workspace(m->rows, info);
        gecc_result result = gecc_slot_reserve(m->slot, m->device, &sizes);
        size_t fewer = result == GECC_ERROR_MEMORY ? gecc_plan_halve(m->rows, info) : 0;
        if (fewer == 0)
            return result;
        m->rows = fewer;
    }
}

/* The keys' points to the device, one after the other, as wide as the widest that is one, after their widths. */
static gecc_result send(struct making *m) {
    const gecc_rows *rows = &m->job.in[0];
    uint32_t *widths = m->slot->in_host;
    uint8_t *points = (uint8_t *)(widths + m->count);
    const CUdeviceptr points_at = m->slot->in + m->count * sizeof *widths;
    for (size_t i = 0; i < m->count; i++) {
        const uint8_t *from =
            (const uint8_t *)rows->data + (rows->offsets != NULL ? rows->offsets[i] : i * rows->stride);
        size_t width = rows->widths != NULL ? rows->widths[i] : rows->width;
        widths[i] = (uint32_t)(width < UINT32_MAX ? width : UINT32_MAX);
        memcpy(points + i * m->stride, from, width < m->stride ? width : m->stride);
    }
    m->job.in[0] =
        (gecc_rows){(const void *)(uintptr_t)points_at, m->stride, 0, (const uint32_t *)(uintptr_t)m->slot->in, NULL};
    return gecc_device_check(
        m->device, m->device->driver->cuMemcpyHtoDAsync(m->slot->in, m->slot->in_host, point_bytes(m), m->slot->stream),
        "cuMemcpyHtoDAsync");
}

static gecc_result run_passes(struct making *m) {
    struct passes passes = {.device = m->device,
                            .program = m->program,
                            .stream = m->slot->stream,
                            .launch = {.job = m->job,
                                       .workspace = (void *)(uintptr_t)m->slot->workspace,
                                       .workspace_bytes = m->slot->has.workspace,
                                       .faults = (uint32_t *)(uintptr_t)m->slot->out},
                            .rows = m->rows};
    const struct key_set *keys = &m->job.keys;
    const struct kernel *bases;
    gecc_result result = gecc_program_key_pass(m->device, m->program, KEY_PASS_BASES, &bases);
    if (result == GECC_OK)
        result = gecc_passes_run(&passes, bases, m->count);
    if (result == GECC_OK)
        result = gecc_passes_finish(&passes, m->count * keys->windows, (size_t)1 << (keys->width - 1));
    return result;
}

/* In a slot that is prepared, the tables of keys from number `first` on; their statuses go to its out_host. */
static gecc_result fill(struct making *m, const struct key_set *set, size_t first) {
    const struct driver *driver = m->device->driver;
    const struct key_size one = {curve_bits(m->job.curve), 1, (size_t)m->program->info.key_entry_bytes};
    const CUdeviceptr status = address_of(set->status) + first;
    const struct kernel *kernel;
    gecc_result result = gecc_program_key_pass(m->device, m->program, KEY_PASS_EXTEND, &kernel);
    if (result != GECC_OK)
        return result;
    m->job.keys = *set;
    m->job.keys.rows = (void *)(uintptr_t)(address_of(set->rows) + first * gecc_key_bytes(&one, set->width));
    m->job.count = m->count;
    m->job.status = gecc_out_packed((void *)(uintptr_t)status, 1);
    result = reserve(m, kernel, (m->count * set->windows) << (set->width - 2));
    if (result == GECC_OK)
        result = send(m);
    if (result == GECC_OK)
        result = run_passes(m);
    if (result == GECC_OK)
        result = gecc_device_check(m->device,
                                   driver->cuMemcpyDtoHAsync(m->slot->out_host, status, m->count, m->slot->stream),
                                   "cuMemcpyDtoHAsync");
    gecc_result waited = gecc_slot_wait(m->slot, m->device);
    return result == GECC_OK ? waited : result;
}

/* Find what makes tables of the job's curve, and take a slot for it. */
static gecc_result begin(struct making *m, struct device *device, struct slots *slots, const struct job *job) {
    const struct kernel *kernel;
    *m = (struct making){.device = device, .job = *job, .count = job->count, .stride = 1 + 2 * curve_bytes(job->curve)};
    gecc_result result = gecc_program_find(device, job, &m->program, &kernel);
    if (result == GECC_OK && m->program->info.key_entry_bytes == 0)
        result = GECC_ERROR_UNSUPPORTED;
    if (result != GECC_OK)
        return result;
    (void)gecc_slots_take(slots, &m->slot, 1);
    return gecc_slot_prepare(m->slot, device);
}

/* Give the slot back, and the statuses to the caller. */
static void end(const struct making *m, struct slots *slots, const struct job *job, gecc_result result) {
    for (size_t i = 0; result == GECC_OK && i < job->count; i++)
        ((uint8_t *)job->status.data)[i * job->status.stride] = ((const uint8_t *)m->slot->out_host)[i];
    if (m->slot != NULL)
        gecc_slots_give(slots, m->slot);
}

gecc_result gecc_cuda_make_keys(struct device *device, struct slots *slots, const struct job *job,
                                const struct key_plan *plan, struct key_set *set, size_t *bytes) {
    struct making m;
    gecc_result result = begin(&m, device, slots, job);
    if (result == GECC_OK)
        result = allocate(&m, plan, set, bytes);
    if (result == GECC_OK) {
        result = fill(&m, set, 0);
        if (result != GECC_OK)
            gecc_cuda_free_keys(device, set);
    }
    end(&m, slots, job, result);
    return result;
}

gecc_result gecc_cuda_add_keys(struct device *device, struct slots *slots, const struct job *job,
                               const struct key_set *set, size_t first) {
    struct making m;
    gecc_result result = begin(&m, device, slots, job);
    if (result == GECC_OK)
        result = fill(&m, set, first);
    end(&m, slots, job, result);
    return result;
}

void gecc_cuda_free_keys(struct device *device, const struct key_set *set) {
    (void)gecc_device_check(device, device->driver->cuMemFree(address_of(set->rows)), "cuMemFree");
}
