/* Measuring, and rows to measure with: all well formed, all different. */
#ifndef BENCH_CHECK_BENCH_H
#define BENCH_CHECK_BENCH_H

#include "check.h"
#include "summary.h"

struct bench_run {
    const struct settings *settings;
    gecc_context *a, *b, *one, *automatic; /* one: B with one thread */
    struct prng prng;
    struct batch batch;
    struct generator generator;
    bool right;
};

/* A batch of `count` rows that have a result, each of another entry of the plain pool; PACKED. Verification with
 * GECC_DER and conversion read compressed points. Messages that are not the pool's have 64 bytes, exponents the width
 * of the modulus. */
void bench_fill(struct bench_run *run, const struct pool *pool, const struct call *call, size_t count);

/* Seconds of the first `count` rows. A first run that does not count, then `runs`. kernel: NULL, or what the GPU
 * measured. false, and a line that says why: a call failed. */
bool bench_measure(struct staged *staged, gecc_context *context, size_t count, unsigned runs, struct summary *wall,
                   struct summary *kernel, gecc_report *report);
/* Does --filter let the call pass? */
bool bench_wants(const struct bench_run *run, const struct call *call);
/* Is it worth a figure? What the caller's nonces sign takes what their own do; DER is read otherwise, and written as
 * fast. */
bool bench_is_worth_it(const struct call *call);
/* Modulo 2^(8 bytes) - 1 with a few bits less, odd. */
struct call bench_modular_call(const gecc_operation *operation, size_t bytes);

/* What A, B and "auto" take from 1 row to 2^20, and where A becomes the faster one. */
void bench_sizes(struct bench_run *run);

#endif
