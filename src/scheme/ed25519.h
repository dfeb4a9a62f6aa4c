/* Lane programs of Ed25519, with Ed25519ctx and Ed25519ph (RFC 8032). CURVE is Curve25519.
 *
 * The last input is an optional column of contexts: without it and without GECC_PREHASH the scheme is Ed25519, with it
 * Ed25519ctx; with GECC_PREHASH Ed25519ph, whose contexts are empty where there is no column. A signature is R || S,
 * and S G = R + k A, k = SHA-512(R || A || message). */
#ifndef GECC_SCHEME_ED25519_H
#define GECC_SCHEME_ED25519_H

#include "hash/message.h"
#include "scheme/message_mark.h"
#include "scheme/x25519.h"

static_assert(WORDS == 8, "integers are halves of what SHA-512 gives");

/* dom2(F, C) = "SigEd25519 no Ed25519 collisions" || F || length of C || C, and integers. */
enum {
    DOM_TEXT = 32,
    CONTEXT_MOST = 255,
    INTEGER_BYTES = 32,
    INTEGERS_MOST = 4,
    HEAD_MOST = DOM_TEXT + 2 + CONTEXT_MOST + INTEGERS_MOST * INTEGER_BYTES
};

/* What is hashed before each lane's message: dom2 and integers as bytes, or where there is no dom2 integers as
 * big-endian words. */
struct head {
    int has_dom, words;
    lane32 word[INTEGERS_MOST * WORDS];
    uint8_t bytes[LANES][HEAD_MOST];
    size_t width[LANES];
};

/* The 512 bits that SHA-512 gives, as little-endian integers. */
struct wide {
    struct limbs low, high;
};

LANE_INLINE void head_clear(struct head *head) { head->has_dom = head->words = 0; }

/* 32 little-endian bytes as big-endian words, and back. */
LANE_INLINE void words_from_integer(lane32 words[WORDS], struct limbs integer) {
    lane32 reversed[WORDS];
    limbs_to_words(reversed, integer);
    LANE_UNROLL for (int i = 0; i < WORDS; i++) words[i] = lane32_reverse_bytes(reversed[WORDS - 1 - i]);
}

LANE_INLINE struct limbs integer_from_words(const lane32 words[WORDS]) {
    lane32 reversed[WORDS];
    LANE_UNROLL for (int i = 0; i < WORDS; i++) reversed[WORDS - 1 - i] = lane32_reverse_bytes(words[i]);
    return limbs_from_words(reversed);
}

/* head = head || 32 little-endian bytes. */
LANE_INLINE void head_append(struct head *head, const struct limbs *integer) {
    lane32 words[WORDS];
    uint32_t word[LANES];
    words_from_integer(words, *integer);
    if (!head->has_dom) {
        LANE_UNROLL for (int i = 0; i < WORDS; i++) head->word[head->words + i] = words[i];
        head->words += WORDS;
        return;
    }
    for (int i = 0; i < WORDS; i++) {
        lane32_store(word, words[i]);
        for (int lane = 0; lane < LANES; lane++) {
            store32_big_endian(head->bytes[lane] + head->width[lane], word[lane]);
            head->width[lane] += 4;
        }
    }
}

