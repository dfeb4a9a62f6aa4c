/* Lane programs of Schnorr signatures (BIP-340) and of Taproot's tweaks of keys (BIP-341). CURVE is secp256k1.
 *
 * A public key is 32 bytes, the x of P = d G; d or n - d signs, whichever makes the P with an even y. */
#ifndef GECC_SCHEME_SCHNORR_H
#define GECC_SCHEME_SCHNORR_H

#include "hash/tagged.h"
#include "scheme/message_mark.h"
#include "scheme/signature.h"

static_assert(WORDS == 8, "integers are what SHA-256 gives");

/* points = those with the x of each row of in[0] and an even y (BIP-340's lift_x), of n slots in step from slot i on;
 * and x itself, and the statuses of the rows so far. Lanes that are refused read G. Public. */
LANE_FUNCTION void x_only_read(const struct chunk *c, size_t i, int n, struct limbs *x, lane32 *status) {
    fe field_x[POWERS_IN_STEP], y[POWERS_IN_STEP];
    mask even[POWERS_IN_STEP], exists[POWERS_IN_STEP];
    for (int k = 0; k < n; k++) {
        const size_t slot = i + (size_t)k * c->worker.step;
        status[k] = status_ok();
        x[k] = integer_read(0, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot), CURVE.bytes, &status[k]);
        status_require(&status[k], limbs_less(x[k], limbs_set(&CURVE.p.m)), GECC_ITEM_MALFORMED_POINT_RANGE);
        field_x[k] = fe_encode(x[k]);
        even[k] = mask_set(0);
    }
    point_lift_each(y, field_x, even, exists, n);
    for (int k = 0; k < n; k++) {
        const struct affine a = {field_x[k], y[k]};
        status_require(&status[k], exists[k], GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
        affine_store(c->points, i + (size_t)k * c->worker.step,
                     affine_select(status_is_ok(status[k]), a, affine_generator()));
    }
}

/* x of m.points to out[0] and the parity of their y to a column, NULL or without data: not wanted. INFINITY where they
 * are that, and the statuses: the last thing a program does. */
LANE_FUNCTION void chunk_write_x_only(const struct chunk *c, const gecc_out *parity) {
    const struct job *job = c->job;
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine a = affine_load(c->m.points, i);
        status_require(&status, ~affine_is_infinity(a), GECC_ITEM_INFINITY);
        mask ok = status_is_ok(status);
        lane32 odd = mask_to_lane32(limbs_is_odd(fe_decode(a.y)) & ok) & lane32_set(1);
        integer_write(0, &job->out[0], slot_row(c, i), slot_rows(c, i), CURVE.bytes,
                      limbs_select(ok, fe_decode(a.x), limbs_zero()));
        for (int lane = 0; parity && parity->data && lane < slot_rows(c, i); lane++)
            *out_at(parity, slot_row(c, i) + (size_t)lane) = (uint8_t)lane32_extract(odd, lane);
        column32_store(c->status, i, status);
    }
    chunk_publish(c);
}

/* The messages of a slot as words, if all of them have 32 bytes; else 0. Lanes without a row read zeros. */
LANE_INLINE int message_words(const gecc_rows *column, size_t row, int rows, lane32 *words) {
    struct lane_words message;
    words_clear(&message);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        if (width != 4 * WORDS)
            return 0;
        words_read(&message, lane, p, 4 * WORDS);
    }
    LANE_UNROLL
    for (int i = 0; i < WORDS; i++)
        words[i] = lane32_load(message.word[i]);
    return 1;
}

