/* Keys that repeat within a call: rows that share one are computed from a table of its multiples, made for the call. */
#ifndef GECC_BACKEND_REPEATS_H
#define GECC_BACKEND_REPEATS_H

#include <stdbool.h>

#include "backend/backend.h"

/* Does a sample of the job's rows say that keys repeat enough? */
bool gecc_repeats_likely(const struct job *job, size_t memory);

/* Where keys repeat enough to pay for tables, run the job with them on the backend, whose state this is, and fill
 * *result and *report. Otherwise returns false, at the cost of looking at a sample. Verdicts are those that the job has
 * without tables; tables, and what finds their keys, take at most `memory` bytes at once: rows are grouped in parts, if
 * they are many. Where tables cannot be had rows are run without. */
bool gecc_repeats_run(const struct backend *backend, void *state, const struct job *job, size_t memory,
                      gecc_report *report, gecc_result *result);

#endif
