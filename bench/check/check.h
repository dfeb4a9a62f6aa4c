/* gecc-gpu-check: one backend beside another, on the public headers alone.
 *
 * A call says what is computed, columns hold the inputs of its rows, an outcome what came of them. Both backends get
 * the same rows; every byte they give must be the same. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gecc/gecc.h>

#include "memory_kind.h"

enum {
    INPUTS = 4, /* the most of an operation */
    LENGTH_MOST = GECC_CURVE_BYTES_MOST,
    CELL_BYTES_MOST = 9000, /* an SM2 id has at most 8191, and wider ones are refused */
    MODULUS_BYTES_MOST = 64,
    OUT_BYTES_MOST = 2 * GECC_CURVE_BYTES_MOST + 8 /* a DER signature */
};

struct call {
    const gecc_operation *operation;
    gecc_curve curve; /* 0: of an operation without one */
    uint32_t flags;
    gecc_hash hash; /* of nonces, or of messages */
    gecc_point_format format;
    bool optional;   /* inputs that may be left out are there */
    gecc_keys *keys; /* of an operation that takes their numbers */
    size_t modulus_bytes;
    uint8_t modulus[MODULUS_BYTES_MOST]; /* the first modulus_bytes */
};

/* Does it take numbers of keys? Such operations are run beside those that take points: their keys belong to one
 * context. */
bool operation_takes_keys(const gecc_operation *operation);
/* Is it that operation? */
bool call_is(const struct call *call, const char *operation);
/* What the rows of an input, or of the first output, are; 0: there is none. */
gecc_kind call_kind(const struct call *call, int input);
gecc_kind call_out_kind(const struct call *call);
/* "secp256k1 ecdsa.verify der low_s", and so on. */
const char *call_text(const struct call *call, char text[128]);
/* Has it inputs that may be left out? */
bool call_has_optional_inputs(const struct call *call);
/* Does it take the digests of SM2? */
bool call_is_sm2(const struct call *call);
/* What gecc_run is given for it. */
gecc_parameters call_parameters(const struct call *call);
gecc_options call_options(const struct call *call);
/* The greatest width of an output row, 0: there is none. */
size_t call_out_bytes(const struct call *call);
bool call_uses(const struct call *call, int input);
/* May all rows of the input have this width? Where it is another one the library refuses the call, not the rows. */
bool call_takes_width(const struct call *call, int input, size_t width);
/* "der,low_s" or "-"; false: a name is unknown. */
bool flags_read(const char *text, uint32_t *flags);
bool hash_read(const char *text, gecc_hash *hash);
bool curve_read(const char *text, gecc_curve *curve);

