/* Lines of JSON, one a measurement, on stdout. */
#ifndef PAPERS_PROGRAM_REPORT_H
#define PAPERS_PROGRAM_REPORT_H

#include <gecc/gecc.h>

#include "gpu.h"

enum { EXIT_GOOD = 0, EXIT_WRONG = 1, EXIT_TROUBLE = 2, EXIT_NO_GPU = 77 };

struct options {
    const char *names; /* of what is measured, separated by commas; NULL: all */
    unsigned runs;
    unsigned least, most; /* logarithms of the rows for each scheduler */
};

/* Is the name wanted? */
bool is_wanted(const struct options *options, const char *name);

/* A measurement of `items` operations; NULL for the kernel: by several, of the library, which read no clock. `extra` is
 * JSON that goes with it, as in `,"rows":5`, or "". Returns EXIT_GOOD, or EXIT_WRONG where the results were not
 * right. */
int report_rate(const char *what, const char *name, const struct gpu_kernel *kernel, double items,
                const struct gpu_time *time, bool right, const char *extra);

/* What is measured; each returns an exit status. */
int measure_device(const struct gpu *gpu, const struct options *options);
int measure_issue(const struct gpu *gpu, const struct options *options);
int measure_multiply(const struct gpu *gpu, const struct options *options);
int measure_halves(const struct gpu *gpu, const struct options *options);
int measure_threads(const struct gpu *gpu, const struct options *options);
int measure_memories(const struct gpu *gpu, const struct options *options);
int measure_any_curve(const struct gpu *gpu, const struct options *options);
int measure_points(const struct gpu *gpu, const struct options *options);
int measure_ours(const struct gpu *gpu, const struct options *options);
int measure_inverses(const struct gpu *gpu, const struct options *options);
int measure_sums(const struct gpu *gpu, const struct options *options);

#endif
