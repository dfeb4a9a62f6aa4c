/* Reductions on the machine of limbs/ptx.h. */
#ifndef GECC_LIMBS_PTX_REDUCE_H
#define GECC_LIMBS_PTX_REDUCE_H

#include "limbs/ptx.h"

/* t mod m for t = carry * R + a < 2 m, carry being 0 or 1. */
LANE_INLINE struct limbs modular_reduce_once(const struct modulus *m, struct limbs a, limb carry) {
    limb r[LIMBS + 1], modulus[LIMBS + 1];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        r[i] = a.v[i];
        modulus[i] = m->m.v[i];
    }
    r[LIMBS] = carry;
    modulus[LIMBS] = 0;
    mask less = chain_sub(r, modulus, LIMBS + 1);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = less ? a.v[i] : r[i];
    return a;
}

/* A sum in two parts, x + 2^32 y. */
struct parts {
    limb x[LIMBS + 1], y[LIMBS + 1];
};

/* s = a * b. */
LANE_INLINE void parts_product(struct parts *s, const limb *a, limb b) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i += 2) {
        lane64 even = (lane64)a[i] * b, odd = (lane64)a[i + 1] * b;
        s->x[i] = lane64_low(even);
        s->x[i + 1] = lane64_high(even);
        s->y[i] = lane64_low(odd);
        s->y[i + 1] = lane64_high(odd);
    }
    s->x[LIMBS] = s->y[LIMBS] = 0;
}

/* s += q m for the q that makes s a multiple of 2^32; s->x[0] is the low limb of s. */
LANE_INLINE void parts_clear(struct parts *s, const struct modulus *m) {
    limb q = s->x[0] * m->negative_inverse;
    s->y[LIMBS] += chain_products(s->y, m->m.v + 1, q, LIMBS / 2);
    s->x[LIMBS] += chain_products(s->x, m->m.v, q, LIMBS / 2);
}

/* s = s / 2^32 + a * b, a multiple of 2^32 to begin with. */
LANE_INLINE void parts_shift_add(struct parts *s, const limb *a, limb b) {
    struct parts r;
    limb left = s->x[1];
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) {
        r.x[i] = s->y[i];
        r.y[i] = i + 2 <= LIMBS ? s->x[i + 2] : 0;
    }
    r.y[LIMBS] = chain_add_products(&r.x[0], left, r.y, a + 1, b, LIMBS / 2);
    r.x[LIMBS] += chain_products(r.x, a, b, LIMBS / 2);
    *s = r;
}

/* a * b / R mod m for b < m, a any integer below R: a row of the product, a step of the reduction, and so on. Before
 * each row the sum is below a + m. */
LANE_INLINE struct limbs montgomery_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    struct parts s;
    struct limbs r;
    parts_product(&s, a.v, b.v[0]);
    parts_clear(&s, m);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        parts_shift_add(&s, a.v, b.v[i]);
        parts_clear(&s, m);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = s.y[i];
    limb carry = chain_add(r.v, s.x + 1, LIMBS);
    return modular_reduce_once(m, r, s.y[LIMBS] + carry);
}

/* t / R mod m for t < m R: the lower half of t is cleared, the upper half waits. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    struct parts s;
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        s.x[i] = t[i];
        s.y[i] = 0;
    }
    s.x[LIMBS] = s.y[LIMBS] = 0;
    parts_clear(&s, m);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) {
        limb q = (s.x[1] + s.y[0]) * m->negative_inverse;
        parts_shift_add(&s, m->m.v, q);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = s.y[i];
    limb carry = chain_add(r.v, s.x + 1, LIMBS);
    carry += chain_add(r.v, t + LIMBS, LIMBS);
    return modular_reduce_once(m, r, s.y[LIMBS] + carry);
}

/* t mod 2^(32 LIMBS) - c, c < 2^33: the upper half folds onto the lower times c, twice. */
LANE_INLINE struct limbs pseudo_mersenne_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    const limb c = (limb)m->c, top = (limb)(m->c >> 32); /* top is 0 or 1 */
    struct limbs r;
    limb even[LIMBS + 2], odd[LIMBS + 2], fold[LIMBS + 1];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        even[i] = t[i];
        odd[i] = t[LIMBS + i] & (0 - top); /* weighs 2^32: top times the upper half, and c times its odd limbs */
    }
    even[LIMBS] = chain_products(even, t + LIMBS, c, LIMBS / 2);
    odd[LIMBS] = chain_products(odd, t + LIMBS + 1, c, LIMBS / 2);
    even[LIMBS + 1] = chain_add(even + 1, odd, LIMBS) + odd[LIMBS];

    /* what is above 2^(32 LIMBS), h = even[LIMBS + 1] : even[LIMBS] <= c + 1, times c */
    lane64 low = (lane64)even[LIMBS] * c, high = (lane64)even[LIMBS + 1] * c;
    limb upper[2] = {even[LIMBS] & (0 - top), even[LIMBS + 1] & (0 - top)};
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        r.v[i] = even[i];
        fold[i] = 0;
    }
    fold[0] = lane64_low(low);
    fold[1] = lane64_high(low);
    limb middle[2] = {lane64_low(high), lane64_high(high)};
    fold[3] = chain_add(middle, upper, 2);
    fold[3] += chain_add(fold + 1, middle, 2);
    limb over = chain_add(r.v, fold, LIMBS); /* then r < c^2 + c, so adding c once more cannot overflow */

    /* r + c overflows where r is not below the modulus */
    struct limbs s = r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) fold[i] = 0;
    fold[0] = c;
    fold[1] = top;
    limb carry = chain_add(s.v, fold, LIMBS);
    return limbs_select(mask_from_bit(over | carry), s, r);
}

/* Is the whole product made before it is reduced? */
LANE_INLINE int reduces_after_product(enum reduction reduction) { return reduction == REDUCE_PSEUDO_MERSENNE; }

/* t / R mod m, or t mod m where the modulus is pseudo-Mersenne. */
LANE_INLINE struct limbs modular_reduce(const struct modulus *m, const limb t[2 * LIMBS]) {
    return m->reduction == REDUCE_PSEUDO_MERSENNE ? pseudo_mersenne_reduce(m, t) : montgomery_reduce(m, t);
}

#endif
