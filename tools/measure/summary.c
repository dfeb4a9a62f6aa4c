#include "summary.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct summary summary_of(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return (struct summary){(values[(count - 1) / 2] + values[count / 2]) / 2, values[0], values[count - 1]};
}
