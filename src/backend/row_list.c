#include "backend/row_list.h"

#include <stdlib.h>
#include <string.h>

void gecc_row_list_free(struct row_list *list) {
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        free(list->offsets[i]);
        free(list->widths[i]);
    }
    free(list->row);
    free(list->status);
}

bool gecc_row_list_make(struct row_list *list, const struct job *job, size_t rows) {
    bool made = true;
    *list = (struct row_list){.row = malloc(rows * sizeof list->row[0]), .status = malloc(rows)};
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        if (job->in[i].data == NULL)
            continue;
        list->offsets[i] = malloc(rows * sizeof list->offsets[i][0]);
        list->widths[i] = malloc(rows * sizeof list->widths[i][0]);
        made = made && list->offsets[i] != NULL && list->widths[i] != NULL;
    }
    if (made && list->row != NULL && list->status != NULL)
        return true;
    gecc_row_list_free(list);
    return false;
}

gecc_rows gecc_rows_listed(const gecc_rows *rows, const uint32_t *row, size_t count, uint64_t *offsets,
                           uint32_t *widths) {
    gecc_rows r = *rows;
    if (rows->data == NULL)
        return r;
    for (size_t k = 0; k < count; k++)
        offsets[k] = rows->offsets != NULL ? rows->offsets[row[k]] : (uint64_t)row[k] * rows->stride;
    r.offsets = offsets;
    for (size_t k = 0; k < count && rows->widths != NULL; k++)
        widths[k] = rows->widths[row[k]];
    if (rows->widths != NULL)
        r.widths = widths;
    return r;
}

struct job gecc_row_list_job(const struct row_list *list, const struct job *job, size_t count) {
    struct job listed = *job;
    listed.rows_are_grouped = true;
    listed.count = count;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        listed.in[i] = gecc_rows_listed(&job->in[i], list->row, count, list->offsets[i], list->widths[i]);
    memset(list->status, GECC_ITEM_NOT_PROCESSED, count);
    listed.status = gecc_out_packed(list->status, 1);
    return listed;
}

void gecc_row_list_publish(const struct row_list *list, const struct job *job, size_t count) {
    for (size_t k = 0; k < count; k++)
        ((uint8_t *)job->status.data)[list->row[k] * job->status.stride] = list->status[k];
}
