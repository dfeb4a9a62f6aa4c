/* Entries of tables of multiples on a curve of Weierstrass form, affine points: what key_tables.h and
 * generator_tables.h want of a group. */
#ifndef GECC_BATCH_POINT_ENTRIES_H
#define GECC_BATCH_POINT_ENTRIES_H

#include "batch/tables.h"

/* A row each. */
enum { ENTRY_ROWS = 1 };

/* On some curves the digits of secret scalars are those of eisenstein.h. */
#define GROUP_HAS_ENDOMORPHISM

typedef struct affine key_entry;

LANE_INLINE key_entry entry_negate_if(mask m, key_entry a) { return affine_negate_if(m, a); }

/* Entry number at[l] = lane l of an affine point whose coordinates are canonical, for the first `lanes`. */
LANE_INLINE void entry_store(limb *rows, lane32 at, key_entry a, int lanes) {
    struct limbs pair[2] = {a.x, a.y};
    limbs_scatter_pair_vartime(rows, at, pair, lanes);
}

/* Lane l: entry number at[l]. Public data only. */
LANE_INLINE key_entry entry_load(const limb *rows, lane32 at) {
    struct limbs pair[2];
    limbs_gather_pair_vartime(pair, rows, at);
    struct affine a = {pair[0], pair[1]};
    return a;
}

LANE_INLINE void entry_prefetch(const limb *rows, lane32 at) { limbs_prefetch_pair_vartime(rows, at); }

/* Entry number `entry` of a window of the secret table, from a lane. */
LANE_INLINE void entry_scan_store(limb *table, unsigned window, unsigned entry, const key_entry *a, int lane) {
    const struct limbs pair[2] = {a->x, a->y};
    limb *rows = table + (size_t)window * secret_rows() * 2 * LIMBS;
    for (unsigned j = 0; j < 2 * LIMBS; j++)
        limbs_scan_store(rows, 2, secret_rows(), entry, j, limbs_extract(pair[j / LIMBS], j % LIMBS, lane));
}

LANE_INLINE struct affine affine_canonical(struct affine a) {
    struct affine r = {modular_canonical(&CURVE.p, a.x), modular_canonical(&CURVE.p, a.y)};
    return r;
}

/* Bases of windows on their way through the first pass, one or two slots. */
typedef struct points key_points;

LANE_INLINE key_points bases_generator(void) {
    key_points r = {{jacobian_from_affine(affine_generator())}};
    return r;
}

LANE_INLINE void bases_double(key_points *q, int count, unsigned times) {
    for (unsigned j = 0; j < times; j++)
        points_double(q, count);
}

/* Base k of these, any point, in the two entries that start at `at`, as entries_take_base reads it: X and Y in entry 1, and Z in
 * entry 0. */
LANE_INLINE void base_store(limb *rows, lane32 at, const key_points *q, int k, int lanes) {
    struct affine xy = {q->v[k].x, q->v[k].y}, z = {q->v[k].z, fe_zero()};
    entry_store(rows, at, affine_canonical(z), lanes);
    entry_store(rows, at + lane32_set(1), affine_canonical(xy), lanes);
}

/* Entries on their way into tables, one a lane of each slot. All columns are scratch: a and b of affine points. */
struct entries {
    limb *a, *b, *z, *prefix;
};

/* Memory for them. */
#define ENTRIES_BYTES(slots) (6 * ((size_t)(slots) + SLOT_GROUP) * LIMBS * LANES * sizeof(limb) + 4 * 64)

LANE_INLINE struct entries entries_take(struct arena *arena, size_t slots) {
    struct entries e;
    e.a = affine_columns_take(arena, slots, 1);
    e.b = affine_columns_take(arena, slots, 1);
    e.z = column_take(arena, slots);
    e.prefix = column_take(arena, slots);
    return e;
}

LANE_INLINE void entries_take_base(const struct entries *e, size_t slot, const limb *rows, lane32 at) {
    affine_store(e->a, slot, entry_load(rows, at + lane32_set(1)));
    limbs_store(e->z, slot, entry_load(rows, at).x);
}

LANE_INLINE void entries_normalise(const struct worker *w, const struct entries *e) {
    batch_normalise(w, e->a, e->z, e->prefix);
}

/* The base of a window, normalised, to its entries 0 and 1. */
LANE_INLINE void entries_give_base(const struct entries *e, size_t slot, limb *rows, lane32 at, int lanes) {
    entry_store(rows, at, affine_infinity(), lanes);
    entry_store(rows, at + lane32_set(1), affine_canonical(affine_load(e->a, slot)), lanes);
}

LANE_INLINE void entries_take_sum(const struct entries *e, size_t slot, key_entry a, key_entry b) {
    affine_store(e->a, slot, a);
    affine_store(e->b, slot, b);
}

LANE_INLINE void entries_add(const struct worker *w, const struct entries *e) {
    batch_add_vartime(w, e->a, e->b, e->prefix);
}

LANE_INLINE key_entry entries_sum(const struct entries *e, size_t slot) {
    return affine_canonical(affine_load(e->a, slot));
}

#endif
