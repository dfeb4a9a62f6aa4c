/* The writer: rows of a batch with what came of them, in the format that they came in. */
#ifndef TOOL_WRITER_H
#define TOOL_WRITER_H

#include "reader.h"
#include "target.h"

struct writer {
    struct target target;
    const struct reader *reader; /* what it knows of the format */
    const struct mapping *mapping;
    char names[RESULT_NAMES][RESULT_NAME_BYTES]; /* of what is added; empty past the last */
    char *buffer;
    size_t used;
    bool failed;
    int error; /* errno of the failure */
    uint64_t counts[VERDICT_COUNT];
    uint64_t written, whole_bytes, whole_rows; /* bytes; and bytes and rows up to the last whole batch */
};

/* NULL, or why the output cannot be opened. */
const char *writer_open(struct writer *writer, const struct mapping *mapping, const struct options *options,
                        const struct reader *reader);
bool writer_header(struct writer *writer);
bool writer_batch(struct writer *writer, const struct batch *batch);
/* Write what is left and close; whole: there are no rows to come, and the file gets its name. false: something could not
 * be written. */
bool writer_close(struct writer *writer, bool whole);

#endif
