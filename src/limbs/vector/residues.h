/* Residues, as all vector machines have them. Included by a machine's multiply.h, after its modular_fold: a sum of
 * loose residues whose limbs are not negative, below 4 m, to a loose residue.
 *
 * Loose residues: a value below 2 m modulo a modulus of no special form; modulo the others, primes of curves, below 9/8
 * of the power of two that is next to the prime, 2^(32 WORDS), 2^521 or 2^255, hence below 2 p. Either has two
 * representations of a residue at most. Limbs are below 2^LIMB_BITS. */
#ifndef GECC_LIMBS_VECTOR_RESIDUES_H
#define GECC_LIMBS_VECTOR_RESIDUES_H

#include "limbs/vector/machine.h"

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    struct limbs high, bound = limbs_zero();
    const int power = prime_bits(m);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) high.v[i] = a.v[i] >> LIMB_BITS;
    if (m->reduction == REDUCE_MONTGOMERY) {
        bound = limbs_set(&m->m);
        return limbs_is_zero(high) & limbs_less(limbs_half(a, mask_set(0)), bound);
    }
    bound.v[power / LIMB_BITS] = lane64_set((limb)1 << power % LIMB_BITS);
    bound.v[(power - 3) / LIMB_BITS] =
        bound.v[(power - 3) / LIMB_BITS] | lane64_set((limb)1 << (power - 3) % LIMB_BITS);
    return limbs_is_zero(high) & limbs_less(a, bound);
}

/* a mod m. Maps loose to canonical. */
LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    mask borrow;
    VERIFY_LANES(modular_is_residue(m, a));
    struct limbs less = limbs_sub(a, limbs_set(&m->m), &borrow);
    return limbs_select(borrow, a, less);
}

/* a mod m; there is no carry on this machine. Maps loose to canonical. */
LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    (void)carry;
    return modular_canonical(m, a);
}

/* Is a = 0 mod m? a is 0 or m then. */
LANE_INLINE mask modular_is_zero(const struct modulus *m, struct limbs a) {
    return limbs_is_zero(a) | limbs_equal(a, limbs_set(&m->m));
}

/* floor(t / 2) for limbs that are not negative and below 2^63, not carried. */
LANE_INLINE struct limbs limbs_shift_right(struct limbs t) {
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) t.v[i] =
        (t.v[i] >> 1) + ((t.v[i + 1] & lane64_set(1)) << (LIMB_BITS - 1));
    t.v[LIMBS - 1] = t.v[LIMBS - 1] >> 1;
    return t;
}

/* t + m where a is odd. */
LANE_INLINE struct limbs limbs_make_even(const struct modulus *m, struct limbs a, struct limbs t) {
    mask odd = limbs_is_odd(a);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] =
        t.v[i] + lane64_blend(odd, lane64_set(m->m.v[i]), lane64_set(0));
    return t;
}

/* r = a / 2 mod m. Maps loose to loose. */
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    return limbs_carry(limbs_shift_right(limbs_make_even(m, a, a)));
}

/* r = 3 a / 2 mod m. Maps loose to loose. */
LANE_INLINE struct limbs modular_three_halves(const struct modulus *m, struct limbs a) {
    struct limbs t;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] = a.v[i] + a.v[i] + a.v[i];
    return modular_fold(m, limbs_shift_right(limbs_make_even(m, a, t)));
}

#endif
