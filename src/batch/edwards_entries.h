/* Entries of tables of multiples on a curve of Edwards form, y + x, y - x and 2 d x y: what key_tables.h and generator_tables.h
 * want of a group.
 *
 * An entry is two rows of pairs, of which the last integer is spare. That of entry 0 of a key's first window is the key as it
 * was encoded. */
#ifndef GECC_BATCH_EDWARDS_ENTRIES_H
#define GECC_BATCH_EDWARDS_ENTRIES_H

#include "batch/edwards_tables.h"

enum { ENTRY_ROWS = 2 };

typedef struct edwards_entry key_entry;

LANE_INLINE key_entry entry_negate_if(mask m, key_entry a) { return edwards_entry_negate_if(m, a); }

/* Four integers to entry number at[l] from lane l, for the first `lanes`. */
LANE_INLINE void entry_rows_store(limb *rows, lane32 at, const struct limbs part[4], int lanes) {
    limbs_scatter_pair_vartime(rows, at << 1, part, lanes);
    limbs_scatter_pair_vartime(rows, (at << 1) + lane32_set(1), part + 2, lanes);
}

/* Entry number at[l] = lane l of an entry whose parts are canonical. */
LANE_INLINE void entry_store(limb *rows, lane32 at, key_entry e, int lanes) {
    const struct limbs part[4] = {e.plus, e.minus, e.twice_dt, limbs_zero()};
    entry_rows_store(rows, at, part, lanes);
}

/* Lane l: entry number at[l]. Public data only. */
LANE_INLINE key_entry entry_load(const limb *rows, lane32 at) {
    struct limbs first[2], second[2];
    limbs_gather_pair_vartime(first, rows, at << 1);
    limbs_gather_pair_vartime(second, rows, (at << 1) + lane32_set(1));
    struct edwards_entry e = {first[0], first[1], second[0]};
    return e;
}

LANE_INLINE void entry_prefetch(const limb *rows, lane32 at) {
    limbs_prefetch_pair_vartime(rows, at << 1);
    limbs_prefetch_pair_vartime(rows, (at << 1) + lane32_set(1));
}

/* Entry number `entry` of a window of the secret table, from a lane. */
LANE_INLINE void entry_scan_store(limb *table, unsigned window, unsigned entry, const key_entry *a, int lane) {
    const struct limbs parts[ENTRY_PARTS] = {a->plus, a->minus, a->twice_dt};
    limb *rows = table + (size_t)window * SECRET_ROWS * ENTRY_PARTS * LIMBS;
    for (unsigned j = 0; j < ENTRY_PARTS * LIMBS; j++)
        limbs_scan_store(rows, ENTRY_PARTS, SECRET_ROWS, entry, j, limbs_extract(parts[j / LIMBS], j % LIMBS, lane));
}

/* The spare integer of entry number at[l]. */
LANE_INLINE struct limbs entry_spare_load(const limb *rows, lane32 at) {
    struct limbs second[2];
    limbs_gather_pair_vartime(second, rows, (at << 1) + lane32_set(1));
    return second[1];
}

/* That of an entry of the neutral element, whose 2 d x y is 0, for the first `lanes`. */
LANE_INLINE void entry_spare_store(limb *rows, lane32 at, struct limbs spare, int lanes) {
    const struct limbs second[2] = {fe_zero(), spare};
    limbs_scatter_pair_vartime(rows, (at << 1) + lane32_set(1), second, lanes);
}

/* Bases of windows on their way through the first pass, of one slot. */
typedef struct edwards_bases {
    struct edwards v[1];
} key_points;

LANE_INLINE key_points bases_generator(void) {
    key_points r = {{edwards_generator()}};
    return r;
}

LANE_INLINE void bases_double(key_points *q, int count, unsigned times) {
    (void)count;
    edwards_double_times(q->v, times);
}

/* The base, any point, in the two entries that start at `at`, as entries_take_base reads it: entry 0 as it will stay, X, Y and Z
 * in entry 1. */
LANE_INLINE void base_store(limb *rows, lane32 at, const key_points *q, int k, int lanes) {
    const struct edwards *p = &q->v[k];
    const struct edwards_entry xyz = {modular_canonical(&CURVE.p, p->x), modular_canonical(&CURVE.p, p->y),
                                      modular_canonical(&CURVE.p, p->z)};
    struct edwards_entry neutral = edwards_entry_neutral();
    neutral.plus = neutral.minus = modular_canonical(&CURVE.p, neutral.plus);
    entry_store(rows, at, neutral, lanes);
    entry_store(rows, at + lane32_set(1), xyz, lanes);
}

/* Entries on their way into tables, one a lane of each slot. All columns are scratch. */
struct entries {
    limb *x, *y, *z, *prefix;
};

/* Memory for them. */
#define ENTRIES_BYTES(slots) (4 * ((size_t)(slots) + SLOT_GROUP) * LIMBS * LANES * sizeof(limb) + 4 * 64)

LANE_INLINE struct entries entries_take(struct arena *arena, size_t slots) {
    struct entries e;
    e.x = column_take(arena, slots);
    e.y = column_take(arena, slots);
    e.z = column_take(arena, slots);
    e.prefix = column_take(arena, slots);
    return e;
}

LANE_INLINE void entries_put(const struct entries *e, size_t slot, const struct edwards *p) {
    limbs_store(e->x, slot, p->x);
    limbs_store(e->y, slot, p->y);
    limbs_store(e->z, slot, p->z);
}

LANE_INLINE void entries_take_base(const struct entries *e, size_t slot, const limb *rows, lane32 at) {
    const struct edwards_entry xyz = entry_load(rows, at + lane32_set(1));
    const struct edwards p = {xyz.plus, xyz.minus, xyz.twice_dt, fe_zero()};
    entries_put(e, slot, &p);
}

/* z[i] = 1 / z[i], which no point has as 0. */
LANE_INLINE void entries_normalise(const struct worker *w, const struct entries *e) {
    batch_inverse_modulo(SHARED_INVERSION, w, &CURVE.p, 1, e->z, e->prefix);
}

/* The entry of (X, Y, 1 / Z), canonical.     4M */
LANE_INLINE key_entry entries_sum(const struct entries *e, size_t slot) {
    const fe inverse = limbs_load(e->z, slot);
    key_entry r = edwards_entry_of(fe_mul(limbs_load(e->x, slot), inverse), fe_mul(limbs_load(e->y, slot), inverse));
    r.plus = modular_canonical(&CURVE.p, r.plus);
    r.minus = modular_canonical(&CURVE.p, r.minus);
    r.twice_dt = modular_canonical(&CURVE.p, r.twice_dt);
    return r;
}

/* The base of a window, normalised, to its entry 1. */
LANE_INLINE void entries_give_base(const struct entries *e, size_t slot, limb *rows, lane32 at, int lanes) {
    entry_store(rows, at + lane32_set(1), entries_sum(e, slot), lanes);
}

/* a + b, projective.     7M */
LANE_INLINE void entries_take_sum(const struct entries *e, size_t slot, key_entry a, key_entry b) {
    struct edwards p = edwards_from_entry(&a);
    edwards_add_entry(&p, &b);
    entries_put(e, slot, &p);
}

LANE_INLINE void entries_add(const struct worker *w, const struct entries *e) { entries_normalise(w, e); }

#endif
