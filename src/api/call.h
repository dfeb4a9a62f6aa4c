/* From the arguments of a public function to a job. A function begins a call, says what it is about, adds its columns in
 * the order of programs.def, and runs it; the first argument that is wrong decides the result. */
#ifndef GECC_API_CALL_H
#define GECC_API_CALL_H

#include "scheme/job.h"

struct call {
    gecc_context *context;
    gecc_options options;
    gecc_result result; /* GECC_OK, or why the call cannot run */
    struct job job;
    unsigned inputs, outputs; /* columns added so far */
};

/* What the rows of a column are, and so how wide they can be. */
enum column {
    COLUMN_POINT,       /* as input any encoding, as output options->point_format */
    COLUMN_SCALAR,      /* L bytes; also a field element */
    COLUMN_DIGEST,      /* as ECDSA takes it: 20 to 64 bytes */
    COLUMN_SM2_DIGEST,  /* 32 bytes */
    COLUMN_HASH,        /* the job's hash */
    COLUMN_SIGNATURE,   /* raw, or DER by the job's flags */
    COLUMN_RECOVERY_ID, /* 1 byte */
    COLUMN_ENTROPY,     /* 32 bytes */
    COLUMN_RESIDUE,     /* as wide as the modulus */
    COLUMN_EXPONENT,    /* 1 to 64 bytes, one width for all rows */
    COLUMN_SM2_ID,      /* at most 8191 bytes */
    COLUMN_MESSAGE      /* any width */
};

struct call gecc_call_begin(gecc_context *context, enum operation operation, uint8_t *status, size_t count,
                            const gecc_options *options);

void gecc_call_curve(struct call *call, gecc_curve curve);
void gecc_call_modulus(struct call *call, gecc_modulus modulus);
void gecc_call_hash(struct call *call, gecc_hash hash);
/* The hash of RFC 6979's HMAC: options->hash, resolved for the job's curve. */
void gecc_call_nonce_hash(struct call *call);
/* Pass those of the caller's flags on that mean something here, so that no lane program meets another. */
void gecc_call_flags(struct call *call, uint32_t meaningful);

void gecc_call_in(struct call *call, enum column column, gecc_rows rows);
/* The same for a column that the caller may leave out: data NULL. */
void gecc_call_in_optional(struct call *call, enum column column, gecc_rows rows);
void gecc_call_out(struct call *call, enum column column, gecc_out out);
void gecc_call_out_optional(struct call *call, enum column column, gecc_out out);

/* Run or submit the job, as the options say. */
gecc_result gecc_call_run(const struct call *call);

/* Fill rows that have no result with zeros if the job failed, and the report if it is wanted. */
void gecc_call_finish(const struct call *call, gecc_result result, gecc_report *report);

#endif
