/* Points of any curve of 160 to 384 bits, their sums, doublings and multiples, as Giorgi et al. have them: with the GPU
 * full, and by 64 blocks of 16 threads, as they measured them. */
#include "report.h"

#include "any_curve_expects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_MOST = 48,
    THREADS = 32,
    BLOCKS_OF_MULTIPROCESSOR = 16,
    FEW_BLOCKS = 64,
    FEW_THREADS = 16,
    SAMPLE = 16,
    TIMES = 100 /* sums or doublings, as there */
};

/* Words of a prime, the highest first. */
static const struct width {
    size_t bits;
    any_curve_expect *expect;
    uint32_t prime[12];
} widths[] = {
    {160, any_curve_expect_160, {~0u, ~0u, ~0u, ~0u, 0x7fffffff}},
    {192, any_curve_expect_192, {~0u, ~0u, ~0u, ~0u - 1, ~0u, ~0u}},
    {224, any_curve_expect_224, {~0u, ~0u, ~0u, ~0u, 0, 0, 1}},
    {256, any_curve_expect_256, {~0u, 1, 0, 0, 0, ~0u, ~0u, ~0u}},
    {384, any_curve_expect_384, {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u - 1, ~0u, 0, 0, ~0u}},
};

/* Tasks are those of any_curve.h. */
static const struct kind {
    const char *name;
    int task, w;
} kinds[] = {
    {"addition_local", 0, 0}, {"addition_shared", 0, 0}, {"addition_register", 0, 0},
    {"doubling_local", 1, 0}, {"doubling_shared", 1, 0}, {"doubling_register", 1, 0},
    {"from_right", 2, 0},     {"form_2", 3, 2},          {"form_2_packed", 3, 2},
    {"form_3", 3, 3},         {"form_3_packed", 3, 3},
};

/* Columns as in any_curve.h, here and on the device; p in the job. */
struct points {
    size_t bytes, count;
    uint8_t modulus[BYTES_MOST], constants[2 * BYTES_MOST], *point, *other, *out;
    CUdeviceptr device_point, device_constants, device_other, device_out;
};

static void fill_random(uint8_t *bytes, size_t count, size_t number, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        bytes[i] = (uint8_t)(seed >> 48);
        if (i % number == 0)
            bytes[i] &= 0x7f; /* below p */
    }
}

static bool points_make(const struct gpu *gpu, struct points *p, const struct width *width, size_t count) {
    const size_t bytes = width->bits / 8;
    *p = (struct points){.bytes = bytes,
                         .count = count,
                         .point = malloc(count * 2 * bytes),
                         .other = malloc(count * 3 * bytes),
                         .out = malloc(count * 3 * bytes)};
    if (!p->point || !p->other || !p->out || !gpu_new(gpu, &p->device_point, count * 2 * bytes) ||
        !gpu_new(gpu, &p->device_other, count * 3 * bytes) || !gpu_new(gpu, &p->device_out, count * 3 * bytes) ||
        !gpu_new(gpu, &p->device_constants, 2 * bytes))
        return false;
    for (size_t i = 0; i < bytes; i++)
        p->modulus[i] = (uint8_t)(width->prime[i / 4] >> (24 - 8 * (i % 4)));
    fill_random(p->constants, bytes, bytes, 1);
    fill_random(p->point, count * 2 * bytes, bytes, 2);
    fill_random(p->other, count * 3 * bytes, bytes, 3);
    unsigned carry = 1; /* 1 is 2^bits - p in Montgomery form */
    for (size_t i = bytes; i-- > 0;) {
        carry += 0xffu - p->modulus[i];
        p->constants[bytes + i] = (uint8_t)carry;
        carry >>= 8;
    }
    return gpu_write(gpu, p->device_point, p->point, count * 2 * bytes) &&
           gpu_write(gpu, p->device_other, p->other, count * 3 * bytes) &&
           gpu_write(gpu, p->device_constants, p->constants, 2 * bytes);
}

