/* How the columns of a job get to the device and back.
 *
 * A column in device memory is used where it is. Pinned rows that follow each other are copied from and to where they
 * are. All others are packed into pinned staging, and what comes back is scattered from there; so are widths and offsets,
 * and statuses always. In the device's copies the rows of a chunk start at row 0. */
#ifndef GECC_BACKEND_CUDA_DEVICE_TRANSFER_H
#define GECC_BACKEND_CUDA_DEVICE_TRANSFER_H

#include "backend/cuda/device/slot.h"
#include "backend/pool.h"

enum route {
    ROUTE_NONE,   /* the column is left out */
    ROUTE_DEVICE, /* used in place */
    ROUTE_DIRECT, /* copied as it is */
    ROUTE_STAGED
};

struct input {
    enum route route;
    bool widths_on_device, offsets_on_device; /* ROUTE_DEVICE */
    size_t copied;                            /* bytes of a row that travel, at most: wider rows are refused unread */
};

struct output {
    enum route route;
    bool widths_on_device;
    bool plain; /* rows that have a result have one width */
};

struct transfer {
    const struct job *job;
    struct input in[JOB_INPUTS];
    struct output out[JOB_OUTPUTS];
    bool status_on_device;
    bool any_on_device; /* of all the caller's memory */
    bool varies;        /* rows of a staged column have widths of their own */
    size_t in_row;      /* staged bytes of a row, varying widths left out */
    size_t out_row;
};

/* Rows first .. first + count - 1 of the job, and where their columns are in a slot's memories. */
struct chunk {
    size_t first, count;
    size_t in_bytes[JOB_INPUTS]; /* of columns that are copied */
    size_t in_at[JOB_INPUTS], in_widths_at[JOB_INPUTS], in_offsets_at[JOB_INPUTS];
    size_t faults_at, status_at, out_at[JOB_OUTPUTS], out_widths_at[JOB_OUTPUTS];
    size_t zeroed; /* the first bytes of what comes back: faults and statuses */
    struct slot_sizes sizes;
};

/* Is it one row that serves for all? */
static inline bool transfer_is_one_row(const gecc_rows *rows) {
    return rows->stride == 0 && rows->widths == NULL && rows->offsets == NULL;
}

/* Where row i of a column starts. */
static inline const uint8_t *transfer_row_at(const gecc_rows *rows, size_t i) {
    return (const uint8_t *)rows->data + (rows->offsets != NULL ? (size_t)rows->offsets[i] : i * rows->stride);
}
static inline uint8_t *transfer_out_row(const gecc_out *out, size_t i) {
    return (uint8_t *)out->data + i * out->stride;
}

/* Is the address in device memory of this process? */
bool gecc_transfer_on_device(const struct device *device, const void *address);

/* Choose the routes; the device's context is entered. GECC_ERROR_ARGUMENT: memory or a stream of another device, or widths or
 * offsets in device memory of rows that are not. */
gecc_result gecc_transfer_open(struct transfer *transfer, const struct device *device, const struct job *job);

/* The chunk at row `first` of at most `rows` rows and, unless it is a single one, `staging` bytes each way.
 * sizes.workspace is left for the caller. */
void gecc_transfer_measure(const struct transfer *transfer, struct chunk *chunk, size_t first, size_t rows,
                           size_t staging);

/* Pack the chunk's rows into the slot's pinned memory and queue the copies to the device; statuses there read NOT_PROCESSED.
 * pool: whose threads pack; NULL: the caller alone. */
gecc_result gecc_transfer_send(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                               struct device *device, struct pool *pool);

/* The chunk as the device sees it: a job of `count` rows, all of whose memory is the device's. */
void gecc_transfer_bind(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                        struct launch *launch);

/* Queue that statuses in device memory read NOT_PROCESSED. */
gecc_result gecc_transfer_clear_status(const struct transfer *transfer, const struct slot *slot, struct device *device);

/* Queue the copies back. */
gecc_result gecc_transfer_fetch(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                                struct device *device);

/* When the slot's stream is idle: give the rows to the caller, statuses last; those in device memory are queued. *fault
 * becomes true if a signature failed its check. */
gecc_result gecc_transfer_publish(const struct transfer *transfer, const struct chunk *chunk, const struct slot *slot,
                                  struct device *device, struct pool *pool, bool *fault);

#endif
