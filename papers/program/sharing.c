/* What inversions cost when they are shared in different ways, and from how many points on affine additions that share
 * one take less than Jacobian ones. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULERS = 4, ADDITIONS = 32, BATCH_MOST = 64 };

/* Memory that the kernels of this file need besides rows. */
struct scratch {
    struct papers_sizes sizes;
    CUdeviceptr workspace, in, out;
    size_t workspace_bytes, count;
};

static bool scratch_make(const struct gpu *gpu, size_t count, struct scratch *s) {
    *s = (struct scratch){.count = count};
    if (!gpu_symbol(gpu, "sharing", "gecc_papers_sizes", &s->sizes, sizeof s->sizes))
        return false;
    s->workspace_bytes = (size_t)s->sizes.row_bytes * count + s->sizes.chunk_bytes;
    return gpu_new(gpu, &s->workspace, s->workspace_bytes) && gpu_new(gpu, &s->in, count * SCALAR_BYTES) &&
           gpu_new(gpu, &s->out, count * SCALAR_BYTES);
}

static void scratch_free(const struct gpu *gpu, struct scratch *s) {
    gpu_free(gpu, s->workspace);
    gpu_free(gpu, s->in);
    gpu_free(gpu, s->out);
}

static struct gpu_launch launch_of(const struct gpu *gpu, const struct options *options, const struct scratch *s,
                                   const struct job *job, size_t count) {
    struct gpu_launch l = {.blocks = gpu->multiprocessors, .threads = s->sizes.threads, .runs = options->runs};
    l.launch = (struct launch){.job = *job,
                               .count = count,
                               .workspace = (void *)(uintptr_t)s->workspace,
                               .workspace_bytes = s->workspace_bytes};
    l.launch.job.count = count;
    return l;
}

/* SM2's prime: GB/T 32918.5, 2. */
static const uint8_t prime[SCALAR_BYTES] = {0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00,
                                            0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* Are the inverses at both ends the CPU's? */
static bool inverses_right(const struct gpu *gpu, gecc_context *cpu, const struct scratch *s, size_t count) {
    uint8_t in[SAMPLE_ROWS * SCALAR_BYTES], out[sizeof in], expected[sizeof in], status[SAMPLE_ROWS];
    const size_t first[2] = {0, count - SAMPLE_ROWS};
    for (size_t i = 0; i < 2; i++)
        if (!gpu_read(gpu, in, s->in + first[i] * SCALAR_BYTES, sizeof in) ||
            !gpu_read(gpu, out, s->out + first[i] * SCALAR_BYTES, sizeof out) ||
            gecc_mod_inverse(cpu, (gecc_modulus){prime, SCALAR_BYTES}, gecc_out_packed(expected, SCALAR_BYTES),
                             gecc_out_packed(status, 1), gecc_rows_packed(in, SCALAR_BYTES), SAMPLE_ROWS,
                             NULL) != GECC_OK ||
            memcmp(out, expected, sizeof out) != 0)
            return false;
    return true;
}

static int measure_inverse(const struct gpu *gpu, const struct options *options, gecc_context *cpu,
                           const struct scratch *s, const char *name, unsigned power) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    char symbol[64], extra[128];
    size_t count = (size_t)SCHEDULERS * gpu->multiprocessors << power;
    struct job job = {.curve = GECC_SM2};
    job.in[0] = gecc_rows_packed((const void *)(uintptr_t)s->in, SCALAR_BYTES);
    job.out[0] = gecc_out_packed((void *)(uintptr_t)s->out, SCALAR_BYTES);
    job.out_width[0] = SCALAR_BYTES;
    const struct gpu_launch l = launch_of(gpu, options, s, &job, count);
    (void)snprintf(symbol, sizeof symbol, "inverse_%s", name);
    if (!gpu_clear(gpu, s->out, count * SCALAR_BYTES) || !gpu_find(gpu, "sharing", symbol, &kernel) ||
        !gpu_run(gpu, &kernel, &l, &time))
        return EXIT_TROUBLE;
    (void)snprintf(extra, sizeof extra, ",\"rows\":%zu,\"power\":%u", count, power);
    return report_rate("inverse", name, &kernel, (double)count, &time, inverses_right(gpu, cpu, s, count), extra);
}

static bool fill_numbers(const struct gpu *gpu, const struct scratch *s) {
    size_t distinct = s->count < DISTINCT_ROWS ? s->count : DISTINCT_ROWS;
    uint8_t *numbers = malloc(distinct * SCALAR_BYTES);
    uint64_t state = 7;
    for (size_t i = 0; numbers != NULL && i < distinct * SCALAR_BYTES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        numbers[i] = (uint8_t)(state >> 56);
    }
    if (numbers != NULL) {
        memset(numbers, 0, SCALAR_BYTES);
        memcpy(numbers + SCALAR_BYTES, prime, SCALAR_BYTES);
    }
    bool good = numbers != NULL && gpu_write(gpu, s->in, numbers, distinct * SCALAR_BYTES) &&
                gpu_repeat(gpu, s->in, distinct * SCALAR_BYTES, s->count * SCALAR_BYTES);
    free(numbers);
    return good;
}