/* hash_tag(x || y || message), an integer below 2^256, of the messages of in[1]. x and y may be secret. */
LANE_INLINE struct limbs schnorr_hash(enum tag tag, const struct chunk *c, size_t slot, struct limbs x,
                                      struct limbs y) {
    const gecc_rows *column = &c->job->in[1];
    lane32 hash[WORDS], x_words[WORDS], y_words[WORDS], message[WORDS];
    limbs_to_words(x_words, x);
    limbs_to_words(y_words, y);
    tagged_hash_block(tag, hash, x_words, y_words);
    if (message_words(column, slot_row(c, slot), slot_rows(c, slot), message)) {
        tagged_hash_last32(hash, message);
    } else {
        struct segment segment = message_segment(column, slot_row(c, slot), slot_rows(c, slot));
        tagged_hash_last(hash, &segment);
    }
    return limbs_from_words(hash);
}

/* e = hash_challenge(x of R || x of P || message) */
LANE_FUNCTION struct limbs schnorr_challenge(const struct chunk *c, size_t slot, struct limbs r, struct limbs p) {
    return schnorr_hash(TAG_CHALLENGE, c, slot, r, p);
}

LANE_FUNCTION struct limbs schnorr_nonce_hash(const struct chunk *c, size_t slot, struct limbs t, struct limbs p) {
    return schnorr_hash(TAG_NONCE, c, slot, t, p);
}

/* One row's r and s into lane `lane`. A sighash byte (GECC_SIGHASH_BYTE) may follow, which is not 0 (BIP-341). */
LANE_INLINE gecc_item schnorr_signature_row(const struct job *job, const uint8_t *p, size_t width, struct lane_words *r,
                                            struct lane_words *s, int lane) {
    const size_t bytes = 2 * CURVE.bytes;
    int has_sighash = (job->flags & GECC_SIGHASH_BYTE) != 0 && width == bytes + 1;
    if (width != bytes && !has_sighash)
        return GECC_ITEM_MALFORMED_WIDTH;
    if (has_sighash && p[bytes] == 0)
        return GECC_ITEM_MALFORMED_SIGNATURE_ENCODING;
    words_read(r, lane, p, CURVE.bytes);
    words_read(s, lane, p + CURVE.bytes, CURVE.bytes);
    return GECC_ITEM_OK;
}

/* r < p and s < n of each row; lanes that are refused read 1. Public data. */
LANE_FUNCTION void schnorr_signature_read(const struct job *job, const gecc_rows *column, size_t row, int rows,
                                          struct limbs *r, struct limbs *s, lane32 *status) {
    struct lane_words r_words, s_words;
    lane32 here = status_ok();
    words_clear(&r_words);
    words_clear(&s_words);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        here = lane32_insert(here, lane, (uint32_t)schnorr_signature_row(job, p, width, &r_words, &s_words, lane));
    }
    *r = words_to_limbs(&r_words);
    *s = words_to_limbs(&s_words);
    mask in_range = limbs_less(*r, limbs_set(&CURVE.p.m)) & limbs_less(*s, limbs_set(&CURVE.n.m));
    status_require(&here, in_range, GECC_ITEM_MALFORMED_SIGNATURE_RANGE);
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    *r = limbs_select(status_is_ok(here), *r, limbs_one());
    *s = limbs_select(status_is_ok(here), *s, limbs_one());
}

/* Given the columns s, e (scalars) and points (P): m.points = s G - e P. */
LANE_INLINE void schnorr_verify_point_by(const struct chunk *c, enum multiplied by) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        struct limbs u = scalar_decode(limbs_load(c->s, i)), v = scalar_decode(scalar_neg(limbs_load(c->e, i)));
        chunk_recode_pair(c, by, &u, &v, i);
    }
    chunk_multiply_add(c, by);
}

LANE_FUNCTION void schnorr_verify_point(const struct chunk *c) { schnorr_verify_point_by(c, BY_POINTS); }

/* Is the point finite, with an even y, and is its x the integer r? */
LANE_INLINE mask schnorr_matches(struct affine point, struct limbs r) {
    return limbs_equal(fe_decode(point.x), r) & ~limbs_is_odd(fe_decode(point.y)) & ~affine_is_infinity(point);
}

/* The key P of each row of a slot that names it by number, or -P, whichever has an even y; *p: its x. e is negated
 * where it is -P, since it is P that has the table. */
