/* Tables of multiples of G on a curve of Edwards form, as entries of affine points (curve/edwards.h).
 *
 * The secret one has for window i of SECRET_WINDOW bits the entries of j 2^(SECRET_WINDOW i) G, j = 1 .. 2^(SECRET_WINDOW - 1),
 * and is scanned. The public one is indexed. A sum with multiples of a point has doublings in any case, which both share, and reads
 * its first window alone, j G for j = 0 .. 2^(width - 1): a CPU's has no other. One with tables of keys reads all windows, which a
 * GPU's has, and a CPU's for such sums. */
#ifndef GECC_BATCH_EDWARDS_TABLES_H
#define GECC_BATCH_EDWARDS_TABLES_H

#include <assert.h>

#include "batch/digits.h"
#include "curve/edwards.h"
#ifdef BATCH_WINDOWS
#include BATCH_WINDOWS
#else
#include "batch/windows.h"
#endif
#include "batch/scan.h"

enum {
    ENTRY_PARTS = 3,  /* of an entry: y + x, y - x, 2 d x y */
    ENTRY_WINDOW = 4, /* bits of a window of an unknown point */
    SCALAR_BITS = CURVE_BITS,
    MAGNITUDE_BITS = SCALAR_BITS - 2, /* the group's order is 8 n */
    SCALAR_WINDOWS = WINDOW_COUNT(SCALAR_BITS, ENTRY_WINDOW),
    SECRET_WINDOWS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW),
    SECRET_ENTRIES = 1 << (SECRET_WINDOW - 1),
    SECRET_ROWS = (SECRET_ENTRIES + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES,
    SECRET_TABLE_LIMBS = SECRET_WINDOWS * SECRET_ROWS * ENTRY_PARTS * LIMBS,
    /* Of a CPU's public table, for few rows and for many. */
    EDWARDS_PUBLIC_FEW = 8,
    EDWARDS_PUBLIC_MANY = 12
};

#include "batch/given_tables.h"

static_assert(EDWARDS_PUBLIC_FEW % ENTRY_WINDOW == 0 && EDWARDS_PUBLIC_MANY % ENTRY_WINDOW == 0,
              "both windows start at the same doublings");

/* k = sum of digits of so many windows, k < n: the digits' last carry has room. */
LANE_INLINE unsigned scalar_windows(unsigned width) { return WINDOW_COUNT(SCALAR_BITS, width); }

/* The secret table, as generator_tables.h asks. */
LANE_INLINE unsigned secret_windows(void) { return SECRET_WINDOWS; }
LANE_INLINE unsigned secret_doublings(void) { return SECRET_WINDOW; }
LANE_INLINE unsigned secret_entries(void) { return SECRET_ENTRIES; }
LANE_INLINE int secret_is_odd(void) { return 0; }

/* The entry that a digit of a window of the secret table stands for. Every entry is read. */
LANE_INLINE struct edwards_entry secret_lookup(const limb *table, unsigned window, lane32 digit) {
    struct limbs parts[ENTRY_PARTS];
    lane32 magnitude = digit_magnitude(digit);
    limbs_scan(parts, ENTRY_PARTS, table + (size_t)window * SECRET_ROWS * ENTRY_PARTS * LIMBS, SECRET_ROWS,
               magnitude - lane32_set(1));
    struct edwards_entry e = {parts[0], parts[1], parts[2]};
    e = edwards_entry_select(lane32_equal(magnitude, lane32_set(0)), edwards_entry_neutral(), e);
    return edwards_entry_negate_if(digit_is_negative(digit), e);
}

#endif
