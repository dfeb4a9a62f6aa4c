#include "backend/speed.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 32, RUNS = 4 };

static const double wanted_seconds = 0.5e-3, least_factor = 0.25, greatest_factor = 8;

/* Powers modulo 2^256 - 189, of which all bits of base and exponent are public. */
static struct job powers(uint8_t *numbers, uint8_t *powers, uint8_t *status, size_t count) {
    struct job job = {.operation = OPERATION_MOD_POWER, .count = count, .status = status, .modulus_bytes = BYTES};
    memset(job.modulus + JOB_MODULUS_BYTES - BYTES, 0xff, BYTES - 1);
    job.modulus[JOB_MODULUS_BYTES - 1] = 256 - 189;
    job.in[0] = job.in[1] = (gecc_rows){.data = numbers, .stride = BYTES, .width = BYTES};
    job.out[0] = (gecc_out){.data = powers, .stride = BYTES};
    job.out_width[0] = BYTES;
    return job;
}

/* The shortest time of several: what disturbs makes it longer. 0: it failed. */
static double shortest(const struct opened *cpu, const struct job *job) {
    double least = 0;
    for (int i = 0; i < RUNS; i++) {
        gecc_report report = {0};
        memset(job->status, GECC_ITEM_NOT_PROCESSED, job->count);
        if (cpu->backend->run(cpu->state, job, &report) != GECC_OK)
            return 0;
        if (i == 0 || report.seconds < least)
            least = report.seconds;
    }
    return least;
}

void gecc_speed_measure(struct cost *cost, const struct opened *cpu) {
    struct job one = powers(NULL, NULL, NULL, 1);
    double row = gecc_cost_cpu(cost, &one);
    if (!(row > 0))
        return;
    size_t count = (size_t)(wanted_seconds / row) + 64;
    uint8_t *memory = malloc(count * (2 * BYTES + 1));
    if (memory == NULL)
        return;
    for (size_t i = 0; i < count * BYTES; i++)
        memory[i] = (uint8_t)(i * 167 >> 3);
    struct job job = powers(memory, memory + count * BYTES, memory + count * 2 * BYTES, count);
    double factor = shortest(cpu, &job) / gecc_cost_cpu(cost, &job);
    free(memory);
    if (!(factor > least_factor && factor < greatest_factor))
        return;
    for (size_t i = 0; i < sizeof cost->curve / sizeof cost->curve[0]; i++)
        cost->curve[i] *= factor;
    cost->modular *= factor;
    cost->block *= factor;
    cost->byte *= factor;
}
