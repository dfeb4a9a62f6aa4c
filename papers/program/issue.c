/* How often a scheduler issues each instruction: streams of one, and of two that take turns. */
#include "report.h"

#include "papers/kernels/issue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCHEDULERS = 4,
    WARP = 32,
    LONE_TIMES = 200,    /* iterations of a single warp: at least the 10,000 instructions of gECC */
    FULL_TIMES = 2000,   /* of all warps, so that they take a millisecond */
    FULL_THREADS = 1024, /* of a multiprocessor, in one block: the older of two would have the scheduler more often */
    SAMPLE = 256,
    SEED = 12345
};

/* A stream: how many instructions of each kind an iteration has, and what a thread computes. */
struct stream {
    const char *name, *a, *b;
    unsigned count_a, count_b;
    uint32_t (*compute)(uint32_t seed, uint32_t times);
};

#define COUNT_ONE(k, w, r, l, h) +1
#define COUNT_NONE(k, w, r, l, h)
#define STREAM(name, pattern, A, B)                                                                                    \
    {#name,                                                                                                            \
     #A,                                                                                                               \
     #B,                                                                                                               \
     ISSUE_REPEATS * (0 PATTERN_##pattern(COUNT_ONE, COUNT_NONE)),                                                     \
     ISSUE_REPEATS * (0 PATTERN_##pattern(COUNT_NONE, COUNT_ONE)),                                                     \
     issue_##name},
static const struct stream streams[] = {ISSUE_LIST(STREAM)};

/* Do the first threads and the last ones have what the instructions mean? */
static bool is_right(const struct gpu *gpu, const struct stream *stream, const struct gpu_launch *l) {
    size_t threads = (size_t)l->blocks * l->threads, count = threads < SAMPLE ? threads : SAMPLE;
    uint32_t words[SAMPLE];
    const size_t first[2] = {0, threads - count};
    for (size_t part = 0; part < 2; part++) {
        CUdeviceptr from = (CUdeviceptr)(uintptr_t)l->launch.workspace + first[part] * sizeof *words;
        if (!gpu_read(gpu, words, from, count * sizeof *words))
            return false;
        for (size_t i = 0; i < count; i++)
            if (words[i] != stream->compute((uint32_t)(l->options.seed + first[part] + i), l->options.times))
                return false;
    }
    return true;
}

/* `warps`: of a scheduler; 0: a single one on the whole device. */
static int measure_stream(const struct gpu *gpu, const struct stream *stream, unsigned warps,
                          const struct gpu_launch *l) {
    struct gpu_kernel kernel;
    struct gpu_time time;
    char name[64], extra[256];
    (void)snprintf(name, sizeof name, "issue_%s", stream->name);
    if (!gpu_find(gpu, "issue", name, &kernel) || !gpu_run(gpu, &kernel, l, &time))
        return EXIT_TROUBLE;
    double on_scheduler = (warps == 0 ? 1.0 : (double)warps) * l->options.times;
    (void)snprintf(extra, sizeof extra,
                   ",\"a\":\"%s\",\"b\":\"%s\",\"count_a\":%u,\"count_b\":%u,\"warps\":%u,\"cycles_a\":%.4f", stream->a,
                   stream->b, stream->count_a, stream->count_b, warps, time.cycles / (on_scheduler * stream->count_a));
    return report_rate("issue", stream->name, &kernel,
                       (double)l->blocks * l->threads * l->options.times * stream->count_a, &time,
                       is_right(gpu, stream, l), extra);
}

int measure_issue(const struct gpu *gpu, const struct options *options) {
    int worst = EXIT_GOOD;
    struct gpu_launch lone = {.blocks = 1, .threads = WARP, .runs = options->runs},
                      full = {.blocks = gpu->multiprocessors, .threads = FULL_THREADS, .runs = options->runs};
    CUdeviceptr words;
    if (!gpu_new(gpu, &words, (size_t)full.blocks * full.threads * sizeof(uint32_t)))
        return EXIT_TROUBLE;
    lone.launch.workspace = full.launch.workspace = (void *)(uintptr_t)words;
    lone.options = (struct papers_options){.times = LONE_TIMES, .seed = SEED};
    full.options = (struct papers_options){.times = FULL_TIMES, .seed = SEED};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const struct stream *stream = &streams[i];
        if (!is_wanted(options, stream->name))
            continue;
        int status = measure_stream(gpu, stream, 0, &lone);
        worst = status > worst ? status : worst;
        status = measure_stream(gpu, stream, FULL_THREADS / WARP / SCHEDULERS, &full);
        worst = status > worst ? status : worst;
    }
    gpu_free(gpu, words);
    return worst;
}
