/* Lane programs of SM2 signatures (GB/T 32918.2, section 6 and 7; GM/T 0003.2). CURVE is SM2's. */
#ifndef GECC_SCHEME_SM2_H
#define GECC_SCHEME_SM2_H

#include "scheme/digest.h"
#include "scheme/signature.h"

/* a || b || x of G || y of G, as ZA hashes them. */
LANE_INLINE void sm2_constants(uint8_t *bytes) {
    const struct limbs_constant *fields[4] = {&CURVE.a, &CURVE.b, &CURVE.gx, &CURVE.gy};
    for (int i = 0; i < 4; i++) {
        struct lane_words words;
        words_from_limbs(&words, fe_decode(fe_set(fields[i])));
        words_write(bytes + 32 * i, &words, 0, 32);
    }
}

/* One row's id, the default where the column has none. Returns whether ZA can hold its length. */
LANE_INLINE int sm2_id_row(const gecc_rows *column, size_t row, struct segment *id, int lane) {
    if (column->data) {
        id->data[lane] = rows_at(column, row, &id->width[lane]);
    } else {
        id->data[lane] = (const uint8_t *)GECC_SM2_DEFAULT_ID;
        id->width[lane] = sizeof GECC_SM2_DEFAULT_ID - 1;
    }
    if (id->width[lane] <= SM2_ID_BYTES_MAX)
        return 1;
    id->width[lane] = 0;
    return 0;
}

/* The digests of one slot. Lanes without a row hash empty strings. */
LANE_INLINE void sm2_digest_slot(const struct chunk *c, size_t slot, const uint8_t *constants) {
    const struct job *job = c->job;
    size_t row = slot_row(c, slot);
    int rows = slot_rows(c, slot);
    lane32 status = status_ok();
    struct lane_words x, y;
    struct segment id, message;
    uint8_t keys[LANES][64], digests[LANES][32];
    const uint8_t *keys_at[LANES];
    uint8_t *digests_at[LANES];
    mask fits = mask_set(1);
    struct affine key = point_read(job->flags, &job->in[0], row, rows, &status);
    words_from_limbs(&x, fe_decode(key.x));
    words_from_limbs(&y, fe_decode(key.y));
    for (int lane = 0; lane < LANES; lane++) {
        words_write(keys[lane], &x, lane, 32);
        words_write(keys[lane] + 32, &y, lane, 32);
        keys_at[lane] = keys[lane];
        digests_at[lane] = digests[lane];
        id.data[lane] = message.data[lane] = NULL;
        id.width[lane] = message.width[lane] = 0;
        if (lane >= rows)
            continue;
        fits = mask_insert(fits, lane, sm2_id_row(&job->in[1], row + (size_t)lane, &id, lane));
        message.data[lane] = rows_at(&job->in[2], row + (size_t)lane, &message.width[lane]);
    }
    status_require(&status, fits, GECC_ITEM_MALFORMED_WIDTH);
    sm2_digest_lanes(digests_at, constants, keys_at, &id, &message);
    for (int lane = 0; lane < rows; lane++) {
        uint8_t *out = out_at(&job->out[0], row + (size_t)lane);
        if (lane32_extract(status, lane) == GECC_ITEM_OK)
            memcpy(out, digests[lane], 32);
        else
            memset(out, 0, 32);
    }
    column32_store(c->status, slot, status);
}

LANE_FUNCTION gecc_result sm2_digest(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    uint8_t constants[SM2_CONSTANTS_BYTES];
    sm2_constants(constants);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
        sm2_digest_slot(&c, i, constants);
    chunk_publish(&c);
    return GECC_OK;
}

/* e of 32 bytes, and no other width. */
LANE_INLINE struct limbs sm2_e_read(const struct chunk *c, size_t slot, lane32 *status) {
    return integer_read(0, &c->job->in[1], slot_row(c, slot), slot_rows(c, slot), 32, status);
}

/* Given the columns r, s (scalars) and points (P): m.points = s G + (r + s) P. */
LANE_INLINE void sm2_verify_point_by(const struct chunk *c, enum multiplied by) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        scalar s = limbs_load(c->s, i);
        struct limbs u = scalar_decode(s), v = scalar_decode(scalar_add(limbs_load(c->r, i), s));
        chunk_recode_pair(c, by, &u, &v, i);
    }
    chunk_multiply_add(c, by);
}

LANE_FUNCTION void sm2_verify_point(const struct chunk *c) { sm2_verify_point_by(c, BY_POINTS); }

/* Is (e + x) mod n = r for the x of a finite point? */
LANE_INLINE mask sm2_matches(struct affine point, scalar e, scalar r) {
    return scalar_equal(scalar_add(e, scalar_encode(fe_decode(point.x))), r) & ~affine_is_infinity(point);
}

