/* Reductions on the machine of limbs/ptx/machine.h. */
#ifndef GECC_LIMBS_PTX_REDUCE_H
#define GECC_LIMBS_PTX_REDUCE_H

#include "limbs/ptx/machine.h"

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
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = limb_select(less, a.v[i], r[i]);
    return a;
}

/* a + m, where `wrap`. */
LANE_INLINE struct limbs modular_add_modulus(const struct modulus *m, struct limbs a, mask wrap) {
    limb multiple[LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) multiple[i] = m->m.v[i] & wrap;
    chain_add(a.v, multiple, LIMBS);
    return a;
}

/* A sum in two parts, x + 2^32 y. */
struct parts {
    limb x[LIMBS + 1], y[LIMBS + 1];
};

/* s = a * b. */
LANE_INLINE void parts_product(struct parts *s, const limb *a, limb b) {
    products_apart(s->x, a, b, LIMBS);
    products_apart(s->y, a + 1, b, LIMBS);
    s->x[LIMBS] = s->y[LIMBS] = 0;
}

/* s += q m for the q that makes s a multiple of 2^32; s->x[0] is the low limb of s. */
LANE_INLINE void parts_clear(struct parts *s, const struct modulus *m) {
    limb q = s->x[0] * m->negative_inverse;
    s->y[LIMBS] = chain_products_onto(s->y[LIMBS], s->y, m->m.v + 1, q, LIMBS / 2);
    s->x[LIMBS] = chain_products_onto(s->x[LIMBS], s->x, m->m.v, q, LIMBS / 2);
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
    r.x[LIMBS] = chain_products_onto(r.x[LIMBS], r.x, a, b, LIMBS / 2);
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

/* (c + 2^32 d) / R mod m for a sum below m R that has no d from R on: limb by limb, in place. Where limb i is the lower
 * of a pair of c it is the upper one of a pair of d, or the other way round; q clears the sum of both, whose carry goes
 * into the chain of products that starts a limb higher. Carries out of chains are kept in the limbs that d has left
 * free. LIMBS^2 products and LIMBS lower halves. */
LANE_INLINE struct limbs montgomery_reduce_parts(const struct modulus *m, limb c[2 * LIMBS], limb d[2 * LIMBS]) {
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        limb *own = i % 2 ? d + i - 1 : c + i, *next = i % 2 ? c + i + 1 : d + i;
        limb left = i % 2 ? c[i] : i > 0 ? d[i - 1] : 0;
        limb q = (own[0] + left) * m->negative_inverse;
        d[i + LIMBS - 1] = chain_products_onto(d[i + LIMBS - 1], own, m->m.v, q, LIMBS / 2);
        d[i + LIMBS] = i > 0 ? chain_add_products(own, left, next, m->m.v + 1, q, LIMBS / 2)
                             : chain_products(next, m->m.v + 1, q, LIMBS / 2);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = c[LIMBS + i];
    limb carry = chain_add(r.v, d + LIMBS - 1, LIMBS);
    return modular_reduce_once(m, r, d[2 * LIMBS - 1] + carry);
}

/* t / R mod m for t < m R; t is overwritten. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, limb t[2 * LIMBS]) {
    limb d[2 * LIMBS];
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) d[i] = 0;
    return montgomery_reduce_parts(m, t, d);
}

/* Residues modulo 2^(32 LIMBS) - c, c < 2^33 and c mod 2^32 < 2^28, are loose: any integer below 2^(32 LIMBS). So are
 * those modulo p = 2^255 - 19, which are kept modulo 2 p = 2^256 - 38. */

LANE_INLINE int reduction_is_loose(enum reduction reduction) {
    return reduction == REDUCE_PSEUDO_MERSENNE || reduction == REDUCE_P25519;
}

/* The c of m, or of 2 m. */
LANE_INLINE uint64_t loose_c(const struct modulus *m) { return m->reduction == REDUCE_P25519 ? 2 * m->c : m->c; }

/* Limb i of twice what residues are kept modulo. */
LANE_INLINE limb loose_twice(const struct modulus *m, int i) {
    const int bits = m->reduction == REDUCE_P25519 ? 2 : 1;
    return (i < LIMBS ? m->m.v[i] << bits : 0) | (i > 0 ? m->m.v[i - 1] >> (32 - bits) : 0);
}

/* c where wrap, which is all ones or 0, or else 0. */
LANE_INLINE void loose_c_masked(limb f[LIMBS], const struct modulus *m, mask wrap) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) f[i] = 0;
    f[0] = (limb)loose_c(m) & wrap;
    f[1] = (limb)(loose_c(m) >> 32) & wrap;
}

