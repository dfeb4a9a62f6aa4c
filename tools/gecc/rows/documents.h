/* Tokens and certificates, of which a command reads the cells of its rows: in a column of a table, or one after
 * another. */
#ifndef TOOL_DOCUMENTS_H
#define TOOL_DOCUMENTS_H

#include "rows/batch.h"

/* `open` of mappings: COLUMN_TOKEN is a token, of which the results `kid` and `iss` are kept; COLUMN_CERTIFICATE a
 * certificate in PEM, or in DER that is written in hexadecimal or base64, of which the results `subject` and `serial`
 * are kept; COLUMN_EVENT an event of Nostr. */
void token_open(struct batch *batch, struct row *row, const struct cell *cell);
void certificate_open(struct batch *batch, struct row *row, const struct cell *cell);
void event_open(struct batch *batch, struct row *row, const struct cell *cell);

/* The key goes to COLUMN_PUB of row number i. NULL, or why there is no room. */
const char *document_key(struct batch *batch, size_t i, const struct key_file *key);

/* Keep a text as the next piece of the row, the mapping's result of that number. */
void document_keep(struct batch *batch, struct row *row, size_t result, const char *text, size_t length);

#endif
