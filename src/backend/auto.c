#include "backend/auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/key_copies.h"
#include "backend/background.h"
#include "backend/job_rows.h"
#include "backend/report.h"
#include "scheme/operation.h"

/* What has come of the GPU. */
enum gpu_state { GPU_CLOSED, GPU_OPENING, GPU_OPEN, GPU_MISSING };

/* Where jobs run, by its number in struct rates_choice. */
enum place { CPU, GPU, PLACES };

struct automatic {
    struct instance cpu;
    struct gpu_opener opener;
    struct rates *rates[PLACES];
    struct background background;
    struct key_copies_list keys;

    pthread_mutex_t opening; /* held to leave GPU_CLOSED, and by the thread that opens the GPU */
    atomic_int gpu_state;
    _Atomic double lost; /* seconds that the CPU took longer than the GPU would have */
    struct background_job opener_job;

    /* Set before GPU_OPEN, or GPU_MISSING. */
    struct instance gpu;
    char missing[64]; /* why there is no GPU */
    char *device;     /* gecc_config's, or NULL */
};

/* A job on the CPU has the CPU's ticket, another one a thread of its own. */
struct ticket {
    struct background_job background;
    struct automatic *automatic;
    struct ticket *cpu;
    uint64_t kind; /* of the job */
    struct rates_choice choice;
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
    gecc_result result =
        automatic->opener.open(&automatic->opener, &automatic->gpu, automatic->missing, sizeof automatic->missing);
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

/* Learn from rows that a place has run; and have the GPU opened, if rows on the CPU have lost as much time as that
 * takes. */
static void learn(struct automatic *automatic, enum place place, uint64_t kind, size_t rows, double seconds) {
    gecc_rates_learn(automatic->rates[place], kind, rows, seconds);
    if (!gpu_is(automatic, GPU_CLOSED) || background_forked(&automatic->background))
        return;
    const double loss = seconds - gecc_rates_seconds(automatic->rates[GPU], kind, rows);
    if (loss <= 0)
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

/* Not in a forked child, where another thread may hold their lock for ever. */
static bool may_copy_keys(struct automatic *automatic, const struct job *job) {
    return !background_forked(&automatic->background) && gecc_key_copies_may_copy(&automatic->keys, &job->keys);
}

/* Where to run the job's rows, and how many of them; will_run: whether they are run there. */
static struct rates_choice choose(struct automatic *automatic, const struct job *job, uint64_t kind, bool will_run) {
    const bool is_open = gpu_is(automatic, GPU_OPEN);
    if (job->count == 0 || job_is_sums(job) || (!is_open && !may_open_gpu(automatic)) ||
        (job->keys.rows != NULL && !may_copy_keys(automatic, job)))
        return (struct rates_choice){CPU, job->count};
    return gecc_rates_choose(automatic->rates, is_open ? 0 : AUTO_OPENING_SECONDS, kind, job->count, will_run);
}

static gecc_result run_on(const struct instance *instance, const struct job *job, gecc_report *report) {
    return instance->backend->run(instance->state, job, report);
}

static void say_why_cpu(const struct automatic *automatic, const struct job *job, gecc_report *report) {
    if (job_is_sums(job))
        (void)snprintf(report->reason, sizeof report->reason, "no GPU has a program for it");
    else if (gpu_is(automatic, GPU_OPEN))
        (void)snprintf(report->reason, sizeof report->reason, "faster on the CPU at this size");
    else if (gpu_is(automatic, GPU_MISSING))
        (void)snprintf(report->reason, sizeof report->reason, "the only one available (%.8s: %.60s)",
                       automatic->opener.backend->name, automatic->missing);
    else
        (void)snprintf(report->reason, sizeof report->reason, "the GPU is opened once rows pay for it");
}

/* A job has run on the CPU. */
static void learn_from_cpu(struct automatic *automatic, const struct job *job, uint64_t kind, gecc_result result,
                           gecc_report *report) {
    say_why_cpu(automatic, job, report);
    if (result == GECC_OK && !job_is_sums(job))
        learn(automatic, CPU, kind, job->count, report->seconds);
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

/* *own = the job with its keys' tables on the GPU, which is open, if it has keys. */
static gecc_result take_keys_to_gpu(struct automatic *automatic, const struct job *job, struct job *own,
                                    gecc_report *report) {
    gecc_result result = GECC_ERROR_DEVICE;
    *own = *job;
    if (job->keys.rows == NULL)
        return GECC_OK;
    if (!background_forked(&automatic->background))
        result = gecc_key_copies_on_gpu(&automatic->keys, &automatic->gpu, &job->keys, &own->keys);
    if (result == GECC_OK)
        return GECC_OK;
    (void)snprintf(report->backend, sizeof report->backend, "%s", automatic->gpu.backend->name);
    (void)snprintf(report->reason, sizeof report->reason, "the GPU could not make tables of these keys");
    return result;
}

/* What rows take that a GPU has no kernel for. */
#define NEVER_SECONDS 1e9

/* Rows on the GPU. What it needs before its first row of this kind does not count as its speed. */
static gecc_result run_on_gpu(struct automatic *automatic, const struct job *job, uint64_t kind, gecc_report *report) {
    const struct instance *gpu = &automatic->gpu;
    struct job own;
    gecc_result result = take_keys_to_gpu(automatic, job, &own, report);
    if (result != GECC_OK)
        return result;
    if (!gecc_rates_known(automatic->rates[GPU], kind, job->count))
        result = gpu->backend->prepare(gpu->state, &own);
    if (result != GECC_ERROR_UNSUPPORTED) /* else the job says better what is wrong */
        result = run_on(gpu, &own, report);
    if (result == GECC_OK && report->reason[0] == 0)
        (void)snprintf(report->reason, sizeof report->reason, "faster on the GPU at this size");
    if (result == GECC_OK)
        learn(automatic, GPU, kind, job->count, report->seconds);
    else if (result == GECC_ERROR_UNSUPPORTED)
        learn(automatic, GPU, kind, job->count, NEVER_SECONDS);
    return result;
}

static gecc_result run_on_cpu(struct automatic *automatic, const struct job *job, uint64_t kind, gecc_report *report) {
    gecc_result result = run_on(&automatic->cpu, job, report);
    learn_from_cpu(automatic, job, kind, result, report);
    return result;
}

/* What is left of a job that the GPU could not go on with. */
static gecc_result run_rest(const struct automatic *automatic, const struct job *job, gecc_result failed,
                            gecc_report *report) {
    const gecc_report gpu = *report;
    size_t finished;
    gecc_result result = finish_on_cpu(automatic, job, report, &finished);
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

/* A slice at a time until it is known where the rest takes less time; choice: of the first one. */
static gecc_result run_slices(struct automatic *automatic, const struct job *job, uint64_t kind,
                              struct rates_choice choice, gecc_report *report) {
    gecc_result result = GECC_OK;
    gecc_report sum = *report;
    size_t most = 0;
    sum.seconds = sum.kernel_seconds = 0;
    sum.prepared_keys = sum.prepared_rows = 0;
    sum.devices[0] = 0;
    for (size_t first = 0; first < job->count && result == GECC_OK; choice.rows = 0) {
        const struct job rest = job_rows(job, first, job->count - first);
        if (choice.rows == 0)
            choice = choose(automatic, &rest, kind, true);
        if (choice.place == GPU && !gpu_is(automatic, GPU_OPEN)) {
            open_gpu_now(automatic);
            continue;
        }
        const struct job part = job_rows(&rest, 0, choice.rows);
        gecc_report here = *report;
        size_t rows = part.count;
        result =
            choice.place == GPU ? run_on_gpu(automatic, &part, kind, &here) : run_on_cpu(automatic, &part, kind, &here);
        if (choice.place == GPU && job_can_go_on(result)) {
            result = run_rest(automatic, &rest, result, &here);
            rows = rest.count;
        }
        gecc_report_add(&sum, most, &here, rows);
        most = rows > most ? rows : most;
        first += rows;
    }
    *report = sum;
    return result;
}

/* The job where it was chosen to run. */
static gecc_result run_chosen(struct automatic *automatic, const struct job *job, uint64_t kind,
                              struct rates_choice choice, gecc_report *report) {
    if (needs_gpu(job)) {
        struct job own;
        const gecc_result result = take_keys_to_gpu(automatic, job, &own, report);
        return result == GECC_OK ? run_on(&automatic->gpu, &own, report) : result;
    }
    if (choice.place == CPU && choice.rows == job->count)
        return run_on_cpu(automatic, job, kind, report);
    return run_slices(automatic, job, kind, choice, report);
}

static struct rates_choice choose_first(struct automatic *automatic, const struct job *job, uint64_t kind) {
    open_gpu_in_use(automatic);
    return needs_gpu(job) ? (struct rates_choice){GPU, job->count} : choose(automatic, job, kind, true);
}

static gecc_result auto_run(void *state, const struct job *job, gecc_report *report) {
    struct automatic *automatic = state;
    const uint64_t kind = gecc_rates_kind(job);
    return run_chosen(automatic, job, kind, choose_first(automatic, job, kind), report);
}

/* Where the job will run: on both where slices of it are tried on both, and on a GPU that it is worth to open for the
 * job. */
static gecc_result auto_prepare(void *state, const struct job *job) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu, *gpu = &automatic->gpu;
    const uint64_t kind = gecc_rates_kind(job);
    const double saved = gecc_rates_seconds(automatic->rates[CPU], kind, job->count) -
                         gecc_rates_seconds(automatic->rates[GPU], kind, job->count);
    if (saved > AUTO_OPENING_SECONDS && !job_is_sums(job) && may_open_gpu(automatic))
        open_gpu_now(automatic);
    const struct rates_choice choice = choose(automatic, job, kind, false);
    const bool either = choice.rows < job->count;
    const bool on_gpu = gpu_is(automatic, GPU_OPEN) && (choice.place == GPU || either);
    gecc_report report = GECC_REPORT_INIT;
    struct job own;
    gecc_result result = on_gpu ? take_keys_to_gpu(automatic, job, &own, &report) : GECC_OK;
    if (on_gpu && result == GECC_OK)
        result = gpu->backend->prepare(gpu->state, &own);
    return !on_gpu || either || result != GECC_OK ? cpu->backend->prepare(cpu->state, job) : GECC_OK;
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
    ticket->result = run_chosen(ticket->automatic, &ticket->job, ticket->kind, ticket->choice, &ticket->report);
}

/* In a forked child there is no GPU, nor a thread to be had: the CPU's way to submit fits. */
static bool submits_to_cpu(const struct automatic *automatic, const struct ticket *ticket) {
    if (needs_gpu(&ticket->job))
        return false;
    return background_forked(&automatic->background) ||
           (ticket->choice.place == CPU && ticket->choice.rows == ticket->job.count);
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
    ticket->kind = gecc_rates_kind(job);
    ticket->choice = choose_first(automatic, job, ticket->kind);
    gecc_result result = submits_to_cpu(automatic, ticket)
                             ? cpu->backend->submit(cpu->state, job, &ticket->cpu)
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

static gecc_result auto_await(void *state, struct ticket *ticket, const struct timespec *until) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    if (ticket->cpu != NULL)
        return cpu->backend->await(cpu->state, ticket->cpu, until);
    gecc_result result = background_await(&ticket->background, until);
    return result == GECC_OK ? ticket->result : result;
}

static void auto_cancel(void *state, struct ticket *ticket) {
    const struct instance *cpu = &((struct automatic *)state)->cpu;
    if (ticket->cpu == NULL)
        background_cancel(&ticket->background);
    else if (cpu->backend->cancel != NULL)
        cpu->backend->cancel(cpu->state, ticket->cpu);
}

static gecc_result auto_wait(void *state, struct ticket *ticket, gecc_report *report) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    gecc_result result;
    if (ticket->cpu != NULL) {
        result = cpu->backend->wait(cpu->state, ticket->cpu, report);
        learn_from_cpu(automatic, &ticket->job, ticket->kind, result, report);
    } else {
        result = background_wait(&ticket->background);
        result = result == GECC_OK ? ticket->result : result;
        *report = ticket->report;
    }
    free(ticket);
    return result;
}

/* By which a GPU is judged that has not said how many are enough. */
enum { GPU_ROWS = 1 << 16 };

/* As many as the GPU wants, where it computes so many faster than the CPU. */
static size_t auto_enough(void *state, const struct job *job) {
    const struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    const uint64_t kind = gecc_rates_kind(job);
    if (gpu_is(automatic, GPU_OPEN) && automatic->gpu.backend->enough != NULL) {
        const size_t enough = automatic->gpu.backend->enough(automatic->gpu.state, job);
        const size_t rows = enough == 0 ? GPU_ROWS : enough;
        if (gecc_rates_seconds(automatic->rates[GPU], kind, rows) <
            gecc_rates_seconds(automatic->rates[CPU], kind, rows))
            return enough;
    }
    return cpu->backend->enough == NULL ? 0 : cpu->backend->enough(cpu->state, job);
}

/* NULL: it is not open. */
static const struct instance *opened_gpu(const struct automatic *automatic) {
    return gpu_is(automatic, GPU_OPEN) ? &automatic->gpu : NULL;
}

static gecc_result auto_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                  size_t *bytes) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    if (background_forked(&automatic->background))
        return cpu->backend->keys_make(cpu->state, job, plan, set, bytes);
    return gecc_key_copies_make(&automatic->keys, cpu, job, plan, set, bytes);
}

