/* What is said of a header in which columns are missing. */
#ifndef TOOL_MISSING_COLUMNS_H
#define TOOL_MISSING_COLUMNS_H

#include "text/csv.h"
#include "rows/reader.h"

/* The columns that are there and those that a row has, and with --map what may have been meant. */
void missing_columns_say(char *out, size_t size, const struct reader *reader, const char *text,
                         const struct csv_field *fields);

#endif
