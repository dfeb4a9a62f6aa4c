/* gecc-papers: algorithms and measurements of papers about elliptic curves on GPUs, repeated on this one. What it
 * prints scripts/reproduce makes tables of.
 *
 * usage: gecc-papers WHAT [--names NAME,...] [--runs N] [--per-scheduler FROM-TO]
 *
 * Exit status: 0 all is well, 1 a result differs from the CPU's, 77 no GPU, 2 trouble. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 11, MOST = 14, MOST_ALLOWED = 16 };

static const struct measurement {
    const char *name;
    int (*measure)(const struct gpu *gpu, const struct options *options);
} measurements[] = {
    {"device", measure_device},       {"issue", measure_issue},     {"multiply", measure_multiply},
    {"halves", measure_halves},       {"threads", measure_threads}, {"memories", measure_memories},
    {"any_curve", measure_any_curve}, {"points", measure_points},   {"ours", measure_ours},
    {"inverse", measure_inverses},    {"padd", measure_sums},
};

static int usage(void) {
    fprintf(stderr,
            "usage: gecc-papers WHAT [--names NAME,...] [--runs N] [--per-scheduler FROM-TO], WHAT being one of:");
    for (size_t i = 0; i < sizeof measurements / sizeof *measurements; i++)
        fprintf(stderr, " %s", measurements[i].name);
    fprintf(stderr, "\n");
    return EXIT_TROUBLE;
}

/* "11-14", or "12". */
static bool parse_range(const char *text, struct options *options) {
    char *end;
    options->least = options->most = (unsigned)strtoul(text, &end, 10);
    if (*end == '-')
        options->most = (unsigned)strtoul(end + 1, &end, 10);
    return *end == 0 && options->least > 0 && options->least <= options->most && options->most <= MOST_ALLOWED;
}

static bool parse(int argc, char **argv, struct options *options) {
    for (int i = 2; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (value == NULL)
            return false;
        if (strcmp(argv[i], "--names") == 0)
            options->names = value;
        else if (strcmp(argv[i], "--runs") == 0)
            options->runs = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--per-scheduler") != 0 || !parse_range(value, options))
            return false;
    }
    return options->runs > 0 && options->runs <= RUNS_MOST;
}

int main(int argc, char **argv) {
    struct options options = {.runs = 5, .least = LEAST, .most = MOST};
    const struct measurement *wanted = NULL;
    struct gpu gpu;
    bool none;
    for (size_t i = 0; argc > 1 && i < sizeof measurements / sizeof *measurements; i++)
        if (strcmp(argv[1], measurements[i].name) == 0)
            wanted = &measurements[i];
    if (wanted == NULL || !parse(argc, argv, &options))
        return usage();
    if (!gpu_open(&gpu, &none))
        return none ? EXIT_NO_GPU : EXIT_TROUBLE;
    int status = wanted->measure(&gpu, &options);
    gpu_close(&gpu);
    return status;
}
