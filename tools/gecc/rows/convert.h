/* Rows that are written in another format than they come in: fields of CSV become members of JSON, which are strings,
 * and members become fields of the columns that the first object has. */
#ifndef TOOL_CONVERT_H
#define TOOL_CONVERT_H

#include "rows/reader.h"

/* The pieces of a row of CSV as members, with a comma after each. Returns the bits, as in row->stands, of results in
 * the place of which the row has one. */
uint32_t convert_to_members(const struct reader *reader, struct batch *batch, const struct row *row);

/* The pieces of a JSON object as fields. A member that has no column is said in batch->refusal. */
void convert_to_fields(const struct reader *reader, struct batch *batch, const struct row *row, uint8_t status);

#endif
