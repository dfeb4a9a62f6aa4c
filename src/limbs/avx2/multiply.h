/* The AVX2 machine: four lanes, 9 limbs of 29 bits at most (Intel from Haswell, AMD from Zen).
 *
 * Residues are those of limbs/vector/residues.h. No limb of a sum is negative: a multiple of m exceeds, limb by limb,
 * the number that is subtracted, and borrows from its next limb for that. Montgomery's reduction takes R = 2^(29 LIMBS)
 * > 16 m. */
#ifndef GECC_LIMBS_AVX2_MULTIPLY_H
#define GECC_LIMBS_AVX2_MULTIPLY_H

#include "limbs/avx2/lanes.h"

#define LIMB_BITS 29

#include "limbs/vector/machine.h"

/* How field.h compiles a multiplication: as a call. Point formulas with all of theirs inlined do not fit into the
 * processor's cache of decoded instructions (docs/performance.md). */
#define FIELD_MULTIPLY LANE_FUNCTION

#define MODULAR_OWN_ENCODE
#define MODULAR_OWN_IS_ZERO
#define MODULAR_OWN_HALF
#define MODULAR_OWN_SUMS

#include "limbs/avx2/reduce.h"

/* Limb i of `times` m with 2^29 `lent` by the next one to each but the last. */
LANE_INLINE lane64 modulus_lent(const struct modulus *m, int times, int lent, int i) {
    return lane64_set((limb)times * m->m.v[i] + (i < LIMBS - 1 ? (limb)lent << LIMB_BITS : 0) -
                      (i > 0 ? (limb)lent : 0));
}

/* times m - a, a limb by limb below `times` such numbers, not carried. */
LANE_INLINE struct limbs modulus_less(const struct modulus *m, int times, int lent, struct limbs a) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = modulus_lent(m, times, lent, i) - a.v[i];
    return a;
}

/* a + b, not carried. */
LANE_INLINE struct limbs limbs_sum(struct limbs a, struct limbs b) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] + b.v[i];
    return a;
}

/* t - times m where that is not negative, else t, carried. Limbs of t are not negative, but for the last, and below
 * 2^40. */
LANE_INLINE struct limbs subtract_if_not_less(const struct modulus *m, struct limbs t, int times) {
    const limb lent = (limb)1 << 40;
    lane64 less_carry = lane64_set(0), carry = less_carry;
    struct limbs less = t;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        limb constant = (i < LIMBS - 1 ? lent : 0) - (i > 0 ? lent >> LIMB_BITS : 0) - (limb)times * m->m.v[i];
        less_carry = t.v[i] + lane64_set(constant) + less_carry;
        carry = t.v[i] + carry;
        less.v[i] = i < LIMBS - 1 ? limb_low(less_carry) : less_carry;
        t.v[i] = i < LIMBS - 1 ? limb_low(carry) : carry;
        less_carry = less_carry >> LIMB_BITS;
        carry = carry >> LIMB_BITS;
    }
    return limbs_select(lane64_is_negative(less.v[LIMBS - 1]), t, less);
}

/* t += sign top 2^bit. */
LANE_INLINE void limbs_add_power(struct limbs *t, lane64 top, int bit, int minus) {
    lane64 x = top << bit % LIMB_BITS;
    t->v[bit / LIMB_BITS] = minus ? t->v[bit / LIMB_BITS] - x : t->v[bit / LIMB_BITS] + x;
}

/* t to a loose residue of a prime of a special form: the part above the power of two next to it, which the two upper
 * limbs tell but for a carry, folds. Neither t nor a limb of it is negative, and limbs from which a fold subtracts are
 * at least 2^28. */
LANE_INLINE struct limbs prime_fold(const struct modulus *m, struct limbs t) {
    const int top_bits = prime_bits(m) - LIMB_BITS * (LIMBS - 1);
    lane64 carry = lane64_set(0), top = (t.v[LIMBS - 1] + (t.v[LIMBS - 2] >> LIMB_BITS)) >> top_bits;
    t.v[LIMBS - 1] = t.v[LIMBS - 1] - (top << top_bits);
    if (reduction_is_plain(m->reduction)) {
        lane64_add_times(t.v, top, m->c);
    } else { /* P-256: 2^224 - 2^192 - 2^96 + 1, SM2: 2^224 + 2^96 - 2^64 + 1 */
        const int p256 = m->reduction == REDUCE_P256;
        t.v[0] = t.v[0] + top;
        limbs_add_power(&t, top, p256 ? 192 : 64, 1);
        limbs_add_power(&t, top, 96, p256);
        limbs_add_power(&t, top, 224, 0);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) {
        carry = t.v[i] + carry;
        t.v[i] = limb_low(carry);
        carry = carry >> LIMB_BITS;
    }
    t.v[LIMBS - 1] = t.v[LIMBS - 1] + carry;
    return t;
}

