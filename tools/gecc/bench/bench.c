/* bench: how many items a second, on this machine. */

#include "bench/bench.h"
#include "bench/devices.h"
#include "bench/gpu.h"
#include "bench/plot.h"
#include "bench/report.h"
#include "files/target.h"
#include "rows/progress.h"
#include "rows/stream.h"
#include "text/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEFAULT_BATCH_ROWS = 4096,
    GPU_BATCH_ROWS = 1 << 20,
    SCALING_BATCH_ROWS = 1 << 24,
    DEFAULT_RUNS = 7,
    MAX_RUNS = 1000,
    SAMPLE_ROWS = 64 /* three times so many are computed again by the CPU */
};

static const double run_seconds = 0.05; /* a run repeats the call at least for so long */

/* The program's contexts, and the settings that follow from the options. */
struct setup {
    const struct options *options;
    bool gpu; /* one was asked for */
    gecc_context *measured;
    struct bench_devices devices; /* or these in turn, if there are any */
    gecc_context *reference;      /* what results are compared with */
    size_t sample;                /* rows to be compared, in each of three parts of a batch; 0: all */
    enum memory_kind kind;
    size_t batches[MAX_BATCHES], batch_count, most; /* most: the greatest of the batches */
    size_t runs;
    bool has_heading;
    struct bench_cases cases;
    struct plot plot;
    bool plot_is_whole; /* every line that was printed is in it */
};

/* Items a second. kernel: by a GPU's own time; 0 where no GPU computed. */
struct measurement {
    struct summary call, kernel;
};

/* Items a second, in one run. */
static gecc_result time_run(struct bench *bench, double *rate, double *kernel_rate) {
    size_t calls = 0;
    double start = seconds_now(), elapsed, kernel = 0;
    do {
        gecc_result result = bench_run(bench);
        if (result != GECC_OK)
            return result;
        calls++;
        kernel += bench->report.kernel_seconds;
        elapsed = seconds_now() - start;
    } while (elapsed < run_seconds);
    double items = (double)(calls * bench->count);
    *rate = items / elapsed;
    *kernel_rate = kernel > 0 ? items / kernel : 0;
    return GECC_OK;
}

static gecc_result measure(struct bench *bench, const struct bench_case *item, size_t runs, struct measurement *m) {
    double rates[MAX_RUNS], kernel_rates[MAX_RUNS];
    bench_choose(bench, item);
    gecc_result result = bench_run(bench); /* to warm up */
    for (size_t i = 0; result == GECC_OK && i < runs; i++)
        result = time_run(bench, &rates[i], &kernel_rates[i]);
    if (result == GECC_OK)
        *m = (struct measurement){summary_of(rates, runs), summary_of(kernel_rates, runs)};
    return result;
}

static void print_heading(struct setup *setup, const gecc_report *report) {
    const struct bench_heading heading = {report->backend, report->detail, setup->most, setup->runs,
                                          setup->options->check ? "the CPU's portable code"
                                          : setup->gpu          ? "the CPU's code, three times 64 rows of each batch"
                                                       : "the portable code, three times 64 rows of each batch"};
    if (!setup->has_heading)
        bench_print_heading(setup->options, &heading);
    /* The last: small batches, which are measured first, may run on other code than the rest. */
    bench_heading_text(setup->plot.machine, sizeof setup->plot.machine, &heading);
    setup->has_heading = true;
}

static void print_line(struct setup *setup, const struct bench_line *line) {
    bench_print_line(setup->options, line);
    if (setup->options->plot && !plot_add(&setup->plot, line))
        setup->plot_is_whole = false;
}

static void print_measurement(struct setup *setup, const struct bench *bench, const struct bench_case *item,
                              const char *domain, const struct measurement *m) {
    struct bench_line line = {item->name,          domain, bench->count, TIME_KERNEL, m->kernel, bench->report.backend,
                              bench->report.detail};
    if (m->kernel.median > 0)
        print_line(setup, &line);
    line.time = setup->kind == PINNED ? TIME_PINNED : TIME_PAGEABLE;
    line.rate = m->call;
    print_line(setup, &line);
}

/* Hashes run once, and arithmetic modulo one prime of each width. */
static bool is_wanted(const struct setup *setup, const struct bench_case *item, gecc_curve curve) {
    const struct options *options = setup->options;
    if (!bench_is_asked_for(options, item->name))
        return false;
    if (item->operation->selector == GECC_SELECT_HASH)
        return curve == (options->curve ? options->curve : (gecc_curve)1);
    if (item->operation->selector == GECC_SELECT_MODULUS)
        return options->curve ? bench_case_is_on(item, curve) : curve == GECC_P256 || curve == GECC_P384;
    return bench_case_is_on(item, curve);
}

