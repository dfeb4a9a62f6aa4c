/* The writer: rows of a batch with what came of them. */
#ifndef TOOL_WRITER_H
#define TOOL_WRITER_H

#include "rows/reader.h"
#include "files/target.h"

struct writer {
    struct target target;
    const struct reader *reader; /* what it knows of the format */
    const struct mapping *mapping;
    char names[RESULT_NAMES][RESULT_NAME_BYTES]; /* of what is added; empty past the last */
    bool failed;
    int error;         /* errno of the failure */
    char refusal[160]; /* or a row that the format cannot have */
    uint64_t counts[VERDICT_COUNT];
    uint64_t written, whole_bytes, whole_rows; /* bytes; and bytes and rows up to the last whole batch */
};

/* NULL, or why the output cannot be opened. */
const char *writer_open(struct writer *writer, const struct mapping *mapping, const struct options *options,
                        const struct reader *reader);
bool writer_header(struct writer *writer);
/* From a batch whose rows are computed to its output and verdicts; any number of threads at once. */
void writer_format(const struct writer *writer, struct batch *batch);
/* What came of a row: a gecc_item, or a refusal of the reader; its name; and why, if it is not good, in at most
 * REASON_BYTES at `out`, of which no character needs an escape between quotation marks. Returns the end. */
enum { REASON_BYTES = 2048 };
enum verdict row_verdict(const struct row *row, uint8_t status);
const char *verdict_text(const struct mapping *mapping, enum verdict verdict);
char *reason_put(char *out, const struct batch *batch, const struct row *row, enum verdict verdict, uint8_t status);
uint8_t raw_status(const struct row *row, uint8_t status);
/* Write that output. In the order of the batches. */
bool writer_write(struct writer *writer, const struct batch *batch);
/* Close; whole: there are no rows to come, and the file gets its name. false: something could not be written. */
bool writer_close(struct writer *writer, bool whole);

#endif
