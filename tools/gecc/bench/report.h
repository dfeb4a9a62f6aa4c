/* What `gecc bench` prints: a table, or JSON Lines. */
#ifndef TOOL_BENCH_REPORT_H
#define TOOL_BENCH_REPORT_H

#include "command_line/options.h"
#include "summary.h"

/* What a run was timed by: from call to return with rows in pageable or pinned memory of the host, so that transfers
 * count; or the GPU's own time, where they do not. */
#define TIME_PAGEABLE "pageable"
#define TIME_PINNED "pinned"
#define TIME_KERNEL "kernel"

struct bench_line {
    const char *operation, *domain; /* domain: the curve or the modulus */
    size_t batch;
    const char *time;    /* TIME_... */
    struct summary rate; /* items a second */
    const char *backend, *detail;
};

/* The same on several devices: the rate, and its part of `devices` times that of one, by the first line. */
struct bench_scaling {
    struct bench_line line;
    size_t devices;
    double efficiency;
};

/* A remark on the whole; `batch` rows at most. */
struct bench_heading {
    const char *backend, *detail;
    size_t batch, runs;
    const char *checked; /* the backend with which results are compared */
};

/* "gecc 0.3.0, commit 1234567; the processor at N MHz; ..." */
void bench_heading_text(char *out, size_t size, const struct bench_heading *heading);
void bench_print_heading(const struct options *options, const struct bench_heading *heading);
void bench_print_line(const struct options *options, const struct bench_line *line);
void bench_print_scaling(const struct options *options, const struct bench_scaling *scaling);

#endif
