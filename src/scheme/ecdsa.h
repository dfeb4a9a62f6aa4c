/* Lane programs of ECDSA (FIPS 186-5, section 6; SEC 1, section 4.1). */
#ifndef GECC_SCHEME_ECDSA_H
#define GECC_SCHEME_ECDSA_H

#include "scheme/signature.h"

/* Given the columns r, s, e (scalars), and Q as `by` says: m.points = R = (e / s) G + (r / s) Q. The column s is
 * overwritten. */
LANE_INLINE void ecdsa_verify_point_by(const struct chunk *c, enum multiplied by) {
    batch_scalar_inverse(&c->worker, c->s, c->m.prefix);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        scalar w = limbs_load(c->s, i);
        struct limbs u = scalar_decode(scalar_mul(limbs_load(c->e, i), w));
        struct limbs v = scalar_decode(scalar_mul(limbs_load(c->r, i), w));
        chunk_recode_pair(c, by, &u, &v, i);
    }
    chunk_multiply_add(c, by);
}

LANE_FUNCTION void ecdsa_verify_point(const struct chunk *c) { ecdsa_verify_point_by(c, BY_POINTS); }

/* Is a finite R's x, modulo n, equal to the scalar r? */
LANE_INLINE mask ecdsa_matches(struct affine point, scalar r) {
    return scalar_equal(scalar_encode(fe_decode(point.x)), r) & ~affine_is_infinity(point);
}

LANE_INLINE gecc_result ecdsa_verify_by(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                        size_t count, enum multiplied by) {
    struct chunk c = chunk_open_keys(by, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        struct limbs r, s, e = digest_read(&job->in[1], slot_row(&c, i), slot_rows(&c, i), &status);
        signature_read(job, &job->in[2], slot_row(&c, i), slot_rows(&c, i), &r, &s, &status);
        limbs_store(c.e, i, scalar_encode(e));
        limbs_store(c.r, i, scalar_encode(r));
        limbs_store(c.s, i, scalar_encode(s));
        column32_store(c.status, i, status);
    }
    if (by == BY_KEYS)
        ecdsa_verify_point_by(&c, BY_KEYS);
    else
        ecdsa_verify_point(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        status_require(&status, ecdsa_matches(affine_load(c.m.points, i), limbs_load(c.r, i)), GECC_ITEM_INVALID);
        column32_store(c.status, i, status);
    }
    chunk_publish(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result ecdsa_verify(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    return ecdsa_verify_by(arena, tables, job, first, count, BY_POINTS);
}

LANE_FUNCTION gecc_result ecdsa_verify_keys(struct arena *arena, const void *tables, const struct job *job,
                                            size_t first, size_t count) {
    return ecdsa_verify_by(arena, tables, job, first, count, BY_KEYS);
}

/* What a slot's rows are recovered from. */
struct recoverable {
    struct limbs e, r, s;
    lane32 recovery_id, status;
};

/* The x of the point R that a signature was made from, if *in_field (SEC 1, 4.1.6). */
LANE_INLINE fe recoverable_x(const struct recoverable *a, mask *in_field) {
    mask carry;
    struct limbs n = limbs_select(lane32_is_odd(a->recovery_id >> 1), limbs_set(&CURVE.n.m), limbs_zero());
    struct limbs x = limbs_add(a->r, n, &carry);
    *in_field = limbs_less(x, limbs_set(&CURVE.p.m)) & ~carry;
    return fe_encode(limbs_select(*in_field, x, limbs_zero()));
}

LANE_INLINE lane32 recovery_id_read(const gecc_rows *column, size_t row, int rows, lane32 *status) {
    lane32 id = lane32_set(0), here = status_ok();
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        const uint32_t given = width == 1 ? *p : 0;
        gecc_item item = width != 1  ? GECC_ITEM_MALFORMED_WIDTH
                         : given > 3 ? GECC_ITEM_MALFORMED_RECOVERY_ID
                                     : GECC_ITEM_OK;
        here = lane32_insert(here, lane, (uint32_t)item);
        if (item == GECC_ITEM_OK)
            id = lane32_insert(id, lane, given);
    }
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    return id;
}

/* What n slots in step, from slot i on, are recovered from, to their columns: R, INVALID where there is none, -e, and r
 * and s with their roles exchanged. */
LANE_INLINE void ecdsa_recover_store(const struct chunk *c, size_t i, const struct recoverable *a, int n) {
    fe x[POWERS_IN_STEP], y[POWERS_IN_STEP];
    mask odd[POWERS_IN_STEP], in_field[POWERS_IN_STEP], found[POWERS_IN_STEP];
    for (int k = 0; k < n; k++) {
        x[k] = recoverable_x(&a[k], &in_field[k]);
        odd[k] = lane32_is_odd(a[k].recovery_id);
    }
    point_lift_each(y, x, odd, found, n);
    for (int k = 0; k < n; k++) {
        const size_t slot = i + (size_t)k * c->worker.step;
        const struct affine point = {x[k], y[k]};
        const mask exists = in_field[k] & found[k];
        lane32 status = a[k].status;
        affine_store(c->points, slot, affine_select(exists, point, affine_generator()));
        status_require(&status, exists, GECC_ITEM_INVALID);
        limbs_store(c->e, slot, scalar_neg(scalar_encode(a[k].e)));
        limbs_store(c->r, slot, scalar_encode(a[k].s));
        limbs_store(c->s, slot, scalar_encode(a[k].r));
        column32_store(c->status, slot, status);
    }
}

/* From there m.points = Q = (s / r) R - (e / r) G; INVALID where that is infinity. */
LANE_FUNCTION void ecdsa_recover_point(const struct chunk *c) {
    ecdsa_verify_point(c);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        status_require(&status, ~affine_is_infinity(affine_load(c->m.points, i)), GECC_ITEM_INVALID);
        column32_store(c->status, i, status);
    }
}

