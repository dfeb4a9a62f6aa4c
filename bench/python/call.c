/* What C takes for the calls that calls.py times, in the same process: the median of `repeats` calls, in seconds.
 *
 * calls.py compiles this beside the library that the package has, and gives it the addresses of what it has itself. */
#include <stdlib.h>
#include <time.h>

#include <gecc/gecc.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of one verification of `count` packed rows; negative: it failed. */
double call_verify(void *context, unsigned curve, const void *public_key, const void *digest, const void *signature,
                   void *status, size_t count) {
    double start = now();
    gecc_result result =
        gecc_ecdsa_verify(context, (gecc_curve)curve, gecc_out_packed(status, 1), gecc_rows_packed(public_key, 65),
                          gecc_rows_packed(digest, 32), gecc_rows_packed(signature, 64), count, NULL);
    return result == GECC_OK ? now() - start : -1;
}
