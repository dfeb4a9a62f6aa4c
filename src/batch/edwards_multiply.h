/* u G + v P for public u and v on a curve of Edwards form. Formulas have no exceptional cases, so neither has this,
 * whatever the points are. */
#ifndef GECC_BATCH_EDWARDS_MULTIPLY_H
#define GECC_BATCH_EDWARDS_MULTIPLY_H

#include "batch/edwards_group.h" /* before what is above any group */

#include "batch/fixed_base.h"

enum {
    POINT_WINDOW = 4, /* bits of a window of an unknown point */
    SCALAR_WINDOWS = WINDOW_COUNT(SCALAR_BITS, POINT_WINDOW)
};

static_assert(EDWARDS_PUBLIC_FEW % POINT_WINDOW == 0 && EDWARDS_PUBLIC_MANY % POINT_WINDOW == 0,
              "both windows start at the same doublings");
static_assert((int)KEY_WINDOW_LEAST >= (int)POINT_WINDOW, "a key's digits have room where those of a point have");

/* Windows of a scalar k < n. */
LANE_INLINE unsigned scalar_windows(unsigned width) { return WINDOW_COUNT(SCALAR_BITS, width); }

/* P .. 2^(POINT_WINDOW - 1) P: a worker has memory for those of one slot, in which each entry stands together. */
enum {
    MULTIPLE_PARTS = 4,
    MULTIPLES_PARTS = MULTIPLE_PARTS << (POINT_WINDOW - 1),
    MULTIPLES_LIMBS = MULTIPLES_PARTS * LIMBS * LANES
};

LANE_INLINE fe multiples_load(const limb *multiples, unsigned part) {
    return LANES == 1 ? limbs_load_row(multiples + part * LIMBS) : limbs_load(multiples, part);
}

LANE_INLINE void multiples_store(limb *multiples, unsigned part, fe a) {
    if (LANES == 1)
        limbs_store_row(multiples + part * LIMBS, a, 0);
    else
        limbs_store(multiples, part, a);
}

/* (j + 1) P. */
LANE_INLINE struct edwards_projective_entry multiple_load(const limb *multiples, unsigned j) {
    const unsigned part = j * MULTIPLE_PARTS;
    struct edwards_projective_entry r = {
        {multiples_load(multiples, part), multiples_load(multiples, part + 1), multiples_load(multiples, part + 2)},
        multiples_load(multiples, part + 3)};
    return r;
}

LANE_INLINE void multiple_store(limb *multiples, unsigned j, const struct edwards_projective_entry *a) {
    const unsigned part = j * MULTIPLE_PARTS;
    multiples_store(multiples, part, a->entry.plus);
    multiples_store(multiples, part + 1, a->entry.minus);
    multiples_store(multiples, part + 2, a->entry.twice_dt);
    multiples_store(multiples, part + 3, a->twice_z);
}

/* 9M each but the first */
LANE_FUNCTION void edwards_multiples_of(limb *multiples, const struct edwards *p) {
    struct edwards r = *p;
    struct edwards_projective_entry first = edwards_projective_entry_of(p);
    multiple_store(multiples, 0, &first);
    LANE_LOOP for (unsigned j = 1; j < 1 << (POINT_WINDOW - 1); j++) {
        edwards_add(&r, &first);
        struct edwards_projective_entry entry = edwards_projective_entry_of(&r);
        multiple_store(multiples, j, &entry);
    }
}

/* The entry that a public digit stands for. Several lanes scan: a masked load takes less than its share of a gather. */
LANE_INLINE struct edwards_projective_entry multiples_lookup_vartime(const limb *multiples, lane32 digit) {
    lane32 magnitude = digit_magnitude(digit);
    struct edwards_projective_entry e = {edwards_entry_neutral(), fe_double(fe_one())};
    if (LANES == 1) {
        unsigned index = lane32_extract(magnitude, 0);
        if (index != 0)
            e = multiple_load(multiples, index - 1);
    } else {
        for (unsigned j = 0; j < 1 << (POINT_WINDOW - 1); j++) {
            mask here = lane32_equal(magnitude, lane32_set(j + 1));
            struct edwards_projective_entry entry = multiple_load(multiples, j);
            e.entry = edwards_entry_select(here, entry.entry, e.entry);
            e.twice_z = fe_select(here, entry.twice_z, e.twice_z);
        }
    }
    e.entry = edwards_entry_negate_if(digit_is_negative(digit), e.entry);
    return e;
}

/* u G + v P for public u and v, from the multiples of P, the digits of v, of POINT_WINDOW bits, and those of u, which
 * have as many bits as windows of G's table, a multiple of POINT_WINDOW. Every POINT_WINDOW doublings an addition for
 * v, and one for u wherever one of its windows starts. Points that are doubled next are left without their T, and so is
 * the result. 252 doublings of 3M + 4S or 4M + 4S, 64 additions of 7M or 8M and 13 to 32 of 6M */
LANE_FUNCTION struct edwards edwards_multiply_add_vartime(const limb *multiples, const uint32_t *digits,
                                                          const void *tables, const uint32_t *base_digits) {
    const unsigned base_width = public_width(tables);
    struct edwards r = edwards_neutral();
    LANE_LOOP for (unsigned i = SCALAR_WINDOWS; i-- > 0;) {
        const int with_base = POINT_WINDOW * i % base_width == 0;
        struct edwards_projective_entry q = multiples_lookup_vartime(multiples, digit_load(digits, i));
        if (i != SCALAR_WINDOWS - 1)
            edwards_double_times(&r, POINT_WINDOW);
        edwards_add_projective_to(&r, &q, with_base);
        if (with_base) {
            lane32 digit = digit_load(base_digits, POINT_WINDOW * i / base_width);
            struct edwards_entry g = base_lookup(PUBLIC, tables, 0, digit);
            edwards_add_entry_to(&r, &g, 0);
        }
    }
    return r;
}

#endif
