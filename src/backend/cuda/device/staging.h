/* Rows between the caller's memory of the host and a slot's pinned memory, by the threads of a pool: each takes a piece
 * of a chunk's rows.
 *
 * The caller's widths may change while they are read, against the rules. They are copied once, and rows are packed by
 * the copy into the room that was measured before, so that nothing is written outside of a slot. */
#ifndef GECC_BACKEND_CUDA_DEVICE_STAGING_H
#define GECC_BACKEND_CUDA_DEVICE_STAGING_H

#include "backend/cuda/device/chunk.h"
#include "backend/pool.h"

/* Pack the chunk's rows into the slot's pinned memory. pool NULL: by the caller alone, here and below. */
void gecc_staging_pack(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                       struct pool *pool);

/* Give results to the caller, but for statuses. Rows that were not processed are left as they are: memory that is
 * written may be the input from which another backend will compute them. */
void gecc_staging_publish(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                          struct pool *pool);

/* The statuses, which are not in device memory, when all else of the rows has been given. */
void gecc_staging_publish_statuses(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                   struct pool *pool);

#endif