/* carry c for a carry that is 0 or 1. */
LANE_INLINE void loose_c_times(limb f[LIMBS], const struct modulus *m, limb carry) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) f[i] = 0;
    f[0] = (limb)loose_c(m) * carry;
    f[1] = (limb)(loose_c(m) >> 32) * carry;
}

/* So many limbs has c, or a sum of a few. */
LANE_INLINE int loose_c_limbs(const struct modulus *m) { return loose_c(m) >> 32 ? 2 : 1; }

/* a + b. If adding c for the carry carries too, the rest is less than c. */
LANE_INLINE struct limbs loose_add(const struct modulus *m, struct limbs a, struct limbs b) {
    limb f[LIMBS];
    loose_c_times(f, m, chain_add(a.v, b.v, LIMBS));
    loose_c_times(f, m, chain_add(a.v, f, LIMBS));
    chain_add(a.v, f, loose_c_limbs(m));
    return a;
}

/* a - b. If subtracting c for the borrow borrows too, the rest is at least 2^(32 LIMBS) - c. */
LANE_INLINE struct limbs loose_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    limb f[LIMBS];
    loose_c_masked(f, m, chain_sub(a.v, b.v, LIMBS));
    loose_c_masked(f, m, chain_sub(a.v, f, LIMBS));
    chain_sub(a.v, f, loose_c_limbs(m));
    return a;
}

/* a mod m: a + c carries where a is not below m. Of 2^255 - 19 the uppermost bit of a, and then of a + 19, says so. */
LANE_INLINE struct limbs loose_canonical(const struct modulus *m, struct limbs a) {
    limb f[LIMBS];
    const limb top = (limb)1 << 31;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) f[i] = 0;
    if (m->reduction == REDUCE_P25519) {
        f[0] = (limb)m->c * (a.v[LIMBS - 1] >> 31);
        a.v[LIMBS - 1] &= ~top;
        chain_add(a.v, f, LIMBS);
    }
    struct limbs s = a;
    f[0] = (limb)m->c;
    f[1] = (limb)(m->c >> 32);
    limb carry = chain_add(s.v, f, LIMBS);
    if (m->reduction == REDUCE_P25519) {
        carry = s.v[LIMBS - 1] >> 31;
        s.v[LIMBS - 1] &= ~top;
    }
    return limbs_select(mask_from_bit(carry), s, a);
}

/* a = 0 mod m? */
LANE_INLINE mask loose_is_zero(const struct modulus *m, struct limbs a) {
    mask zero = limbs_is_zero(a) | limbs_equal(a, limbs_set(&m->m));
    if (m->reduction == REDUCE_P25519) {
        struct limbs twice;
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) twice.v[i] = m->m.v[i] << 1 | (i > 0 ? m->m.v[i - 1] >> 31 : 0);
        zero = zero | limbs_equal(a, twice);
    }
    return zero;
}

/* r + above 2^(32 LIMBS) for above c < 2^32 and c < 2^31. */
LANE_INLINE struct limbs loose_fold(const struct modulus *m, struct limbs r, limb above) {
    limb f[LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) f[i] = 0;
    f[0] = above * (limb)loose_c(m);
    loose_c_times(f, m, chain_add(r.v, f, LIMBS)); /* where this carries, one limb is left */
    chain_add(r.v, f, 1);
    return r;
}

