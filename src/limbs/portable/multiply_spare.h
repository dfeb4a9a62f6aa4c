/* Residues on the portable machine in limbs that have spare bits, so that columns of products and sums of limbs need no
 * carries. Included after limbs/portable/machine.h by units that have said LIMB_BITS:
 *   nine limbs of 58 bits for P-521, whose p = 2^521 - 1 makes 2^522 = 2,
 *   five limbs of 52 bits for Curve25519, whose p = 2^255 - 19 makes 2^260 = 32 * 19.
 *
 * A residue modulo p is any sum of v[i] 2^(LIMB_BITS i) with v[i] < 2^(LIMB_BITS + 1). Modulo the order of the group
 * residues are canonical, in Montgomery's representation with R = 2^(LIMBS LIMB_BITS) > 2 m. */
#ifndef GECC_LIMBS_PORTABLE_MULTIPLY_SPARE_H
#define GECC_LIMBS_PORTABLE_MULTIPLY_SPARE_H

#include "limbs/portable/machine.h"

/* Multiplications in field.h are calls for nine limbs, where one is 600 instructions, and inlined for five, where it
 * is some 150; in the VERIFY build, which sanitizers make longer, they are calls, too. */
#if LIMB_BITS == 52 && !defined(GECC_VERIFY)
#define FIELD_MULTIPLY LANE_INLINE
#else
#define FIELD_MULTIPLY LANE_FUNCTION
#endif

/* This machine has its own versions of functions that field/modular.h and field/sums.h would make of the others. */
#define LIMB_SPARE_BITS 1 /* of the limbs of a residue modulo p, above LIMB_BITS */
#define MODULAR_OWN_ENCODE
#define MODULAR_OWN_IS_ZERO
#define MODULAR_OWN_HALF
#define MODULAR_OWN_SUMS

/* Bits of p, and 2^(LIMBS LIMB_BITS) mod p. */
LANE_INLINE int prime_bits(const struct modulus *m) { return m->reduction == REDUCE_P521 ? 521 : 255; }
LANE_INLINE limb prime_fold(const struct modulus *m) { return m->c << (LIMBS * LIMB_BITS - prime_bits(m)); }

/* Limb i of 2^(LIMBS LIMB_BITS) less what it is mod p: a multiple of p whose limbs are nearly 2^LIMB_BITS. */
LANE_INLINE limb multiple_limb(const struct modulus *m, int i) {
    return limb_low(~(limb)0) - (i == 0 ? prime_fold(m) - 1 : 0);
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    limb over = 0;
    if (m->reduction == REDUCE_MONTGOMERY)
        return limbs_less(a, limbs_set(&m->m));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) over |= a.v[i] >> LIMB_BITS >> 1;
    return mask_set(over == 0);
}

/* Limbs of 64 bits to a residue, if what is above LIMB_BITS in each, times prime_fold, is below 2^LIMB_BITS: it goes to
 * the next limb, all at once. */
LANE_INLINE struct limbs limbs_settle(const struct modulus *m, struct limbs t) {
    struct limbs r;
    r.v[0] = limb_low(t.v[0]) + prime_fold(m) * (t.v[LIMBS - 1] >> LIMB_BITS);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) r.v[i] = limb_low(t.v[i]) + (t.v[i - 1] >> LIMB_BITS);
    return r;
}

/* a mod m for a < 2 m in limbs below 2^LIMB_BITS; there is no carry out of the last. */
LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    mask borrow;
    (void)carry;
    struct limbs less = limbs_sub(a, limbs_set(&m->m), &borrow);
    return limbs_select(borrow, a, less);
}

/* A residue modulo p to [0, 2 p) in limbs below 2^LIMB_BITS: the bits above p's fold, and the carry that the limbs
 * below the last then give to it is a unit or two. */
LANE_INLINE struct limbs prime_carry(const struct modulus *m, struct limbs a) {
    const int top_bits = prime_bits(m) - LIMB_BITS * (LIMBS - 1);
    limb carry = m->c * (a.v[LIMBS - 1] >> top_bits);
    a.v[LIMBS - 1] &= ((limb)1 << top_bits) - 1;
    LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) {
        carry += a.v[i];
        a.v[i] = limb_low(carry);
        carry >>= LIMB_BITS;
    }
    a.v[LIMBS - 1] += carry;
    return a;
}

LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    return m->reduction == REDUCE_MONTGOMERY ? a : modular_reduce_once(m, prime_carry(m, a), 0);
}

