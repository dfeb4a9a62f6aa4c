/* Keys of Ed25519 that come back: lane programs that make their tables (batch/key_tables.h), and the one that verifies
 * by them.
 *
 * Which encodings of a key are taken is for the call to say that verifies, so a table is made of every encoding that
 * has a point, and the set keeps what the rules ask: the status of a key (KEY_* in batch/key_set.h), and its 32 bytes,
 * which are hashed. */
#ifndef GECC_SCHEME_EDWARDS_KEYS_H
#define GECC_SCHEME_EDWARDS_KEYS_H

#include "scheme/ed25519.h"
#include "scheme/key_numbers.h"
#include "scheme/key_passes.h"

#define BELOW_KEY_FLAGS(item, value, text) static_assert((value) <= KEY_STATUS || (item) == GECC_ITEM_NULL, text);
GECC_ITEM_LIST(BELOW_KEY_FLAGS) /* none is a flag, and a row without a value is no key */
#undef BELOW_KEY_FLAGS

/* The point of each lane's encoding, by the rules that take any, and the facts known of it. */
LANE_FUNCTION struct edwards key_decode(const struct limbs *encoding, lane32 *known) {
    lane32 loose = *known, strict = *known;
    struct edwards a, same;
    edwards_decode(&a, encoding, 1, 0, &loose);
    edwards_decode(&same, encoding, 1, 1, &strict);
    mask taken = status_is_ok(loose) & ~status_is_ok(strict), small = edwards_has_small_order(&a);
    *known = strict | (mask_to_lane32(taken) & lane32_set(KEY_TAKEN_LOOSELY)) |
             (mask_to_lane32(small & status_is_ok(loose)) & lane32_set(KEY_SMALL_ORDER));
    return a;
}

/* The first pass: rows are keys, in[0] their encodings; their status is published. Keys without a point have
 * G's table. */
LANE_FUNCTION gecc_result keys_bases(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 known = status_ok();
        const lane32 table_at = key_tables_at(&job->keys, slot_row(&c, i));
        const int lanes = slot_rows(&c, i);
        struct limbs encoding =
            integer_read(GECC_LITTLE_ENDIAN, &job->in[0], slot_row(&c, i), lanes, INTEGER_BYTES, &known);
        struct edwards_bases a = {{key_decode(&encoding, &known)}};
        key_bases(&job->keys, a, &table_at, &lanes, 1);
        entry_spare_store((limb *)job->keys.rows, table_at, encoding, lanes);
        column32_store(c.status, i, known);
    }
    chunk_publish(&c);
    return GECC_OK;
}

/* The status that a key has by the rules that take only canonical encodings, or by rules that take any. A key out of
 * range is refused by these where it has no point either. */
LANE_INLINE lane32 key_status(lane32 known, int strict) {
    lane32 status = known & lane32_set(KEY_STATUS);
    if (strict)
        return status;
    mask taken = ~lane32_equal(known & lane32_set(KEY_TAKEN_LOOSELY), lane32_set(0));
    mask range = lane32_equal(status, lane32_set(GECC_ITEM_MALFORMED_POINT_RANGE));
    status = lane32_select(mask_to_lane32(range), lane32_set(GECC_ITEM_MALFORMED_POINT_OFF_CURVE), status);
    return lane32_select(mask_to_lane32(taken), status_ok(), status);
}

/* S G - k A for public S and k, integers below n, and the keys whose tables start at table_at: A may have a part of
 * small order, so that k is taken as it is. */
LANE_FUNCTION struct edwards ed25519_multiply_by_keys(const struct edwards_chunk *c, size_t slot, const struct limbs *s,
                                                      const struct limbs *k, lane32 table_at) {
    uint32_t *digits = digits_at(c->a_digits, slot), *base_digits = digits_at(c->r_digits, slot);
    const struct key_set *keys = &c->job->keys;
    recode_signed(k, mask_set(1), keys->width, keys->windows, digits);
    base_recode(PUBLIC, c->tables, s, base_digits);
    const struct sum_with_keys sum = {c->tables, keys, table_at, base_digits, digits};
    return multiply_add_keys_vartime(&sum);
}

/* R, and p = S G - k A, until they are compared. */
LANE_INLINE void ed25519_verify_keep(const struct edwards_chunk *c, size_t slot, const struct limbs *r,
                                     const struct edwards *p, lane32 status) {
    limbs_store(c->r, slot, *r);
    limbs_store(c->r_point.x, slot, p->x);
    limbs_store(c->r_point.y, slot, p->y);
    limbs_store(c->z, slot, p->z);
    column32_store(c->status, slot, status);
}

/* As ed25519_verify does with the encodings of the keys that the rows name. */
LANE_FUNCTION gecc_result ed25519_verify_keys(struct arena *arena, const void *tables, const struct job *job,
                                              size_t first, size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        struct limbs r, s;
        lane32 table_at;
        lane32 known = key_numbers_read(&job->keys, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &table_at);
        lane32 status = key_status(known, ed25519_wants_canonical(job->flags));
        struct limbs key = entry_spare_load((const limb *)job->keys.rows, table_at);
        struct limbs k = ed25519_verify_challenge(&c, i, &key, &r, &s, &status);
        struct edwards p = ed25519_multiply_by_keys(&c, i, &s, &k, table_at);
        mask small = ~lane32_equal(known & lane32_set(KEY_SMALL_ORDER), lane32_set(0));
        ed25519_require(job->flags, &small, &p, &r, 1, &status);
        ed25519_verify_keep(&c, i, &r, &p, status);
    }
    ed25519_verify_finish(&c);
    return GECC_OK;
}

#endif
