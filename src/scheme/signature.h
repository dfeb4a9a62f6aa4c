/* Signatures of r and s, as ECDSA and SM2 write them: reading, writing, and the code that both schemes share. */
#ifndef GECC_SCHEME_SIGNATURE_H
#define GECC_SCHEME_SIGNATURE_H

#include "batch/der.h"
#include "hash/hmac_drbg.h"
#include "scheme/keys.h"

/* One row's r and s into lane `lane`; the status of its encoding. With GECC_SIGHASH_BYTE the last byte is not looked
 * at. */
LANE_INLINE gecc_item signature_row(const struct job *job, const uint8_t *p, size_t width, struct lane_words *r,
                                    struct lane_words *s, int lane) {
    struct der_signature der;
    if (job->flags & GECC_SIGHASH_BYTE)
        width -= width != 0;
    if (!(job->flags & GECC_DER)) {
        if (width != 2 * CURVE.bytes)
            return GECC_ITEM_MALFORMED_WIDTH;
        words_read(r, lane, p, CURVE.bytes);
        words_read(s, lane, p + CURVE.bytes, CURVE.bytes);
        if (job->flags & GECC_LITTLE_ENDIAN) {
            words_byteswap(r, lane, CURVE.bytes);
            words_byteswap(s, lane, CURVE.bytes);
        }
        return GECC_ITEM_OK;
    }
    if (!der_read(&der, p, width))
        return GECC_ITEM_MALFORMED_SIGNATURE_ENCODING;
    if (der.r_bytes > CURVE.bytes || der.s_bytes > CURVE.bytes)
        return GECC_ITEM_MALFORMED_SIGNATURE_RANGE;
    words_read(r, lane, der.r, der.r_bytes);
    words_read(s, lane, der.s, der.s_bytes);
    return GECC_ITEM_OK;
}

/* 0 < r, s < n, and a low s where the flags ask for one; lanes that are refused, or were in `here`, the status of
 * the bytes of r and s, become 1. */
LANE_INLINE void signature_require(uint32_t flags, struct limbs *r, struct limbs *s, lane32 here, lane32 *status) {
    status_require(&here, scalar_in_range(*r) & scalar_in_range(*s), GECC_ITEM_MALFORMED_SIGNATURE_RANGE);
    if (flags & GECC_LOW_S)
        status_require(&here, ~limbs_less(limbs_set(&CURVE.half_order), *s), GECC_ITEM_MALFORMED_HIGH_S);
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    *r = limbs_select(status_is_ok(here), *r, limbs_one());
    *s = limbs_select(status_is_ok(here), *s, limbs_one());
}

/* r and s of each row, 0 < r, s < n; lanes that are refused read 1. Public data. */
LANE_FUNCTION void signature_read(const struct job *job, const gecc_rows *column, size_t row, int rows, struct limbs *r,
                                  struct limbs *s, lane32 *status) {
    struct lane_words r_words, s_words;
    lane32 here = status_ok();
    words_clear(&r_words);
    words_clear(&s_words);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        here = lane32_insert(here, lane, (uint32_t)signature_row(job, p, width, &r_words, &s_words, lane));
    }
    *r = words_to_limbs(&r_words);
    *s = words_to_limbs(&s_words);
    signature_require(job->flags, r, s, here, status);
}

