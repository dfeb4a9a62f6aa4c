/* k G and ECDSA verification without tables: lane programs to compare the product's with. The includer has included the
 * machine, the curve's constants and scheme/signature.h, and says how rows are inverted: enum { BATCHED }, 1 or 0. */
#ifndef PAPERS_BREAKDOWN_BREAKDOWN_H
#define PAPERS_BREAKDOWN_BREAKDOWN_H

#include "scheme/signature.h"

/* What a slot needs: the columns below and a status. */
enum { PLAIN_ELEMENTS = 3 + 2 + 2 + 2, PLAIN_COLUMNS = 8 };
enum {
    PLAIN_SLOT_BYTES = (PLAIN_ELEMENTS * LIMBS * (int)sizeof(limb) + 4) * LANES,
    PLAIN_BYTES = 64 * PLAIN_COLUMNS + (SLOT_GROUP - 1) * PLAIN_SLOT_BYTES /* of a chunk besides */
};

struct plain {
    struct chunk c; /* r, s, e, points and m.points of it */
    limb *z, *prefix;
};

LANE_INLINE struct plain plain_open(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct plain p;
    size_t slots = (count + LANES - 1) / LANES;
    memset(&p, 0, sizeof p);
    p.c.job = job;
    p.c.first = first;
    p.c.count = count;
    p.c.worker = worker_of_chunk(slots);
    p.c.status = columns32_take(arena, slots, 1);
    p.c.r = column_take(arena, slots);
    p.c.s = column_take(arena, slots);
    p.c.e = column_take(arena, slots);
    p.c.points = affine_columns_take(arena, slots, 1);
    p.c.m.points = affine_columns_take(arena, slots, 1);
    p.z = column_take(arena, slots);
    p.prefix = column_take(arena, slots);
    return p;
}

/* What is inverted together: my whole share, or a slot at a time, i being the next one. */
LANE_INLINE struct worker inversion_share(const struct worker *w, size_t i) {
    struct worker one = {i, 1, i + 1};
    return BATCHED ? *w : one;
}

LANE_INLINE size_t inversion_step(const struct worker *w) { return BATCHED ? w->count : w->step; }

/* (X, Y) in points and Z in z become affine. */
LANE_FUNCTION void plain_normalise(const struct plain *p, limb *points) {
    const struct worker *w = &p->c.worker;
    for (size_t i = w->first; i < w->count; i += inversion_step(w)) {
        const struct worker share = inversion_share(w, i);
        batch_normalise(&share, points, p->z, p->prefix);
    }
}

/* The column s of scalars inverted. */
LANE_FUNCTION void plain_scalar_inverse(const struct plain *p) {
    const struct worker *w = &p->c.worker;
    for (size_t i = w->first; i < w->count; i += inversion_step(w)) {
        const struct worker share = inversion_share(w, i);
        batch_scalar_inverse(&share, p->c.s, p->prefix);
    }
}

/* m.points = m.points + points, affine. */
LANE_FUNCTION void plain_add(const struct plain *p) {
    const struct worker *w = &p->c.worker;
    for (size_t i = w->first; i < w->count; i += inversion_step(w)) {
        const struct worker share = inversion_share(w, i);
        batch_add(&share, p->c.m.points, p->c.points, p->z, p->prefix);
    }
}

/* k q, from the highest bit on: a doubling and an addition each, of which the sum is kept where the bit is 1. In
 * step, lanes of different scalars could not save the additions of their zeros.     8 L (dbl + add) */
LANE_FUNCTION void plain_multiply(struct jacobian *r, const struct limbs *k, const struct affine *q) {
    *r = jacobian_infinity();
    for (unsigned bit = 8 * CURVE.bytes; bit-- > 0;) {
        jacobian_double(r);
        struct jacobian sum = *r;
        jacobian_add_affine(&sum, q);
        *r = jacobian_select(lane32_is_odd(limbs_bits(k, bit, 1)), sum, *r);
    }
}

/* points[i] = k q, affine but for z[i]. */
LANE_INLINE void plain_multiply_slot(const struct plain *p, limb *points, size_t i, struct limbs k, struct affine q) {
    struct jacobian r;
    plain_multiply(&r, &k, &q);
    struct affine xy = {r.x, r.y};
    affine_store(points, i, xy);
    limbs_store(p->z, i, r.z);
}

/* out = k G, as ec_mul_base. */
LANE_FUNCTION gecc_result plain_mul_base(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct plain p = plain_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = status_ok();
        struct limbs k = scalar_read(job->flags, &job->in[0], slot_row(&p.c, i), slot_rows(&p.c, i), &status);
        plain_multiply_slot(&p, p.c.m.points, i, k, affine_generator());
        column32_store(p.c.status, i, status);
    }
    plain_normalise(&p, p.c.m.points);
    chunk_write_points(&p.c);
    return GECC_OK;
}

/* Points, digests and signatures of each row to the columns points, e, r, s. */
LANE_INLINE void plain_verify_read(const struct plain *p) {
    const struct chunk *c = &p->c;
    const struct job *job = c->job;
    chunk_read_points(c, &job->in[0], c->points, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct limbs r, s, e = digest_read(&job->in[1], slot_row(c, i), slot_rows(c, i), &status);
        signature_read(job, &job->in[2], slot_row(c, i), slot_rows(c, i), &r, &s, &status);
        limbs_store(c->e, i, scalar_encode(e));
        limbs_store(c->r, i, scalar_encode(r));
        limbs_store(c->s, i, scalar_encode(s));
        column32_store(c->status, i, status);
    }
}

/* x(u G + v Q) = r mod n for u = e / s, v = r / s, as ecdsa_verify. */
LANE_FUNCTION gecc_result plain_verify(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct plain p = plain_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    plain_verify_read(&p);
    plain_scalar_inverse(&p);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct limbs u = scalar_decode(scalar_mul(limbs_load(p.c.e, i), limbs_load(p.c.s, i)));
        plain_multiply_slot(&p, p.c.m.points, i, u, affine_generator());
    }
    plain_normalise(&p, p.c.m.points);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct limbs v = scalar_decode(scalar_mul(limbs_load(p.c.r, i), limbs_load(p.c.s, i)));
        plain_multiply_slot(&p, p.c.points, i, v, affine_load(p.c.points, i));
    }
    plain_normalise(&p, p.c.points);
    plain_add(&p);
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = column32_load(p.c.status, i);
        struct affine sum = affine_load(p.c.m.points, i);
        mask matches = scalar_equal(scalar_encode(fe_decode(sum.x)), limbs_load(p.c.r, i));
        status_require(&status, matches & ~affine_is_infinity(sum), GECC_ITEM_INVALID);
        column32_store(p.c.status, i, status);
    }
    chunk_publish(&p.c);
    return GECC_OK;
}

#endif
