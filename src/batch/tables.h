/* Tables of multiples of G: for window i of `width` bits the affine points j * 2^(width i) * G, j = 0 .. 2^(width - 1);
 * or (2 j - 1) * 2^(width i) * G, j = 1 .. 2^(width - 1), for odd digits; or those of eisenstein.h.
 *
 * The secret table is small, since it is scanned (limbs_scan), and leaves out j = 0. The public one is indexed, as rows of x
 * and y, and its windows can have any width: the wider they are, the fewer additions a scalar takes and the longer the table
 * takes to make. All lanes use the same tables. A translation unit that wants other windows than windows.h has defines
 * BATCH_WINDOWS, the name of a header with them.
 *
 * Lane programs take `tables`: batch/given_tables.h. */
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

#include "batch/given_tables.h"

/* Entries of a public window: infinity, and as many as its digits have magnitudes. */
#define PUBLIC_ENTRIES(width) (((size_t)1 << ((width)-1)) + 1)
#define PUBLIC_TABLE_LIMBS(width) (WINDOW_COUNT(SCALAR_BITS, width) * PUBLIC_ENTRIES(width) * ROW_LIMBS)

LANE_INLINE size_t public_entries(const void *tables) { return PUBLIC_ENTRIES(public_width(tables)); }

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

/* Tables are made some windows at a time, LANES of them in a slot. Each level doubles how many entries they have, by affine
 * additions that share one inversion. */
struct table_work {
    struct worker w;       /* the slots */
    size_t entries;        /* a slot */
    limb *points;          /* affine: the entries */
    limb *step;            /* affine, one a slot: with odd digits what a level adds to each entry */
    limb *values, *prefix; /* for inversions, TABLE_DEPTH of them a slot */
};

/* The most inversions of a level for windows with entries up to `last`, the elements of a slot, and its bytes. */
#define TABLE_DEPTH(last) ((last) / 2 + 2)
#define TABLE_ELEMENTS(last) (2 * ((last) + 1) + 2 + 2 * TABLE_DEPTH(last))
#define TABLE_SLOT_BYTES(last) (TABLE_ELEMENTS(last) * LIMBS * LANES * sizeof(limb))
enum { TABLE_COLUMNS_BYTES = 4 * 64 };

/* The scratch of table_build for windows of at most so many bits. */
#define TABLE_SCRATCH_BYTES(width)                                                                                     \
    (SLOT_GROUP *                                                                                                      \
         TABLE_SLOT_BYTES(((width) > (int)SECRET_WINDOW ? (size_t)1 << ((width)-1) : (size_t)SECRET_ENTRIES)) +        \
     TABLE_COLUMNS_BYTES)

/* As many slots as the arena has room for, at most `slots`. */
LANE_INLINE struct table_work table_work_take(struct arena *arena, size_t slots, size_t last) {
    size_t room =
        (arena->bytes - arena->used - TABLE_COLUMNS_BYTES) / (SLOT_GROUP * TABLE_SLOT_BYTES(last)) * SLOT_GROUP;
    struct table_work t;
    VERIFY(room > 0);
    if (slots > room)
        slots = room;
    t.w = worker_of_chunk(slots);
    t.entries = last + 1;
    t.points = affine_columns_take(arena, slots, t.entries);
    t.step = affine_columns_take(arena, slots, 1);
    t.values = columns_take(arena, slots, TABLE_DEPTH(last));
    t.prefix = columns_take(arena, slots, TABLE_DEPTH(last));
    return t;
}

LANE_INLINE struct affine table_work_load(const struct table_work *t, size_t slot, size_t entry) {
    return affine_load_part(t->points, slot, t->entries, entry);
}

LANE_INLINE void table_work_store(const struct table_work *t, size_t slot, size_t entry, struct affine a) {
    affine_store_part(t->points, slot, t->entries, entry, a);
}

/* Entries 0 and 1 of the windows from `first` on, infinity and 2^(width i) G, which `step` gets too; infinity for windows
 * past the last. *next: the base of window `first`, in all lanes, then that of the window after these. */
LANE_FUNCTION void table_bases(const struct table_work *t, struct jacobian *next, unsigned first, unsigned width,
                               unsigned windows) {
    const struct worker *w = &t->w;
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct jacobian bases = jacobian_infinity();
        for (unsigned l = 0; l < LANES; l++, first++) {
            bases = jacobian_select(mask_insert(mask_set(0), (int)l, first < windows), *next, bases);
            for (unsigned k = 0; k < width; k++)
                jacobian_double(next);
        }
        struct affine xy = {bases.x, bases.y};
        affine_store(t->step, i, xy);
        limbs_store(t->values, i, bases.z);
    }
    batch_normalise(w, t->step, t->values, t->prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        table_work_store(t, i, 0, affine_infinity());
        table_work_store(t, i, 1, affine_load(t->step, i));
    }
}

/* Entry last + j = entry last + entry j for j = 1 .. last. With odd digits, whose entry j is 2 j - 1 times the base, it is
 * step + entry j, step being 2 last times the base, and step is doubled; last = 0 does only that.     5M + 2S an entry */
