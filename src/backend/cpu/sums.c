#include "backend/cpu/sums.h"

#include <stdlib.h>
#include <string.h>

#include "backend/job_rows.h"
#include "backend/least.h"
#include "scheme/terms.h"

enum { PART_LEAST = 1024 }; /* terms that are worth a thread of their own */

/* Consecutive rows of one of two jobs: the caller's, or that of the parts of large groups. */
struct piece {
    const struct job *job;
    size_t first, count;
};

/* A group that is cut. */
struct large {
    size_t row;         /* of the caller's job */
    size_t part, parts; /* rows of the job of parts */
};

struct sums {
    struct task task;
    const struct program_set *set;
    struct job own;        /* the caller's job with own_widths */
    const struct job *job; /* own */
    uint32_t *own_widths[2];
    size_t length;    /* L */
    size_t most;      /* terms of a piece, or a part */
    struct job parts; /* a row for each part of a large group; its sum is raw, like uncompressed but without a prefix */
    struct job joined; /* a row for each large group, whose points are the sums of its parts */
    size_t pieces, larges;
    struct piece *piece;
    struct large *large;
    uint64_t *offsets[2]; /* of rows of parts; then of joined */
    uint32_t *widths[2];
    uint8_t *out, *ones; /* sums of parts, and as many scalars 1 */
    uint8_t *status, *joined_status, *joined_out;
};

static gecc_result run_piece(struct task *task, struct arena *arena, size_t index) {
    const struct sums *s = (const struct sums *)task;
    const struct piece *piece = &s->piece[index];
    if (job_is_cancelled(s->job))
        return GECC_ERROR_CANCELLED;
    arena->used = 0;
    gecc_result result = s->set->run[s->job->operation](arena, NULL, piece->job, piece->first, piece->count);
    job_write_plain_widths(piece->job, piece->first, piece->count);
    return result;
}

static size_t terms_of(const struct sums *s, size_t row, struct terms *terms) {
    (void)terms_at(terms, &s->job->in[0], &s->job->in[1], row, s->length);
    return terms->count;
}

/* The caller's job with copies of its widths. */
static bool own_job(struct sums *s, const struct job *job) {
    s->own = *job;
    s->job = &s->own;
    for (int i = 0; i < 2; i++) {
        const size_t bytes = job->count * sizeof *s->own_widths[i];
        if (job->in[i].widths == NULL || bytes == 0)
            continue;
        s->own_widths[i] = malloc(bytes);
        if (s->own_widths[i] == NULL)
            return false;
        memcpy(s->own_widths[i], job->in[i].widths, bytes);
        s->own.in[i].widths = s->own_widths[i];
    }
    return true;
}

/* Bytes before `to` in an array that begins at `from`. */
static uint64_t offset_of(const uint8_t *to, const void *from) { return (uint64_t)(to - (const uint8_t *)from); }

/* Cut the group into parts of nearly one size. */
static void cut(struct sums *s, size_t row, const struct terms *terms) {
    const size_t parts = (terms->count + s->most - 1) / s->most;
    s->large[s->larges++] = (struct large){row, s->parts.count, parts};
    for (size_t i = 0; i < parts; i++) {
        const size_t first = terms->count / parts * i + least(i, terms->count % parts),
                     count = terms->count / parts + (i < terms->count % parts), at = s->parts.count++;
        s->offsets[0][at] = offset_of(terms->scalars + first * s->length, s->job->in[0].data);
        s->offsets[1][at] = offset_of(terms->points + first * terms->width, s->job->in[1].data);
        s->widths[0][at] = (uint32_t)(count * s->length);
        s->widths[1][at] = (uint32_t)(count * terms->width);
        s->piece[s->pieces++] = (struct piece){&s->parts, at, 1};
    }
}

/* Pieces of rows that have s->most terms together, at most, where a row counts as one more; and of parts. */
static void cut_all(struct sums *s) {
    size_t first = 0, weight = 0;
    for (size_t row = 0; row < s->job->count; row++) {
        struct terms terms;
        const size_t count = terms_of(s, row, &terms);
        if (weight != 0 && weight + count + 1 > s->most) {
            s->piece[s->pieces++] = (struct piece){s->job, first, row - first};
            weight = 0;
        }
        if (weight == 0)
            first = row;
        if (count >= s->most)
            cut(s, row, &terms);
        else
            weight += count + 1;
    }
    if (weight != 0)
        s->piece[s->pieces++] = (struct piece){s->job, first, s->job->count - first};
}

/* Of all rows, where a row counts as one term more. */
static size_t weigh(const struct sums *s) {
    size_t weight = 0;
    for (size_t row = 0; row < s->job->count; row++) {
        struct terms terms;
        weight += terms_of(s, row, &terms) + 1;
    }
    return weight;
}

/* How many pieces, parts and large groups there can be: of two pieces that follow each other without a part between,
 * rows have more than s->most terms together. */
