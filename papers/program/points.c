/* Points multiplied, messages signed and signatures verified by the papers' algorithms, at several batch sizes. */
#include "rows.h"

#include <stdio.h>
#include <string.h>

enum { SCHEDULERS = 4, PREFIX_BYTES = 32 };

/* A kernel of an image, and what the L2 cache does with the products of Montgomery's trick. */
static const struct way {
    const char *name, *kernel, *image;
    enum task task;
    enum cache cache;
} ways[] = {
    {"fpmul_rapid", "fpmul_rapid", "points_any", FPMUL, NOT_KEPT},
    {"fpmul_rapid_om", "fpmul_rapid_om", "points_multiply", FPMUL, NOT_KEPT},
    {"fpmul_gecc_mo_kf", "fpmul_gecc_mo_kf", "points_multiply", FPMUL, NOT_KEPT},
    {"fpmul_gecc_mo", "fpmul_gecc_mo", "points_multiply", FPMUL, NOT_KEPT},
    {"fpmul_gecc", "fpmul_gecc", "points_multiply", FPMUL, KEPT},
    {"fpmul_gecc_rest_normal", "fpmul_gecc", "points_multiply", FPMUL, KEPT_REST_NORMAL},
    {"fpmul_gecc_without_l2", "fpmul_gecc", "points_multiply", FPMUL, NOT_KEPT},
    {"fpmul_gecc_our_arithmetic", "fpmul_gecc", "points_ours", FPMUL, NOT_KEPT},
    {"upmul_rapid", "upmul_rapid", "points_any", UPMUL, NOT_KEPT},
    {"upmul_rapid_om", "upmul_rapid_om", "points_multiply", UPMUL, NOT_KEPT},
    {"upmul_gecc_mo_kf", "upmul_gecc_mo_kf", "points_multiply", UPMUL, NOT_KEPT},
    {"upmul_gecc_mo", "upmul_gecc_mo", "points_multiply", UPMUL, NOT_KEPT},
    {"upmul_gecc", "upmul_gecc", "points_multiply", UPMUL, KEPT},
    {"upmul_gecc_rest_normal", "upmul_gecc", "points_multiply", UPMUL, KEPT_REST_NORMAL},
    {"upmul_gecc_without_l2", "upmul_gecc", "points_multiply", UPMUL, NOT_KEPT},
    {"upmul_gecc_our_arithmetic", "upmul_gecc", "points_ours", UPMUL, NOT_KEPT},
    {"upmul_simple_rows", "upmul_simple", "points_simple_rows", UPMUL, NOT_KEPT},
    {"upmul_simple_ours", "upmul_simple", "points_simple_ours", UPMUL, NOT_KEPT},
    {"sign_rapid", "sign_rapid", "points_any", SIGN, NOT_KEPT},
    {"sign_rapid_om", "sign_rapid_om", "points_schemes", SIGN, NOT_KEPT},
    {"sign_rapid_om_bi", "sign_rapid_om_bi", "points_schemes", SIGN, NOT_KEPT},
    {"sign_gecc", "sign_gecc", "points_schemes", SIGN, KEPT},
    {"sign_gecc_without_l2", "sign_gecc", "points_schemes", SIGN, NOT_KEPT},
    {"verify_rapid", "verify_rapid", "points_any", VERIFY, NOT_KEPT},
    {"verify_rapid_om", "verify_rapid_om", "points_schemes", VERIFY, NOT_KEPT},
    {"verify_rapid_om_bf", "verify_rapid_om_bf", "points_schemes", VERIFY, NOT_KEPT},
    {"verify_gecc", "verify_gecc", "points_schemes", VERIFY, KEPT},
    {"verify_gecc_without_l2", "verify_gecc", "points_schemes", VERIFY, NOT_KEPT},
    {"add_gecc", "add_gecc", "points_ours", ADD, KEPT},
    {"add_gecc_rest_normal", "add_gecc", "points_ours", ADD, KEPT_REST_NORMAL},
    {"add_gecc_without_l2", "add_gecc", "points_ours", ADD, NOT_KEPT},
};

