/* What tables of multiples, and multiplication by them, ask of a group (README.md), for points of a curve of
 * Weierstrass form: entries are affine points, their sums XYZZ. */
#ifndef GECC_BATCH_WEIERSTRASS_GROUP_H
#define GECC_BATCH_WEIERSTRASS_GROUP_H

#include "batch/points.h"
#include "batch/recode.h"

enum {
    ENTRY_PARTS = 2,                 /* of an entry: x, y */
    ENTRY_ROWS = 1,                  /* that an entry takes in a table that is indexed */
    MAGNITUDE_BITS = SCALAR_BITS - 1 /* a scalar is folded to at most n / 2 */
};

#include "batch/tables.h"

/* On some curves the digits of secret scalars are those of eisenstein.h. */
#define GROUP_HAS_ENDOMORPHISM

/* Entries. */

typedef struct affine group_entry;

LANE_INLINE group_entry entry_negate_if(mask m, group_entry a) { return affine_negate_if(m, a); }

/* Entry number at[l] = lane l of an affine point whose coordinates are canonical, for the first `lanes`. */
LANE_INLINE void entry_store(limb *rows, lane32 at, group_entry a, int lanes) {
    struct limbs pair[2] = {a.x, a.y};
    limbs_scatter_pair_vartime(rows, at, pair, lanes);
}

/* Lane l: entry number at[l]. Public data only. */
LANE_INLINE group_entry entry_load(const limb *rows, lane32 at) {
    struct limbs pair[2];
    limbs_gather_pair_vartime(pair, rows, at);
    struct affine a = {pair[0], pair[1]};
    return a;
}

LANE_INLINE void entry_prefetch(const limb *rows, lane32 at) { limbs_prefetch_pair_vartime(rows, at); }

LANE_INLINE group_entry entry_from_parts(const struct limbs parts[ENTRY_PARTS]) {
    struct affine a = {parts[0], parts[1]};
    return a;
}

LANE_INLINE void entry_parts(struct limbs parts[ENTRY_PARTS], const group_entry *a) {
    parts[0] = a->x;
    parts[1] = a->y;
}

/* Digits of secret scalars. */

/* Windows may be digits of eisenstein.h: base 8^i G, and an entry for each that a digit has. */
LANE_INLINE int secret_is_eisenstein(void) { return SECRET_EISENSTEIN && CURVE.has_glv; }

/* Or digits are odd, so that none is 0. */
LANE_INLINE int secret_is_odd(void) { return SECRET_ODD; }

/* Windows, doublings from the base of one to the next one's, and entries of each. */
LANE_INLINE unsigned secret_windows(void) { return secret_is_eisenstein() ? EISENSTEIN_WINDOWS : SECRET_WINDOWS; }
LANE_INLINE unsigned secret_doublings(void) { return secret_is_eisenstein() ? EISENSTEIN_WIDTH : SECRET_WINDOW; }
LANE_INLINE unsigned secret_entries(void) { return secret_is_eisenstein() ? EISENSTEIN_ENTRIES - 1 : SECRET_ENTRIES; }

static_assert(!SECRET_EISENSTEIN ||
                  ((int)EISENSTEIN_WINDOWS <= SECRET_WINDOWS && EISENSTEIN_ENTRIES - 1 <= SECRET_ENTRIES),
              "there is room for them");

/* Of windows of odd digits the one that is added last: docs/constant-time.md. */
enum { ODD_LAST_WINDOW = SECRET_WINDOW == 9 ? CURVE_ODD_LAST_WINDOW_9 : CURVE_ODD_LAST_WINDOW_8 }; /* NOLINT */
static_assert(!SECRET_ODD || SECRET_WINDOW == 8 || SECRET_WINDOW == 9,
              "generate_curves.py has the windows of these widths");

/* The window that is added as number i. */
LANE_INLINE unsigned secret_order(unsigned i) {
    if (!secret_is_odd() || i < ODD_LAST_WINDOW)
        return i;
    return i < secret_windows() - 1 ? i + 1 : ODD_LAST_WINDOW;
}

