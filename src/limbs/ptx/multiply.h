/* Residues on the machine of limbs/ptx/machine.h: in [0, m), or loose, any integer below 2^(32 LIMBS), where the
 * modulus is pseudo-Mersenne or 2^255 - 19.
 *
 * Sums of products are kept in two parts, x + 2^32 y, so that each product finds its two limbs aligned. Adding a row a
 * * b[i] and the multiple of m that clears the lowest limb, then dropping that limb, exchanges the parts: the old y is
 * aligned with the next limb. */
#ifndef GECC_LIMBS_PTX_MULTIPLY_H
#define GECC_LIMBS_PTX_MULTIPLY_H

#include "limbs/ptx/machine.h"
#include "limbs/ptx/scan.h"

#include "limbs/ptx/reduce.h"

/* How field.h compiles a multiplication. As a call on the model, and where a translation unit says so because inlining
 * would take it minutes; inlined elsewhere, so that what the formulas hold stays in registers. */
#ifndef FIELD_MULTIPLY
#ifdef __CUDACC__
#define FIELD_MULTIPLY LANE_INLINE
#else
#define FIELD_MULTIPLY LANE_FUNCTION
#endif
#endif

/* This machine has its own versions of functions that field/modular.h and field/sums.h would make of the others. */
#define MODULAR_OWN_IS_ZERO
#define MODULAR_OWN_HALF
#define MODULAR_OWN_SUMS

LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    return reduction_is_loose(m->reduction) ? loose_canonical(m, a) : a;
}

/* a = 0 mod m: a loose residue may be a multiple of m. */
LANE_INLINE mask modular_is_zero(const struct modulus *m, struct limbs a) {
    return reduction_is_loose(m->reduction) ? loose_is_zero(m, a) : limbs_is_zero(a);
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    return reduction_is_loose(m->reduction) ? mask_set(1) : limbs_less(a, limbs_set(&m->m));
}

/* r = a + b mod m. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_loose(m->reduction))
        return loose_add(m, a, b);
    limb carry = chain_add(a.v, b.v, LIMBS);
    return modular_reduce_once(m, a, carry);
}

/* r = a - b mod m. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    if (reduction_is_loose(m->reduction))
        return loose_sub(m, a, b);
    limb wrap = chain_sub(a.v, b.v, LIMBS);
    return modular_add_modulus(m, a, wrap);
}

/* r = a / 2 mod m. */
LANE_INLINE struct limbs modular_half(const struct modulus *m, struct limbs a) {
    mask carry;
    struct limbs even = limbs_add(a, limbs_select(limbs_is_odd(a), limbs_set(&m->m), limbs_zero()), &carry);
    return limbs_half(even, carry);
}

/* t = a * b, or a^2, in the way that goes with the reduction. */
LANE_INLINE void modular_product(const struct modulus *m, limb t[2 * LIMBS], const limb *a, const limb *b) {
    if (reduction_is_own(m->reduction))
        own_product(m, t, a, b);
    else
        limbs_product(t, a, b);
}

LANE_INLINE void modular_square(const struct modulus *m, limb t[2 * LIMBS], const limb *a) {
    if (reduction_is_own(m->reduction))
        own_square(m, t, a);
    else
        limbs_square(t, a);
}

/* r = a * b in the representation of m. With Montgomery's reduction a may be any integer below R. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, b));
    if (!reduces_after_product(m->reduction))
        return montgomery_mul(m, a, b);
    if (reduction_is_own(m->reduction))
        return own_mul(m, a, b);
    limb t[2 * LIMBS];
    modular_product(m, t, a.v, b.v);
    return modular_reduce(m, t);
}

/* r = a^2 in the representation of m. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    limb t[2 * LIMBS];
    modular_square(m, t, a.v);
    return modular_reduce(m, t);
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. LIMBS products */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    limb even[LIMBS], odd[LIMBS];
    struct limbs r;
    products_apart(even, a.v, k, LIMBS);
    products_apart(odd, a.v + 1, k, LIMBS);
    limb above = odd[LIMBS - 1] + chain_add(even + 1, odd, LIMBS - 1);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = even[i];
    return loose_fold(m, r, above);
}

#include "limbs/ptx/sums.h"

#endif
