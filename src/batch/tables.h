/* Tables of multiples of G: for window i of `width` bits the affine points j * 2^(width i) * G, j = 0 .. 2^(width - 1);
 * or (2 j - 1) * 2^(width i) * G, j = 1 .. 2^(width - 1), for odd digits; or those of eisenstein.h.
 *
 * The secret table is small, since it is scanned (limbs_scan), and leaves out j = 0; the public one is large and indexed,
 * as rows of x and y. Both are made once for a context, and are the same for all lanes. A translation unit that wants
 * other windows defines BATCH_WINDOWS, the name of a header with them. */
#ifndef GECC_BATCH_TABLES_H
#define GECC_BATCH_TABLES_H

#include <assert.h>

#include "batch/recode.h"
#ifdef BATCH_WINDOWS
#include BATCH_WINDOWS
#else
#include "batch/windows.h"
#endif
#ifndef LIMBS_OWN_SCAN
#include "batch/scan.h"
#endif

enum secrecy { PUBLIC, SECRET };

/* Windows of secret scalars may be digits of eisenstein.h: base 8^i G, and an entry for each that a digit has. */
LANE_INLINE int base_is_eisenstein(enum secrecy secrecy) {
    return secrecy == SECRET && SECRET_EISENSTEIN && CURVE.has_glv;
}

/* Or odd digits, of which none is 0: secret ones where the machine's windows say so. */
LANE_INLINE int base_is_odd(enum secrecy secrecy) { return secrecy == SECRET && SECRET_ODD; }

static_assert(!SECRET_ODD || !SECRET_EISENSTEIN, "digits are of one kind");

enum {
    SECRET_ENTRIES = 1 << (SECRET_WINDOW - 1),
    SECRET_ROWS = (SECRET_ENTRIES + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES, /* secret_rows() at most */
    SECRET_TABLE_LIMBS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW) * SECRET_ROWS * 2 * LIMBS
};

/* Public windows: how wide, how many, and how many entries each has. */
#ifdef PUBLIC_WINDOWS_VARY
LANE_INLINE unsigned public_width(void) { return gecc_public_windows.width; }
LANE_INLINE unsigned public_windows(void) { return gecc_public_windows.count; }
#else
enum {
    PUBLIC_ENTRIES = (1 << (PUBLIC_WINDOW - 1)) + 1,
    PUBLIC_TABLE_LIMBS = WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW) * PUBLIC_ENTRIES * ROW_LIMBS,
    TABLES_BYTES = (SECRET_TABLE_LIMBS + PUBLIC_TABLE_LIMBS) * (int)sizeof(limb),
    /* of the scratch that tables_build needs: X, Y, Z and prefix for the entries of LANES windows */
    TABLES_SCRATCH_BYTES = 4 * ((PUBLIC_ENTRIES + SLOT_GROUP - 1) * LIMBS * LANES * (int)sizeof(limb) + 64)
};

LANE_INLINE unsigned public_width(void) { return PUBLIC_WINDOW; }
LANE_INLINE unsigned public_windows(void) { return WINDOW_COUNT(SCALAR_BITS, PUBLIC_WINDOW); }
#endif

LANE_INLINE size_t public_entries(void) { return ((size_t)1 << (public_width() - 1)) + 1; }

/* Doublings from the base of one window to the next one's. */
LANE_INLINE unsigned base_width(enum secrecy secrecy) {
    if (base_is_eisenstein(secrecy))
        return EISENSTEIN_WIDTH;
    return secrecy == SECRET ? SECRET_WINDOW : public_width();
}

LANE_INLINE unsigned base_windows(enum secrecy secrecy) {
    if (base_is_eisenstein(secrecy))
        return EISENSTEIN_WINDOWS;
    return secrecy == SECRET ? WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW) : public_windows();
}

/* Entries of a window of the secret table. */
LANE_INLINE unsigned secret_entries(void) {
    return base_is_eisenstein(SECRET) ? EISENSTEIN_ENTRIES - 1 : SECRET_ENTRIES;
}

