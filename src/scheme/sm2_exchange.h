/* Lane program of SM2 key exchange (GM/T 0003.3, section 6). CURVE is SM2's.
 *
 * On either side, with d and r its own two private keys, P and R the other side's two points:
 *   t = d + x'(r G) r,  U = t (P + x'(R) R),  x'(A) = 2^127 + (x of A mod 2^127). */
#ifndef GECC_SCHEME_SM2_EXCHANGE_H
#define GECC_SCHEME_SM2_EXCHANGE_H

#include "scheme/sm2_encryption.h"

enum {
    EXCHANGE_PRIVATE_KEY,
    EXCHANGE_EPHEMERAL_KEY,
    EXCHANGE_ID,
    EXCHANGE_PEER_PUBLIC_KEY,
    EXCHANGE_PEER_EPHEMERAL,
    EXCHANGE_PEER_ID
};

/* x', w = 127 for an order of 256 bits. */
LANE_INLINE struct limbs exchange_reduced(fe x) {
    lane32 words[WORDS];
    limbs_to_words(words, fe_decode(x));
    for (int i = 0; i < WORDS / 2; i++)
        words[i] = lane32_set(0);
    words[WORDS / 2] = words[WORDS / 2] | lane32_set(UINT32_C(0x80000000));
    return limbs_from_words(words);
}

LANE_INLINE struct limbs exchange_private_key(const struct chunk *c, size_t slot, lane32 *status) {
    return private_key_read(c->job->flags, &c->job->in[EXCHANGE_PRIVATE_KEY], slot_row(c, slot), slot_rows(c, slot),
                            status);
}

LANE_INLINE struct limbs exchange_ephemeral_key(const struct chunk *c, size_t slot, lane32 *status) {
    return private_scalar_read(c->job->flags, &c->job->in[EXCHANGE_EPHEMERAL_KEY], slot_row(c, slot),
                               slot_rows(c, slot), status);
}

LANE_INLINE struct affine exchange_peer_point(const struct chunk *c, size_t slot, int column, lane32 *status) {
    return point_read(c->job->flags, &c->job->in[column], slot_row(c, slot), slot_rows(c, slot), status);
}

/* The ids of a slot's rows in that column. */
LANE_INLINE struct segment exchange_ids(const struct chunk *c, size_t slot, int column, lane32 *status) {
    const int rows = slot_rows(c, slot);
    struct segment id;
    mask fits = mask_set(1);
    for (int lane = 0; lane < LANES; lane++) {
        id.data[lane] = NULL;
        id.width[lane] = 0;
        if (lane < rows)
            fits =
                mask_insert(fits, lane, sm2_id_row(&c->job->in[column], slot_row(c, slot) + (size_t)lane, &id, lane));
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    return id;
}

/* All checks of the inputs, in their order; the digits of r for r G. */
LANE_INLINE void exchange_read(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = status_ok();
        (void)exchange_private_key(c, i, &status);
        struct limbs r = exchange_ephemeral_key(c, i, &status);
        (void)exchange_ids(c, i, EXCHANGE_ID, &status);
        (void)exchange_peer_point(c, i, EXCHANGE_PEER_PUBLIC_KEY, &status);
        affine_store(c->points, i, exchange_peer_point(c, i, EXCHANGE_PEER_EPHEMERAL, &status));
        (void)exchange_ids(c, i, EXCHANGE_PEER_ID, &status);
        base_recode(SECRET, c->tables, &r, base_digits_at(&c->m, i));
        column32_store(c->status, i, status);
    }
}

/* r G is in m.points: its coordinates to the columns r and s, t to d, d's digits for d G. */
LANE_INLINE void exchange_combine(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 ignored = status_ok();
        struct limbs d = exchange_private_key(c, i, &ignored), r = exchange_ephemeral_key(c, i, &ignored);
        struct affine own = affine_load(c->m.points, i);
        limbs_store(c->r, i, own.x);
        limbs_store(c->s, i, own.y);
        scalar x = scalar_encode(exchange_reduced(own.x));
        limbs_store(c->d, i, scalar_add(scalar_encode(d), scalar_mul(x, scalar_encode(r))));
        base_recode(SECRET, c->tables, &d, base_digits_at(&c->m, i));
    }
}