static bool allocate(struct sums *s, unsigned threads) {
    const size_t weight = weigh(s);
    s->most = least(most((weight + threads - 1) / threads, PART_LEAST), s->set->sum_terms);
    const size_t room = 4 * (weight / s->most) + 4;
    const size_t raw = 2 * s->length, written = s->job->out_width[0];
    s->piece = malloc(2 * room * sizeof *s->piece);
    s->large = malloc(room * sizeof *s->large);
    s->out = malloc(room * raw);
    s->ones = calloc(room, s->length);
    s->status = calloc(room, 2);
    s->joined_out = malloc(room * written);
    for (int i = 0; i < 2; i++) {
        s->offsets[i] = malloc(room * sizeof *s->offsets[i]);
        s->widths[i] = malloc(room * sizeof *s->widths[i]);
    }
    if (s->piece == NULL || s->large == NULL || s->out == NULL || s->ones == NULL || s->status == NULL ||
        s->joined_out == NULL || s->offsets[0] == NULL || s->offsets[1] == NULL || s->widths[0] == NULL ||
        s->widths[1] == NULL)
        return false;
    s->joined_status = s->status + room;
    for (size_t i = 0; i < room; i++)
        s->ones[i * s->length + ((s->job->flags & GECC_LITTLE_ENDIAN) != 0 ? 0 : s->length - 1)] = 1;
    return true;
}

static void release(const struct sums *s) {
    free(s->piece);
    free(s->large);
    free(s->out);
    free(s->ones);
    free(s->status);
    free(s->joined_out);
    for (int i = 0; i < 2; i++) {
        free(s->offsets[i]);
        free(s->widths[i]);
        free(s->own_widths[i]);
    }
}

/* The job of parts, before they are known, and that which joins them. */
static void describe(struct sums *s) {
    s->parts = *s->job;
    s->parts.count = 0;
    s->parts.point_format = GECC_POINT_RAW;
    s->parts.out_width[0] = 2 * s->length;
    s->parts.out[0] = gecc_out_packed(s->out, 2 * s->length);
    s->parts.status = gecc_out_packed(s->status, 1);
    s->joined = *s->job;
    s->joined.out[0] = gecc_out_packed(s->joined_out, s->job->out_width[0]);
    s->joined.status = gecc_out_packed(s->joined_status, 1);
    for (int i = 0; i < 2; i++) {
        s->parts.in[i].widths = s->joined.in[i].widths = s->widths[i];
        s->parts.in[i].offsets = s->joined.in[i].offsets = s->offsets[i];
    }
    s->joined.in[0].data = s->ones;
    s->joined.in[1].data = s->out;
}

/* The status that parts of a large group give it, OK if it follows from their sums, whose points become row `at` of the
 * joined job. */
static uint8_t gather(struct sums *s, const struct large *large, size_t at) {
    const size_t raw = 2 * s->length;
    uint8_t *to = s->out + large->part * raw;
    size_t points = 0;
    for (size_t i = large->part; i < large->part + large->parts; i++) {
        if (s->status[i] != GECC_ITEM_OK && s->status[i] != GECC_ITEM_INFINITY)
            return s->status[i];
        if (s->status[i] == GECC_ITEM_OK)
            memmove(to + points++ * raw, s->out + i * raw, raw);
    }
    s->offsets[0][at] = 0;
    s->offsets[1][at] = offset_of(to, s->out);
    s->widths[0][at] = (uint32_t)(points * s->length);
    s->widths[1][at] = (uint32_t)(points * raw);
    return GECC_ITEM_OK;
}

/* Row `row` of the caller's: its status, and a point where that is OK. */
static void publish(const struct sums *s, size_t row, uint8_t status, const uint8_t *point) {
    uint8_t *out = out_at(&s->job->out[0], row);
    if (status == GECC_ITEM_OK)
        memcpy(out, point, s->job->out_width[0]);
    else
        memset(out, 0, s->job->out_width[0]);
    *out_at(&s->job->status, row) = status;
    job_write_plain_widths(s->job, row, 1);
}

/* The sums of large groups, once those of all parts are there. */
static gecc_result join(struct sums *s, struct pool *pool, unsigned threads) {
    size_t joined = 0;
    for (size_t i = 0; i < s->larges; i++) {
        const uint8_t status = gather(s, &s->large[i], joined);
        if (status == GECC_ITEM_OK)
            s->large[joined++].row = s->large[i].row;
        else
            publish(s, s->large[i].row, status, NULL);
    }
    s->joined.count = joined;
    const gecc_result result = joined == 0 ? GECC_OK : gecc_sums_run(pool, threads, s->set, &s->joined);
    for (size_t i = 0; i < joined; i++)
        publish(s, s->large[i].row, s->joined_status[i], s->joined_out + i * s->job->out_width[0]);
    return result;
}

gecc_result gecc_sums_run(struct pool *pool, unsigned threads, const struct program_set *set, const struct job *job) {
    struct sums s = {.set = set, .length = gecc_curve_bytes(job->curve)};
    gecc_result result = GECC_ERROR_MEMORY;
    if (own_job(&s, job) && allocate(&s, threads)) {
        describe(&s);
        cut_all(&s);
        s.task.piece = run_piece;
        s.task.pieces = s.pieces;
        s.task.arena_bytes = set->sum_arena_bytes;
        result = gecc_pool_run(pool, &s.task);
        if (s.larges != 0 && result == GECC_OK)
            result = join(&s, pool, threads);
    }
    release(&s);
    return result;
}
