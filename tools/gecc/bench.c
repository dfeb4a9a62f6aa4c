/* bench: how many items a second, on this machine. */
#include "bench.h"
#include "commands.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BATCH_ROWS = 4096, DEFAULT_RUNS = 7, MAX_RUNS = 1000 };

static const double run_seconds = 0.05; /* a run repeats the call at least for so long */

struct measurement {
    double median, low, high; /* items a second */
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Items a second, in one run. */
static gecc_result time_run(struct bench *bench, const struct bench_case *item, double *rate) {
    size_t calls = 0;
    double start = seconds_now(), elapsed;
    do {
        gecc_result result = item->run(bench);
        if (result != GECC_OK)
            return result;
        calls++;
        elapsed = seconds_now() - start;
    } while (elapsed < run_seconds);
    *rate = (double)(calls * bench->count) / elapsed;
    return GECC_OK;
}

static gecc_result measure(struct bench *bench, const struct bench_case *item, size_t runs, struct measurement *m) {
    double rates[MAX_RUNS];
    bench->options.flags = item->flags;
    bench->hash = item->hash;
    gecc_result result = item->run(bench); /* to warm up */
    for (size_t i = 0; result == GECC_OK && i < runs; i++)
        result = time_run(bench, item, &rates[i]);
    if (result == GECC_OK) {
        qsort(rates, runs, sizeof *rates, by_value);
        *m = (struct measurement){(rates[(runs - 1) / 2] + rates[runs / 2]) / 2, rates[0], rates[runs - 1]};
    }
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
               "\"transfers\":true}\n",
               processor, bench->report.backend, bench->report.detail, bench->count, runs);
        return;
    }
    printf("%s; %s (%s); batches of %zu rows in host memory, transfers counted; median of %zu runs\n", processor,
           bench->report.backend, bench->report.detail, bench->count, runs);
    printf("%-18s %-10s %14s %10s  %s\n", "operation", "curve", "items/s", "us/item", "spread");
}

static void print_line(const struct options *options, const char *operation, const char *curve,
                       const struct measurement *m) {
    if (options->json)
        printf("{\"operation\":\"%s\",\"curve\":\"%s\",\"items_per_second\":%.0f,\"low\":%.0f,\"high\":%.0f}\n",
               operation, curve, m->median, m->low, m->high);
    else
        printf("%-18s %-10s %14.0f %10.3f  -%.1f%% +%.1f%%\n", operation, curve, m->median, 1e6 / m->median,
               100 * (1 - m->low / m->median), 100 * (m->high / m->median - 1));
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

static int run_case(struct bench *bench, const struct options *options, const struct bench_case *item) {
    gecc_curve curve = bench->keys.curve;
    struct measurement m;
    gecc_result result = measure(bench, item, options->runs ? options->runs : DEFAULT_RUNS, &m);
    if (result != GECC_OK) {
        fprintf(stderr, "gecc bench: %s on %s: %s\n", item->name, domain_of(item, curve), gecc_result_text(result));
        return EXIT_TROUBLE;
    }
    if (!item->check(bench)) {
        fprintf(stderr, "gecc bench: %s on %s: WRONG RESULTS\n", item->name, domain_of(item, curve));
        return EXIT_BAD_ROWS;
    }
    print_line(options, item->name, domain_of(item, curve), &m);
    return EXIT_GOOD;
}

static int run_curve(gecc_context *context, const struct options *options, gecc_curve curve, bool *heading) {
    struct bench bench;
    size_t runs = options->runs ? options->runs : DEFAULT_RUNS;
    int worst = EXIT_GOOD;
    if (!bench_prepare(&bench, context, curve, options->batch ? options->batch : DEFAULT_BATCH_ROWS)) {
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
        int status = run_case(&bench, options, &bench_cases[i]);
        worst = status > worst ? status : worst;
    }
    bench_free(&bench);
    return worst;
}

static int bench(const struct options *options) {
    gecc_context *context = context_open(options, 1);
    bool heading = false;
    int worst = EXIT_GOOD;
    if (!context)
        return EXIT_TROUBLE;
    for (size_t c = 0; c < sizeof all_curves / sizeof *all_curves; c++) {
        if (options->curve && options->curve != all_curves[c])
            continue;
        int status = run_curve(context, options, all_curves[c], &heading);
        worst = status > worst ? status : worst;
    }
    gecc_close(context);
    return worst;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure how fast operations are",
    .description = "Items a second of each operation on each curve, on random rows in host memory: the median of "
                   "several runs, each of some 50 ms, and how far the slowest and the fastest are from it. Results "
                   "are checked; the exit status is 1 if any is wrong.\n\n"
                   "Modular arithmetic runs modulo the primes of P-256 and P-384 (with --curve, of that curve); "
                   "digests are of messages of 64 bytes.",
    .examples = "gecc bench\n"
                "gecc bench --curve secp256k1 --op verify --threads 0 --batch 65536\n"
                "gecc bench --json > bench.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_BENCH | OPTIONS_JSON,
    .main = bench};
