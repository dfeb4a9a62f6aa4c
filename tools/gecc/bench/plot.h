/* A picture of the rates that `gecc bench` measured, against the rows of a batch, as SVG. */
#ifndef TOOL_BENCH_PLOT_H
#define TOOL_BENCH_PLOT_H

#include "bench/report.h"

struct plot {
    size_t count, capacity;
    struct plot_point *points;
    char machine[256]; /* under the picture: the machine and the version */
};

/* Keep a line that was measured. false: no memory. */
bool plot_add(struct plot *plot, const struct bench_line *line);
/* Write the picture. */
void plot_write(const struct plot *plot, FILE *file);
void plot_free(struct plot *plot);

#endif
