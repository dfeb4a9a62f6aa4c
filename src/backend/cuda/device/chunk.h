/* A chunk of a job's rows, and where its columns are in a slot's memories. In the device's copies its rows start at row
 * 0. */
#ifndef GECC_BACKEND_CUDA_DEVICE_CHUNK_H
#define GECC_BACKEND_CUDA_DEVICE_CHUNK_H

#include "backend/cuda/device/routes.h"
#include "backend/cuda/device/slot.h"

/* Rows first .. first + count - 1 of the job, and where their columns are in a slot's memories. */
struct chunk {
    size_t first, count;
    size_t in_bytes[JOB_INPUTS]; /* of columns that are copied */
    size_t in_at[JOB_INPUTS], in_widths_at[JOB_INPUTS], in_offsets_at[JOB_INPUTS];
    size_t faults_at, status_at, out_at[JOB_OUTPUTS], out_widths_at[JOB_OUTPUTS];
    size_t zeroed; /* the first bytes of the results: faults and statuses */
    struct slot_sizes sizes;
};

/* The chunk at row `first` of at most `rows` rows and, unless it is a single one, `staging` bytes each way.
 * sizes.workspace is left for the caller. */
void gecc_chunk_measure(const struct routes *routes, struct chunk *chunk, size_t first, size_t rows, size_t staging);

/* The bytes of rows of these widths, of which at most `most` of each row are counted. */
size_t gecc_chunk_add_widths(const uint32_t *widths, size_t count, size_t most);

/* The chunk as the device sees it: a job of `count` rows, all of whose memory is the device's. */
void gecc_chunk_bind(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                     struct launch *launch);

#endif
