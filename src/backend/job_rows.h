/* Rows of a job as jobs of their own: for backends that share a job, or finish what another one left. Inlined, because
 * modules need it too. */
#ifndef GECC_BACKEND_JOB_ROWS_H
#define GECC_BACKEND_JOB_ROWS_H

#include <string.h>

#include "scheme/job.h"

/* Rows first .. first + count - 1 as a job of their own. */
static inline struct job job_rows(const struct job *job, size_t first, size_t count) {
    struct job part = *job;
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        gecc_rows *rows = &part.in[i];
        if (rows->data == NULL)
            continue;
        if (rows->offsets != NULL)
            rows->offsets += first;
        else
            rows->data = (const uint8_t *)rows->data + first * rows->stride;
        if (rows->widths != NULL)
            rows->widths += first;
    }
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        gecc_out *out = &part.out[i];
        if (out->data == NULL)
            continue;
        out->data = (uint8_t *)out->data + first * out->stride;
        if (out->widths != NULL)
            out->widths += first;
    }
    part.status.data = (uint8_t *)part.status.data + first * part.status.stride;
    part.count = count;
    return part;
}

/* Fill the widths of outputs whose rows all have one, by their statuses. */
static inline void job_write_plain_widths(const struct job *job, size_t first, size_t count) {
    for (unsigned column = 0; column < JOB_OUTPUTS; column++) {
        uint32_t *widths = job->out[column].widths;
        if (widths == NULL || (job->plain_outputs >> column & 1) == 0)
            continue;
        for (size_t i = first; i < first + count; i++) {
            uint8_t status = ((const uint8_t *)job->status.data)[i * job->status.stride];
            widths[i] = status == GECC_ITEM_OK ? (uint32_t)job->out_width[column] : 0;
        }
    }
}

/* The first row from `first` on that is, or is not, without a result. */
static inline size_t job_find_row(const struct job *job, size_t first, bool without) {
    const uint8_t *status = job->status.data;
    if (without && job->status.stride == 1 && first < job->count) {
        const uint8_t *found = memchr(status + first, GECC_ITEM_NOT_PROCESSED, job->count - first);
        return found != NULL ? (size_t)(found - status) : job->count;
    }
    while (first < job->count && (status[first * job->status.stride] == GECC_ITEM_NOT_PROCESSED) != without)
        first++;
    return first;
}

/* Has the caller given the job up? Asked before each chunk of rows. */
static inline bool job_is_cancelled(const struct job *job) {
    return job->cancelled != NULL && __atomic_load_n(job->cancelled, __ATOMIC_RELAXED) != 0;
}

/* Can somebody else compute the rows that a job with this result left? */
static inline bool job_can_go_on(gecc_result result) {
    return result == GECC_ERROR_MEMORY || result == GECC_ERROR_DEVICE || result == GECC_ERROR_FAULT ||
           result == GECC_ERROR_UNSUPPORTED;
}

#endif
