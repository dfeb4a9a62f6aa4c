/* A chunk of rows on its way through a lane program, and the columns every program of a curve works on. */
#ifndef GECC_SCHEME_CHUNK_H
#define GECC_SCHEME_CHUNK_H

#include "batch/codec.h"
#include "batch/multiply.h"
#include "scheme/job.h"

struct chunk {
    const struct job *job;
    size_t first, count; /* rows of the job */
    struct worker worker;
    const void *tables;
    uint32_t *status;        /* a gecc_item for each lane */
    limb *r, *s, *e, *d, *k; /* scalars, by the names of the schemes */
    limb *points;            /* affine, inputs */
    struct multiplication m;
};

enum {
    CHUNK_ELEMENTS = 5 + 2 + MULTIPLICATION_ELEMENTS,
    CHUNK_SLOT_BYTES = (CHUNK_ELEMENTS * LIMBS * (int)sizeof(limb) + (1 + MULTIPLICATION_DIGITS) * 4) * LANES,
    CHUNK_COLUMNS = 17, /* each may lose up to 63 bytes to alignment */
    CHUNK_BYTES = 64 * CHUNK_COLUMNS + (SLOT_GROUP - 1) * CHUNK_SLOT_BYTES
};

/* Take a chunk's columns: at most CHUNK_SLOT_BYTES a slot, and CHUNK_BYTES. */
LANE_INLINE void chunk_take(struct chunk *c, enum multiplicands multiplicands, struct arena *arena, size_t slots) {
    c->status = columns32_take(arena, slots, 1);
    c->r = column_take(arena, slots);
    c->s = column_take(arena, slots);
    c->e = column_take(arena, slots);
    c->d = column_take(arena, slots);
    c->k = column_take(arena, slots);
    c->points = affine_columns_take(arena, slots, 1);
    multiplication_take(&c->m, multiplicands, arena, slots);
}

/* multiplicands: the points that the program multiplies. */
LANE_INLINE struct chunk chunk_open(enum multiplicands multiplicands, struct arena *arena, const void *tables,
                                    const struct job *job, size_t first, size_t count) {
    struct chunk c;
    size_t slots = (count + LANES - 1) / LANES;
    c.job = job;
    c.first = first;
    c.count = count;
    c.worker = worker_of_chunk(slots);
    c.tables = tables;
    chunk_take(&c, multiplicands, arena, slots);
    return c;
}

/* The first row of a slot, and how many of its lanes hold rows. */
LANE_INLINE size_t slot_row(const struct chunk *c, size_t slot) { return c->first + slot * LANES; }
LANE_INLINE int slot_rows(const struct chunk *c, size_t slot) { return lanes_filled(c->count, slot); }

/* Publish the statuses: the last thing a program does, unless that writes points. */
LANE_FUNCTION void chunk_publish(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step)
        status_write(&c->job->status, slot_row(c, i), slot_rows(c, i), column32_load(c->status, i));
}

/* Read a scalar of L bytes; refused unless 0 < k < n, then 1. Secret. */
LANE_INLINE struct limbs private_scalar_read(uint32_t flags, const gecc_rows *column, size_t row, int rows,
                                             lane32 *status) {
    struct limbs k = integer_read(flags, column, row, rows, CURVE.bytes, status);
    mask good = scalar_in_range(k);
    status_require(status, good, GECC_ITEM_MALFORMED_SCALAR);
    return limbs_select(good, k, limbs_one());
}

/* The same of a private key: on SM2, where signing divides by 1 + d, n - 1 is none (GM/T 0003.2, 6.1). Secret. */
LANE_INLINE struct limbs private_key_read(uint32_t flags, const gecc_rows *column, size_t row, int rows,
                                          lane32 *status) {
    struct limbs d = private_scalar_read(flags, column, row, rows, status);
#ifdef CURVE_HAS_SM2
    mask good = ~scalar_is_zero(scalar_add(d, limbs_one()));
    status_require(status, good, GECC_ITEM_MALFORMED_SCALAR);
    d = limbs_select(good, d, limbs_one());
#endif
    return d;
}

/* Withhold the points of m.points, not infinity, that are not on the curve: a bit that turned over in a table or
 * in memory makes such points. Returns whether there are any. Costs 2M + 1S a slot. */
LANE_FUNCTION mask chunk_withhold_off_curve(const struct chunk *c) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine a = affine_load(c->m.points, i);
        mask sound = affine_on_curve(a) | affine_is_infinity(a);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        column32_store(c->status, i, status);
    }
    LANE_DECLASSIFY(any_fault);
    return any_fault;
}

/* What a program returns whose products are in m.points, before it writes them. */
LANE_INLINE gecc_result chunk_check_products(const struct chunk *c) {
    return LANE_RECHECKS && mask_any(chunk_withhold_off_curve(c)) ? GECC_ERROR_FAULT : GECC_OK;
}

/* Points of out[0] from the affine column m.points, INFINITY where they are that; and the statuses: the last thing a
 * program does. What the next slot has is read while a slot is written. (A copy of the whole chunk makes ptxas find
 * worse registers for loops elsewhere.) */
LANE_FUNCTION void chunk_write_points(const struct chunk *c) {
    const struct worker w = c->worker;
    const limb *points = c->m.points;
    const uint32_t *statuses = c->status;
    const size_t first = c->first, count = c->count;
    const gecc_out out = c->job->out[0];
    const gecc_point_format format = c->job->point_format;
    const gecc_out items = c->job->status;
    if (w.first >= w.count)
        return;
    struct affine next = affine_load(points, w.first);
    lane32 next_status = column32_load(statuses, w.first);
    LANE_LOOP for (size_t i = w.first; i < w.count; i += w.step) {
        struct affine a = next;
        lane32 status = next_status;
        size_t after = worker_slot(&w, i + w.step), row = first + i * LANES;
        int rows = lanes_filled(count, i);
        next = affine_load(points, after);
        next_status = column32_load(statuses, after);
        status_require(&status, ~affine_is_infinity(a), GECC_ITEM_INFINITY);
        LANE_DECLASSIFY(status);
        point_write(c->job->flags, &out, format, row, rows, a, status);
        status_write(&items, row, rows, status);
    }
    point_rows_wipe();
}

#endif