LANE_FUNCTION gecc_result ecdsa_recover(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                        size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += POWERS_IN_STEP * c.worker.step) {
        const int slots = slots_in_step(&c.worker, i, POWERS_IN_STEP);
        struct recoverable a[POWERS_IN_STEP];
        for (int k = 0; k < slots; k++) {
            const size_t slot = i + (size_t)k * c.worker.step, row = slot_row(&c, slot);
            const int rows = slot_rows(&c, slot);
            a[k].status = status_ok();
            a[k].e = digest_read(&job->in[0], row, rows, &a[k].status);
            signature_read(job, &job->in[1], row, rows, &a[k].r, &a[k].s, &a[k].status);
            a[k].recovery_id = recovery_id_read(&job->in[2], row, rows, &a[k].status);
        }
        ecdsa_recover_store(&c, i, a, slots);
    }
    ecdsa_recover_point(&c);
    chunk_write_points(&c);
    return GECC_OK;
}

/* Key, digest and nonce of each row to the columns d, e, k. */
LANE_STEP void ecdsa_sign_read(const struct chunk *c, int nonce_is_given) {
    const struct job *job = c->job;
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = status_ok();
        struct limbs d = private_key_read(job->flags, &job->in[0], slot_row(c, i), slot_rows(c, i), &status);
        struct limbs e = digest_read(&job->in[1], slot_row(c, i), slot_rows(c, i), &status), k;
        if (nonce_is_given)
            k = private_scalar_read(job->flags, &job->in[2], slot_row(c, i), slot_rows(c, i), &status);
        else
            k = nonce_deterministic(c, i, d, e, &status);
        limbs_store(c->d, i, scalar_encode(d));
        limbs_store(c->e, i, scalar_encode(e));
        limbs_store(c->k, i, scalar_encode(k));
        limbs_store(c->s, i, scalar_encode(k));
        column32_store(c->status, i, status);
    }
}

/* Is r = x(R), and s k = e + r d for the key and the digest as they are in the caller's rows, and the nonce theirs?
 * What has turned over in memory since they were read first would give s another d, e or k, which two signatures then
 * reveal. */
