/* Sums and products modulo odd numbers of 160 to 384 bits whose operands are in local memory, shared memory or
 * registers, and the library's: with the GPU full, and by 64 blocks of 16 threads, as Giorgi et al. measured them. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MOST = 48,
    THREADS = 64,
    ROWS_OF_MULTIPROCESSOR = 1 << 12, /* twice what is resident at most */
    FEW_BLOCKS = 64,
    FEW_THREADS = 16,
    DISTINCT = 1 << 12, /* rows, which then repeat */
    SAMPLE = 64,
    TIMES = 1024,
    EXPONENT_BYTES = 4
};

static const size_t widths[] = {160, 192, 224, 256, 384};
static const char *const operations[] = {"add", "multiply"};
static const char *const memories[] = {"local", "shared", "register", "ours"};

/* Numbers of a width on both sides: x and y below m, and y 2^bits mod m, which is y in Montgomery form. */
struct numbers {
    size_t bytes;
    gecc_modulus modulus;
    uint8_t m[BYTES_MOST], *x, *y, *encoded, *out;
};

static bool numbers_make(struct numbers *numbers, gecc_context *cpu, size_t bits) {
    const size_t bytes = bits / 8;
    const uint8_t exponent[EXPONENT_BYTES] = {0, 0, (uint8_t)(bits >> 8), (uint8_t)bits};
    uint8_t base[BYTES_MOST] = {0}, unit[BYTES_MOST] = {0}, radix[BYTES_MOST], status[DISTINCT];
    uint64_t state = bits;
    gecc_out statuses = gecc_out_packed(status, 1);
    *numbers = (struct numbers){.bytes = bytes};
    uint8_t **const columns[] = {&numbers->x, &numbers->y, &numbers->encoded, &numbers->out};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if ((*columns[i] = malloc(DISTINCT * bytes)) == NULL)
            return false;
    for (size_t i = 0; i < DISTINCT * bytes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        numbers->x[i] = (uint8_t)(state >> 40);
        numbers->y[i] = (uint8_t)(state >> 56);
    }
    memcpy(numbers->m, numbers->y + bytes, bytes);
    numbers->m[0] |= 0x80;
    numbers->m[bytes - 1] |= 1;
    numbers->modulus = (gecc_modulus){numbers->m, bytes};
    memset(numbers->x, 0, bytes);                  /* 0; */
    memcpy(numbers->x + bytes, numbers->m, bytes); /* m - 1, below */
    numbers->x[2 * bytes - 1] = (uint8_t)(numbers->x[2 * bytes - 1] - 1);
    base[bytes - 1] = 2;
    unit[bytes - 1] = 1;
    gecc_rows same_one = gecc_rows_same(unit, bytes);
    gecc_rows x = gecc_rows_packed(numbers->x, bytes), y = gecc_rows_packed(numbers->y, bytes);
    gecc_out to_x = gecc_out_packed(numbers->x, bytes), to_y = gecc_out_packed(numbers->y, bytes);
    return gecc_mod_power(cpu, numbers->modulus, gecc_out_packed(radix, bytes), statuses, gecc_rows_packed(base, bytes),
                          gecc_rows_same(exponent, sizeof exponent), 1, NULL) == GECC_OK &&
           gecc_mod_mul(cpu, numbers->modulus, to_x, statuses, x, same_one, DISTINCT, NULL) == GECC_OK &&
           gecc_mod_mul(cpu, numbers->modulus, to_y, statuses, y, same_one, DISTINCT, NULL) == GECC_OK &&
           gecc_mod_mul(cpu, numbers->modulus, gecc_out_packed(numbers->encoded, bytes), statuses, y,
                        gecc_rows_same(radix, bytes), DISTINCT, NULL) == GECC_OK;
}

static void numbers_free(struct numbers *numbers) {
    free(numbers->x);
    free(numbers->y);
    free(numbers->encoded);
    free(numbers->out);
}

/* r = x y^TIMES or x + TIMES y, on the CPU, for rows from `first` on. */
static bool expect(gecc_context *cpu, const struct numbers *numbers, int multiplying, size_t first, uint8_t *r) {
    const size_t bytes = numbers->bytes;
    uint8_t times[BYTES_MOST] = {0}, status[SAMPLE];
    times[bytes - 2] = (uint8_t)(TIMES >> 8);
    times[bytes - 1] = (uint8_t)TIMES;
    gecc_out out = gecc_out_packed(r, bytes), statuses = gecc_out_packed(status, 1);
    gecc_rows x = gecc_rows_packed(numbers->x + first * bytes, bytes), so_far = gecc_rows_packed(r, bytes);
    gecc_rows y = gecc_rows_packed(numbers->y + first * bytes, bytes), n = gecc_rows_same(times, bytes);
    if (multiplying)
        return gecc_mod_power(cpu, numbers->modulus, out, statuses, y, n, SAMPLE, NULL) == GECC_OK &&
               gecc_mod_mul(cpu, numbers->modulus, out, statuses, so_far, x, SAMPLE, NULL) == GECC_OK;
    return gecc_mod_mul(cpu, numbers->modulus, out, statuses, y, n, SAMPLE, NULL) == GECC_OK &&
           gecc_mod_add(cpu, numbers->modulus, out, statuses, so_far, x, SAMPLE, NULL) == GECC_OK;
}

