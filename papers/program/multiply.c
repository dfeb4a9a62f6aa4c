/* Multiplications, squarings and additions in registers, modulo SM2's prime and modulo any odd number. */
#include "report.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MOST = 64,
    PRIME_BYTES = 32,
    PRIME_WORDS = PRIME_BYTES / 4,
    WAVES = 5, /* of blocks, so that the last one counts little */
    THREADS = 128,
    SAMPLE = 64,
    SQUARINGS_AT_ONCE = 256
};

/* The last three: no modulus, but the lower 256 bits xor the upper ones of 256 by 256 bits, or by the lower 128. */
enum arithmetic { MULTIPLY, SQUARE, ADD, PRODUCT, PRODUCT_SQUARE, PRODUCT_HALF };

/* A kernel of an image, for moduli of so many bytes: SM2's prime, which some images know, and any odd number. */
struct method {
    const char *name, *image, *kernel;
    enum arithmetic arithmetic;
    size_t bytes;
};

/* What the paper on gECC measures. */
static const struct method methods[] = {
    {"multiply_sm2", "multiply", "multiply_sm2", MULTIPLY, 32},
    {"square_sm2", "multiply", "square_sm2", SQUARE, 32},
    {"multiply_sm2_pairs", "multiply", "multiply_sm2_pairs", MULTIPLY, 32},
    {"square_sm2_pairs", "multiply", "square_sm2_pairs", SQUARE, 32},
    {"add_sm2", "multiply", "add_sm2", ADD, 32},
    {"multiply_any", "multiply_256", "multiply_any", MULTIPLY, 32},
    {"square_any", "multiply_256", "square_any", SQUARE, 32},
    {"multiply_any_apart", "multiply_256", "multiply_any_apart", MULTIPLY, 32},
    {"square_any_apart", "multiply_256", "square_any_apart", SQUARE, 32},
    {"multiply_any_384", "multiply_384", "multiply_any", MULTIPLY, 48},
    {"square_any_384", "multiply_384", "square_any", SQUARE, 48},
    {"multiply_any_apart_384", "multiply_384", "multiply_any_apart", MULTIPLY, 48},
    {"square_any_apart_384", "multiply_384", "square_any_apart", SQUARE, 48},
    {"multiply_any_512", "multiply_512", "multiply_any", MULTIPLY, 64},
    {"square_any_512", "multiply_512", "square_any", SQUARE, 64},
    {"multiply_any_apart_512", "multiply_512", "multiply_any_apart", MULTIPLY, 64},
    {"square_any_apart_512", "multiply_512", "square_any_apart", SQUARE, 64},
};