/* Is a = 0 mod m? */
LANE_INLINE mask modular_is_zero(const struct modulus *m, struct limbs a) {
    if (m->reduction == REDUCE_MONTGOMERY)
        return limbs_is_zero(a);
    a = prime_carry(m, a);
    return limbs_is_zero(a) | limbs_equal(a, limbs_set(&m->m));
}

/* r = a + b mod m. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    mask carry;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (m->reduction == REDUCE_MONTGOMERY)
        return modular_reduce_once(m, limbs_add(a, b, &carry), 0);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] += b.v[i];
    return limbs_settle(m, a);
}

/* r = a - b mod m. Modulo p a multiple of p is added whose every limb exceeds b's. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    mask borrow, carry;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (m->reduction == REDUCE_MONTGOMERY) {
        a = limbs_sub(a, b, &borrow);
        return limbs_add(a, limbs_select(borrow, limbs_set(&m->m), limbs_zero()), &carry);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] += 4 * multiple_limb(m, i) - b.v[i];
    return limbs_settle(m, a);
}

/* a + b as a factor of a product or square, which takes limbs below 2^(LIMB_BITS + 2). */
LANE_INLINE struct limbs modular_add_factor(const struct modulus *m, struct limbs a, struct limbs b) {
    (void)m;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] += b.v[i];
    return a;
}

/* The sum of v[i] 2^(LIMB_BITS i) mod p. A product's are below 2^125: modulo 2^521 - 1 nine products of which each is
 * doubled, of limbs below 2^60; modulo 2^255 - 19 five, times 608, of limbs below 2^54. */
struct columns {
    limb_pair v[LIMBS];
};

/* a b. */
LANE_INLINE struct columns columns_product(const struct modulus *m, struct limbs a, struct limbs b) {
    struct columns t;
    limb folded[LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) folded[i] = b.v[i] * prime_fold(m);
    LANE_UNROLL for (int k = 0; k < LIMBS; k++) {
        t.v[k] = 0;
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[k] +=
            (limb_pair)a.v[i] * (i <= k ? b.v[k - i] : folded[k - i + LIMBS]);
    }
    return t;
}

/* a^2: the products of different limbs once, doubled. */
LANE_INLINE struct columns columns_square(const struct modulus *m, struct limbs a) {
    struct columns t;
    limb twice[LIMBS], folded[LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        twice[i] = 2 * a.v[i];
        folded[i] = a.v[i] * prime_fold(m);
    }
    LANE_UNROLL for (int k = 0; k < LIMBS; k++) {
        t.v[k] = 0;
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
            int j = (k - i + LIMBS) % LIMBS;
            if (i <= j)
                t.v[k] += (limb_pair)(i < j ? twice[i] : a.v[i]) * (i + j < LIMBS ? a.v[j] : folded[j]);
        }
    }
    return t;
}

/* Columns to a residue. */
LANE_INLINE struct limbs columns_reduce(const struct modulus *m, struct columns t) {
    struct limbs r;
    limb_pair carry = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        carry += t.v[i];
        r.v[i] = limb_low((limb)carry);
        carry >>= LIMB_BITS;
    }
    carry = carry * prime_fold(m) + r.v[0];
    r.v[0] = limb_low((limb)carry);
    r.v[1] += (limb)(carry >> LIMB_BITS);
    return r;
}

/* t - minus, whose limbs are below 2^(LIMB_BITS + 3). */
LANE_INLINE struct limbs columns_reduce_sub(const struct modulus *m, struct columns t, struct limbs minus) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] += 16 * multiple_limb(m, i) - minus.v[i];
    return columns_reduce(m, t);
}

/* t - u. */
LANE_INLINE struct limbs columns_reduce_difference(const struct modulus *m, struct columns t, struct columns u) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] +=
        ((limb_pair)multiple_limb(m, i) << (126 - LIMB_BITS)) - u.v[i];
    return columns_reduce(m, t);
}

/* a b / R mod m for b < m and any a below R, with Montgomery's reduction limb by limb. A column of 2 LIMBS products
 * and carries is below 2^121. */
LANE_INLINE struct limbs montgomery_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    limb_pair t[2 * LIMBS + 1] = {0};
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[i + j] += (limb_pair)a.v[i] * b.v[j];
        limb q = limb_low((limb)t[i] * m->negative_inverse);
        LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[i + j] += (limb_pair)q * m->m.v[j];
        t[i + 1] += t[i] >> LIMB_BITS;
    }
    struct limbs r;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) {
        r.v[j] = limb_low((limb)t[LIMBS + j]);
        t[LIMBS + j + 1] += t[LIMBS + j] >> LIMB_BITS;
    }
    return modular_reduce_once(m, r, 0);
}

