/* Lane programs of Ethereum's addresses and signatures (Yellow Paper, appendix F; EIP-2, EIP-155). CURVE is secp256k1.
 *
 * An address is the last 20 bytes of Keccak-256(x || y) of a public key. Public data. */
#ifndef GECC_SCHEME_ETHEREUM_H
#define GECC_SCHEME_ETHEREUM_H

#include "hash/message.h"
#include "scheme/ecdsa.h"

static_assert(WORDS == 8, "x || y are 64 bytes");

/* words = the last 20 bytes of Keccak-256(x || y), big-endian: the block has x || y, the padding's first bit after them
 * and its last at the end. One permutation. */
LANE_FUNCTION void ethereum_address_words(struct affine a, lane32 words[5]) {
    lane32 x[WORDS], y[WORDS];
    lane64 state[25];
    limbs_to_words(x, fe_decode(a.x));
    limbs_to_words(y, fe_decode(a.y));
    LANE_UNROLL
    for (int i = 0; i < 25; i++)
        state[i] = lane64_set(i == 8 ? 1 : i == 16 ? UINT64_C(1) << 63 : 0);
    LANE_UNROLL
    for (int i = 0; i < 4; i++) {
        state[i] = lane64_join(lane32_reverse_bytes(x[2 * i + 1]), lane32_reverse_bytes(x[2 * i]));
        state[4 + i] = lane64_join(lane32_reverse_bytes(y[2 * i + 1]), lane32_reverse_bytes(y[2 * i]));
    }
    keccak_permute(state);
    words[0] = lane32_reverse_bytes(lane64_high(state[1]));
    LANE_UNROLL
    for (int i = 0; i < 2; i++) {
        words[2 * i + 1] = lane32_reverse_bytes(lane64_low(state[2 + i]));
        words[2 * i + 2] = lane32_reverse_bytes(lane64_high(state[2 + i]));
    }
}

/* Addresses of m.points, none of them infinity where the status is OK, to out[0], zeros where it is not; and the
 * statuses: the last thing a program does. */
LANE_FUNCTION void ethereum_write_addresses(const struct chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 words[5], ok = mask_to_lane32(status_is_ok(column32_load(c->status, i)));
        ethereum_address_words(affine_load(c->m.points, i), words);
        LANE_UNROLL
        for (int w = 0; w < 5; w++) {
            lane32 word = words[w] & ok;
            for (int lane = 0; lane < slot_rows(c, i); lane++)
                store32_big_endian(out_at(&c->job->out[0], slot_row(c, i) + (size_t)lane) + 4 * w,
                                   lane32_extract(word, lane));
        }
    }
    chunk_publish(c);
}

/* out[0] = the address of in[0]. */
LANE_FUNCTION gecc_result ethereum_address(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                           size_t count) {
    struct chunk c = chunk_open(ONLY_BASE, arena, tables, job, first, count);
    chunk_read_points(&c, &job->in[0], c.m.points, 1);
    ethereum_write_addresses(&c);
    return GECC_OK;
}

enum { ETHEREUM_NUMBER_BYTES = 32, ETHEREUM_NO_PARITY = 2 };

/* The parity of R's y that v, big-endian, stands for: 0 or 1 itself, v - 27, or that of v - 35 from 35 on (EIP-155);
 * ETHEREUM_NO_PARITY: v is none of them. */
LANE_INLINE uint32_t ethereum_parity(const uint8_t *v, size_t width) {
    const uint32_t low = v[width - 1];
    uint32_t high = 0;
    for (size_t i = 0; i + 1 < width; i++)
        high |= v[i];
    if (high != 0 || low >= 35)
        return (low & 1) ^ 1;
    return low <= 1 ? low : low == 27 || low == 28 ? low - 27 : ETHEREUM_NO_PARITY;
}

/* v of a row that is as wide as v may be, into lane `lane`. */
LANE_INLINE void ethereum_v_row(const uint8_t *v, size_t width, lane32 *parity, mask *known, int lane) {
    const uint32_t found = ethereum_parity(v, width);
    *parity = lane32_insert(*parity, lane, found & 1);
    *known = mask_insert(*known, lane, found != ETHEREUM_NO_PARITY);
}

/* r || s || v of each row, 65 to 96 bytes. */
LANE_INLINE void ethereum_signature_read(const struct chunk *c, size_t slot, struct limbs *r, struct limbs *s,
                                         lane32 *parity, mask *known, lane32 *status) {
    struct lane_words r_words, s_words;
    const int numbers = 2 * ETHEREUM_NUMBER_BYTES;
    lane32 here = status_ok();
    words_clear(&r_words);
    words_clear(&s_words);
    for (int lane = 0; lane < slot_rows(c, slot); lane++) {
        size_t width;
        const uint8_t *p = rows_at(&c->job->in[1], slot_row(c, slot) + (size_t)lane, &width);
        if (width <= numbers || width > numbers + ETHEREUM_NUMBER_BYTES) {
            here = lane32_insert(here, lane, GECC_ITEM_MALFORMED_WIDTH);
            continue;
        }
        words_read(&r_words, lane, p, ETHEREUM_NUMBER_BYTES);
        words_read(&s_words, lane, p + ETHEREUM_NUMBER_BYTES, ETHEREUM_NUMBER_BYTES);
        ethereum_v_row(p + numbers, width - numbers, parity, known, lane);
    }
    *r = words_to_limbs(&r_words);
    *s = words_to_limbs(&s_words);
    signature_require(c->job->flags, r, s, here, status);
}

