/* Jobs whose rows are groups of terms, shared by threads term by term. */
#ifndef GECC_BACKEND_CPU_SUMS_H
#define GECC_BACKEND_CPU_SUMS_H

#include "backend/cpu/machine.h"
#include "backend/pool.h"
#include "scheme/operation.h"

/* Is a row of the job a group of terms? */
static inline bool gecc_sums_has(const struct job *job) { return operation_info(job)->family == FAMILY_SUMS; }

/* Run the job, one of gecc_sums_has, by the programs of the set on the pool's `threads` threads. A group of more terms
 * than a thread is to have is cut into parts, whose sums are added up at the end. Memory: set->sum_arena_bytes a
 * thread, and some 200 bytes for each 1,024 terms. */
gecc_result gecc_sums_run(struct pool *pool, unsigned threads, const struct program_set *set, const struct job *job);

#endif
