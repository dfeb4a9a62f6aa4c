#include "backend/repeats.h"

#include <stdlib.h>
#include <string.h>

#include "backend/clock.h"
#include "backend/job_rows.h"
#include "backend/key_column.h"
#include "backend/row_list.h"

/* Lists of rows are run in blocks, which bounds the memory for them. */
enum { BLOCK = 1 << 18 };

/* Fewer rows at once are not worth it. */
enum { PART_LEAST = 1024 };

/* What the caller allows for tables has room for what finds the keys, too. Bytes of a row while it is grouped, at most,
 * and while groups run; and of a row of a block. */
enum { GROUPING_BYTES = 36, GROUPED_BYTES = 16, BLOCK_ROW_BYTES = KEY_NUMBER_BYTES + ROW_LIST_BYTES };

enum { NO_TABLES = 1 }; /* gecc_config.key_table_bytes */

/* Rows by their keys. Group g has the rows order[start[g] .. start[g + 1] - 1]. */
struct groups {
    uint64_t seed[2];
    size_t count, rows;
    size_t *start;
    uint32_t *order;
};

static void groups_free(struct groups *groups) {
    free(groups->start);
    free(groups->order);
}

/* Number the keys, and count the rows of each: start[g + 1] for group g. group: of each row. false: there is no memory
 * for it. */
static bool groups_count(struct groups *groups, const gecc_rows *keys, uint32_t *group) {
    struct key_numbers numbers;
    if (!gecc_key_numbers_make(&numbers, keys, groups->seed, groups->rows, false))
        return false;
    for (size_t i = 0; i < groups->rows; i++) {
        group[i] = gecc_key_numbers_take(&numbers, i);
        groups->start[group[i] + 1]++;
    }
    groups->count = numbers.count;
    gecc_key_numbers_free(&numbers);
    return true;
}

/* false: there is no memory for it. */
static bool groups_make(struct groups *groups, const gecc_rows *keys, size_t rows) {
    uint32_t *group = malloc(rows * sizeof group[0]);
    groups->rows = rows;
    groups->start = calloc(rows + 1, sizeof groups->start[0]);
    groups->order = malloc(rows * sizeof groups->order[0]);
    bool made = group != NULL && groups->start != NULL && groups->order != NULL && groups_count(groups, keys, group);
    for (size_t g = 0; made && g < groups->count; g++)
        groups->start[g + 1] += groups->start[g];
    for (size_t i = 0; made && i < rows; i++)
        groups->order[groups->start[group[i]]++] = (uint32_t)i;
    for (size_t g = groups->count; made && g > 0; g--)
        groups->start[g] = groups->start[g - 1];
    if (made)
        groups->start[0] = 0;
    free(group);
    return made;
}

static size_t group_rows(const struct groups *groups, size_t g) { return groups->start[g + 1] - groups->start[g]; }

/* A call on its way. */
struct repeats {
    const struct backend *backend;
    void *state;
    const struct job *job;
    struct key_plan plan;
    struct groups groups;
    gecc_report *report;
    gecc_result result; /* the first error */
    size_t prepared_keys, prepared_rows;
};

/* Rows that are run at once, with the number of each one's key. */
struct block {
    struct row_list list;
    uint8_t *number; /* KEY_NUMBER_BYTES */
};

static void block_free(struct block *block) {
    gecc_row_list_free(&block->list);
    free(block->number);
}

static bool block_make(struct block *block, const struct job *job, size_t rows) {
    block->number = malloc(KEY_NUMBER_BYTES * rows);
    if (block->number != NULL && gecc_row_list_make(&block->list, job, rows))
        return true;
    free(block->number);
    return false;
}

static void note(struct repeats *r, gecc_result result) { r->result = r->result == GECC_OK ? result : r->result; }