/* A sum of loose residues whose limbs are not negative, below 4 m, to a loose residue. */
LANE_INLINE struct limbs modular_fold(const struct modulus *m, struct limbs t) {
    if (m->reduction == REDUCE_MONTGOMERY)
        return subtract_if_not_less(m, t, 2);
    if (!reduction_is_plain(m->reduction))
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] = t.v[i] + modulus_lent(m, 1, 1, i);
    return prime_fold(m, t);
}

#include "limbs/vector/residues.h"

/* r = a + b mod m. Maps loose, loose to loose. Modulo 2^255 - 19 a may be any integer below 2^256. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(m->reduction == REDUCE_P25519 ? mask_set(1) : modular_is_residue(m, a));
    VERIFY_LANES(modular_is_residue(m, b));
    return modular_fold(m, limbs_sum(a, b));
}

/* r = a - b mod m. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    a = limbs_sum(a, modulus_less(m, 2, 2, b));
    return m->reduction == REDUCE_MONTGOMERY ? modular_fold(m, a) : prime_fold(m, a);
}

/* a + b as the first of two factors of a product: a sum that is not carried. Maps loose, loose to factor. */
LANE_INLINE struct limbs modular_add_factor(const struct modulus *m, struct limbs a, struct limbs b) {
    (void)m;
    return limbs_sum(a, b);
}

/* -a as the first of two factors of a product, with limbs below 2^31. Modulo a number of no special form the last limb
 * may not have what it lends. */
LANE_INLINE struct limbs modular_neg_factor(const struct modulus *m, struct limbs a) {
    return m->reduction == REDUCE_MONTGOMERY ? modular_sub(m, limbs_zero(), a) : modulus_less(m, 2, 2, a);
}

/* The sum of products, to a loose residue in the representation of m. */
LANE_INLINE struct limbs products_reduce(const struct modulus *m, struct products p) {
    return reduction_is_plain(m->reduction) ? pseudo_mersenne_reduce(m, &p, NULL) : montgomery_reduce(m, &p);
}

/* The same, less a sum of three loose residues at most. */
LANE_INLINE struct limbs products_reduce_sub(const struct modulus *m, struct products p, struct limbs minus) {
    const int general = m->reduction == REDUCE_MONTGOMERY;
    struct limbs plus = modulus_less(m, general ? 6 : 4, 4, minus);
    if (reduction_is_plain(m->reduction))
        return pseudo_mersenne_reduce(m, &p, &plus);
    struct limbs r = limbs_sum(montgomery_reduce(m, &p), plus);
    return general ? subtract_if_not_less(m, subtract_if_not_less(m, r, 4), 2) : prime_fold(m, r);
}

/* r = a * b in the representation of m. Maps factor, loose to loose. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, b));
    return products_reduce(m, product_of(a, b));
}

/* r = a^2 in the representation of m. Maps loose to loose. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    return products_reduce(m, square_of(a));
}

/* The representation of an integer below R; modulo the curves' primes, below 2^(32 WORDS). Maps integer to loose. */
LANE_INLINE struct limbs modular_encode(const struct modulus *m, struct limbs integer) {
    if (!reduction_is_plain(m->reduction))
        return modular_mul(m, integer, limbs_set(&m->r_squared));
    return prime_fold(m, integer);
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. Maps loose to loose. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = lane64_product(a.v[i], lane64_set(k));
    return prime_fold(m, a);
}

/* a b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return products_reduce_sub(m, product_of(a, b), c);
}

/* a^2 - 2 b. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_double(const struct modulus *m, struct limbs a, struct limbs b) {
    return products_reduce_sub(m, square_of(a), limbs_twice(b));
}

/* a^2 - b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return products_reduce_sub(m, square_of(a), limbs_sum(b, c));
}

/* a^2 - b - 2 c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum_double(const struct modulus *m, struct limbs a, struct limbs b,
                                                    struct limbs c) {
    return products_reduce_sub(m, square_of(a), limbs_sum(b, limbs_twice(c)));
}

/* a b - c d. Maps loose, loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_mul(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c,
                                             struct limbs d) {
    return products_reduce(m, products_of(a, b, modular_neg_factor(m, c), d));
}

/* a b - c^2. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_sqr(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return modular_mul_sub_mul(m, a, b, c, c);
}

#endif
