/* Residues modulo m, written once for every machine: functions that follow from its add, sub, mul and sqr. */
#ifndef GECC_FIELD_MODULAR_H
#define GECC_FIELD_MODULAR_H

#include "field/gcd.h"

LANE_INLINE struct limbs limbs_one(void) {
    struct limbs one = limbs_zero();
    one.v[0] = one.v[0] + 1;
    return one;
}

#ifndef MODULAR_OWN_ENCODE
/* The representation of an integer, which may be any value below R; modulo the curves' primes, below 2^(32 WORDS).
 * Maps integer to loose. */
LANE_INLINE struct limbs modular_encode(const struct modulus *m, struct limbs integer) {
    if (m->reduction == REDUCE_PSEUDO_MERSENNE)
        return modular_canonical(m, modular_reduce_once(m, integer, 0));
    if (m->reduction == REDUCE_P25519) /* which folds what is above a loose residue */
        return modular_add(m, integer, limbs_zero());
    return modular_mul(m, integer, limbs_set(&m->r_squared));
}
#endif

/* The integer in [0, m) that a represents. Maps loose to canonical. */
LANE_INLINE struct limbs modular_decode(const struct modulus *m, struct limbs a) {
    if (reduction_is_plain(m->reduction))
        return modular_canonical(m, a);
    return modular_canonical(m, modular_mul(m, limbs_one(), a));
}

#ifndef MODULAR_OWN_IS_ZERO
LANE_INLINE mask modular_is_zero(const struct modulus *m, struct limbs a) {
    return limbs_is_zero(modular_canonical(m, a));
}
#endif

LANE_INLINE mask modular_equal(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_is_zero(m, modular_sub(m, a, b));
}

/* r = -a mod m. Maps loose to loose. */
LANE_INLINE struct limbs modular_neg(const struct modulus *m, struct limbs a) {
    return modular_sub(m, limbs_zero(), a);
}

#ifndef MODULAR_OWN_HALF
/* r = a / 2 mod m. Maps loose to loose. */
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    mask carry, odd;
    a = modular_canonical(m, a);
    odd = limbs_is_odd(a);
    struct limbs even = limbs_add(a, limbs_select(odd, limbs_set(&m->m), limbs_zero()), &carry);
    return limbs_half(even, carry);
}
#endif

/* Numbers that are raised to a power in step. */
enum { POWERS_IN_STEP = LANES > 1 ? 2 : 1 };

/* a[k] = a[k]^e mod m for the public e of the chain and k < n, n at most POWERS_IN_STEP. A power is a chain of
 * products, each of which needs the one before: while the processor waits for one number's it works on the other's. */
LANE_INLINE void modular_powers(const struct modulus *m, struct limbs *a, int n, const struct power_chain *chain) {
    struct limbs x[POWERS_IN_STEP][POWERS_KEPT], r[POWERS_IN_STEP];
    LANE_UNROLL for (int k = 0; k < n; k++) x[k][0] = a[k];
    LANE_LOOP for (unsigned i = 0; i < chain->steps; i++) {
        const struct power_step step = chain->step[i];
        LANE_UNROLL for (int k = 0; k < n; k++) r[k] = x[k][step.from];
        LANE_LOOP for (unsigned j = 0; j < step.squarings; j++) LANE_UNROLL for (int k = 0; k < n; k++) r[k] =
            modular_sqr(m, r[k]);
        if (step.times != POWER_ALONE)
            LANE_UNROLL for (int k = 0; k < n; k++) r[k] = modular_mul(m, r[k], x[k][step.times]);
        LANE_UNROLL for (int k = 0; k < n; k++) x[k][step.to] = r[k];
    }
    LANE_UNROLL for (int k = 0; k < n; k++) a[k] = x[k][chain->step[chain->steps - 1].to];
}

/* s / a mod m for a residue a and a residue s in [0, m), both taken as the integers they are, by the greatest common
 * divisor; 0 where a and m have a common factor (a = 0 included). *exists: where they have none. */
LANE_FUNCTION struct limbs modular_quotient(const struct modulus *m, struct limbs s, struct limbs a, mask *exists) {
    lane32 words[WORDS];
    struct gcd_integer r, divisor, modulus;
    VERIFY_LANES(limbs_less(s, limbs_set(&m->m)) & modular_is_residue(m, a));
    limbs_to_words(words, limbs_set(&m->m));
    modulus = gcd_from_words(words);
    limbs_to_words(words, modular_canonical(m, a));
    divisor = gcd_from_words(words);
    limbs_to_words(words, s);
    r = gcd_from_words(words);
    *exists = lane32_is_odd(gcd_divide(&r, &divisor, &modulus, lane32_set(0 - (uint32_t)m->negative_inverse)));
    gcd_to_words(words, &r);
    return limbs_select(*exists, limbs_from_words(words), limbs_zero());
}

/* The inverse of a, 0 where it has none. r_squared / (a R) is the representation of 1 / a. */
LANE_INLINE struct limbs modular_inverse(const struct modulus *m, struct limbs a, mask *exists) {
    return modular_quotient(m, limbs_set(&m->r_squared), a, exists);
}

#endif
