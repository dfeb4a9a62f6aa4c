#include "queue/batch.h"

#include <string.h>

#include "backend/least.h"
#include "backend/memory.h"
#include "limbs/attributes.h"

enum { ALIGNMENT = sizeof(double) }; /* of all that lies in a batch */

static size_t aligned(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void *batch_take(struct batch *batch, size_t bytes) {
    void *taken = batch->arena->base + batch->arena->used;
    batch->arena->used += aligned(bytes);
    VERIFY(batch->arena->used <= batch->arena->bytes);
    return taken;
}

struct batch *gecc_batch_new(struct arena *arena) {
    arena->used = aligned(sizeof(struct batch));
    struct batch *batch = (struct batch *)arena->base;
    *batch = (struct batch){.arena = arena, .last = &batch->first, .bytes = arena->used};
    return batch;
}

/* Bytes of the rows; SIZE_MAX: more than `limit`. */
static size_t rows_bytes(const gecc_rows *rows, size_t count, size_t limit) {
    size_t sum = 0;
    if (rows->widths == NULL)
        return rows->width != 0 && count > limit / rows->width ? SIZE_MAX : count * rows->width;
    for (size_t i = 0; i < count; i++) {
        sum += rows->widths[i];
        if (sum > limit)
            return SIZE_MAX;
    }
    return sum;
}

bool gecc_request_measure(struct request *request, const struct call *call, size_t limit) {
    const struct job *job = &call->job;
    size_t columns = job->count;
    request->count = job->count;
    request->copies_bytes = 0;
    if (job->count > REQUEST_ROWS_MOST)
        return false;
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        if (job->in[i].data == NULL)
            continue;
        const size_t bytes = rows_bytes(&job->in[i], job->count, limit);
        if (bytes == SIZE_MAX)
            return false;
        request->in[i].bytes = bytes;
        request->copies_bytes += aligned(bytes) + (job->in[i].widths != NULL ? aligned(4 * job->count) : 0);
        if (request->copies_bytes > limit)
            return false;
        columns += (sizeof(uint64_t) + sizeof(uint32_t)) * job->count + 2 * ALIGNMENT;
    }
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (job->out[i].data != NULL)
            columns += (job->out_width[i] + sizeof(uint32_t)) * job->count + 2 * ALIGNMENT;
    request->bytes = aligned(sizeof *request) + request->copies_bytes + columns + ALIGNMENT;
    return request->bytes <= limit;
}

/* To *free, which the copy's end becomes. The caller may change rows and their widths meanwhile: as many bytes as were
 * measured are there for the copy. */
static void copy_column(struct copied *copied, const gecc_rows *rows, size_t count, uint8_t **free) {
    size_t left = copied->bytes;
    copied->width = rows->width;
    copied->widths = rows->widths == NULL ? NULL : (uint32_t *)*free;
    copied->data = *free + (rows->widths == NULL ? 0 : aligned(4 * count));
    uint8_t *to = copied->data;
    *free = to + aligned(left);
    if (rows->widths == NULL && rows->offsets == NULL && rows->stride == rows->width) {
        memcpy(to, rows->data, left);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t offset = rows->offsets != NULL ? rows->offsets[i] : (uint64_t)i * rows->stride;
        size_t width = rows->widths != NULL ? rows->widths[i] : rows->width;
        width = width < left ? width : left;
        if (copied->widths != NULL)
            copied->widths[i] = (uint32_t)width;
        if (width != 0)
            memcpy(to, (const uint8_t *)rows->data + offset, width);
        to += width;
        left -= width;
    }
}

bool gecc_batch_fits(const struct batch *batch, const struct request *request) {
    return request->bytes <= batch->arena->bytes - batch->bytes;
}

struct request *gecc_batch_add(struct batch *batch, const struct request *request, const struct call *call) {
    struct request *own = batch_take(batch, aligned(sizeof *own) + request->copies_bytes);
    VERIFY(gecc_batch_fits(batch, request));
    own->number = request->number;
    *batch->last = own;
    batch->last = &own->next;
    batch->newest = own->number;
    if (batch->requests++ == 0)
        batch->call = *call;
    /* A call that took its keys over earlier may come later. */
    batch->call.job.keys.count = most(batch->call.job.keys.count, call->job.keys.count);
    batch->rows += request->count;
    batch->bytes += request->bytes;
    atomic_fetch_add(&batch->copying, 2);
    return own;
}

void gecc_request_copy(struct request *own, const struct request *request, const struct call *call) {
    uint8_t *free = (uint8_t *)own + aligned(sizeof *own);
    own->done = request->done;
    own->argument = request->argument;
    own->waiter = request->waiter;
    own->status = request->status;
    own->count = request->count;
    own->bytes = request->bytes;
    own->copies_bytes = request->copies_bytes;
    memcpy(own->in, request->in, sizeof own->in);
    memcpy(own->out, request->out, sizeof own->out);
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (call->job.in[i].data != NULL)
            copy_column(&own->in[i], &call->job.in[i], own->count, &free);
    atomic_store(&own->is_copied, true);
}

