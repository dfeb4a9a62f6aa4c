#include "backend/repeats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "scheme/operation.h"

/* Calls of fewer rows are not looked at; a sample has at most SAMPLE rows, and shows that keys repeat by SIGHTINGS of a key
 * that it has already. Lists of rows are run in blocks, which bounds the memory for them. */
enum { ROWS_LEAST = 256, SAMPLE = 512, SIGHTINGS = 4, BLOCK = 1 << 18 };

enum { NO_TABLES = 1 }; /* gecc_config.key_table_bytes */

/* The operation on numbers of keys that does what this one does with points; OPERATION_COUNT: there is none. */
static enum operation operation_by_keys(enum operation operation) {
    switch (operation) {
    case OPERATION_ECDSA_VERIFY:
        return OPERATION_ECDSA_VERIFY_KEYS;
    case OPERATION_SM2_VERIFY:
        return OPERATION_SM2_VERIFY_KEYS;
    case OPERATION_SCHNORR_VERIFY:
        return OPERATION_SCHNORR_VERIFY_KEYS;
    default:
        return OPERATION_COUNT;
    }
}

/* A key as it is encoded: one that is encoded in two ways counts as two. */
struct encoding {
    const uint8_t *data;
    size_t width;
};

static struct encoding encoding_at(const gecc_rows *rows, size_t i) {
    const uint8_t *data = rows->data;
    return (struct encoding){data + (rows->offsets != NULL ? rows->offsets[i] : i * rows->stride),
                             rows->widths != NULL ? rows->widths[i] : rows->width};
}

static bool encodings_equal(struct encoding a, struct encoding b) {
    return a.width == b.width && (a.data == b.data || memcmp(a.data, b.data, a.width) == 0);
}

/* Rows by their keys. Group g has the rows order[start[g] .. start[g + 1] - 1]. */
struct groups {
    uint64_t seed[2];
    size_t count, rows;
    uint32_t *slots; /* of a hash table: a group's number + 1, or 0 */
    size_t mask;     /* slots less 1 */
    uint32_t *group; /* of each row */
    size_t *start;
    uint32_t *order;
};

__extension__ typedef unsigned __int128 wide;

static uint64_t fold(uint64_t a, uint64_t b) {
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* By a seed that nobody can guess, or keys could be made that all have one hash. */
static uint64_t hash_of(const uint64_t seed[2], struct encoding e) {
    uint64_t h = seed[0] ^ e.width;
    for (size_t i = 0; i < e.width; i += 8) {
        uint64_t word = 0;
        memcpy(&word, e.data + i, e.width - i < 8 ? e.width - i : 8);
        h = fold(h ^ word, seed[1]);
    }
    return h;
}

static bool seed_take(uint64_t seed[2]) {
    bool drawn = getrandom(seed, 2 * sizeof seed[0], GRND_NONBLOCK) == (ssize_t)(2 * sizeof seed[0]);
    seed[1] |= 1;
    return drawn;
}

/* The keys in a sample that it has already, of `seen` rows. */
static size_t sightings(const gecc_rows *keys, size_t count, const uint64_t seed[2], size_t *seen) {
    size_t slots[2 * SAMPLE] = {0}, again = 0; /* a row + 1 */
    *seen = count / 8 < SAMPLE ? count / 8 : SAMPLE;
    for (size_t k = 0; k < *seen; k++) {
        const size_t row = (size_t)((double)k * (double)count / (double)*seen);
        struct encoding e = encoding_at(keys, row);
        size_t at = hash_of(seed, e) % (2 * SAMPLE);
        while (slots[at] != 0 && !encodings_equal(e, encoding_at(keys, slots[at] - 1)))
            at = (at + 1) % (2 * SAMPLE);
        again += slots[at] != 0;
        slots[at] = row + 1;
    }
    return again;
}

static void groups_free(struct groups *groups) {
    free(groups->slots);
    free(groups->group);
    free(groups->start);
    free(groups->order);
}

/* Number the keys in the order in which they come, and count the rows of each: start[g + 1] for group g. */
static void groups_count(struct groups *groups, const gecc_rows *keys, uint32_t *first) {
    for (size_t i = 0; i < groups->rows; i++) {
        struct encoding e = encoding_at(keys, i);
        size_t at = hash_of(groups->seed, e) & groups->mask;
        while (groups->slots[at] != 0 && !encodings_equal(e, encoding_at(keys, first[groups->slots[at] - 1])))
            at = (at + 1) & groups->mask;
        if (groups->slots[at] == 0) {
            first[groups->count] = (uint32_t)i;
            groups->slots[at] = (uint32_t)++groups->count;
        }
        groups->group[i] = groups->slots[at] - 1;
        groups->start[groups->group[i] + 1]++;
    }
}

/* false: there is no memory for it. */
static bool groups_make(struct groups *groups, const gecc_rows *keys, size_t rows) {
    size_t slots = 1;
    while (slots < 2 * rows)
        slots *= 2;
    groups->rows = rows;
    groups->mask = slots - 1;
    groups->slots = calloc(slots, sizeof groups->slots[0]);
    groups->group = malloc(rows * sizeof groups->group[0]);
    groups->start = calloc(rows + 1, sizeof groups->start[0]);
    groups->order = malloc(rows * sizeof groups->order[0]);
    if (groups->slots == NULL || groups->group == NULL || groups->start == NULL || groups->order == NULL)
        return false;
    groups_count(groups, keys, groups->order); /* which has the first row of each until it is written */
    for (size_t g = 0; g < groups->count; g++)
        groups->start[g + 1] += groups->start[g];
    for (size_t i = 0; i < rows; i++)
        groups->order[groups->start[groups->group[i]]++] = (uint32_t)i;
    for (size_t g = groups->count; g > 0; g--)
        groups->start[g] = groups->start[g - 1];
    groups->start[0] = 0;
    return true;
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
    double seconds;
    size_t prepared_keys, prepared_rows;
};

/* Rows of the job, as a job of its own: where they are, and what becomes of them. */
struct block {
    uint64_t *offsets[JOB_INPUTS];
    uint32_t *widths[JOB_INPUTS];
    uint8_t *number, *status; /* 4 bytes, and one */
    uint32_t *list;           /* the rows */
};

static void block_free(struct block *block) {
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        free(block->offsets[i]);
        free(block->widths[i]);
    }
    free(block->number);
    free(block->status);
    free(block->list);
}