/* head = dom2 for each lane, or nothing. Contexts that are too long are refused, and left out. */
LANE_FUNCTION void head_start(const struct job *job, const gecc_rows *contexts, size_t row, int rows, struct head *head,
                              lane32 *status) {
    static_assert(sizeof "SigEd25519 no Ed25519 collisions" == DOM_TEXT + 1, "RFC 8032, section 2");
    const char text[DOM_TEXT + 1] = "SigEd25519 no Ed25519 collisions";
    const int prehash = (job->flags & GECC_PREHASH) != 0;
    mask fits = mask_set(1);
    head_clear(head);
    if (!prehash && !contexts->data)
        return;
    head->has_dom = 1;
    for (int lane = 0; lane < LANES; lane++) {
        uint8_t *to = head->bytes[lane];
        const uint8_t *context = NULL;
        size_t width = 0;
        if (contexts->data && lane < rows)
            context = rows_at(contexts, row + (size_t)lane, &width);
        if (width > CONTEXT_MOST) {
            fits = mask_insert(fits, lane, 0);
            width = 0;
        }
        memcpy(to, text, DOM_TEXT);
        to[DOM_TEXT] = (uint8_t)prehash;
        to[DOM_TEXT + 1] = (uint8_t)width;
        if (width != 0)
            memcpy(to + DOM_TEXT + 2, context, width);
        head->width[lane] = DOM_TEXT + 2 + width;
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
}

/* SHA-512 of the head and a segment of each lane, which may be NULL. The head may be secret; timing depends on widths
 * alone. */
LANE_FUNCTION struct wide ed25519_hash(const struct head *head, const struct segment *segment) {
    struct message message;
    lane32 words[CHAIN_WORDS_MAX];
    message.head = head->word;
    message.head_words = head->words;
    message.count = 0;
    if (head->has_dom) {
        for (int lane = 0; lane < LANES; lane++) {
            message.segments[0].data[lane] = head->bytes[lane];
            message.segments[0].width[lane] = head->width[lane];
        }
        message.count = 1;
    }
    if (segment)
        message.segments[message.count++] = *segment;
    message_hash(GECC_SHA512, words, &message);
    struct wide r = {integer_from_words(words), integer_from_words(words + WORDS)};
    return r;
}

/* The integer modulo n. */
LANE_INLINE scalar scalar_from_wide(struct wide integer) {
    return scalar_add(scalar_encode(integer.low), scalar_mul(integer.high, scalar_set(&CURVE.upper)));
}

/* SHA-512(head || message), or where messages are hashed before SHA-512(head || SHA-512(message)), modulo n. */
LANE_FUNCTION scalar ed25519_hash_message(const struct edwards_chunk *c, struct head *head, const gecc_rows *messages,
                                          size_t slot) {
    struct segment message = message_segment(messages, slot_row(c, slot), slot_rows(c, slot));
    if (!(c->job->flags & GECC_PREHASH))
        return scalar_from_wide(ed25519_hash(head, &message));
    struct head none;
    head_clear(&none);
    struct wide digest = ed25519_hash(&none, &message);
    head_append(head, &digest.low);
    head_append(head, &digest.high);
    return scalar_from_wide(ed25519_hash(head, NULL));
}

/* Private keys. */

/* The secret scalar a, modulo n, and the prefix of each row's seed (RFC 8032, 5.1.5). */
LANE_FUNCTION struct wide ed25519_expand(const struct edwards_chunk *c, size_t slot, lane32 *status) {
    struct head head;
    struct limbs seed =
        integer_read(GECC_LITTLE_ENDIAN, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot), INTEGER_BYTES, status);
    head_clear(&head);
    head_append(&head, &seed);
    struct wide expanded = ed25519_hash(&head, NULL);
    expanded.low = scalar_clamp(expanded.low);
    return expanded;
}

/* The scalars a of the seeds to the column a, and their prefixes; a_point = a G. Returns whether a check failed. */
LANE_FUNCTION mask ed25519_multiply_keys(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = status_ok();
        struct wide expanded = ed25519_expand(c, i, &status);
        scalar a = scalar_encode(expanded.low);
        struct limbs k = scalar_decode(a);
        base_recode(SECRET, c->tables, &k, digits_at(c->a_digits, i));
        limbs_store(c->a, i, a);
        limbs_store(c->prefix, i, expanded.high);
        column32_store(c->status, i, status);
    }
    return chunk_multiply_base(c, c->a_digits, c->a_point, 0);
}

/* Integers to a slot's rows of out[0], `at` bytes from their start; zeros where the status is not OK. */
LANE_INLINE void ed25519_write(const struct edwards_chunk *c, size_t slot, size_t at, struct limbs integer,
                               lane32 status) {
    gecc_out column = c->job->out[0];
    column.data = (uint8_t *)column.data + at;
    integer = limbs_select(status_is_ok(status), integer, limbs_zero());
    integer_write(GECC_LITTLE_ENDIAN, &column, slot_row(c, slot), slot_rows(c, slot), INTEGER_BYTES, integer);
}