bool gecc_batch_leave(struct batch *batch) {
    unsigned seen = atomic_load(&batch->copying);
    while ((seen & 1) == 0)
        if (atomic_compare_exchange_weak(&batch->copying, &seen, seen - 2))
            return true;
    return false;
}

bool gecc_batch_leave_taken(struct batch *batch) { return atomic_fetch_sub(&batch->copying, 2) == 3; }

bool gecc_batch_is_copying(struct batch *batch) { return atomic_fetch_or(&batch->copying, 1) > 1; }

static void wipe_copies(struct request *request) {
    gecc_wipe((uint8_t *)request + aligned(sizeof *request), request->copies_bytes);
}

bool gecc_batch_cancel(struct batch *batch, uint64_t number) {
    struct request *r = batch->first;
    if (r == NULL || number < r->number || number > batch->newest)
        return false;
    while (r != NULL && r->number != number)
        r = r->next;
    if (r == NULL || r->result != GECC_OK || !atomic_load(&r->is_copied))
        return false;
    r->result = GECC_ERROR_CANCELLED;
    batch->rows -= r->count;
    wipe_copies(r);
    return true;
}

/* The job's column: where each row of the requests is, and how wide. */
static gecc_rows join_column(struct batch *batch, unsigned column) {
    const uint8_t *base = batch->arena->base;
    uint64_t *offsets = batch_take(batch, batch->rows * sizeof *offsets);
    uint32_t *widths = batch_take(batch, batch->rows * sizeof *widths);
    size_t row = 0, width = 0;
    bool varies = false;
    for (const struct request *r = batch->first; r != NULL; r = r->next) {
        if (r->result != GECC_OK)
            continue;
        const struct copied *copied = &r->in[column];
        uint64_t offset = (uint64_t)(copied->data - base);
        for (size_t i = 0; i < r->count; i++, row++) {
            const size_t here = copied->widths != NULL ? copied->widths[i] : copied->width;
            varies |= row != 0 && here != width;
            width = here;
            offsets[row] = offset;
            widths[row] = (uint32_t)width;
            offset += width;
        }
    }
    return (gecc_rows){.data = base, .width = width, .widths = varies ? widths : NULL, .offsets = offsets};
}

/* All columns of the job. */
static void join(struct batch *batch) {
    struct job *job = &batch->call.job;
    job->count = batch->rows;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (job->in[i].data != NULL)
            job->in[i] = join_column(batch, i);
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (job->out[i].data != NULL)
            job->out[i] = (gecc_out){batch_take(batch, batch->rows * job->out_width[i]), job->out_width[i],
                                     batch_take(batch, batch->rows * sizeof(uint32_t))};
    job->status = gecc_out_packed(batch_take(batch, batch->rows), 1);
    memset(job->status.data, GECC_ITEM_NOT_PROCESSED, batch->rows);
}

/* Give the request its rows, from row `first` of the job on; those of one that was cancelled are zeros. */
static void give(const struct job *job, size_t first, const struct request *request) {
    const bool computed = request->result != GECC_ERROR_CANCELLED;
    const uint8_t *status = job->status.data;
    for (unsigned column = 0; column < JOB_OUTPUTS; column++) {
        const gecc_out *out = &request->out[column], *from = &job->out[column];
        for (size_t i = 0; out->data != NULL && i < request->count; i++) {
            uint8_t *to = (uint8_t *)out->data + i * out->stride;
            if (computed)
                memcpy(to, (const uint8_t *)from->data + (first + i) * from->stride, job->out_width[column]);
            else
                memset(to, 0, job->out_width[column]);
            if (out->widths != NULL)
                out->widths[i] = computed ? from->widths[first + i] : 0;
        }
    }
    for (size_t i = 0; computed && i < request->count; i++)
        ((uint8_t *)request->status.data)[i * request->status.stride] = status[first + i];
}

/* The job's result is that of requests that have rows without one. */
static gecc_result result_of(const struct job *job, size_t first, size_t count, gecc_result result) {
    return memchr((const uint8_t *)job->status.data + first, GECC_ITEM_NOT_PROCESSED, count) != NULL ? result : GECC_OK;
}

void gecc_batch_run(struct batch *batch) {
    const struct job *job = &batch->call.job;
    struct arena *arena = batch->arena;
    const size_t requests_bytes = arena->used;
    gecc_result result = GECC_OK;
    size_t row = 0;
    if (batch->rows != 0) {
        join(batch);
        result = gecc_call_run(&batch->call);
    }
    for (struct request *r = batch->first; r != NULL; r = r->next) {
        const bool cancelled = r->result != GECC_OK;
        if (!cancelled && r->count != 0)
            r->result = result_of(job, row, r->count, result);
        give(job, row, r);
        row += cancelled ? 0 : r->count;
        wipe_copies(r);
    }
    gecc_wipe(arena->base + requests_bytes, arena->used - requests_bytes);
}

struct arena *gecc_batch_end(struct batch *batch) {
    struct arena *arena = batch->arena;
    for (struct request *r = batch->first, *next; r != NULL; r = next) {
        next = r->next;
        gecc_wipe(r, sizeof *r);
    }
    gecc_wipe(batch, sizeof *batch);
    return arena;
}