/* The digits of k < n. */
LANE_INLINE void secret_recode(const struct limbs *k, uint32_t *digits) {
    if (secret_is_eisenstein())
        recode_point(k, digits);
    else if (secret_is_odd())
        recode_scalar_odd(k, SECRET_WINDOW, SECRET_WINDOWS, digits);
    else
        recode_scalar(k, SECRET_WINDOW, SECRET_WINDOWS, digits);
}

/* One more than the number of the entry of a window that a digit stands for, or 0 where that is infinity; and the
 * point that it makes of that entry, or of zeros, which are infinity. */
LANE_INLINE lane32 secret_entry(lane32 digit) {
    return secret_is_eisenstein() ? eisenstein_entry(digit) : digit_magnitude(digit);
}

LANE_INLINE group_entry secret_multiple(lane32 digit, group_entry a) {
    if (secret_is_eisenstein())
        a.x = eisenstein_rotate(a.x, digit);
    if (!secret_is_odd())
        return affine_negate_if(digit_is_negative(digit), a);
    a.y = fe_select(digit_is_negative(digit), fe_neg(a.y), a.y); /* no entry is infinity */
    return a;
}

/* Sums of entries. */

typedef struct point_sum {
    struct xyzz point;
    mask
        infinity; /* whether it is infinity: true of public sums of one lane, which branch by it, and not kept of others */
} group_sum;

LANE_INLINE group_sum sum_from_entry(const group_entry *a) {
    group_sum r = {xyzz_from_affine(*a), affine_is_infinity(*a)};
    return r;
}

LANE_INLINE void sum_add_to(enum secrecy secrecy, group_sum *r, const group_entry *a, int r_is_affine) {
    if (secrecy == SECRET && secret_is_odd())
        xyzz_add_distinct(&r->point, a, r_is_affine);
    else if (secrecy == PUBLIC && LANES == 1)
        xyzz_add_affine_vartime(&r->point, a, r_is_affine, &r->infinity);
    else
        xyzz_add_affine(&r->point, a);
}

/* r = r + a, r as sum_from_entry made it.     4M + 2S, or 8M + 2S where exceptions are selected */
LANE_INLINE void sum_add_second(enum secrecy secrecy, group_sum *r, const group_entry *a) {
    sum_add_to(secrecy, r, a, 1);
}

/* r = r + a; last: nothing is added afterwards.     8M + 2S */
LANE_INLINE void sum_add(enum secrecy secrecy, group_sum *r, const group_entry *a, int last) {
    (void)last;
    sum_add_to(secrecy, r, a, 0);
}

/* Making tables. */

LANE_INLINE struct affine affine_canonical(struct affine a) {
    struct affine r = {modular_canonical(&CURVE.p, a.x), modular_canonical(&CURVE.p, a.y)};
    return r;
}

/* Bases of windows on their way through the first pass, one or two slots. */
typedef struct points group_bases;

LANE_INLINE group_bases bases_generator(void) {
    group_bases r = {{jacobian_from_affine(affine_generator())}};
    return r;
}

LANE_INLINE void bases_double(group_bases *q, int count, unsigned times) {
    for (unsigned j = 0; j < times; j++)
        points_double(q, count);
}

/* Base k of these, any point, in the two entries that start at `at`, as entries_take_base reads it: X and Y in entry 1,
 * and Z in entry 0. */
LANE_INLINE void bases_store(limb *rows, lane32 at, const group_bases *q, int k, int lanes) {
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

LANE_INLINE void entries_take_sum(const struct entries *e, size_t slot, group_entry a, group_entry b) {
    affine_store(e->a, slot, a);
    affine_store(e->b, slot, b);
}

LANE_INLINE void entries_add(const struct worker *w, const struct entries *e) {
    batch_add_vartime(w, e->a, e->b, e->prefix);
}

LANE_INLINE group_entry entries_sum(const struct entries *e, size_t slot) {
    return affine_canonical(affine_load(e->a, slot));
}

#endif