/* r, s and v of each row, 1 to 32 bytes each, of in[1], in[2] and in[3]. */
LANE_INLINE void ethereum_numbers_read(const struct chunk *c, size_t slot, struct limbs *r, struct limbs *s,
                                       lane32 *parity, mask *known, lane32 *status) {
    struct lane_words r_words, s_words;
    lane32 here = status_ok();
    words_clear(&r_words);
    words_clear(&s_words);
    for (int lane = 0; lane < slot_rows(c, slot); lane++) {
        const size_t row = slot_row(c, slot) + (size_t)lane;
        const uint8_t *p[3];
        size_t width[3];
        int fits = 1;
        for (int i = 0; i < 3; i++) {
            p[i] = rows_at(&c->job->in[1 + i], row, &width[i]);
            fits = fits && width[i] >= 1 && width[i] <= ETHEREUM_NUMBER_BYTES;
        }
        if (!fits) {
            here = lane32_insert(here, lane, GECC_ITEM_MALFORMED_WIDTH);
            continue;
        }
        words_read(&r_words, lane, p[0], width[0]);
        words_read(&s_words, lane, p[1], width[1]);
        ethereum_v_row(p[2], width[2], parity, known, lane);
    }
    *r = words_to_limbs(&r_words);
    *s = words_to_limbs(&s_words);
    signature_require(c->job->flags, r, s, here, status);
}

/* The Keccak-256 of each row of in[0]. */
LANE_INLINE struct limbs ethereum_message_hash(const struct chunk *c, size_t slot) {
    struct message message = {.count = 1};
    lane32 words[CHAIN_WORDS_MAX];
    message.segments[0] = message_segment(&c->job->in[0], slot_row(c, slot), slot_rows(c, slot));
    message_hash(GECC_KECCAK256, words, &message);
    return limbs_from_words(words);
}

/* What a row has besides r, s and v in one column. */
enum ethereum_form { ETHEREUM_DIGEST, ETHEREUM_COLUMNS, ETHEREUM_MESSAGE };

/* What a slot's rows are recovered from: e of in[0], or its hash, r, s and the parity of y. */
LANE_INLINE void ethereum_recoverable_read(const struct chunk *c, size_t slot, enum ethereum_form form,
                                           struct recoverable *a) {
    mask known = mask_set(1);
    a->status = status_ok();
    a->recovery_id = lane32_set(0);
    if (form == ETHEREUM_MESSAGE)
        a->e = ethereum_message_hash(c, slot);
    else
        a->e = integer_read(0, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot), CURVE.bytes, &a->status);
    if (form == ETHEREUM_COLUMNS)
        ethereum_numbers_read(c, slot, &a->r, &a->s, &a->recovery_id, &known, &a->status);
    else
        ethereum_signature_read(c, slot, &a->r, &a->s, &a->recovery_id, &known, &a->status);
    status_require(&a->status, known, GECC_ITEM_MALFORMED_RECOVERY_ID);
}

/* out[0] = the address of Q = (s / r) R - (e / r) G. */
LANE_INLINE gecc_result ethereum_recover_rows(struct arena *arena, const void *tables, const struct job *job,
                                              size_t first, size_t count, enum ethereum_form form) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += POWERS_IN_STEP * c.worker.step) {
        const int slots = slots_in_step(&c.worker, i, POWERS_IN_STEP);
        struct recoverable a[POWERS_IN_STEP];
        for (int k = 0; k < slots; k++)
            ethereum_recoverable_read(&c, i + (size_t)k * c.worker.step, form, &a[k]);
        ecdsa_recover_store(&c, i, a, slots);
    }
    ecdsa_recover_point(&c);
    ethereum_write_addresses(&c);
    return GECC_OK;
}

LANE_FUNCTION gecc_result ethereum_recover(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                           size_t count) {
    return ethereum_recover_rows(arena, tables, job, first, count, ETHEREUM_DIGEST);
}

LANE_FUNCTION gecc_result ethereum_recover_columns(struct arena *arena, const void *tables, const struct job *job,
                                                   size_t first, size_t count) {
    return ethereum_recover_rows(arena, tables, job, first, count, ETHEREUM_COLUMNS);
}

LANE_FUNCTION gecc_result ethereum_recover_message(struct arena *arena, const void *tables, const struct job *job,
                                                   size_t first, size_t count) {
    return ethereum_recover_rows(arena, tables, job, first, count, ETHEREUM_MESSAGE);
}

#endif