/* By halves of products, of Zheng et al. and of Emmart et al., and the library's beside them. */
static const struct method halves[] = {
    {"product_schoolbook", "zheng", "product_schoolbook", PRODUCT, 32},
    {"product_square_schoolbook", "zheng", "product_square_schoolbook", PRODUCT_SQUARE, 32},
    {"multiply_schoolbook", "zheng", "multiply_schoolbook", MULTIPLY, 32},
    {"square_schoolbook", "zheng", "square_schoolbook", SQUARE, 32},
    {"product_rows", "zheng", "product_rows", PRODUCT, 32},
    {"product_square_rows", "zheng", "product_square_rows", PRODUCT_SQUARE, 32},
    {"multiply_rows", "zheng", "multiply_rows", MULTIPLY, 32},
    {"square_rows", "zheng", "square_rows", SQUARE, 32},
    {"product_half_rows", "zheng", "product_half_rows", PRODUCT_HALF, 32},
    {"product_whole", "zheng", "product_whole", PRODUCT, 32},
    {"product_square_whole", "zheng", "product_square_whole", PRODUCT_SQUARE, 32},
    {"multiply_whole", "zheng", "multiply_whole", MULTIPLY, 32},
    {"square_whole", "zheng", "square_whole", SQUARE, 32},
    {"multiply_sm2", "multiply", "multiply_sm2", MULTIPLY, 32},
    {"square_sm2", "multiply", "square_sm2", SQUARE, 32},
    {"multiply_any", "multiply_256", "multiply_any", MULTIPLY, 32},
    {"square_any", "multiply_256", "square_any", SQUARE, 32},
    {"multiply_any_384", "multiply_384", "multiply_any", MULTIPLY, 48},
    {"square_any_384", "multiply_384", "square_any", SQUARE, 48},
    {"multiply_any_512", "multiply_512", "multiply_any", MULTIPLY, 64},
    {"square_any_512", "multiply_512", "square_any", SQUARE, 64},
    {"multiply_any_128", "halves_128", "multiply_any", MULTIPLY, 16},
    {"square_any_128", "halves_128", "square_any", SQUARE, 16},
    {"multiply_any_rows_128", "halves_128", "multiply_any_rows", MULTIPLY, 16},
    {"square_any_rows_128", "halves_128", "square_any_rows", SQUARE, 16},
    {"multiply_any_two_pass_128", "halves_128", "multiply_any_two_pass", MULTIPLY, 16},
    {"square_any_two_pass_128", "halves_128", "square_any_two_pass", SQUARE, 16},
    {"multiply_any_rows", "halves_256", "multiply_any_rows", MULTIPLY, 32},
    {"square_any_rows", "halves_256", "square_any_rows", SQUARE, 32},
    {"multiply_any_two_pass", "halves_256", "multiply_any_two_pass", MULTIPLY, 32},
    {"square_any_two_pass", "halves_256", "square_any_two_pass", SQUARE, 32},
    {"multiply_any_rows_384", "halves_384", "multiply_any_rows", MULTIPLY, 48},
    {"square_any_rows_384", "halves_384", "square_any_rows", SQUARE, 48},
    {"multiply_any_two_pass_384", "halves_384", "multiply_any_two_pass", MULTIPLY, 48},
    {"square_any_two_pass_384", "halves_384", "square_any_two_pass", SQUARE, 48},
    {"multiply_any_rows_512", "halves_512", "multiply_any_rows", MULTIPLY, 64},
    {"square_any_rows_512", "halves_512", "square_any_rows", SQUARE, 64},
    {"multiply_any_two_pass_512", "halves_512", "multiply_any_two_pass", MULTIPLY, 64},
    {"square_any_two_pass_512", "halves_512", "square_any_two_pass", SQUARE, 64},
};

enum { METHODS_MOST = sizeof halves / sizeof *halves };
static_assert(sizeof methods <= sizeof halves, "METHODS_MOST");

/* SM2's prime (GB/T 32918.5, 2); with what follows, an odd number of any width. */
static const uint8_t modulus[BYTES_MOST] = {
    0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xfd, 0xb9, 0x75, 0x31, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x01, 0x23, 0x45, 0x67,
    0x89, 0xab, 0xcd, 0xef, 0x02, 0x46, 0x8a, 0xce, 0x13, 0x57, 0x9b, 0xdf, 0x00, 0x00, 0x00, 0x01,
};

/* A method as it is measured: threads of a block, all rows or waves that a multiprocessor has at once, and how often
 * each row is multiplied. */
struct trial {
    struct method method;
    unsigned threads;
    bool by_waves;
    uint32_t times;
};

/* Rows x and y on both sides, and the results: BYTES_MOST bytes each, of which a method takes the first ones,
 * packed. */
struct rows {
    size_t count;
    uint8_t *x, *y, *out;
    CUdeviceptr device_x, device_y, device_out;
};

