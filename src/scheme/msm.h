/* Sums of multiples of points: a row of the job is a group of terms. All is public. */
#ifndef GECC_SCHEME_MSM_H
#define GECC_SCHEME_MSM_H

#include "batch/term_sums.h"
#include "scheme/ec.h"
#include "scheme/terms.h"

/* Groups on their way through the program, all of whose terms are there at once. */
struct groups {
    const struct job *job;
    size_t first, count; /* rows of the job */
    size_t terms;
    uint32_t *start;                          /* group g has the terms start[g] .. start[g + 1] - 1 */
    uint32_t *status;                         /* a gecc_item for each lane of groups */
    uint32_t *sum;                            /* references, for each lane of groups */
    uint64_t *scalar_offsets, *point_offsets; /* of each term, in the job's columns */
    uint32_t *point_widths;                   /* of each term */
    uint32_t *term_status;                    /* a gecc_item for each term */
    struct term_sums sums;
};

enum {
    GROUP_SLOTS = SUM_TERMS / LANES,
    MSM_BYTES = CHUNK_BYTES + CHUNK_SLOT_BYTES * SUM_SLOTS + (int)TERM_SUMS_BYTES + SUM_TERMS * (2 * 8 + 5 * 4) + 8 * 64
};

static_assert(MSM_BYTES <= (SCALAR_BITS > 256 ? 40000000 : 16000000), "gecc/ec.h says what a thread takes");

LANE_INLINE struct groups groups_open(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct groups g;
    VERIFY(count <= SUM_TERMS);
    g.job = job;
    g.first = first;
    g.count = count;
    g.terms = 0;
    g.start = (uint32_t *)arena_take(arena, (SUM_TERMS + 1) * sizeof(uint32_t));
    g.status = columns32_take(arena, GROUP_SLOTS, 1);
    g.sum = columns32_take(arena, GROUP_SLOTS, 1);
    g.scalar_offsets = (uint64_t *)arena_take(arena, SUM_TERMS * sizeof(uint64_t));
    g.point_offsets = (uint64_t *)arena_take(arena, SUM_TERMS * sizeof(uint64_t));
    g.point_widths = (uint32_t *)arena_take(arena, SUM_TERMS * sizeof(uint32_t));
    g.term_status = columns32_take(arena, GROUP_SLOTS, 1);
    g.sums = term_sums_take(arena);
    return g;
}

/* Where the terms of all groups are. */
LANE_FUNCTION void groups_find(struct groups *g) {
    const struct job *job = g->job;
    for (size_t i = 0; i < g->count; i++) {
        struct terms terms;
        const int good = terms_at(&terms, &job->in[0], &job->in[1], g->first + i, CURVE.bytes);
        const size_t scalars = (size_t)(terms.scalars - (const uint8_t *)job->in[0].data),
                     points = (size_t)(terms.points - (const uint8_t *)job->in[1].data);
        VERIFY(terms.count <= SUM_TERMS - g->terms);
        g->start[i] = (uint32_t)g->terms;
        g->status[i] = good ? GECC_ITEM_OK : GECC_ITEM_MALFORMED_WIDTH;
        for (size_t t = 0; t < terms.count; t++) {
            g->scalar_offsets[g->terms] = scalars + t * CURVE.bytes;
            g->point_offsets[g->terms] = points + t * terms.width;
            g->point_widths[g->terms++] = (uint32_t)terms.width;
        }
    }
    g->start[g->count] = (uint32_t)g->terms;
}

