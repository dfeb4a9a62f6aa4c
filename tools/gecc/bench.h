/* What the benchmark measures: operations on prepared rows, each with a check of its results. */
#ifndef TOOL_BENCH_H
#define TOOL_BENCH_H

#include "keys.h"
#include "place.h"

enum { BENCH_MESSAGE_BYTES = 64 };

/* Rows on one curve, or modulo the prime of one. */
struct bench {
    gecc_context *context;
    struct keys keys;
    size_t count, prepared; /* rows in use, at most those prepared */
    enum place place;       /* where all of these rows are */
    size_t placed;          /* how many arrays are there already */
    uint8_t *mirrored;      /* [count][1 + 2L]: the public keys in reverse order */
    uint8_t *out;           /* [count][104]: points, signatures, numbers */
    uint8_t *reference;     /* the same, for checks */
    uint8_t *scratch;       /* the same */
    uint8_t *messages;      /* [count][BENCH_MESSAGE_BYTES] */
    const uint8_t *modulus; /* [keys.bytes], the curve's prime */
    gecc_hash hash;
    gecc_options options;
    gecc_report report;
};

struct bench_case {
    const char *name;
    gecc_result (*run)(struct bench *bench);
    /* Are the results of the last run right? */
    bool (*check)(struct bench *bench);
    enum bench_family { BENCH_CURVE, BENCH_ECDSA, BENCH_MOD, BENCH_HASH } family;
    enum bench_output { OUT_NOTHING, OUT_POINT, OUT_NUMBER, OUT_DIGEST } output; /* what `out` holds then */
    uint32_t flags;
    gecc_hash hash;
};

extern const struct bench_case bench_cases[];
extern const size_t bench_case_count;

/* The curve's prime, as many bytes as its elements. */
const uint8_t *bench_prime(gecc_curve curve);

/* false: no memory or no random bytes, or a failed call; then bench_free is due as well. The library makes the rows,
 * in this context; all are different. */
bool bench_prepare(struct bench *bench, gecc_context *context, gecc_curve curve, size_t count, enum place place);
/* Go on with the first `count` rows of those that were prepared. */
void bench_take(struct bench *bench, size_t count);
/* Does a run of the case in the other context give the same bytes and statuses? Of every row or, unless `sample` is
 * 0, of three times so many: the first, the last and those in the middle. GECC_OK and *same, or why it could not be
 * seen. */
gecc_result bench_compare(struct bench *bench, const struct bench_case *item, gecc_context *other, size_t sample,
                          bool *same);
void bench_free(struct bench *bench);

#endif
