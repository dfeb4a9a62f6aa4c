#include "bench/gpu.h"
#include "bench/cases.h"
#include "bench/report.h"
#include "rows/progress.h"
#include "rows/stream.h"

#include "../../../src/backend/cuda/card/measure.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIMES = 4096,    /* multiplications of each */
    SAMPLE = 64,     /* rows that are compared */
    WIDTH_MOST = 64, /* of a modulus */
    RUNS_MOST = 1000,
    INVERSE_BYTES = 32
};

/* 2^(8 bytes) - 1 with a few bits less: odd, and of no form that arithmetic could gain from. */
static gecc_modulus any_odd(size_t bytes) {
    static uint8_t value[WIDTH_MOST];
    for (size_t i = 0; i < bytes; i++)
        value[i] = (uint8_t)(0xf1 - 0x3b * i);
    value[bytes - 1] |= 1;
    return (gecc_modulus){value, bytes};
}

static bool is_wanted(const struct bench_gpu *gpu, const char *operation) {
    return bench_is_asked_for(gpu->options, operation);
}

static int complain(const char *operation, const char *domain, const char *why) {
    fprintf(stderr, "gecc bench: %s modulo %s: %s\n", operation, domain, why);
    return EXIT_TROUBLE;
}

/* Multiplications in registers. */

typedef gecc_result measure_function(struct gecc_cuda_measurement *measurement);

/* The function of the module that the library has loaded, NULL: it has none. ISO C has no conversion between
 * pointers to objects and to functions; POSIX promises that they have the same representation. */
