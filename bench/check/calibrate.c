/* What "auto" chooses, what it expects and what it should: src/backend/cost.c against measurements. */
#include "bench.h"
#include "fit.h"
#include "prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 1 << 20, SIZES_MOST = 11, RUNS = 5 };

/* For the runs of one size on one context; and no call that takes longer than this is made. */
static const double patience_seconds = 2, longest_seconds = 20;

enum side { SIDE_A, SIDE_B, SIDE_AUTO, SIDES };

/* One size. Seconds are 0 where it was not measured. */
struct size {
    size_t count;
    double seconds[SIDES];
    struct prediction prediction;
    gecc_report report; /* of "auto" */
};

struct curve_of_sizes {
    struct call call;
    size_t count;
    struct size size[SIZES_MOST];
    size_t switches; /* from so many rows on "auto" takes the GPU */
};

struct calibration {
    struct bench_run *run;
    gecc_backend_info cpu;
    struct fit_sample *samples;
    size_t sample_count;
};

static gecc_backend_info cpu_info(const gecc_context *context) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    size_t count = gecc_backends(context, 0, &info);
    for (size_t i = 0; i < count; i++) {
        gecc_backends(context, i, &info);
        if (strcmp(info.name, "cpu") == 0)
            break;
    }
    return info;
}

static struct predicted_call predicted_call(const struct bench_run *run, const struct call *call, size_t count) {
    struct predicted_call predicted = {.operation = call->operation,
                                       .curve = call->curve,
                                       .flags = call->flags,
                                       .modulus_bytes = call->modulus_bytes,
                                       .out_width = call_out_bytes(call),
                                       .count = count};
    for (int i = 0; i < INPUTS; i++)
        if (call_uses(call, i))
            predicted.in_width[i] = run->batch.in[i].widest;
    return predicted;
}

static void measure_size(const struct calibration *c, struct staged *staged, struct size *size,
                         const double expected[SIDES]) {
    struct bench_run *run = c->run;
    gecc_context *const contexts[SIDES] = {run->a, run->b, run->automatic};
    for (int side = 0; side < SIDES; side++) {
        struct summary summary = {0, 0, 0};
        double runs = expected[side] > 0 ? patience_seconds / expected[side] - 1 : RUNS;
        if (expected[side] > longest_seconds)
            continue;
        unsigned most = run->settings->runs < RUNS ? run->settings->runs : RUNS;
        unsigned wanted = runs < 1 ? 1 : runs > most ? most : (unsigned)runs;
        run->right =
            bench_measure(staged, contexts[side], size->count, wanted, &summary, NULL, &size->report) && run->right;
        size->seconds[side] = summary.median;
    }
}

static void print_size(const struct calibration *c, const struct call *call, const struct size *size) {
    char text[128];
    FILE *file = c->run->settings->json_file;
    const double *s = size->seconds;
    const struct prediction *p = &size->prediction;
    const double columns[] = {s[SIDE_A], p->gpu, s[SIDE_B], p->cpu, s[SIDE_AUTO]};
    printf("%-36s %9zu", call_text(call, text), size->count);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i] > 0)
            printf(" %11.1f", 1e6 * columns[i]);
        else
            printf(" %11s", "-");
    bool a_faster = s[SIDE_A] > 0 && (s[SIDE_B] == 0 || s[SIDE_A] < s[SIDE_B]);
    printf("  %-8s %s\n", a_faster ? c->run->settings->name_a : c->run->settings->name_b, size->report.backend);
    fflush(stdout);
    if (file != NULL)
        fprintf(file,
                "{\"bench\":\"sizes\",\"call\":\"%s\",\"rows\":%zu,\"a_seconds\":%.4g,\"a_expected\":%.4g,"
                "\"b_seconds\":%.4g,\"b_expected\":%.4g,\"auto_seconds\":%.4g,\"auto_chose\":\"%s\"}\n",
                text, size->count, columns[0], columns[1], columns[2], columns[3], columns[4], size->report.backend);
}

/* For the fit: what A took. */
static void note(struct calibration *c, const struct size *size) {
    struct fit_sample *sample = &c->samples[c->sample_count];
    if (!(size->seconds[SIDE_A] > 0))
        return;
    memcpy(sample->terms, size->prediction.terms, sizeof sample->terms);
    sample->seconds = size->seconds[SIDE_A];
    c->sample_count++;
}

