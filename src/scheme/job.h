/* A job: one operation over `count` rows. What the API builds, a backend runs and a lane program reads. */
#ifndef GECC_SCHEME_JOB_H
#define GECC_SCHEME_JOB_H

#include <gecc/gecc.h>

enum operation {
#define PROGRAM(name, function, family, secrets, base) OPERATION_##name,
#include "scheme/programs.def"
#undef PROGRAM
    OPERATION_COUNT
};

enum { JOB_INPUTS = 3, JOB_OUTPUTS = 2, JOB_MODULUS_BYTES = 64 };

struct job {
    enum operation operation;
    gecc_curve curve; /* family CURVE; else 0 */
    uint32_t flags;
    gecc_hash hash; /* never GECC_HASH_DEFAULT where the operation hashes */
    gecc_point_format point_format;
    gecc_rows in[JOB_INPUTS]; /* optional columns have data NULL */
    gecc_out out[JOB_OUTPUTS];
    uint8_t *status; /* [count] */
    size_t count;
    uint8_t modulus[JOB_MODULUS_BYTES]; /* family MOD: big-endian, right-aligned, odd */
    size_t modulus_bytes;               /* 16..64, a multiple of 4; also the rows' width */
    size_t out_width[JOB_OUTPUTS];      /* the greatest width of a row of out[] */
    void *stream;                       /* gecc_options' */
};

#endif
