#define _GNU_SOURCE
#include "backend/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend/background.h"
#include "backend/cuda/keys.h"
#include "backend/cuda/repeats.h"
#include "backend/cuda/run.h"
#include "backend/cuda/transfer.h"

struct cuda {
    struct device *device;
    struct slots slots;
    struct background background;
    size_t key_table_bytes; /* gecc_config's */
};

struct ticket {
    struct background_job background;
    struct cuda *cuda;
    struct job job;
    gecc_result result;
    gecc_report report;
};

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void gecc_cuda_probe(const struct driver *driver, const struct image *images, const gecc_config *config,
                     gecc_backend_info *info) {
    struct device *device;
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    (void)snprintf(info->name, sizeof info->name, "cuda");
    if (gecc_device_open(&device, driver, images, config, info->reason, sizeof info->reason) != GECC_OK)
        return;
    info->available = 1;
    (void)snprintf(info->device, sizeof info->device, "%s", device->name);
    gecc_device_close(device);
}

gecc_result gecc_cuda_open(void **state, const struct driver *driver, const struct image *images,
                           const gecc_config *config) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL)
        return GECC_ERROR_MEMORY;
    gecc_result result = gecc_device_open(&cuda->device, driver, images, config, reason, sizeof reason);
    if (result != GECC_OK) {
        free(cuda);
        return result;
    }
    cuda->key_table_bytes = config->key_table_bytes;
    gecc_slots_open(&cuda->slots);
    background_open(&cuda->background);
    *state = cuda;
    return GECC_OK;
}

/* Can nothing be had of the device any more? */
static bool is_lost(const struct cuda *cuda) {
    return gecc_device_forked(cuda->device) || atomic_load(&cuda->device->dead);
}

static gecc_result run(struct cuda *cuda, const struct job *job, double *kernel_seconds) {
    struct device *device = cuda->device;
    if (is_lost(cuda))
        return GECC_ERROR_DEVICE;
    if (job->count == 0)
        return GECC_OK;
    gecc_result result = gecc_device_enter(device);
    if (result != GECC_OK)
        return result;
    result = gecc_cuda_run_job(device, &cuda->slots, job, kernel_seconds);
    gecc_result left = gecc_device_leave(device);
    return result == GECC_OK ? left : result;
}

gecc_result gecc_cuda_prepare(void *state, const struct job *job) {
    struct cuda *cuda = state;
    gecc_result result = is_lost(cuda) ? GECC_ERROR_DEVICE : gecc_device_enter(cuda->device);
    if (result != GECC_OK)
        return result;
    result = gecc_cuda_prepare_job(cuda->device, &cuda->slots, job);
    gecc_result left = gecc_device_leave(cuda->device);
    return result == GECC_OK ? left : result;
}

/* Run the job with tables of its keys, if they repeat. Returns false where they do not, or where there is no memory for tables, or
 * none beside them. */
static bool run_repeats(struct cuda *cuda, const struct job *job, gecc_report *report, gecc_result *result) {
    struct numbered numbered;
    size_t bytes;
    if (is_lost(cuda) || !gecc_numbered_make(&numbered, job, cuda->key_table_bytes))
        return false;
    bool made = gecc_cuda_keys_make(cuda, &numbered.keys, &numbered.plan, &numbered.rows.keys, &bytes) == GECC_OK;
    if (made) {
        *result = run(cuda, &numbered.rows, &report->kernel_seconds);
        gecc_cuda_keys_free(cuda, &numbered.rows.keys);
        made = *result != GECC_ERROR_MEMORY;
    }
    if (made) {
        report->prepared_keys = numbered.different;
        report->prepared_rows = job->count;
    }
    gecc_numbered_free(&numbered);
    return made;
}

gecc_result gecc_cuda_run(void *state, const struct job *job, gecc_report *report) {
    struct cuda *cuda = state;
    struct device *device = cuda->device;
    double start = now();
    gecc_result result;
    report->kernel_seconds = 0;
    if (!run_repeats(cuda, job, report, &result))
        result = run(cuda, job, &report->kernel_seconds);
    (void)snprintf(report->backend, sizeof report->backend, "cuda");
    (void)snprintf(report->detail, sizeof report->detail, "%s", device->name);
    report->reason[0] = 0;
    if (gecc_device_forked(device) || atomic_load(&device->dead))
        gecc_device_failure(device, report->reason, sizeof report->reason);
    report->seconds = now() - start;
    return result;
}

