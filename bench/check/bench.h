/* Rows to measure with: all well formed, all different. */
#ifndef BENCH_CHECK_BENCH_H
#define BENCH_CHECK_BENCH_H

#include "check.h"

struct bench_rows {
    size_t count, length;
    gecc_curve curve; /* 0: operations without a curve */
    uint8_t *random;  /* [count][64] */
    uint8_t *keys, *points, *compressed, *signatures, *ids, *sm2_signatures;
};

/* Keys and signatures are made by `maker`. */
struct bench_rows *bench_rows_new(gecc_context *maker, gecc_curve curve, size_t count, struct prng *prng);
void bench_rows_free(struct bench_rows *rows);
/* The first `count` rows for a call; PACKED. Verification with GECC_DER and conversion read compressed points. Messages have
 * 64 bytes, exponents the width of the modulus. */
void bench_fill(struct batch *batch, const struct bench_rows *rows, const struct call *call, size_t count);

#endif
