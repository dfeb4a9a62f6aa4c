/* Keys that come back: lane programs that make their tables (batch/key_tables.h), and how a job's rows name them. */
#ifndef GECC_SCHEME_KEYS_H
#define GECC_SCHEME_KEYS_H

#include "scheme/ec.h"
#include "scheme/key_numbers.h"
#include "scheme/key_passes.h"

/* The first pass: rows are keys, in[0] their points, whose statuses are published. Refused ones have G's table. */
LANE_FUNCTION gecc_result keys_bases(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.points, 1);
    for (size_t i = c.worker.first; i < c.worker.count; i += POINTS_IN_STEP * c.worker.step) {
        struct points q = {{jacobian_infinity()}};
        lane32 table_at[POINTS_IN_STEP];
        int lanes[POINTS_IN_STEP], slots = points_in_step(&c.worker, i);
        for (int k = 0; k < slots; k++) {
            size_t slot = i + (size_t)k * c.worker.step;
            q.v[k] = jacobian_from_affine(affine_load(c.points, slot));
            table_at[k] = key_tables_at(&job->keys, slot_row(&c, slot));
            lanes[k] = slot_rows(&c, slot);
        }
        key_bases(&job->keys, q, table_at, lanes, slots);
    }
    chunk_publish(&c);
    return GECC_OK;
}

/* Where the tables of the rows' keys start, to m.key_tables; statuses start here or go on from an earlier column. */
LANE_FUNCTION void chunk_read_keys(const struct chunk *c, const gecc_rows *column, int first_column) {
    const struct key_set *keys = &c->job->keys;
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = first_column ? status_ok() : column32_load(c->status, i);
        lane32 table_at;
        lane32 here = key_numbers_read(keys, column, slot_row(c, i), slot_rows(c, i), &table_at);
        status = lane32_select(mask_to_lane32(status_is_ok(status)), here, status);
        column32_store(c->m.key_tables, i, table_at);
        column32_store(c->status, i, status);
    }
}

/* What is multiplied besides G: the column `points`, or the keys of m.key_tables. */
enum multiplied { BY_POINTS, BY_KEYS };

/* The digits of a slot's u and v for chunk_multiply_add; u, v < n, public. */
LANE_INLINE void chunk_recode_pair(const struct chunk *c, enum multiplied by, const struct limbs *u,
                                   const struct limbs *v, size_t slot) {
    base_recode(PUBLIC, c->tables, u, base_digits_at(&c->m, slot));
    if (by == BY_KEYS)
        recode_scalar(v, c->job->keys.width, c->job->keys.windows, point_digits_at(&c->m, slot));
    else
        recode_point_vartime(v, point_digits_at(&c->m, slot));
}

/* m.points = u G + v Q. */
LANE_INLINE void chunk_multiply_add(const struct chunk *c, enum multiplied by) {
    if (by == BY_KEYS)
        batch_multiply_add_keys_vartime(&c->worker, &c->m, c->tables, &c->job->keys);
    else
        batch_multiply_add_vartime(&c->worker, &c->m, c->tables, c->points);
}

/* A chunk of signatures whose keys are in[0], read: points, or numbers. Statuses start here. */
LANE_INLINE struct chunk chunk_open_keys(enum multiplied by, struct arena *arena, const void *tables,
                                         const struct job *job, size_t first, size_t count) {
    struct chunk c = chunk_open(by == BY_KEYS ? ONLY_BASE : ANY_POINT, arena, tables, job, first, count);
    if (by == BY_KEYS)
        chunk_read_keys(&c, &job->in[0], 1);
    else
        chunk_read_points(&c, &job->in[0], c.points, 1);
    return c;
}

/* The points of the rows' keys: entry 1 of their first windows. */
LANE_INLINE struct affine chunk_key_point(const struct chunk *c, size_t slot) {
    return entry_load((const limb *)c->job->keys.rows, column32_load(c->m.key_tables, slot) + lane32_set(1));
}

/* u G + v Q for public scalars, Q the keys that the rows name. */
LANE_FUNCTION gecc_result ec_mul_add_keys(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                          size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs u = scalar_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        struct limbs v = scalar_read(job->flags, &job->in[1], slot_row(&c, i), slot_rows(&c, i), &status);
        chunk_recode_pair(&c, BY_KEYS, &u, &v, i);
        column32_store(c.status, i, status);
    }
    chunk_read_keys(&c, &job->in[2], 0);
    chunk_multiply_add(&c, BY_KEYS);
    gecc_result result = chunk_check_products(&c);
    chunk_write_points(&c);
    return result;
}

#endif
