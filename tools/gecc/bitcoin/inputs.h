/* A batch of transactions on their way from records of text to judged signatures. */
#ifndef TOOL_BITCOIN_INPUTS_H
#define TOOL_BITCOIN_INPUTS_H

#include "bitcoin/judge.h"

/* Make it empty. */
void inputs_reset(struct inputs *inputs);
void inputs_free(struct inputs *inputs);

/* Add a transaction, whose parts live as long as the batch, and find what its inputs ask for in a block of that height.
 * Its prevouts are as many as its inputs, but for a coinbase. What was told lives as long as the batch. false: not
 * enough memory. */
bool inputs_add(struct inputs *inputs, uint64_t line, uint32_t height, const struct transaction *transaction,
                const struct prevout *prevouts, const struct inputs_told *told);
/* Add a record that is none; the reason is copied. */
bool inputs_add_malformed(struct inputs *inputs, uint64_t line, const char *reason, const struct inputs_told *told);

/* Hash and, with `verify`, judge. */
void inputs_run(struct inputs *inputs, gecc_context *context);

#endif
