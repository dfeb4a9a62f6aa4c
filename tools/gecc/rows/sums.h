/* Sums: rows are terms scalar * point, and the output has sums of them, one for all rows or one for each name that
 * a column gives. A batch adds up its stretches of rows with one name; the stretches that batches begin and end with are put
 * together in the order of batches. Memory is bounded: a sum that was written leaves nothing but a fingerprint of its
 * name, by which rows are found that come after others of another name; there is room for NAMES_NOTED of them. */
#ifndef TOOL_SUMS_H
#define TOOL_SUMS_H

#include "rows/writer.h"

enum { NAMES_NOTED = 1 << 20 };

struct fingerprint {
    uint64_t half[2]; /* 0, 0: none */
};

/* Why a sum is not there: its first term that is none. */
struct flaw {
    enum verdict verdict; /* VERDICT_GOOD: there is none */
    uint8_t status;       /* a gecc_item */
    uint64_t line;
    char reason[REASON_BYTES];
};

struct sums {
    gecc_context *context;
    const struct writer *writer;
    const struct options *options;
    bool stopped;              /* nothing is written any more */
    struct fingerprint *noted; /* of the names of sums so far, at most NAMES_NOTED */
    size_t noted_count;
    uint64_t counts[VERDICT_COUNT];
    /* The sum that may have more terms. */
    bool is_open;
    struct buffer name;
    uint64_t terms;
    gecc_curve curve;                         /* 0: none of its terms could be read */
    uint8_t status;                           /* a gecc_item: GECC_ITEM_INFINITY before the first term */
    uint8_t point[2 * GECC_CURVE_BYTES_MOST]; /* raw */
    struct flaw flaw, next_flaw; /* the latter of the next sum, to which a row may belong that has no name */
};

/* false: not enough memory. */
bool sums_init(struct sums *sums, gecc_context *context, const struct writer *writer, const struct options *options);
void sums_free(struct sums *sums);

/* What is computed of each row: mapping.run. Points become raw, at stride result_stride(RESULT_POINT). */
gecc_result sums_convert(struct task *task);
/* Then the stretches of the batch and their sums; any number of threads at once. */
void sums_compute(struct batch *batch, gecc_context *context);

/* Put the stretches into sums, and those sums that have no more terms in the batch's output. In the order of the batches.
 * false: rows of a sum do not follow each other, or the library failed: batch->fault or batch->outcome says so. */
bool sums_take(struct sums *sums, struct batch *batch);
/* There are no more rows: put the last sum in the output of the batch, which is empty. */
void sums_finish(struct sums *sums, struct batch *batch);
/* Say on standard error how many sums there were. */
void sums_summary(const struct sums *sums, const char *command);

#endif
