#include "backend/auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/background.h"
#include "backend/job_rows.h"

/* What has come of the GPU. */
enum gpu_state { GPU_CLOSED, GPU_OPENING, GPU_OPEN, GPU_MISSING };

struct automatic {
    struct instance cpu;
    struct gpu_opener opener;
    struct cost estimate;
    struct background background;

    pthread_mutex_t opening; /* held to leave GPU_CLOSED, and by whoever opens the GPU */
    atomic_int gpu_state;
    _Atomic double lost; /* seconds that the CPU took longer than the GPU would have */
    struct background_job opener_job;

    /* Set before GPU_OPEN, or GPU_MISSING. */
    struct instance gpu;
    struct cost cost;
    char missing[64]; /* why there is no GPU */
    char *device;     /* gecc_config's, or NULL */
};

/* A job on the CPU has the CPU's ticket, another one a thread of its own. */
struct ticket {
    struct background_job background;
    struct automatic *automatic;
    struct ticket *cpu;
    struct job job;
    gecc_result result;
    gecc_report report;
};

static bool gpu_is(const struct automatic *automatic, enum gpu_state state) {
    return atomic_load(&automatic->gpu_state) == (int)state;
}

/* Open the GPU, once; the caller holds `opening`. */
static void open_gpu(struct automatic *automatic) {
    if (gpu_is(automatic, GPU_OPEN) || gpu_is(automatic, GPU_MISSING))
        return;
    automatic->cost = automatic->estimate;
    gecc_result result =
        automatic->opener.open(&automatic->opener, &automatic->gpu, automatic->missing, sizeof automatic->missing);
    if (result == GECC_OK && automatic->opener.measure != NULL)
        automatic->opener.measure(&automatic->cost, &automatic->cpu);
    atomic_store(&automatic->gpu_state, result == GECC_OK ? GPU_OPEN : GPU_MISSING);
}

/* Open the GPU, or wait until another thread has. */
static void open_gpu_now(struct automatic *automatic) {
    pthread_mutex_lock(&automatic->opening);
    open_gpu(automatic);
    pthread_mutex_unlock(&automatic->opening);
}

static void opener_run(struct background_job *job) {
    struct automatic *automatic = (struct automatic *)((char *)job - offsetof(struct automatic, opener_job));
    open_gpu_now(automatic);
}

/* Have a thread open the GPU, unless somebody does already. Where none can be started, a later job tries again. */
static void open_gpu_meanwhile(struct automatic *automatic) {
    if (pthread_mutex_trylock(&automatic->opening) != 0)
        return;
    if (gpu_is(automatic, GPU_CLOSED)) {
        automatic->opener_job.run = opener_run;
        atomic_store(&automatic->gpu_state, GPU_OPENING);
        if (background_start(&automatic->background, &automatic->opener_job) != GECC_OK)
            atomic_store(&automatic->gpu_state, GPU_CLOSED);
    }
    pthread_mutex_unlock(&automatic->opening);
}

/* May the GPU still be opened? Not in a forked child: it has no GPU, and locks that may be held for ever. */
static bool may_open_gpu(const struct automatic *automatic) {
    return (gpu_is(automatic, GPU_CLOSED) || gpu_is(automatic, GPU_OPENING)) &&
           !background_forked(&automatic->background);
}

/* Open the GPU if this process uses such ones. */
static void open_gpu_in_use(struct automatic *automatic) {
    if (may_open_gpu(automatic) && automatic->opener.in_use != NULL && automatic->opener.in_use())
        open_gpu_now(automatic);
}

/* Open the GPU, or have it opened, if this job and those before it are worth that. */
static void consider_gpu(struct automatic *automatic, const struct job *job) {
    open_gpu_in_use(automatic);
    if (!may_open_gpu(automatic))
        return;
    double loss = gecc_cost_cpu(&automatic->estimate, job) - gecc_cost_gpu(&automatic->estimate, job);
    if (loss <= 0)
        return;
    if (loss > AUTO_OPENING_SECONDS) {
        open_gpu_now(automatic);
        return;
    }
    if (gpu_is(automatic, GPU_OPENING))
        return;
    double lost = atomic_load(&automatic->lost);
    while (!atomic_compare_exchange_weak(&automatic->lost, &lost, lost + loss))
        ;
    if (lost + loss > AUTO_OPENING_SECONDS)
        open_gpu_meanwhile(automatic);
}

static bool on_gpu(const struct automatic *automatic, const void *address) {
    const struct instance *gpu = &automatic->gpu;
    return gpu_is(automatic, GPU_OPEN) && address != NULL && gpu->backend->on_device != NULL &&
           gpu->backend->on_device(gpu->state, address);
}

/* Does the CPU lack access to a column? */
static bool needs_gpu(const struct job *job) { return job->on_device != 0; }

/* Tables of keys are on the CPU. */
static bool prefers_cpu(const struct automatic *automatic, const struct job *job) {
    return job->keys.rows != NULL || !gpu_is(automatic, GPU_OPEN) ||
           gecc_cost_cpu(&automatic->cost, job) <= gecc_cost_gpu(&automatic->cost, job);
}

