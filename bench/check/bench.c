/* Rates of every operation, latencies, and what "auto" makes of batches of all sizes. */
#include "bench.h"
#include "spread.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLE = 64, CPU_ROWS = 2048, LATENCY_ROWS = 1000, RUNS_MOST = 1001, PLACES = 3 };

/* For the runs of one size on one context. */
static const double patience_seconds = 2;

struct run {
    const struct settings *settings;
    gecc_context *a, *b, *one, *automatic; /* one: B with one thread */
    struct prng prng;
    struct batch batch;
    bool right;
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A first run that does not count, then `runs`. kernel: NULL, or what the GPU measured. */
static bool measure(struct placed *placed, gecc_context *context, size_t count, unsigned runs, struct spread *wall,
                    struct spread *kernel, gecc_report *report) {
    double walls[RUNS_MOST], kernels[RUNS_MOST];
    for (unsigned i = 0; i <= runs; i++) {
        double start = now();
        gecc_result result = placed_run_first(placed, context, count, report);
        walls[i == 0 ? 0 : i - 1] = now() - start;
        kernels[i == 0 ? 0 : i - 1] = report->kernel_seconds;
        if (result != GECC_OK) {
            char text[128];
            printf("FAILED %s, %zu rows: %s (%s)\n", call_text(placed_call(placed), text), count,
                   gecc_result_text(result), report->reason);
            return false;
        }
    }
    *wall = spread_of(walls, runs);
    if (kernel != NULL)
        *kernel = spread_of(kernels, runs);
    return true;
}

/* Every row reads OK, and the first ones are what B makes of them. */
static bool check_sample(struct run *run, const struct placed *placed, const struct bench_rows *rows) {
    struct outcome all = {.result = GECC_OK}, few;
    struct call call = run->batch.call;
    size_t good = 0, count = run->batch.count, sample = count < SAMPLE ? count : SAMPLE;
    char text[128];
    placed_read(placed, &all);
    for (size_t i = 0; i < count; i++)
        good += all.status[i] == GECC_ITEM_OK;
    bool right = good == count || call.operation == MOD_INVERSE;
    if (!right)
        printf("WRONG %s: %zu of %zu rows have no result\n", call_text(&call, text), count - good, count);
    bench_fill(&run->batch, rows, &call, sample);
    batch_run(&run->batch, PAGEABLE, run->b, &few);
    all.count = sample;
    right = outcomes_compare(&run->batch, &all, &few) == 0 && right;
    outcome_free(&all);
    outcome_free(&few);
    return right;
}

struct rates {
    struct spread kernel, place[PLACES], cpu;
};

static bool measure_places(struct run *run, const struct bench_rows *rows, const struct call *call,
                           struct rates *rates) {
    static const enum place places[PLACES] = {PINNED, PAGEABLE, DEVICE};
    bool right = true;
    for (int i = 0; i < PLACES && right; i++) {
        gecc_report report = {.seconds = 0};
        if (!place_exists(places[i]))
            continue;
        bench_fill(&run->batch, rows, call, rows->count);
        struct placed *placed = placed_new(&run->batch, places[i]);
        right = measure(placed, run->a, rows->count, run->settings->runs, &rates->place[places[i]],
                        places[i] == DEVICE || !place_exists(DEVICE) ? &rates->kernel : NULL, &report) &&
                check_sample(run, placed, rows);
        placed_free(placed);
    }
    return right;
}

static void print_rate(double seconds, size_t count, int precision) {
    if (seconds > 0)
        printf(" %10.*f", precision, (double)count / seconds / 1e6);
    else
        printf(" %10s", "-");
}

static double rate(double seconds, size_t count) { return seconds > 0 ? (double)count / seconds : 0; }

static void json_spread(FILE *file, const char *name, const struct spread *spread, size_t count) {
    fprintf(file, ",\"%s\":{\"median\":%.6g,\"low\":%.6g,\"high\":%.6g}", name, rate(spread->median, count),
            rate(spread->high, count), rate(spread->low, count));
}

static void report_rates(const struct run *run, const struct call *call, size_t count, size_t cpu_count,
                         const struct rates *rates) {
    char text[128], between[32] = "-";
    FILE *file = run->settings->json_file;
    const struct spread *kernel = &rates->kernel;
    call_text(call, text);
    if (kernel->median > 0)
        snprintf(between, sizeof between, "%.2f-%.2f", rate(kernel->high, count) / 1e6, rate(kernel->low, count) / 1e6);
    printf("%-40s %9zu", text, count);
    print_rate(kernel->median, count, 3);
    printf(" %17s", between);
    print_rate(rates->place[DEVICE].median, count, 3);
    print_rate(rates->place[PINNED].median, count, 3);
    print_rate(rates->place[PAGEABLE].median, count, 3);
    print_rate(rates->cpu.median, cpu_count, 4);
    printf("\n");
    fflush(stdout);
    if (file == NULL)
        return;
    fprintf(file, "{\"bench\":\"rate\",\"call\":\"%s\",\"batch\":%zu,\"runs\":%u", text, count, run->settings->runs);
    json_spread(file, "kernel", kernel, count);
    json_spread(file, "device", &rates->place[DEVICE], count);
    json_spread(file, "pinned", &rates->place[PINNED], count);
    json_spread(file, "pageable", &rates->place[PAGEABLE], count);
    json_spread(file, "cpu_1_thread", &rates->cpu, cpu_count);
    fprintf(file, "}\n");
}

static bool is_wanted(const struct run *run, const struct call *call) {
    char text[128];
    return run->settings->filter == NULL || strstr(call_text(call, text), run->settings->filter) != NULL;
}

static void run_rate(struct run *run, const struct bench_rows *rows, const struct call *call) {
    struct rates rates = {.kernel = {0, 0, 0}};
    gecc_report report = {.seconds = 0};
    size_t cpu_count = rows->count < CPU_ROWS ? rows->count : CPU_ROWS;
    run->right = measure_places(run, rows, call, &rates) && run->right;
    bench_fill(&run->batch, rows, call, cpu_count);
    struct placed *placed = placed_new(&run->batch, PAGEABLE);
    run->right = measure(placed, run->one, cpu_count, 3, &rates.cpu, NULL, &report) && run->right;
    placed_free(placed);
    report_rates(run, call, rows->count, cpu_count, &rates);
}

static const struct measured {
    enum operation operation;
    uint32_t flags;
} every_curve[] = {{ECDSA_VERIFY, 0},
                   {ECDSA_VERIFY, GECC_DER},
                   {ECDSA_SIGN, 0},
                   {ECDSA_SIGN, GECC_VERIFY_SIGNATURES},
                   {ECDSA_RECOVER, 0},
                   {EC_PUBLIC_KEY, 0},
                   {EC_MUL_BASE, GECC_PUBLIC_SCALARS},
                   {EC_MUL, 0},
                   {EC_MUL, GECC_PUBLIC_SCALARS},
                   {EC_MUL_ADD, GECC_PUBLIC_SCALARS},
                   {ECDH, 0},
                   {EC_ADD, 0},
                   {EC_DOUBLE, 0},
                   {EC_CONVERT, 0},
                   {EC_VALIDATE, 0}},
  only_sm2[] = {{SM2_VERIFY, 0}, {SM2_SIGN, 0}, {SM2_DIGEST, 0}};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool any_wanted(const struct run *run, gecc_curve curve, const struct measured *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct call call = {.operation = list[i].operation, .curve = curve, .flags = list[i].flags};
        if (is_wanted(run, &call))
            return true;
    }
    return false;
}