static void ticket_run(struct background_job *job) {
    struct ticket *ticket = (struct ticket *)job;
    ticket->result = gecc_cuda_run(ticket->cuda, &ticket->job, &ticket->report);
}

gecc_result gecc_cuda_submit(void *state, const struct job *job, struct ticket **submitted) {
    struct cuda *cuda = state;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (ticket == NULL)
        return GECC_ERROR_MEMORY;
    ticket->background.run = ticket_run;
    ticket->cuda = cuda;
    ticket->job = *job;
    gecc_result result = background_start(&cuda->background, &ticket->background);
    if (result == GECC_OK)
        *submitted = ticket;
    else
        free(ticket);
    return result;
}

gecc_result gecc_cuda_poll(void *state, struct ticket *ticket) {
    (void)state;
    gecc_result result = background_poll(&ticket->background);
    return result == GECC_OK ? ticket->result : result;
}

gecc_result gecc_cuda_wait(void *state, struct ticket *ticket, gecc_report *report) {
    (void)state;
    gecc_result result = background_wait(&ticket->background);
    if (result == GECC_OK)
        result = ticket->result;
    *report = ticket->report;
    free(ticket);
    return result;
}

gecc_result gecc_cuda_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                size_t *bytes) {
    struct cuda *cuda = state;
    gecc_result result = is_lost(cuda) ? GECC_ERROR_DEVICE : gecc_device_enter(cuda->device);
    if (result != GECC_OK)
        return result;
    result = gecc_cuda_make_keys(cuda->device, &cuda->slots, job, plan, set, bytes);
    gecc_result left = gecc_device_leave(cuda->device);
    return result == GECC_OK ? left : result;
}

gecc_result gecc_cuda_keys_add(void *state, const struct job *job, const struct key_set *set, size_t first) {
    struct cuda *cuda = state;
    gecc_result result = is_lost(cuda) ? GECC_ERROR_DEVICE : gecc_device_enter(cuda->device);
    if (result != GECC_OK)
        return result;
    result = gecc_cuda_add_keys(cuda->device, &cuda->slots, job, set, first);
    gecc_result left = gecc_device_leave(cuda->device);
    return result == GECC_OK ? left : result;
}

void gecc_cuda_keys_free(void *state, const struct key_set *set) {
    struct device *device = ((struct cuda *)state)->device;
    if (gecc_device_forked(device) || !gecc_device_enter_to_close(device))
        return;
    gecc_cuda_free_keys(device, set);
    (void)gecc_device_leave(device);
}

void gecc_cuda_close(void *state) {
    struct cuda *cuda = state;
    background_close(&cuda->background);
    if (!gecc_device_forked(cuda->device))
        gecc_slots_close(&cuda->slots, cuda->device);
    gecc_device_close(cuda->device);
    free(cuda);
}

gecc_result gecc_cuda_pin(void *state, void **memory, size_t bytes) {
    struct cuda *cuda = state;
    struct device *device = cuda->device;
    gecc_result result = is_lost(cuda) ? GECC_ERROR_DEVICE : gecc_device_enter(device);
    if (result != GECC_OK)
        return result;
    result = gecc_device_check(device, device->driver->cuMemHostAlloc(memory, bytes, 0), "cuMemHostAlloc");
    gecc_result left = gecc_device_leave(device);
    return result == GECC_OK ? left : result;
}

void gecc_cuda_unpin(void *state, void *memory) {
    struct device *device = ((struct cuda *)state)->device;
    if (gecc_device_forked(device) || !gecc_device_enter_to_close(device))
        return;
    (void)device->driver->cuMemFreeHost(memory);
    (void)gecc_device_leave(device);
}

int gecc_cuda_on_device(void *state, const void *address) {
    struct cuda *cuda = state;
    return !gecc_device_forked(cuda->device) && gecc_transfer_on_device(cuda->device, address);
}
