/* What a header of reductions that a translation unit brings along defines (OWN_REDUCTIONS in limbs/ptx/reduce.h), for
 * units that bring none. */
#ifndef GECC_LIMBS_PTX_NO_OWN_REDUCTIONS_H
#define GECC_LIMBS_PTX_NO_OWN_REDUCTIONS_H

/* Is it one of the unit's? The functions below are called for those alone. */
LANE_INLINE int reduction_is_own(enum reduction reduction) { return (void)reduction, 0; }

/* t = a * b. */
LANE_INLINE void own_product(const struct modulus *m, limb t[2 * LIMBS], const limb *a, const limb *b) {
    (void)m;
    limbs_product(t, a, b);
}

/* t = a^2. */
LANE_INLINE void own_square(const struct modulus *m, limb t[2 * LIMBS], const limb *a) {
    (void)m;
    limbs_square(t, a);
}

/* t / R mod m for t < m R, or t mod m, any t, where residues are plain; t is overwritten. */
LANE_INLINE struct limbs own_reduce(const struct modulus *m, limb t[2 * LIMBS]) { return montgomery_reduce(m, t); }

/* a * b in the representation of m, for b < m, a any integer below R. */
LANE_INLINE struct limbs own_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    return montgomery_mul(m, a, b);
}

#endif