static bool block_make(struct block *block, const struct job *job, size_t rows) {
    bool made = true;
    *block =
        (struct block){.number = malloc(4 * rows), .status = malloc(rows), .list = malloc(rows * sizeof(uint32_t))};
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        if (job->in[i].data == NULL)
            continue;
        block->offsets[i] = malloc(rows * sizeof(uint64_t));
        block->widths[i] = malloc(rows * sizeof(uint32_t));
        made = made && block->offsets[i] != NULL && block->widths[i] != NULL;
    }
    if (made && block->number != NULL && block->status != NULL && block->list != NULL)
        return true;
    block_free(block);
    return false;
}

/* The column, for the rows listed. */
static gecc_rows column_of(const gecc_rows *rows, const uint32_t *list, size_t count, uint64_t *offsets,
                           uint32_t *widths) {
    gecc_rows r = *rows;
    if (rows->data == NULL)
        return r;
    for (size_t k = 0; k < count; k++)
        offsets[k] = rows->offsets != NULL ? rows->offsets[list[k]] : (uint64_t)list[k] * rows->stride;
    r.offsets = offsets;
    for (size_t k = 0; k < count && rows->widths != NULL; k++)
        widths[k] = rows->widths[list[k]];
    if (rows->widths != NULL)
        r.widths = widths;
    return r;
}

static void note(struct repeats *r, gecc_result result) {
    r->result = r->result == GECC_OK ? result : r->result;
    r->seconds += r->report->seconds;
}

/* Run the block's rows, by its numbers if there are keys. */
static void run_block(struct repeats *r, const struct block *block, const struct key_set *keys, size_t count) {
    const uint32_t *list = block->list;
    struct job part = *r->job;
    part.rows_are_grouped = true;
    part.count = count;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        part.in[i] = column_of(&r->job->in[i], list, count, block->offsets[i], block->widths[i]);
    if (keys != NULL) {
        part.operation = operation_by_keys(r->job->operation);
        part.keys = *keys;
        part.in[0] = gecc_rows_packed(block->number, 4);
    }
    memset(block->status, GECC_ITEM_NOT_PROCESSED, count);
    part.status = gecc_out_packed(block->status, 1);
    note(r, r->backend->run(r->state, &part, r->report));
    for (size_t k = 0; k < count; k++)
        ((uint8_t *)r->job->status.data)[list[k] * r->job->status.stride] = block->status[k];
}

