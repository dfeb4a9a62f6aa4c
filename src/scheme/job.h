/* A job: one operation over `count` rows. What the API builds, a backend runs and a lane program reads. */
#ifndef GECC_SCHEME_JOB_H
#define GECC_SCHEME_JOB_H

#include <gecc/gecc.h>
#include <stdbool.h>

#include "batch/key_set.h"

enum operation {
#define OPERATION(identifier, function, name, family, secrets, base, flags, inputs, outputs, text)                     \
    OPERATION_##identifier,
#include "scheme/operations.def"
#undef OPERATION
    OPERATION_COUNT
};

enum { JOB_INPUTS = 6, JOB_OUTPUTS = 3, JOB_MODULUS_BYTES = 64 };

/* Which of a job's addresses are in memory that only the backend can read: a bit for each. */
enum {
    JOB_STATUS_ON_DEVICE = 1,
    JOB_IN_ON_DEVICE = 2,                                     /* << i: in[i].data */
    JOB_IN_WIDTHS_ON_DEVICE = JOB_IN_ON_DEVICE << JOB_INPUTS, /* << i */
    JOB_IN_OFFSETS_ON_DEVICE = JOB_IN_WIDTHS_ON_DEVICE << JOB_INPUTS,
    JOB_OUT_ON_DEVICE = JOB_IN_OFFSETS_ON_DEVICE << JOB_INPUTS,
    JOB_OUT_WIDTHS_ON_DEVICE = JOB_OUT_ON_DEVICE << JOB_OUTPUTS
};

struct job {
    enum operation operation;
    gecc_curve curve; /* families CURVE, SM2, SECP256K1 and CURVE25519; else 0 */
    uint32_t flags;
    gecc_hash hash; /* never GECC_HASH_DEFAULT where the operation hashes */
    gecc_point_format point_format;
    uint32_t on_device;       /* JOB_*_ON_DEVICE */
    gecc_rows in[JOB_INPUTS]; /* optional columns have data NULL */
    gecc_out out[JOB_OUTPUTS];
    gecc_out status; /* a byte a row */
    size_t count;
    uint8_t modulus[JOB_MODULUS_BYTES]; /* family MOD: big-endian, right-aligned, odd */
    size_t modulus_bytes;               /* 16..64, a multiple of 4; also the rows' width */
    size_t output_bytes;                /* gecc_options' */
    size_t out_width[JOB_OUTPUTS];      /* the greatest width of a row of out[] */
    uint32_t plain_outputs;             /* bit i: rows of out[i] that have a result have out_width[i] bytes */
    void *stream;                       /* gecc_options' */
    struct key_set keys;                /* where a column has numbers of keys */
    bool rows_are_grouped;              /* whether keys repeat has been looked at: backend/repeats.h */
    const uint32_t *cancelled;          /* not 0 there: begin no more chunks (backend/job_rows.h); NULL: never */
};

#endif
