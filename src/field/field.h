/* Elements mod p (fe) and mod n (scalar) of the curve CURVE. Both are `struct limbs` in the representation of their
 * modulus; the names say which. */
#ifndef GECC_FIELD_FIELD_H
#define GECC_FIELD_FIELD_H

#include "field/modular.h"
#ifndef MODULAR_OWN_SUMS
#include "field/sums.h"
#endif

typedef struct limbs fe;
typedef struct limbs scalar;

LANE_INLINE fe fe_set(const struct limbs_constant *c) { return limbs_set(c); }
LANE_INLINE fe fe_zero(void) { return limbs_zero(); }
LANE_INLINE fe fe_one(void) { return limbs_set(&CURVE.p.one); }
LANE_INLINE fe fe_add(fe a, fe b) { return modular_add(&CURVE.p, a, b); }
LANE_INLINE fe fe_sub(fe a, fe b) { return modular_sub(&CURVE.p, a, b); }
FIELD_MULTIPLY fe fe_mul(fe a, fe b) { return modular_mul(&CURVE.p, a, b); }
FIELD_MULTIPLY fe fe_sqr(fe a) { return modular_sqr(&CURVE.p, a); }
LANE_INLINE fe fe_neg(fe a) { return modular_neg(&CURVE.p, a); }
LANE_INLINE fe fe_half(fe a) { return modular_half(&CURVE.p, a); }
LANE_INLINE fe fe_double(fe a) { return fe_add(a, a); }
LANE_INLINE fe fe_triple(fe a) { return fe_add(fe_add(a, a), a); }
LANE_INLINE fe fe_select(mask m, fe a, fe b) { return limbs_select(m, a, b); }
LANE_INLINE mask fe_is_zero(fe a) { return modular_is_zero(&CURVE.p, a); }
LANE_INLINE mask fe_equal(fe a, fe b) { return modular_equal(&CURVE.p, a, b); }
/* Sums of products, which a machine may reduce once. */
/* a b - c */
FIELD_MULTIPLY fe fe_mul_sub(fe a, fe b, fe c) { return modular_mul_sub(&CURVE.p, a, b, c); }
/* a b - c d */
FIELD_MULTIPLY fe fe_mul_sub_mul(fe a, fe b, fe c, fe d) { return modular_mul_sub_mul(&CURVE.p, a, b, c, d); }
/* a b - c^2 */
FIELD_MULTIPLY fe fe_mul_sub_sqr(fe a, fe b, fe c) { return modular_mul_sub_sqr(&CURVE.p, a, b, c); }
/* a^2 - 2 b */
FIELD_MULTIPLY fe fe_sqr_sub_double(fe a, fe b) { return modular_sqr_sub_double(&CURVE.p, a, b); }
/* a^2 - b - c */
FIELD_MULTIPLY fe fe_sqr_sub_sum(fe a, fe b, fe c) { return modular_sqr_sub_sum(&CURVE.p, a, b, c); }
/* a^2 - b - 2 c */
FIELD_MULTIPLY fe fe_sqr_sub_sum_double(fe a, fe b, fe c) { return modular_sqr_sub_sum_double(&CURVE.p, a, b, c); }
/* 3 a / 2 */
LANE_INLINE fe fe_three_halves(fe a) { return modular_three_halves(&CURVE.p, a); }
/* a + b, for one of two factors of a product and nothing else */
LANE_INLINE fe fe_add_factor(fe a, fe b) { return modular_add_factor(&CURVE.p, a, b); }
/* integer < 2^(32 WORDS) to element and element to integer in [0, p). */
FIELD_MULTIPLY fe fe_encode(struct limbs integer) { return modular_encode(&CURVE.p, integer); }
FIELD_MULTIPLY struct limbs fe_decode(fe a) { return modular_decode(&CURVE.p, a); }

/* r = 1 / a, 0 for 0. */
LANE_INLINE fe fe_inverse(fe a) {
    mask exists;
    return modular_inverse(&CURVE.p, a, &exists);
}

/* A square root of a, if it has one: a^((p + 1) / 4). The caller checks by squaring. */
LANE_FUNCTION fe fe_sqrt(fe a) {
    modular_powers(&CURVE.p, &a, 1, &CURVE.sqrt);
    return a;
}

/* The same of as many as go in step. */
LANE_FUNCTION void fe_sqrt_in_step(fe *a) { modular_powers(&CURVE.p, a, POWERS_IN_STEP, &CURVE.sqrt); }

LANE_INLINE scalar scalar_set(const struct limbs_constant *c) { return limbs_set(c); }
LANE_INLINE scalar scalar_one(void) { return limbs_set(&CURVE.n.one); }
LANE_INLINE scalar scalar_add(scalar a, scalar b) { return modular_add(&CURVE.n, a, b); }
LANE_INLINE scalar scalar_sub(scalar a, scalar b) { return modular_sub(&CURVE.n, a, b); }
FIELD_MULTIPLY scalar scalar_mul(scalar a, scalar b) { return modular_mul(&CURVE.n, a, b); }
LANE_INLINE scalar scalar_neg(scalar a) { return modular_neg(&CURVE.n, a); }
LANE_INLINE mask scalar_is_zero(scalar a) { return modular_is_zero(&CURVE.n, a); }
LANE_INLINE mask scalar_equal(scalar a, scalar b) { return modular_equal(&CURVE.n, a, b); }
FIELD_MULTIPLY scalar scalar_encode(struct limbs integer) { return modular_encode(&CURVE.n, integer); }
FIELD_MULTIPLY struct limbs scalar_decode(scalar a) { return modular_decode(&CURVE.n, a); }

/* An integer of WORDS words, modulo n: below 2 n, where n has as many bits. */
LANE_INLINE struct limbs scalar_reduce(struct limbs integer) {
    enum { TOP_BIT = 32 * WORDS - 1 };
    if (TOP_BIT < LIMBS * LIMB_BITS && CURVE.n.m.v[TOP_BIT / LIMB_BITS] >> TOP_BIT % LIMB_BITS & 1)
        return modular_reduce_once(&CURVE.n, integer, 0);
    return scalar_decode(scalar_encode(integer));
}

/* 0 < integer < n. */
LANE_INLINE mask scalar_in_range(struct limbs integer) {
    return limbs_less(integer, limbs_set(&CURVE.n.m)) & ~limbs_is_zero(integer);
}

#endif
