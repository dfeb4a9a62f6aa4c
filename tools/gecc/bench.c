/* bench: how many items a second, on this machine. */
#define _DEFAULT_SOURCE /* setenv */

#include "bench.h"
#include "commands.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BATCH_ROWS = 4096, DEFAULT_RUNS = 7, MAX_RUNS = 1000 };

static const double run_seconds = 0.05; /* a run repeats the call at least for so long */

struct measurement {
    double median, low, high; /* items a second */
    double kernel_median;     /* items a second of a GPU's own time, without transfers; 0: no GPU computed */
};

struct rate {
    double total, kernel; /* items a second; kernel: as in struct measurement */
};

/* The program's contexts. */
struct contexts {
    gecc_context *measured;
    gecc_context *reference; /* the CPU's portable code; NULL: results are not compared */
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Items a second, in one run. */
static gecc_result time_run(struct bench *bench, const struct bench_case *item, struct rate *rate) {
    size_t calls = 0;
    double start = seconds_now(), elapsed, kernel = 0;
    do {
        gecc_result result = item->run(bench);
        if (result != GECC_OK)
            return result;
        calls++;
        kernel += bench->report.kernel_seconds;
        elapsed = seconds_now() - start;
    } while (elapsed < run_seconds);
    double items = (double)(calls * bench->count);
    *rate = (struct rate){items / elapsed, kernel > 0 ? items / kernel : 0};
    return GECC_OK;
}

static gecc_result measure(struct bench *bench, const struct bench_case *item, size_t runs, struct measurement *m) {
    double rates[MAX_RUNS], kernel_rates[MAX_RUNS];
    bench->options.flags = item->flags;
    bench->hash = item->hash;
    gecc_result result = item->run(bench); /* to warm up */
    for (size_t i = 0; result == GECC_OK && i < runs; i++) {
        struct rate rate = {0, 0};
        result = time_run(bench, item, &rate);
        rates[i] = rate.total;
        kernel_rates[i] = rate.kernel;
    }
    if (result == GECC_OK)
        *m = (struct measurement){.median = median_of(rates, runs),
                                  .low = rates[0],
                                  .high = rates[runs - 1],
                                  .kernel_median = median_of(kernel_rates, runs)};
    return result;
}

/* "model name : ..." of the first processor. */
static void processor_name(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\"\\\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

static void print_heading(const struct options *options, const struct bench *bench, size_t runs) {
    char processor[128];
    processor_name(processor, sizeof processor);
    if (options->json) {
        printf("{\"machine\":\"%s\",\"backend\":\"%s\",\"detail\":\"%s\",\"batch\":%zu,\"runs\":%zu,"
               "\"transfers\":true,\"checked\":%s}\n",
               processor, bench->report.backend, bench->report.detail, bench->count, runs,
               options->check ? "true" : "false");
        return;
    }
    printf("%s; %s (%s); batches of %s%zu rows in host memory, transfers counted; median of %zu runs%s\n", processor,
           bench->report.backend, bench->report.detail, options->series ? "1, 2, 4, ... " : "", bench->count, runs,
           options->check ? "; results are those of the CPU's portable code" : "");
    printf("%-18s %-10s %8s %14s %10s  %s\n", "operation", "curve", "batch", "items/s", "us/item", "spread");
}

/* Where the rows of a line ran can differ from line to line: some batches are too small for a vector unit or a GPU. */
static void print_line(const struct options *options, const struct bench *bench, const char *operation,
                       const char *curve, const struct measurement *m) {
    if (options->json) {
        printf("{\"operation\":\"%s\",\"curve\":\"%s\",\"batch\":%zu,\"backend\":\"%s\",\"detail\":\"%s\","
               "\"items_per_second\":%.0f,\"low\":%.0f,\"high\":%.0f",
               operation, curve, bench->count, bench->report.backend, bench->report.detail, m->median, m->low, m->high);
        if (m->kernel_median > 0)
            printf(",\"kernel_items_per_second\":%.0f", m->kernel_median);
        printf("}\n");
    } else {
        char spread[32];
        snprintf(spread, sizeof spread, "-%.1f%% +%.1f%%", 100 * (1 - m->low / m->median),
                 100 * (m->high / m->median - 1));
        printf("%-18s %-10s %8zu %14.0f %10.3f  %-15s %s (%s)", operation, curve, bench->count, m->median,
               1e6 / m->median, spread, bench->report.backend, bench->report.detail);
        if (m->kernel_median > 0)
            printf(", kernels alone %.0f/s", m->kernel_median);
        printf("\n");
    }
    fflush(stdout);
}

/* Hashes run once, arithmetic modulo one prime of each width, ECDSA not on SM2's curve. */
static bool is_wanted(const struct options *options, const struct bench_case *item, gecc_curve curve) {
    if (options->operation_filter && !strstr(item->name, options->operation_filter))
        return false;
    if (item->family == BENCH_ECDSA)
        return curve != GECC_SM2;
    if (item->family == BENCH_MOD && !options->curve)
        return curve == GECC_P256 || curve == GECC_P384;
    return item->family != BENCH_HASH || curve == (options->curve ? options->curve : all_curves[0]);
}

static const char *domain_of(const struct bench_case *item, gecc_curve curve) {
    if (item->family == BENCH_HASH)
        return "-";
    return item->family == BENCH_MOD ? gecc_curve_bytes(curve) == 48 ? "384 bits" : "256 bits" : gecc_curve_name(curve);
}

static int report_wrong(const struct bench *bench, const struct bench_case *item, const char *what) {
    fprintf(stderr, "gecc bench: %s on %s, batches of %zu: %s\n", item->name, domain_of(item, bench->keys.curve),
            bench->count, what);
    return EXIT_BAD_ROWS;
}

static int run_case(struct bench *bench, const struct options *options, const struct contexts *contexts,
                    const struct bench_case *item) {
    const char *domain = domain_of(item, bench->keys.curve);
    struct measurement m;
    bool same = true;
    gecc_result result = measure(bench, item, options->runs ? options->runs : DEFAULT_RUNS, &m);
    if (result == GECC_OK) {
        gecc_report measured = bench->report;
        if (!item->check(bench))
            return report_wrong(bench, item, "WRONG RESULTS");
        if (contexts->reference)
            result = bench_compare(bench, item, contexts->reference, &same);
        bench->report = measured;
    }
    if (result != GECC_OK) {
        fprintf(stderr, "gecc bench: %s on %s: %s\n", item->name, domain, gecc_result_text(result));
        return EXIT_TROUBLE;
    }
    if (!same)
        return report_wrong(bench, item, "results DIFFER from those of the CPU's portable code");
    print_line(options, bench, item->name, domain, &m);
    return EXIT_GOOD;
}

/* One batch size, or all up to that of the options. */
static int run_batches(struct bench *bench, const struct options *options, const struct contexts *contexts,
                       const struct bench_case *item) {
    size_t most = bench->prepared;
    int worst = EXIT_GOOD;
    for (size_t batch = options->series ? 1 : most; batch <= most; batch *= 2) {
        bench_take(bench, batch);
        int status = run_case(bench, options, contexts, item);
        worst = status > worst ? status : worst;
    }
    bench_take(bench, most);
    return worst;
}

static int run_curve(const struct contexts *contexts, const struct options *options, gecc_curve curve, bool *heading) {
    struct bench bench;
    size_t runs = options->runs ? options->runs : DEFAULT_RUNS;
    int worst = EXIT_GOOD;
    if (!bench_prepare(&bench, contexts->measured, curve, options->batch ? options->batch : DEFAULT_BATCH_ROWS)) {
        fprintf(stderr, "gecc bench: %s: rows could not be made\n", gecc_curve_name(curve));
        bench_free(&bench);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < bench_case_count; i++) {
        if (!is_wanted(options, &bench_cases[i], curve))
            continue;
        if (!*heading && bench_cases[i].run(&bench) == GECC_OK) {
            print_heading(options, &bench, runs);
            *heading = true;
        }
        int status = run_batches(&bench, options, contexts, &bench_cases[i]);
        worst = status > worst ? status : worst;
    }
    bench_free(&bench);
    return worst;
}

/* The CPU's portable code in C: what shares least with any other. The first context, while there are no threads. */
static gecc_context *reference_open(void) {
    const char *variable = "GECC_CPU", *set = getenv(variable);
    char kept[32];
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    snprintf(kept, sizeof kept, "%s", set ? set : "");
    setenv(variable, "portable-c", 1);
    gecc_result result = gecc_open(&context, &config);
    if (set)
        setenv(variable, kept, 1);
    else
        unsetenv(variable);
    if (result != GECC_OK)
        fprintf(stderr, "gecc bench: the CPU's portable code: %s\n", gecc_result_text(result));
    return context;
}

static int bench(const struct options *options) {
    struct contexts contexts = {NULL, NULL};
    bool heading = false, opened = !options->check || (contexts.reference = reference_open()) != NULL;
    int worst = EXIT_GOOD;
    if (opened)
        contexts.measured = context_open(options, 1);
    if (!contexts.measured)
        worst = EXIT_TROUBLE;
    for (size_t c = 0; contexts.measured && c < sizeof all_curves / sizeof *all_curves; c++) {
        if (options->curve && options->curve != all_curves[c])
            continue;
        int status = run_curve(&contexts, options, all_curves[c], &heading);
        worst = status > worst ? status : worst;
    }
    gecc_close(contexts.measured);
    gecc_close(contexts.reference);
    return worst;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure how fast operations are",
    .description = "Items a second of each operation on each curve, on random rows in host memory: the median of "
                   "several runs, each of some 50 ms, and how far the slowest and the fastest are from it. Where a "
                   "GPU computes, transfers count, and what its kernels took alone is shown beside. Results "
                   "are checked; the exit status is 1 if any is wrong.\n\n"
                   "Modular arithmetic runs modulo the primes of P-256 and P-384 (with --curve, of that curve); "
                   "digests are of messages of 64 bytes.",
    .examples = "gecc bench\n"
                "gecc bench --curve secp256k1 --op verify --threads 0 --batch 65536\n"
                "gecc bench --series --batch 1048576 --op verify --check\n"
                "gecc bench --json > bench.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_BENCH | OPTIONS_JSON,
    .main = bench};
