/* Jobs whose rows are groups of terms, shared by threads term by term. */
#ifndef GECC_BACKEND_CPU_SUMS_H
#define GECC_BACKEND_CPU_SUMS_H

#include "backend/cpu/machine.h"
#include "backend/pool.h"
#include "scheme/operation.h"

/* Run the job, one of job_is_sums, by the programs of the set on the pool's `threads` threads. A group of more terms
 * than a thread is to have is cut into parts, whose sums are added up at the end. Widths of rows are read once: the
 * caller may change them meanwhile, and as many terms as were counted have room. Memory: set->sum_arena_bytes a thread,
 * 2 KB for each 1,024 terms at most, and a copy of the widths. */
gecc_result gecc_sums_run(struct pool *pool, unsigned threads, const struct program_set *set, const struct job *job);

#endif
