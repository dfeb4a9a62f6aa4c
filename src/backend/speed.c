#include "backend/speed.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 32, MODULUS_TAIL = 189, RUNS = 7 };

/* P-256's G, of SEC 2. */
static const uint8_t generator[2 * BYTES] = {
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5};

/* What the jobs should take. Multiples of points: as those that a GPU takes as long for, which threads share in pieces of one
 * size, so that the slowest thread counts. */
static const double multiples_seconds = 0.35e-3, powers_seconds = 0.5e-3, least_factor = 0.25, greatest_factor = 16;

/* Columns of both jobs: rows of scalars or numbers, points, results. */
struct rows {
    size_t count;
    uint8_t *numbers, *points, *results, *status;
};

static bool rows_take(struct rows *rows, size_t count) {
    rows->count = count;
    rows->numbers = malloc(count * (5 * BYTES + 1));
    if (rows->numbers == NULL)
        return false;
    rows->points = rows->numbers + count * BYTES;
    rows->results = rows->points + count * 2 * BYTES;
    rows->status = rows->results + count * 2 * BYTES;
    for (size_t i = 0; i < count * BYTES; i++)
        rows->numbers[i] = (uint8_t)(i * 167 >> 3);
    for (size_t i = 0; i < count; i++)
        memcpy(rows->points + i * 2 * BYTES, generator, sizeof generator);
    return true;
}

/* Powers modulo 2^256 - 189, of which all bits of base and exponent are public. */
static struct job powers(const struct rows *rows) {
    struct job job = {
        .operation = OPERATION_MOD_POWER, .count = rows->count, .status = rows->status, .modulus_bytes = BYTES};
    memset(job.modulus + JOB_MODULUS_BYTES - BYTES, 0xff, BYTES - 1);
    job.modulus[JOB_MODULUS_BYTES - 1] = 256 - MODULUS_TAIL;
    job.in[0] = job.in[1] = (gecc_rows){.data = rows->numbers, .stride = BYTES, .width = BYTES};
    job.out[0] = (gecc_out){.data = rows->results, .stride = BYTES};
    job.out_width[0] = BYTES;
    return job;
}

/* Public multiples of P-256's G as of any point. */
static struct job multiples(const struct rows *rows) {
    struct job job = {.operation = OPERATION_EC_MUL,
                      .curve = GECC_P256,
                      .flags = GECC_PUBLIC_SCALARS,
                      .point_format = GECC_POINT_RAW,
                      .count = rows->count,
                      .status = rows->status};
    job.in[0] = (gecc_rows){.data = rows->numbers, .stride = BYTES, .width = BYTES};
    job.in[1] = (gecc_rows){.data = rows->points, .stride = sizeof generator, .width = sizeof generator};
    job.out[0] = (gecc_out){.data = rows->results, .stride = sizeof generator};
    job.out_width[0] = sizeof generator;
    return job;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of several runs. 0: it failed. */
static double usual_seconds(const struct opened *cpu, const struct job *job) {
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        gecc_report report = {0};
        memset(job->status, GECC_ITEM_NOT_PROCESSED, job->count);
        if (cpu->backend->run(cpu->state, job, &report) != GECC_OK)
            return 0;
        seconds[i] = report.seconds;
    }
    qsort(seconds, RUNS, sizeof *seconds, by_value);
    return seconds[RUNS / 2];
}

/* How many times what *cost says such a job takes, of as many rows as should take `wanted` seconds on all threads. 1: nobody
 * knows. */
static double factor_of(const struct cost *cost, const struct opened *cpu,
                        struct job (*job_of)(const struct rows *rows), double wanted) {
    const struct rows one = {.count = 1};
    struct rows rows;
    struct job job = job_of(&one);
    double expected = gecc_cost_cpu(cost, &job);
    if (!(expected > 0) || !rows_take(&rows, (size_t)(wanted / expected * cost->threads) + 16))
        return 1;
    job = job_of(&rows);
    double factor = usual_seconds(cpu, &job) / gecc_cost_cpu(cost, &job);
    free(rows.numbers);
    return factor > least_factor && factor < greatest_factor ? factor : 1;
}

void gecc_speed_measure(struct cost *cost, const struct opened *cpu) {
    const double points = factor_of(cost, cpu, multiples, multiples_seconds);
    const double others = factor_of(cost, cpu, powers, powers_seconds);
    for (size_t i = 0; i < sizeof cost->curve / sizeof cost->curve[0]; i++)
        cost->curve[i] *= points;
    cost->modular *= others;
    cost->block *= others;
    cost->byte *= others;
}
