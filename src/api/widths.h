/* How wide the rows of a column are. */
#ifndef GECC_API_WIDTHS_H
#define GECC_API_WIDTHS_H

#include <stdbool.h>

#include "scheme/operation.h"

/* The widths that rows of the job's column can have; its curve, modulus, hash, flags and point format are set. */
gecc_widths gecc_job_widths(const struct job *job, const gecc_column *column);
/* Is the greatest width of outputs of the kind what the job's output_bytes says? */
bool gecc_kind_is_open(gecc_kind kind);
bool gecc_widths_have(const gecc_widths *widths, size_t width);
/* "32", "33, 64 or 65", "20 to 64". */
const char *gecc_widths_text(const gecc_widths *widths, char text[96]);

#endif