/* out[0] = the encoding of a G. */
LANE_FUNCTION gecc_result ed25519_public_key(struct arena *arena, const void *tables, const struct job *job,
                                             size_t first, size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    mask fault = ed25519_multiply_keys(&c);
    chunk_invert_z(&c, 1);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = column32_load(c.status, i);
        mask sound;
        struct limbs encoding = chunk_encode_sound(&c, c.a_point, 0, i, &sound);
        fault = fault | (~sound & status_is_ok(status));
        status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        ed25519_write(&c, i, 0, encoding, status);
        column32_store(c.status, i, status);
    }
    LANE_DECLASSIFY(fault);
    chunk_publish(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

/* Verification. */

/* The points that n encodings stand for, as many as go in step at most. With `strict` they have to be the canonical
 * ones; without, y is taken modulo p and the parity of x = 0 does not matter. Lanes that are refused give G. Public. */
LANE_FUNCTION void edwards_decode(struct edwards *r, const struct limbs *encoding, int n, int strict, lane32 *status) {
    mask odd[POWERS_IN_STEP], in_range[POWERS_IN_STEP], exists[POWERS_IN_STEP];
    fe x[POWERS_IN_STEP], y[POWERS_IN_STEP];
    for (int k = 0; k < n; k++) {
        struct limbs integer = encoding_split(encoding[k], &odd[k]);
        in_range[k] = limbs_less(integer, limbs_set(&CURVE.p.m));
        y[k] = fe_encode(integer);
    }
    if (n == 1)
        x[0] = edwards_lift_y(y[0], odd[0], &exists[0]);
    else
        edwards_lift_in_step(x, y, odd, exists);
    for (int k = 0; k < n; k++) {
        mask well = exists[k];
        if (strict) {
            mask canonical = ~(odd[k] & fe_is_zero(x[k]));
            status_require(&status[k], in_range[k], GECC_ITEM_MALFORMED_POINT_RANGE);
            status_require(&status[k], canonical, GECC_ITEM_MALFORMED_POINT_ENCODING);
            well = well & in_range[k] & canonical;
        }
        status_require(&status[k], exists[k], GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
        r[k] = edwards_select(well, edwards_from_affine(x[k], y[k]), edwards_generator());
    }
}

/* R and S of each row of a column; S has to be less than n. */
LANE_FUNCTION void ed25519_signature_read(const struct edwards_chunk *c, const gecc_rows *column, size_t slot,
                                          struct limbs *r, struct limbs *s, lane32 *status) {
    struct lane_words r_words, s_words;
    mask fits = mask_set(1);
    words_clear(&r_words);
    words_clear(&s_words);
    for (int lane = 0; lane < slot_rows(c, slot); lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, slot_row(c, slot) + (size_t)lane, &width);
        fits = mask_insert(fits, lane, width == 2 * INTEGER_BYTES);
        if (width != 2 * INTEGER_BYTES)
            continue;
        words_read(&r_words, lane, p, INTEGER_BYTES);
        words_read(&s_words, lane, p + INTEGER_BYTES, INTEGER_BYTES);
        words_byteswap(&r_words, lane, INTEGER_BYTES);
        words_byteswap(&s_words, lane, INTEGER_BYTES);
    }
    *r = words_to_limbs(&r_words);
    *s = words_to_limbs(&s_words);
    mask in_range = limbs_less(*s, limbs_set(&CURVE.n.m));
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    status_require(status, in_range, GECC_ITEM_MALFORMED_SIGNATURE_RANGE);
    *s = limbs_select(in_range, *s, limbs_zero());
}

/* 8 P = 0? */
LANE_FUNCTION mask edwards_has_small_order(const struct edwards *p) {
    struct edwards eightfold = *p;
    edwards_double_times(&eightfold, 3);
    return edwards_is_neutral(&eightfold);
}

/* Is 8 (P[k] - R) = 0 for the points R that the encodings stand for, canonical or not, which go in step? Where not,
 * status[k] says so. */
LANE_FUNCTION void ed25519_cofactored_match(const struct edwards *p, const struct limbs *encoding, int n,
                                            lane32 *status) {
    lane32 decoded[POWERS_IN_STEP];
    struct edwards r[POWERS_IN_STEP];
    for (int k = 0; k < n; k++)
        decoded[k] = status_ok();
    edwards_decode(r, encoding, n, 0, decoded);
    for (int k = 0; k < n; k++) {
        struct edwards negative = edwards_negate(r[k]), difference = p[k];
        struct edwards_projective_entry entry = edwards_projective_entry_of(&negative);
        edwards_add(&difference, &entry);
        status_require(&status[k], edwards_has_small_order(&difference) & status_is_ok(decoded[k]), GECC_ITEM_INVALID);
    }
}

/* Does the rule take only canonical encodings of keys? */
LANE_INLINE int ed25519_wants_canonical(uint32_t flags) {
    return (flags & (GECC_ACCEPT_REF10 | GECC_ACCEPT_ZIP215)) == 0;
}

/* What each rule says before R is compared, of n slots, as many as go in step at most; small: where the key has small
 * order, if the rule asks for it. GECC_ACCEPT_ZIP215: S G = R + k A times 8, and nothing else is looked at. */
LANE_INLINE void ed25519_require(uint32_t flags, const mask *small, const struct edwards *p, const struct limbs *r,
                                 int n, lane32 *status) {
    if (flags & GECC_ACCEPT_ZIP215)
        ed25519_cofactored_match(p, r, n, status);
    if (flags & GECC_ACCEPT_STRICT)
        for (int k = 0; k < n; k++)
            status_require(&status[k], ~(small[k] | edwards_has_small_order(&p[k])), GECC_ITEM_INVALID);
}

/* R and S of a slot's signatures, and k, from the keys as they are encoded. */
LANE_FUNCTION struct limbs ed25519_verify_challenge(const struct edwards_chunk *c, size_t slot, const struct limbs *key,
                                                    struct limbs *r, struct limbs *s, lane32 *status) {
    struct head head;
    ed25519_signature_read(c, &c->job->in[2], slot, r, s, status);
    head_start(c->job, &c->job->in[3], slot_row(c, slot), slot_rows(c, slot), &head, status);
    head_append(&head, r);
    head_append(&head, key);
    return scalar_decode(ed25519_hash_message(c, &head, &c->job->in[1], slot));
}

/* Valid where p, encoded, is R, unless the rule is another; publishes the statuses. */
LANE_FUNCTION void ed25519_verify_finish(const struct edwards_chunk *c) {
    if (c->job->flags & GECC_ACCEPT_ZIP215) {
        chunk_publish(c);
        return;
    }
    chunk_invert_z(c, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        status_require(&status, limbs_equal(chunk_encode(c, c->r_point, 0, i), limbs_load(c->r, i)), GECC_ITEM_INVALID);
        column32_store(c->status, i, status);
    }
    chunk_publish(c);
}

/* A slot's signatures: R to the column r, -A to a_point, and the digits of S and k. */
LANE_FUNCTION void ed25519_verify_prepare(const struct edwards_chunk *c, size_t slot, const struct limbs *key,
                                          const struct edwards *a, lane32 status) {
    struct limbs r, s;
    struct limbs k = ed25519_verify_challenge(c, slot, key, &r, &s, &status);
    chunk_recode_pair(c, &s, &k, slot);
    limbs_store(c->r, slot, r);
    limbs_store(c->a_point.x, slot, fe_neg(a->x));
    limbs_store(c->a_point.y, slot, a->y);
    column32_store(c->status, slot, status);
}

/* Those of all slots. */
LANE_FUNCTION void ed25519_verify_read(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += POWERS_IN_STEP * c->worker.step) {
        const int count = slots_in_step(&c->worker, i, POWERS_IN_STEP);
        lane32 status[POWERS_IN_STEP];
        struct limbs key[POWERS_IN_STEP];
        struct edwards a[POWERS_IN_STEP];
        for (int k = 0; k < count; k++) {
            const size_t slot = i + (size_t)k * c->worker.step;
            status[k] = status_ok();
            key[k] = integer_read(GECC_LITTLE_ENDIAN, &c->job->in[0], slot_row(c, slot), slot_rows(c, slot),
                                  INTEGER_BYTES, &status[k]);
        }
        edwards_decode(a, key, count, ed25519_wants_canonical(c->job->flags), status);
        for (int k = 0; k < count; k++)
            ed25519_verify_prepare(c, i + (size_t)k * c->worker.step, &key[k], &a[k], status[k]);
    }
}