int measure_inverses(const struct gpu *gpu, const struct options *options) {
    static const char *const names[] = {"each_by_steps", "each_by_fermat", "of_threads",
                                        "of_blocks",     "of_schedulers",  "one_a_scheduler"};
    struct scratch s;
    gecc_context *cpu;
    gecc_config config = GECC_CONFIG_INIT;
    int worst = EXIT_GOOD;
    config.backend = "cpu";
    if (gecc_open(&cpu, &config) != GECC_OK)
        return EXIT_TROUBLE;
    if (!scratch_make(gpu, (size_t)SCHEDULERS * gpu->multiprocessors << options->most, &s) || !fill_numbers(gpu, &s))
        worst = EXIT_TROUBLE;
    for (size_t i = 0; i < sizeof names / sizeof *names && worst != EXIT_TROUBLE; i++)
        for (unsigned power = options->least; power <= options->most && is_wanted(options, names[i]); power++) {
            int status = measure_inverse(gpu, options, cpu, &s, names[i], power);
            worst = status > worst ? status : worst;
        }
    scratch_free(gpu, &s);
    gecc_close(cpu);
    return worst;
}

/* Are the sums G + ADDITIONS P at both ends the CPU's? */
static bool sums_right(const struct gpu *gpu, const struct rows *rows, size_t count) {
    uint8_t points[SAMPLE_ROWS * POINT_BYTES], out[sizeof points], expected[sizeof points];
    uint8_t status[SAMPLE_ROWS], expected_status[SAMPLE_ROWS];
    static const uint8_t one[SCALAR_BYTES] = {[SCALAR_BYTES - 1] = 1},
                         times[SCALAR_BYTES] = {[SCALAR_BYTES - 1] = ADDITIONS};
    const size_t first[2] = {0, count - SAMPLE_ROWS};
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_RAW;
    for (size_t i = 0; i < 2; i++)
        if (!gpu_read(gpu, points, rows->device[POINTS] + first[i] * POINT_BYTES, sizeof points) ||
            !gpu_read(gpu, out, rows->device[OUT] + first[i] * POINT_BYTES, sizeof out) ||
            !gpu_read(gpu, status, rows->device[STATUS] + first[i], sizeof status) ||
            gecc_ec_mul_add(rows->cpu, GECC_SM2, gecc_out_packed(expected, POINT_BYTES),
                            gecc_out_packed(expected_status, 1), gecc_rows_same(one, SCALAR_BYTES),
                            gecc_rows_same(times, SCALAR_BYTES), gecc_rows_packed(points, POINT_BYTES), SAMPLE_ROWS,
                            &options) != GECC_OK ||
            memcmp(out, expected, sizeof out) != 0 || memcmp(status, expected_status, sizeof status) != 0)
            return false;
    return true;
}

static int measure_additions(const struct gpu *gpu, const struct options *options, const struct rows *rows,
                             const struct scratch *s, const char *name, unsigned batch) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    char symbol[64], extra[128];
    size_t count = (size_t)gpu->multiprocessors * s->sizes.threads * batch;
    struct job job = {.curve = GECC_SM2, .point_format = GECC_POINT_RAW};
    job.in[0] = gecc_rows_packed((const void *)(uintptr_t)rows->device[POINTS], POINT_BYTES);
    job.out[0] = gecc_out_packed((void *)(uintptr_t)rows->device[OUT], POINT_BYTES);
    job.out_width[0] = POINT_BYTES;
    job.status = gecc_out_packed((void *)(uintptr_t)rows->device[STATUS], 1);
    struct gpu_launch l = launch_of(gpu, options, s, &job, count);
    l.options.times = ADDITIONS;
    (void)snprintf(symbol, sizeof symbol, "padd_%s", name);
    if (!rows_clear(gpu, rows, count) || !gpu_find(gpu, "sharing", symbol, &kernel) ||
        !gpu_run(gpu, &kernel, &l, &time))
        return EXIT_TROUBLE;
    (void)snprintf(extra, sizeof extra, ",\"rows\":%zu,\"batch\":%u", count, batch);
    return report_rate("padd", name, &kernel, (double)count * ADDITIONS, &time, sums_right(gpu, rows, count), extra);
}

int measure_sums(const struct gpu *gpu, const struct options *options) {
    static const char *const names[] = {"affine", "jacobian"};
    struct scratch s;
    struct rows rows;
    int worst = EXIT_GOOD;
    struct papers_sizes sizes;
    if (!gpu_symbol(gpu, "sharing", "gecc_papers_sizes", &sizes, sizeof sizes))
        return EXIT_TROUBLE;
    size_t most = (size_t)gpu->multiprocessors * sizes.threads * BATCH_MOST;
    if (!rows_make(gpu, &rows, most))
        return EXIT_TROUBLE;
    if (!scratch_make(gpu, most, &s))
        worst = EXIT_TROUBLE;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned batch = 1; batch <= BATCH_MOST && worst != EXIT_TROUBLE && is_wanted(options, names[i]);
             batch *= 2) {
            int status = measure_additions(gpu, options, &rows, &s, names[i], batch);
            worst = status > worst ? status : worst;
        }
    scratch_free(gpu, &s);
    rows_free(gpu, &rows);
    return worst;
}