/* Run the block's rows, by its numbers if there are keys. */
static void run_block(struct repeats *r, const struct block *block, const struct key_set *keys, size_t count) {
    struct job listed = gecc_row_list_job(&block->list, r->job, count);
    if (keys != NULL) {
        listed.operation = gecc_operation_by_keys(r->job->operation);
        listed.keys = *keys;
        listed.in[0] = gecc_rows_packed(block->number, KEY_NUMBER_BYTES);
    }
    note(r, r->backend->run(r->state, &listed, r->report));
    gecc_row_list_publish(&block->list, r->job, count);
}

/* Run the rows of some groups, by their keys' numbers if there are keys. */
static void run_groups(struct repeats *r, struct block *block, const uint32_t *group, size_t count,
                       const struct key_set *keys) {
    size_t used = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t at = r->groups.start[group[k]]; at < r->groups.start[group[k] + 1]; at++) {
            key_number_write(block->number + KEY_NUMBER_BYTES * used, (uint32_t)k);
            block->list.row[used++] = r->groups.order[at];
            if (used == BLOCK) {
                run_block(r, block, keys, used);
                used = 0;
            }
        }
    if (used != 0)
        run_block(r, block, keys, used);
}

/* Points of the groups' keys, by which tables are made. */
static gecc_rows keys_of(const struct repeats *r, struct block *block, const uint32_t *group, size_t count,
                         uint32_t *first) {
    for (size_t k = 0; k < count; k++)
        first[k] = r->groups.order[r->groups.start[group[k]]];
    return gecc_rows_listed(&r->job->in[0], first, count, block->list.offsets[0], block->list.widths[0]);
}

/* Run groups with tables, all at once; without where they cannot be had. */
static void run_prepared(struct repeats *r, struct block *block, const uint32_t *group, size_t count) {
    uint32_t *first = calloc(count, sizeof *first);
    uint8_t *status = malloc(count), *points = malloc(count * KEY_COMPRESSED_BYTES);
    uint32_t *widths = malloc(count * sizeof *widths);
    struct key_set keys = {.count = (uint32_t)count, .status = status};
    struct job job = *r->job;
    size_t bytes;
    bool prepared = first != NULL && status != NULL && points != NULL && widths != NULL;
    if (prepared) {
        job.in[0] = keys_of(r, block, group, count, first);
        if (job.operation == OPERATION_SCHNORR_VERIFY)
            job.in[0] = gecc_x_only_points(&job.in[0], count, points, widths);
        job.status = gecc_out_packed(status, 1);
        job.count = count;
        prepared = r->backend->keys_make(r->state, &job, &r->plan, &keys, &bytes) == GECC_OK;
    }
    run_groups(r, block, group, count, prepared ? &keys : NULL);
    if (prepared) {
        r->prepared_keys += count;
        for (size_t k = 0; k < count; k++)
            r->prepared_rows += group_rows(&r->groups, group[k]);
        r->backend->keys_free(r->state, &keys);
    }
    free(first);
    free(status);
    free(points);
    free(widths);
}

/* Groups of about as many rows, from `from` on up to 8 times as many, in lots that the memory has room for. */
static void run_class(struct repeats *r, struct block *block, uint32_t *group, size_t from) {
    const struct groups *groups = &r->groups;
    size_t count = 0, rows = 0, lot;
    for (size_t g = 0; g < groups->count; g++)
        if (group_rows(groups, g) >= from && group_rows(groups, g) / 8 < from) {
            group[count++] = (uint32_t)g;
            rows += group_rows(groups, g);
        }
    if (count == 0)
        return;
    r->plan.rows = rows / count;
    lot = gecc_key_lot(r->job->curve, &r->plan, count);
    for (size_t at = 0; at < count; at += lot)
        run_prepared(r, block, group + at, count - at < lot ? count - at : lot);
}

/* Groups of fewer rows. */
static void run_rest(struct repeats *r, struct block *block, uint32_t *group, size_t least) {
    size_t count = 0;
    for (size_t g = 0; g < r->groups.count; g++)
        if (group_rows(&r->groups, g) < least)
            group[count++] = (uint32_t)g;
    if (count != 0)
        run_groups(r, block, group, count, NULL);
}