/* Room for them, and what is scanned. */
LANE_INLINE unsigned secret_rows(void) { return (secret_entries() + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES; }

static_assert(!SECRET_EISENSTEIN || (EISENSTEIN_ENTRIES - 1 <= SECRET_ENTRIES &&
                                     EISENSTEIN_WINDOWS * SECRET_ROWS * 2 * LIMBS <= SECRET_TABLE_LIMBS),
              "there is room for them");

/* The digits by which G is multiplied; k < n. Constant time. */
LANE_INLINE void base_recode(enum secrecy secrecy, const struct limbs *k, uint32_t *digits) {
    if (base_is_eisenstein(secrecy))
        recode_point(k, digits);
    else if (base_is_odd(secrecy))
        recode_base_odd(k, base_width(secrecy), base_windows(secrecy), digits);
    else
        recode_base(k, base_width(secrecy), base_windows(secrecy), digits);
}

LANE_INLINE const limb *tables_secret(const void *tables) { return (const limb *)tables; }
LANE_INLINE const limb *tables_public(const void *tables) { return (const limb *)tables + SECRET_TABLE_LIMBS; }

/* In lane l: 2^(width (first + l)) G, or infinity for windows past the last; *next: 2^(width (first + LANES)) G, in all
 * lanes. */
LANE_INLINE struct affine table_bases(struct jacobian *next, unsigned first, unsigned width, unsigned windows) {
    struct jacobian bases = jacobian_infinity();
    for (unsigned l = 0; l < LANES; l++) {
        mask here = mask_insert(mask_set(0), (int)l, first + l < windows);
        bases = jacobian_select(here, *next, bases);
        for (unsigned k = 0; k < width; k++)
            jacobian_double(next);
    }
    struct affine xy = {bases.x, bases.y};
    return affine_from_jacobian(xy, fe_inverse(bases.z));
}

/* Entry `entry` of a window, which is in lane `lane` of a canonical a. */
LANE_INLINE void table_store(enum secrecy secrecy, limb *table, unsigned window, unsigned entry, struct affine a,
                             int lane) {
    struct limbs pair[2] = {a.x, a.y};
    if (secrecy == PUBLIC) {
        limbs_store_pair(table + ((size_t)window * public_entries() + entry) * ROW_LIMBS, pair, lane);
        return;
    }
    table += (size_t)window * secret_rows() * 2 * LIMBS;
    for (unsigned j = 0; entry > 0 && j < 2 * LIMBS; j++)
        limbs_scan_store(table, secret_rows(), entry - 1, j, limbs_extract(pair[j / LIMBS], j % LIMBS, lane));
}

/* Entry `entry` of the windows from `first` on, one in each lane of a. */
LANE_INLINE void table_store_windows(enum secrecy secrecy, limb *table, unsigned first, unsigned windows,
                                     unsigned entry, struct affine a) {
    a.x = modular_canonical(&CURVE.p, a.x);
    a.y = modular_canonical(&CURVE.p, a.y);
    for (unsigned l = 0; l < LANES && first + l < windows; l++)
        table_store(secrecy, table, first + l, entry, a, (int)l);
}

/* The windows first .. first + LANES - 1 of a secret table of eisenstein.h, one in each lane. */
LANE_INLINE void table_build_eisenstein(limb *table, struct affine base, unsigned first, unsigned windows) {
    struct affine entry[EISENSTEIN_ENTRIES];
    entry[1] = base;
    table_store_windows(SECRET, table, first, windows, 1, base);
    for (unsigned j = 0; j < EISENSTEIN_SUMS; j++) {
        struct table_sum sum = EISENSTEIN_SUM[j];
        struct affine a = eisenstein_addend(entry[sum.a], sum.turn);
        fe inverse = fe_inverse(affine_add_denominator(a, entry[sum.b]));
        entry[sum.sum] = affine_add(&a, &entry[sum.b], &inverse);
        table_store_windows(SECRET, table, first, windows, sum.sum, entry[sum.sum]);
    }
}

/* The windows first .. first + LANES - 1 of a table, one in each lane. */
LANE_INLINE void table_build_windows(enum secrecy secrecy, limb *table, struct affine base, unsigned first,
                                     unsigned windows, struct arena *arena) {
    struct worker w = worker_of_chunk(secrecy == PUBLIC ? public_entries() : SECRET_ENTRIES + 1);
    limb *points = affine_columns_take(arena, w.count, 1), *z = column_take(arena, w.count);
    limb *prefix = column_take(arena, w.count);
    struct jacobian sum = jacobian_infinity();
    struct affine step = base;
    for (size_t j = 0; j < w.count; j++) {
        struct affine xy = {sum.x, sum.y};
        affine_store(points, j, xy);
        limbs_store(z, j, sum.z);
        jacobian_add_affine(&sum, &step);
        if (j == 0 && base_is_odd(secrecy))
            step = affine_double(&base, fe_inverse(fe_double(base.y)));
    }
    batch_normalise(&w, points, z, prefix);
    for (size_t j = 0; j < w.count; j++)
        table_store_windows(secrecy, table, first, windows, (unsigned)j, affine_load(points, j));
}

LANE_FUNCTION void table_build(enum secrecy secrecy, limb *table, struct arena *arena) {
    unsigned width = base_width(secrecy), windows = base_windows(secrecy);
    struct jacobian next = jacobian_from_affine(affine_generator());
    for (unsigned first = 0; first < windows; first += LANES) {
        struct arena scratch = *arena;
        struct affine base = table_bases(&next, first, width, windows);
        if (base_is_eisenstein(secrecy))
            table_build_eisenstein(table, base, first, windows);
        else
            table_build_windows(secrecy, table, base, first, windows, &scratch);
    }
}

/* Fill `tables`, TABLES_BYTES, 64-byte aligned; arena has TABLES_SCRATCH_BYTES to spare. */
LANE_FUNCTION void tables_build(void *tables, struct arena *arena) {
    table_build(SECRET, (limb *)tables, arena);
    table_build(PUBLIC, (limb *)tables + SECRET_TABLE_LIMBS, arena);
}

#endif
