/* Requests that are computed together: rows of a few callers, copied, and the job that is made of them. A batch lies in
 * an arena, and so do its requests, the copies and the job's columns. Nothing here is locked: one thread at a time may
 * use a batch, except that rows of its requests may be copied meanwhile. */
#ifndef GECC_QUEUE_BATCH_H
#define GECC_QUEUE_BATCH_H

#include <gecc/queue.h>
#include <stdatomic.h>

#include "api/call.h"
#include "batch/arena.h"

/* Rows of a column, copied, one behind the other. */
struct copied {
    uint8_t *data;
    uint32_t *widths; /* NULL: all have `width` bytes */
    size_t width;
    size_t bytes; /* of all rows, as they were measured */
};

struct request {
    struct request *next; /* in the batch */
    uint64_t number;
    gecc_queue_done done; /* NULL: the waiter is told, or without one a completion is there to be taken */
    void *argument;
    struct waiter *waiter;
    struct copied in[JOB_INPUTS];
    gecc_out out[JOB_OUTPUTS], status; /* the caller's */
    size_t count, bytes;               /* bytes: that the request takes of a batch's arena, all in all */
    size_t copies_bytes;               /* of `in`, which begin behind this struct */
    gecc_result result;                /* before the batch has run: GECC_OK, or GECC_ERROR_CANCELLED */
    atomic_bool is_copied;             /* all of this but next, number and result is only there then */
};

struct batch {
    struct batch *next; /* in the group */
    struct group *group;
    struct batch *newer, **before; /* of all groups, in the order in which they began */
    struct arena *arena;
    struct request *first, **last;
    size_t requests, rows; /* rows: that will be computed */
    size_t bytes;          /* of the arena, with those of columns that are yet to be made */
    atomic_uint copying;   /* twice the requests that are being copied; and 1 once the batch is taken */
    uint64_t newest;       /* the number of its last request: numbers rise */
    uint64_t since;        /* when the batch was begun */
    struct call call;      /* that of its first request, with the most keys that any of them saw */
};

/* Bytes of an arena that a batch takes without requests. */
enum { BATCH_HEAD = (sizeof(struct batch) + 63) / 64 * 64 };

/* The most rows of a request, so that sums of their bytes do not overflow. */
enum { REQUEST_ROWS_MOST = INT32_MAX };

/* Fill count and all bytes of a request for the call, whose arguments are checked. false: it takes more than `limit`
 * bytes, which is at most PTRDIFF_MAX / 2. */
bool gecc_request_measure(struct request *request, const struct call *call, size_t limit);

/* A batch in the arena, which has BATCH_HEAD bytes and those of the requests that will be added. */
struct batch *gecc_batch_new(struct arena *arena);
/* Is there room for a request that was measured? */
bool gecc_batch_fits(const struct batch *batch, const struct request *request);
/* A place for a request that was measured and has its number. It is being copied from now on: gecc_request_copy. */
struct request *gecc_batch_add(struct batch *batch, const struct request *request, const struct call *call);
/* Copy the request and its rows to its place; any thread may do so while others use the batch. */
void gecc_request_copy(struct request *own, const struct request *request, const struct call *call);
/* It is copied: the thread leaves the batch. false: the batch is taken already, so that the thread has to leave it by
 * gecc_batch_leave_taken, while no other thread uses the batch. */
bool gecc_batch_leave(struct batch *batch);
/* Is it the last one? */
bool gecc_batch_leave_taken(struct batch *batch);
/* No request is added any more. Are there some that are being copied? Only when there is none may the batch run. */
bool gecc_batch_is_copying(struct batch *batch);
/* Take the request of that number out, and wipe its rows: it will have the result GECC_ERROR_CANCELLED. false: it is
 * not here, is being copied, or is out already. */
bool gecc_batch_cancel(struct batch *batch, uint64_t number);
/* Compute, write outputs and statuses to the callers' memory, set each request's result, and wipe rows and outputs. */
void gecc_batch_run(struct batch *batch);
/* Wipe what is left, the requests: the arena is all zeros again. */
struct arena *gecc_batch_end(struct batch *batch);

#endif
