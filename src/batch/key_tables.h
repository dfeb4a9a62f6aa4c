/* Tables of multiples of points that come back, public keys: for key k and window i of `width` bits the entries of j *
 * 2^(width i) * Q_k, j = 0 .. 2^(width - 1). A table is like G's public one (tables.h), and tables of all keys follow
 * each other; so u G + v Q is a sum of entries, without a doubling.
 *
 * Tables are made in passes over rows, of which no two write the same memory or read what another one of the pass writes:
 *   bases:     a key each:              2^(width i) Q in every window, projective, in entries 0 and 1
 *   normalise: a window each:           entry 1 affine, entry 0 that of the group's zero
 *   extend:    one of `have` in a window: entry have + j = entry have + entry j, for have = 1, 2, 4, ..., 2^(width - 2)
 *
 * For any group, however small: an entry may be zero. What an entry is, and how they are added, the group says, whose
 * header the includer has included: weierstrass_group.h, or edwards_group.h on a curve of Edwards form. */
#ifndef GECC_BATCH_KEY_TABLES_H
#define GECC_BATCH_KEY_TABLES_H

#include "batch/integers.h"
#include "batch/key_set.h"

/* Entries of a window. */
LANE_INLINE uint32_t window_entries(const struct key_set *keys) { return ((uint32_t)1 << (keys->width - 1)) + 1; }

/* Entries of one key. */
LANE_INLINE uint32_t key_entries(const struct key_set *keys) { return keys->windows * window_entries(keys); }

/* Where the tables of the LANES keys from number `first` on start. */
LANE_INLINE lane32 key_tables_at(const struct key_set *keys, size_t first) {
    uint32_t entry[LANES];
    for (uint32_t l = 0; l < LANES; l++)
        entry[l] = ((uint32_t)first + l) * key_entries(keys);
    return lane32_load(entry);
}

/* The number of the row of lane `lane` of a slot in a pass, which starts at `first`; lanes past the last one repeat
 * it. */
LANE_INLINE size_t key_task(size_t first, size_t count, size_t slot, size_t lane) {
    size_t i = slot * LANES + lane;
    return first + (i < count ? i : count - 1);
}

/* Where the magnitude of a digit of window `window` stands; table_at: where the key's table starts. */
LANE_INLINE lane32 key_entry_at(const struct key_set *keys, lane32 table_at, unsigned window, lane32 digit) {
    return table_at + lane32_set(window * window_entries(keys)) + digit_magnitude(digit);
}

/* The multiple of each lane's key that the digit stands for. */
LANE_INLINE group_entry key_lookup(const struct key_set *keys, lane32 table_at, unsigned window, lane32 digit) {
    return entry_negate_if(digit_is_negative(digit),
                           entry_load((const limb *)keys->rows, key_entry_at(keys, table_at, window, digit)));
}

/* Have what that loads on its way. */
LANE_INLINE void key_prefetch(const struct key_set *keys, lane32 table_at, unsigned window, lane32 digit) {
    entry_prefetch((const limb *)keys->rows, key_entry_at(keys, table_at, window, digit));
}

/* The first pass, for the slots of q, keys whose tables start at table_at[k], lanes[k] of them each. */
LANE_INLINE void key_bases(const struct key_set *keys, group_bases q, const lane32 *table_at, const int *lanes,
                           int count) {
    for (uint32_t window = 0; window < keys->windows; window++) {
        for (int k = 0; k < count; k++)
            bases_store((limb *)keys->rows, table_at[k] + lane32_set(window * window_entries(keys)), &q, k, lanes[k]);
        bases_double(&q, count, keys->width);
    }
}

/* Where the windows of a slot of the second pass start. */
LANE_INLINE lane32 key_windows_at(const struct key_set *keys, size_t first, size_t count, size_t slot) {
    uint32_t entry[LANES];
    for (size_t l = 0; l < LANES; l++)
        entry[l] = (uint32_t)key_task(first, count, slot, l) * window_entries(keys);
    return lane32_load(entry);
}

/* The second pass, for windows `first` to `first + count - 1` of all keys. Lanes past the last window repeat it. */
LANE_FUNCTION void key_normalise(const struct worker *w, const struct key_set *keys, size_t first, size_t count,
                                 const struct entries *e) {
    limb *rows = (limb *)keys->rows;
    for (size_t i = w->first; i < w->count; i += w->step)
        entries_take_base(e, i, rows, key_windows_at(keys, first, count, i));
    entries_normalise(w, e);
    for (size_t i = w->first; i < w->count; i += w->step)
        entries_give_base(e, i, rows, key_windows_at(keys, first, count, i), lanes_filled(count, i));
}

/* The entries that lane l of a slot of a pass of the third kind adds, and the one that their sum goes to. */
struct key_addends {
    lane32 last, other, sum;
};

LANE_INLINE struct key_addends key_extension(const struct key_set *keys, size_t first, size_t count, size_t slot) {
    uint32_t window[LANES], other[LANES];
    struct key_addends r;
    for (size_t l = 0; l < LANES; l++) {
        uint32_t task = (uint32_t)key_task(first, count, slot, l);
        window[l] = task / keys->have * window_entries(keys);
        other[l] = window[l] + 1 + task % keys->have;
    }
    r.last = lane32_load(window) + lane32_set(keys->have);
    r.other = lane32_load(other);
    r.sum = r.other + lane32_set(keys->have);
    return r;
}

/* A pass of the third kind, for entries number `first` to `first + count - 1` of the entries that it makes. */
LANE_FUNCTION void key_extend(const struct worker *w, const struct key_set *keys, size_t first, size_t count,
                              const struct entries *e) {
    limb *table = (limb *)keys->rows;
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct key_addends at = key_extension(keys, first, count, i);
        entries_take_sum(e, i, entry_load(table, at.last), entry_load(table, at.other));
    }
    entries_add(w, e);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct key_addends at = key_extension(keys, first, count, i);
        entry_store(table, at.sum, entries_sum(e, i), lanes_filled(count, i));
    }
}

#endif