static const char *domain_of(const struct bench_case *item, gecc_curve curve) {
    switch (item->operation->selector) {
    case GECC_SELECT_HASH:
        return "-";
    case GECC_SELECT_MODULUS:
        return gecc_curve_bytes(curve) == 48 ? "384 bits" : "256 bits"; /* is_wanted has no others */
    case GECC_SELECT_CURVE:
        break;
    }
    return gecc_curve_name(curve);
}

static int report_wrong(const struct bench *bench, const struct bench_case *item, const char *what) {
    fprintf(stderr, "gecc bench: %s on %s, batches of %zu: %s\n", item->name, domain_of(item, bench->keys.curve),
            bench->count, what);
    return EXIT_BAD_ROWS;
}

static int run_case(struct bench *bench, struct setup *setup, const struct bench_case *item) {
    const char *domain = domain_of(item, bench->keys.curve);
    struct measurement m;
    bool same = true;
    gecc_result result = measure(bench, item, setup->runs, &m);
    if (result == GECC_OK) {
        gecc_report measured = bench->report;
        result = bench_compare(bench, setup->reference, setup->sample, &same);
        bench->report = measured;
    }
    if (result != GECC_OK) {
        fprintf(stderr, "gecc bench: %s on %s: %s\n", item->name, domain, gecc_result_text(result));
        return EXIT_TROUBLE;
    }
    if (!same)
        return report_wrong(bench, item, "results DIFFER from those of the CPU's other code");
    print_heading(setup, &bench->report);
    print_measurement(setup, bench, item, domain, &m);
    return EXIT_GOOD;
}

static int worse(int a, int b) { return a > b ? a : b; }

/* On each number of devices; efficiency is the part of the first ones' rate that each device has. */
static int run_scaling(struct bench *bench, struct setup *setup, const struct bench_case *item) {
    const char *domain = domain_of(item, bench->keys.curve);
    double first = 0;
    for (size_t i = 0; i < setup->devices.count; i++) {
        const size_t devices = setup->devices.devices[i];
        struct measurement m;
        bool same = true;
        bench->context = setup->devices.context[i];
        bench_choose(bench, item);
        gecc_result result = bench_devices_warm(bench);
        if (result == GECC_OK)
            result = measure(bench, item, setup->runs, &m);
        const gecc_report measured = bench->report;
        if (result == GECC_OK)
            result = bench_compare(bench, setup->reference, setup->sample, &same);
        if (result != GECC_OK) {
            fprintf(stderr, "gecc bench: %s on %s, %zu devices: %s\n", item->name, domain, devices,
                    gecc_result_text(result));
            return EXIT_TROUBLE;
        }
        if (!same)
            return report_wrong(bench, item, "results DIFFER from those of the CPU's other code");
        print_heading(setup, &measured);
        if (i == 0)
            first = m.call.median / (double)devices;
        const struct bench_scaling scaling = {{item->name, domain, bench->count,
                                               setup->kind == PINNED ? TIME_PINNED : TIME_PAGEABLE, m.call,
                                               measured.backend, measured.detail},
                                              devices,
                                              m.call.median / (double)devices / first};
        bench_print_scaling(setup->options, &scaling);
    }
    return EXIT_GOOD;
}

static int run_one(struct bench *bench, struct setup *setup, const struct bench_case *item) {
    return setup->devices.count != 0 ? run_scaling(bench, setup, item) : run_case(bench, setup, item);
}

/* Each batch size, or 1, 2, 4, ... */
static int run_batches(struct bench *bench, struct setup *setup, const struct bench_case *item) {
    int worst = EXIT_GOOD;
    if (setup->options->series)
        for (size_t batch = 1; batch <= setup->most; batch *= 2) {
            bench_take(bench, batch);
            worst = worse(worst, run_one(bench, setup, item));
        }
    else
        for (size_t i = 0; i < setup->batch_count; i++) {
            bench_take(bench, setup->batches[i]);
            worst = worse(worst, run_one(bench, setup, item));
        }
    return worst;
}

static bool any_wanted(const struct setup *setup, gecc_curve curve) {
    for (size_t i = 0; i < setup->cases.count; i++)
        if (is_wanted(setup, &setup->cases.item[i], curve))
            return true;
    return false;
}

/* Rows from the context that is measured; from the CPU's where that one cannot make them. */
static bool prepare(struct bench *bench, const struct setup *setup, gecc_curve curve) {
    bool made = bench_prepare(bench, setup->measured, curve, setup->most, setup->kind);
    if (!made) {
        bench_free(bench);
        made = bench_prepare(bench, setup->reference, curve, setup->most, setup->kind);
        bench->context = setup->measured;
    }
    return made;
}