/* What kernels of an image need besides rows. */
struct surroundings {
    struct papers_sizes sizes;
    CUdeviceptr tables, workspace, faults;
    size_t workspace_bytes;
};

static bool surround(const struct gpu *gpu, const char *image, size_t rows, struct surroundings *s) {
    struct gpu_kernel powers;
    struct gpu_time time;
    struct gpu_launch l = {.blocks = 1, .runs = 1};
    *s = (struct surroundings){.tables = 0};
    if (!gpu_symbol(gpu, image, "gecc_papers_sizes", &s->sizes, sizeof s->sizes) ||
        !gpu_find(gpu, image, "powers", &powers))
        return false;
    s->workspace_bytes = (size_t)s->sizes.row_bytes * rows + s->sizes.chunk_bytes;
    if (!gpu_new(gpu, &s->tables, s->sizes.table_bytes) || !gpu_new(gpu, &s->workspace, s->workspace_bytes) ||
        !gpu_new(gpu, &s->faults, sizeof(uint32_t)))
        return false;
    l.threads = s->sizes.threads;
    l.launch.tables = (void *)(uintptr_t)s->tables;
    return gpu_run(gpu, &powers, &l, &time);
}

static void leave(const struct gpu *gpu, struct surroundings *s) {
    gpu_free(gpu, s->tables);
    gpu_free(gpu, s->workspace);
    gpu_free(gpu, s->faults);
}

static struct job job_of(const struct rows *rows, enum task task, size_t count) {
    struct job job = {.curve = GECC_SM2, .point_format = GECC_POINT_RAW, .count = count};
    enum column inputs[3];
    for (size_t i = task_inputs(task, inputs); i-- > 0;)
        job.in[i] = gecc_rows_packed((const void *)(uintptr_t)rows->device[inputs[i]], column_bytes(inputs[i]));
    job.out[0] = gecc_out_packed((void *)(uintptr_t)rows->device[OUT], column_bytes(OUT));
    job.out_width[0] = task_out_bytes(task);
    job.status = gecc_out_packed((void *)(uintptr_t)rows->device[STATUS], 1);
    return job;
}

/* 2^power rows for each scheduler, a block on each multiprocessor. */
static int measure_size(const struct gpu *gpu, const struct options *options, const struct rows *rows,
                        const struct surroundings *s, const struct way *way, unsigned power) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    char extra[128];
    uint32_t fault = 0;
    size_t count = (size_t)SCHEDULERS * gpu->multiprocessors << power;
    struct gpu_launch l = {.blocks = gpu->multiprocessors, .threads = s->sizes.threads, .runs = options->runs};
    l.launch = (struct launch){.job = job_of(rows, way->task, count),
                               .count = count,
                               .workspace = (void *)(uintptr_t)s->workspace,
                               .workspace_bytes = s->workspace_bytes,
                               .tables = (void *)(uintptr_t)s->tables,
                               .faults = (uint32_t *)(uintptr_t)s->faults};
    bool keeps = way->cache != NOT_KEPT && gpu_persist(gpu, way->cache, s->workspace, count * PREFIX_BYTES);
    bool good = gpu_find(gpu, way->image, way->kernel, &kernel) && rows_clear(gpu, rows, count) &&
                gpu_run(gpu, &kernel, &l, &time) && gpu_read(gpu, &fault, s->faults, sizeof fault);
    if (keeps)
        good = gpu_persist(gpu, NOT_KEPT, s->workspace, 0) && good;
    if (!good)
        return EXIT_TROUBLE;
    (void)snprintf(extra, sizeof extra, ",\"rows\":%zu,\"power\":%u,\"persists\":%s", count, power,
                   keeps ? "true" : "false");
    return report_rate("points", way->name, &kernel, (double)count, &time,
                       fault == 0 && rows_right(gpu, rows, way->task, count), extra);
}