/* The first rows and the last ones. */
static bool is_right(const struct gpu *gpu, gecc_context *cpu, const struct numbers *numbers, int multiplying,
                     const struct gpu_launch *l) {
    const size_t bytes = numbers->bytes, first[2] = {0, l->launch.count - SAMPLE};
    uint8_t expected[SAMPLE * BYTES_MOST];
    CUdeviceptr out = (CUdeviceptr)(uintptr_t)l->launch.job.out[0].data;
    for (size_t i = 0; i < 2; i++)
        if (!gpu_read(gpu, numbers->out, out + first[i] * bytes, SAMPLE * bytes) ||
            !expect(cpu, numbers, multiplying, first[i] % DISTINCT, expected) ||
            memcmp(expected, numbers->out, SAMPLE * bytes) != 0)
            return false;
    return true;
}

/* On the device; repeated there. */
static bool upload(const struct gpu *gpu, CUdeviceptr to, const struct numbers *numbers, const uint8_t *column,
                   size_t count) {
    size_t distinct = DISTINCT * numbers->bytes, all = count * numbers->bytes;
    return gpu_write(gpu, to, column, distinct < all ? distinct : all) &&
           (distinct >= all || gpu_repeat(gpu, to, distinct, all));
}

/* One line: an operation in a memory, by blocks of `threads`. */
static int measure_memory(const struct gpu *gpu, gecc_context *cpu, const struct numbers *numbers, int multiplying,
                          const char *memory, const char *name, struct gpu_launch *l) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    char image[32], of[32], extra[64];
    const size_t bytes = numbers->bytes, count = (size_t)l->blocks * l->threads;
    const uint8_t *y = multiplying && strcmp(memory, "ours") != 0 ? numbers->encoded : numbers->y;
    struct job *job = &l->launch.job;
    (void)snprintf(image, sizeof image, "fios_%zu", 8 * bytes);
    (void)snprintf(of, sizeof of, "%s_%s", operations[multiplying], memory);
    (void)snprintf(extra, sizeof extra, ",\"blocks\":%u,\"threads\":%u", l->blocks, l->threads);
    job->operation = OPERATION_MOD_MUL;
    job->count = l->launch.count = count;
    job->modulus_bytes = job->out_width[0] = bytes;
    memcpy(job->modulus + JOB_MODULUS_BYTES - bytes, numbers->m, bytes);
    for (int i = 0; i < 2; i++) {
        CUdeviceptr column = (CUdeviceptr)(uintptr_t)job->in[i].data;
        job->in[i] = gecc_rows_packed(job->in[i].data, bytes);
        if (!upload(gpu, column, numbers, i == 0 ? numbers->x : y, count))
            return EXIT_TROUBLE;
    }
    job->out[0] = gecc_out_packed(job->out[0].data, bytes);
    l->options.times = TIMES;
    if (!gpu_clear(gpu, (CUdeviceptr)(uintptr_t)job->out[0].data, count * bytes) ||
        !gpu_find(gpu, image, of, &kernel) || !gpu_run(gpu, &kernel, l, &time))
        return EXIT_TROUBLE;
    return report_rate("memories", name, &kernel, (double)count * TIMES, &time,
                       is_right(gpu, cpu, numbers, multiplying, l), extra);
}

/* All lines of a width. */
static int measure_width(const struct gpu *gpu, const struct options *options, gecc_context *cpu,
                         const struct numbers *numbers, const CUdeviceptr columns[3]) {
    int worst = EXIT_GOOD;
    for (int multiplying = 0; multiplying < 2; multiplying++)
        for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
            for (int few = 0; few < 2; few++) {
                struct gpu_launch l = {.blocks =
                                           few ? FEW_BLOCKS : gpu->multiprocessors * (ROWS_OF_MULTIPROCESSOR / THREADS),
                                       .threads = few ? FEW_THREADS : THREADS,
                                       .runs = options->runs};
                char name[64];
                l.launch.job.in[0].data = (const void *)(uintptr_t)columns[0];
                l.launch.job.in[1].data = (const void *)(uintptr_t)columns[1];
                l.launch.job.out[0].data = (void *)(uintptr_t)columns[2];
                (void)snprintf(name, sizeof name, "%s_%s_%zu%s", operations[multiplying], memories[i],
                               8 * numbers->bytes, few ? "_few" : "");
                if (!is_wanted(options, name))
                    continue;
                int status = measure_memory(gpu, cpu, numbers, multiplying, memories[i], name, &l);
                worst = status > worst ? status : worst;
            }
    return worst;
}

int measure_memories(const struct gpu *gpu, const struct options *options) {
    int worst = EXIT_GOOD;
    gecc_context *cpu;
    gecc_config config = GECC_CONFIG_INIT;
    CUdeviceptr columns[3];
    config.backend = "cpu";
    if (gecc_open(&cpu, &config) != GECC_OK)
        return EXIT_TROUBLE;
    for (int i = 0; i < 3; i++)
        if (!gpu_new(gpu, &columns[i], (size_t)gpu->multiprocessors * ROWS_OF_MULTIPROCESSOR * BYTES_MOST))
            return EXIT_TROUBLE;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct numbers numbers;
        int status = EXIT_TROUBLE;
        if (numbers_make(&numbers, cpu, widths[i]))
            status = measure_width(gpu, options, cpu, &numbers, columns);
        else
            fprintf(stderr, "gecc-papers: memories: numbers of %zu bits could not be made\n", widths[i]);
        numbers_free(&numbers);
        worst = status > worst ? status : worst;
    }
    for (int i = 0; i < 3; i++)
        gpu_free(gpu, columns[i]);
    gecc_close(cpu);
    return worst;
}
