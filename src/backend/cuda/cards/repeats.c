#include "backend/cuda/cards/repeats.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/cuda/cards/keys.h"
#include "backend/cuda/cards/run.h"
#include "backend/key_column.h"
#include "backend/job_rows.h"
#include "backend/least.h"
#include "backend/row_list.h"

enum { NO_TABLES = 1 }; /* gecc_config.key_table_bytes */

/* Rows of the sample that chooses keys: so many of each key, as far as the first look shows; but at least so many, and
 * no more than shows that a key has rows enough. */
enum { SAMPLE_OF_A_KEY = 16, SAMPLE_LEAST = 4096, SAMPLE_OF_LEAST = 4 };

/* Rows without a table that run at once, at most. */
enum { REST_ROWS = 1 << 20 };

/* What a job with numbers points to. */
struct columns {
    struct key_numbers keys; /* those that have a table */
    uint32_t zero;           /* the number of an only key */
    gecc_rows given;         /* the caller's column */
    uint64_t *offsets;       /* of a point of each key in the caller's column */
    uint32_t *widths;
    uint8_t *points, *status; /* points: where the caller's are x-only */
};

static void columns_free(struct columns *columns) {
    gecc_key_numbers_free(&columns->keys);
    free(columns->offsets);
    free(columns->widths);
    free(columns->points);
    free(columns->status);
    free(columns);
}

/* Choose the keys of which a sample of so many rows has `least_seen`. Returns how many of its rows have these; 0: these
 * are not most of them, or there is no memory. */
static size_t choose_keys(struct columns *columns, const struct job *job, const uint64_t seed[2], size_t sample,
                          size_t least_seen) {
    size_t mask = 1, rows = 0;
    while (mask < 2 * sample)
        mask = 2 * mask + 1;
    struct key_count *counts = calloc(mask + 1, sizeof *counts);
    if (counts == NULL)
        return 0;
    const size_t different = gecc_key_sample(counts, mask, &job->in[0], job->count, sample, seed);
    if (gecc_key_numbers_make(&columns->keys, &job->in[0], seed, different, true))
        for (size_t i = 0; i <= mask; i++)
            if (counts[i].rows >= least_seen) {
                (void)gecc_key_numbers_take(&columns->keys, counts[i].row);
                rows += counts[i].rows;
            }
    free(counts);
    return rows < sample / 2 ? 0 : rows;
}

/* packer.pack: numbers of the rows' keys. */
static void pack_numbers(const struct packer *packer, const struct job *part, size_t first, size_t end, uint8_t *to) {
    const struct columns *columns = ((const struct numbered *)packer)->columns;
    const gecc_rows *given = &columns->given, *here = &part->in[0];
    const size_t skipped = given->offsets != NULL
                               ? (size_t)(here->offsets - given->offsets)
                               : (size_t)((const uint8_t *)here->data - (const uint8_t *)given->data) / given->stride;
    gecc_key_numbers_find(&columns->keys, skipped + first, end - first, (uint32_t *)(void *)to);
}

/* Room for what makes the tables. */
static bool columns_make(struct columns *columns) {
    const size_t keys = columns->keys.count;
    columns->offsets = malloc(keys * sizeof columns->offsets[0]);
    columns->widths = malloc(keys * sizeof columns->widths[0]);
    columns->points = malloc(keys * KEY_COMPRESSED_BYTES);
    columns->status = malloc(keys);
    return columns->offsets != NULL && columns->widths != NULL && columns->points != NULL && columns->status != NULL;
}

/* The column of the keys' points. */
static gecc_rows points_of(const struct columns *columns, const struct job *job, size_t keys) {
    gecc_rows points = job->in[0];
    for (size_t k = 0; k < keys; k++) {
        const size_t row = columns->keys.first[k];
        columns->offsets[k] = points.offsets != NULL ? points.offsets[row] : row * points.stride;
        columns->widths[k] = points.widths != NULL ? points.widths[row] : (uint32_t)points.width;
    }
    points.offsets = columns->offsets;
    if (points.widths != NULL)
        points.widths = columns->widths;
    return job->operation == OPERATION_SCHNORR_VERIFY
               ? gecc_x_only_points(&points, keys, columns->points, columns->widths)
               : points;
}

