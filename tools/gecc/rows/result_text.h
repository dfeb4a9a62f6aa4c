/* The text of a row's results. */
#ifndef TOOL_RESULT_TEXT_H
#define TOOL_RESULT_TEXT_H

#include "rows/batch.h"

/* Result number r of a row that reads `status`, at `out`, which has room for it: nothing where the row has none.
 * Returns its end. */
char *result_put(char *out, const struct batch *batch, const struct row *row, size_t r, uint8_t status);

/* Bytes as --encoding says. */
char *encoded_put(char *out, enum encoding encoding, const uint8_t *bytes, size_t width);

/* A point: encoded, or where `status` is that, infinity. */
char *point_put(char *out, enum encoding encoding, const uint8_t *bytes, size_t width, uint8_t status);

/* A number in decimal. */
char *number_put(char *out, uint64_t value);

#endif
