/* Tables of multiples of G on a curve of Edwards form, as entries of affine points (curve/edwards.h).
 *
 * The secret one has for window i of SECRET_WINDOW bits the entries of j 2^(SECRET_WINDOW i) G, j = 1 .. 2^(SECRET_WINDOW - 1),
 * and is scanned. The public one has a single window, j G for j = 0 .. 2^(width - 1), as rows that are indexed: a sum with
 * multiples of another point has doublings in any case, which both share. */
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
#ifndef LIMBS_OWN_SCAN
#include "batch/scan.h"
#endif
#include "batch/scan_parts.h"

enum {
    ENTRY_PARTS = 3,  /* of an entry: y + x, y - x, 2 d x y */
    ENTRY_WINDOW = 4, /* bits of a window of an unknown point */
    SCALAR_BITS = CURVE_BITS,
    SCALAR_WINDOWS = WINDOW_COUNT(SCALAR_BITS, ENTRY_WINDOW),
    SECRET_WINDOWS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW),
    SECRET_ENTRIES = 1 << (SECRET_WINDOW - 1),
    SECRET_ROWS = (SECRET_ENTRIES + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES,
    SECRET_TABLE_LIMBS = SECRET_WINDOWS * SECRET_ROWS * ENTRY_PARTS * LIMBS,
    /* Of the public table, for few rows and for many, and the widest that a GPU may have, and how much narrower the next is:
     * multiples of ENTRY_WINDOW. */
    EDWARDS_PUBLIC_FEW = 8,
    EDWARDS_PUBLIC_MANY = 12,
    EDWARDS_PUBLIC_MOST = 20,
    EDWARDS_PUBLIC_STEP = 4
};

#include "batch/given_tables.h"

/* An entry is two rows of pairs, of which the last integer is 0. */
#define EDWARDS_PUBLIC_ENTRIES(width) (((size_t)1 << ((width)-1)) + 1)
#define EDWARDS_PUBLIC_LIMBS(width) (EDWARDS_PUBLIC_ENTRIES(width) * 2 * ROW_LIMBS)

/* Columns of table_make for so many slots. */
#define EDWARDS_SCRATCH_BYTES(slots) (4 * ((size_t)(slots) + SLOT_GROUP) * LIMBS * LANES * sizeof(limb) + 4 * 64)

enum {
    SECRET_SLOTS = (SECRET_WINDOWS + LANES - 1) / LANES, /* that hold a window in each lane */
    PUBLIC_SLOTS_MOST = ((1 << (EDWARDS_PUBLIC_MANY - 1)) + LANES - 1) / LANES
};

static_assert(EDWARDS_PUBLIC_FEW % ENTRY_WINDOW == 0 && EDWARDS_PUBLIC_MANY % ENTRY_WINDOW == 0 &&
                  EDWARDS_PUBLIC_MOST % ENTRY_WINDOW == 0 && EDWARDS_PUBLIC_STEP % ENTRY_WINDOW == 0,
              "both windows start at the same doublings");

/* k = sum of digits of so many windows, k < n: the digits' last carry has room. */
LANE_INLINE unsigned scalar_windows(unsigned width) { return WINDOW_COUNT(SCALAR_BITS, width); }

/* Points on their way into a table, one a lane of each slot. */
struct edwards_work {
    struct worker w;
    limb *x, *y, *z, *prefix;
};

LANE_INLINE struct edwards_work edwards_work_take(struct arena *arena, size_t slots) {
    struct edwards_work t;
    t.w = worker_of_chunk(slots);
    t.x = column_take(arena, slots);
    t.y = column_take(arena, slots);
    t.z = column_take(arena, slots);
    t.prefix = column_take(arena, slots);
    return t;
}

LANE_INLINE void edwards_work_store(const struct edwards_work *t, size_t slot, const struct edwards *p) {
    limbs_store(t->x, slot, p->x);
    limbs_store(t->y, slot, p->y);
    limbs_store(t->z, slot, p->z);
}

/* The entry of (X, Y, 1 / inverse), as tables have it: canonical.     4M */
LANE_INLINE struct edwards_entry edwards_canonical_entry(fe x, fe y, fe inverse) {
    struct edwards_entry e = edwards_entry_of(fe_mul(x, inverse), fe_mul(y, inverse));
    e.plus = modular_canonical(&CURVE.p, e.plus);
    e.minus = modular_canonical(&CURVE.p, e.minus);
    e.twice_dt = modular_canonical(&CURVE.p, e.twice_dt);
    return e;
}

LANE_INLINE struct edwards_entry edwards_work_entry(const struct edwards_work *t, size_t slot) {
    return edwards_canonical_entry(limbs_load(t->x, slot), limbs_load(t->y, slot), limbs_load(t->z, slot));
}

/* 2^(SECRET_WINDOW i) G in lane l for each window i = first + l; *next: that of window `first`, in all lanes, then that of the
 * window after these. */
LANE_FUNCTION struct edwards table_window_bases(struct edwards *next) {
    struct edwards bases = edwards_neutral();
    for (int l = 0; l < LANES; l++) {
        bases = edwards_select(mask_insert(mask_set(0), l, 1), *next, bases);
        edwards_double_times(next, SECRET_WINDOW);
    }
    return bases;
}