/* Write r and s (integers) where the status is OK, zeros elsewhere. */
LANE_FUNCTION void signature_write(const struct job *job, size_t row, int rows, struct limbs r, struct limbs s,
                                   lane32 status) {
    struct lane_words r_words, s_words;
    uint8_t bytes[2][4 * WORDS];
    words_from_limbs(&r_words, limbs_select(status_is_ok(status), r, limbs_zero()));
    words_from_limbs(&s_words, limbs_select(status_is_ok(status), s, limbs_zero()));
    LANE_DECLASSIFY(r_words);
    LANE_DECLASSIFY(s_words);
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < rows; lane++) {
        size_t i = row + (size_t)lane;
        uint8_t *p = out_at(&job->out[0], i);
        int ok = lane32_extract(status, lane) == GECC_ITEM_OK;
        uint32_t width = ok ? 2 * CURVE.bytes : 0;
        if (job->flags & GECC_DER) {
            words_write(bytes[0], &r_words, lane, CURVE.bytes);
            words_write(bytes[1], &s_words, lane, CURVE.bytes);
            memset(p, 0, DER_SIGNATURE_BYTES(CURVE_BITS));
            if (ok)
                width = (uint32_t)der_write(p, bytes[0], bytes[1], CURVE.bytes);
        } else {
            if (job->flags & GECC_LITTLE_ENDIAN) {
                words_byteswap(&r_words, lane, CURVE.bytes);
                words_byteswap(&s_words, lane, CURVE.bytes);
            }
            words_write(p, &r_words, lane, CURVE.bytes);
            words_write(p + CURVE.bytes, &s_words, lane, CURVE.bytes);
        }
        if (job->out[0].widths)
            job->out[0].widths[i] = width;
    }
}

/* Zeros for the signatures of a slot's rows whose status is not OK. What was published stays: it is not written again
 * from columns, where the nonce was too. */
LANE_FUNCTION void signature_clear(const struct job *job, size_t row, int rows, lane32 status) {
    size_t width = (job->flags & GECC_DER) ? DER_SIGNATURE_BYTES(CURVE_BITS) : 2 * CURVE.bytes;
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < rows; lane++) {
        size_t i = row + (size_t)lane;
        if (lane32_extract(status, lane) == GECC_ITEM_OK)
            continue;
        memset(out_at(&job->out[0], i), 0, width);
        if (job->out[0].widths)
            job->out[0].widths[i] = 0;
    }
}

/* The nonces of RFC 6979 for the lanes' private keys d and digests e, integers: k in (0, n). Rejected candidates, a
 * third and more on brainpool, once in 2^32 on P-256, are drawn again; that there was one is public. */
LANE_INLINE struct limbs nonce_rfc6979(gecc_hash hash, struct limbs d, struct limbs e, const lane32 *entropy) {
    struct rfc6979 generator;
    lane32 x[WORDS], h1[WORDS], t[WORDS];
    struct limbs k = limbs_zero();
    mask missing = mask_set(1);
    limbs_to_words(x, d);
    limbs_to_words(h1, scalar_reduce(e));
    rfc6979_init(&generator, hash, CURVE_BITS, x, h1, entropy);
    for (;;) {
        rfc6979_candidate(&generator, hash, CURVE_BITS, t);
        struct limbs candidate = limbs_from_words(t);
        k = limbs_select(missing, candidate, k);
        missing = missing & ~scalar_in_range(candidate);
        LANE_DECLASSIFY(missing);
        if (!mask_any(missing))
            return k;
        rfc6979_reject(&generator, hash, mask_to_lane32(missing));
    }
}

/* One copy of the code for each hash. */
#define NONCE(identifier, value, name, ...)                                                                            \
    LANE_FUNCTION struct limbs nonce_##name(struct limbs d, struct limbs e, const lane32 *entropy) {                   \
        return nonce_rfc6979(identifier, d, e, entropy);                                                               \
    }
GECC_NONCE_HASH_LIST(NONCE)
#undef NONCE

enum { ENTROPY_BYTES = 32, ENTROPY_WORDS = ENTROPY_BYTES / 4 };

