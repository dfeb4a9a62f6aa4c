/* Multiplication by tables that are there: k G, and u G + v Q for keys Q (key_tables.h). For any group, whose header
 * the includer has included.
 *
 * Functions take the digits that scalars were recoded to. With SECRET every entry of a table is read for each digit;
 * with PUBLIC the digit is an index. */
#ifndef GECC_BATCH_FIXED_BASE_H
#define GECC_BATCH_FIXED_BASE_H

#include "batch/generator_tables.h"
#include "batch/tables.h"

/* G's public table. On a CPU it has all its windows but on a curve of Edwards form, where that of sums with keys alone
 * has them (edwards_group.h). */
LANE_INLINE struct key_set public_set(const void *tables) {
    return base_key_set(tables_public(tables), public_width(tables), public_windows(tables));
}

/* Windows of a scalar. */
LANE_INLINE unsigned base_windows(enum secrecy secrecy, const void *tables) {
    return secrecy == SECRET ? secret_windows() : public_windows(tables);
}

/* The digits by which G is multiplied; k < n. Constant time. */
LANE_INLINE void base_recode(enum secrecy secrecy, const void *tables, const struct limbs *k, uint32_t *digits) {
    if (secrecy == SECRET)
        secret_recode(k, digits);
    else
        recode_scalar(k, public_width(tables), public_windows(tables), digits);
}

/* Were the digits of a secret scalar made from k? They are made once more. */
LANE_FUNCTION mask secret_digits_match(const uint32_t *digits, struct limbs k) {
    uint32_t again[SECRET_WINDOWS * SLOT_GROUP * LANES];
    lane32 differ = lane32_set(0);
    secret_recode(&k, again);
    for (unsigned i = 0; i < secret_windows(); i++)
        differ = differ | (digit_load(digits, i) ^ digit_load(again, i));
    return lane32_equal(differ, lane32_set(0));
}

/* The multiple of G that a digit of a window stands for. */
LANE_INLINE group_entry base_lookup(enum secrecy secrecy, const void *tables, unsigned window, lane32 digit) {
    struct limbs parts[ENTRY_PARTS];
    if (secrecy == PUBLIC) {
        const struct key_set g = public_set(tables);
        return key_lookup(&g, lane32_set(0), window, digit);
    }
    limbs_scan(parts, ENTRY_PARTS, tables_secret(tables) + secret_window_at(window), secret_scanned(),
               secret_entry(digit) - lane32_set(1));
    return secret_multiple(digit, entry_from_parts(parts));
}

/* That of digit number i of k, in the order in which they are added. */
LANE_INLINE group_entry base_entry(enum secrecy secrecy, const void *tables, const uint32_t *digits, unsigned i) {
    const unsigned window = secrecy == SECRET ? secret_order(i) : i;
    return base_lookup(secrecy, tables, window, digit_load(digits, window));
}

/* k G for one slot, by an addition for each window but the first. On a curve of Weierstrass form partial sums are less
 * than the next entry in absolute value and their sum less than n, so two equal points never meet unless the group is
 * tiny; nor does infinity come in where digits are odd: docs/constant-time.md. Nothing may be added to the sum (`last`
 * of sum_add). */
LANE_INLINE group_sum base_multiply(enum secrecy secrecy, const void *tables, const uint32_t *digits) {
    const unsigned windows = base_windows(secrecy, tables);
    group_entry q = base_entry(secrecy, tables, digits, 0);
    group_sum r = sum_from_entry(&q);
    q = base_entry(secrecy, tables, digits, 1);
    sum_add_second(secrecy, &r, &q);
    LANE_LOOP for (unsigned i = 2; i < windows; i++) {
        q = base_entry(secrecy, tables, digits, i);
        sum_add(secrecy, &r, &q, i + 1 == windows);
    }
    return r;
}

/* A sum with keys: the lanes' keys, whose tables start at table_at, and the digits of both scalars. */
struct sum_with_keys {
    const void *tables;
    const struct key_set *keys;
    lane32 table_at;
    const uint32_t *base_digits, *key_digits;
};

enum { PREFETCH_WINDOWS = 8 }; /* an entry is prefetched so many windows before it is added */

/* What window number i of G's, and after them of the keys', adds. */
LANE_INLINE group_entry keys_entry_vartime(const struct sum_with_keys *s, unsigned i) {
    const unsigned base = public_windows(s->tables);
    if (i < base)
        return base_lookup(PUBLIC, s->tables, i, digit_load(s->base_digits, i));
    return key_lookup(s->keys, s->table_at, i - base, digit_load(s->key_digits, i - base));
}

LANE_INLINE void keys_entry_prefetch(const struct sum_with_keys *s, unsigned i) {
    const struct key_set g = public_set(s->tables);
    if (i < g.windows)
        key_prefetch(&g, lane32_set(0), i, digit_load(s->base_digits, i));
    else if (i - g.windows < s->keys->windows)
        key_prefetch(s->keys, s->table_at, i - g.windows, digit_load(s->key_digits, i - g.windows));
}

/* u G + v Q for one slot: an addition for each window of either but the first. The sum may be added to. */
LANE_INLINE group_sum multiply_add_keys_vartime(const struct sum_with_keys *s) {
    const unsigned windows = public_windows(s->tables) + s->keys->windows;
    group_entry q = keys_entry_vartime(s, 0);
    group_sum r = sum_from_entry(&q);
    LANE_LOOP for (unsigned i = 1; i < windows; i++) {
        keys_entry_prefetch(s, i + PREFETCH_WINDOWS);
        q = keys_entry_vartime(s, i);
        sum_add(PUBLIC, &r, &q, 0);
    }
    return r;
}

#endif