/* What the rule says of P in r_point and z, and of -A in a_point, besides that P is R. */
LANE_FUNCTION void ed25519_verify_require(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += POWERS_IN_STEP * c->worker.step) {
        const int count = slots_in_step(&c->worker, i, POWERS_IN_STEP);
        lane32 status[POWERS_IN_STEP];
        struct limbs r[POWERS_IN_STEP];
        struct edwards p[POWERS_IN_STEP];
        mask small[POWERS_IN_STEP];
        for (int k = 0; k < count; k++) {
            const size_t slot = i + (size_t)k * c->worker.step;
            struct edwards a = edwards_from_affine(limbs_load(c->a_point.x, slot), limbs_load(c->a_point.y, slot));
            status[k] = column32_load(c->status, slot);
            r[k] = limbs_load(c->r, slot);
            p[k] = edwards_from_projective(limbs_load(c->r_point.x, slot), limbs_load(c->r_point.y, slot),
                                           limbs_load(c->z, slot));
            small[k] = c->job->flags & GECC_ACCEPT_STRICT ? edwards_has_small_order(&a) : mask_set(0);
        }
        ed25519_require(c->job->flags, small, p, r, count, status);
        for (int k = 0; k < count; k++)
            column32_store(c->status, i + (size_t)k * c->worker.step, status[k]);
    }
}

