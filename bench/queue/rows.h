/* The operations that gecc-queue measures, and good rows of each. */
#ifndef BENCH_QUEUE_ROWS_H
#define BENCH_QUEUE_ROWS_H

#include <gecc/gecc.h>
#include <stddef.h>
#include <stdint.h>

enum { OPERATIONS = 3, INPUTS = 3 };

struct bench {
    const char *name;
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_context *context;
    size_t rows; /* that there are */
    size_t inputs, width[INPUTS];
    uint8_t *in[INPUTS];
    size_t output;               /* the output's width; 0: there is none */
    uint8_t *outputs, *statuses; /* of each row */
    double seconds;              /* of each measurement */
};

/* Verifying on P-256, signing with SM2, verifying of Ed25519: that of number `which`, and its rows, each of a key of
 * its own. context, rows and seconds are set. */
void bench_fill(struct bench *b, unsigned which);
void bench_empty(struct bench *b);

/* By a direct call, by the queue, or by the queue while the caller waits: `count` rows from row `row` on. */
gecc_result bench_call(const struct bench *b, size_t row, size_t count);
gecc_result bench_submit(const struct bench *b, gecc_queue *queue, size_t row, size_t count, gecc_queue_done done,
                         void *argument);
gecc_result bench_run(const struct bench *b, gecc_queue *queue, size_t row, size_t count);

/* All statuses of the first `count` rows are good, and unset afterwards. */
void bench_check(const struct bench *b, size_t count);

#endif