LANE_INLINE void schnorr_read_key(const struct chunk *c, size_t slot, struct limbs *p, mask *negated) {
    struct affine key = chunk_key_point(c, slot);
    *p = fe_decode(key.x);
    *negated = limbs_is_odd(fe_decode(key.y));
}

/* A slot's signatures: r, s and e, negated where that is asked for, to their columns. p: x of the keys. */
LANE_INLINE void schnorr_verify_prepare(const struct chunk *c, size_t slot, const struct limbs *p, mask negated,
                                        lane32 status) {
    struct limbs r, s;
    schnorr_signature_read(c->job, &c->job->in[2], slot_row(c, slot), slot_rows(c, slot), &r, &s, &status);
    scalar e = scalar_encode(schnorr_challenge(c, slot, r, *p));
    limbs_store(c->e, slot, limbs_select(negated, scalar_neg(e), e));
    limbs_store(c->r, slot, r);
    limbs_store(c->s, slot, scalar_encode(s));
    column32_store(c->status, slot, status);
}

/* Valid where R = s G - e P has r for its x and an even y. */
LANE_INLINE gecc_result schnorr_verify_by(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                          size_t count, enum multiplied by) {
    struct chunk c = chunk_open(by == BY_KEYS ? ONLY_BASE : ANY_POINT, arena, tables, job, first, count);
    if (by == BY_KEYS)
        chunk_read_keys(&c, &job->in[0], 1);
    for (size_t i = c.worker.first; i < c.worker.count; i += POWERS_IN_STEP * c.worker.step) {
        const int slots = slots_in_step(&c.worker, i, POWERS_IN_STEP);
        struct limbs p[POWERS_IN_STEP];
        lane32 status[POWERS_IN_STEP];
        mask negated[POWERS_IN_STEP];
        if (by == BY_POINTS)
            x_only_read(&c, i, slots, p, status);
        for (int k = 0; k < slots; k++) {
            const size_t slot = i + (size_t)k * c.worker.step;
            if (by == BY_KEYS) {
                status[k] = column32_load(c.status, slot);
                schnorr_read_key(&c, slot, &p[k], &negated[k]);
            }
            schnorr_verify_prepare(&c, slot, &p[k], by == BY_KEYS ? negated[k] : mask_set(0), status[k]);
        }
    }
    if (by == BY_KEYS)
        schnorr_verify_point_by(&c, BY_KEYS);
    else
        schnorr_verify_point(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        status_require(&status, schnorr_matches(affine_load(c.m.points, i), limbs_load(c.r, i)), GECC_ITEM_INVALID);
        column32_store(c.status, i, status);
    }
    chunk_publish(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result schnorr_verify(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                         size_t count) {
    return schnorr_verify_by(arena, tables, job, first, count, BY_POINTS);
}

LANE_FUNCTION gecc_result schnorr_verify_keys(struct arena *arena, const void *tables, const struct job *job,
                                              size_t first, size_t count) {
    return schnorr_verify_by(arena, tables, job, first, count, BY_KEYS);
}

/* Keys. */

/* The private keys d' to the column d; m.points = d' G. */
LANE_FUNCTION void schnorr_multiply_keys(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = status_ok();
        struct limbs d = private_key_read(c->job->flags, &c->job->in[0], slot_row(c, i), slot_rows(c, i), &status);
        base_recode(SECRET, c->tables, &d, base_digits_at(&c->m, i));
        limbs_store(c->d, i, scalar_encode(d));
        column32_store(c->status, i, status);
    }
    chunk_multiply_base(c, 0);
}

/* d = d' or n - d', whichever makes a P with an even y; P = d' G as in m.points. */
LANE_INLINE scalar schnorr_even_key(scalar d, struct affine p) {
    return limbs_select(limbs_is_odd(fe_decode(p.y)), scalar_neg(d), d);
}

/* Is P = m.points on the curve, and made from the digits of d'? */
LANE_INLINE mask schnorr_key_is_sound(const struct chunk *c, size_t slot, struct affine p) {
    mask sound = affine_on_curve(p);
    if (LANE_RECHECKS)
        sound = sound & secret_digits_match(base_digits_at(&c->m, slot), scalar_decode(limbs_load(c->d, slot)));
    return sound;
}

/* out[0] = x of d' G. */
LANE_FUNCTION gecc_result schnorr_public_key(struct arena *arena, const void *tables, const struct job *job,
                                             size_t first, size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    schnorr_multiply_keys(&c);
    gecc_result result = chunk_check_products(&c);
    chunk_write_x_only(&c, NULL);
    return result;
}

/* t = hash_TapTweak(p || root) of each row, p the x of its key; lanes of which that is not less than n are INVALID,
 * with t = 1. Rows of in[1] have 32 bytes or none; no column: none of them has any. Roots are public. */
LANE_FUNCTION struct limbs taproot_tweak(const struct chunk *c, size_t slot, struct limbs p, lane32 *status) {
    const gecc_rows *column = &c->job->in[1];
    struct lane_words root;
    lane32 p_words[WORDS], root_words[WORDS], hash[WORDS];
    mask fits = mask_set(1), given = mask_set(0);
    words_clear(&root);
    for (int lane = 0; column->data && lane < slot_rows(c, slot); lane++) {
        size_t width;
        const uint8_t *at = rows_at(column, slot_row(c, slot) + (size_t)lane, &width);
        given = mask_insert(given, lane, width == 4 * WORDS);
        fits = mask_insert(fits, lane, width == 0 || width == 4 * WORDS);
        if (width == 4 * WORDS)
            words_read(&root, lane, at, 4 * WORDS);
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    limbs_to_words(p_words, p);
    LANE_UNROLL
    for (int i = 0; i < WORDS; i++)
        root_words[i] = lane32_load(root.word[i]);
    tagged_hash32_or_64(TAG_TWEAK, hash, p_words, root_words, mask_to_lane32(given));
    struct limbs t = limbs_from_words(hash);
    mask in_range = limbs_less(t, limbs_set(&CURVE.n.m));
    status_require(status, in_range, GECC_ITEM_INVALID);
    return limbs_select(in_range, t, limbs_one());
}

/* Q = P + t G for P with an even y. */
LANE_FUNCTION gecc_result schnorr_tweak_public_key(struct arena *arena, const void *tables, const struct job *job,
                                                   size_t first, size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += POWERS_IN_STEP * c.worker.step) {
        const int slots = slots_in_step(&c.worker, i, POWERS_IN_STEP);
        lane32 status[POWERS_IN_STEP];
        struct limbs p[POWERS_IN_STEP];
        x_only_read(&c, i, slots, p, status);
        for (int k = 0; k < slots; k++) {
            const size_t slot = i + (size_t)k * c.worker.step;
            struct limbs t = taproot_tweak(&c, slot, p[k], &status[k]);
            base_recode(PUBLIC, tables, &t, base_digits_at(&c.m, slot));
            column32_store(c.status, slot, status[k]);
        }
    }
    chunk_multiply_base(&c, 1);
    batch_add(&c.worker, c.m.points, c.points, c.m.z, c.m.prefix);
    gecc_result result = chunk_check_products(&c);
    chunk_write_x_only(&c, &job->out[1]);
    return result;
}

/* out[0] = d + t mod n, INVALID where that is 0. */
LANE_FUNCTION gecc_result schnorr_tweak_private_key(struct arena *arena, const void *tables, const struct job *job,
                                                    size_t first, size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    mask any_fault = mask_set(0);
    schnorr_multiply_keys(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        struct affine p = affine_load(c.m.points, i);
        struct limbs t = taproot_tweak(&c, i, fe_decode(p.x), &status);
        scalar key = scalar_add(schnorr_even_key(limbs_load(c.d, i), p), scalar_encode(t));
        mask sound = schnorr_key_is_sound(&c, i, p);
        status_require(&status, ~scalar_is_zero(key), GECC_ITEM_INVALID);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        integer_write(job->flags, &job->out[0], slot_row(&c, i), slot_rows(&c, i), CURVE.bytes,
                      limbs_select(status_is_ok(status), scalar_decode(key), limbs_zero()));
        column32_store(c.status, i, status);
    }
    LANE_DECLASSIFY(any_fault);
    chunk_publish(&c);
    return mask_any(any_fault) ? GECC_ERROR_FAULT : GECC_OK;
}

/* Signing. */

/* The nonce k' of a row, mod n: hash_nonce(t || p || message), t = d xor hash_aux(a), p the x of P. a: 32 bytes of
 * in[2], of zeros where there is no such column. */
LANE_FUNCTION struct limbs schnorr_nonce(const struct chunk *c, size_t slot, struct limbs d, struct limbs p,
                                         lane32 *status) {
    lane32 mix[WORDS], t[WORDS], auxiliary[ENTROPY_WORDS];
    LANE_UNROLL
    for (int i = 0; i < WORDS; i++)
        mix[i] = lane32_set(tagged_aux_zero[i]);
    if (c->job->in[2].data) {
        entropy_read(&c->job->in[2], slot_row(c, slot), slot_rows(c, slot), auxiliary, status);
        tagged_hash32(TAG_AUX, mix, auxiliary);
    }
    limbs_to_words(t, d);
    LANE_UNROLL
    for (int i = 0; i < WORDS; i++)
        t[i] = t[i] ^ mix[i];
    return scalar_reduce(schnorr_nonce_hash(c, slot, limbs_from_words(t), p));
}

LANE_INLINE struct limbs schnorr_mark(const struct chunk *c, size_t slot) {
    const gecc_rows none = {NULL, 0, 0, NULL, NULL};
    return message_mark(&c->job->in[1], &none, slot_row(c, slot), slot_rows(c, slot));
}

/* From P = m.points: P to points, d to the column d, the nonce k' to k; its digits. For a machine that looks for faults
 * k' to r as well, and before k' is made the mark of its message to e. Returns whether a check of P failed. */
LANE_FUNCTION mask schnorr_sign_nonces(const struct chunk *c) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine p = affine_load(c->m.points, i);
        mask sound = schnorr_key_is_sound(c, i, p);
        scalar d = schnorr_even_key(limbs_load(c->d, i), p);
        if (LANE_RECHECKS)
            limbs_store(c->e, i, schnorr_mark(c, i));
        struct limbs k = schnorr_nonce(c, i, scalar_decode(d), fe_decode(p.x), &status);
        mask zero = limbs_is_zero(k);
        status_require(&status, ~zero, GECC_ITEM_INVALID);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        k = limbs_select(zero, limbs_one(), k);
        base_recode(SECRET, c->tables, &k, base_digits_at(&c->m, i));
        limbs_store(c->d, i, d);
        limbs_store(c->k, i, scalar_encode(k));
        if (LANE_RECHECKS)
            limbs_store(c->r, i, scalar_encode(k));
        affine_store(c->points, i, p);
        column32_store(c->status, i, status);
    }
    return any_fault;
}

