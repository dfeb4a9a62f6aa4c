/* gecc-compare: gecc beside other libraries, on the same rows, in one run. */
#ifndef GECC_BENCH_COMPARE_H
#define GECC_BENCH_COMPARE_H

#include <gecc/gecc.h>

#include <stdbool.h>
#include <time.h>

#include "summary.h"

/* What is compared. X(NAME, "name", gecc's operation; verify and sign are SM2's on its curve; whether --latency times
 * it). */
#define OPERATIONS(X)                                                                                                  \
    X(VERIFY, "verify", "verify", true)                 /* (public key, digest, signature) -> 0 or 1 */                \
    X(SIGN, "sign", "sign", true)                       /* (private key, digest) -> r || s, constant time */           \
    X(PUBLIC_KEY, "public-key", "ec.public_key", false) /* private key -> private key * G, constant time */            \
    X(MUL, "mul", "ec.mul", false)                      /* (scalar, public key) -> their product, constant time */     \
    X(MUL_PUBLIC, "mul-public", "ec.mul", false)        /* the same, timing depends on the scalar */                   \
    X(ECDH, "ecdh", "ecdh", true)                       /* (scalar, public key) -> x of the product, constant time */  \
    X(RECOVER, "recover", "ecdsa.recover", true)        /* (digest, signature, recovery id) -> public key */           \
    X(RECOVER_ADDRESS, "recover-address", "ethereum.recover", false) /* (digest, r || s || v) -> Ethereum address */   \
    X(SCHNORR_VERIFY, "schnorr-verify", "schnorr.verify", false)     /* (x-only key, message, signature) -> 0 or 1 */  \
    X(SCHNORR_SIGN, "schnorr-sign", "schnorr.sign", false) /* (private key, message) -> x of R || s, constant time */  \
    X(ED25519_VERIFY, "ed25519-verify", "ed25519.verify", false)             /* (key, message, signature) -> 0 or 1 */ \
    X(ED25519_SIGN, "ed25519-sign", "ed25519.sign", false)                   /* (seed, message), constant time */      \
    X(ED25519_PUBLIC_KEY, "ed25519-public-key", "ed25519.public_key", false) /* seed -> key, constant time */          \
    X(X25519, "x25519", "x25519", false)                                     /* (private key, u), constant time */

enum operation {
#define X(name, text, operation, latency) name,
    OPERATIONS(X)
#undef X
};

enum {
#define X(name, text, operation, latency) +1
    OPERATIONS_COUNT = 0 OPERATIONS(X)
#undef X
};

static inline bool is_of_curve25519(enum operation operation) {
    return operation == ED25519_VERIFY || operation == ED25519_SIGN || operation == ED25519_PUBLIC_KEY ||
           operation == X25519;
}

enum { LENGTH_MAX = GECC_CURVE_BYTES_MOST, POINT_MAX = 1 + 2 * LENGTH_MAX, RESULT_MAX = POINT_MAX, DIGEST_BYTES = 32 };

/* Bytes of a result: 1 for a verdict, L for x, 2L for a signature, 1 + 2L for a point (04 || x || y). */
size_t result_bytes(enum operation operation, size_t length);

/* The inputs, row after row, all different. Signatures are those of `digest`; `checked` is what verify reads: the same,
 * with a bit flipped in every row that must be refused. */
enum { ETHEREUM_BYTES = 65 };

struct rows {
    gecc_context *context; /* that made them */
    gecc_curve curve;
    size_t count, length; /* rows; L */
    uint8_t *private_key; /* [count][L] */
    uint8_t *scalar;      /* [count][L], 1 .. n - 1 */
    uint8_t *public_key;  /* [count][1 + 2L], private_key * G */
    uint8_t *digest;      /* [count][32] */
    uint8_t *checked;     /* [count][32] */
    uint8_t *signature;   /* [count][2L] */
    uint8_t *recovery_id; /* [count] */
    uint8_t *joined;      /* [count][ETHEREUM_BYTES], on secp256k1: r || s || v */
    uint8_t *x_only;      /* [count][L], on secp256k1: the public key, on Curve25519 Ed25519's; and below */
    uint8_t *schnorr;     /* [count][2L]: BIP-340's or Ed25519's signature of `digest` as a message */
};

/* `count` rows made by gecc; false: memory is short, or there is no context. rows_free is due in either case.
 * The first `different` rows differ from each other, the others repeat them. */
