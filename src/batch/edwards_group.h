/* What tables of multiples, and multiplication by them, ask of a group (README.md), for points of a curve of Edwards
 * form: entries are y + x, y - x and 2 d x y of affine points, their sums extended. Formulas have no exceptional cases.
 *
 * In a table that is indexed an entry is two rows of pairs, of which the last integer is spare. That of entry 0 of a
 * key's first window is the key as it was encoded. */
#ifndef GECC_BATCH_EDWARDS_GROUP_H
#define GECC_BATCH_EDWARDS_GROUP_H

#include "batch/digits.h"
#include "curve/edwards.h"

enum {
    ENTRY_PARTS = 3,
    ENTRY_ROWS = 2,
    SCALAR_BITS = CURVE_BITS,
    MAGNITUDE_BITS = SCALAR_BITS - 2 /* the group's order is 8 n */
};

#include "batch/tables.h"

/* Bits of windows of a CPU's public tables. A sum with multiples of an unknown point has doublings in any case, which
 * both share, and reads the first window alone, so that such tables have no other, for few rows and for many. A sum
 * with multiples of a key reads all windows; wider ones take longer to make and more of the caches:
 * docs/performance.md. */
enum {
    EDWARDS_PUBLIC_FEW = 8,
    EDWARDS_PUBLIC_MANY = 12,
    EDWARDS_KEYS_WINDOW = 10,
    EDWARDS_KEYS_WINDOWS = WINDOW_COUNT(SCALAR_BITS, EDWARDS_KEYS_WINDOW)
};

/* The digits of k, k < n: their last carry has room. k is not folded to n - k, since a point that is multiplied may
 * have a part of small order. */
LANE_FUNCTION void recode_scalar(const struct limbs *k, unsigned width, unsigned windows, uint32_t *digits) {
    recode_signed(k, mask_set(0), width, windows, digits);
}

/* Entries. */

typedef struct edwards_entry group_entry;

LANE_INLINE group_entry entry_negate_if(mask m, group_entry a) { return edwards_entry_negate_if(m, a); }

/* Four integers to entry number at[l] from lane l, for the first `lanes`. */
LANE_INLINE void entry_rows_store(limb *rows, lane32 at, const struct limbs part[4], int lanes) {
    limbs_scatter_pair_vartime(rows, at << 1, part, lanes);
    limbs_scatter_pair_vartime(rows, (at << 1) + lane32_set(1), part + 2, lanes);
}

/* Entry number at[l] = lane l of an entry whose parts are canonical. */
LANE_INLINE void entry_store(limb *rows, lane32 at, group_entry e, int lanes) {
    const struct limbs part[4] = {e.plus, e.minus, e.twice_dt, limbs_zero()};
    entry_rows_store(rows, at, part, lanes);
}

/* Lane l: entry number at[l]. Public data only. */
LANE_INLINE group_entry entry_load(const limb *rows, lane32 at) {
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

LANE_INLINE group_entry entry_from_parts(const struct limbs parts[ENTRY_PARTS]) {
    struct edwards_entry e = {parts[0], parts[1], parts[2]};
    return e;
}

LANE_INLINE void entry_parts(struct limbs parts[ENTRY_PARTS], const group_entry *e) {
    parts[0] = e->plus;
    parts[1] = e->minus;
    parts[2] = e->twice_dt;
}

/* Digits of secret scalars. They are odd on no machine: the neutral element is no exception that they would keep
 * out. */

LANE_INLINE int secret_is_odd(void) { return 0; }

/* Windows, doublings from the base of one to the next one's, and entries of each. */
LANE_INLINE unsigned secret_windows(void) { return SECRET_WINDOWS; }
LANE_INLINE unsigned secret_doublings(void) { return SECRET_WINDOW; }
LANE_INLINE unsigned secret_entries(void) { return SECRET_ENTRIES; }

/* The window that is added as number i. */
LANE_INLINE unsigned secret_order(unsigned i) { return i; }

/* The digits of k < n. */
LANE_INLINE void secret_recode(const struct limbs *k, uint32_t *digits) {
    recode_scalar(k, SECRET_WINDOW, SECRET_WINDOWS, digits);
}

/* One more than the number of the entry of a window that a digit stands for, or 0 where that is neutral; and the
 * point that it makes of that entry, or of zeros. */
LANE_INLINE lane32 secret_entry(lane32 digit) { return digit_magnitude(digit); }

LANE_INLINE group_entry secret_multiple(lane32 digit, group_entry e) {
    e = edwards_entry_select(lane32_equal(digit_magnitude(digit), lane32_set(0)), edwards_entry_neutral(), e);
    return edwards_entry_negate_if(digit_is_negative(digit), e);
}

/* Sums of entries. */

typedef struct edwards group_sum;

/* 1M */
LANE_INLINE group_sum sum_from_entry(const group_entry *e) { return edwards_from_entry(e); }

/* r = r + e; last: nothing is added afterwards, so that T is wanted only where checks look at it.     7M, the last
 * 6M */
LANE_INLINE void sum_add(enum secrecy secrecy, group_sum *r, const group_entry *e, int last) {
    edwards_add_entry_to(r, e, !last || (secrecy == SECRET && LANE_RECHECKS));
}

/* r = r + e, r as sum_from_entry made it. */
LANE_INLINE void sum_add_second(enum secrecy secrecy, group_sum *r, const group_entry *e) { sum_add(secrecy, r, e, 0); }

/* Making tables. */

/* Bases of windows on their way through the first pass, of one slot. */
typedef struct edwards_bases {
    struct edwards v[1];
} group_bases;

LANE_INLINE group_bases bases_generator(void) {
    group_bases r = {{edwards_generator()}};
    return r;
}

LANE_INLINE void bases_double(group_bases *q, int count, unsigned times) {
    (void)count;
    edwards_double_times(q->v, times);
}

/* The base, any point, in the two entries that start at `at`, as entries_take_base reads it: entry 0 as it will stay,
 * X, Y and Z in entry 1. */
LANE_INLINE void bases_store(limb *rows, lane32 at, const group_bases *q, int k, int lanes) {
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
LANE_INLINE group_entry entries_sum(const struct entries *e, size_t slot) {
    const fe inverse = limbs_load(e->z, slot);
    group_entry r = edwards_entry_of(fe_mul(limbs_load(e->x, slot), inverse), fe_mul(limbs_load(e->y, slot), inverse));
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
LANE_INLINE void entries_take_sum(const struct entries *e, size_t slot, group_entry a, group_entry b) {
    struct edwards p = edwards_from_entry(&a);
    edwards_add_entry(&p, &b);
    entries_put(e, slot, &p);
}

LANE_INLINE void entries_add(const struct worker *w, const struct entries *e) { entries_normalise(w, e); }

#endif
