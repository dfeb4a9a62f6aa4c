/* Rows of a job that a list names, as a job of their own: for rows that have their key in common, or have none that has
 * a table. For operations that give statuses alone, with rows and statuses in host memory. */
#ifndef GECC_BACKEND_ROW_LIST_H
#define GECC_BACKEND_ROW_LIST_H

#include <stdbool.h>

#include "scheme/job.h"

struct row_list {
    uint32_t *row;                 /* the rows' numbers, set by the caller */
    uint64_t *offsets[JOB_INPUTS]; /* where they are, and */
    uint32_t *widths[JOB_INPUTS];
    uint8_t *status; /* what becomes of them */
};

/* Bytes for each row of a list. */
enum { ROW_LIST_BYTES = 5 + 12 * JOB_INPUTS };

/* Room for so many rows of the job. false: there is no memory for it. */
bool gecc_row_list_make(struct row_list *list, const struct job *job, size_t rows);
void gecc_row_list_free(struct row_list *list);

/* The job's rows row[0] .. row[count - 1], whose statuses start as NOT_PROCESSED. */
struct job gecc_row_list_job(const struct row_list *list, const struct job *job, size_t count);
/* Give their statuses to the caller of the whole job. */
void gecc_row_list_publish(const struct row_list *list, const struct job *job, size_t count);

/* The rows of a column that are listed; offsets and widths are written. */
gecc_rows gecc_rows_listed(const gecc_rows *rows, const uint32_t *row, size_t count, uint64_t *offsets,
                           uint32_t *widths);

#endif
