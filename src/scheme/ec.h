/* Lane programs on points. Inputs are public except scalars, unless GECC_PUBLIC_SCALARS is set. */
#ifndef GECC_SCHEME_EC_H
#define GECC_SCHEME_EC_H

#include "scheme/chunk.h"

/* points[i] = the points of a column; statuses start here or go on from an earlier column. */
LANE_FUNCTION void chunk_read_points(const struct chunk *c, const gecc_rows *column, limb *points, int first_column) {
    for (size_t i = c->worker.first; i < c->worker.count; i += POWERS_IN_STEP * c->worker.step) {
        const int count = slots_in_step(&c->worker, i, POWERS_IN_STEP);
        struct point_rows r[POWERS_IN_STEP];
        for (int k = 0; k < count; k++) {
            const size_t slot = i + (size_t)k * c->worker.step;
            r[k] = point_rows_read(c->job->flags, column, slot_row(c, slot), slot_rows(c, slot));
        }
        point_rows_lift(r, count);
        for (int k = 0; k < count; k++) {
            const size_t slot = i + (size_t)k * c->worker.step;
            lane32 status = first_column ? status_ok() : column32_load(c->status, slot);
            affine_store(points, slot, point_rows_check(&r[k], &status));
            column32_store(c->status, slot, status);
        }
    }
}

LANE_FUNCTION gecc_result ec_validate(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.points, 1);
    chunk_publish(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result ec_convert(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.m.points, 1);
    chunk_write_points(&c);
    return GECC_OK;
}

/* out = in[0] + in[other]. */
LANE_INLINE gecc_result ec_sum(struct arena *arena, const void *tables, const struct job *job, size_t first,
                               size_t count, int other) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.m.points, 1);
    chunk_read_points(&c, &job->in[other], c.points, 0);
    batch_add_vartime(&c.worker, c.m.points, c.points, c.m.prefix);
    chunk_write_points(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result ec_add(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    return ec_sum(arena, tables, job, first, count, 1);
}

LANE_FUNCTION gecc_result ec_double(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                    size_t count) {
    return ec_sum(arena, tables, job, first, count, 0);
}

LANE_INLINE int job_is_public(const struct job *job) { return (job->flags & GECC_PUBLIC_SCALARS) != 0; }

LANE_FUNCTION void chunk_multiply_base_public(const struct chunk *c) {
    const struct worker w = c->worker; /* in registers, or where the compiler keeps what it needs less often */
    const struct multiplication m = c->m;
    batch_multiply_base(PUBLIC, &w, &m, c->tables);
}

LANE_FUNCTION void chunk_multiply_base_secret(const struct chunk *c) {
    batch_multiply_base(SECRET, &c->worker, &c->m, c->tables);
}

LANE_FUNCTION void chunk_multiply_point_public(const struct chunk *c) {
    batch_multiply_point(PUBLIC, &c->worker, &c->m);
}

LANE_FUNCTION void chunk_multiply_point_secret(const struct chunk *c) {
    batch_multiply_point(SECRET, &c->worker, &c->m);
}

/* m.points = k G for the base digits, by the table that the scalars' secrecy asks for. */
LANE_INLINE void chunk_multiply_base(const struct chunk *c, int is_public) {
    if (is_public)
        chunk_multiply_base_public(c);
    else
        chunk_multiply_base_secret(c);
}

/* m.points = k P for the point digits. */
LANE_INLINE void chunk_multiply_point(const struct chunk *c, int is_public) {
    if (is_public)
        chunk_multiply_point_public(c);
    else
        chunk_multiply_point_secret(c);
}

/* The base digits of a slot's k, for the table that the scalars' secrecy asks for. */
LANE_INLINE void chunk_base_recode(const struct chunk *c, const struct limbs *k, size_t slot) {
    if (job_is_public(c->job))
        base_recode(PUBLIC, c->tables, k, base_digits_at(&c->m, slot));
    else
        base_recode(SECRET, c->tables, k, base_digits_at(&c->m, slot));
}

/* A scalar of L bytes, any value, modulo n. */
LANE_INLINE struct limbs scalar_read(uint32_t flags, const gecc_rows *column, size_t row, int rows, lane32 *status) {
    return scalar_reduce(integer_read(flags, column, row, rows, CURVE.bytes, status));
}

LANE_FUNCTION gecc_result ec_public_key(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                        size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs k = private_key_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        base_recode(SECRET, tables, &k, base_digits_at(&c.m, i));
        column32_store(c.status, i, status);
    }
    chunk_multiply_base(&c, 0);
    gecc_result result = chunk_check_products(&c);
    chunk_write_points(&c);
    return result;
}