/* r = a * b in the representation of m. With Montgomery's reduction a may be any integer below R. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, b));
    return m->reduction == REDUCE_MONTGOMERY ? montgomery_mul(m, a, b) : columns_reduce(m, columns_product(m, a, b));
}

/* r = a^2 in the representation of m. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    return m->reduction == REDUCE_MONTGOMERY ? montgomery_mul(m, a, a) : columns_reduce(m, columns_square(m, a));
}

/* The representation of an integer below 2^(32 WORDS), whose last limb may have 64 bits: x + y R is x R + (y R) R. */
LANE_INLINE struct limbs modular_encode(const struct modulus *m, struct limbs integer) {
    if (m->reduction != REDUCE_MONTGOMERY)
        return limbs_settle(m, integer);
    struct limbs upper = limbs_zero(), r_squared = limbs_set(&m->r_squared);
    upper.v[0] = integer.v[LIMBS - 1] >> LIMB_BITS;
    integer.v[LIMBS - 1] = limb_low(integer.v[LIMBS - 1]);
    struct limbs r = montgomery_mul(m, integer, r_squared);
    return 32 * WORDS <= LIMBS * LIMB_BITS
               ? r
               : modular_add(m, r, montgomery_mul(m, montgomery_mul(m, upper, r_squared), r_squared));
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    struct columns t;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[i] = (limb_pair)a.v[i] * k;
    return columns_reduce(m, t);
}

/* r = a / 2 mod m: an even number is halved limb by limb; a number is odd where its first limb is. */
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    mask odd = limbs_is_odd(a);
    VERIFY_LANES(modular_is_residue(m, a));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] += m->m.v[i] & odd;
    if (m->reduction == REDUCE_MONTGOMERY)
        LANE_UNROLL for (int i = 0; i < LIMBS - 1; i++) {
            a.v[i + 1] += a.v[i] >> LIMB_BITS;
            a.v[i] = limb_low(a.v[i]);
        }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] =
        (a.v[i] >> 1) + (i < LIMBS - 1 ? (a.v[i + 1] & 1) << (LIMB_BITS - 1) : 0);
    return a;
}

/* r = 3 a / 2 mod m. */
LANE_INLINE struct limbs modular_three_halves(const struct modulus *m, struct limbs a) {
    return modular_add(m, a, modular_half(m, a));
}

/* Sums, with one reduction modulo p. */

/* a b - c. */
LANE_INLINE struct limbs modular_mul_sub(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return m->reduction == REDUCE_MONTGOMERY ? modular_sub(m, montgomery_mul(m, a, b), c)
                                             : columns_reduce_sub(m, columns_product(m, a, b), c);
}

/* a^2 - b - 2 c, where b or c may be 0. */
LANE_INLINE struct limbs modular_sqr_sub_sum_double(const struct modulus *m, struct limbs a, struct limbs b,
                                                    struct limbs c) {
    if (m->reduction == REDUCE_MONTGOMERY)
        return modular_sub(m, modular_sub(m, montgomery_mul(m, a, a), b), modular_add(m, c, c));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) b.v[i] += 2 * c.v[i];
    return columns_reduce_sub(m, columns_square(m, a), b);
}

/* a^2 - 2 b. */
LANE_INLINE struct limbs modular_sqr_sub_double(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_sqr_sub_sum_double(m, a, limbs_zero(), b);
}

/* a^2 - b - c. */
LANE_INLINE struct limbs modular_sqr_sub_sum(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    if (m->reduction == REDUCE_MONTGOMERY)
        return modular_sub(m, modular_sub(m, montgomery_mul(m, a, a), b), c);
    return columns_reduce_sub(m, columns_square(m, a), modular_add_factor(m, b, c));
}

/* a b - c d. */
LANE_INLINE struct limbs modular_mul_sub_mul(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c,
                                             struct limbs d) {
    return m->reduction == REDUCE_MONTGOMERY
               ? modular_sub(m, montgomery_mul(m, a, b), montgomery_mul(m, c, d))
               : columns_reduce_difference(m, columns_product(m, a, b), columns_product(m, c, d));
}

/* a b - c^2. */
LANE_INLINE struct limbs modular_mul_sub_sqr(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return m->reduction == REDUCE_MONTGOMERY
               ? modular_sub(m, montgomery_mul(m, a, b), montgomery_mul(m, c, c))
               : columns_reduce_difference(m, columns_product(m, a, b), columns_square(m, c));
}

#endif