/* Returns whether there was memory to begin. */
static bool run_grouped(struct repeats *r, size_t least) {
    const size_t rows = r->job->count, room = rows < BLOCK ? rows : BLOCK;
    uint32_t *group = calloc(r->groups.count + 1, sizeof *group);
    struct block block;
    size_t from = least;
    if (group == NULL || !block_make(&block, r->job, room)) {
        free(group);
        return false;
    }
    for (; from <= rows / 8; from *= 8)
        run_class(r, &block, group, from);
    run_class(r, &block, group, from);
    run_rest(r, &block, group, least);
    block_free(&block);
    free(group);
    return true;
}

/* Do the groups that are worth tables have enough of the rows? Else the job is faster in one piece. */
static bool groups_pay(const struct groups *groups, size_t least) {
    size_t rows = 0;
    for (size_t g = 0; g < groups->count; g++)
        rows += group_rows(groups, g) >= least ? group_rows(groups, g) : 0;
    return rows >= groups->rows / 8;
}

bool gecc_repeats_likely(const struct job *job, size_t memory) {
    uint64_t seed[2];
    size_t keys;
    return memory != NO_TABLES && gecc_operation_by_keys(job->operation) != OPERATION_COUNT &&
           gecc_keys_repeat(job, seed, gecc_key_rows_least(job->curve), &keys);
}

/* How many rows are grouped at once, so that at least half of the memory is left for tables. */
static size_t rows_at_once(size_t memory) {
    const size_t half = memory / 2, rows = half / (GROUPING_BYTES + BLOCK_ROW_BYTES);
    return rows < BLOCK ? rows : (half - BLOCK * BLOCK_ROW_BYTES) / GROUPING_BYTES;
}

/* Returns whether the job's rows, which are grouped at once, are done. */
static bool run_part(struct repeats *r, size_t memory, size_t least) {
    const uint64_t seed[2] = {r->groups.seed[0], r->groups.seed[1]};
    const size_t rows = r->job->count;
    r->groups = (struct groups){.seed = {seed[0], seed[1]}};
    r->plan.memory = memory - rows * GROUPED_BYTES - (rows < BLOCK ? rows : BLOCK) * BLOCK_ROW_BYTES;
    bool grouped =
        groups_make(&r->groups, &r->job->in[0], rows) && groups_pay(&r->groups, least) && run_grouped(r, least);
    groups_free(&r->groups);
    return grouped;
}

bool gecc_repeats_run(const struct backend *backend, void *state, const struct job *job, size_t memory,
                      gecc_report *report, gecc_result *result) {
    struct repeats r = {.backend = backend, .state = state, .report = report};
    const double start = seconds_now();
    if (memory == NO_TABLES || gecc_operation_by_keys(job->operation) == OPERATION_COUNT)
        return false;
    memory = memory == 0 ? KEY_MEMORY_DEFAULT : memory;
    const size_t least = gecc_key_rows_least(job->curve), at_once = rows_at_once(memory);
    size_t keys;
    if ((at_once < job->count && at_once < PART_LEAST) || !gecc_keys_repeat(job, r.groups.seed, least, &keys))
        return false;
    for (size_t first = 0, count; first < job->count; first += count) {
        count = job->count - first < at_once ? job->count - first : at_once;
        struct job part = job_rows(job, first, count);
        r.job = &part;
        if (run_part(&r, memory, least))
            continue;
        if (first == 0)
            return false;
        part.rows_are_grouped = true;
        note(&r, backend->run(state, &part, report));
    }
    report->seconds = seconds_now() - start; /* tables, and what finds their keys, counted */
    report->prepared_keys = r.prepared_keys;
    report->prepared_rows = r.prepared_rows;
    *result = r.result;
    return true;
}