/* t + over 2^(64 LIMBS), over <= 2: the upper half folds onto the lower times c, twice. */
LANE_INLINE struct limbs loose_reduce(const struct modulus *m, const limb t[2 * LIMBS], limb over) {
    const limb c = (limb)loose_c(m), top = 0 - (limb)(loose_c(m) >> 32); /* top is 0 or all ones */
    struct limbs r;
    limb even[LIMBS + 2], odd[LIMBS + 1], f[LIMBS];
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        even[i] = t[i];
        odd[i] = t[LIMBS + i] & top; /* weighs 2^32: c's upper limb times the upper half, its lower times odd limbs */
    }
    even[LIMBS] = chain_products(even, t + LIMBS, c, LIMBS / 2);
    odd[LIMBS] = chain_products(odd, t + LIMBS + 1, c, LIMBS / 2);
    even[LIMBS + 1] = 0;
    if (loose_c(m) < 1 << 14) { /* what is above 2^(32 LIMBS) is at most 3 c */
        chain_add(even + 1, odd, LIMBS);
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = even[i];
        return loose_fold(m, r, even[LIMBS] + over * c);
    }
    chain_add(even + 1, odd, LIMBS + 1);

    /* what is above 2^(32 LIMBS), at most 3 c + 1, times c: three limbs, of which the last is small */
    lane64 above = lane64_join(even[LIMBS + 1], even[LIMBS]) + (lane64)over * c + ((lane64)(over & top) << 32);
    lane64 low = limb_product(lane64_low(above), c);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        r.v[i] = even[i];
        f[i] = 0;
    }
    f[0] = lane64_low(low);
    f[1] = lane64_high(low) + lane64_high(above) * c; /* < 2^28 + 10 * 2^28 */
    limb upper[1] = {lane64_low(above) & top};
    f[2] = (lane64_high(above) & top) + chain_add(f + 1, upper, 1);
    /* where this carries, three limbs are left and c is added to those */
    loose_c_times(f, m, chain_add(r.v, f, LIMBS));
    chain_add(r.v, f, 3);
    return r;
}

/* The Montgomery reductions of the primes below compute the whole quotient q = -t / p mod R in place of the lower half
 * of t, by additions, since p = -1 + powers of 2^32. Then (t + q p) / R is the upper half of t, plus those parts of q
 * (p + 1) that reach beyond R, plus the carries from computing q. That is below 2 p: R - p is added with the rest, in
 * limbs that would be 0, and p where the sum does not reach R. */

/* What r is modulo p: r in LIMBS limbs and one that is 0, or all ones where p is to be added. */
LANE_INLINE struct limbs signed_residue(const struct modulus *m, const limb r[LIMBS + 1]) {
    struct limbs a;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = r[i];
    return modular_add_modulus(m, a, r[LIMBS]);
}

/* p = 2^256 - 2^224 + 2^192 + 2^96 - 1: q = t + 2^96 q + 2^192 q - 2^224 q mod R.
 * R - p = 1 + (2^224 - 2^192 - 2^96), the latter in v. */
LANE_INLINE struct limbs montgomery_reduce_p256(const struct modulus *m, limb t[2 * LIMBS]) {
    limb *q = t, u[9], v[8], r[9];
    limb carry = chain_add(q + 3, q, 3);
    limb carry96 = chain_add_from(q + 6, q + 3, 2, carry);
    limb carry192 = chain_add(q + 6, q, 2);
    limb borrow224 = chain_sub(q + 7, q, 1);
    LANE_UNROLL for (int i = 0; i < 8; i++) {
        r[i] = t[8 + i];
        u[i] = i < 6 ? q[2 + i] : 0;
        v[i] = i < 3 ? q[5 + i] : i < 6 ? 0xffffffff : 0xfffffffe;
    }
    r[8] = chain_add_from(r, q, 8, 1);
    chain_add_from(u, v, 7, carry96);
    u[7] = chain_sub_borrow_piece(u, q + 1, 7, borrow224); /* the sign */
    u[8] = u[7] - 1;
    chain_add_from(r, u, 9, carry192);
    return signed_residue(m, r);
}

