/* Every public operation as one function over rows, so that a test is written once for all of them. What operations
 * there are, and which columns they have, is what the library says.
 *
 * A call says what is computed, a row holds the inputs of one item, an outcome what came of it, an expectation what may
 * come of it. A batch lays rows out in memory, in a shape taken from a random source, calls the library and checks that
 * nothing beside its outputs was written. */
#ifndef TESTS_SUPPORT_OPERATION_H
#define TESTS_SUPPORT_OPERATION_H

#include "memory.h"
#include "prng.h"
#include "scheme/job.h"

#include <gecc/gecc.h>

struct call {
    enum operation operation;
    gecc_curve curve;
    uint32_t flags;
    gecc_hash hash; /* of OPERATION_DIGEST; of others the nonces' */
    gecc_point_format point_format;
    gecc_modulus modulus;
    size_t output_bytes; /* of outputs whose width the caller says; 0: OUTCOME_BYTES */
    /* Bit i: row_good makes optional input i where it is entropy, auxiliary randomness or a context of Ed25519, and
     * leaves it out where it is another. Without the bit it is the other way round. */
    uint32_t other_inputs;
    uint32_t left_out; /* bit i: optional output i is left out */
};

enum { CELLS = JOB_INPUTS, OUTPUTS = JOB_OUTPUTS, OUTCOME_BYTES = 240 };

/* data of a column that may be left out is NULL in every row of a batch or in none.
 *
 * In a column of key numbers a row holds its key, in any encoding that gecc_keys_open takes, so that it is the row of
 * the operation on points: a batch makes a set of the keys of its rows, and gives their numbers. What has 2 to 5 bytes
 * is not a key: 4 bytes are a number as far beyond the last one of the set, others stand in the column as they are. */
struct row {
    struct cell in[CELLS];
};

/* What a row of an output column holds. */
struct value {
    uint32_t width;
    uint8_t bytes[OUTCOME_BYTES];
};

struct outcome {
    uint8_t status;
    struct value out[OUTPUTS];
};

#define STATUS(name) (1u << GECC_ITEM_##name)
#define STATUS_ANY_MALFORMED 0xffff0000u

/* `statuses`: the set of statuses that the row may have, STATUS() or'ed. A row with two defects may read as either. The
 * rest holds for OK; for other statuses the outputs are zeros, of width 0. */
struct expectation {
    uint32_t statuses;
    uint32_t unknown; /* bit i: out[i] may be anything */
    struct value out[OUTPUTS];
};

/* What the library says of an operation. */
const gecc_operation *operation_of(enum operation operation);
/* The kind of an input or output column; 0 past the last one. */
gecc_kind kind_of_input(enum operation operation, int column);
gecc_kind kind_of_output(enum operation operation, int column);
/* The first input column of that kind; -1: there is none. */
int input_of_kind(enum operation operation, gecc_kind kind);
/* Has it an output of whose rows the caller says the greatest width? */
int operation_is_open(enum operation operation);
/* The operation that does with points what this one does with numbers of keys; of others, itself. */
enum operation operation_on_points(enum operation operation);
/* The operation that does with numbers of keys what this one does with points; OPERATION_COUNT: there is none. */
enum operation operation_on_keys(enum operation operation);
/* Is the cell of a column of key numbers a key, good or bad? */
int cell_is_key(struct cell cell);
/* Has the context what the operation needs? Where keys cannot be prepared, those on keys are left out. */
int context_offers(gecc_context *context, enum operation operation);

/* To the next curve that the operation works on, from 0 on, and to the next set of flags, from none on (flags.h); 0:
 * that was the last, and the call is as at the beginning. */
int call_next_curve(struct call *call);
int call_next_flags(struct call *call);

const char *call_text(const struct call *call, char text[160]);
gecc_parameters call_parameters(const struct call *call);
gecc_options call_options(const struct call *call);
/* The widths that rows of the column can have. */
gecc_widths call_input_widths(const struct call *call, int column);
gecc_widths call_output_widths(const struct call *call, int column);

struct batch;

enum { ALIAS_NONE = -1 };

/* shape NULL: plain columns. alias: the index of the input column whose memory and stride the first
 * output shares. */
struct batch *batch_new(const struct call *call, const struct row *rows, size_t count, struct prng *shape, int alias);
/* Move some columns, and some of their widths and offsets, to memory of the fake CUDA device; count is not 0. */
void batch_to_device(struct batch *batch, struct prng *prng);
/* Have the keys made that rows name by number, if they do: batch_call does so unless it has been done. */
gecc_result batch_prepare(struct batch *batch, gecc_context *context);

struct batch_arguments {
    gecc_parameters parameters;
    gecc_options options;
    gecc_rows in[CELLS];
    gecc_out out[OUTPUTS], status;
};

/* Of a call for the rows from `first` on; keys are made already. */
struct batch_arguments batch_arguments(const struct batch *batch, size_t first);
/* job NULL: synchronous. */
gecc_result batch_call(struct batch *batch, gecc_context *context, gecc_job **job);
/* Of the last call. */
const gecc_report *batch_report(const struct batch *batch);
/* What came of each row. Stops if guard bytes around the outputs changed. */
void batch_outcomes(const struct batch *batch, struct outcome *outcomes);
void batch_free(struct batch *batch);

/* All of the above; the call must return GECC_OK. */
void run_rows(gecc_context *context, const struct call *call, const struct row *rows, size_t count, struct prng *shape,
              struct outcome *outcomes);

/* 1 and a report on stderr where the outcome is not what was expected, else 0. */
int outcome_mismatch(const struct call *call, const struct row *row, const struct expectation *expected,
                     const struct outcome *outcome, const char *label);
/* Are status and outputs bit for bit the same? */
int outcome_equal(const struct outcome *a, const struct outcome *b);

/* A context on the backend of GECC_TEST_BACKEND ("auto" if unset), "fake-cuda" being the CUDA backend without a GPU. */
gecc_context *test_context(void);
/* The same, configured so but for its backend. */
gecc_context *test_context_with(const gecc_config *wanted);
int test_context_is_fake_cuda(void);
/* A number from the environment. */
size_t environment_number(const char *name, size_t otherwise);

#endif