static int run_curve(struct setup *setup, gecc_curve curve) {
    struct bench bench;
    int worst = EXIT_GOOD;
    if (!prepare(&bench, setup, curve)) {
        fprintf(stderr, "gecc bench: %s: rows could not be made\n", gecc_curve_name(curve));
        bench_free(&bench);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < setup->cases.count; i++)
        if (is_wanted(setup, &setup->cases.item[i], curve))
            worst = worse(worst, run_batches(&bench, setup, &setup->cases.item[i]));
    bench_free(&bench);
    return worst;
}

/* Rows in pinned memory and large batches for a GPU. */
static void setup_read(struct setup *setup, const struct options *options) {
    bool gpu = options->backend && strcmp(options->backend, "cuda") == 0;
    *setup = (struct setup){.options = options,
                            .gpu = gpu,
                            .plot_is_whole = true,
                            .sample = options->check ? 0 : SAMPLE_ROWS,
                            .kind = gpu && memory_kind_exists(PINNED) ? PINNED : PAGEABLE,
                            .runs = options->runs ? options->runs : DEFAULT_RUNS};
    bench_list(&setup->cases);
    setup->batch_count = options->batch_count ? options->batch_count : 1;
    setup->batches[0] = options->device_count_count ? SCALING_BATCH_ROWS : gpu ? GPU_BATCH_ROWS : DEFAULT_BATCH_ROWS;
    if (options->batch_count)
        memcpy(setup->batches, options->batches, sizeof setup->batches);
    for (size_t i = 0; i < setup->batch_count; i++)
        setup->most = setup->batches[i] > setup->most ? setup->batches[i] : setup->most;
}

/* The GPU in the report. */
static void report_gpu(const gecc_context *context, gecc_report *report) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    size_t count = gecc_backends(context, 0, &info);
    *report = (gecc_report)GECC_REPORT_INIT;
    snprintf(report->backend, sizeof report->backend, "cuda");
    for (size_t i = 0; i < count; i++) {
        gecc_backends(context, i, &info);
        if (info.chosen)
            snprintf(report->detail, sizeof report->detail, "%.47s", info.device);
    }
}

static int run_gpu(struct setup *setup) {
    gecc_report report;
    report_gpu(setup->measured, &report);
    print_heading(setup, &report);
    const struct bench_gpu gpu = {.options = setup->options,
                                  .context = setup->measured,
                                  .reference = setup->reference,
                                  .runs = setup->runs,
                                  .rows = setup->most,
                                  .batches = setup->options->batch_count ? setup->batches : NULL,
                                  .batch_count = setup->batch_count};
    return bench_gpu_run(&gpu);
}

/* The curve after this one; 0: it is the last. */
static gecc_curve curve_after(gecc_curve curve) {
    curve = curve + 1 == GECC_CURVE_END ? GECC_CURVE25519 : (gecc_curve)(curve + 1);
    return gecc_curve_bytes(curve) != 0 ? curve : (gecc_curve)0;
}

/* Names of operations that only a GPU's bench has are in its own list. */
static bool matches_something(const struct setup *setup) {
    for (gecc_curve c = (gecc_curve)1; c != 0; c = curve_after(c))
        if ((!setup->options->curve || setup->options->curve == c) && any_wanted(setup, c))
            return true;
    return setup->gpu && bench_gpu_has_asked_for(setup->options);
}

static int refuse_filter(const struct setup *setup) {
    const struct options *options = setup->options;
    char filter[256];
    escape_text(filter, sizeof filter, options->operation_filter, strlen(options->operation_filter));
    fprintf(stderr, "gecc bench: --op %s: no operation%s%s has that name; there are", filter,
            options->curve ? " on " : "", options->curve ? gecc_curve_name(options->curve) : "");
    const char *separator = " ";
    for (size_t i = 0; i < setup->cases.count; i++) {
        bool is_there = false;
        for (gecc_curve c = (gecc_curve)1; c != 0; c = curve_after(c))
            is_there |= (!options->curve || options->curve == c) && bench_case_is_on(&setup->cases.item[i], c);
        if (!is_there)
            continue;
        fprintf(stderr, "%s%s", separator, setup->cases.item[i].name);
        separator = ", ";
    }
    fprintf(stderr, "; * stands for any text\n");
    return EXIT_TROUBLE;
}

static int refuse_plot(const struct options *options, const char *reason) {
    fprintf(stderr, "gecc bench: --plot %s: %s\n", options->plot, reason);
    return EXIT_TROUBLE;
}

