/* What time it is, to measure how long something takes. */
#ifndef GECC_BACKEND_CLOCK_H
#define GECC_BACKEND_CLOCK_H

#include <time.h>

static inline double seconds_now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
