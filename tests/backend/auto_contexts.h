/* Contexts that are the CPU and a fake GPU as one, by made-up costs. */
#ifndef TESTS_BACKEND_AUTO_CONTEXTS_H
#define TESTS_BACKEND_AUTO_CONTEXTS_H

#include <stdio.h>

#include "backend/auto.h"
#include "backend/cost.h"
#include "fake_cuda/backend.h"

/* Made up: a unit takes the CPU a second, and whatever a job is, it takes the GPU as long as the CPU takes to sign
 * so many rows. */
enum { SAME_ROWS = 40 };

static inline struct cost made_up(void) {
    struct cost cost = {.lanes = 1, .threads = 1, .curve = {1, 1, 1, 1, 1}, .modular = 1};
    const struct job sign = {.operation = OPERATION_ECDSA_SIGN, .curve = GECC_P256, .count = SAME_ROWS};
    cost.gpu[COST_CALL] = gecc_cost_cpu(&cost, &sign);
    return cost;
}

static inline gecc_result open_fake_gpu(const struct gpu_opener *opener, struct instance *gpu, char *reason,
                                        size_t size) {
    (void)snprintf(reason, size, "it is broken");
    gpu->backend = opener->backend;
    return fake_cuda.open(&gpu->state, &opener->config);
}

/* The GPU is not open yet. */
static inline gecc_context *open_cpu_with(const struct cost *cost, int (*in_use)(void)) {
    const struct gpu_opener opener = {
        .open = open_fake_gpu, .in_use = in_use, .backend = &fake_cuda, .config = GECC_CONFIG_INIT};
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = 1;
    struct instance cpu = {.backend = &gecc_backend_cpu};
    gecc_context *context = calloc(1, sizeof *context);
    assert_int_equal(gecc_backend_cpu.open(&cpu.state, &config), GECC_OK);
    assert_int_equal(gecc_auto_open(&context->instance.state, &opener, &cpu, cost), GECC_OK);
    context->instance.backend = &gecc_backend_auto;
    return context;
}

static inline gecc_context *open_with(const struct cost *cost) {
    gecc_context *context = open_cpu_with(cost, NULL);
    gecc_auto_open_gpu(context->instance.state);
    return context;
}

static inline gecc_context *open_automatic(void) {
    const struct cost cost = made_up();
    return open_with(&cost);
}

static inline void start(unsigned multiprocessors) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = (int)multiprocessors;
    fake_driver_start(&settings);
}

#endif
