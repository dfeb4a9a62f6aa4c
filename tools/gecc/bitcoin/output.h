/* Rows of signatures, as CSV or JSON Lines. */
#ifndef TOOL_BITCOIN_OUTPUT_H
#define TOOL_BITCOIN_OUTPUT_H

#include "bitcoin/inputs.h"
#include "command_line/options.h"
#include "files/target.h"
#include "text/buffer.h"

enum outcome { OUTCOME_GOOD, OUTCOME_INVALID, OUTCOME_MALFORMED, OUTCOME_NOT_COVERED, OUTCOMES };

struct output {
    FILE *file;
    struct target target;
    bool json, verify;
    uint64_t counts[OUTCOMES];
    uint64_t transactions, inputs, records;
};

extern const char *const outcome_texts[OUTCOMES];

/* The names of a row's columns. */
extern const char *const input_results[];

/* NULL, or why the output cannot be opened; input: the descriptor that is read; kept_header: names of CSV's other
 * columns, which come first, each with a comma. */
const char *output_open(struct output *output, const struct options *options, bool as_json, int input,
                        const char *kept_header);
/* Print the rows of a batch to the output's file, and count them. */
void output_batch(struct output *output, const struct inputs *inputs);
/* Write the rows of a batch that were printed, and count them. false: errno says why not. */
bool output_add(struct output *output, const struct output *batch, struct print *print);
/* false: something could not be written; errno says why. */
bool output_close(struct output *output, bool whole);

#endif