/* Draw what was measured, and give the file its name; where nothing was, the file is dropped. */
static int finish_plot(const struct setup *setup, struct target *target) {
    FILE *file = setup->measured && setup->plot_is_whole ? fdopen(target->descriptor, "w") : NULL;
    bool written = file != NULL;
    if (file) {
        plot_write(&setup->plot, file);
        written = !ferror(file);
        written &= fclose(file) == 0;
    } else {
        close(target->descriptor);
    }
    if (written && target_finish(target))
        return EXIT_GOOD;
    if (setup->measured)
        refuse_plot(setup->options, setup->plot_is_whole ? strerror(errno) : gecc_result_text(GECC_ERROR_MEMORY));
    if (target->partial)
        unlink(target->partial);
    free(target->partial);
    target->partial = NULL;
    return EXIT_TROUBLE;
}

static int bench(const struct options *options) {
    struct setup setup;
    struct target picture = {.descriptor = -1};
    int worst = EXIT_GOOD;
    if (options->device_count_count && (!options->backend || strcmp(options->backend, "cuda") != 0)) {
        fprintf(stderr, "gecc bench: --devices goes with --backend cuda\n");
        return EXIT_TROUBLE;
    }
    if (options->device_count_count && options->plot) {
        fprintf(stderr, "gecc bench: --plot draws rates against batches, and --devices measures none\n");
        return EXIT_TROUBLE;
    }
    setup_read(&setup, options);
    if (options->operation_filter && !matches_something(&setup))
        return refuse_filter(&setup);
    const char *reason = options->plot ? target_open(&picture, options->plot, false, -1) : NULL;
    if (reason) {
        target_free(&picture);
        return refuse_plot(options, reason);
    }
    setup.reference = cpu_context_open(setup.gpu && !options->check ? NULL : "portable-c");
    if (setup.reference && options->device_count_count == 0)
        setup.measured = context_open(options, 1);
    else if (setup.reference && bench_devices_open(&setup.devices, options))
        setup.measured = setup.devices.context[0];
    if (!setup.measured)
        worst = EXIT_TROUBLE;
    for (gecc_curve c = (gecc_curve)1; setup.measured && c != 0; c = curve_after(c))
        if ((!options->curve || options->curve == c) && any_wanted(&setup, c))
            worst = worse(worst, run_curve(&setup, c));
    if (setup.measured && setup.gpu && setup.devices.count == 0)
        worst = worse(worst, run_gpu(&setup));
    if (options->device_count_count == 0)
        gecc_close(setup.measured);
    bench_devices_close(&setup.devices);
    gecc_close(setup.reference);
    if (options->plot)
        worst = worse(worst, finish_plot(&setup, &picture));
    target_free(&picture);
    plot_free(&setup.plot);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "gecc bench: what was measured could not be written\n");
        worst = EXIT_TROUBLE;
    }
    return worst;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure how fast operations are",
    .description =
        "Items a second of each operation on each curve, on random rows: the median of several runs, each of "
        "some 50 ms, the lowest and the highest. A sample of the results is compared with those of the "
        "portable code, all with --check; the exit status is 1 if any is wrong. Where the portable code is what is "
        "measured, that tells nothing: `gecc selftest` has known answers.\n\n"
        "A line says how it was timed: pageable, from call to return with rows in the host's memory; pinned, "
        "the same with rows in memory that a GPU reads by itself; kernel, what the GPU's kernels took, "
        "without transfers. With --backend cuda there are two more operations, `multiply` and `square`, "
        "which are modular multiplications and squarings in the registers of the GPU's threads, modulo the "
        "primes of the curves and modulo any odd number, and inversions in batches of 2^20 and 2^25; and "
        "results are compared with those of the CPU's own choice.\n\n"
        "With --devices operations are measured on so many GPUs in turn, in batches of 2^24 rows unless --batch says "
        "otherwise: efficiency is what each GPU gives, beside what each of the first number gave.\n\n"
        "Modular arithmetic runs modulo the primes of P-256 and P-384 (with --curve, of that curve); "
        "digests are of messages of 64 bytes.",
    .examples = "gecc bench\n"
                "gecc bench --curve secp256k1 --op ecdsa.verify --threads 0 --batch 65536\n"
                "gecc bench --series --batch 1048576 --op '*.verify' --check\n"
                "gecc bench --series --curve P-256 --op '*.verify' --plot rates.svg\n"
                "gecc bench --backend cuda --batch 1048576,4194304\n"
                "gecc bench --backend cuda --devices 1,2,4,8 --curve secp256k1 --op ecdsa.verify\n"
                "gecc bench --json > bench.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_BENCH | OPTIONS_JSON,
    .main = bench,
    .curve25519 = true};