/* Valid where S G - k A, encoded, is R, or what the flags say instead. */
LANE_FUNCTION gecc_result ed25519_verify(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                         size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    ed25519_verify_read(&c);
    chunk_multiply_add_vartime(&c);
    if (job->flags & (GECC_ACCEPT_STRICT | GECC_ACCEPT_ZIP215))
        ed25519_verify_require(&c);
    ed25519_verify_finish(&c);
    return GECC_OK;
}

/* Signing (RFC 8032, 5.1.6). */

/* The nonce r = SHA-512(dom2 || prefix || message) mod n. */
LANE_FUNCTION scalar ed25519_nonce(const struct edwards_chunk *c, size_t slot, struct limbs prefix, lane32 *status) {
    struct head head;
    head_start(c->job, &c->job->in[2], slot_row(c, slot), slot_rows(c, slot), &head, status);
    head_append(&head, &prefix);
    return ed25519_hash_message(c, &head, &c->job->in[1], slot);
}

/* k = SHA-512(dom2 || R || A || message) mod n. */
LANE_FUNCTION scalar ed25519_challenge(const struct edwards_chunk *c, size_t slot, struct limbs r, struct limbs a) {
    struct head head;
    lane32 ignored = status_ok();
    head_start(c->job, &c->job->in[2], slot_row(c, slot), slot_rows(c, slot), &head, &ignored);
    head_append(&head, &r);
    head_append(&head, &a);
    return ed25519_hash_message(c, &head, &c->job->in[1], slot);
}

LANE_INLINE struct limbs ed25519_mark(const struct edwards_chunk *c, size_t slot) {
    return message_mark(&c->job->in[1], &c->job->in[2], slot_row(c, slot), slot_rows(c, slot));
}

/* The nonces to the column r; before that the marks of their messages to challenge; r_point = r G. Returns whether a
 * check failed. */
LANE_FUNCTION mask ed25519_multiply_nonces(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        if (LANE_RECHECKS)
            limbs_store(c->challenge, i, ed25519_mark(c, i));
        scalar r = ed25519_nonce(c, i, limbs_load(c->prefix, i), &status);
        struct limbs k = scalar_decode(r);
        base_recode(SECRET, c->tables, &k, digits_at(c->r_digits, i));
        limbs_store(c->r, i, r);
        column32_store(c->status, i, status);
    }
    return chunk_multiply_base(c, c->r_digits, c->r_point, 1);
}

/* Is S = r + k a for the seed and the message in the caller's rows, and for R and A encoded once more? Is R the one
 * that is to be written? A wrong bit in an encoding would make a second challenge of one nonce. Where machines look for
 * faults: is the message the nonce's, by its mark, and were R and A made from the digits of r and a? Where signatures
 * are verified in full, the nonce is made again. */
LANE_FUNCTION mask ed25519_sign_recheck(const struct edwards_chunk *c, size_t slot, const struct limbs *r_encoding,
                                        const scalar *s) {
    lane32 ignored = status_ok();
    struct wide expanded = ed25519_expand(c, slot, &ignored);
    scalar a = scalar_encode(expanded.low), r = limbs_load(c->r, slot);
    struct limbs r_again = chunk_encode(c, c->r_point, 1, slot);
    scalar k = ed25519_challenge(c, slot, r_again, chunk_encode(c, c->a_point, 0, slot));
    mask sound = limbs_equal(r_again, *r_encoding) & scalar_equal(scalar_add(r, scalar_mul(k, a)), *s);
    if (LANE_RECHECKS)
        sound = sound & limbs_equal(ed25519_mark(c, slot), limbs_load(c->challenge, slot)) &
                secret_digits_match(digits_at(c->a_digits, slot), scalar_decode(a)) &
                secret_digits_match(digits_at(c->r_digits, slot), scalar_decode(r));
    if (c->job->flags & GECC_VERIFY_SIGNATURES)
        sound = sound & scalar_equal(ed25519_nonce(c, slot, expanded.high, &ignored), r);
    return sound;
}