/* Stops the program with exit status 2 where memory is short. */
void *memory_new(size_t count, size_t size);
void *memory_resize(void *memory, size_t size);
void trouble(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

struct prng {
    uint64_t state;
};

uint64_t prng_next(struct prng *prng);
uint64_t prng_below(struct prng *prng, uint64_t bound);
void prng_bytes(struct prng *prng, void *bytes, size_t count);

/* Rows one after the other, in pageable memory. */
struct column {
    uint8_t *data;
    uint64_t *offsets;
    uint32_t *widths;
    size_t count, bytes, rows_capacity, bytes_capacity;
    size_t widest;
    bool same_width;
};

void column_clear(struct column *column);
void column_free(struct column *column);
void column_add(struct column *column, const uint8_t *data, size_t width);

/* PACKED: columns whose rows are all of one width, which the column may have, are passed without widths and offsets: a
 * single row that is wider than any keeps its width. STRIDED: with widths, and gaps between rows. SCATTERED: with
 * widths and offsets. */
enum shape { PACKED, STRIDED, SCATTERED };

struct batch {
    struct call call;
    size_t count;
    struct column in[INPUTS];
    enum shape shape;
};

void batch_clear(struct batch *batch);
void batch_free(struct batch *batch);

/* What came of a batch, in pageable memory. */
struct outcome {
    gecc_result result;
    gecc_report report;
    size_t count, width, stride;
    uint8_t *out, *status, *recovery_id; /* [count][stride], [count], [count] */
    uint32_t *widths;                    /* [count] */
};

/* Columns and outputs of a batch in memory of one kind, ready to be run again and again. */
struct staged;

struct staged *staged_new(const struct batch *batch, enum memory_kind kind);
const struct call *staged_call(const struct staged *staged);
/* The job itself, and nothing else. */
gecc_result staged_run(struct staged *staged, gecc_context *context, gecc_report *report);
/* The same on the first n rows. */
gecc_result staged_run_first(struct staged *staged, gecc_context *context, size_t n, gecc_report *report);
void staged_read(const struct staged *staged, struct outcome *outcome);
void staged_free(struct staged *staged);

void batch_run(const struct batch *batch, enum memory_kind kind, gecc_context *context, struct outcome *outcome);
void outcome_free(struct outcome *outcome);

/* Numbers of a curve, and rows made ahead by a context that is trusted, the CPU's. */
enum { POOL_MOST = 16384 };

struct pool {
    gecc_curve curve;
    size_t length, count;
    uint8_t p[LENGTH_MOST], n[LENGTH_MOST], half_n[LENGTH_MOST];
    uint8_t *keys, *points;               /* d, and x || y of d G */
    uint8_t *digests;                     /* [count][64], of digest_widths[i] bytes; of 32 where i is even */
    uint32_t *digest_widths;              /* [count] */
    uint8_t *signatures, *ids;            /* ECDSA's r || s of digest i by key i, and recovery ids */
    uint8_t *sm2_signatures;              /* on SM2, of the first 32 bytes of the digest */
    uint8_t *bip340_signatures;           /* on secp256k1, of the digest as a message; [count][64] */
    uint8_t *v, *vd, *rd, *xd;            /* random v; v d, r d, x(d G) d mod n; NULL where it is plain */
    size_t wide_count;                    /* signatures whose R has x >= n */
    uint8_t *wide_keys, *wide_signatures; /* of the digest 5a 5a ..., 32 bytes */
    uint8_t *ed25519_signatures[4];       /* of the digest as a message, by pool_way */
};

/* On Curve25519 there are seeds, which are X25519's private keys too, in `keys`; Ed25519's public key || X25519's in
 * `points`; messages in `digests`, contexts of pool_context_width(i) bytes in `v`, constants and signatures. */
static inline size_t pool_context_width(size_t i) { return i % 2 == 0 ? 16 : i % 33; }
static inline unsigned pool_way(bool prehash, bool has_context) {
    return (unsigned)prehash + 2 * (unsigned)has_context;
}

/* plain: all digests have 32 bytes, and there is nothing but rows that have a result. curve 0: for operations without
 * one. */
struct pool *pool_new(gecc_context *trusted, gecc_curve curve, size_t count, bool plain, struct prng *prng);
void pool_free(struct pool *pool);
/* Has the context operations on Curve25519? */
bool has_curve25519(gecc_context *context);

struct cell {
    uint8_t *data;
    size_t width;
};

struct generator {
    const struct pool *pool; /* NULL: for operations without a curve */
    const struct call *call;
    struct prng *prng;
    bool same_width; /* rows of a column have one width, DER signatures excepted */
    bool in_turn;    /* take the pool's entries one after the other */
    size_t turn;
    gecc_point_format format;
    size_t exponent_width, message_width;
    struct cell cells[INPUTS];
    uint8_t memory[INPUTS][CELL_BYTES_MOST];
};

void generator_start(struct generator *generator, const struct pool *pool, const struct call *call, bool same_width,
                     struct prng *prng);
/* The next row, in generator->cells. exceptional: a boundary value, a malformed row or a special case; otherwise one
 * that is well formed, now and then with a bit changed. */
void generator_next(struct generator *generator, bool exceptional);

/* The next row, which has a result. */
void generator_good(struct generator *generator);

/* A number below `bound`, and whether it is 0. */
static inline uint64_t below(struct generator *g, uint64_t bound) { return prng_below(g->prng, bound); }
static inline bool one_in(struct generator *g, uint64_t bound) { return below(g, bound) == 0; }
/* An entry of the pool whose digest has a width that the batch takes. */
static inline size_t pick(struct generator *g) {
    const size_t i = g->in_turn ? g->turn++ % g->pool->count : (size_t)below(g, g->pool->count);
    return g->same_width && !g->in_turn ? i & ~(size_t)1 : i;
}
/* The row's cell of a column. */
static inline void put(struct generator *g, int input, const uint8_t *data, size_t width) {
    memcpy(g->memory[input], data, width);
    g->cells[input].width = width;
}

/* Of operations on Curve25519: a well formed row; a boundary value in a column, and a special case: false where there
 * are none. */
void curve25519_good(struct generator *g);
bool curve25519_boundary(struct generator *g, int input, gecc_kind kind);
bool curve25519_special(struct generator *g);

/* The operation that takes points where this one takes numbers of keys, and which of its inputs they are. */
const gecc_operation *operation_of_points(const gecc_operation *keyed);
int input_of_keys(const gecc_operation *keyed);
/* May a point of this width be in a set? A set on secp256k1 takes both points and BIP-340's keys, operations one of
 * them. */
bool is_key_of_points(const struct call *call, int input, size_t width);
/* The batch, of an operation that takes points, by numbers of its first `keys` points; row i has point i % keys. Now
 * and then a number is of no key. */
void keys_run(const struct batch *batch, const gecc_operation *keyed, size_t keys, unsigned window,
              enum memory_kind kind, gecc_context *context, struct outcome *outcome);
/* From what came of the points to what is to come of the numbers. */
void keys_expect(const struct batch *batch, struct outcome *outcome);

struct settings {
    size_t rows, chunk, batch_rows;
    unsigned runs;
    size_t plant; /* 1 + the row of every batch where a bit of A's outcome is flipped; 0: none */
    const char *filter, *json, *cases;
    const char *name_a, *name_b;
    uint64_t seed;
    bool conformance, rates, sizes;
    FILE *json_file;
};

/* The backends to compare. */
struct contexts {
    gecc_context *a, *b;
};

gecc_context *context_open(const char *name, unsigned threads, gecc_backend_info *info);

/* How many rows of the batch differ; the first ones are printed. */
size_t outcomes_compare(const struct batch *batch, const struct outcome *a, const struct outcome *b);
void plant(const struct settings *settings, const struct call *call, struct outcome *outcome);
void row_print(const struct batch *batch, size_t row);

/* Each returns whether all is well. */
bool run_conformance(const struct settings *settings, const struct contexts *contexts);
bool run_cases(const struct settings *settings, const struct contexts *contexts);
bool run_bench(const struct settings *settings, const struct contexts *contexts);

#endif