static gecc_result auto_keys_add(void *state, const struct job *job, const struct key_set *set, size_t first) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    if (background_forked(&automatic->background))
        return cpu->backend->keys_add(cpu->state, job, set, first);
    return gecc_key_copies_add(&automatic->keys, cpu, &automatic->gpu, job, set, first);
}

static void auto_keys_free(void *state, const struct key_set *set) {
    struct automatic *automatic = state;
    const struct instance *cpu = &automatic->cpu;
    if (background_forked(&automatic->background))
        cpu->backend->keys_free(cpu->state, set);
    else
        gecc_key_copies_free(&automatic->keys, cpu, opened_gpu(automatic), set);
}

static void automatic_free(struct automatic *automatic) {
    for (int place = 0; place < PLACES; place++)
        gecc_rates_free(automatic->rates[place]);
    free(automatic->device);
    free(automatic);
}

static void auto_close(void *state) {
    struct automatic *automatic = state;
    background_close(&automatic->background);
    if (gpu_is(automatic, GPU_OPEN))
        automatic->gpu.backend->close(automatic->gpu.state);
    automatic->cpu.backend->close(automatic->cpu.state);
    if (!background_forked(&automatic->background)) {
        pthread_mutex_destroy(&automatic->opening);
        pthread_mutex_destroy(&automatic->keys.lock);
    }
    automatic_free(automatic);
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
                           const struct rates_guess guess[2]) {
    struct automatic *automatic = calloc(1, sizeof *automatic);
    if (automatic == NULL)
        return GECC_ERROR_MEMORY;
    automatic->opener = *opener;
    automatic->opener.config.backend = NULL; /* the caller's texts */
    if (opener->config.device != NULL)
        automatic->opener.config.device = automatic->device = strdup(opener->config.device);
    for (int place = 0; place < PLACES; place++)
        automatic->rates[place] = gecc_rates_new(&guess[place]);
    if (automatic->rates[CPU] == NULL || automatic->rates[GPU] == NULL ||
        (opener->config.device != NULL && automatic->device == NULL)) {
        automatic_free(automatic);
        return GECC_ERROR_MEMORY;
    }
    automatic->cpu = *cpu;
    atomic_init(&automatic->gpu_state, GPU_CLOSED);
    atomic_init(&automatic->lost, 0);
    pthread_mutex_init(&automatic->opening, NULL);
    pthread_mutex_init(&automatic->keys.lock, NULL);
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
                                          .await = auto_await,
                                          .cancel = auto_cancel,
                                          .wait = auto_wait,
                                          .keys_make = auto_keys_make,
                                          .keys_add = auto_keys_add,
                                          .keys_free = auto_keys_free,
                                          .enough = auto_enough,
                                          .prepare = auto_prepare,
                                          .close = auto_close,
                                          .on_device = auto_on_device,
                                          .pin = auto_pin,
                                          .unpin = auto_unpin,
                                          .devices = auto_devices};