static bool rows_make(const struct gpu *gpu, struct rows *rows, size_t count) {
    size_t bytes = count * BYTES_MOST;
    uint64_t state = 1;
    *rows = (struct rows){.count = count, .x = malloc(bytes), .y = malloc(bytes), .out = malloc(bytes)};
    if (!rows->x || !rows->y || !rows->out || !gpu_new(gpu, &rows->device_x, bytes) ||
        !gpu_new(gpu, &rows->device_y, bytes) || !gpu_new(gpu, &rows->device_out, bytes))
        return false;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        rows->x[i] = (uint8_t)(state >> 40);
        rows->y[i] = (uint8_t)(state >> 56);
    }
    return gpu_write(gpu, rows->device_x, rows->x, bytes) && gpu_write(gpu, rows->device_y, rows->y, bytes);
}

static void rows_free(const struct gpu *gpu, struct rows *rows) {
    gpu_free(gpu, rows->device_x);
    gpu_free(gpu, rows->device_y);
    gpu_free(gpu, rows->device_out);
    free(rows->x);
    free(rows->y);
    free(rows->out);
}

/* The first rows of this width: x = 0 with y = m, which is 0; all bits of x. */
static bool rows_plant(const struct gpu *gpu, struct rows *rows, size_t bytes) {
    memset(rows->x, 0, bytes);
    memset(rows->x + bytes, 0xff, bytes);
    memcpy(rows->y, modulus, bytes);
    return gpu_write(gpu, rows->device_x, rows->x, 2 * bytes) && gpu_write(gpu, rows->device_y, rows->y, bytes);
}