static void run_sizes(struct calibration *c, const struct bench_rows *rows, struct curve_of_sizes *sizes) {
    struct bench_run *run = c->run;
    double expected[SIDES] = {0, 0, 0};
    bench_fill(&run->batch, rows, &sizes->call, rows->count);
    struct staged *staged = staged_new(&run->batch, PAGEABLE);
    for (size_t count = 1; count <= rows->count && sizes->count < SIZES_MOST; count *= 4) {
        struct size *size = &sizes->size[sizes->count++];
        const struct predicted_call predicted = predicted_call(run, &sizes->call, count);
        size->count = count;
        size->prediction = predict(&predicted, c->cpu.device, c->cpu.threads);
        measure_size(c, staged, size, expected);
        print_size(c, &sizes->call, size);
        note(c, size);
        for (int side = 0; side < SIDES; side++) {
            bool measured = size->seconds[side] > 0;
            expected[side] = 4 * (measured ? size->seconds[side] : expected[side]);
        }
    }
    const struct predicted_call predicted = predicted_call(run, &sizes->call, 1);
    sizes->switches = predict_switch(&predicted, c->cpu.device, c->cpu.threads);
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

/* How many times as long as the faster one, at worst, the one takes that "auto" chose. */
static double worst_choice(const struct calibration *c, const struct curve_of_sizes *sizes) {
    double worst = 1;
    for (size_t i = 0; i < sizes->count; i++) {
        const struct size *size = &sizes->size[i];
        const double *s = size->seconds;
        bool chose_a = strcmp(size->report.backend, c->run->settings->name_a) == 0;
        if (s[SIDE_A] > 0 && s[SIDE_B] > 0)
            worst = fmax(worst, chose_a ? s[SIDE_A] / s[SIDE_B] : s[SIDE_B] / s[SIDE_A]);
    }
    return worst;
}

/* How many times as long as the faster one "auto" took, at worst: its choice, what it adds to a call, and noise. */
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

static void report_crossover(const struct calibration *c, const struct curve_of_sizes *sizes) {
    char text[128], measured[32] = "never", switches[32] = "never";
    FILE *file = c->run->settings->json_file;
    double at = crossover(sizes), choice = worst_choice(c, sizes), loss = worst_loss(sizes);
    if (isfinite(at))
        snprintf(measured, sizeof measured, "%.0f", at);
    if (sizes->switches != SIZE_MAX)
        snprintf(switches, sizeof switches, "%zu", sizes->switches);
    printf("%-36s %14s %14s %14.2f %14.2f\n", call_text(&sizes->call, text), measured, switches, choice, loss);
    if (file != NULL)
        fprintf(file,
                "{\"bench\":\"crossover\",\"call\":\"%s\",\"measured_rows\":\"%s\",\"auto_rows\":\"%s\","
                "\"auto_choice\":%.4g,\"auto_loss\":%.4g}\n",
                text, measured, switches, choice, loss);
}

/* Numbers for cost.c by what A took, and how far the model with them is from the times. */
static void report_fit(const struct calibration *c) {
    double constants[PREDICTION_TERMS], now[PREDICTION_TERMS], worst = 0;
    size_t good = 0;
    _Static_assert((int)FIT_TERMS == (int)PREDICTION_TERMS, "the terms of the model are fitted");
    fit(c->samples, c->sample_count, constants);
    predict_constants(now);
    printf("\nA's numbers for src/backend/cost.c, as they are and as they fit these times:\n");
    for (int t = 0; t < PREDICTION_TERMS; t++)
        printf("  %-20s %10.3g %10.3g\n", prediction_terms[t], now[t], constants[t]);
    for (size_t i = 0; i < c->sample_count; i++) {
        double sum = 0;
        for (int t = 0; t < PREDICTION_TERMS; t++)
            sum += constants[t] * c->samples[i].terms[t] / c->samples[i].seconds;
        good += sum > 1 / 1.2 && sum < 1.2;
        worst = fmax(worst, fmax(sum, 1 / sum));
    }
    printf("with these %zu of %zu times are met within 20 %%, the worst by a factor of %.2f\n", good, c->sample_count,
           worst);
    if (c->run->settings->json_file != NULL)
        fprintf(c->run->settings->json_file,
                "{\"bench\":\"fit\",\"call\":%.4g,\"chain\":%.4g,\"unit\":%.4g,\"byte\":%.4g,\"within_20_percent\":%zu,"
                "\"times\":%zu}\n",
                constants[0], constants[1], constants[2], constants[3], good, c->sample_count);
}

static void run_all(struct calibration *c, struct curve_of_sizes *sizes, size_t count) {
    size_t batch = c->run->settings->batch_rows, most = batch < ROWS_MOST ? batch : ROWS_MOST;
    printf("\nmicroseconds a call with pageable rows, and what the library expects of a GPU and of the CPU\n"
           "%-36s %9s %11s %11s %11s %11s %11s  %-8s %s\n",
           "operation", "rows", "A", "expected", "B", "expected", "auto", "faster", "auto chose");
    for (size_t i = 0; i < count; i++) {
        struct bench_rows *rows = bench_rows_new(c->run->a, sizes[i].call.curve, most, &c->run->prng);
        run_sizes(c, rows, &sizes[i]);
        bench_rows_free(rows);
    }
    printf("\nrows from which on A takes less time than B; how many times as long as the faster one, at worst,\n"
           "what auto chose takes, and a call of auto\n%-36s %14s %14s %14s %14s\n",
           "operation", "measured", "auto switches", "auto's choice", "auto's call");
    for (size_t i = 0; i < count; i++)
        report_crossover(c, &sizes[i]);
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

void bench_calibrate(struct bench_run *run) {
    enum { CALLS_MOST = 128 };
    struct curve_of_sizes *sizes = memory_new(CALLS_MOST, sizeof *sizes);
    struct calibration c = {.run = run, .cpu = cpu_info(run->b)};
    size_t count = choose_calls(run, sizes, CALLS_MOST);
    c.samples = memory_new(count * SIZES_MOST + 1, sizeof *c.samples);
    if (count != 0) {
        run_all(&c, sizes, count);
        report_fit(&c);
    }
    free(c.samples);
    free(sizes);
}
