/* Rows between the caller's memory of the host and a slot's pinned memory, by the threads of a pool: each takes a piece of a
 * chunk's rows.
 *
 * The caller's widths may change while they are read, against the rules: each is read once where it decides what is
 * written, so that nothing is written outside of a slot. */
#ifndef GECC_BACKEND_CUDA_STAGING_H
#define GECC_BACKEND_CUDA_STAGING_H

#include "backend/cuda/transfer.h"
#include "backend/pool.h"

/* Pack the chunk's rows into the slot's pinned memory. pool NULL: by the caller alone, here and below. */
void gecc_staging_pack(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                       struct pool *pool);

/* Give what came back to the caller, each row's status after all else of the row. Rows that were not processed are left as they are:
 * what is written may be the input from which another backend will compute them. */
void gecc_staging_publish(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                          struct pool *pool);

#endif