/* 32 bytes of extra entropy a row, as words; a row of another width is refused. */
LANE_FUNCTION void entropy_read(const gecc_rows *column, size_t row, int rows, lane32 *entropy, lane32 *status) {
    uint32_t words[ENTROPY_WORDS][LANES] = {{0}};
    mask fits = mask_set(1);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        fits = mask_insert(fits, lane, width == ENTROPY_BYTES);
        for (int i = 0; width == ENTROPY_BYTES && i < ENTROPY_WORDS; i++)
            words[i][lane] =
                (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    for (int i = 0; i < ENTROPY_WORDS; i++)
        entropy[i] = lane32_load(words[i]);
}

/* The nonce of each row of a slot by RFC 6979, from the key d and the integer e that is signed. */
LANE_FUNCTION struct limbs nonce_deterministic(const struct chunk *c, size_t slot, struct limbs d, struct limbs e,
                                               lane32 *status) {
    lane32 words[ENTROPY_WORDS];
    const lane32 *entropy = NULL;
    if (c->job->in[2].data) {
        entropy_read(&c->job->in[2], slot_row(c, slot), slot_rows(c, slot), words, status);
        entropy = words;
    }
    switch (c->job->hash) {
#define NONCE_CASE(identifier, value, name, ...)                                                                       \
    case identifier:                                                                                                   \
        return nonce_##name(d, e, entropy);
        GECC_NONCE_HASH_LIST(NONCE_CASE)
#undef NONCE_CASE
    default: /* the API lets no other through */
        return nonce_sha256(d, e, entropy);
    }
}

/* m.points = R = k G for the column k of scalars. */
LANE_FUNCTION void chunk_commit_nonces(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        struct limbs k = scalar_decode(limbs_load(c->k, i));
        base_recode(SECRET, c->tables, &k, base_digits_at(&c->m, i));
    }
    chunk_multiply_base(c, 0);
}

/* Before a signature is published: is its nonce k that of the caller's rows, which are read once more, and is R = k G
 * made from k's digits? A nonce that is given is compared; one of RFC 6979 is computed again where signatures are
 * verified in full. d and e: key and digest as read again. */
LANE_INLINE mask chunk_nonce_is_sound(const struct chunk *c, size_t slot, int nonce_is_given, struct limbs d,
                                      struct limbs e) {
    const struct job *job = c->job;
    lane32 ignored = status_ok();
    struct limbs k = scalar_decode(limbs_load(c->k, slot)), again = k;
    if (nonce_is_given)
        again = private_scalar_read(job->flags, &job->in[2], slot_row(c, slot), slot_rows(c, slot), &ignored);
    else if (job->flags & GECC_VERIFY_SIGNATURES)
        again = nonce_deterministic(c, slot, d, e, &ignored);
    return limbs_equal(again, k) & secret_digits_match(base_digits_at(&c->m, slot), k);
}

/* Before what was signed is verified: Q = d G to the column points.
 * Q, r, s and e may be seen from here on; rows without a signature get G and 1, for their numbers are not published. */
LANE_FUNCTION void chunk_reveal_signatures(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        struct limbs d = scalar_decode(limbs_load(c->d, i));
        base_recode(SECRET, c->tables, &d, base_digits_at(&c->m, i));
    }
    chunk_multiply_base(c, 0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        mask published = status_is_ok(column32_load(c->status, i));
        struct affine q = affine_select(published, affine_load(c->m.points, i), affine_generator());
        scalar r = limbs_select(published, limbs_load(c->r, i), scalar_one());
        scalar s = limbs_select(published, limbs_load(c->s, i), scalar_one());
        scalar e = limbs_load(c->e, i);
        LANE_DECLASSIFY(q);
        LANE_DECLASSIFY(r);
        LANE_DECLASSIFY(s);
        LANE_DECLASSIFY(e);
        affine_store(c->points, i, q);
        limbs_store(c->r, i, r);
        limbs_store(c->s, i, s);
        limbs_store(c->e, i, e);
    }
}

/* Take a slot's signatures back where they did not verify. Returns where. */
LANE_INLINE mask chunk_withdraw_unless(const struct chunk *c, size_t slot, mask valid) {
    lane32 status = column32_load(c->status, slot);
    mask fault = ~valid & status_is_ok(status);
    status_require(&status, valid, GECC_ITEM_NOT_PROCESSED);
    column32_store(c->status, slot, status);
    signature_clear(c->job, slot_row(c, slot), slot_rows(c, slot), status);
    return fault;
}

#endif
