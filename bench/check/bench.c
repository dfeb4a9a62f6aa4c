/* Rates of every operation. */
#include "bench.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLE = 64, CPU_ROWS = 2048, RUNS_MOST = 1001, MESSAGE_BYTES = 64 };

/* Where rows are, and how they lie. */
static const struct place {
    const char *name;
    enum memory_kind kind;
    enum shape shape;
} places[] = {{"device", DEVICE, PACKED},
              {"pinned", PINNED, PACKED},
              {"pageable", PAGEABLE, PACKED},
              {"spaced", PAGEABLE, SPACED},
              {"scattered", PAGEABLE, SCATTERED}};

enum { PLACES = sizeof places / sizeof *places };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void bench_fill(struct bench_run *run, const struct pool *pool, const struct call *call, size_t count) {
    struct generator *g = &run->generator;
    struct prng prng = {run->settings->seed}; /* the first rows are the same, however many there are */
    const bool compressed = call_is(call, "ec.convert") || (call_is(call, "ecdsa.verify") && call->flags & GECC_DER);
    batch_clear(&run->batch);
    run->batch.call = *call;
    run->batch.count = count;
    run->batch.shape = PACKED;
    generator_start(g, pool, call_wanted(&run->batch.call), true, &prng);
    g->in_turn = true;
    g->format = compressed ? GECC_POINT_COMPRESSED : GECC_POINT_UNCOMPRESSED;
    g->message_width = MESSAGE_BYTES;
    g->exponent_width = call->modulus_bytes;
    for (size_t row = 0; row < count; row++) {
        generator_good(g);
        for (int input = 0; input < INPUTS; input++)
            if (call_uses(call, input))
                column_add(&run->batch.in[input], g->cells[input].data, g->cells[input].width);
    }
}

/* A first run that does not count, then `runs`. kernel: NULL, or what the GPU measured. */
bool bench_measure(struct staged *staged, gecc_context *context, size_t count, unsigned runs, struct summary *wall,
                   struct summary *kernel, gecc_report *report) {
    double walls[RUNS_MOST], kernels[RUNS_MOST];
    for (unsigned i = 0; i <= runs; i++) {
        double start = now();
        gecc_result result = staged_run_first(staged, context, count, report);
        walls[i == 0 ? 0 : i - 1] = now() - start;
        kernels[i == 0 ? 0 : i - 1] = report->kernel_seconds;
        if (result != GECC_OK) {
            char text[128];
            printf("FAILED %s, %zu rows: %s (%s)\n", call_text(staged_call(staged), text), count,
                   gecc_result_text(result), report->reason);
            return false;
        }
    }
    *wall = summary_of(walls, runs);
    if (kernel != NULL)
        *kernel = summary_of(kernels, runs);
    return true;
}

/* Every row reads OK, and the first ones are what B makes of them. */
static bool check_sample(struct bench_run *run, const struct staged *staged, const struct pool *pool) {
    struct outcome all = {.result = GECC_OK}, few;
    struct call call = run->batch.call;
    size_t good = 0, count = run->batch.count, sample = count < SAMPLE ? count : SAMPLE;
    char text[128];
    staged_read(staged, &all);
    for (size_t i = 0; i < count; i++)
        good += all.status[i] == GECC_ITEM_OK;
    bool right = good == count || call_is(&call, "mod.inverse");
    if (!right)
        printf("WRONG %s: %zu of %zu rows have no result\n", call_text(&call, text), count - good, count);
    bench_fill(run, pool, &call, sample);
    batch_run(&run->batch, PAGEABLE, run->b, &few);
    all.count = sample;
    right = outcomes_compare(&run->batch, &all, &few) == 0 && right;
    outcome_free(&all);
    outcome_free(&few);
    return right;
}

struct rates {
    struct summary kernel, place[PLACES], cpu;
};

