/* Verifications by OpenSSL, with keys and signatures that are parsed before. */
#ifndef BENCH_KEYS_OPENSSL_H
#define BENCH_KEYS_OPENSSL_H

#include <gecc/gecc.h>
#include <stddef.h>
#include <stdint.h>

/* Rows as gecc-keys has them, those of a column one behind the other: a row's key is points[number[row]], of which
 * every one takes `stride` bytes; signatures are r || s. verdict: 1 where the signature is right. */
struct openssl_rows {
    gecc_curve curve;
    size_t keys, count, length, stride, digest_bytes;
    const uint8_t *points, *numbers, *digests, *signatures, *verdict;
};

/* Verifications a second on one thread, whose verdicts must be the ones that are given; 0: this program was built
 * without OpenSSL, or it does not have the curve. */
double openssl_rate(const struct openssl_rows *rows);

#endif