/* points = P + x'(R) R for R in points. Public. G where that is infinity, or t is 0. */
LANE_INLINE void exchange_peer_sum(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        struct limbs x = exchange_reduced(affine_load(c->points, i).x);
        recode_point_vartime(&x, point_digits_at(&c->m, i));
    }
    batch_tables(&c->worker, &c->m, c->points);
    chunk_multiply_point(c, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 ignored = status_ok();
        affine_store(c->points, i, exchange_peer_point(c, i, EXCHANGE_PEER_PUBLIC_KEY, &ignored));
    }
    batch_add_vartime(&c->worker, c->m.points, c->points, c->m.prefix);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct affine sum = affine_load(c->m.points, i);
        struct limbs t = scalar_decode(limbs_load(c->d, i));
        mask exists = ~affine_is_infinity(sum) & ~limbs_is_zero(t);
        status_require(&status, exists, GECC_ITEM_INVALID);
        t = limbs_select(exists, t, limbs_one());
        recode_point(&t, point_digits_at(&c->m, i));
        affine_store(c->points, i, affine_select(exists, sum, affine_generator()));
        column32_store(c->status, i, status);
    }
}

/* What the initiator has, or the responder: x || y of its two points, its Z. */
struct exchange_side {
    struct sm2_secret_point key, ephemeral;
    uint8_t z[LANES][32];
};

LANE_INLINE void exchange_z(const struct chunk *c, size_t slot, struct exchange_side *side, int column,
                            const uint8_t *constants) {
    const uint8_t *keys[LANES];
    uint8_t *z[LANES];
    lane32 ignored = status_ok();
    struct segment id = exchange_ids(c, slot, column, &ignored);
    for (int lane = 0; lane < LANES; lane++) {
        keys[lane] = side->key.bytes[lane];
        z[lane] = side->z[lane];
    }
    sm2_z_lanes(z, constants, keys, &id);
}

LANE_INLINE struct segment exchange_segment(const uint8_t *bytes, size_t stride, size_t width) {
    struct segment segment;
    for (int lane = 0; lane < LANES; lane++) {
        segment.data[lane] = bytes + (size_t)lane * stride;
        segment.width[lane] = width;
    }
    return segment;
}

/* hash[lane] = SM3(x of U || ZA || ZB || x1 || y1 || x2 || y2). */
LANE_FUNCTION void exchange_inner(uint8_t hash[LANES][32], const struct sm2_secret_point *u,
                                  const struct exchange_side *initiator, const struct exchange_side *responder) {
    uint8_t z[LANES][64], *at[LANES];
    struct segment parts[4];
    for (int lane = 0; lane < LANES; lane++) {
        memcpy(z[lane], initiator->z[lane], 32);
        memcpy(z[lane] + 32, responder->z[lane], 32);
        at[lane] = hash[lane];
    }
    parts[0] = exchange_segment(u->bytes[0], 64, 32);
    parts[1] = exchange_segment(z[0], 64, 64);
    parts[2] = exchange_segment(initiator->ephemeral.bytes[0], 64, 64);
    parts[3] = exchange_segment(responder->ephemeral.bytes[0], 64, 64);
    hash_message(GECC_SM3, at, parts, 4);
}

/* confirmation[lane] = SM3(mark || y of U || inner), mark 2 of the responder, S1 and SB, 3 of the initiator, S2 and
 * SA. */
LANE_FUNCTION void exchange_confirm(uint8_t confirmation[LANES][32], uint8_t mark, const struct sm2_secret_point *u,
                                    const uint8_t inner[LANES][32]) {
    uint8_t *at[LANES];
    struct segment parts[3];
    for (int lane = 0; lane < LANES; lane++)
        at[lane] = confirmation[lane];
    parts[0] = exchange_segment(&mark, 0, 1);
    parts[1] = exchange_segment(u->bytes[0] + 32, 64, 32);
    parts[2] = exchange_segment(inner[0], 32, 32);
    hash_message(GECC_SM3, at, parts, 3);
}

/* Big-endian words of 32 bytes each lane. */
LANE_INLINE void exchange_words(lane32 *words, const uint8_t bytes[LANES][32]) {
    uint32_t word[LANES];
    for (int i = 0; i < 8; i++) {
        for (int lane = 0; lane < LANES; lane++)
            word[lane] = load32_big_endian(bytes[lane] + 4 * i);
        words[i] = lane32_load(word);
    }
}

