#include "backend/speed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BYTES = 32, MODULUS_TAIL = 189, RUNS = 7 };

/* P-256's G, of SEC 2. */
static const uint8_t generator[2 * BYTES] = {
    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
    0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
    0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
    0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5};

/* A job is measured with as many rows for each thread as are worth one, and with so many times that. */
enum { MANY = 8 };

/* What is not between these was disturbed. */
static const double least_factor = 0.25, greatest_factor = 16, longest_waking = 1e-3;

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
    struct job job = {.operation = OPERATION_MOD_POWER,
                      .count = rows->count,
                      .status = {rows->status, 1, NULL},
                      .modulus_bytes = BYTES};
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
                      .status = {rows->status, 1, NULL}};
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

/* As they do between calls, or while a GPU works. */
static void let_threads_sleep(void) {
    const struct timespec time = {.tv_nsec = 200000};
    (void)nanosleep(&time, NULL);
}

/* The median of several runs. 0: it failed. */
static double usual_seconds(const struct instance *cpu, const struct job *job) {
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        gecc_report report = {0};
        let_threads_sleep();
        memset(job->status.data, GECC_ITEM_NOT_PROCESSED, job->count);
        if (cpu->backend->run(cpu->state, job, &report) != GECC_OK)
            return 0;
        seconds[i] = report.seconds;
    }
    qsort(seconds, RUNS, sizeof *seconds, by_value);
    return seconds[RUNS / 2];
}

/* What jobs take beside what *cost says that their rows take: so many times as long, and `rest`, most of which is
 * waking. */
struct speed {
    double factor, rest;
};

/* Seconds that a job of so many rows takes on all threads; *expected: what its rows should. 0: it failed. */
static double measure(const struct cost *cost, const struct instance *cpu,
                      struct job (*job_of)(const struct rows *rows), size_t count, double *expected) {
    struct cost awake = *cost;
    struct rows rows;
    awake.waking = 0;
    *expected = 0;
    if (!rows_take(&rows, count))
        return 0;
    const struct job job = job_of(&rows);
    double seconds = usual_seconds(cpu, &job);
    *expected = gecc_cost_cpu(&awake, &job);
    free(rows.numbers);
    return seconds;
}

/* By two sizes of a job; false: it failed, or was disturbed. */
static bool measure_speed(struct speed *speed, const struct cost *cost, const struct instance *cpu,
                          struct job (*job_of)(const struct rows *rows)) {
    const struct rows one = {.count = 1};
    const size_t few = cost->threads * gecc_rows_worth_a_thread(job_of(&one).operation, cost->lanes);
    double few_expected, many_expected;
    const double few_seconds = measure(cost, cpu, job_of, few, &few_expected);
    const double many_seconds = measure(cost, cpu, job_of, MANY * few, &many_expected);
    if (few_seconds == 0 || many_seconds == 0)
        return false;
    speed->factor = (many_seconds - few_seconds) / (many_expected - few_expected);
    speed->rest = few_seconds - speed->factor * few_expected;
    return speed->factor > least_factor && speed->factor < greatest_factor;
}

static double between(double least, double x, double most) { return x < least ? least : x > most ? most : x; }

void gecc_speed_measure(struct cost *cost, const struct instance *cpu) {
    struct speed points, others;
    bool points_known = measure_speed(&points, cost, cpu, multiples);
    bool others_known = measure_speed(&others, cost, cpu, powers);
    if (points_known) {
        for (size_t i = 0; i < sizeof cost->curve / sizeof cost->curve[0]; i++)
            cost->curve[i] *= points.factor;
        if (cost->threads > 1)
            cost->waking = between(0, points.rest, longest_waking);
    }
    if (others_known) {
        cost->modular *= others.factor;
        cost->block *= others.factor;
        cost->byte *= others.factor;
    }
}