LANE_INLINE mask ecdsa_sign_recheck(const struct chunk *c, size_t slot, int nonce_is_given, scalar r, scalar s) {
    lane32 ignored = status_ok();
    size_t row = slot_row(c, slot);
    struct limbs d = private_key_read(c->job->flags, &c->job->in[0], row, slot_rows(c, slot), &ignored);
    struct limbs e = digest_read(&c->job->in[1], row, slot_rows(c, slot), &ignored);
    scalar sum = scalar_add(scalar_encode(e), scalar_mul(r, scalar_encode(d)));
    mask sound =
        scalar_equal(scalar_mul(s, limbs_load(c->k, slot)), sum) & chunk_nonce_is_sound(c, slot, nonce_is_given, d, e);
    return sound & scalar_equal(scalar_encode(fe_decode(affine_load(c->m.points, slot).x)), r);
}

/* r = x(R) mod n, s = (e + r d) / k; both kept, and the signatures written. Returns whether a check failed. */
LANE_STEP mask ecdsa_sign_finish(const struct chunk *c, int nonce_is_given) {
    const struct job *job = c->job;
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine point = affine_load(c->m.points, i);
        struct limbs x = fe_decode(point.x);
        scalar r = scalar_encode(x), sum = scalar_add(limbs_load(c->e, i), scalar_mul(r, limbs_load(c->d, i)));
        scalar s = scalar_mul(limbs_load(c->s, i), sum);
        mask sound = affine_on_curve(point);
        if (LANE_RECHECKS)
            sound = sound & ecdsa_sign_recheck(c, i, nonce_is_given, r, s);
        else
            sound = sound & scalar_equal(scalar_mul(s, limbs_load(c->k, i)), sum);
        status_require(&status, ~scalar_is_zero(r) & ~scalar_is_zero(s), GECC_ITEM_INVALID);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);

        struct limbs s_integer = scalar_decode(s);
        mask odd = limbs_is_odd(fe_decode(point.y));
        if (job->flags & GECC_LOW_S)
            odd = odd ^ scalar_fold(&s_integer);
        mask over = ~limbs_less(x, limbs_set(&CURVE.n.m));
        lane32 id = (mask_to_lane32(over) & lane32_set(2)) | (mask_to_lane32(odd) & lane32_set(1));
        column32_store(c->status, i, status);
        limbs_store(c->r, i, r);
        limbs_store(c->s, i, scalar_encode(s_integer));
        signature_write(job, slot_row(c, i), slot_rows(c, i), scalar_decode(r), s_integer, status);
        id = lane32_select(mask_to_lane32(status_is_ok(status)), id, lane32_set(0));
        LANE_DECLASSIFY(id);
        for (int lane = 0; job->out[1].data && lane < slot_rows(c, i); lane++)
            *out_at(&job->out[1], slot_row(c, i) + (size_t)lane) = (uint8_t)lane32_extract(id, lane);
    }
    LANE_DECLASSIFY(any_fault);
    return any_fault;
}

/* Verify what was signed, from the columns d, e, r, s. Returns whether a row failed. */
LANE_FUNCTION mask ecdsa_sign_verify(const struct chunk *c) {
    mask any_fault = mask_set(0);
    chunk_reveal_signatures(c);
    ecdsa_verify_point(c);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        mask valid = ecdsa_matches(affine_load(c->m.points, i), limbs_load(c->r, i));
        any_fault = any_fault | chunk_withdraw_unless(c, i, valid);
    }
    LANE_DECLASSIFY(any_fault);
    return any_fault;
}

LANE_INLINE gecc_result ecdsa_sign_rows(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                        size_t count, int nonce_is_given) {
    enum multiplicands multiplicands = (job->flags & GECC_VERIFY_SIGNATURES) ? ANY_POINT : ONLY_BASE;
    struct chunk c = chunk_open(multiplicands, arena, tables, job, first, count);
    ecdsa_sign_read(&c, nonce_is_given);
    chunk_commit_nonces(&c);
    batch_scalar_inverse(&c.worker, c.s, c.m.prefix);
    mask fault = ecdsa_sign_finish(&c, nonce_is_given);
    if (job->flags & GECC_VERIFY_SIGNATURES)
        fault = fault | ecdsa_sign_verify(&c);
    chunk_publish(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

LANE_FUNCTION gecc_result ecdsa_sign(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    return ecdsa_sign_rows(arena, tables, job, first, count, 0);
}

LANE_FUNCTION gecc_result ecdsa_sign_nonce(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                           size_t count) {
    return ecdsa_sign_rows(arena, tables, job, first, count, 1);
}

#endif