/* k and S = r + k a, which are kept, and the signatures written. Returns whether a check failed. */
LANE_FUNCTION mask ed25519_sign_finish(const struct edwards_chunk *c) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        mask a_sound, r_sound;
        struct limbs a_encoding = chunk_encode_sound(c, c->a_point, 0, i, &a_sound);
        struct limbs r_encoding = chunk_encode_sound(c, c->r_point, 1, i, &r_sound);
        scalar k = ed25519_challenge(c, i, r_encoding, a_encoding);
        scalar s = scalar_add(limbs_load(c->r, i), scalar_mul(k, limbs_load(c->a, i)));
        if (LANE_RECHECKS || (c->job->flags & GECC_VERIFY_SIGNATURES)) {
            mask sound = a_sound & r_sound & ed25519_sign_recheck(c, i, &r_encoding, &s);
            any_fault = any_fault | (~sound & status_is_ok(status));
            status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        }
        limbs_store(c->challenge, i, k);
        limbs_store(c->s, i, s);
        ed25519_write(c, i, 0, r_encoding, status);
        ed25519_write(c, i, INTEGER_BYTES, scalar_decode(s), status);
        column32_store(c->status, i, status);
    }
    return any_fault;
}

/* To verify signatures just made: R and S as they were written to the columns r and s, -A, and the digits of S
 * and k. All of these may be seen now; rows without a signature have others, and lanes without a row have none. */
LANE_FUNCTION void ed25519_sign_reveal(const struct edwards_chunk *c) {
    const gecc_out *out = &c->job->out[0];
    const gecc_rows written = {out->data, out->stride, 2 * INTEGER_BYTES, NULL, NULL};
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        mask is_row = mask_set(0);
        for (int lane = 0; lane < slot_rows(c, i); lane++)
            is_row = mask_insert(is_row, lane, 1);
        status_require(&status, is_row, GECC_ITEM_NOT_PROCESSED);
        column32_store(c->status, i, status);
        mask published = status_is_ok(status);
        fe a_z = limbs_load(c->z, i);
        struct limbs r, s, k = limbs_select(published, scalar_decode(limbs_load(c->challenge, i)), limbs_zero());
        ed25519_signature_read(c, &written, i, &r, &s, &status);
        struct edwards a =
            edwards_from_affine(fe_mul(limbs_load(c->a_point.x, i), a_z), fe_mul(limbs_load(c->a_point.y, i), a_z));
        a = edwards_select(published, a, edwards_generator());
        LANE_DECLASSIFY(s);
        LANE_DECLASSIFY(k);
        LANE_DECLASSIFY(a);
        chunk_recode_pair(c, &s, &k, i);
        limbs_store(c->r, i, r);
        limbs_store(c->s, i, s);
        limbs_store(c->a_point.x, i, fe_neg(a.x));
        limbs_store(c->a_point.y, i, a.y);
    }
}

/* Verify what was written: S G - k A, encoded, is R. The messages may have been written over. Returns whether a row
 * failed. */
LANE_FUNCTION mask ed25519_sign_verify(const struct edwards_chunk *c) {
    mask any_fault = mask_set(0);
    ed25519_sign_reveal(c);
    chunk_multiply_add_vartime(c);
    chunk_invert_z(c, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct limbs r = limbs_load(c->r, i);
        mask valid = limbs_equal(chunk_encode(c, c->r_point, 0, i), r);
        mask failed = ~valid & status_is_ok(status);
        LANE_DECLASSIFY(failed);
        any_fault = any_fault | failed;
        status_require(&status, valid, GECC_ITEM_NOT_PROCESSED);
        column32_store(c->status, i, status);
        if (mask_any(failed)) { /* the slot once more, where it failed zeros */
            ed25519_write(c, i, 0, r, status);
            ed25519_write(c, i, INTEGER_BYTES, limbs_load(c->s, i), status);
        }
    }
    return any_fault;
}

LANE_FUNCTION gecc_result ed25519_sign(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    mask fault = ed25519_multiply_keys(&c) | ed25519_multiply_nonces(&c);
    chunk_invert_z(&c, 2);
    fault = fault | ed25519_sign_finish(&c);
    if (job->flags & GECC_VERIFY_SIGNATURES)
        fault = fault | ed25519_sign_verify(&c);
    LANE_DECLASSIFY(fault);
    chunk_publish(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

#endif
