/* What A, B and "auto" take for calls of all sizes, and how much longer than the faster one "auto" takes. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LEARNING: calls of a size before those of "auto" that are measured. */
enum { ROWS_MOST = 1 << 20, SIZES_MOST = 11, RUNS = 5, LEARNING = 5 };

/* For the runs of one size on one context; and no call that takes longer than this is made. */
static const double patience_seconds = 2, longest_seconds = 20;

enum side { SIDE_A, SIDE_B, SIDE_AUTO, SIDES };

/* One size. Seconds are 0 where it was not measured. */
struct size {
    size_t count;
    double seconds[SIDES];
    gecc_report report; /* of "auto" */
};

struct curve_of_sizes {
    struct call call;
    size_t count;
    struct size size[SIZES_MOST];
};

static void measure_size(struct bench_run *run, struct staged *staged, struct size *size,
                         const double expected[SIDES]) {
    gecc_context *const contexts[SIDES] = {run->a, run->b, run->automatic};
    for (int side = 0; side < SIDES; side++) {
        struct summary summary = {0, 0, 0};
        double runs = expected[side] > 0 ? patience_seconds / expected[side] - 1 : RUNS;
        if (expected[side] > longest_seconds)
            continue;
        if (side == SIDE_AUTO)
            run->right =
                bench_measure(staged, contexts[side], size->count, LEARNING - 1, &summary, NULL, &size->report) &&
                run->right;
        unsigned most = run->settings->runs < RUNS ? run->settings->runs : RUNS;
        unsigned wanted = runs < 1 ? 1 : runs > most ? most : (unsigned)runs;
        run->right =
            bench_measure(staged, contexts[side], size->count, wanted, &summary, NULL, &size->report) && run->right;
        size->seconds[side] = summary.median;
    }
}

static void print_size(const struct bench_run *run, const struct call *call, const struct size *size) {
    char text[128];
    FILE *file = run->settings->json_file;
    const double *s = size->seconds;
    printf("%-36s %9zu", call_text(call, text), size->count);
    for (int side = 0; side < SIDES; side++)
        if (s[side] > 0)
            printf(" %11.1f", 1e6 * s[side]);
        else
            printf(" %11s", "-");
    bool a_faster = s[SIDE_A] > 0 && (s[SIDE_B] == 0 || s[SIDE_A] < s[SIDE_B]);
    printf("  %-8s %s\n", a_faster ? run->settings->name_a : run->settings->name_b, size->report.backend);
    fflush(stdout);
    if (file != NULL)
        fprintf(file,
                "{\"bench\":\"sizes\",\"call\":\"%s\",\"rows\":%zu,\"a_seconds\":%.4g,\"b_seconds\":%.4g,"
                "\"auto_seconds\":%.4g,\"auto_chose\":\"%s\"}\n",
                text, size->count, s[SIDE_A], s[SIDE_B], s[SIDE_AUTO], size->report.backend);
}

static void run_sizes(struct bench_run *run, const struct pool *pool, struct curve_of_sizes *sizes) {
    double expected[SIDES] = {0, 0, 0};
    bench_fill(run, pool, &sizes->call, pool->count);
    struct staged *staged = staged_new(&run->batch, PAGEABLE);
    for (size_t count = 1; count <= pool->count && sizes->count < SIZES_MOST; count *= 4) {
        struct size *size = &sizes->size[sizes->count++];
        size->count = count;
        measure_size(run, staged, size, expected);
        print_size(run, &sizes->call, size);
        for (int side = 0; side < SIDES; side++) {
            bool measured = size->seconds[side] > 0;
            expected[side] = 4 * (measured ? size->seconds[side] : expected[side]);
        }
    }
    staged_free(staged);
}

/* Rows from which on A stays the faster one, between two sizes by a straight line in logarithms. 0: it always is;
 * INFINITY: not up to the last. */
static double crossover(const struct curve_of_sizes *sizes) {
    double after = 0, count_after = INFINITY;
    for (size_t i = sizes->count; i-- > 0;) {
        const struct size *size = &sizes->size[i];
        if (!(size->seconds[SIDE_A] > 0 && size->seconds[SIDE_B] > 0))
            continue;
        double here = log(size->seconds[SIDE_A] / size->seconds[SIDE_B]), count = (double)size->count;
        if (here > 0)
            return isfinite(count_after) ? exp(log(count) + log(count_after / count) * here / (here - after))
                                         : INFINITY;
        after = here;
        count_after = count;
    }
    return isfinite(count_after) ? 0 : INFINITY;
}

/* How many times as long as the faster one "auto" took, at worst: its choice, what it tries and adds to a call, and
 * noise. */
