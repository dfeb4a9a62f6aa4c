/* What gecc-compare prints. */
#ifndef GECC_BENCH_REPORT_H
#define GECC_BENCH_REPORT_H

#include "compare.h"

/* One line of results. */
struct line {
    const char *operation, *first, *second;
    gecc_curve curve;
    size_t batch;  /* rows in a call of the first */
    double target; /* the ratio that is wanted; 0: none */
    struct outcome outcome;
};

struct heading {
    const char *first, *second; /* the columns' titles */
    const gecc_report *gecc;    /* where gecc ran; NULL: in several ways, the lines say */
    int core;                   /* negative: any */
    unsigned threads;           /* of gecc */
    double parallelism;         /* machine_parallelism, if threads > 1 */
    struct measure_settings settings;
};

/* One point of time against batch size. */
struct latency_line {
    const char *operation, *code; /* gecc's code, or another library */
    gecc_curve curve;
    size_t batch;
    struct summary rate; /* items a second */
};

void print_latency_heading(const struct heading *heading, bool json);
void print_latency_line(const struct latency_line *line, bool json);

void print_heading(const struct heading *heading, bool json);
void print_line(const struct line *line, bool json);

#endif
