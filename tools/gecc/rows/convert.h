/* Rows that are written in another format than they come in: fields of CSV become members of JSON, which are strings, and
 * members fields of the columns that the first object has. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "rows/writer.h"

/* Find the names of reader->header, where rows are to be converted. false: reader->error says why they cannot be. */
bool convert_open(struct reader *reader);
void convert_close(struct reader *reader);

/* What is kept of a row of CSV, as members with a comma after each. Returns the bits, as in row->stands, of results in
 * the place of which it has one. */
uint32_t convert_to_members(const struct writer *writer, struct batch *batch, const struct row *row);

/* What is kept of a JSON object, as fields. A member that has no column is said in batch->refusal. */
void convert_to_fields(const struct writer *writer, struct batch *batch, const struct row *row, uint8_t status);

#endif