LANE_FUNCTION gecc_result ec_mul_base(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs k = scalar_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        chunk_base_recode(&c, &k, i);
        column32_store(c.status, i, status);
    }
    chunk_multiply_base(&c, job_is_public(job));
    gecc_result result = chunk_check_products(&c);
    chunk_write_points(&c);
    return result;
}

/* The digits of a slot's k for a point that has no table. */
LANE_INLINE void chunk_point_recode(const struct chunk *c, const struct limbs *k, size_t slot) {
    if (job_is_public(c->job))
        recode_point_vartime(k, point_digits_at(&c->m, slot));
    else
        recode_point(k, point_digits_at(&c->m, slot));
}

LANE_FUNCTION gecc_result ec_mul(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs k = scalar_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        chunk_point_recode(&c, &k, i);
        column32_store(c.status, i, status);
    }
    chunk_read_points(&c, &job->in[1], c.points, 0);
    batch_tables(&c.worker, &c.m, c.points);
    chunk_multiply_point(&c, job_is_public(job));
    gecc_result result = chunk_check_products(&c);
    chunk_write_points(&c);
    return result;
}

/* Secret scalars: u G and v P apart, then one addition that is right for every pair without a branch. */
LANE_FUNCTION gecc_result ec_mul_add(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs u = scalar_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        struct limbs v = scalar_read(job->flags, &job->in[1], slot_row(&c, i), slot_rows(&c, i), &status);
        chunk_base_recode(&c, &u, i);
        chunk_point_recode(&c, &v, i);
        column32_store(c.status, i, status);
    }
    chunk_read_points(&c, &job->in[2], c.points, 0);
    if (job_is_public(job)) {
        batch_multiply_add_vartime(&c.worker, &c.m, tables, c.points);
    } else {
        batch_tables(&c.worker, &c.m, c.points);
        chunk_multiply_point(&c, 0);
        for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
            affine_store(c.points, i, affine_load(c.m.points, i));
        chunk_multiply_base(&c, 0);
        batch_add(&c.worker, c.m.points, c.points, c.m.z, c.m.prefix);
    }
    gecc_result result = chunk_check_products(&c);
    chunk_write_points(&c);
    return result;
}

LANE_FUNCTION gecc_result ecdh(struct arena *arena, const void *tables, const struct job *job, size_t first,
                               size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs k = private_key_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        recode_point(&k, point_digits_at(&c.m, i));
        column32_store(c.status, i, status);
    }
    chunk_read_points(&c, &job->in[1], c.points, 0);
    batch_tables(&c.worker, &c.m, c.points);
    chunk_multiply_point(&c, 0);
    gecc_result result = chunk_check_products(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        struct affine a = affine_load(c.m.points, i);
        status_require(&status, ~affine_is_infinity(a), GECC_ITEM_INFINITY);
        column32_store(c.status, i, status);
        struct limbs x = limbs_select(status_is_ok(status), fe_decode(a.x), limbs_zero());
        integer_write(job->flags, &job->out[0], slot_row(&c, i), slot_rows(&c, i), CURVE.bytes, x);
    }
    chunk_publish(&c);
    return result;
}

#endif
