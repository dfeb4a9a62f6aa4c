/* What several measurements of one thing come to. */
#ifndef MEASURE_SUMMARY_H
#define MEASURE_SUMMARY_H

#include <stddef.h>

struct summary {
    double median, low, high;
};

/* Of count >= 1 values, which are sorted. */
struct summary summary_of(double *values, size_t count);

#endif
