/* Lane programs of the passes that make tables of keys, and G's, from the bases of their windows:
 * batch/key_tables.h. */
#ifndef GECC_SCHEME_KEY_PASSES_H
#define GECC_SCHEME_KEY_PASSES_H

#include "batch/generator_tables.h"
#include "scheme/job.h"

/* The second pass: rows are windows of keys. */
LANE_FUNCTION gecc_result keys_normalise(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                         size_t count) {
    const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
    const struct entries e = entries_take(arena, w.count);
    (void)tables;
    key_normalise(&w, &job->keys, first, count, &e);
    return GECC_OK;
}

/* The others: rows are entries that are there, as many as new ones. */
LANE_FUNCTION gecc_result keys_extend(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
    const struct entries e = entries_take(arena, w.count);
    (void)tables;
    key_extend(&w, &job->keys, first, count, &e);
    return GECC_OK;
}

#endif