/* The job with numbers: what takes them is little-endian, as every host is that has a GPU. */
static void numbered_set(struct numbered *numbered, struct columns *columns, const struct job *job, size_t rows,
                         size_t memory) {
    const uint32_t keys = columns->keys.count;
    *numbered = (struct numbered){.packer.pack = pack_numbers,
                                  .keys = *job,
                                  .rows = *job,
                                  .plan = {.rows = rows / keys, .memory = memory},
                                  .columns = columns};
    numbered->keys.in[0] = points_of(columns, job, keys);
    numbered->keys.status = gecc_out_packed(columns->status, 1);
    numbered->keys.count = keys;
    numbered->rows.operation = gecc_operation_by_keys(job->operation);
    columns->given = job->in[0];
    numbered->rows.in[0].width = sizeof columns->zero;
    numbered->rows.in[0].widths = NULL;
    if (gecc_is_one_key(&job->in[0])) {
        numbered->rows.in[0].data = &columns->zero;
        numbered->packer.pack = NULL;
    }
    numbered->rows.keys = (struct key_set){.count = keys, .status = columns->status};
}

bool gecc_numbered_make(struct numbered *numbered, const struct job *job, size_t memory) {
    uint64_t seed[2];
    size_t keys, rows = 0;
    if (memory == NO_TABLES || gecc_operation_by_keys(job->operation) == OPERATION_COUNT)
        return false;
    const size_t rows_least = gecc_key_rows_least_gpu(job->curve);
    if (job->in[0].stride == 0 && job->in[0].offsets == NULL && job->in[0].widths != NULL)
        return false; /* where a row is does not say which it is */
    if (!gecc_keys_repeat(job, seed, 2 * rows_least, &keys) || job->count < rows_least)
        return false;
    const size_t sample = least(
        job->count, most(SAMPLE_LEAST, least(SAMPLE_OF_A_KEY * keys, SAMPLE_OF_LEAST * (job->count / rows_least))));
    struct columns *columns = calloc(1, sizeof *columns);
    if (columns !=
        NULL) /* of the rows that pay half do, since some keys have fewer in a sample; two at least, or each would */
        rows = choose_keys(columns, job, seed, sample, most(2, rows_least * sample / job->count / 2));
    rows = (size_t)((double)rows / (double)sample * (double)job->count);
    if (columns != NULL && columns->keys.count != 0 && rows / columns->keys.count >= rows_least &&
        columns_make(columns)) {
        numbered_set(numbered, columns, job, rows, memory);
        return true;
    }
    if (columns != NULL)
        columns_free(columns);
    return false;
}

void gecc_numbered_free(struct numbered *numbered) { columns_free(numbered->columns); }

/* Run the rows that have no result as the job has them; returns how many there are. */
static size_t run_rest(struct cards *cards, const struct job *job, struct row_list *list, gecc_report *report,
                       gecc_result *result) {
    size_t rows = 0;
    for (size_t next = job_find_row(job, 0, true); next < job->count;) {
        gecc_report own = GECC_REPORT_INIT;
        size_t count = 0;
        for (; next < job->count && count < REST_ROWS; next = job_find_row(job, next + 1, true))
            list->row[count++] = (uint32_t)next;
        const struct job rest = gecc_row_list_job(list, job, count);
        gecc_result here = gecc_cards_run(cards, &rest, NULL, &own);
        gecc_row_list_publish(list, job, count);
        rows += count;
        report->kernel_seconds += own.kernel_seconds;
        if (own.reason[0] != 0)
            (void)snprintf(report->reason, sizeof report->reason, "%s", own.reason);
        if (here != GECC_OK) {
            *result = here;
            break;
        }
    }
    return rows;
}

/* With tables, and then, where a card lacked what it needed for them or failed, the rest without. Returns false where
 * there is no memory for tables. */
static bool run_numbered(struct cards *cards, struct numbered *numbered, const struct job *job, gecc_report *report,
                         gecc_result *result) {
    struct row_list list;
    size_t bytes;
    if (!gecc_row_list_make(&list, job, least(job->count, REST_ROWS)))
        return false;
    bool made = gecc_cards_keys_make(cards, &numbered->keys, &numbered->plan, &numbered->rows.keys, &bytes) == GECC_OK;
    if (made) {
        *result =
            gecc_cards_run(cards, &numbered->rows, numbered->packer.pack != NULL ? &numbered->packer : NULL, report);
        gecc_cards_keys_free(cards, &numbered->rows.keys);
        report->prepared_keys = numbered->keys.count;
        report->prepared_rows = job->count;
        if (*result == GECC_OK || (job_can_go_on(*result) && gecc_cards_work(cards))) {
            *result = GECC_OK;
            report->prepared_rows -= run_rest(cards, job, &list, report, result);
        }
    }
    gecc_row_list_free(&list);
    return made;
}

bool gecc_cards_run_repeats(struct cards *cards, const struct job *job, size_t memory, gecc_report *report,
                            gecc_result *result) {
    struct numbered numbered;
    if (!gecc_cards_work(cards) || !gecc_numbered_make(&numbered, job, memory))
        return false;
    bool done = run_numbered(cards, &numbered, job, report, result);
    gecc_numbered_free(&numbered);
    return done;
}
