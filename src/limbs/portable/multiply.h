/* Residues on the portable machine, in C. Included after limbs/portable/machine.h.
 *
 * Products are made row by row; Montgomery's reduction takes one limb off after each row (CIOS: Koc, Acar, Kaliski,
 * "Analyzing and comparing Montgomery multiplication algorithms", 1996). */
#ifndef GECC_LIMBS_PORTABLE_MULTIPLY_H
#define GECC_LIMBS_PORTABLE_MULTIPLY_H

#include "limbs/portable/machine.h"

/* How field.h compiles a multiplication: as a call, since it is some 250 instructions. */
#define FIELD_MULTIPLY LANE_FUNCTION

/* t mod m for t = carry * R + a < 2 m, carry being 0 or 1. Maps twice to canonical. */
LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    struct limbs r;
    limb borrow = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_sub(&borrow, a.v[i], m->m.v[i]);
    limb_sub(&borrow, carry, 0);
    return limbs_select(mask_from_bit(borrow), a, r);
}

/* Residues modulo 2^255 - 19 are any integers below 2^256, which is 38 = 2 c.
 *
 * over 2^256 + a, over < 2^20: where adding 38 over overflows, the rest is small, and 38 more does not. */
LANE_INLINE struct limbs p25519_fold(const struct modulus *m, struct limbs a, limb over) {
    limb carry = 0;
    a.v[0] = limb_add(&carry, a.v[0], 2 * m->c * over);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) a.v[i] = limb_add(&carry, a.v[i], 0);
    a.v[0] += 2 * m->c & mask_from_bit(carry);
    return a;
}

/* t mod p: the upper half folds onto the lower times 38. */
LANE_INLINE struct limbs p25519_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    struct limbs r;
    limb carry = 0;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) r.v[j] = limb_mul_add(&carry, t[j + LIMBS], 2 * m->c, t[j], carry);
    return p25519_fold(m, r, carry);
}

/* a mod p: bit 255 is 19. */
LANE_INLINE struct limbs p25519_canonical(const struct modulus *m, struct limbs a) {
    limb carry = 0, top = a.v[LIMBS - 1] >> 63;
    a.v[LIMBS - 1] &= ~(limb)0 >> 1;
    a.v[0] = limb_add(&carry, a.v[0], m->c & mask_from_bit(top));
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) a.v[i] = limb_add(&carry, a.v[i], 0);
    return modular_reduce_once(m, a, 0);
}

/* a, or where a subtraction wrapped around and left it, a - 2^256: a - 38. Where that wraps around too, it leaves
 * nearly 2^256, and 38 less does not. */
LANE_INLINE struct limbs p25519_unwrap(const struct modulus *m, struct limbs a, mask wrap) {
    limb borrow = 0;
    a.v[0] = limb_sub(&borrow, a.v[0], 2 * m->c & wrap);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) a.v[i] = limb_sub(&borrow, a.v[i], 0);
    a.v[0] -= 2 * m->c & mask_from_bit(borrow);
    return a;
}

/* a mod m. Maps loose to canonical. */
LANE_INLINE struct limbs modular_canonical(const struct modulus *m, struct limbs a) {
    return m->reduction == REDUCE_P25519 ? p25519_canonical(m, a) : a;
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    return m->reduction == REDUCE_P25519 ? mask_set(1) : limbs_less(a, limbs_set(&m->m));
}

/* r = a + b mod m. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    struct limbs r;
    limb carry = 0;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_add(&carry, a.v[i], b.v[i]);
    return m->reduction == REDUCE_P25519 ? p25519_fold(m, r, carry) : modular_reduce_once(m, r, carry);
}

/* r = a - b mod m. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    struct limbs r;
    limb borrow = 0, carry = 0;
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_sub(&borrow, a.v[i], b.v[i]);
    mask wrap = mask_from_bit(borrow);
    if (m->reduction == REDUCE_P25519)
        return p25519_unwrap(m, r, wrap);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = limb_add(&carry, r.v[i], m->m.v[i] & wrap);
    return r;
}

/* t = a * b. */
LANE_INLINE void limbs_product(limb t[2 * LIMBS], struct limbs a, struct limbs b) {
    limb carry = 0;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[j] = limb_mul_add(&carry, a.v[0], b.v[j], carry, 0);
    t[LIMBS] = carry;
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        carry = 0;
        LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[i + j] = limb_mul_add(&carry, a.v[i], b.v[j], t[i + j], carry);
        t[i + LIMBS] = carry;
    }
}

