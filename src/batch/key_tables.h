/* Tables of multiples of points that come back, public keys: for key k and window i of `width` bits the affine points
 * j * 2^(width i) * Q_k, j = 0 .. 2^(width - 1). A table is what G's public one is (tables.h), and those of all keys follow
 * each other; so u G + v Q is a sum of entries, without a doubling.
 *
 * Tables are made in passes over rows, of which no two write the same memory or read what another one of the pass writes:
 *   bases:     a key each:              2^(width i) Q in every window, as X, Y in entry 1 and Z in entry 0
 *   normalise: a window each:           entry 1 affine, entry 0 infinity
 *   extend:    one of `have` in a window: entry have + j = entry have + entry j, for have = 1, 2, 4, ..., 2^(width - 2)
 *
 * For any group, however small: an entry may be infinity. */
#ifndef GECC_BATCH_KEY_TABLES_H
#define GECC_BATCH_KEY_TABLES_H

#include "batch/key_set.h"
#include "batch/integers.h"
#include "batch/tables.h"

LANE_INLINE uint32_t key_entries(const struct key_set *keys) { return (uint32_t)PUBLIC_ENTRIES(keys->width); }

/* Rows of one key. */
LANE_INLINE uint32_t key_rows(const struct key_set *keys) { return keys->windows * key_entries(keys); }

/* Row rows[l] = lane l of an affine point whose coordinates are canonical, for the first `lanes`. */
LANE_INLINE void key_row_store(const struct key_set *keys, lane32 rows, struct affine a, int lanes) {
    struct limbs pair[2] = {a.x, a.y};
    limbs_scatter_pair_vartime((limb *)keys->rows, rows, pair, lanes);
}

/* Lane l: row rows[l]. Public data only. */
LANE_INLINE struct affine key_row_load(const struct key_set *keys, lane32 rows) {
    struct limbs pair[2];
    limbs_gather_pair_vartime(pair, (const limb *)keys->rows, rows);
    struct affine a = {pair[0], pair[1]};
    return a;
}

LANE_INLINE struct affine affine_canonical(struct affine a) {
    struct affine r = {modular_canonical(&CURVE.p, a.x), modular_canonical(&CURVE.p, a.y)};
    return r;
}

/* The number of what lane `lane` of a slot works on in a pass, which starts at `first`; lanes past the last one repeat it. */
LANE_INLINE size_t key_task(size_t first, size_t count, size_t slot, size_t lane) {
    size_t i = slot * LANES + lane;
    return first + (i < count ? i : count - 1);
}

/* The multiple of each lane's key that a digit of window `window` stands for; first_row: where the key's table starts. */
LANE_INLINE struct affine key_lookup(const struct key_set *keys, lane32 first_row, unsigned window, lane32 digit) {
    lane32 row = first_row + lane32_set(window * key_entries(keys)) + digit_magnitude(digit);
    return affine_negate_if(digit_is_negative(digit), key_row_load(keys, row));
}

/* Have what that loads on its way. */
LANE_INLINE void key_prefetch(const struct key_set *keys, lane32 first_row, unsigned window, lane32 digit) {
    lane32 row = first_row + lane32_set(window * key_entries(keys)) + digit_magnitude(digit);
    limbs_prefetch_pair_vartime((const limb *)keys->rows, row);
}

/* The first pass, for one or two slots of keys whose tables start at first_row[k], lanes[k] of them each. */
LANE_INLINE void key_bases(const struct key_set *keys, struct points q, const lane32 *first_row, const int *lanes,
                           int count) {
    for (uint32_t window = 0; window < keys->windows; window++) {
        for (int k = 0; k < count; k++) {
            const lane32 row = first_row[k] + lane32_set(window * key_entries(keys));
            struct affine xy = {q.v[k].x, q.v[k].y}, z = {q.v[k].z, fe_zero()};
            key_row_store(keys, row, affine_canonical(z), lanes[k]);
            key_row_store(keys, row + lane32_set(1), affine_canonical(xy), lanes[k]);
        }
        for (uint32_t j = 0; j < keys->width; j++)
            points_double(&q, count);
    }
}

/* The second pass, for windows `first` to `first + count - 1` of all keys. points, z and prefix are scratch. Lanes past the
 * last window repeat it. */
LANE_FUNCTION void key_normalise(const struct worker *w, const struct key_set *keys, size_t first, size_t count,
                                 limb *points, limb *z, limb *prefix) {
    uint32_t row[LANES];
    for (size_t i = w->first; i < w->count; i += w->step) {
        for (size_t l = 0; l < LANES; l++)
            row[l] = (uint32_t)key_task(first, count, i, l) * key_entries(keys);
        affine_store(points, i, key_row_load(keys, lane32_load(row) + lane32_set(1)));
        limbs_store(z, i, key_row_load(keys, lane32_load(row)).x);
    }
    batch_normalise(w, points, z, prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        for (size_t l = 0; l < LANES; l++)
            row[l] = (uint32_t)key_task(first, count, i, l) * key_entries(keys);
        key_row_store(keys, lane32_load(row), affine_infinity(), lanes_filled(count, i));
        key_row_store(keys, lane32_load(row) + lane32_set(1), affine_canonical(affine_load(points, i)),
                      lanes_filled(count, i));
    }
}

/* The rows that lane l of a slot of a pass of the third kind adds, and the one that their sum goes to. */
struct key_rows_of {
    lane32 last, other, sum;
};

LANE_INLINE struct key_rows_of key_extension(const struct key_set *keys, size_t first, size_t count, size_t slot) {
    uint32_t window[LANES], other[LANES];
    struct key_rows_of r;
    for (size_t l = 0; l < LANES; l++) {
        uint32_t task = (uint32_t)key_task(first, count, slot, l);
        window[l] = task / keys->have * key_entries(keys);
        other[l] = window[l] + 1 + task % keys->have;
    }
    r.last = lane32_load(window) + lane32_set(keys->have);
    r.other = lane32_load(other);
    r.sum = r.other + lane32_set(keys->have);
    return r;
}

/* A pass of the third kind, for entries number `first` to `first + count - 1` of those that it makes. */
LANE_FUNCTION void key_extend(const struct worker *w, const struct key_set *keys, size_t first, size_t count, limb *a,
                              limb *b, limb *prefix) {
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct key_rows_of rows = key_extension(keys, first, count, i);
        affine_store(a, i, key_row_load(keys, rows.last));
        affine_store(b, i, key_row_load(keys, rows.other));
    }
    batch_add_vartime(w, a, b, prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct key_rows_of rows = key_extension(keys, first, count, i);
        key_row_store(keys, rows.sum, affine_canonical(affine_load(a, i)), lanes_filled(count, i));
    }
}

#endif
