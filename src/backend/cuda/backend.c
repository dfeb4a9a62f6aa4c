#define _GNU_SOURCE
#include "backend/cuda/cuda.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backend/cuda/run.h"
#include "backend/cuda/transfer.h"

struct cuda {
    struct device *device;
    struct slots slots;
    pthread_mutex_t mutex; /* for `tickets` */
    pthread_cond_t idle;
    size_t tickets; /* whose threads are at work */
};

/* A job with a thread of its own. */
struct ticket {
    struct cuda *cuda;
    struct job job;
    pthread_t thread;
    atomic_bool done;
    gecc_result result;
    gecc_report report;
};

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void gecc_cuda_probe(const struct driver *driver, const struct image *images, gecc_backend_info *info) {
    struct device *device;
    *info = (gecc_backend_info){.name = "cuda"};
    if (gecc_device_open(&device, driver, images, info->reason, sizeof info->reason) != GECC_OK)
        return;
    info->available = 1;
    (void)snprintf(info->device, sizeof info->device, "%s", device->name);
    gecc_device_close(device);
}

gecc_result gecc_cuda_open(void **state, const struct driver *driver, const struct image *images) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL)
        return GECC_ERROR_MEMORY;
    gecc_result result = gecc_device_open(&cuda->device, driver, images, reason, sizeof reason);
    if (result != GECC_OK) {
        free(cuda);
        return result;
    }
    gecc_slots_open(&cuda->slots);
    pthread_mutex_init(&cuda->mutex, NULL);
    pthread_cond_init(&cuda->idle, NULL);
    *state = cuda;
    return GECC_OK;
}

static gecc_result run(struct cuda *cuda, const struct job *job, double *kernel_seconds) {
    struct device *device = cuda->device;
    if (gecc_device_forked(device) || atomic_load(&device->dead))
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

gecc_result gecc_cuda_run(void *state, const struct job *job, gecc_report *report) {
    struct cuda *cuda = state;
    struct device *device = cuda->device;
    double start = now();
    report->kernel_seconds = 0;
    gecc_result result = run(cuda, job, &report->kernel_seconds);
    (void)snprintf(report->backend, sizeof report->backend, "cuda");
    (void)snprintf(report->detail, sizeof report->detail, "%s", device->name);
    report->reason[0] = 0;
    if (gecc_device_forked(device) || atomic_load(&device->dead))
        gecc_device_failure(device, report->reason, sizeof report->reason);
    report->seconds = now() - start;
    return result;
}

static void *ticket_main(void *argument) {
    struct ticket *ticket = argument;
    struct cuda *cuda = ticket->cuda;
    ticket->result = gecc_cuda_run(cuda, &ticket->job, &ticket->report);
    atomic_store(&ticket->done, true);
    pthread_mutex_lock(&cuda->mutex);
    cuda->tickets--;
    pthread_cond_broadcast(&cuda->idle);
    pthread_mutex_unlock(&cuda->mutex);
    return NULL;
}

/* The process's signals are not for the thread. */
static gecc_result ticket_start(struct cuda *cuda, struct ticket *ticket) {
    sigset_t all, before;
    pthread_mutex_lock(&cuda->mutex);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&ticket->thread, NULL, ticket_main, ticket);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        cuda->tickets++;
    pthread_mutex_unlock(&cuda->mutex);
    return error == 0 ? GECC_OK : GECC_ERROR_THREAD;
}

gecc_result gecc_cuda_submit(void *state, const struct job *job, struct ticket **submitted) {
    struct cuda *cuda = state;
    if (gecc_device_forked(cuda->device))
        return GECC_ERROR_DEVICE;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (ticket == NULL)
        return GECC_ERROR_MEMORY;
    ticket->cuda = cuda;
    ticket->job = *job;
    atomic_init(&ticket->done, false);
    gecc_result result = ticket_start(cuda, ticket);
    if (result == GECC_OK)
        *submitted = ticket;
    else
        free(ticket);
    return result;
}

/* In a forked child the thread of a job that was under way does not exist. */
gecc_result gecc_cuda_poll(void *state, struct ticket *ticket) {
    struct cuda *cuda = state;
    if (atomic_load(&ticket->done))
        return ticket->result;
    return gecc_device_forked(cuda->device) ? GECC_ERROR_DEVICE : GECC_PENDING;
}

gecc_result gecc_cuda_wait(void *state, struct ticket *ticket, gecc_report *report) {
    struct cuda *cuda = state;
    if (!gecc_device_forked(cuda->device))
        pthread_join(ticket->thread, NULL);
    gecc_result result = gecc_cuda_poll(state, ticket);
    *report = ticket->report;
    free(ticket);
    return result;
}

void gecc_cuda_close(void *state) {
    struct cuda *cuda = state;
    if (!gecc_device_forked(cuda->device)) {
        pthread_mutex_lock(&cuda->mutex);
        while (cuda->tickets != 0)
            pthread_cond_wait(&cuda->idle, &cuda->mutex);
        pthread_mutex_unlock(&cuda->mutex);
        gecc_slots_close(&cuda->slots, cuda->device);
        pthread_mutex_destroy(&cuda->mutex);
        pthread_cond_destroy(&cuda->idle);
    }
    gecc_device_close(cuda->device);
    free(cuda);
}

int gecc_cuda_on_device(void *state, const void *address) {
    struct cuda *cuda = state;
    return !gecc_device_forked(cuda->device) && gecc_transfer_on_device(cuda->device, address);
}