/* t = a^2: the products above the diagonal once, doubled, and the squares. */
LANE_INLINE void limbs_square(limb t[2 * LIMBS], struct limbs a) {
    limb carry = 0, top = 0;
    t[0] = 0;
    LANE_UNROLL for (int j = 1; j < LIMBS; j++) t[j] = limb_mul_add(&carry, a.v[0], a.v[j], carry, 0);
    t[LIMBS] = carry;
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        carry = 0;
        LANE_UNROLL for (int j = i + 1; j < LIMBS; j++) t[i + j] =
            limb_mul_add(&carry, a.v[i], a.v[j], t[i + j], carry);
        t[i + LIMBS] = carry;
    }
    carry = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        limb_pair square = (limb_pair)a.v[i] * a.v[i];
        limb low = t[2 * i] << 1 | top, high = t[2 * i + 1] << 1 | t[2 * i] >> 63;
        top = t[2 * i + 1] >> 63;
        t[2 * i] = limb_add(&carry, low, (limb)square);
        t[2 * i + 1] = limb_add(&carry, high, (limb)(square >> 64));
    }
}

/* t mod (2^(64 LIMBS) - c), c < 2^33: the upper half folds onto the lower times c, twice. */
LANE_INLINE struct limbs pseudo_mersenne_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    struct limbs r, s;
    limb carry = 0;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) r.v[j] = limb_mul_add(&carry, t[j + LIMBS], m->c, t[j], carry);
    limb_pair fold = (limb_pair)carry * m->c;
    carry = 0;
    r.v[0] = limb_add(&carry, r.v[0], (limb)fold);
    r.v[1] = limb_add(&carry, r.v[1], (limb)(fold >> 64));
    LANE_UNROLL for (int j = 2; j < LIMBS; j++) r.v[j] = limb_add(&carry, r.v[j], 0);
    limb over = carry; /* then r < c^2, so adding c once more cannot overflow */
    carry = 0;
    s.v[0] = limb_add(&carry, r.v[0], m->c);
    LANE_UNROLL for (int j = 1; j < LIMBS; j++) s.v[j] = limb_add(&carry, r.v[j], 0);
    return limbs_select(mask_from_bit(over | carry), s, r);
}

/* t mod m for a plain reduction. */
LANE_INLINE struct limbs plain_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    return m->reduction == REDUCE_P25519 ? p25519_reduce(m, t) : pseudo_mersenne_reduce(m, t);
}

/* t = (t + q * m) / 2^64 for the q that makes it whole. t[LIMBS + 1] is 0 or 1 on entry, t[LIMBS] on return; for
 * t < 2^64 m + m on entry, t < 2 m on return. */
LANE_INLINE void montgomery_step(const struct modulus *m, limb t[LIMBS + 2]) {
    limb carry = 0, over = 0, q = t[0] * m->negative_inverse;
    limb_mul_add(&carry, q, m->m.v[0], t[0], 0);
    LANE_UNROLL for (int j = 1; j < LIMBS; j++) t[j - 1] = limb_mul_add(&carry, q, m->m.v[j], t[j], carry);
    t[LIMBS - 1] = limb_add(&over, t[LIMBS], carry);
    t[LIMBS] = t[LIMBS + 1] + over;
}

/* The same for p = 2^256 - 2^224 + 2^192 + 2^96 - 1: q = t[0], and
 * q * p + t[0] = q * 2^96 + q * (2^64 - 2^32 + 1) * 2^192. */
