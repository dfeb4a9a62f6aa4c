/* What the benchmark measures: every operation that the library describes, on prepared rows that all have a result. */
#ifndef TOOL_BENCH_CASES_H
#define TOOL_BENCH_CASES_H

#include "command_line/options.h"
#include "bench/keys.h"
#include "memory_kind.h"

enum {
    BENCH_MESSAGE_BYTES = 64,
    BENCH_TEXT_BYTES = 100, /* that are encrypted */
    BENCH_CIPHERTEXT_BYTES = 97 + BENCH_TEXT_BYTES,
    BENCH_INPUTS = 6, /* columns of an operation, at most */
    BENCH_OUTPUTS = 3,
    BENCH_CASES_MOST = 128
};

struct bench_case {
    char name[48]; /* the operation's, and the kind of its scalars or its hash: "ec.mul:public" */
    const gecc_operation *operation;
    uint32_t flags;
    gecc_hash hash;
};

struct bench_cases {
    size_t count;
    struct bench_case item[BENCH_CASES_MOST];
};

/* Those of all operations. */
void bench_list(struct bench_cases *cases);

/* Is there such a case with the rows of this curve? On SM2's the signatures are SM2's. Whatever has no curve goes with
 * each. */
bool bench_case_is_on(const struct bench_case *item, gecc_curve curve);

/* Rows on one curve, or modulo the prime of one. */
struct bench {
    gecc_context *context;
    struct keys keys;
    size_t count, prepared; /* rows in use, at most those prepared */
    enum memory_kind kind;  /* where all of these rows are */
    size_t staged;          /* how many arrays are there already */
    uint8_t *mirrored;      /* [count][1 + 2L]: the public keys in reverse order */
    uint8_t *messages;      /* [count][BENCH_MESSAGE_BYTES] */
    uint8_t *x_only;        /* [count][32], on secp256k1: x-only public keys, */
    uint8_t *bip340;        /* [count][64]: and BIP-340 signatures of the messages */
    uint8_t *ethereum;      /* [count][65]: r || s || v of the digests */
    uint8_t *ciphertexts;   /* [count][BENCH_CIPHERTEXT_BYTES], on SM2: texts that are encrypted to each key */
    uint32_t *widths;       /* [count]: of outputs that have widths of their own */
    uint8_t *out[BENCH_OUTPUTS];
    size_t out_most[BENCH_OUTPUTS]; /* bytes of a row that any case writes there */
    const uint8_t *modulus;         /* [keys.bytes], the curve's prime */
    uint8_t exponent[GECC_CURVE_BYTES_MOST];

    /* Of the case that was chosen. */
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_rows in[BENCH_INPUTS];
    size_t out_bytes[BENCH_OUTPUTS];
    gecc_options options;
    gecc_report report;
};

/* The curve's prime, as many bytes as its elements. */
const uint8_t *bench_prime(gecc_curve curve);

/* false: no memory or no random bytes, or a failed call; then bench_free is due as well. The library makes the rows,
 * in this context; all are different. */
bool bench_prepare(struct bench *bench, gecc_context *context, gecc_curve curve, size_t count, enum memory_kind kind);
/* Go on with the first `count` of the rows that were prepared. */
void bench_take(struct bench *bench, size_t count);
/* The case that is run from now on. */
void bench_choose(struct bench *bench, const struct bench_case *item);
gecc_result bench_run(struct bench *bench);
/* Has every row a result, and does a run in the other context give the same bytes and statuses? Of every row or, unless
 * `sample` is 0, of three times so many: the first, the last and those in the middle. GECC_OK and *same, or why it
 * could not be seen. */
gecc_result bench_compare(struct bench *bench, gecc_context *other, size_t sample, bool *same);
void bench_free(struct bench *bench);

/* Whether --op names the operation, as a whole but for * in it, or there is no --op. */
bool bench_is_asked_for(const struct options *options, const char *name);

#endif
