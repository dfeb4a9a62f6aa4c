/* Multiplication on a curve of Edwards form: k G for secret k, and u G + v P for public u and v. Formulas have no exceptional
 * cases, so neither have these, whatever the points are. */
#ifndef GECC_BATCH_EDWARDS_MULTIPLY_H
#define GECC_BATCH_EDWARDS_MULTIPLY_H

#include "batch/edwards_tables.h"

/* The digits by which G is multiplied in secret; k < n. */
LANE_INLINE void edwards_base_recode(const struct limbs *k, uint32_t *digits) {
    recode_signed(k, mask_set(0), SECRET_WINDOW, SECRET_WINDOWS, digits);
}

/* k G from the digits of k: an addition for each window.     7M each */
LANE_FUNCTION struct edwards edwards_multiply_base(const limb *secret_table, const uint32_t *digits) {
    struct edwards r = edwards_neutral();
    LANE_LOOP for (unsigned i = 0; i < SECRET_WINDOWS; i++) {
        struct edwards_entry q = secret_lookup(secret_table, i, digit_load(digits, i));
        edwards_add_entry(&r, &q);
    }
    return r;
}

/* P .. 2^(ENTRY_WINDOW - 1) P. */
struct edwards_multiples {
    struct edwards_projective_entry entry[1 << (ENTRY_WINDOW - 1)];
};

/* 9M each but the first */
LANE_FUNCTION void edwards_multiples_of(struct edwards_multiples *m, const struct edwards *p) {
    struct edwards r = *p;
    m->entry[0] = edwards_projective_entry_of(p);
    LANE_LOOP for (int j = 1; j < 1 << (ENTRY_WINDOW - 1); j++) {
        edwards_add(&r, &m->entry[0]);
        m->entry[j] = edwards_projective_entry_of(&r);
    }
}

/* The entry that a public digit stands for. Several lanes scan: a masked load takes less than its share of a gather. */
LANE_INLINE struct edwards_projective_entry multiples_lookup_vartime(const struct edwards_multiples *m, lane32 digit) {
    lane32 magnitude = digit_magnitude(digit);
    struct edwards_projective_entry e = {edwards_entry_neutral(), fe_double(fe_one())};
    if (LANES == 1) {
        unsigned index = lane32_extract(magnitude, 0);
        if (index != 0)
            e = m->entry[index - 1];
    } else {
        for (unsigned j = 0; j < 1 << (ENTRY_WINDOW - 1); j++) {
            mask here = lane32_equal(magnitude, lane32_set(j + 1));
            e.entry = edwards_entry_select(here, m->entry[j].entry, e.entry);
            e.twice_z = fe_select(here, m->entry[j].twice_z, e.twice_z);
        }
    }
    e.entry = edwards_entry_negate_if(digit_is_negative(digit), e.entry);
    return e;
}

/* u G + v P for public u and v, from the multiples of P and the digits of v, of ENTRY_WINDOW bits, and of u, of base_width bits,
 * a multiple of that: every ENTRY_WINDOW doublings an addition for v, and with every base_width of them one for u.
 * 252 doublings of 3M + 4S or 4M + 4S, 64 additions of 8M and 22 or 32 of 7M */
LANE_FUNCTION struct edwards edwards_multiply_add_vartime(const struct edwards_multiples *m, const uint32_t *digits,
                                                          const limb *public_table, unsigned base_width,
                                                          const uint32_t *base_digits) {
    struct edwards r = edwards_neutral();
    LANE_LOOP for (unsigned i = SCALAR_WINDOWS; i-- > 0;) {
        if (i != SCALAR_WINDOWS - 1)
            edwards_double_times(&r, ENTRY_WINDOW);
        struct edwards_projective_entry q = multiples_lookup_vartime(m, digit_load(digits, i));
        edwards_add(&r, &q);
        if (ENTRY_WINDOW * i % base_width == 0) {
            struct edwards_entry g =
                public_lookup_vartime(public_table, digit_load(base_digits, ENTRY_WINDOW * i / base_width));
            edwards_add_entry(&r, &g);
        }
    }
    return r;
}

#endif