bool rows_make(struct rows *rows, gecc_curve curve, size_t different, size_t count);
void rows_free(struct rows *rows);

/* Is the signature, [2L], valid for the row? */
bool rows_accept(const struct rows *rows, size_t row, const uint8_t *signature);

/* A library under comparison. What it parses, it parses in prepare; what it would have to serialize stays as it is. */
struct library {
    const char *name;
    bool rfc6979; /* its signatures are those of RFC 6979 */
    bool (*offers)(gecc_curve curve, enum operation operation);
    bool (*is_tuned)(gecc_curve curve); /* is it made for that curve? */
    void (*version)(char *text, size_t size);
    /* Parse the rows; NULL if that fails. `threads`: of gecc, the others work in the calling thread. */
    void *(*prepare)(const struct rows *rows, unsigned threads);
    void (*release)(void *state);
    /* Compute rows first .. first + count - 1, and keep the results. */
    bool (*run)(void *state, enum operation operation, size_t first, size_t count);
    /* The result of a row that was run, result_bytes(operation, L) bytes. */
    bool (*result)(void *state, enum operation operation, size_t row, uint8_t *result);
};

extern const struct library library_gecc, library_openssl, library_secp256k1;
extern const struct library library_libsodium; /* where HAVE_LIBSODIUM is defined */

/* library_gecc.prepare with the code that GECC_CPU names, NULL: gecc's own choice. NULL if it is not there. */
void *gecc_library_prepare(const struct rows *rows, unsigned threads, const char *code);

/* What gecc calls it on that curve. */
const gecc_operation *gecc_library_operation(enum operation operation, gecc_curve curve);

/* Which code of gecc ran last: gecc_report's backend, detail and reason. */
const gecc_report *gecc_library_report(const void *state);

/* One library at work. */
struct contender {
    const struct library *side;
    void *state;
    size_t batch;    /* rows a call */
    size_t position; /* the next row */
};

struct measure_settings {
    clockid_t clock;       /* that rates are computed from */
    clockid_t other_clock; /* whose ratio is shown beside */
    size_t rounds;         /* at most ROUNDS_MAX */
    double seconds;        /* a round lasts at least so long on each side */
};

enum { ROUNDS_MIN = 7, ROUNDS_MAX = 1001 };

struct outcome {
    struct summary first, second; /* items a second, by the clock of the settings */
    struct summary ratio;         /* first / second, round by round */
    struct summary other_ratio;   /* the same by the other clock */
};

/* Do both compute the same? Runs all rows of the first, and slices of the second's. */
bool results_agree(const struct rows *rows, struct contender *first, struct contender *second,
                   enum operation operation);

/* Alternate: first, second, first, second, ... */
bool measure(struct outcome *outcome, const struct measure_settings *settings, const struct rows *rows,
             struct contender *first, struct contender *second, enum operation operation);

/* Items a second of each contender, by the clock of the settings, in rounds of one after the other. */
bool measure_rates(struct summary *rates, const struct measure_settings *settings, const struct rows *rows,
                   struct contender *contenders, size_t count, enum operation operation);

extern const char *const operation_names[];

/* Time against batch size. */
struct latency_settings {
    size_t most;        /* batches of 1, 2, 4, ... so many rows */
    double limit;       /* batches are repeated until a call takes so many seconds; then gecc's choice is called once */
    const char *filter; /* of "CURVE OPERATION"; NULL: all */
    bool json;
    int core;
    struct measure_settings measure;
};

/* Print the time of a call for the operations that OPERATIONS says, on every curve, with each code of the CPU backend
 * and its own choice, and of single items in the other libraries. Returns an exit status: 0 done, 1 results differ, 2
 * trouble. */
int latency_run(const struct latency_settings *settings);

/* "Intel(R) Xeon(R) ..." */
void machine_name(char *text, size_t size);

/* Cycles a second of this core under this load: a chain of dependent additions takes one cycle each. */
double machine_clock(void);

/* Stay on the core; negative: on the one where we are. Returns the core, or -1 if that failed. */
int machine_pin(int core);

/* How many times the work of one thread the machine lets `threads` threads do that share nothing; less than `threads`
 * where other programs run. 0 if a thread could not be started. */
double machine_parallelism(unsigned threads);

#endif