static bool measure_places(struct bench_run *run, const struct pool *pool, const struct call *call,
                           struct rates *rates) {
    bool right = true;
    for (int i = 0; i < PLACES && right; i++) {
        gecc_report report = GECC_REPORT_INIT;
        if (!memory_kind_exists(places[i].kind))
            continue;
        const bool first = rates->kernel.median == 0;
        bench_fill(run, pool, call, pool->count);
        run->batch.shape = places[i].shape;
        struct staged *staged = staged_new(&run->batch, (unsigned)places[i].kind);
        right = bench_measure(staged, run->a, pool->count, run->settings->runs, &rates->place[i],
                              first ? &rates->kernel : NULL, &report) &&
                check_sample(run, staged, pool);
        staged_free(staged);
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

static void json_summary(FILE *file, const char *name, const struct summary *summary, size_t count) {
    fprintf(file, ",\"%s\":{\"median\":%.6g,\"low\":%.6g,\"high\":%.6g}", name, rate(summary->median, count),
            rate(summary->high, count), rate(summary->low, count));
}

static void report_rates(const struct bench_run *run, const struct call *call, size_t count, size_t cpu_count,
                         const struct rates *rates) {
    char text[128], between[32] = "-";
    FILE *file = run->settings->json_file;
    const struct summary *kernel = &rates->kernel;
    call_text(call, text);
    if (kernel->median > 0)
        snprintf(between, sizeof between, "%.2f-%.2f", rate(kernel->high, count) / 1e6, rate(kernel->low, count) / 1e6);
    printf("%-40s %9zu", text, count);
    print_rate(kernel->median, count, 3);
    printf(" %17s", between);
    for (int i = 0; i < PLACES; i++)
        print_rate(rates->place[i].median, count, 3);
    print_rate(rates->cpu.median, cpu_count, 4);
    printf("\n");
    fflush(stdout);
    if (file == NULL)
        return;
    fprintf(file, "{\"bench\":\"rate\",\"call\":\"%s\",\"batch\":%zu,\"runs\":%u", text, count, run->settings->runs);
    json_summary(file, "kernel", kernel, count);
    for (int i = 0; i < PLACES; i++)
        json_summary(file, places[i].name, &rates->place[i], count);
    json_summary(file, "cpu_1_thread", &rates->cpu, cpu_count);
    fprintf(file, "}\n");
}

bool bench_wants(const struct bench_run *run, const struct call *call) {
    char text[128];
    return run->settings->filter == NULL || strstr(call_text(call, text), run->settings->filter) != NULL;
}

static void run_rate(struct bench_run *run, const struct pool *pool, const struct call *call) {
    struct rates rates = {.kernel = {0, 0, 0}};
    gecc_report report = GECC_REPORT_INIT;
    size_t cpu_count = pool->count < CPU_ROWS ? pool->count : CPU_ROWS;
    run->right = measure_places(run, pool, call, &rates) && run->right;
    bench_fill(run, pool, call, cpu_count);
    struct staged *staged = staged_new(&run->batch, PAGEABLE);
    run->right = bench_measure(staged, run->one, cpu_count, 3, &rates.cpu, NULL, &report) && run->right;
    staged_free(staged);
    report_rates(run, call, pool->count, cpu_count, &rates);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The ways to call an operation that are worth a figure: as it is, and with each flag that makes another program of it.
 * false: there are no more. */
static bool take_way(struct call *call, size_t way) {
    const uint32_t flags[] = {0, GECC_PUBLIC_SCALARS, GECC_VERIFY_SIGNATURES, GECC_DER, GECC_ACCEPT_ZIP215};
    if (way >= COUNT(flags))
        return false;
    call->flags = flags[way];
    return true;
}

bool bench_is_worth_it(const struct call *call) {
    bool nonce = false, signs = call_out_kind(call) == GECC_KIND_SIGNATURE;
    for (int i = 0; i < INPUTS; i++)
        nonce |= call_kind(call, i) == GECC_KIND_NONCE;
    return !(nonce && signs) && !operation_takes_keys(call->operation) && !operation_is_for_cpus(call->operation) &&
           (call->flags & ~call->operation->flags) == 0 && !(signs && (call->flags & GECC_DER) != 0);
}

/* All operations that the curve selects. */
static void run_curve(struct bench_run *run, gecc_curve curve) {
    struct pool *pool = NULL;
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        struct call call = {.operation = operation, .curve = curve};
        for (size_t way = 0; (operation->curves >> curve & 1) != 0 && take_way(&call, way); way++) {
            if (!bench_is_worth_it(&call) || !bench_wants(run, &call))
                continue;
            if (pool == NULL)
                pool = pool_new(run->a, curve, run->settings->batch_rows, run->settings->batch_rows, true, &run->prng);
            run_rate(run, pool, &call);
        }
    }
    if (pool != NULL)
        pool_free(pool);
}

/* 2^(8 bytes) - 1 with a few bits less, odd. */
struct call bench_modular_call(const gecc_operation *operation, size_t bytes) {
    struct call call = {.operation = operation, .modulus_bytes = bytes};
    memset(call.modulus, 0xff, bytes);
    call.modulus[bytes / 2] = 0x5b;
    return call;
}

static void run_others(struct bench_run *run) {
    static const size_t widths[] = {16, 32, 48, 64};
    struct pool *pool =
        pool_new(run->a, (gecc_curve)0, run->settings->batch_rows, run->settings->batch_rows, true, &run->prng);
    const gecc_operation *operation;
    for (size_t i = 0; i < COUNT(widths); i++)
        for (size_t j = 0; (operation = gecc_operations(j)) != NULL; j++) {
            struct call call = bench_modular_call(operation, widths[i]);
            if (operation->selector == GECC_SELECT_MODULUS && bench_wants(run, &call))
                run_rate(run, pool, &call);
        }
    for (int hash = 1; gecc_hash_bytes((gecc_hash)hash) != 0; hash++) {
        struct call call = {.operation = gecc_operation_find("digest"), .hash = (gecc_hash)hash};
        if (bench_wants(run, &call))
            run_rate(run, pool, &call);
    }
    pool_free(pool);
}

static void run_rates(struct bench_run *run) {
    printf("\nM items/s on A by kernel time (median, lowest and highest of %u runs), and from call to return with rows "
           "in\n"
           "device, pinned and pageable memory, with gaps between rows, and with offsets and widths; last, B with one "
           "thread\n",
           run->settings->runs);
    printf("%-40s %9s %10s %17s", "operation", "batch", "kernel", "spread");
    for (int i = 0; i < PLACES; i++)
        printf(" %10s", places[i].name);
    printf(" %10s\n", "1 thread");
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        run_curve(run, (gecc_curve)curve);
    if (has_curve25519(run->a))
        run_curve(run, GECC_CURVE25519);
    else
        printf("Curve25519: A has no operations on it\n");
    run_others(run);
}

bool run_bench(const struct settings *settings, const struct contexts *contexts) {
    struct bench_run run = {.settings = settings,
                            .a = contexts->a,
                            .b = contexts->b,
                            .one = context_open(settings->name_b, 1, NULL),
                            .automatic = context_open("auto", 0, NULL),
                            .prng = {settings->seed},
                            .right = true};
    if (run.one == NULL || run.automatic == NULL)
        trouble("no context with one thread, or none that chooses its backend");
    if (settings->rates)
        run_rates(&run);
    if (settings->sizes)
        bench_sizes(&run);
    batch_free(&run.batch);
    gecc_close(run.one);
    gecc_close(run.automatic);
    return run.right;
}