static measure_function *find_measure(void) {
    union {
        void *object;
        measure_function *function;
    } address;
    void *module = dlopen("libgecc_cuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    address.object = module ? dlsym(module, "gecc_cuda_measure") : NULL;
    if (module)
        dlclose(module);
    return address.function;
}

/* Of a measurement: x, y, out, each of so many bytes. */
struct columns {
    uint8_t *x, *y, *out;
};

static bool columns_make(struct columns *columns, size_t bytes) {
    columns->x = malloc(bytes);
    columns->y = malloc(bytes);
    columns->out = malloc(bytes);
    return columns->x && columns->y && columns->out && random_bytes(columns->x, bytes) &&
           random_bytes(columns->y, bytes);
}

static void columns_free(struct columns *columns) {
    free(columns->x);
    free(columns->y);
    free(columns->out);
}

/* r = x y^TIMES, or x^(2^TIMES), on the CPU, for some rows from `first` on. */
static gecc_result expect(const struct bench_gpu *gpu, const struct gecc_cuda_measurement *m, size_t first,
                          size_t count, uint8_t *r) {
    static const uint8_t times[4] = {TIMES >> 24, TIMES >> 16 & 0xff, TIMES >> 8 & 0xff, TIMES & 0xff};
    uint8_t statuses[SAMPLE], square[WIDTH_MOST] = {0};
    size_t bytes = m->modulus.bytes;
    gecc_out out = gecc_out_packed(r, bytes), status = gecc_out_packed(statuses, 1);
    gecc_rows x = gecc_rows_packed(m->x + first * bytes, bytes), so_far = gecc_rows_packed(r, bytes);
    if (!m->squaring) {
        gecc_result result =
            gecc_mod_power(gpu->reference, m->modulus, out, status, gecc_rows_packed(m->y + first * bytes, bytes),
                           gecc_rows_same(times, sizeof times), count, NULL);
        return result == GECC_OK ? gecc_mod_mul(gpu->reference, m->modulus, out, status, so_far, x, count, NULL)
                                 : result;
    }
    /* the exponent 2^256, so often that these are TIMES squarings */
    enum { AT_ONCE = 256, EXPONENT_BYTES = AT_ONCE / 8 + 1 };
    _Static_assert(TIMES % AT_ONCE == 0, "whole powers");
    square[0] = 1;
    gecc_result result = GECC_OK;
    for (unsigned done = 0; done < TIMES && result == GECC_OK; done += AT_ONCE)
        result = gecc_mod_power(gpu->reference, m->modulus, out, status, done == 0 ? x : so_far,
                                gecc_rows_same(square, EXPONENT_BYTES), count, NULL);
    return result;
}

/* Are the first and the last rows right? */
static bool is_right(const struct bench_gpu *gpu, const struct gecc_cuda_measurement *m) {
    uint8_t expected[SAMPLE * WIDTH_MOST];
    size_t bytes = m->modulus.bytes, count = m->rows < SAMPLE ? m->rows : SAMPLE;
    const size_t first[2] = {0, m->rows - count};
    for (size_t i = 0; i < 2; i++)
        if (expect(gpu, m, first[i], count, expected) != GECC_OK ||
            memcmp(expected, m->out + first[i] * bytes, count * bytes) != 0)
            return false;
    return true;
}

static int measure_one(const struct bench_gpu *gpu, measure_function *function, const char *domain,
                       const struct gecc_cuda_measurement *what) {
    const char *name = what->squaring ? "square" : "multiply";
    double seconds[RUNS_MOST];
    struct gecc_cuda_measurement m = *what;
    m.size = sizeof m;
    m.times = TIMES;
    m.rows = gpu->rows;
    m.seconds = seconds;
    m.runs = (unsigned)gpu->runs;
    gecc_result result = function(&m);
    if (result != GECC_OK)
        return complain(name, domain, gecc_result_text(result));
    if (!is_right(gpu, &m)) {
        complain(name, domain, "WRONG RESULTS");
        return EXIT_BAD_ROWS;
    }
    for (size_t i = 0; i < gpu->runs; i++)
        seconds[i] = (double)m.rows * TIMES / seconds[i];
    const struct bench_line line = {name,   domain,  m.rows, TIME_KERNEL, summary_of(seconds, gpu->runs),
                                    "cuda", m.device};
    bench_print_line(gpu->options, &line);
    return EXIT_GOOD;
}

/* Modulo one number: both operations. */
static int measure_modulus(const struct bench_gpu *gpu, measure_function *function, gecc_curve curve,
                           gecc_modulus modulus) {
    struct columns columns = {NULL, NULL, NULL};
    char domain[32];
    int worst = EXIT_GOOD;
    if (curve)
        snprintf(domain, sizeof domain, "%s", gecc_curve_name(curve));
    else
        snprintf(domain, sizeof domain, "%zu bits", 8 * modulus.bytes);
    if (!columns_make(&columns, gpu->rows * modulus.bytes))
        worst = complain("multiply", domain, "rows could not be made");
    for (int squaring = 0; squaring <= 1 && worst != EXIT_TROUBLE; squaring++) {
        const struct gecc_cuda_measurement m = {.curve = curve,
                                                .modulus = modulus,
                                                .squaring = squaring,
                                                .x = columns.x,
                                                .y = columns.y,
                                                .out = columns.out};
        if (!is_wanted(gpu, squaring ? "square" : "multiply"))
            continue;
        int status = measure_one(gpu, function, domain, &m);
        worst = status > worst ? status : worst;
    }
    columns_free(&columns);
    return worst;
}

static int measure_all(const struct bench_gpu *gpu) {
    static const size_t widths[] = {32, 48, 64};
    int worst = EXIT_GOOD;
    measure_function *function = find_measure();
    if (!is_wanted(gpu, "multiply") && !is_wanted(gpu, "square"))
        return EXIT_GOOD;
    if (!function) {
        fprintf(stderr, "gecc bench: multiply, square: the CUDA module has no gecc_cuda_measure\n");
        return EXIT_TROUBLE;
    }
    for (gecc_curve curve = (gecc_curve)1; curve < GECC_CURVE_END; curve++) {
        gecc_modulus prime = {bench_prime(curve), gecc_curve_bytes(curve)};
        if (gpu->options->curve && gpu->options->curve != curve)
            continue;
        if (prime.bytes > WIDTH_MOST) {
            (void)complain("multiply, square", gecc_curve_name(curve),
                           "not measured: their check, gecc_mod_power, takes moduli of 512 bits at most");
            continue;
        }
        int status = measure_modulus(gpu, function, curve, prime);
        worst = status > worst ? status : worst;
    }
    for (size_t i = 0; !gpu->options->curve && i < sizeof widths / sizeof *widths; i++) {
        int status = measure_modulus(gpu, function, (gecc_curve)0, any_odd(widths[i]));
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* Inversions in great batches. */

static const char inverse[] = "inverse";

/* A prime: modulo another number a batch with a row that has no inverse is inverted row by row. */
static gecc_modulus inverse_modulus(void) { return (gecc_modulus){bench_prime(GECC_P256), INVERSE_BYTES}; }

/* [count][INVERSE_BYTES] in memory of a kind, and the host's copy of the operands. */
struct inversion {
    enum memory_kind kind;
    size_t count;
    uint8_t *a, *out, *status, *host;
};

static void inversion_free(struct inversion *v) {
    memory_release(v->kind, v->a);
    memory_release(v->kind, v->out);
    memory_release(v->kind, v->status);
    free(v->host);
}

static bool inversion_make(struct inversion *v, enum memory_kind kind, size_t count) {
    size_t bytes = count * INVERSE_BYTES;
    *v = (struct inversion){.kind = kind, .count = count};
    v->a = memory_allocate(kind, bytes);
    v->out = memory_allocate(kind, bytes);
    v->status = memory_allocate(kind, count);
    v->host = malloc(bytes);
    return v->a && v->out && v->status && v->host && random_bytes(v->host, bytes) &&
           memory_write(kind, v->a, v->host, bytes);
}

static gecc_result invert(const struct bench_gpu *gpu, struct inversion *v, gecc_report *report) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = report;
    return gecc_mod_inverse(gpu->context, inverse_modulus(), gecc_out_packed(v->out, INVERSE_BYTES),
                            gecc_out_packed(v->status, 1), gecc_rows_packed(v->a, INVERSE_BYTES), v->count, &options);
}

/* A sample's results and statuses are the CPU's. */
static bool inverses_right(const struct bench_gpu *gpu, const struct inversion *v) {
    uint8_t out[SAMPLE][INVERSE_BYTES], status[SAMPLE], expected[SAMPLE][INVERSE_BYTES], expected_status[SAMPLE];
    size_t count = v->count < SAMPLE ? v->count : SAMPLE;
    const size_t first[3] = {0, (v->count - count) / 2, v->count - count};
    for (size_t i = 0; i < 3; i++) {
        size_t at = first[i] * INVERSE_BYTES;
        if (!memory_read(v->kind, out, v->out + at, count * INVERSE_BYTES) ||
            !memory_read(v->kind, status, v->status + first[i], count) ||
            gecc_mod_inverse(gpu->reference, inverse_modulus(), gecc_out_packed(expected, INVERSE_BYTES),
                             gecc_out_packed(expected_status, 1), gecc_rows_packed(v->host + at, INVERSE_BYTES), count,
                             NULL) != GECC_OK ||
            memcmp(out, expected, count * INVERSE_BYTES) != 0 || memcmp(status, expected_status, count) != 0)
            return false;
    }
    return true;
}

static gecc_result time_inversions(const struct bench_gpu *gpu, struct inversion *v, double *rates,
                                   double *kernel_rates, gecc_report *report) {
    for (size_t run = 0; run <= gpu->runs; run++) {
        double start = seconds_now();
        gecc_result result = invert(gpu, v, report);
        if (result != GECC_OK)
            return result;
        size_t at = run == 0 ? 0 : run - 1; /* the first does not count */
        rates[at] = (double)v->count / (seconds_now() - start);
        kernel_rates[at] = (double)v->count / report->kernel_seconds;
    }
    return GECC_OK;
}

static int measure_inversions(const struct bench_gpu *gpu, enum memory_kind kind, size_t count) {
    static const char domain[] = "256 bits";
    double rates[RUNS_MOST], kernel_rates[RUNS_MOST];
    gecc_report report = GECC_REPORT_INIT;
    struct inversion v;
    int status = EXIT_GOOD;
    bool made = inversion_make(&v, kind, count);
    gecc_result result = made ? time_inversions(gpu, &v, rates, kernel_rates, &report) : GECC_ERROR_MEMORY;
    if (result != GECC_OK) {
        status = complain(inverse, domain, gecc_result_text(result));
    } else if (!inverses_right(gpu, &v)) {
        complain(inverse, domain, "results DIFFER from those of the CPU");
        status = EXIT_BAD_ROWS;
    } else {
        struct bench_line line = {inverse,        domain,       count, TIME_KERNEL, summary_of(kernel_rates, gpu->runs),
                                  report.backend, report.detail};
        if (kind != PINNED) /* both kinds would say the same */
            bench_print_line(gpu->options, &line);
        line.time = memory_kind_name(kind);
        line.rate = summary_of(rates, gpu->runs);
        bench_print_line(gpu->options, &line);
    }
    inversion_free(&v);
    return status;
}

static int measure_all_inversions(const struct bench_gpu *gpu) {
    static const size_t usual[] = {(size_t)1 << 20, (size_t)1 << 25};
    const size_t *batches = gpu->batches ? gpu->batches : usual;
    size_t count = gpu->batches ? gpu->batch_count : 2;
    int worst = EXIT_GOOD;
    if (!is_wanted(gpu, inverse) || gpu->options->curve)
        return EXIT_GOOD;
    for (size_t i = 0; i < count; i++)
        for (int kind = memory_kind_exists(DEVICE) ? PINNED : PAGEABLE;
             memory_kind_exists((enum memory_kind)kind) && kind <= DEVICE; kind++) {
            int status = measure_inversions(gpu, (enum memory_kind)kind, batches[i]);
            worst = status > worst ? status : worst;
        }
    return worst;
}

int bench_gpu_run(const struct bench_gpu *gpu) {
    int inversions = measure_all_inversions(gpu), multiplications = measure_all(gpu);
    return inversions > multiplications ? inversions : multiplications;
}

bool bench_gpu_has_asked_for(const struct options *options) {
    return bench_is_asked_for(options, "multiply") || bench_is_asked_for(options, "square") ||
           (!options->curve && bench_is_asked_for(options, inverse));
}
