/* What several measurements of one thing come to. */
#ifndef MEASURE_SPREAD_H
#define MEASURE_SPREAD_H

#include <stddef.h>

struct spread {
    double median, low, high;
};

/* Of count >= 1 values, which are sorted. */
struct spread spread_of(double *values, size_t count);

#endif