static void run_list(struct run *run, gecc_curve curve, const struct measured *list, size_t count) {
    if (!any_wanted(run, curve, list, count))
        return;
    struct bench_rows *rows = bench_rows_new(run->a, curve, run->settings->batch_rows, &run->prng);
    for (size_t i = 0; i < count; i++) {
        struct call call = {.operation = list[i].operation, .curve = curve, .flags = list[i].flags};
        if (is_wanted(run, &call))
            run_rate(run, rows, &call);
    }
    bench_rows_free(rows);
}

/* 2^(8 bytes) - 1 with a few bits less, odd. */
static struct call modular_call(enum operation operation, size_t bytes) {
    struct call call = {.operation = operation, .modulus_bytes = bytes};
    memset(call.modulus, 0xff, bytes);
    call.modulus[bytes / 2] = 0x5b;
    return call;
}

static void run_others(struct run *run) {
    static const enum operation operations[] = {MOD_ADD, MOD_MUL, MOD_SQUARE, MOD_INVERSE, MOD_POWER};
    static const size_t widths[] = {16, 32, 48, 64};
    struct bench_rows *rows = bench_rows_new(run->a, (gecc_curve)0, run->settings->batch_rows, &run->prng);
    for (size_t i = 0; i < COUNT(widths); i++)
        for (size_t j = 0; j < COUNT(operations); j++) {
            struct call call = modular_call(operations[j], widths[i]);
            if (is_wanted(run, &call))
                run_rate(run, rows, &call);
        }
    for (int hash = GECC_SHA256; hash <= GECC_KECCAK256; hash++) {
        struct call call = {.operation = DIGEST, .hash = (gecc_hash)hash};
        if (is_wanted(run, &call))
            run_rate(run, rows, &call);
    }
    bench_rows_free(rows);
}

static void print_times(const struct run *run, const char *kind, const struct call *call, size_t count,
                        const struct spread spreads[3], const gecc_report *report) {
    char text[128];
    double a = spreads[0].median, b = spreads[1].median;
    bool a_faster = b == 0 || a < b;
    printf("%-40s %9zu", call_text(call, text), count);
    for (int i = 0; i < 3; i++)
        if (spreads[i].median > 0)
            printf(" %12.1f", 1e6 * spreads[i].median);
        else
            printf(" %12s", "-");
    printf("  %-6s %s\n", a_faster ? run->settings->name_a : run->settings->name_b, report->backend);
    fflush(stdout);
    if (run->settings->json_file != NULL)
        fprintf(run->settings->json_file,
                "{\"bench\":\"%s\",\"call\":\"%s\",\"rows\":%zu,\"a_seconds\":%.4g,\"b_seconds\":%.4g,"
                "\"auto_seconds\":%.4g,\"auto_chose\":\"%s\"}\n",
                kind, text, count, a, b, spreads[2].median, report->backend);
}