/* Valid where (e + x(s G + (r + s) P)) mod n = r, r + s not 0. */
LANE_INLINE gecc_result sm2_verify_by(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count, enum multiplied by) {
    struct chunk c = chunk_open_keys(by, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        struct limbs r, s, e = sm2_e_read(&c, i, &status);
        signature_read(job, &job->in[2], slot_row(&c, i), slot_rows(&c, i), &r, &s, &status);
        scalar t = scalar_add(scalar_encode(r), scalar_encode(s));
        status_require(&status, ~scalar_is_zero(t), GECC_ITEM_INVALID);
        limbs_store(c.e, i, scalar_encode(e));
        limbs_store(c.r, i, scalar_encode(r));
        limbs_store(c.s, i, scalar_encode(s));
        column32_store(c.status, i, status);
    }
    if (by == BY_KEYS)
        sm2_verify_point_by(&c, BY_KEYS);
    else
        sm2_verify_point(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        mask valid = sm2_matches(affine_load(c.m.points, i), limbs_load(c.e, i), limbs_load(c.r, i));
        status_require(&status, valid, GECC_ITEM_INVALID);
        column32_store(c.status, i, status);
    }
    chunk_publish(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result sm2_verify(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    return sm2_verify_by(arena, tables, job, first, count, BY_POINTS);
}

LANE_FUNCTION gecc_result sm2_verify_keys(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                          size_t count) {
    return sm2_verify_by(arena, tables, job, first, count, BY_KEYS);
}

/* Key, digest and nonce of each row to the columns d, e, k; 1 + d to s. */
LANE_INLINE void sm2_sign_read(const struct chunk *c, int nonce_is_given) {
    const struct job *job = c->job;
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = status_ok();
        struct limbs d = private_key_read(job->flags, &job->in[0], slot_row(c, i), slot_rows(c, i), &status);
        struct limbs e = sm2_e_read(c, i, &status), k;
        if (nonce_is_given)
            k = private_scalar_read(job->flags, &job->in[2], slot_row(c, i), slot_rows(c, i), &status);
        else
            k = nonce_deterministic(c, i, d, e, &status);
        limbs_store(c->d, i, scalar_encode(d));
        limbs_store(c->e, i, scalar_encode(e));
        scalar nonce = scalar_encode(k);
        limbs_store(c->k, i, nonce);
        if (LANE_RECHECKS)
            limbs_store(c->r, i, nonce);
        limbs_store(c->s, i, scalar_add(scalar_encode(d), scalar_one()));
        column32_store(c->status, i, status);
    }
}

/* Is r = e + x and s (1 + d) + r d = k for the key and the digest as they are in the caller's rows, and the nonce
 * theirs? See ecdsa_sign_recheck. The nonce is in the column r too: where ECDSA has it inverted, which its equation
 * then shows, nothing here would show that it changed before it was used. */
LANE_INLINE mask sm2_sign_recheck(const struct chunk *c, size_t slot, int nonce_is_given, struct limbs x, scalar r,
                                  scalar s) {
    lane32 ignored = status_ok();
    struct limbs d = private_key_read(c->job->flags, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot), &ignored);
    struct limbs e = sm2_e_read(c, slot, &ignored);
    scalar sum = scalar_add(s, scalar_mul(scalar_add(s, r), scalar_encode(d))), k = limbs_load(c->k, slot);
    return scalar_equal(scalar_add(scalar_encode(e), scalar_encode(x)), r) & scalar_equal(sum, k) &
           scalar_equal(limbs_load(c->r, slot), k) & chunk_nonce_is_sound(c, slot, nonce_is_given, d, e);
}

/* r = e + x(R), s = (k - r d) / (1 + d), written. Returns whether a check failed. */
LANE_INLINE mask sm2_sign_finish(const struct chunk *c, int nonce_is_given) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine point = affine_load(c->m.points, i);
        scalar d = limbs_load(c->d, i), k = limbs_load(c->k, i);
        scalar r = scalar_add(limbs_load(c->e, i), scalar_encode(fe_decode(point.x)));
        scalar rd = scalar_mul(r, d);
        scalar s = scalar_mul(limbs_load(c->s, i), scalar_sub(k, rd));
        mask sound = affine_on_curve(point);
        if (LANE_RECHECKS)
            sound = sound & sm2_sign_recheck(c, i, nonce_is_given, fe_decode(point.x), r, s);
        else
            sound = sound & scalar_equal(scalar_add(s, scalar_add(scalar_mul(s, d), rd)), k);
        mask exists = ~scalar_is_zero(r) & ~scalar_is_zero(scalar_add(r, k)) & ~scalar_is_zero(s);
        status_require(&status, exists, GECC_ITEM_INVALID);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        column32_store(c->status, i, status);
        limbs_store(c->r, i, r);
        limbs_store(c->s, i, s);
        signature_write(c->job, slot_row(c, i), slot_rows(c, i), scalar_decode(r), scalar_decode(s), status);
    }
    LANE_DECLASSIFY(any_fault);
    return any_fault;
}

/* Verify what was signed, from the columns d, e, r, s. Returns whether a row failed. r + s is not 0: s = -r makes
 * s (1 + d) = k - r d mean k = -r, which has been refused. */
LANE_FUNCTION mask sm2_sign_verify(const struct chunk *c) {
    mask any_fault = mask_set(0);
    chunk_reveal_signatures(c);
    sm2_verify_point(c);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        mask valid = sm2_matches(affine_load(c->m.points, i), limbs_load(c->e, i), limbs_load(c->r, i));
        any_fault = any_fault | chunk_withdraw_unless(c, i, valid);
    }
    LANE_DECLASSIFY(any_fault);
    return any_fault;
}

LANE_INLINE gecc_result sm2_sign_rows(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count, int nonce_is_given) {
    enum multiplicands multiplicands = (job->flags & GECC_VERIFY_SIGNATURES) ? ANY_POINT : ONLY_BASE;
    struct chunk c = chunk_open(multiplicands, arena, tables, job, first, count);
    sm2_sign_read(&c, nonce_is_given);
    chunk_commit_nonces(&c);
    batch_scalar_inverse(&c.worker, c.s, c.m.prefix);
    mask fault = sm2_sign_finish(&c, nonce_is_given);
    if (job->flags & GECC_VERIFY_SIGNATURES)
        fault = fault | sm2_sign_verify(&c);
    chunk_publish(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

LANE_FUNCTION gecc_result sm2_sign(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                   size_t count) {
    return sm2_sign_rows(arena, tables, job, first, count, 0);
}

LANE_FUNCTION gecc_result sm2_sign_nonce(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                         size_t count) {
    return sm2_sign_rows(arena, tables, job, first, count, 1);
}

#endif
