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

#include "rows.h"
#include "memory_kind.h"

/* What outputs hold before a call, and the gaps between their rows after it. */
enum { GUARD = 0xa5 };

enum { OUT_BYTES_MOST = 2 * GECC_CURVE_BYTES_MOST + 8 /* a DER signature */ };

struct call {
    const gecc_operation *operation;
    gecc_curve curve; /* 0: of an operation without one */
    uint32_t flags;
    gecc_hash hash; /* of nonces, or of messages */
    gecc_point_format format;
    bool optional;       /* inputs that may be left out are there */
    gecc_keys *keys;     /* of an operation that takes their numbers */
    size_t output_bytes; /* of outputs whose width the caller chooses; 0: one that most rows fit */
    size_t modulus_bytes;
    uint8_t modulus[MODULUS_BYTES_MOST]; /* the first modulus_bytes */
};

/* Does it take numbers of keys? Such operations are run beside those that take points: their keys belong to one
 * context. */
bool operation_takes_keys(const gecc_operation *operation);
/* Have GPUs no program for it? */
bool operation_is_for_cpus(const gecc_operation *operation);
/* Is it that operation? */
bool call_is(const struct call *call, const char *operation);
/* What the rows of an input, or of the first output, are; 0: there is none. */
gecc_kind call_kind(const struct call *call, int input);
gecc_kind call_out_kind(const struct call *call);
/* "secp256k1 ecdsa.verify der low_s", and so on. */
const char *call_text(const struct call *call, char text[128]);
/* Has it inputs that may be left out? */
bool call_has_optional_inputs(const struct call *call);
/* The rows that it wants. */
struct wanted call_wanted(const struct call *call);
/* What gecc_run is given for it. */
gecc_parameters call_parameters(const struct call *call);
gecc_options call_options(const struct call *call);
/* The greatest width of an output row, 0: there is none. */
size_t call_out_bytes(const struct call *call);
/* The same of the second output, or 1. */
size_t call_second_bytes(const struct call *call);
/* Have rows of the first output widths of their own? */
bool call_has_widths(const struct call *call);
bool call_uses(const struct call *call, int input);
/* May all rows of the input have this width? Where it is another one the library refuses the call, not the rows. */
bool call_takes_width(const struct call *call, int input, size_t width);
/* "der,low_s" or "-"; false: a name is unknown. */
bool flags_read(const char *text, uint32_t *flags);
bool hash_read(const char *text, gecc_hash *hash);
bool curve_read(const char *text, gecc_curve *curve);

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
 * single row that is wider than any keeps its width. SPACED: the same with gaps between rows. STRIDED: with widths, and
 * gaps between rows. SCATTERED: with widths and offsets. */
enum shape { PACKED, SPACED, STRIDED, SCATTERED };

/* A kind of memory for staged_new: each kind that exists takes turns among the columns. */
enum { MIXED = DEVICE + 1 };

struct batch {
    struct call call;
    size_t count;
    struct column in[INPUTS];
    enum shape shape;
    bool varied; /* rows may be of widths that calls refuse in columns of one width: they are passed with widths */
};

void batch_clear(struct batch *batch);
void batch_free(struct batch *batch);

/* What came of a batch, in pageable memory. */
struct outcome {
    gecc_result result;
    gecc_report report;
    size_t count, width, stride;
    uint8_t *out, *status, *second; /* [count][stride], [count], [count][second_width] */
    size_t second_width;
    uint32_t *widths; /* [count] */
};

/* Columns and outputs of a batch in memory of a kind, ready to be run again and again. */
struct staged;

struct staged *staged_new(const struct batch *batch, unsigned kind);
const struct call *staged_call(const struct staged *staged);
/* The job itself, and nothing else. */
gecc_result staged_run(struct staged *staged, gecc_context *context, gecc_report *report);
/* The same on the first n rows. */
gecc_result staged_run_first(struct staged *staged, gecc_context *context, size_t n, gecc_report *report);
void staged_read(const struct staged *staged, struct outcome *outcome);
void staged_free(struct staged *staged);

void batch_run(const struct batch *batch, unsigned kind, gecc_context *context, struct outcome *outcome);
void outcome_free(struct outcome *outcome);

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
    bool conformance, every_memory, rates, sizes;
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