/* p = 2^256 - 2^224 - 2^96 + 2^64 - 1: q = t + 2^64 w - 2^224 q mod R, w = q - 2^32 q.
 * R - p = 1 + (2^224 + 2^96 - 2^64), the latter in v. */
LANE_INLINE struct limbs montgomery_reduce_sm2(const struct modulus *m, limb t[2 * LIMBS]) {
    limb *q = t, w[6], u[9], v[9], r[9];
    w[0] = q[0];
    w[1] = q[1];
    limb borrow = chain_sub(w + 1, q, 1);
    limb carry = chain_add(q + 2, w, 2);
    LANE_UNROLL for (int i = 2; i < 6; i += 2) {
        w[i] = q[i];
        w[i + 1] = q[i + 1];
        borrow = chain_sub_borrow_piece(w + i, q + i - 1, 2, borrow);
        carry = chain_add_from(q + i + 2, w + i, 2, carry);
    }
    limb borrow224 = chain_sub(q + 7, q, 1);
    LANE_UNROLL for (int i = 0; i < 8; i++) {
        r[i] = t[8 + i];
        u[i] = i < 7 ? q[1 + i] : 0;
        v[i] = i < 3 ? q[5 + i] : 0;
    }
    u[7] = chain_add_from(u, v, 7, borrow & 1); /* 2^-32 q + 2^-160 q, to be subtracted */
    u[8] = 0;
    r[8] = chain_add_from(r, q, 8, 1);
    LANE_UNROLL for (int i = 0; i < 8; i++) v[i] = i < 2 ? q[6 + i] : i == 2 ? 0xffffffff : i == 7;
    v[8] = 0xffffffff;
    chain_add_from(r, v, 9, carry);
    chain_sub_borrow_piece(r, u, 9, borrow224);
    return signed_residue(m, r);
}

/* The next three limbs x of q for p = 2^384 - 2^128 - 2^96 + 2^32 - 1, in place of t[0 .. 2], to which the limbs below
 * have been added; and their part of t[3], t[4], ...: e = x + 2^32 x - x[2] - carry, five limbs, not negative. */
LANE_INLINE void quotient_p384(limb e[5], limb t[3]) {
    limb x[5];
    limb carry = chain_add(t + 1, t, 1);
    carry = chain_add_from(t + 2, t + 1, 1, carry);
    LANE_UNROLL for (int i = 0; i < 5; i++) {
        e[i] = i < 3 ? t[i] : 0;
        x[i] = i > 0 && i < 4 ? t[i - 1] : 0;
    }
    e[4] = chain_add(e + 1, x + 1, 3);
    LANE_UNROLL for (int i = 0; i < 5; i++) x[i] = i == 0 ? t[2] : 0;
    chain_sub_borrow_piece(e, x, 5, carry);
}

/* q = t + 2^32 q - 2^96 q - 2^128 q mod R, three limbs at a time. R - p = 1 + (2^128 + 2^96 - 2^32), of which the
 * latter makes less of e, which is subtracted: e's sixth limb and those above are its sign. */
LANE_INLINE struct limbs montgomery_reduce_p384(const struct modulus *m, limb t[2 * LIMBS]) {
    limb e[13], beyond[12], borrow[3], r[13];
    LANE_UNROLL for (int i = 0; i < 12; i++) {
        r[i] = t[12 + i];
        beyond[i] = 0;
    }
    LANE_UNROLL for (int s = 0; s < 3; s++) {
        LANE_UNROLL for (int i = 5; i < 12; i++) e[i] = 0;
        quotient_p384(e, t + 3 * s);
        borrow[s] = chain_sub(t + 3 * s + 3, e, 9 - 3 * s);
    }
    beyond[0] = e[3];
    beyond[1] = e[4];
    quotient_p384(e, t + 9);
    chain_add_from(e, beyond, 5, borrow[0] & 1);
    r[12] = chain_add_from(r, t, 12, 1);
    beyond[0] = beyond[2] = 0;
    beyond[1] = 1;
    beyond[3] = 0xffffffff;
    beyond[4] = 0xfffffffe;
    e[12] = chain_add_from(e, beyond, 5, borrow[1] & 1); /* the sign and 1 */
    LANE_UNROLL for (int i = 5; i < 12; i++) e[i] = e[12] - 1;
    chain_sub_borrow_piece(r, e, 13, borrow[2]);
    return signed_residue(m, r);
}

