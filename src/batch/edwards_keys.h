/* u G + v A on a curve of Edwards form from tables of multiples of both (key_tables.h): G's is made as that of a key is, so that
 * this is a sum of entries, without a doubling. Formulas have no exceptional cases, so neither has this, whatever A is. */
#ifndef GECC_BATCH_EDWARDS_KEYS_H
#define GECC_BATCH_EDWARDS_KEYS_H

#include "batch/edwards_multiply.h"
#include "batch/generator_tables.h"

/* Bits of a window of G's table. A wider one takes longer to make and more of the caches: docs/performance.md. */
enum {
    EDWARDS_KEYS_WINDOW = 10,
    EDWARDS_KEYS_WINDOWS = WINDOW_COUNT(SCALAR_BITS, EDWARDS_KEYS_WINDOW),
    KEY_PREFETCH = 8 /* windows from where an entry is asked for to where it is added */
};

static_assert((int)KEY_WINDOW_LEAST >= (int)ENTRY_WINDOW, "a key's digits have room where those of a point have");

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