static int measure_way(const struct gpu *gpu, const struct options *options, const struct rows *rows,
                       const struct way *way) {
    struct surroundings s;
    int worst = EXIT_GOOD;
    if (!is_wanted(options, way->name))
        return EXIT_GOOD;
    if (!surround(gpu, way->image, rows->count, &s))
        worst = EXIT_TROUBLE;
    for (unsigned power = options->least; power <= options->most && worst != EXIT_TROUBLE; power++) {
        int status = measure_size(gpu, options, rows, &s, way, power);
        worst = status > worst ? status : worst;
    }
    leave(gpu, &s);
    return worst;
}

int measure_points(const struct gpu *gpu, const struct options *options) {
    struct rows rows;
    int worst = EXIT_GOOD;
    if (!rows_make(gpu, &rows, (size_t)SCHEDULERS * gpu->multiprocessors << options->most))
        return EXIT_TROUBLE;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int status = measure_way(gpu, options, &rows, &ways[i]);
        worst = status > worst ? status : worst;
    }
    rows_free(gpu, &rows);
    return worst;
}

/* The same rows by the library. */

static const struct library_case {
    const char *name;
    enum task task;
    uint32_t flags;
} library_cases[] = {
    {"fpmul_secret", FPMUL, 0},
    {"fpmul_public", FPMUL, GECC_PUBLIC_SCALARS},
    {"upmul_secret", UPMUL, 0},
    {"upmul_public", UPMUL, GECC_PUBLIC_SCALARS},
    {"sign_nonce", SIGN, 0},
    {"verify", VERIFY, 0},
    {"add", ADD, 0},
};

static int measure_case(const struct gpu *gpu, const struct options *options, const struct rows *rows,
                        gecc_context *context, const struct library_case *c, unsigned power) {
    uint8_t *columns[COLUMNS];
    double seconds[RUNS_MOST];
    unsigned runs = 0;
    char extra[128];
    gecc_report report = GECC_REPORT_INIT;
    gecc_options call = GECC_OPTIONS_INIT;
    size_t count = (size_t)SCHEDULERS * gpu->multiprocessors << power;
    call.flags = c->flags;
    call.point_format = GECC_POINT_RAW;
    call.report = &report;
    for (int i = 0; i < COLUMNS; i++)
        columns[i] = (uint8_t *)(uintptr_t)rows->device[i];
    if (!rows_clear(gpu, rows, count))
        return EXIT_TROUBLE;
    for (unsigned run = 0; run == 0 || time_lacks(seconds, run - 1, options->runs); run++) {
        gecc_result result = rows_compute(context, c->task, columns, count, &call);
        if (result != GECC_OK) {
            fprintf(stderr, "gecc-papers: %s: %s\n", c->name, gecc_result_text(result));
            return EXIT_TROUBLE;
        }
        seconds[run == 0 ? 0 : run - 1] = report.kernel_seconds; /* the first does not count */
        runs = run;
    }
    struct gpu_time time = time_of(seconds, runs);
    (void)snprintf(extra, sizeof extra, ",\"rows\":%zu,\"power\":%u", count, power);
    return report_rate("ours", c->name, NULL, (double)count, &time, rows_right(gpu, rows, c->task, count), extra);
}

int measure_ours(const struct gpu *gpu, const struct options *options) {
    struct rows rows;
    gecc_context *context;
    gecc_config config = GECC_CONFIG_INIT;
    int worst = EXIT_GOOD;
    config.backend = "cuda";
    if (gecc_open(&context, &config) != GECC_OK) {
        fprintf(stderr, "gecc-papers: the library has no GPU here\n");
        return EXIT_TROUBLE;
    }
    if (!rows_make(gpu, &rows, (size_t)SCHEDULERS * gpu->multiprocessors << options->most))
        worst = EXIT_TROUBLE;
    for (size_t i = 0; i < sizeof library_cases / sizeof *library_cases && worst != EXIT_TROUBLE; i++)
        for (unsigned power = options->least; power <= options->most && is_wanted(options, library_cases[i].name);
             power++) {
            int status = measure_case(gpu, options, &rows, context, &library_cases[i], power);
            worst = status > worst ? status : worst;
        }
    rows_free(gpu, &rows);
    gecc_close(context);
    return worst;
}