static gecc_result run_on(const struct instance *instance, const struct job *job, gecc_report *report) {
    return instance->backend->run(instance->state, job, report);
}

static void say_why_cpu(const struct automatic *automatic, gecc_report *report) {
    if (gpu_is(automatic, GPU_OPEN))
        (void)snprintf(report->reason, sizeof report->reason, "faster on the CPU at this size");
    else if (gpu_is(automatic, GPU_MISSING))
        (void)snprintf(report->reason, sizeof report->reason, "the only one available (%.8s: %.60s)",
                       automatic->opener.backend->name, automatic->missing);
    else
        (void)snprintf(report->reason, sizeof report->reason, "the GPU is opened once rows pay for it");
}

static gecc_result run_small(const struct automatic *automatic, const struct job *job, gecc_report *report) {
    gecc_result result = run_on(&automatic->cpu, job, report);
    say_why_cpu(automatic, report);
    return result;
}

/* What the GPU left, on the CPU. *finished: how many rows. */
static gecc_result finish_on_cpu(const struct automatic *automatic, const struct job *job, gecc_report *report,
                                 size_t *finished) {
    gecc_result result = GECC_OK;
    double seconds = 0;
    *finished = 0;
    for (size_t first = job_find_row(job, 0, true), end; first < job->count; first = job_find_row(job, end, true)) {
        end = job_find_row(job, first + 1, false);
        struct job part = job_rows(job, first, end - first);
        gecc_result here = run_on(&automatic->cpu, &part, report);
        result = result == GECC_OK ? here : result;
        seconds += report->seconds;
        *finished += end - first;
    }
    report->seconds = seconds;
    return result;
}

/* Why the CPU had to help. */
static const char *why(gecc_result result, const gecc_report *gpu) {
    if (result == GECC_ERROR_MEMORY)
        return "not enough device memory";
    if (result == GECC_ERROR_UNSUPPORTED)
        return "no kernel for this";
    if (result == GECC_ERROR_FAULT)
        return "a signature failed its check on the GPU";
    return gpu->reason[0] != 0 ? gpu->reason : gecc_result_text(result);
}

static gecc_result run_large(const struct automatic *automatic, const struct job *job, gecc_report *report) {
    gecc_result result = run_on(&automatic->gpu, job, report);
    if (!job_can_go_on(result)) {
        if (report->reason[0] == 0)
            (void)snprintf(report->reason, sizeof report->reason, "faster on the GPU at this size");
        return result;
    }
    gecc_report gpu = *report;
    size_t finished;
    gecc_result failed = result;
    result = finish_on_cpu(automatic, job, report, &finished);
    report->seconds += gpu.seconds;
    report->kernel_seconds = gpu.kernel_seconds;
    if (finished != job->count) {
        (void)snprintf(report->backend, sizeof report->backend, "%.6s, %.6s", gpu.backend,
                       automatic->cpu.backend->name);
        memcpy(report->detail, gpu.detail, sizeof report->detail);
    }
    (void)snprintf(report->reason, sizeof report->reason, "%.70s; the CPU did the rest", why(failed, &gpu));
    return result;
}

static gecc_result auto_run(void *state, const struct job *job, gecc_report *report) {
    struct automatic *automatic = state;
    consider_gpu(automatic, job);
    if (needs_gpu(job) && job->keys.rows != NULL) {
        (void)snprintf(report->reason, sizeof report->reason, "tables of keys are on the CPU, and rows are not");
        return GECC_ERROR_UNSUPPORTED;
    }
    if (needs_gpu(job))
        return run_on(&automatic->gpu, job, report);
    return prefers_cpu(automatic, job) ? run_small(automatic, job, report) : run_large(automatic, job, report);
}

static gecc_result auto_prepare(void *state, const struct job *job) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu, *gpu = &automatic->gpu;
    if (may_open_gpu(automatic) && gecc_cost_gpu(&automatic->estimate, job) < gecc_cost_cpu(&automatic->estimate, job))
        open_gpu_now(automatic);
    return prefers_cpu(automatic, job) ? cpu->backend->prepare(cpu->state, job)
                                       : gpu->backend->prepare(gpu->state, job);
}

/* Pinned memory where the GPU is open; opening it for that alone takes longer than copying most rows. */
static gecc_result auto_pin(void *state, void **memory, size_t bytes) {
    const struct automatic *automatic = state;
    const struct instance *gpu = &automatic->gpu;
    if (!gpu_is(automatic, GPU_OPEN) || gpu->backend->pin == NULL)
        return GECC_ERROR_UNSUPPORTED;
    return gpu->backend->pin(gpu->state, memory, bytes);
}

static void auto_unpin(void *state, void *memory) {
    const struct instance *gpu = &((struct automatic *)state)->gpu;
    gpu->backend->unpin(gpu->state, memory);
}