/* Run the rows of some groups, by their keys' numbers if there are keys. */
static void run_groups(struct repeats *r, struct block *block, const uint32_t *group, size_t count,
                       const struct key_set *keys) {
    size_t used = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t at = r->groups.start[group[k]]; at < r->groups.start[group[k] + 1]; at++) {
            const uint8_t number[4] = {(uint8_t)k, (uint8_t)(k >> 8), (uint8_t)(k >> 16), (uint8_t)(k >> 24)};
            memcpy(block->number + 4 * used, number, 4);
            block->list[used++] = r->groups.order[at];
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
    return column_of(&r->job->in[0], first, count, block->offsets[0], block->widths[0]);
}

enum { X_BYTES = 32, COMPRESSED_BYTES = 1 + X_BYTES };

/* x-only keys as points with an even y, in `points`; what is no x gets a width that no point has, and so the same status. */
static gecc_rows points_of(const gecc_rows *keys, size_t count, uint8_t *points, uint32_t *widths) {
    for (size_t k = 0; k < count; k++) {
        struct encoding e = encoding_at(keys, k);
        uint8_t *point = points + k * COMPRESSED_BYTES;
        widths[k] = e.width == X_BYTES ? COMPRESSED_BYTES : 0;
        point[0] = 2;
        if (e.width == X_BYTES)
            memcpy(point + 1, e.data, X_BYTES);
    }
    return (gecc_rows){points, COMPRESSED_BYTES, 0, widths, NULL};
}

/* Run groups with tables, all at once; without where they cannot be had. */
static void run_prepared(struct repeats *r, struct block *block, const uint32_t *group, size_t count) {
    uint32_t *first = calloc(count, sizeof *first);
    uint8_t *status = malloc(count), *points = malloc(count * COMPRESSED_BYTES);
    uint32_t *widths = malloc(count * sizeof *widths);
    struct key_set keys = {.count = (uint32_t)count, .status = status};
    struct job job = *r->job;
    size_t bytes;
    bool prepared = first != NULL && status != NULL && points != NULL && widths != NULL;
    if (prepared) {
        job.in[0] = keys_of(r, block, group, count, first);
        if (job.operation == OPERATION_SCHNORR_VERIFY)
            job.in[0] = points_of(&job.in[0], count, points, widths);
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

/* Is every row's key the same, by how the column is made? */
static bool is_one_key(const gecc_rows *keys) {
    return keys->stride == 0 && keys->offsets == NULL && keys->widths == NULL;
}

static bool is_worth_it(const struct job *job, uint64_t seed[2], size_t least) {
    size_t seen;
    if (job->rows_are_grouped || job->on_device != 0 || job->count < ROWS_LEAST || job->count > UINT32_MAX ||
        !seed_take(seed))
        return false;
    if (is_one_key(&job->in[0]))
        return true;
    size_t again = sightings(&job->in[0], job->count, seed, &seen);
    /* of K keys, a sample of s rows has s^2 / 2 K that it has already */
    double keys = (double)seen * (double)seen / (2 * (double)(again == 0 ? 1 : again));
    return again >= SIGHTINGS && (double)job->count / keys >= (double)least / 4;
}

bool gecc_repeats_likely(const struct job *job, size_t memory) {
    uint64_t seed[2];
    return memory != NO_TABLES && operation_by_keys(job->operation) != OPERATION_COUNT &&
           is_worth_it(job, seed, gecc_key_rows_least(job->curve));
}

bool gecc_repeats_run(const struct backend *backend, void *state, const struct job *job, size_t memory,
                      gecc_report *report, gecc_result *result) {
    struct repeats r = {.backend = backend, .state = state, .job = job, .plan = {.memory = memory}, .report = report};
    if (memory == NO_TABLES || operation_by_keys(job->operation) == OPERATION_COUNT)
        return false;
    const size_t least = gecc_key_rows_least(job->curve);
    if (!is_worth_it(job, r.groups.seed, least))
        return false;
    bool grouped =
        groups_make(&r.groups, &job->in[0], job->count) && groups_pay(&r.groups, least) && run_grouped(&r, least);
    if (grouped) {
        report->seconds = r.seconds;
        report->prepared_keys = r.prepared_keys;
        report->prepared_rows = r.prepared_rows;
        *result = r.result;
    }
    groups_free(&r.groups);
    return grouped;
}
