/* Multiplications, squarings and additions in registers, modulo SM2's prime and modulo any odd number. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES = 32,
    TIMES = 4096, /* multiplications of each row */
    BLOCKS = 5,   /* waves of them, so that the last one counts little; of a multiprocessor */
    THREADS = 128,
    SAMPLE = 64,
    SQUARINGS_AT_ONCE = 256
};

enum arithmetic { MULTIPLY, SQUARE, ADD };

/* A kernel of the image `multiply`. `special`: modulo SM2's prime, which it knows; else modulo the job's modulus. */
struct method {
    const char *name;
    enum arithmetic arithmetic;
    bool special;
};

static const struct method methods[] = {
    {"multiply_sm2", MULTIPLY, true},
    {"square_sm2", SQUARE, true},
    {"multiply_sm2_pairs", MULTIPLY, true},
    {"square_sm2_pairs", SQUARE, true},
    {"multiply_any", MULTIPLY, false},
    {"square_any", SQUARE, false},
    {"multiply_any_apart", MULTIPLY, false},
    {"square_any_apart", SQUARE, false},
    {"add_sm2", ADD, true},
};

/* SM2's prime: GB/T 32918.5, 2. */
static const uint8_t prime[BYTES] = {0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x00,
                                     0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* Rows x and y on both sides, and the results. */
struct rows {
    size_t count;
    uint8_t *x, *y, *out;
    CUdeviceptr device; /* x, y, out */
};

static bool rows_make(const struct gpu *gpu, struct rows *rows, size_t count) {
    size_t bytes = count * BYTES;
    uint64_t state = 1;
    *rows = (struct rows){.count = count, .x = malloc(bytes), .y = malloc(bytes), .out = malloc(bytes)};
    if (!rows->x || !rows->y || !rows->out || !gpu_new(gpu, &rows->device, 3 * bytes))
        return false;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        rows->x[i] = (uint8_t)(state >> 40);
        rows->y[i] = (uint8_t)(state >> 56);
    }
    memset(rows->x, 0, BYTES);     /* 0 */
    memcpy(rows->y, prime, BYTES); /* p, which is 0 */
    memset(rows->x + BYTES, 0xff, BYTES);
    return gpu_write(gpu, rows->device, rows->x, bytes) && gpu_write(gpu, rows->device + bytes, rows->y, bytes);
}

static void rows_free(const struct gpu *gpu, struct rows *rows) {
    gpu_free(gpu, rows->device);
    free(rows->x);
    free(rows->y);
    free(rows->out);
}

/* r = x y^TIMES, x^(2^TIMES) or x + TIMES y, on the CPU, for rows from `first` on. */
static gecc_result expect(gecc_context *cpu, const struct method *method, const struct rows *rows, size_t first,
                          size_t count, uint8_t *r) {
    static const uint8_t times[4] = {TIMES >> 24, TIMES >> 16 & 0xff, TIMES >> 8 & 0xff, TIMES & 0xff};
    static const uint8_t wide_times[BYTES] = {[BYTES - 2] = TIMES >> 8 & 0xff, [BYTES - 1] = TIMES & 0xff};
    uint8_t statuses[SAMPLE], square[SQUARINGS_AT_ONCE / 8 + 1] = {1};
    const gecc_modulus m = {prime, BYTES};
    gecc_out out = gecc_out_packed(r, BYTES), status = gecc_out_packed(statuses, 1);
    gecc_rows x = gecc_rows_packed(rows->x + first * BYTES, BYTES), so_far = gecc_rows_packed(r, BYTES);
    gecc_rows y = gecc_rows_packed(rows->y + first * BYTES, BYTES);
    gecc_result result = GECC_OK;
    if (method->arithmetic == MULTIPLY) {
        result = gecc_mod_power(cpu, m, out, status, y, gecc_rows_same(times, sizeof times), count, NULL);
        return result == GECC_OK ? gecc_mod_mul(cpu, m, out, status, so_far, x, count, NULL) : result;
    }
    if (method->arithmetic == ADD) {
        result = gecc_mod_mul(cpu, m, out, status, y, gecc_rows_same(wide_times, BYTES), count, NULL);
        return result == GECC_OK ? gecc_mod_add(cpu, m, out, status, so_far, x, count, NULL) : result;
    }
    for (unsigned done = 0; done < TIMES && result == GECC_OK; done += SQUARINGS_AT_ONCE)
        result = gecc_mod_power(cpu, m, out, status, done == 0 ? x : so_far, gecc_rows_same(square, sizeof square),
                                count, NULL);
    return result;
}

static bool is_right(gecc_context *cpu, const struct method *method, const struct rows *rows) {
    uint8_t expected[SAMPLE * BYTES];
    const size_t first[2] = {0, rows->count - SAMPLE};
    for (size_t i = 0; i < 2; i++)
        if (expect(cpu, method, rows, first[i], SAMPLE, expected) != GECC_OK ||
            memcmp(expected, rows->out + first[i] * BYTES, SAMPLE * BYTES) != 0)
            return false;
    return true;
}

static int measure_method(const struct gpu *gpu, const struct options *options, gecc_context *cpu,
                          const struct method *method, struct rows *rows) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    size_t bytes = rows->count * BYTES;
    struct gpu_launch l = {.blocks = (unsigned)(rows->count / THREADS), .threads = THREADS, .runs = options->runs};
    struct job *job = &l.launch.job;
    *job = (struct job){.operation = OPERATION_MOD_MUL, .count = rows->count, .modulus_bytes = BYTES};
    memcpy(job->modulus + JOB_MODULUS_BYTES - BYTES, prime, BYTES);
    job->in[0] = gecc_rows_packed((const void *)(uintptr_t)rows->device, BYTES);
    job->in[1] = gecc_rows_packed((const void *)(uintptr_t)(rows->device + bytes), BYTES);
    job->out[0] = gecc_out_packed((void *)(uintptr_t)(rows->device + 2 * bytes), BYTES);
    job->out_width[0] = BYTES;
    l.launch.count = rows->count;
    l.options.times = TIMES;
    if (!gpu_find(gpu, "multiply", method->name, &kernel) || !gpu_run(gpu, &kernel, &l, &time) ||
        !gpu_read(gpu, rows->out, rows->device + 2 * bytes, bytes))
        return EXIT_TROUBLE;
    return report_rate("multiply", method->name, &kernel, (double)rows->count * TIMES, &time,
                       is_right(cpu, method, rows), "");
}

int measure_multiply(const struct gpu *gpu, const struct options *options) {
    int worst = EXIT_GOOD;
    struct rows rows;
    gecc_context *cpu;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    /* 16 warps of a scheduler are resident where a thread has at most 32 registers, 8 with 64: 2 to 4 waves */
    size_t count = (size_t)gpu->multiprocessors * THREADS * 4 * 4 * BLOCKS;
    if (gecc_open(&cpu, &config) != GECC_OK || !rows_make(gpu, &rows, count)) {
        fprintf(stderr, "gecc-papers: multiply: rows could not be made\n");
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (!is_wanted(options, methods[i].name))
            continue;
        int status = measure_method(gpu, options, cpu, &methods[i], &rows);
        worst = status > worst ? status : worst;
    }
    rows_free(gpu, &rows);
    gecc_close(cpu);
    return worst;
}