static void ticket_run(struct background_job *job) {
    struct ticket *ticket = (struct ticket *)job;
    ticket->result = auto_run(ticket->automatic, &ticket->job, &ticket->report);
}

/* In a forked child there is no GPU, nor a thread to be had: the CPU's way to submit fits. */
static bool submits_to_cpu(const struct automatic *automatic, const struct job *job) {
    return !needs_gpu(job) && (background_forked(&automatic->background) || prefers_cpu(automatic, job));
}

static gecc_result auto_submit(void *state, const struct job *job, struct ticket **submitted) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (ticket == NULL)
        return GECC_ERROR_MEMORY;
    ticket->background.run = ticket_run;
    ticket->automatic = automatic;
    ticket->job = *job;
    consider_gpu(automatic, job);
    gecc_result result = submits_to_cpu(automatic, job) ? cpu->backend->submit(cpu->state, job, &ticket->cpu)
                                                        : background_start(&automatic->background, &ticket->background);
    if (result == GECC_OK)
        *submitted = ticket;
    else
        free(ticket);
    return result;
}

static gecc_result auto_poll(void *state, struct ticket *ticket) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    if (ticket->cpu != NULL)
        return cpu->backend->poll(cpu->state, ticket->cpu);
    gecc_result result = background_poll(&ticket->background);
    return result == GECC_OK ? ticket->result : result;
}

static gecc_result auto_wait(void *state, struct ticket *ticket, gecc_report *report) {
    const struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    gecc_result result;
    if (ticket->cpu != NULL) {
        result = cpu->backend->wait(cpu->state, ticket->cpu, report);
        say_why_cpu(automatic, report);
    } else {
        result = background_wait(&ticket->background);
        result = result == GECC_OK ? ticket->result : result;
        *report = ticket->report;
    }
    free(ticket);
    return result;
}

static gecc_result auto_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                  size_t *bytes) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    return cpu->backend->keys_make(cpu->state, job, plan, set, bytes);
}

static gecc_result auto_keys_add(void *state, const struct job *job, const struct key_set *set, size_t first) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    return cpu->backend->keys_add(cpu->state, job, set, first);
}

static void auto_keys_free(void *state, const struct key_set *set) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    cpu->backend->keys_free(cpu->state, set);
}

static void auto_close(void *state) {
    struct automatic *automatic = state;
    background_close(&automatic->background);
    if (gpu_is(automatic, GPU_OPEN))
        automatic->gpu.backend->close(automatic->gpu.state);
    automatic->cpu.backend->close(automatic->cpu.state);
    if (!background_forked(&automatic->background))
        pthread_mutex_destroy(&automatic->opening);
    free(automatic->device);
    free(automatic);
}

void gecc_auto_open_gpu(void *state) { open_gpu_now(state); }

static int auto_on_device(void *state, const void *address) {
    open_gpu_in_use(state);
    return on_gpu(state, address);
}

/* Until the GPU is open, nobody's. */
static size_t auto_devices(const void *state, size_t index, gecc_device_info *info) {
    const struct automatic *automatic = state;
    const struct backend *gpu = automatic->opener.backend;
    return gpu->devices == NULL ? 0
                                : gpu->devices(gpu_is(automatic, GPU_OPEN) ? automatic->gpu.state : NULL, index, info);
}

gecc_result gecc_auto_open(void **state, const struct gpu_opener *opener, const struct instance *cpu,
                           const struct cost *cost) {
    struct automatic *automatic = calloc(1, sizeof *automatic);
    if (automatic == NULL)
        return GECC_ERROR_MEMORY;
    automatic->opener = *opener;
    automatic->opener.config.backend = NULL; /* the caller's texts */
    if (opener->config.device != NULL) {
        automatic->device = strdup(opener->config.device);
        if (automatic->device == NULL) {
            free(automatic);
            return GECC_ERROR_MEMORY;
        }
        automatic->opener.config.device = automatic->device;
    }
    automatic->cpu = *cpu;
    automatic->estimate = *cost;
    atomic_init(&automatic->gpu_state, GPU_CLOSED);
    atomic_init(&automatic->lost, 0);
    pthread_mutex_init(&automatic->opening, NULL);
    background_open(&automatic->background);
    *state = automatic;
    return GECC_OK;
}

int gecc_auto_uses(const void *state, const struct backend *backend) {
    const struct automatic *automatic = state;
    return backend == automatic->cpu.backend ||
           (backend == automatic->opener.backend && !gpu_is(automatic, GPU_MISSING));
}

const struct backend gecc_backend_auto = {.name = "auto",
                                          .run = auto_run,
                                          .submit = auto_submit,
                                          .poll = auto_poll,
                                          .wait = auto_wait,
                                          .keys_make = auto_keys_make,
                                          .keys_add = auto_keys_add,
                                          .keys_free = auto_keys_free,
                                          .prepare = auto_prepare,
                                          .close = auto_close,
                                          .on_device = auto_on_device,
                                          .pin = auto_pin,
                                          .unpin = auto_unpin,
                                          .devices = auto_devices};
