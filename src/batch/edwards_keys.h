/* u G + v A on a curve of Edwards form from tables of multiples of both (key_tables.h): G's is made as that of a key is, so that
 * this is a sum of entries, without a doubling. Formulas have no exceptional cases, so neither has this, whatever A is. */
#ifndef GECC_BATCH_EDWARDS_KEYS_H
#define GECC_BATCH_EDWARDS_KEYS_H

#include "batch/edwards_multiply.h"
#include "batch/edwards_entries.h"
#include "batch/key_tables.h"

/* Bits of a window of G's table. A wider one takes longer to make and more of the caches: docs/performance.md. */
enum {
    EDWARDS_KEYS_WINDOW = 10,
    EDWARDS_KEYS_WINDOWS = WINDOW_COUNT(SCALAR_BITS, EDWARDS_KEYS_WINDOW),
    EDWARDS_KEYS_SLOTS = 256, /* that are on their way at once while it is made */
    KEY_PREFETCH = 8          /* windows from where an entry is asked for to where it is added */
};

#define EDWARDS_KEYS_LIMBS (EDWARDS_KEYS_WINDOWS * EDWARDS_PUBLIC_LIMBS(EDWARDS_KEYS_WINDOW))

static_assert((int)ENTRY_ROWS == 2, "EDWARDS_PUBLIC_LIMBS");
static_assert((int)KEY_WINDOW_LEAST >= (int)ENTRY_WINDOW, "a key's digits have room where those of a point have");

/* G's table as a set of one key. */
LANE_INLINE struct key_set edwards_base_keys(const limb *table, unsigned width, unsigned windows) {
    struct key_set r;
    r.rows = (void *)table;
    r.status = NULL;
    r.count = 1;
    r.width = width;
    r.windows = windows;
    r.have = 0;
    return r;
}

/* Fill G's table, 64-byte aligned, EDWARDS_KEYS_LIMBS. `arena` has the scratch, a copy of it is used. */
LANE_FUNCTION void edwards_table_keys(limb *table, const struct arena *arena) {
    struct arena scratch = *arena;
    const struct entries e = {edwards_work_take(&scratch, EDWARDS_KEYS_SLOTS)};
    const size_t most = EDWARDS_KEYS_SLOTS * LANES;
    struct key_set keys = edwards_base_keys(table, EDWARDS_KEYS_WINDOW, EDWARDS_KEYS_WINDOWS);
    const struct edwards_bases g = {{edwards_generator()}};
    const lane32 first_row = lane32_set(0);
    const int lanes = 1;
    key_bases(&keys, g, &first_row, &lanes, 1);
    for (size_t first = 0; first < keys.windows; first += most) {
        size_t count = keys.windows - first < most ? keys.windows - first : most;
        struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
        key_normalise(&w, &keys, first, count, &e);
    }
    for (keys.have = 1; keys.have < 1u << (keys.width - 1); keys.have *= 2)
        for (size_t first = 0, all = (size_t)keys.windows * keys.have; first < all; first += most) {
            size_t count = all - first < most ? all - first : most;
            struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
            key_extend(&w, &keys, first, count, &e);
        }
}

/* Where one of the windows of G, and after them of the keys, has its entry. */
struct key_window {
    const struct key_set *keys;
    lane32 first_row, digit;
    unsigned window;
};

LANE_INLINE struct key_window key_window_at(const struct key_set *base, const uint32_t *base_digits,
                                            const struct key_set *keys, lane32 first_row, const uint32_t *digits,
                                            unsigned i) {
    struct key_window r;
    const int of_key = i >= base->windows;
    r.window = of_key ? i - base->windows : i;
    r.keys = of_key ? keys : base;
    r.first_row = of_key ? first_row : lane32_set(0);
    r.digit = digit_load(of_key ? digits : base_digits, r.window);
    return r;
}

/* u G + v A for public u and v in digits, A the lanes' keys, whose tables start at first_row.     7M for each window of either */
LANE_FUNCTION struct edwards edwards_multiply_add_keys_vartime(const struct key_set *base, const uint32_t *base_digits,
                                                               const struct key_set *keys, lane32 first_row,
                                                               const uint32_t *digits) {
    const unsigned windows = base->windows + keys->windows;
    struct edwards r = edwards_neutral();
    LANE_LOOP for (unsigned i = 0; i < windows; i++) {
        if (i + KEY_PREFETCH < windows) {
            const struct key_window next = key_window_at(base, base_digits, keys, first_row, digits, i + KEY_PREFETCH);
            key_prefetch(next.keys, next.first_row, next.window, next.digit);
        }
        const struct key_window here = key_window_at(base, base_digits, keys, first_row, digits, i);
        const struct edwards_entry q = key_lookup(here.keys, here.first_row, here.window, here.digit);
        edwards_add_entry(&r, &q);
    }
    return r;
}

#endif