static double worst_loss(const struct curve_of_sizes *sizes) {
    double worst = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        const double *s = sizes->size[i].seconds;
        double best = s[SIDE_B] == 0 || (s[SIDE_A] > 0 && s[SIDE_A] < s[SIDE_B]) ? s[SIDE_A] : s[SIDE_B];
        if (s[SIDE_AUTO] > 0 && best > 0 && s[SIDE_AUTO] / best > worst)
            worst = s[SIDE_AUTO] / best;
    }
    return worst;
}

static void report_crossover(const struct bench_run *run, const struct curve_of_sizes *sizes) {
    char text[128], measured[32] = "never";
    FILE *file = run->settings->json_file;
    double at = crossover(sizes), loss = worst_loss(sizes);
    if (isfinite(at))
        snprintf(measured, sizeof measured, "%.0f", at);
    printf("%-36s %14s %14.2f\n", call_text(&sizes->call, text), measured, loss);
    if (file != NULL)
        fprintf(file, "{\"bench\":\"crossover\",\"call\":\"%s\",\"measured_rows\":\"%s\",\"auto_loss\":%.4g}\n", text,
                measured, loss);
}

static void run_all(struct bench_run *run, struct curve_of_sizes *sizes, size_t count) {
    size_t batch = run->settings->batch_rows, most = batch < ROWS_MOST ? batch : ROWS_MOST;
    printf("\nmicroseconds a call with pageable rows; of auto after %d calls of the size\n"
           "%-36s %9s %11s %11s %11s  %-8s %s\n",
           LEARNING, "operation", "rows", "A", "B", "auto", "faster", "auto chose");
    for (size_t i = 0; i < count; i++) {
        struct pool *pool = pool_new(run->a, sizes[i].call.curve, most, most, true, &run->prng);
        run_sizes(run, pool, &sizes[i]);
        pool_free(pool);
    }
    printf("\nrows from which on A takes less time than B; how many times as long as the faster one a call of auto "
           "takes, at "
           "worst\n%-36s %14s %14s\n",
           "operation", "measured", "auto's call");
    for (size_t i = 0; i < count; i++)
        report_crossover(run, &sizes[i]);
}

/* On which curves: what has signatures on all of them, everything else on one. */
static bool is_on_curve(const gecc_operation *operation, gecc_curve curve) {
    const gecc_column *output = gecc_operation_output(operation, 0);
    bool signs = output != NULL && output->kind == GECC_KIND_SIGNATURE, has_p256 = operation->curves >> GECC_P256 & 1;
    bool judges = operation->curves != 0 && gecc_operation_input(operation, 1) != NULL && output == NULL;
    return (operation->curves >> curve & 1) != 0 && (signs || judges || curve == GECC_P256 || !has_p256);
}

/* Every operation, of those whose scalars may be public with public ones, those of numbers and hashes once each; at
 * most `room` of them that the settings ask for. Returns how many. */
static size_t choose_calls(const struct bench_run *run, struct curve_of_sizes *sizes, size_t room) {
    const gecc_operation *operation;
    size_t count = 0;
    const bool curve25519 = has_curve25519(run->a);
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++)
        for (int n = 0; n < GECC_CURVE_END + curve25519; n++) {
            const gecc_curve curve = n == GECC_CURVE_END ? GECC_CURVE25519 : (gecc_curve)n;
            struct call call = {.operation = operation, .curve = curve};
            call.flags = operation->flags & GECC_PUBLIC_SCALARS;
            if (curve == 0 && operation->selector == GECC_SELECT_MODULUS)
                call = bench_modular_call(operation, 32);
            if (curve == 0 && operation->selector == GECC_SELECT_HASH)
                call.hash = GECC_SHA256;
            if (!(curve == 0 ? operation->selector != GECC_SELECT_CURVE : is_on_curve(operation, call.curve)))
                continue;
            if (count < room && bench_is_worth_it(&call) && bench_wants(run, &call))
                sizes[count++].call = call;
        }
    return count;
}

/* Have "auto" open its GPU, if it has one, for what is measured of it. */
static void open_gpu(const struct bench_run *run) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = GECC_P256;
    if (gecc_prepare(run->automatic, gecc_operation_find("ecdsa.verify"), &parameters, ROWS_MOST, NULL) != GECC_OK)
        trouble("auto: %s", gecc_error_text());
}

void bench_sizes(struct bench_run *run) {
    enum { CALLS_MOST = 128 };
    struct curve_of_sizes *sizes = memory_new(CALLS_MOST, sizeof *sizes);
    size_t count = choose_calls(run, sizes, CALLS_MOST);
    open_gpu(run);
    if (count != 0)
        run_all(run, sizes, count);
    free(sizes);
}