LANE_INLINE void secret_entry_store(limb *table, unsigned window, unsigned j, const struct edwards_entry *e, int lane) {
    const struct limbs parts[ENTRY_PARTS] = {e->plus, e->minus, e->twice_dt};
    limb *rows = table + (size_t)window * SECRET_ROWS * ENTRY_PARTS * LIMBS;
    for (unsigned i = 0; i < ENTRY_PARTS * LIMBS; i++)
        limbs_scan_parts_store(rows, ENTRY_PARTS, SECRET_ROWS, j, i, limbs_extract(parts[i / LIMBS], i % LIMBS, lane));
}

/* Fill the secret table, 64-byte aligned, SECRET_TABLE_LIMBS. `arena` has the scratch, a copy of it is used. */
LANE_FUNCTION void edwards_table_secret(limb *table, const struct arena *arena) {
    struct arena scratch = *arena;
    struct edwards_work t = edwards_work_take(&scratch, SECRET_SLOTS * SECRET_ENTRIES);
    struct edwards next = edwards_generator();
    for (size_t slot = 0; slot < SECRET_SLOTS; slot++) {
        struct edwards p = table_window_bases(&next);
        struct edwards_projective_entry base = edwards_projective_entry_of(&p);
        for (size_t j = 0; j < SECRET_ENTRIES; j++) {
            edwards_work_store(&t, slot * SECRET_ENTRIES + j, &p);
            edwards_add(&p, &base);
        }
    }
    batch_inverse_modulo(OWN_INVERSION, &t.w, &CURVE.p, 1, t.z, t.prefix);
    for (size_t at = 0; at < t.w.count; at++) {
        struct edwards_entry e = edwards_work_entry(&t, at);
        unsigned window = (unsigned)(at / SECRET_ENTRIES) * LANES, j = (unsigned)(at % SECRET_ENTRIES);
        for (int lane = 0; lane < LANES && window + (unsigned)lane < SECRET_WINDOWS; lane++)
            secret_entry_store(table, window + (unsigned)lane, j, &e, lane);
    }
}

LANE_INLINE void public_entry_store(limb *table, size_t j, const struct edwards_entry *e, int lane) {
    const struct limbs first[2] = {e->plus, e->minus}, second[2] = {e->twice_dt, limbs_zero()};
    limbs_store_pair(table + 2 * j * ROW_LIMBS, first, lane);
    limbs_store_pair(table + (2 * j + 1) * ROW_LIMBS, second, lane);
}

/* Fill a public table, 64-byte aligned, EDWARDS_PUBLIC_LIMBS(width): lane l of slot i has (LANES i + l + 1) G. */
LANE_FUNCTION void edwards_table_public(unsigned width, limb *table, const struct arena *arena) {
    struct arena scratch = *arena;
    const size_t entries = (size_t)1 << (width - 1);
    struct edwards_work t = edwards_work_take(&scratch, (entries + LANES - 1) / LANES);
    struct edwards p = edwards_neutral(), sum = edwards_neutral(), g = edwards_generator();
    struct edwards_projective_entry step = edwards_projective_entry_of(&g);
    for (int l = 0; l < LANES; l++) {
        edwards_add(&sum, &step);
        p = edwards_select(mask_insert(mask_set(0), l, 1), sum, p);
    }
    step = edwards_projective_entry_of(&sum);
    for (size_t slot = 0; slot < t.w.count; slot++) {
        edwards_work_store(&t, slot, &p);
        edwards_add(&p, &step);
    }
    batch_inverse_modulo(OWN_INVERSION, &t.w, &CURVE.p, 1, t.z, t.prefix);
    struct edwards_entry neutral = edwards_entry_neutral();
    public_entry_store(table, 0, &neutral, 0);
    for (size_t slot = 0; slot < t.w.count; slot++) {
        struct edwards_entry e = edwards_work_entry(&t, slot);
        for (int lane = 0; lane < LANES && slot * LANES + (size_t)lane < entries; lane++)
            public_entry_store(table, slot * LANES + (size_t)lane + 1, &e, lane);
    }
}

/* The entry that a digit of a window of the secret table stands for. Every entry is read. */
LANE_INLINE struct edwards_entry secret_lookup(const limb *table, unsigned window, lane32 digit) {
    struct limbs parts[ENTRY_PARTS];
    lane32 magnitude = digit_magnitude(digit);
    limbs_scan_parts(parts, ENTRY_PARTS, table + (size_t)window * SECRET_ROWS * ENTRY_PARTS * LIMBS, SECRET_ROWS,
                     magnitude - lane32_set(1));
    struct edwards_entry e = {parts[0], parts[1], parts[2]};
    e = edwards_entry_select(lane32_equal(magnitude, lane32_set(0)), edwards_entry_neutral(), e);
    return edwards_entry_negate_if(digit_is_negative(digit), e);
}

/* That of the public one, which is indexed. */
LANE_INLINE struct edwards_entry public_lookup_vartime(const limb *table, lane32 digit) {
    struct limbs first[2], second[2];
    lane32 row = digit_magnitude(digit) << 1;
    limbs_gather_pair_vartime(first, table, row);
    limbs_gather_pair_vartime(second, table, row + lane32_set(1));
    struct edwards_entry e = {first[0], first[1], second[0]};
    return edwards_entry_negate_if(digit_is_negative(digit), e);
}

#endif