/* k = k' or n - k', whichever makes an R with an even y. */
LANE_INLINE scalar schnorr_even_nonce(const struct chunk *c, size_t slot, struct affine r) {
    scalar k = limbs_load(c->k, slot);
    return limbs_select(limbs_is_odd(fe_decode(r.y)), scalar_neg(k), k);
}

/* Is r = x(R) and s = k + e d for the key and the message as they are in the caller's rows, for the P that the nonce
 * was made with, and the nonce as it was made first, for that message? See ecdsa_sign_recheck and sm2_sign_recheck.
 * Where signatures are verified in full, the nonce is made again. */
LANE_INLINE mask schnorr_sign_recheck(const struct chunk *c, size_t slot, struct limbs r, scalar s) {
    lane32 ignored = status_ok();
    struct affine p = affine_load(c->points, slot), point = affine_load(c->m.points, slot);
    struct limbs x = fe_decode(point.x), p_x = fe_decode(p.x);
    scalar d =
        scalar_encode(private_key_read(c->job->flags, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot), &ignored));
    d = schnorr_even_key(d, p);
    scalar e = scalar_encode(schnorr_challenge(c, slot, x, p_x)), k = limbs_load(c->k, slot);
    scalar sum = scalar_add(schnorr_even_nonce(c, slot, point), scalar_mul(e, d));
    mask sound = affine_on_curve(p) & limbs_equal(x, r) & scalar_equal(sum, s) &
                 scalar_equal(k, limbs_load(c->r, slot)) &
                 secret_digits_match(base_digits_at(&c->m, slot), scalar_decode(k));
    sound = sound & limbs_equal(schnorr_mark(c, slot), limbs_load(c->e, slot));
    if (c->job->flags & GECC_VERIFY_SIGNATURES)
        sound = sound & limbs_equal(schnorr_nonce(c, slot, scalar_decode(d), p_x, &ignored), scalar_decode(k));
    return sound;
}