/* p = 2^521 - 1, R = 2^576, so that 1 / R = 2^466 mod p: of t = a + 2^55 b + R c, a < 2^55 and b < 2^521, the rest
 * is b + (c + 2^466 a). t < 2^1042, for which c + 2^466 a carries nothing. The sum is p at most twice over. */
LANE_INLINE struct limbs montgomery_reduce_p521(const limb t[2 * LIMBS]) {
    enum { SHIFT = 55 - 32, TOP = 18 }; /* the last but four limbs of c have 18 bits */
    const limb a[2] = {t[0], t[1] & (((limb)1 << SHIFT) - 1)};
    limb r[17], c[17], carry;
    LANE_UNROLL for (int i = 0; i < 17; i++) {
        r[i] = t[i + 1] >> SHIFT | (i < 16 ? t[i + 2] << (32 - SHIFT) : 0);
        c[i] = i < 15 ? t[18 + i] : 0;
    }
    c[14] |= a[0] << TOP;
    c[15] = a[0] >> (32 - TOP) | a[1] << TOP;
    c[16] = a[1] >> (32 - TOP);
    chain_add(r, c, 17);
    /* r + 1 reaches 2^521 where r is not below p */
    struct limbs s = limbs_zero(), one = limbs_zero();
    one.v[0] = 1;
    LANE_UNROLL for (int i = 0; i < 17; i++) s.v[i] = r[i];
    struct limbs above = s;
    chain_add(above.v, one.v, 17);
    carry = above.v[16] >> 9 & 1;
    above.v[16] &= 0x1ff;
    return limbs_select(mask_from_bit(carry), above, s);
}

/* A translation unit may bring reductions of its own, and products that go with them: it defines OWN_REDUCTIONS as the
 * name of a header with the functions of limbs/ptx/no_own_reductions.h before it includes the machine. */
#ifndef OWN_REDUCTIONS
#define OWN_REDUCTIONS "limbs/ptx/no_own_reductions.h"
#endif
#include OWN_REDUCTIONS

/* Is the whole product made before it is reduced? */
LANE_INLINE int reduces_after_product(enum reduction reduction) {
    return reduction_is_loose(reduction) || (LIMBS == 12 && reduction == REDUCE_P384) ||
           (LIMBS == 18 && reduction == REDUCE_P521) ||
           (LIMBS == 8 && (reduction == REDUCE_P256 || reduction == REDUCE_SM2)) || reduction_is_own(reduction);
}

/* t / R mod m for t < m R; or t mod m, any t, where residues are loose. t is overwritten. */
LANE_INLINE struct limbs modular_reduce(const struct modulus *m, limb t[2 * LIMBS]) {
    if (reduction_is_loose(m->reduction))
        return loose_reduce(m, t, 0);
    if (LIMBS == 8 && m->reduction == REDUCE_P256)
        return montgomery_reduce_p256(m, t);
    if (LIMBS == 8 && m->reduction == REDUCE_SM2)
        return montgomery_reduce_sm2(m, t);
    if (LIMBS == 12 && m->reduction == REDUCE_P384)
        return montgomery_reduce_p384(m, t);
    if (LIMBS == 18 && m->reduction == REDUCE_P521)
        return montgomery_reduce_p521(t);
    if (reduction_is_own(m->reduction))
        return own_reduce(m, t);
    return montgomery_reduce(m, t);
}

#endif
