/* From one element to many: work on columns of elements.
 *
 * A column of elements is a `limb *` in the machine's layout (limbs_load, limbs_store): slot i holds LANES consecutive
 * items. Where each slot has several elements, a machine that keeps SLOT_GROUP slots together keeps their first
 * elements together, then their second ones, and so on. Temporary columns come from the arena of the thread. */
#ifndef GECC_BATCH_BATCH_H
#define GECC_BATCH_BATCH_H

#include "batch/arena.h"
#include "batch/share.h"
#include "batch/worker.h"

/* Where element `part` of `parts` of a slot stands. */
LANE_INLINE size_t column_at(size_t slot, size_t parts, size_t part) {
    return (slot / SLOT_GROUP * parts + part) * SLOT_GROUP + slot % SLOT_GROUP;
}

LANE_INLINE size_t column_slots(size_t slots) { return (slots + SLOT_GROUP - 1) / SLOT_GROUP * SLOT_GROUP; }

/* Memory for `parts` elements a slot. */
LANE_INLINE limb *columns_take(struct arena *arena, size_t slots, size_t parts) {
    return (limb *)arena_take(arena, column_slots(slots) * parts * LIMBS * LANES * sizeof(limb));
}

LANE_INLINE limb *column_take(struct arena *arena, size_t slots) { return columns_take(arena, slots, 1); }

/* Columns of 32-bit words: slot i holds one for each lane. */
LANE_INLINE uint32_t *columns32_take(struct arena *arena, size_t slots, size_t parts) {
    return (uint32_t *)arena_take(arena, column_slots(slots) * parts * LANES * sizeof(uint32_t));
}

LANE_INLINE lane32 column32_load(const uint32_t *column, size_t i) { return lane32_load(column + i * LANES); }
LANE_INLINE void column32_store(uint32_t *column, size_t i, lane32 v) { lane32_store(column + i * LANES, v); }

/* prefix[k] = the product of the values before, by which Montgomery's trick starts; returns the product of all. Zeros
 * are replaced by 1, so that they touch no other slot. For my slots i and j < depth, k = j * count + i. */
LANE_INLINE struct limbs batch_multiply_up(const struct worker *w, const struct modulus *m, size_t depth,
                                           const limb *values, limb *prefix) {
    struct limbs one = limbs_set(&m->one), product = one;
    for (size_t j = 0; j < depth; j++)
        for (size_t i = j * w->count + w->first; i < (j + 1) * w->count; i += w->step) {
            struct limbs a = limbs_load(values, i);
            limbs_store(prefix, i, product);
            product = modular_mul(m, product, limbs_select(modular_is_zero(m, a), one, a));
        }
    return product;
}

/* The way back: values[k] = its inverse, 0 for 0, given the inverse of the product of all. */
LANE_INLINE void batch_divide_down(const struct worker *w, const struct modulus *m, size_t depth, limb *values,
                                   const limb *prefix, struct limbs inverse) {
    struct limbs one = limbs_set(&m->one);
    for (size_t j = depth; j-- > 0;)
        for (size_t i = j * w->count + worker_last(w);; i -= w->step) {
            struct limbs a = limbs_load(values, i);
            mask zero = modular_is_zero(m, a);
            struct limbs r = modular_mul(m, inverse, limbs_load(prefix, i));
            inverse = modular_mul(m, inverse, limbs_select(zero, one, a));
            limbs_store(values, i, limbs_select(zero, limbs_zero(), r));
            if (i == j * w->count + w->first)
                break;
        }
}

/* values[j * count + i] = its inverse mod m, 0 where it has none, for my slots i and j < depth, by Montgomery's trick:
 * 3M each and one inversion. prefix is scratch of the same size. If m is composite and a value but 0 has no inverse,
 * the product has none either: that shows in the time, for then each value is inverted on its own. */
LANE_INLINE void batch_inverse_modulo(enum inversion inversion, const struct worker *w, const struct modulus *m,
                                      size_t depth, limb *values, limb *prefix) {
    mask exists;
    struct limbs product = batch_multiply_up(w, m, depth, values, prefix);
    struct limbs inverse = worker_quotient(inversion, m, limbs_set(&m->r_squared), product, &exists);
    LANE_DECLASSIFY(exists);
    if (w->first >= w->count)
        return;
    if (!mask_any(~exists)) {
        batch_divide_down(w, m, depth, values, prefix, inverse);
        return;
    }
    for (size_t j = 0; j < depth; j++)
        for (size_t i = j * w->count + w->first; i < (j + 1) * w->count; i += w->step)
            limbs_store(values, i, modular_inverse(m, limbs_load(values, i), &exists));
}

#endif
