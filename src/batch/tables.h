/* What is in tables of multiples of G: for window i of `width` bits the affine points j * 2^(width i) * G, j = 0 .. 2^(width - 1);
 * or (2 j - 1) * 2^(width i) * G, j = 1 .. 2^(width - 1), for odd digits; or those of eisenstein.h.
 *
 * The secret table is small, since it is scanned (limbs_scan), and leaves out j = 0. The public one is indexed, as rows of x
 * and y, and its windows can have any width: the wider they are, the fewer additions a scalar takes and the longer the table
 * takes to make. All lanes use the same tables. A translation unit that wants other windows than windows.h has defines
 * BATCH_WINDOWS, the name of a header with them.
 *
 * They are made by generator_tables.h. Lane programs take `tables`: batch/given_tables.h. */
#ifndef GECC_BATCH_TABLES_H
#define GECC_BATCH_TABLES_H

#include <assert.h>

#include "batch/recode.h"
#ifdef BATCH_WINDOWS
#include BATCH_WINDOWS
#else
#include "batch/windows.h"
#endif
#include "batch/scan.h"

enum secrecy { PUBLIC, SECRET };

/* Windows of secret scalars may be digits of eisenstein.h: base 8^i G, and an entry for each that a digit has. */
LANE_INLINE int base_is_eisenstein(enum secrecy secrecy) {
    return secrecy == SECRET && SECRET_EISENSTEIN && CURVE.has_glv;
}

/* Or odd digits, of which none is 0: secret ones where the machine's windows say so. */
LANE_INLINE int base_is_odd(enum secrecy secrecy) { return secrecy == SECRET && SECRET_ODD; }

static_assert(!SECRET_ODD || !SECRET_EISENSTEIN, "digits are of one kind");

enum {
    MAGNITUDE_BITS = SCALAR_BITS - 1, /* k is folded to at most n / 2 */
    SECRET_ENTRIES = 1 << (SECRET_WINDOW - 1),
    SECRET_ROWS = (SECRET_ENTRIES + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES, /* secret_rows() at most */
    SECRET_TABLE_LIMBS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW) * SECRET_ROWS * 2 * LIMBS
};

#include "batch/given_tables.h"

/* Entries of a public window: infinity, and as many as its digits have magnitudes. */
LANE_INLINE size_t public_entries(const void *tables) { return ((size_t)1 << (public_width(tables) - 1)) + 1; }

/* Doublings from the base of one window to the next one's. */
LANE_INLINE unsigned base_width(enum secrecy secrecy, const void *tables) {
    if (base_is_eisenstein(secrecy))
        return EISENSTEIN_WIDTH;
    return secrecy == SECRET ? SECRET_WINDOW : public_width(tables);
}

LANE_INLINE unsigned base_windows(enum secrecy secrecy, const void *tables) {
    if (base_is_eisenstein(secrecy))
        return EISENSTEIN_WINDOWS;
    return secrecy == SECRET ? WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW) : public_windows(tables);
}

/* Entries of a window of the secret table. */
LANE_INLINE unsigned secret_entries(void) {
    return base_is_eisenstein(SECRET) ? EISENSTEIN_ENTRIES - 1 : SECRET_ENTRIES;
}

/* Room for them, and what is scanned. */
LANE_INLINE unsigned secret_rows(void) { return (secret_entries() + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES; }

/* Windows of the secret table, and doublings from the base of one to the next one's. */
LANE_INLINE unsigned secret_windows(void) { return base_windows(SECRET, NULL); }
LANE_INLINE unsigned secret_doublings(void) { return base_width(SECRET, NULL); }
LANE_INLINE int secret_is_odd(void) { return base_is_odd(SECRET); }

static_assert(!SECRET_EISENSTEIN || (EISENSTEIN_ENTRIES - 1 <= SECRET_ENTRIES &&
                                     EISENSTEIN_WINDOWS * SECRET_ROWS * 2 * LIMBS <= SECRET_TABLE_LIMBS),
              "there is room for them");

/* The digits by which G is multiplied; k < n. Constant time. */
LANE_INLINE void base_recode(enum secrecy secrecy, const void *tables, const struct limbs *k, uint32_t *digits) {
    if (base_is_eisenstein(secrecy))
        recode_point(k, digits);
    else if (base_is_odd(secrecy))
        recode_base_odd(k, base_width(secrecy, tables), base_windows(secrecy, tables), digits);
    else
        recode_base(k, base_width(secrecy, tables), base_windows(secrecy, tables), digits);
}

#endif
