/* Constants of a sum that fit measured times. */
#ifndef BENCH_CHECK_FIT_H
#define BENCH_CHECK_FIT_H

#include <stddef.h>

enum { FIT_TERMS = 4 };

struct fit_sample {
    double terms[FIT_TERMS], seconds;
};

/* x >= 0 that makes the sum of (terms . x / seconds - 1)^2 over the samples as small as it gets: relative errors
 * count, so that short times weigh as much as long ones. */
void fit(const struct fit_sample *samples, size_t count, double x[FIT_TERMS]);

#endif
