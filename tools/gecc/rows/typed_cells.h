/* Typed data of Ethereum (EIP-712) in cells of rows. */
#ifndef TOOL_TYPED_CELLS_H
#define TOOL_TYPED_CELLS_H

#include "rows/batch.h"

/* The message whose hash is signed goes to `out`. NULL, or why the row is refused. */
const char *typed_cell_decode(struct batch *batch, struct span *out, const struct cell *cell);

/* Why typed data does not go with the options, the row's curve and hash, and its columns; NULL: it does, and the row's
 * hash is that of Ethereum. */
const char *typed_cell_refusal(const struct options *options, struct group *key, uint32_t columns,
                               const struct cell *cells);

#endif