static uint32_t word_read(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* x = the lower 256 bits of x * y, of whose words n count, xor the upper ones, words from the lowest on. */
static void fold_product(uint32_t x[PRIME_WORDS], const uint32_t *y, size_t n) {
    uint32_t t[2 * PRIME_WORDS] = {0};
    for (size_t i = 0; i < n; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < PRIME_WORDS; j++) {
            carry += (uint64_t)x[j] * y[i] + t[i + j];
            t[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        t[i + PRIME_WORDS] = (uint32_t)carry;
    }
    for (size_t i = 0; i < PRIME_WORDS; i++)
        x[i] = t[i] ^ t[PRIME_WORDS + i];
}

/* What `times` such products give for rows from `first` on. */
static void expect_products(const struct trial *trial, const struct rows *rows, size_t first, size_t count,
                            uint8_t *r) {
    const struct method *method = &trial->method;
    for (size_t row = 0; row < count; row++) {
        uint32_t x[PRIME_WORDS], y[PRIME_WORDS];
        for (size_t i = 0; i < PRIME_WORDS; i++) {
            size_t at = (first + row) * PRIME_BYTES + 4 * (PRIME_WORDS - 1 - i);
            x[i] = word_read(rows->x + at);
            y[i] = word_read(rows->y + at);
        }
        for (uint32_t n = trial->times; n > 0; n--) {
            if (method->arithmetic == PRODUCT_SQUARE)
                memcpy(y, x, sizeof y);
            fold_product(x, y, method->arithmetic == PRODUCT_HALF ? PRIME_WORDS / 2 : PRIME_WORDS);
        }
        for (size_t i = 0; i < PRIME_BYTES; i++)
            r[row * PRIME_BYTES + i] = (uint8_t)(x[PRIME_WORDS - 1 - i / 4] >> (24 - 8 * (i % 4)));
    }
}

/* r = x y^times, x^(2^times) or x + times y, on the CPU, for rows from `first` on. */
static gecc_result expect(gecc_context *cpu, const struct trial *trial, const struct rows *rows, size_t first,
                          size_t count, uint8_t *r) {
    const struct method *method = &trial->method;
    const size_t bytes = method->bytes;
    const uint32_t n = trial->times;
    const uint8_t times[4] = {(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
    uint8_t statuses[SAMPLE], square[SQUARINGS_AT_ONCE / 8 + 1] = {1}, factor[BYTES_MOST] = {0};
    const gecc_modulus m = {modulus, bytes};
    gecc_out out = gecc_out_packed(r, bytes), status = gecc_out_packed(statuses, 1);
    gecc_rows x = gecc_rows_packed(rows->x + first * bytes, bytes), so_far = gecc_rows_packed(r, bytes);
    gecc_rows y = gecc_rows_packed(rows->y + first * bytes, bytes);
    gecc_result result = GECC_OK;
    if (method->arithmetic >= PRODUCT) {
        expect_products(trial, rows, first, count, r);
        return GECC_OK;
    }
    if (method->arithmetic == MULTIPLY) {
        result = gecc_mod_power(cpu, m, out, status, y, gecc_rows_same(times, sizeof times), count, NULL);
        return result == GECC_OK ? gecc_mod_mul(cpu, m, out, status, so_far, x, count, NULL) : result;
    }
    if (method->arithmetic == ADD) {
        memcpy(factor + bytes - sizeof times, times, sizeof times);
        result = gecc_mod_mul(cpu, m, out, status, y, gecc_rows_same(factor, bytes), count, NULL);
        return result == GECC_OK ? gecc_mod_add(cpu, m, out, status, so_far, x, count, NULL) : result;
    }
    for (uint32_t done = 0; done < n && result == GECC_OK; done += SQUARINGS_AT_ONCE)
        result = gecc_mod_power(cpu, m, out, status, done == 0 ? x : so_far, gecc_rows_same(square, sizeof square),
                                count, NULL);
    return result;
}

/* The first of `count` rows, and the last ones. */
static bool is_right(gecc_context *cpu, const struct trial *trial, const struct rows *rows, size_t count) {
    const size_t bytes = trial->method.bytes;
    uint8_t expected[SAMPLE * BYTES_MOST];
    const size_t first[2] = {0, count - SAMPLE};
    for (size_t i = 0; i < 2; i++)
        if (expect(cpu, trial, rows, first[i], SAMPLE, expected) != GECC_OK ||
            memcmp(expected, rows->out + first[i] * bytes, SAMPLE * bytes) != 0)
            return false;
    return true;
}

/* The blocks of a launch; *resident of them are on a multiprocessor at once. */
static bool blocks_of(const struct gpu *gpu, const struct trial *trial, const struct gpu_kernel *kernel,
                      const struct rows *rows, unsigned *blocks, unsigned *resident) {
    if (!gpu_resident(gpu, kernel, trial->threads, resident))
        return false;
    *blocks = trial->by_waves ? gpu->multiprocessors * *resident * WAVES : (unsigned)(rows->count / trial->threads);
    return (size_t)*blocks * trial->threads <= rows->count;
}

static int measure_trial(const struct gpu *gpu, const struct options *options, const char *what, gecc_context *cpu,
                         const struct trial *trial, struct rows *rows) {
    const struct method *method = &trial->method;
    struct gpu_kernel kernel;
    struct gpu_time time;
    char extra[64];
    unsigned resident = 0;
    size_t bytes = method->bytes, count;
    struct gpu_launch l = {.threads = trial->threads, .runs = options->runs};
    struct job *job = &l.launch.job;
    if (!gpu_find(gpu, method->image, method->kernel, &kernel) ||
        !blocks_of(gpu, trial, &kernel, rows, &l.blocks, &resident))
        return EXIT_TROUBLE;
    count = (size_t)l.blocks * l.threads;
    *job = (struct job){.operation = OPERATION_MOD_MUL, .count = count, .modulus_bytes = bytes};
    memcpy(job->modulus + JOB_MODULUS_BYTES - bytes, modulus, bytes);
    job->in[0] = gecc_rows_packed((const void *)(uintptr_t)rows->device_x, bytes);
    job->in[1] = gecc_rows_packed((const void *)(uintptr_t)rows->device_y, bytes);
    job->out[0] = gecc_out_packed((void *)(uintptr_t)rows->device_out, bytes);
    job->out_width[0] = bytes;
    l.launch.count = count;
    l.options.times = trial->times;
    (void)snprintf(extra, sizeof extra, ",\"threads\":%u,\"resident\":%u", l.threads, resident);
    if (!rows_plant(gpu, rows, bytes) || !gpu_clear(gpu, rows->device_out, count * bytes) ||
        !gpu_run(gpu, &kernel, &l, &time) || !gpu_read(gpu, rows->out, rows->device_out, count * bytes))
        return EXIT_TROUBLE;
    return report_rate(what, method->name, &kernel, (double)count * l.options.times, &time,
                       is_right(cpu, trial, rows, count), extra);
}

static int measure_trials(const struct gpu *gpu, const struct options *options, const char *what,
                          const struct trial *trials, size_t how_many) {
    int worst = EXIT_GOOD;
    struct rows rows;
    gecc_context *cpu;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    /* 16 warps of a scheduler are resident where a thread has at most 32 registers, 8 with 64: 2 to 4 waves */
    size_t count = (size_t)gpu->multiprocessors * THREADS * 4 * 4 * WAVES;
    if (gecc_open(&cpu, &config) != GECC_OK || !rows_make(gpu, &rows, count)) {
        fprintf(stderr, "gecc-papers: %s: rows could not be made\n", what);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < how_many; i++) {
        if (!is_wanted(options, trials[i].method.name))
            continue;
        int status = measure_trial(gpu, options, what, cpu, &trials[i], &rows);
        worst = status > worst ? status : worst;
    }
    rows_free(gpu, &rows);
    gecc_close(cpu);
    return worst;
}

/* How often rows are multiplied. */
static uint32_t times_of(size_t bytes) { return bytes <= PRIME_BYTES ? 4096 : 1024; }

static int measure_methods(const struct gpu *gpu, const struct options *options, const char *what,
                           const struct method *of, size_t how_many) {
    struct trial trials[METHODS_MOST];
    for (size_t i = 0; i < how_many; i++)
        trials[i] = (struct trial){of[i], THREADS, false, times_of(of[i].bytes)};
    return measure_trials(gpu, options, what, trials, how_many);
}

int measure_multiply(const struct gpu *gpu, const struct options *options) {
    return measure_methods(gpu, options, "multiply", methods, sizeof methods / sizeof *methods);
}

int measure_halves(const struct gpu *gpu, const struct options *options) {
    return measure_methods(gpu, options, "halves", halves, sizeof halves / sizeof *halves);
}

/* In two passes, by threads of a block, the paper's choices among them: multiply_any_two_pass_256_768, ... A kernel is
 * compiled for the most threads that its blocks have; there are so many of them that each multiplies less often. */
int measure_threads(const struct gpu *gpu, const struct options *options) {
    static const unsigned threads[] = {THREADS, 256, 512, 768, 896, 1024};
    static const char *const kernels[2] = {"multiply_any_two_pass", "square_any_two_pass"};
    enum { WIDTHS = 4, COUNTS = sizeof threads / sizeof *threads, TRIALS = 2 * WIDTHS * COUNTS };
    char names[TRIALS][48], images[TRIALS][24];
    struct trial trials[TRIALS];
    for (unsigned i = 0; i < TRIALS; i++) {
        unsigned t = threads[i / 2 % COUNTS], bits = 128 * (1 + i / (2 * COUNTS));
        (void)snprintf(names[i], sizeof names[i], "%s_%u_%u", kernels[i % 2], bits, t);
        if (t == THREADS)
            (void)snprintf(images[i], sizeof images[i], "halves_%u", bits);
        else
            (void)snprintf(images[i], sizeof images[i], "threads_%u_%u", bits, t);
        trials[i] = (struct trial){{names[i], images[i], kernels[i % 2], i % 2 ? SQUARE : MULTIPLY, bits / 8},
                                   t,
                                   true,
                                   times_of(bits / 8) / 4};
    }
    return measure_trials(gpu, options, "threads", trials, TRIALS);
}
