#include "backend/cuda/card/measure.h"

#include <stdio.h>
#include <string.h>

#include "backend/cuda/device/open.h"
#include "backend/cuda/device/program.h"
#include "backend/cuda/device/slot.h"
#include "curve/sizes.h"

/* A measurement under way. */
struct measuring {
    struct gecc_cuda_measurement *m;
    struct device *device;
    struct program *program;
    struct kernel kernel;
    struct slot slot;
    size_t column; /* bytes of x, of y and of out */
};

static gecc_result check(const struct measuring *g, CUresult code, const char *call) {
    return gecc_device_check(g->device, code, call);
}

/* The widths that the modulus's kernel takes. */
static bool is_valid(const struct gecc_cuda_measurement *m) {
    size_t bytes = m->modulus.bytes;
    if (m->size != sizeof *m || m->rows == 0 || m->runs == 0)
        return false;
    if (m->curve != 0)
        return bytes != 0 && bytes == curve_bytes(m->curve);
    return bytes >= 16 && bytes <= JOB_MODULUS_BYTES && bytes % 4 == 0 && m->modulus.value[bytes - 1] % 2 != 0;
}

/* A job of the family that the kernel is found beside. */
static struct job job_of(const struct gecc_cuda_measurement *m) {
    size_t bytes = m->modulus.bytes;
    struct job job = {.operation = m->curve == 0 ? OPERATION_MOD_MUL : OPERATION_EC_VALIDATE, .curve = m->curve};
    if (m->curve == 0) {
        job.modulus_bytes = bytes;
        memcpy(job.modulus + JOB_MODULUS_BYTES - bytes, m->modulus.value, bytes);
    }
    return job;
}

static gecc_result find_kernel(struct measuring *g) {
    const struct kernel *beside;
    const struct job job = job_of(g->m);
    gecc_result result = gecc_program_find(g->device, &job, &g->program, &beside);
    if (result == GECC_OK)
        result = gecc_program_kernel(g->device, g->program,
                                     g->m->squaring ? "gecc_measure_square" : "gecc_measure_multiply", &g->kernel);
    return result == GECC_OK && g->kernel.function == NULL ? GECC_ERROR_UNSUPPORTED : result;
}

/* Rows that fill the device a whole number of times, so that no part of it is idle at the end. */
static size_t whole_waves(size_t rows, size_t resident) { return rows < resident ? rows : rows / resident * resident; }

/* x and y to the device. */
static gecc_result send(struct measuring *g) {
    const struct gecc_cuda_measurement *m = g->m;
    struct slot *slot = &g->slot;
    const struct slot_sizes sizes = {
        .in = 2 * g->column, .in_staged = 2 * g->column, .out = g->column, .out_staged = g->column};
    gecc_result result = gecc_slot_prepare(slot, g->device);
    if (result == GECC_OK)
        result = gecc_slot_reserve(slot, g->device, &sizes);
    if (result != GECC_OK)
        return result;
    memcpy(slot->in_host, m->x, g->column);
    memcpy((uint8_t *)slot->in_host + g->column, m->squaring ? m->x : m->y, g->column);
    return check(g, g->device->driver->cuMemcpyHtoDAsync(slot->in, slot->in_host, 2 * g->column, slot->stream),
                 "cuMemcpyHtoDAsync");
}

static gecc_result launch(struct measuring *g, double *seconds) {
    const struct driver *driver = g->device->driver;
    size_t bytes = g->m->modulus.bytes, threads = g->kernel.info.threads;
    struct launch launch = {.job = job_of(g->m), .count = g->m->rows};
    void *parameters[] = {&launch, &g->m->times};
    float milliseconds = 0;
    launch.job.in[0] = gecc_rows_packed((const void *)(uintptr_t)g->slot.in, bytes);
    launch.job.in[1] = gecc_rows_packed((const void *)(uintptr_t)(g->slot.in + g->column), bytes);
    launch.job.out[0] = gecc_out_packed((void *)(uintptr_t)g->slot.out, bytes);
    launch.job.out_width[0] = bytes;
    launch.job.count = launch.count;
    gecc_result result = check(g, driver->cuEventRecord(g->slot.started, g->slot.stream), "cuEventRecord");
    if (result == GECC_OK)
        result = check(g,
                       driver->cuLaunchKernel(g->kernel.function, (unsigned)((launch.count + threads - 1) / threads), 1,
                                              1, (unsigned)threads, 1, 1, 0, g->slot.stream, parameters, NULL),
                       "cuLaunchKernel");
    if (result == GECC_OK)
        result = check(g, driver->cuEventRecord(g->slot.stopped, g->slot.stream), "cuEventRecord");
    if (result == GECC_OK)
        result = gecc_slot_wait(&g->slot, g->device);
    if (result == GECC_OK)
        result =
            check(g, driver->cuEventElapsedTime(&milliseconds, g->slot.started, g->slot.stopped), "cuEventElapsedTime");
    *seconds = 1e-3 * (double)milliseconds;
    return result;
}

static gecc_result fetch(struct measuring *g) {
    struct slot *slot = &g->slot;
    gecc_result result =
        check(g, g->device->driver->cuMemcpyDtoHAsync(slot->out_host, slot->out, g->column, slot->stream),
              "cuMemcpyDtoHAsync");
    if (result == GECC_OK)
        result = gecc_slot_wait(slot, g->device);
    if (result == GECC_OK)
        memcpy(g->m->out, slot->out_host, g->column);
    return result;
}

/* The device's context is entered. */
static gecc_result measure(struct measuring *g) {
    struct gecc_cuda_measurement *m = g->m;
    gecc_result result = find_kernel(g);
    if (result != GECC_OK)
        return result;
    m->rows = whole_waves(m->rows, g->kernel.resident);
    g->column = m->rows * m->modulus.bytes;
    result = send(g);
    for (unsigned run = 0; run <= m->runs && result == GECC_OK; run++)
        result = launch(g, &m->seconds[run == 0 ? 0 : run - 1]);
    return result == GECC_OK ? fetch(g) : result;
}

gecc_result gecc_cuda_measure_on(const struct driver *driver, const struct image *images,
                                 struct gecc_cuda_measurement *m) {
    char reason[128];
    struct measuring g = {.m = m};
    if (!is_valid(m))
        return GECC_ERROR_ARGUMENT;
    gecc_result result = gecc_device_open(&g.device, driver, images, 0, 0, reason, sizeof reason);
    if (result != GECC_OK)
        return result;
    (void)snprintf(m->device, sizeof m->device, "%s", g.device->name);
    result = gecc_device_enter(g.device);
    if (result == GECC_OK) {
        result = measure(&g);
        gecc_slot_close(&g.slot, g.device);
        gecc_result left = gecc_device_leave(g.device);
        result = result == GECC_OK ? left : result;
    }
    gecc_device_close(g.device);
    return result;
}
