/* What calls of C take, for Measure.java: nanoseconds of `validate` and `digest`, for 1 and for 4,096 rows; a thread of the
 * CPU, whose time counts, medians of 201 rounds. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <gecc/digest.h>
#include <gecc/ec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 4096, ROUNDS = 201 };

static uint8_t keys[ROWS][32], points[ROWS][65], digests[ROWS][32], status[ROWS];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static gecc_result call(gecc_context *context, int is_digest, size_t rows) {
    gecc_out out = gecc_out_packed(status, 1);
    return is_digest ? gecc_digest(context, GECC_SHA256, gecc_out_packed(digests, 32), out, gecc_rows_packed(keys, 32),
                                   rows, NULL)
                     : gecc_ec_validate(context, GECC_SECP256K1, out, gecc_rows_packed(points, 65), rows, NULL);
}

int main(void) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    config.backend = "cpu";
    config.threads = 1;
    memset(keys, 5, sizeof keys);
    if (gecc_open(&context, &config) != GECC_OK ||
        gecc_ec_public_key(context, GECC_SECP256K1, gecc_out_packed(points, 65), gecc_out_packed(status, 1),
                           gecc_rows_packed(keys, 32), ROWS, NULL) != GECC_OK)
        return 1;
    for (size_t rows = 1; rows <= ROWS; rows += ROWS - 1) {
        for (int is_digest = 0; is_digest < 2; is_digest++) {
            static double rounds[ROUNDS];
            size_t calls = 1000 / rows + 3;
            for (int round = 0; round < ROUNDS; round++) {
                double start = now();
                for (size_t i = 0; i < calls; i++)
                    if (call(context, is_digest, rows) != GECC_OK || status[rows - 1] != GECC_ITEM_OK)
                        return 1;
                rounds[round] = (now() - start) / (double)calls;
            }
            qsort(rounds, ROUNDS, sizeof rounds[0], compare);
            printf("%s %zu %.0f\n", is_digest ? "digest" : "validate", rows, rounds[ROUNDS / 2]);
        }
    }
    gecc_close(context);
    return 0;
}