/* r || s to a slot's rows, zeros where the status is not OK. */
LANE_INLINE void schnorr_signature_write(const struct chunk *c, size_t slot, struct limbs r, struct limbs s,
                                         lane32 status) {
    gecc_out r_column = c->job->out[0], s_column = r_column;
    mask ok = status_is_ok(status);
    s_column.data = (uint8_t *)r_column.data + CURVE.bytes;
    r = limbs_select(ok, r, limbs_zero());
    s = limbs_select(ok, s, limbs_zero());
    integer_write(0, &r_column, slot_row(c, slot), slot_rows(c, slot), CURVE.bytes, r);
    integer_write(0, &s_column, slot_row(c, slot), slot_rows(c, slot), CURVE.bytes, s);
}

/* r = x(R), e, s = k + e d; all kept, and the signatures written. Returns whether a check failed. */
LANE_INLINE mask schnorr_sign_finish(const struct chunk *c) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine point = affine_load(c->m.points, i);
        struct limbs r = fe_decode(point.x);
        scalar e = scalar_encode(schnorr_challenge(c, i, r, fe_decode(affine_load(c->points, i).x)));
        scalar s = scalar_add(schnorr_even_nonce(c, i, point), scalar_mul(e, limbs_load(c->d, i)));
        mask sound = affine_on_curve(point);
        if (LANE_RECHECKS)
            sound = sound & schnorr_sign_recheck(c, i, r, s);
        any_fault = any_fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        column32_store(c->status, i, status);
        limbs_store(c->r, i, r);
        limbs_store(c->e, i, e);
        limbs_store(c->s, i, s);
        schnorr_signature_write(c, i, r, scalar_decode(s), status);
    }
    return any_fault;
}

/* Verify what was signed, from the columns d, e, r, s. Returns whether a row failed. The messages may have been written
 * over. */
LANE_FUNCTION mask schnorr_sign_verify(const struct chunk *c) {
    mask any_fault = mask_set(0);
    chunk_reveal_signatures(c);
    schnorr_verify_point(c);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        mask valid = schnorr_matches(affine_load(c->m.points, i), limbs_load(c->r, i));
        any_fault = any_fault | chunk_withdraw_unless(c, i, valid);
    }
    return any_fault;
}

LANE_FUNCTION gecc_result schnorr_sign(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    enum multiplicands multiplicands = (job->flags & GECC_VERIFY_SIGNATURES) ? ANY_POINT : ONLY_BASE;
    struct chunk c = chunk_open(multiplicands, arena, tables, job, first, count);
    schnorr_multiply_keys(&c);
    mask fault = schnorr_sign_nonces(&c);
    chunk_multiply_base(&c, 0);
    fault = fault | schnorr_sign_finish(&c);
    if (job->flags & GECC_VERIFY_SIGNATURES)
        fault = fault | schnorr_sign_verify(&c);
    LANE_DECLASSIFY(fault);
    chunk_publish(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

#endif
