/* Rows that come one at a time: any thread submits some, and the queue joins rows of many threads into jobs. For
 * servers whose threads each hold one signature. Conventions: gecc/context.h.
 *
 * Rows are joined where one gecc_run could have them: the operation, its parameters, the options and the columns that
 * are left out are alike. They become a job when a thread of the queue would be idle otherwise, when there are as many
 * as are worth a thread of their own, as earlier jobs showed, or when the oldest has waited for max_wait_us. So a row
 * goes out at once where nothing is under way, and jobs grow by themselves where much is. Rows of one operation do not
 * wait for more than one job of every other.
 *
 * The rows of one call are a request. They stay together, and are copied before the call returns; the copies are wiped
 * when the request is done, and are left out of core dumps. Outputs and statuses have to live until the request is
 * done; they are in host memory, as inputs are. A request is done once, with the result that gecc_run would have given
 * for its rows: a failure that another request of the same job brings about (GECC_ERROR_FAULT, say) is no concern of
 * it as long as all its own rows were processed. options->report, job and stream have to be NULL.
 *
 * In a child of fork a queue has no threads: gecc_queue_run runs the rows itself, gecc_queue_submit is
 * GECC_ERROR_THREAD, and requests from before the fork are never done. */
#ifndef GECC_QUEUE_H
#define GECC_QUEUE_H

#include <gecc/context.h>
#include <gecc/operations.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gecc_queue gecc_queue;

typedef struct gecc_queue_config {
    size_t size;          /* sizeof(gecc_queue_config) */
    size_t rows;          /* the most rows that are submitted and not done (or done and not taken, see gecc_queue_take);
                             0: 65,536. A request of no rows counts as one */
    size_t bytes;         /* the most memory that their copies and outputs take; 0: 64 MiB */
    uint32_t max_wait_us; /* microseconds that a row waits for others while a thread has nothing to do; 0: 200 */
    unsigned threads;     /* of the queue, which run jobs; 0: as many as the context's CPU backend has */
    int waits_for_room;   /* 1: who submits to a full queue waits until there is room, and others behind that thread,
                             in order; 0: it is GECC_ERROR_BUSY */
    int reserved;         /* has to be 0 */
} gecc_queue_config;

#define GECC_QUEUE_CONFIG_INIT                                                                                         \
    { sizeof(gecc_queue_config), 0, 0, 0, 0, 0, 0 }

/* A request is done: called once, on a thread of the queue, which computes nothing until it returns. It may submit (a
 * full queue, or one where others wait, is GECC_ERROR_BUSY then, even with waits_for_room), cancel, and call
 * gecc_queue_run, whose rows that thread then runs itself; it may not drain or close the queue, nor wait for another
 * request. Outputs, statuses and all that the request's thread wrote before it submitted can be seen here. */
typedef void (*gecc_queue_done)(void *argument, gecc_result result);

/* A request that is done and had no gecc_queue_done. */
typedef struct gecc_completion {
    void *argument; /* as it was submitted */
    gecc_result result;
} gecc_completion;

/* Open a queue on a context, which has to outlive it. config NULL: GECC_QUEUE_CONFIG_INIT. *queue is NULL unless the
 * call succeeds. Any number of threads may use it at once. */
GECC_CALL gecc_result gecc_queue_open(gecc_context *context, gecc_queue **queue, const gecc_queue_config *config);

/* Take no more requests, which are GECC_ERROR_CANCELLED from now on, and wait until those submitted are done. Any
 * thread may call it. */
GECC_API void gecc_queue_drain(gecc_queue *queue);
/* The same, then free the queue, with completions that were not taken. Last of all, when no other thread can call
 * functions of the queue any more; threads that wait in gecc_queue_run or for room are waited for. Closing NULL does
 * nothing. */
GECC_API void gecc_queue_close(gecc_queue *queue);

/* gecc_run by the queue: submit the rows and wait until they are done. Where nothing is queued and a thread of the
 * queue is idle, the calling thread runs them instead, without a copy. */
GECC_CALL gecc_result gecc_queue_run(gecc_queue *queue, const gecc_operation *operation,
                                     const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status,
                                     const gecc_rows *inputs, size_t count, const gecc_options *options);

/* Submit rows and return. done: called when they are done; NULL: gecc_queue_take gives `argument` then. *number, unless
 * it is NULL, is a number for gecc_queue_cancel, set before the request can be done. What gecc_run would refuse is
 * refused here, and GECC_ERROR_ARGUMENT is also a request that an empty queue has no room for. A request that is
 * refused, or GECC_ERROR_BUSY, is not submitted: it is never done. */
GECC_CALL gecc_result gecc_queue_submit(gecc_queue *queue, const gecc_operation *operation,
                                        const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status,
                                        const gecc_rows *inputs, size_t count, const gecc_options *options,
                                        gecc_queue_done done, void *argument, uint64_t *number);

/* Cancel a request that no job has taken: it is done soon, with GECC_ERROR_CANCELLED and statuses NOT_PROCESSED, and
 * its copies are wiped before the call returns. 1: it is cancelled; 0: it is not in the queue (any more). Numbers are
 * never used twice. */
GECC_API int gecc_queue_cancel(gecc_queue *queue, uint64_t number);

/* Take up to `most` requests that are done and had no gecc_queue_done, in the order in which they were done; where
 * there are none, wait for one for so many microseconds. Returns how many; 0 at once where the queue is drained, or
 * `most` is 0. */
GECC_API size_t gecc_queue_take(gecc_queue *queue, gecc_completion *taken, size_t most, uint64_t microseconds);

#ifdef __cplusplus
}
#endif
#endif