/* One size on A, B and "auto"; those that would take too long, by their time at the size before, are left out. */
static void run_size(struct run *run, const char *kind, struct placed *placed, const struct call *call, size_t count,
                     unsigned runs, double expected[3]) {
    gecc_context *const contexts[3] = {run->a, run->b, run->automatic};
    struct spread spreads[3] = {{0, 0, 0}};
    gecc_report report = {.backend = "-"};
    for (int i = 0; i < 3; i++) {
        if (expected[i] * (runs + 1) > patience_seconds)
            continue;
        run->right = measure(placed, contexts[i], count, runs, &spreads[i], NULL, &report) && run->right;
        expected[i] = spreads[i].median;
    }
    print_times(run, kind, call, count, spreads, &report);
}

static void run_sizes(struct run *run, const struct bench_rows *rows, const struct call *call) {
    double expected[3] = {0, 0, 0};
    unsigned runs = run->settings->runs < 5 ? run->settings->runs : 5;
    bench_fill(&run->batch, rows, call, rows->count);
    struct placed *placed = placed_new(&run->batch, PAGEABLE);
    for (size_t count = 1, next; count <= rows->count; count = next) {
        run_size(run, "sizes", placed, call, count, runs, expected);
        next = 8 * count;
        for (int i = 0; i < 3; i++)
            expected[i] *= 8;
    }
    placed_free(placed);
}

static void run_latency(struct run *run, const struct bench_rows *rows, const struct call *call) {
    double expected[3] = {0, 0, 0};
    size_t count = rows->count < LATENCY_ROWS ? rows->count : LATENCY_ROWS;
    bench_fill(&run->batch, rows, call, count);
    struct placed *placed = placed_new(&run->batch, PAGEABLE);
    run_size(run, "latency", placed, call, count, run->settings->runs, expected);
    placed_free(placed);
}

/* For cost.c: what each backend takes, from one row to 262,144, and what "auto" takes. */
static void run_calibration(struct run *run) {
    enum { ROWS_MOST = 262144 };
    const struct call calls[] = {{.operation = ECDSA_VERIFY, .curve = GECC_SECP256K1},
                                 {.operation = ECDSA_SIGN, .curve = GECC_SECP256K1},
                                 {.operation = EC_CONVERT, .curve = GECC_SECP256K1},
                                 {.operation = ECDSA_VERIFY, .curve = GECC_P256},
                                 {.operation = ECDSA_VERIFY, .curve = GECC_P384},
                                 {.operation = SM2_SIGN, .curve = GECC_SM2},
                                 {.operation = DIGEST, .hash = GECC_SHA256},
                                 modular_call(MOD_MUL, 32),
                                 modular_call(MOD_POWER, 64)};
    size_t most = run->settings->batch_rows < ROWS_MOST ? run->settings->batch_rows : ROWS_MOST;
    printf("\n%-40s %9s %12s %12s %12s  %-6s %s\n", "microseconds a call, pageable rows", "rows", "A", "B", "auto",
           "faster", "auto chose");
    for (size_t i = 0; i < COUNT(calls); i++) {
        if (!is_wanted(run, &calls[i]))
            continue;
        struct bench_rows *rows = bench_rows_new(run->a, calls[i].curve, most, &run->prng);
        if (calls[i].operation == ECDSA_VERIFY)
            run_latency(run, rows, &calls[i]);
        run_sizes(run, rows, &calls[i]);
        bench_rows_free(rows);
    }
}

bool run_bench(const struct settings *settings, const struct contexts *contexts) {
    struct run run = {.settings = settings,
                      .a = contexts->a,
                      .b = contexts->b,
                      .one = context_open(settings->name_b, 1, NULL),
                      .automatic = context_open("auto", 0, NULL),
                      .prng = {settings->seed},
                      .right = true};
    if (run.one == NULL || run.automatic == NULL)
        trouble("no context with one thread, or none that chooses its backend");
    printf("\nM items/s on A by kernel time (median, lowest and highest of %u runs), and from call to return with rows "
           "in\n"
           "device, pinned and pageable memory; last, B with one thread\n",
           settings->runs);
    printf("%-40s %9s %10s %17s %10s %10s %10s %10s\n", "operation", "batch", "kernel", "spread", "device", "pinned",
           "pageable", "1 thread");
    for (int curve = GECC_SECP256K1; curve <= GECC_SM2; curve++)
        run_list(&run, (gecc_curve)curve, every_curve, COUNT(every_curve));
    run_list(&run, GECC_SM2, only_sm2, COUNT(only_sm2));
    run_others(&run);
    run_calibration(&run);
    batch_free(&run.batch);
    gecc_close(run.one);
    gecc_close(run.automatic);
    return run.right;
}
