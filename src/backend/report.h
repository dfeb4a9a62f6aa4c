/* Reports of the parts of a job. */
#ifndef GECC_BACKEND_REPORT_H
#define GECC_BACKEND_REPORT_H

#include <gecc/context.h>

/* Add to *sum, of jobs of at most `most` rows, 0 if there was none, the report of another one of so many: the sum names
 * the place where most rows ran. */
void gecc_report_add(gecc_report *sum, size_t most, const gecc_report *part, size_t rows);

#endif