LANE_FUNCTION void table_extend_level(const struct table_work *t, int odd, size_t last) {
    const struct worker *w = &t->w;
    size_t depth = odd ? last + 1 : last;
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine s = odd ? affine_load(t->step, i) : table_work_load(t, i, last);
        for (size_t j = 0; j < depth; j++) {
            struct affine q = j < last ? table_work_load(t, i, j + 1) : s;
            limbs_store(t->values, j * w->count + i, affine_add_denominator(s, q));
        }
    }
    batch_inverse(w, depth, t->values, t->prefix);
    for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine s = odd ? affine_load(t->step, i) : table_work_load(t, i, last);
        for (size_t j = 0; j < depth; j++) {
            struct affine q = j < last ? table_work_load(t, i, j + 1) : s;
            fe inverse = limbs_load(t->values, j * w->count + i);
            struct affine sum = affine_add(&s, &q, &inverse);
            if (j < last)
                table_work_store(t, i, last + j + 1, sum);
            else
                affine_store(t->step, i, sum);
        }
    }
}

/* The sums from `first` to `end` of eisenstein.h. */
LANE_FUNCTION void table_extend_eisenstein(const struct table_work *t, unsigned first, unsigned end) {
    const struct worker *w = &t->w;
    for (size_t i = w->first; i < w->count; i += w->step)
        for (unsigned j = first; j < end; j++) {
            struct table_sum sum = EISENSTEIN_SUM[j];
            struct affine a = eisenstein_addend(table_work_load(t, i, sum.a), sum.turn);
            limbs_store(t->values, (j - first) * w->count + i, affine_add_denominator(a, table_work_load(t, i, sum.b)));
        }
    batch_inverse(w, end - first, t->values, t->prefix);
    for (size_t i = w->first; i < w->count; i += w->step)
        for (unsigned j = first; j < end; j++) {
            struct table_sum sum = EISENSTEIN_SUM[j];
            struct affine a = eisenstein_addend(table_work_load(t, i, sum.a), sum.turn);
            struct affine b = table_work_load(t, i, sum.b);
            fe inverse = limbs_load(t->values, (j - first) * w->count + i);
            table_work_store(t, i, sum.sum, affine_add(&a, &b, &inverse));
        }
}

static_assert((int)TABLE_DEPTH(EISENSTEIN_ENTRIES - 1) >= 7, "EISENSTEIN_LEVEL_END");

/* Entries 2 .. last. */
LANE_INLINE void table_entries(enum secrecy secrecy, const struct table_work *t, size_t last) {
    if (base_is_eisenstein(secrecy)) {
        for (unsigned level = 0, first = 0; first < EISENSTEIN_SUMS; first = EISENSTEIN_LEVEL_END[level++])
            table_extend_eisenstein(t, first, EISENSTEIN_LEVEL_END[level]);
        return;
    }
    if (base_is_odd(secrecy))
        table_extend_level(t, 1, 0);
    for (size_t have = 1; have < last; have *= 2)
        table_extend_level(t, base_is_odd(secrecy), have);
}

/* Where a window's entry goes in a public table, or its parts in a secret one, which has no entry 0. */
LANE_INLINE void table_store(enum secrecy secrecy, limb *table, unsigned window, size_t entry, size_t last,
                             const struct limbs pair[2], int lane) {
    if (secrecy == PUBLIC) {
        limbs_store_pair(table + (window * (last + 1) + entry) * ROW_LIMBS, pair, lane);
        return;
    }
    table += (size_t)window * secret_rows() * 2 * LIMBS;
    for (unsigned j = 0; entry > 0 && j < 2 * LIMBS; j++)
        limbs_scan_store(table, secret_rows(), (unsigned)entry - 1, j, limbs_extract(pair[j / LIMBS], j % LIMBS, lane));
}

/* The entries of the windows from `first` on, canonical, to the table. */
LANE_INLINE void table_store_windows(enum secrecy secrecy, const struct table_work *t, limb *table, unsigned first,
                                     unsigned windows, size_t last) {
    for (size_t i = t->w.first; i < t->w.count; i += t->w.step)
        for (size_t entry = 0; entry <= last; entry++) {
            struct affine a = table_work_load(t, i, entry);
            struct limbs pair[2] = {modular_canonical(&CURVE.p, a.x), modular_canonical(&CURVE.p, a.y)};
            for (unsigned l = 0, window = first + (unsigned)i * LANES; l < LANES && window < windows; l++, window++)
                table_store(secrecy, table, window, entry, last, pair, (int)l);
        }
}

LANE_INLINE void table_build_windows(enum secrecy secrecy, unsigned width, unsigned windows, size_t last, limb *table,
                                     const struct arena *arena) {
    struct jacobian next = jacobian_from_affine(affine_generator());
    for (unsigned first = 0, slots = (windows + LANES - 1) / LANES; first < windows;) {
        struct arena scratch = *arena;
        struct table_work t = table_work_take(&scratch, slots - first / LANES, last);
        table_bases(&t, &next, first, width, windows);
        table_entries(secrecy, &t, last);
        table_store_windows(secrecy, &t, table, first, windows, last);
        first += (unsigned)t.w.count * LANES;
    }
}

/* Fill a table, 64-byte aligned: SECRET_TABLE_LIMBS, or PUBLIC_TABLE_LIMBS(width). `arena` has the scratch, a copy of it is
 * used. For any group, however small. */
LANE_FUNCTION void table_build_secret(limb *table, const struct arena *arena) {
    table_build_windows(SECRET, base_width(SECRET, NULL), base_windows(SECRET, NULL), secret_entries(), table, arena);
}

LANE_FUNCTION void table_build_public(unsigned width, limb *table, const struct arena *arena) {
    table_build_windows(PUBLIC, width, WINDOW_COUNT(SCALAR_BITS, width), (size_t)1 << (width - 1), table, arena);
}

#endif