/* The terms to rows of scalars and points. A group has the status of its first term that is refused. */
LANE_FUNCTION void groups_take(const struct groups *g) {
    const gecc_rows scalars = {g->job->in[0].data, 0, CURVE.bytes, NULL, g->scalar_offsets};
    const gecc_rows points = {g->job->in[1].data, 0, 0, g->point_widths, g->point_offsets};
    for (size_t i = 0; i * LANES < g->terms; i++) {
        const int rows = lanes_filled(g->terms, i);
        const lane32 at = rows_of_slot((uint32_t)(TERM_ROW + i * LANES), rows, INFINITY_ROW);
        lane32 status = status_ok();
        struct affine k = affine_infinity();
        k.x = scalar_read(g->job->flags, &scalars, i * LANES, rows, &status);
        struct affine point = point_read(g->job->flags, &points, i * LANES, rows, &status);
        entry_store(g->sums.scalars, at, k, rows);
        entry_store(g->sums.rows, at, affine_canonical(point), rows);
        column32_store(g->term_status, i, status);
    }
    for (size_t i = 0; i < g->count; i++)
        for (uint32_t t = g->start[i]; t < g->start[i + 1] && g->status[i] == GECC_ITEM_OK; t++)
            g->status[i] = g->term_status[t];
}

/* The sums of groups of many terms; those of few go into chains, of which there are *chains: those of group i are a run
 * of references. */
LANE_FUNCTION size_t groups_sum_buckets(struct groups *g) {
    struct term_sums *s = &g->sums;
    size_t row = GROUP_ROW, chains = 0;
    for (size_t i = 0; i < g->count; i++) {
        const size_t terms = g->start[i + 1] - g->start[i];
        g->sum[i] = INFINITY_REFERENCE;
        if (g->status[i] == GECC_ITEM_OK && terms >= BUCKET_TERMS_LEAST) {
            bucket_terms_sum_vartime(s, g->start[i], terms, row);
            g->sum[i] = (uint32_t)(2 * row++);
        }
    }
    for (size_t i = 0; i < g->count; i++) {
        const size_t end = g->start[i + 1];
        s->first[i] = (uint32_t)chains;
        if (g->status[i] != GECC_ITEM_OK || end - g->start[i] >= BUCKET_TERMS_LEAST)
            continue;
        for (size_t t = g->start[i]; t < end; t += CHAIN_TERMS, chains++) {
            s->chains[chains] = chain_of(t, end - t < CHAIN_TERMS ? end - t : CHAIN_TERMS);
            s->index[chains] = (uint32_t)(2 * (RUN_ROW + chains));
        }
    }
    s->first[g->count] = (uint32_t)chains;
    return chains;
}

/* The sums of all groups. */
LANE_INLINE void groups_sum_vartime(struct groups *g) {
    struct term_sums *s = &g->sums;
    const size_t chains = groups_sum_buckets(g);
    if (chains == 0)
        return;
    chains_sum_vartime(s, chains);
    runs_sum(s, g->count, LEVEL_ROW);
    for (size_t i = 0; i < g->count; i++)
        if (s->first[i] != s->first[i + 1])
            g->sum[i] = run_sum(s, LEVEL_ROW, i);
}

/* Sums and statuses to the job's rows. A sum that is not on the curve, since a bit turned over, is withheld; returns
 * whether there was one. */
LANE_FUNCTION mask groups_write(const struct groups *g) {
    const struct job *job = g->job;
    mask any_fault = mask_set(0);
    for (size_t i = 0; i * LANES < g->count; i++) {
        const size_t row = g->first + i * LANES;
        const int rows = lanes_filled(g->count, i);
        lane32 status = column32_load(g->status, i);
        struct affine a = entry_load(g->sums.rows, column32_load(g->sum, i) >> 1);
        mask sound = affine_on_curve(a) | affine_is_infinity(a);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        status_require(&status, ~affine_is_infinity(a), GECC_ITEM_INFINITY);
        point_write(job->flags, &job->out[0], job->point_format, row, rows, a, status);
        status_write(&job->status, row, rows, status);
    }
    return any_fault;
}

/* Groups that have SUM_TERMS terms together, at most, and are no more. */
LANE_FUNCTION gecc_result ec_msm(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    struct groups g = groups_open(arena, job, first, count);
    (void)tables;
    groups_find(&g);
    groups_take(&g);
    groups_sum_vartime(&g);
    for (size_t i = count; i % LANES != 0; i++) {
        g.status[i] = GECC_ITEM_OK;
        g.sum[i] = INFINITY_REFERENCE;
    }
    return mask_any(groups_write(&g)) ? GECC_ERROR_FAULT : GECC_OK;
}

#endif