LANE_INLINE void montgomery_step_p256(const struct modulus *m, limb t[LIMBS + 2]) {
    limb q = t[0], carry = 0;
    limb_pair high = (limb_pair)q * m->m.v[LIMBS - 1];
    t[0] = limb_add(&carry, t[1], q << 32);
    t[1] = limb_add(&carry, t[2], q >> 32);
    t[2] = limb_add(&carry, t[3], (limb)high);
    t[3] = limb_add(&carry, t[4], (limb)(high >> 64));
    t[4] = t[5] + carry;
}

/* The same for p = 2^256 - 2^224 - 2^96 + 2^64 - 1: q = t[0], and
 * q * p + t[0] = q * 2^256 + q * 2^64 - q * 2^224 - q * 2^96. */
LANE_INLINE void montgomery_step_sm2(limb t[LIMBS + 2]) {
    limb q = t[0], low = q << 32, high = q >> 32, carry = 0, borrow = 0;
    t[0] = limb_add(&carry, t[1], q);
    t[1] = limb_add(&carry, t[2], 0);
    t[2] = limb_add(&carry, t[3], 0);
    t[3] = limb_add(&carry, t[4], q);
    limb over = t[5] + carry;
    t[0] = limb_sub(&borrow, t[0], low);
    t[1] = limb_sub(&borrow, t[1], high);
    t[2] = limb_sub(&borrow, t[2], low);
    t[3] = limb_sub(&borrow, t[3], high);
    t[4] = over - borrow;
}

LANE_INLINE void modular_step(const struct modulus *m, limb t[LIMBS + 2]) {
    if (m->reduction == REDUCE_P256 && LIMBS == 4)
        montgomery_step_p256(m, t);
    else if (m->reduction == REDUCE_SM2 && LIMBS == 4)
        montgomery_step_sm2(t);
    else
        montgomery_step(m, t);
}

/* a * b / R mod m for b < m: a row of the product, a step of the reduction, and so on. a may be any integer below R. */
LANE_INLINE struct limbs montgomery_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    limb t[LIMBS + 2], carry = 0;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[j] = limb_mul_add(&carry, a.v[0], b.v[j], carry, 0);
    t[LIMBS] = carry;
    t[LIMBS + 1] = 0;
    modular_step(m, t);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        carry = 0;
        LANE_UNROLL for (int j = 0; j < LIMBS; j++) t[j] = limb_mul_add(&carry, a.v[i], b.v[j], t[j], carry);
        t[LIMBS + 1] = 0;
        t[LIMBS] = limb_add(&t[LIMBS + 1], t[LIMBS], carry);
        modular_step(m, t);
    }
    struct limbs r;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) r.v[j] = t[j];
    return modular_reduce_once(m, r, t[LIMBS]);
}

/* t / R mod m for t < m R. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    limb window[LIMBS + 2];
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) window[j] = t[j];
    window[LIMBS] = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        window[LIMBS + 1] = 0;
        window[LIMBS] = limb_add(&window[LIMBS + 1], window[LIMBS], t[i + LIMBS]);
        modular_step(m, window);
    }
    struct limbs r;
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) r.v[j] = window[j];
    return modular_reduce_once(m, r, window[LIMBS]);
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    limb carry = 0;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = limb_mul_add(&carry, a.v[i], k, carry, 0);
    return p25519_fold(m, a, carry);
}

/* r = a * b in the representation of m. Maps loose, loose to loose. With Montgomery's reduction a may be any integer
 * below R. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    limb t[2 * LIMBS];
    VERIFY_LANES(modular_is_residue(m, b));
    if (!reduction_is_plain(m->reduction))
        return montgomery_mul(m, a, b);
    limbs_product(t, a, b);
    return plain_reduce(m, t);
}

/* r = a^2 in the representation of m. Maps loose to loose. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    limb t[2 * LIMBS];
    limbs_square(t, a);
    return reduction_is_plain(m->reduction) ? plain_reduce(m, t) : montgomery_reduce(m, t);
}

#endif