static void points_free(const struct gpu *gpu, struct points *p) {
    gpu_free(gpu, p->device_point);
    gpu_free(gpu, p->device_constants);
    gpu_free(gpu, p->device_other);
    gpu_free(gpu, p->device_out);
    free(p->point);
    free(p->other);
    free(p->out);
}

/* The first rows and the last ones of `count`. */
static bool is_right(const struct points *p, const struct width *width, const struct kind *kind, size_t count) {
    const size_t first[2] = {0, count - SAMPLE};
    for (size_t i = 0; i < 2; i++)
        for (size_t row = first[i]; row < first[i] + SAMPLE; row++) {
            const uint8_t *const rows[4] = {p->point + row * 2 * p->bytes, p->constants, p->modulus,
                                            p->other + row * 3 * p->bytes};
            uint8_t expected[3 * BYTES_MOST];
            width->expect(kind->task, TIMES, kind->w, rows, expected);
            if (memcmp(expected, p->out + row * 3 * p->bytes, 3 * p->bytes) != 0)
                return false;
        }
    return true;
}

static int measure_kind(const struct gpu *gpu, const struct options *options, const struct points *p,
                        const struct width *width, const struct kind *kind, int few) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    struct gpu_launch l = {.blocks = few ? FEW_BLOCKS : gpu->multiprocessors * BLOCKS_OF_MULTIPROCESSOR,
                           .threads = few ? FEW_THREADS : THREADS,
                           .runs = options->runs};
    const size_t count = (size_t)l.blocks * l.threads;
    char name[64], image[32], extra[64];
    struct job *job = &l.launch.job;
    (void)snprintf(name, sizeof name, "%s_%zu%s", kind->name, width->bits, few ? "_few" : "");
    if (!is_wanted(options, name))
        return EXIT_GOOD;
    (void)snprintf(image, sizeof image, "any_curve_%zu", width->bits);
    (void)snprintf(extra, sizeof extra, ",\"blocks\":%u,\"threads\":%u", l.blocks, l.threads);
    memcpy(job->modulus + JOB_MODULUS_BYTES - p->bytes, p->modulus, p->bytes);
    job->in[0].data = (const void *)(uintptr_t)p->device_point;
    job->in[1].data = (const void *)(uintptr_t)p->device_constants;
    job->in[2].data = (const void *)(uintptr_t)p->device_other;
    job->out[0].data = (void *)(uintptr_t)p->device_out;
    l.launch.count = job->count = count;
    l.options.times = TIMES;
    if (!gpu_clear(gpu, p->device_out, count * 3 * p->bytes) || !gpu_find(gpu, image, kind->name, &kernel) ||
        !gpu_run(gpu, &kernel, &l, &time) || !gpu_read(gpu, p->out, p->device_out, count * 3 * p->bytes))
        return EXIT_TROUBLE;
    return report_rate("any_curve", name, &kernel, (double)count * (kind->task < 2 ? TIMES : 1), &time,
                       is_right(p, width, kind, count), extra);
}

int measure_any_curve(const struct gpu *gpu, const struct options *options) {
    int worst = EXIT_GOOD;
    size_t count = (size_t)gpu->multiprocessors * BLOCKS_OF_MULTIPROCESSOR * THREADS;
    if (count < (size_t)FEW_BLOCKS * FEW_THREADS)
        count = (size_t)FEW_BLOCKS * FEW_THREADS;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct points p;
        bool made = points_make(gpu, &p, &widths[i], count);
        worst = made ? worst : EXIT_TROUBLE;
        for (size_t k = 0; made && k < 2 * sizeof kinds / sizeof *kinds; k++) {
            int status = measure_kind(gpu, options, &p, &widths[i], &kinds[k / 2], (int)(k % 2));
            worst = status > worst ? status : worst;
        }
        points_free(gpu, &p);
    }
    return worst;
}