/* The rows' keys; zeros where the status is not OK. */
LANE_FUNCTION void exchange_derive(const struct chunk *c, size_t slot, const struct sm2_secret_point *u,
                                   const struct exchange_side *initiator, const struct exchange_side *responder,
                                   lane32 status) {
    const struct job *job = c->job;
    const size_t width = job->out_width[0];
    struct kdf kdf = kdf_open();
    lane32 z[16];
    uint32_t word[KDF_WORDS][LANES];
    exchange_words(z, (const uint8_t(*)[32])initiator->z);
    exchange_words(z + 8, (const uint8_t(*)[32])responder->z);
    kdf_absorb(&kdf, u->words);
    kdf_absorb(&kdf, z);
    for (size_t done = 0; done < width; done += KDF_BYTES) {
        const size_t bytes = width - done < KDF_BYTES ? width - done : KDF_BYTES;
        kdf_block(word, &kdf, (uint32_t)(done / KDF_BYTES));
        for (int lane = 0; lane < slot_rows(c, slot); lane++) {
            uint8_t *to = out_at(&job->out[0], slot_row(c, slot) + (size_t)lane) + done;
            if (lane32_extract(status, lane) == GECC_ITEM_OK)
                kdf_write(to, bytes, (const uint32_t(*)[LANES])word, lane);
            else
                memset(to, 0, bytes);
        }
    }
}

LANE_INLINE void exchange_write(const struct chunk *c, size_t slot, int column, const uint8_t hash[LANES][32],
                                lane32 status) {
    const gecc_out *out = &c->job->out[column];
    for (int lane = 0; out->data != NULL && lane < slot_rows(c, slot); lane++) {
        uint8_t *to = out_at(out, slot_row(c, slot) + (size_t)lane);
        if (lane32_extract(status, lane) == GECC_ITEM_OK)
            memcpy(to, hash[lane], 32);
        else
            memset(to, 0, 32);
    }
}

/* U is in m.points, r G in r and s, d G in e and k. */
LANE_FUNCTION void exchange_finish(const struct chunk *c, size_t slot, const uint8_t *constants) {
    const int responds = (c->job->flags & GECC_RESPONDER) != 0;
    struct exchange_side own, peer;
    const struct exchange_side *initiator = responds ? &peer : &own, *responder = responds ? &own : &peer;
    struct sm2_secret_point u;
    uint8_t inner[LANES][32], by_initiator[LANES][32], by_responder[LANES][32];
    lane32 status = column32_load(c->status, slot), ignored = status_ok();
    struct affine key = {limbs_load(c->e, slot), limbs_load(c->k, slot)};
    struct affine ephemeral = {limbs_load(c->r, slot), limbs_load(c->s, slot)};
    sm2_secret_point_set(&own.key, key);
    sm2_secret_point_set(&own.ephemeral, ephemeral);
    sm2_secret_point_set(&peer.key, exchange_peer_point(c, slot, EXCHANGE_PEER_PUBLIC_KEY, &ignored));
    sm2_secret_point_set(&peer.ephemeral, exchange_peer_point(c, slot, EXCHANGE_PEER_EPHEMERAL, &ignored));
    sm2_secret_point_set(&u, affine_load(c->m.points, slot));
    exchange_z(c, slot, &own, EXCHANGE_ID, constants);
    exchange_z(c, slot, &peer, EXCHANGE_PEER_ID, constants);
    exchange_inner(inner, &u, initiator, responder);
    exchange_confirm(by_responder, 2, &u, (const uint8_t(*)[32])inner);
    exchange_confirm(by_initiator, 3, &u, (const uint8_t(*)[32])inner);
    LANE_DECLASSIFY(status);
    exchange_derive(c, slot, &u, initiator, responder, status);
    exchange_write(c, slot, 1, (const uint8_t(*)[32])(responds ? by_responder : by_initiator), status);
    exchange_write(c, slot, 2, (const uint8_t(*)[32])(responds ? by_initiator : by_responder), status);
}

LANE_FUNCTION gecc_result sm2_exchange(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    uint8_t constants[SM2_CONSTANTS_BYTES];
    gecc_result results[3];
    exchange_read(&c);
    chunk_multiply_base(&c, 0);
    results[0] = chunk_check_products(&c);
    exchange_combine(&c);
    chunk_multiply_base(&c, 0);
    results[1] = chunk_check_products(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        struct affine own = affine_load(c.m.points, i);
        limbs_store(c.e, i, own.x);
        limbs_store(c.k, i, own.y);
    }
    exchange_peer_sum(&c);
    batch_tables(&c.worker, &c.m, c.points);
    chunk_multiply_point(&c, 0);
    results[2] = chunk_check_products(&c);
    sm2_constants(constants);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
        exchange_finish(&c, i, constants);
    chunk_publish(&c);
    return results[0] != GECC_OK ? results[0] : results[1] != GECC_OK ? results[1] : results[2];
}

#endif
