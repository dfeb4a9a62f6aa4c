/* Rows of SM2 for a GPU: keys, points, digests, nonces and signatures, some of them malformed or wrong, with the CPU's
 * results. */
#ifndef PAPERS_PROGRAM_ROWS_H
#define PAPERS_PROGRAM_ROWS_H

#include "report.h"

enum {
    SCALAR_BYTES = 32,
    POINT_BYTES = 64, /* x || y */
    SIGNATURE_BYTES = 64,
    DISTINCT_ROWS = 1 << 15,   /* which then repeat; */
    DISTINCT_NONCES = 1 << 21, /* so many that what they look up in tables of gigabytes is in no cache */
    SAMPLE_ROWS = 64           /* that are compared, at both ends */
};

/* What is computed. */
enum task { FPMUL, UPMUL, SIGN, VERIFY, ADD, TASKS };

/* Columns of rows: of DISTINCT_ROWS or DISTINCT_NONCES here, of `count` on the device. */
enum column { KEYS, POINTS, OTHERS, DIGESTS, NONCES, SIGNATURES, OUT, STATUS, COLUMNS };

struct rows {
    size_t count;
    uint8_t *host[COLUMNS];
    CUdeviceptr device[COLUMNS];
    gecc_context *cpu;
};

size_t column_bytes(enum column column);
/* Says what fails. */
bool rows_make(const struct gpu *gpu, struct rows *rows, size_t most);
void rows_free(const struct gpu *gpu, struct rows *rows);
/* The columns that a task reads, in the order of its job; returns how many. */
size_t task_inputs(enum task task, enum column inputs[3]);
size_t task_out_bytes(enum task task);
/* Clear what a task writes for the first `count` rows; then: are its results and statuses the CPU's, at both ends? */
bool rows_clear(const struct gpu *gpu, const struct rows *rows, size_t count);
bool rows_right(const struct gpu *gpu, const struct rows *rows, enum task task, size_t count);
/* A task on a context: the CPU's, or that of the GPU, for columns there. */
gecc_result rows_compute(gecc_context *context, enum task task, uint8_t *const columns[COLUMNS], size_t count,
                         const gecc_options *options);

#endif
