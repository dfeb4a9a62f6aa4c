/* Contexts that are the CPU and a fake GPU as one, with made-up speeds: what jobs take is told, not measured. */
#ifndef TESTS_BACKEND_AUTO_CONTEXTS_H
#define TESTS_BACKEND_AUTO_CONTEXTS_H

#include <stdio.h>

#include "backend/auto.h"
#include "backend/rates.h"
#include "fake_cuda/backend.h"

/* Made up: a row takes the CPU a second, and whatever a job is, it takes the GPU as long as so many rows take the
 * CPU. */
enum { SAME_ROWS = 40 };

struct speeds {
    struct rates_guess of[2];
};

static inline struct speeds made_up(void) {
    return (struct speeds){{{.row = 1, .is_known = true}, {.call = SAME_ROWS, .is_known = true}}};
}

/* What the backends below say that jobs took. */
static struct speeds told;

static inline gecc_result tell(unsigned place, gecc_result result, const struct job *job, gecc_report *report) {
    report->seconds = told.of[place].call + told.of[place].row * (double)job->count;
    return result;
}

static inline gecc_result run_on_told_cpu(void *state, const struct job *job, gecc_report *report) {
    return tell(0, gecc_backend_cpu.run(state, job, report), job, report);
}

static inline gecc_result run_on_told_gpu(void *state, const struct job *job, gecc_report *report) {
    return tell(1, fake_cuda.run(state, job, report), job, report);
}

/* What happens when the CPU has tables of keys that are added to a set, and before the GPU makes tables of a set.
 * NULL: nothing. */
static void (*while_keys_are_made)(unsigned place, void *argument);
static void *while_keys_are_made_argument;

static inline gecc_result add_keys_on_cpu(void *state, const struct job *job, const struct key_set *set, size_t first) {
    const gecc_result result = gecc_backend_cpu.keys_add(state, job, set, first);
    if (while_keys_are_made != NULL)
        while_keys_are_made(0, while_keys_are_made_argument);
    return result;
}

static inline gecc_result make_keys_on_gpu(void *state, const struct job *job, const struct key_plan *plan,
                                           struct key_set *set, size_t *bytes) {
    if (while_keys_are_made != NULL)
        while_keys_are_made(1, while_keys_are_made_argument);
    return fake_cuda.keys_make(state, job, plan, set, bytes);
}

static inline gecc_result open_fake_gpu(const struct gpu_opener *opener, struct instance *gpu, char *reason,
                                        size_t size) {
    static struct backend backend;
    backend = *opener->backend;
    backend.run = run_on_told_gpu;
    backend.keys_make = make_keys_on_gpu;
    (void)snprintf(reason, size, "it is broken");
    gpu->backend = &backend;
    return fake_cuda.open(&gpu->state, &opener->config);
}

/* The GPUs are not open yet; devices: gecc_config's. */
static inline gecc_context *open_cpu_beside(const char *devices, const struct speeds *speeds, int (*in_use)(void)) {
    static struct backend backend;
    struct gpu_opener opener = {
        .open = open_fake_gpu, .in_use = in_use, .backend = &fake_cuda, .config = GECC_CONFIG_INIT};
    gecc_config config = GECC_CONFIG_INIT;
    opener.config.device = devices;
    config.threads = 1;
    backend = gecc_backend_cpu;
    backend.run = run_on_told_cpu;
    backend.keys_add = add_keys_on_cpu;
    told = *speeds;
    struct instance cpu = {.backend = &backend};
    gecc_context *context = calloc(1, sizeof *context);
    assert_int_equal(gecc_backend_cpu.open(&cpu.state, &config), GECC_OK);
    assert_int_equal(gecc_auto_open(&context->instance.state, &opener, &cpu, speeds->of), GECC_OK);
    context->instance.backend = &gecc_backend_auto;
    return context;
}

static inline gecc_context *open_cpu_with(const struct speeds *speeds, int (*in_use)(void)) {
    return open_cpu_beside(NULL, speeds, in_use);
}

static inline gecc_context *open_with(const struct speeds *speeds) {
    gecc_context *context = open_cpu_with(speeds, NULL);
    gecc_auto_open_gpu(context->instance.state);
    return context;
}

static inline gecc_context *open_automatic(void) {
    const struct speeds speeds = made_up();
    return open_with(&speeds);
}

static inline void start(unsigned multiprocessors) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = (int)multiprocessors;
    fake_driver_start(&settings);
}

#endif
