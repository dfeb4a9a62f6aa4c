/* Lane programs on affine.h and rapid.h: k G, k P, SM2 signatures with a given nonce, and their verification; the rows,
 * bytes and statuses of the library's operations. CURVE is SM2's. */
#ifndef PAPERS_KERNELS_PROGRAMS_H
#define PAPERS_KERNELS_PROGRAMS_H

#include "papers/kernels/rapid.h"

/* How points are multiplied, and what is inverted. */
struct ways {
    int fixed_affine, unknown_affine; /* by affine.h; else by rapid.h */
    enum layout layout;               /* of affine.h, as is the next */
    enum fusion fusion;
    enum inversions inversions;
};

/* m.points = k G. */
LANE_INLINE void fixed_multiply(const struct ways *ways, const struct papers *p, const limb *powers) {
    if (ways->fixed_affine)
        batch_multiply_fixed(ways->layout, ways->fusion, p, powers);
    else
        rapid_multiply_fixed(ways->inversions, p, powers);
}

/* m.points = k P, for the scalars of unknown_store. */
LANE_INLINE void unknown_multiply(const struct ways *ways, struct papers *p) {
    if (ways->unknown_affine)
        p->c.m.points = batch_multiply_unknown(ways->layout, ways->fusion, p);
    else
        rapid_multiply_unknown(ways->inversions, p);
}

LANE_INLINE void unknown_store(const struct ways *ways, const struct papers *p, size_t slot, struct limbs k) {
    if (ways->unknown_affine)
        bits_store(p, slot, k);
    else
        naf_store(p, slot, k);
}

/* out = k G, as ec_mul_base. `powers`: powers_fill's, here and below. */
LANE_INLINE gecc_result papers_mul_base(const struct ways *ways, struct arena *arena, const limb *powers,
                                        const struct job *job, size_t first, size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = status_ok();
        bits_store(&p, i, scalar_read(job->flags, &job->in[0], slot_row(&p.c, i), slot_rows(&p.c, i), &status));
        column32_store(p.c.status, i, status);
    }
    fixed_multiply(ways, &p, powers);
    chunk_write_points(&p.c);
    return GECC_OK;
}

/* out = k P, as ec_mul. */
LANE_INLINE gecc_result papers_mul(const struct ways *ways, struct arena *arena, const struct job *job, size_t first,
                                   size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = status_ok();
        unknown_store(ways, &p, i,
                      scalar_read(job->flags, &job->in[0], slot_row(&p.c, i), slot_rows(&p.c, i), &status));
        column32_store(p.c.status, i, status);
    }
    chunk_read_points(&p.c, &job->in[1], p.c.points, 0);
    unknown_multiply(ways, &p);
    chunk_write_points(&p.c);
    return GECC_OK;
}

/* out = in[0] + in[1], as ec_add, by section 3.3. */
LANE_INLINE gecc_result papers_add(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    chunk_read_points(&p.c, &job->in[0], p.c.m.points, 1);
    chunk_read_points(&p.c, &job->in[1], p.c.points, 0);
    batch_add_pairs(SCHEDULER_INVERSION, &p);
    chunk_write_points(&p.c);
    return GECC_OK;
}

/* As sm2_sign_nonce. */
LANE_INLINE gecc_result papers_sign(const struct ways *ways, struct arena *arena, const limb *powers,
                                    const struct job *job, size_t first, size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    sm2_sign_read(&p.c, 1);
    for (size_t i = w->first; i < w->count; i += w->step)
        bits_store(&p, i, scalar_decode(limbs_load(p.c.k, i)));
    fixed_multiply(ways, &p, powers);
    scalars_invert(ways->inversions, &p);
    mask fault = sm2_sign_finish(&p.c, 1);
    chunk_publish(&p.c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

/* The columns e, r, s and points of each row, as sm2_verify's; r + s to d. */
LANE_INLINE void papers_verify_read(const struct papers *p) {
    const struct chunk *c = &p->c;
    chunk_read_points(c, &c->job->in[0], c->points, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct limbs r, s, e = sm2_e_read(c, i, &status);
        signature_read(c->job, &c->job->in[2], slot_row(c, i), slot_rows(c, i), &r, &s, &status);
        scalar t = scalar_add(scalar_encode(r), scalar_encode(s));
        status_require(&status, ~scalar_is_zero(t), GECC_ITEM_INVALID);
        limbs_store(c->e, i, scalar_encode(e));
        limbs_store(c->r, i, scalar_encode(r));
        limbs_store(c->s, i, s);
        limbs_store(c->d, i, scalar_decode(t));
        column32_store(c->status, i, status);
    }
}

/* As sm2_verify: s G, (r + s) P, and their sum. The layout is by columns. */
LANE_INLINE gecc_result papers_verify(const struct ways *ways, struct arena *arena, const limb *powers,
                                      const struct job *job, size_t first, size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    papers_verify_read(&p);
    for (size_t i = w->first; i < w->count; i += w->step)
        bits_store(&p, i, limbs_load(p.c.s, i));
    fixed_multiply(ways, &p, powers);
    points_move(BY_COLUMNS, BY_COLUMNS, w, p.other, p.c.m.points);
    for (size_t i = w->first; i < w->count; i += w->step)
        unknown_store(ways, &p, i, limbs_load(p.c.d, i));
    unknown_multiply(ways, &p);
    batch_add(w, p.c.m.points, p.other, p.z, p.prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = column32_load(p.c.status, i);
        mask valid = sm2_matches(affine_load(p.c.m.points, i), limbs_load(p.c.e, i), limbs_load(p.c.r, i));
        status_require(&status, valid, GECC_ITEM_INVALID);
        column32_store(p.c.status, i, status);
    }
    chunk_publish(&p.c);
    return GECC_OK;
}

#endif
