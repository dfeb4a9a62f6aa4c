/* Residues of vector machines. Included after the lanes of one, whose products it uses.
 *
 * Loose residues: a value below 2 m modulo a modulus of no special form; modulo the others, primes of curves, below 9/8
 * of the power of two that is next to the prime, 2^(32 WORDS), 2^521 or 2^255, hence below 2 p. Either has two
 * representations of a residue at most.
 *
 * A product is a row of 2 LIMBS columns, sums of 52-bit halves of products, which carry nothing until the end: 64 bits
 * hold 2^11 of them. Columns are in two's complement, so that products and residues are subtracted column by column.
 * Montgomery's reduction takes R = 2^(52 LIMBS) > 16 m: its result is below m + a b / R, in range as it is. */
#ifndef GECC_LIMBS_VECTOR_MULTIPLY_H
#define GECC_LIMBS_VECTOR_MULTIPLY_H

#include "limbs/vector/machine.h"

/* How field.h compiles a multiplication: inlined, so that independent ones overlap; a call in the VERIFY build, where
 * sanitizers make it longer. */
#ifdef GECC_VERIFY
#undef FIELD_MULTIPLY
#define FIELD_MULTIPLY LANE_FUNCTION
#elif !defined(FIELD_MULTIPLY)
#define FIELD_MULTIPLY LANE_INLINE
#endif

/* This machine has its own versions of functions that field/modular.h and field/sums.h would make of the others. */
#define MODULAR_OWN_IS_ZERO
#define MODULAR_OWN_HALF
#define MODULAR_OWN_SUMS

enum {
    TOP_BITS = 32 * WORDS - LIMB_BITS * (LIMBS - 1), /* of the last limb of a number below 2^(32 WORDS) */
    P521_TOP_BITS = 521 - LIMB_BITS * (11 - 1)       /* of one below 2^521 */
};

/* The sum of (v[i] - excess[i]) 2^(52 i), each in two's complement. What products add in excess is a constant to the
 * compiler, which a column is freed of when it is read. */
struct columns {
    lane64 v[2 * LIMBS];
    limb excess[2 * LIMBS];
};

LANE_INLINE struct columns columns_zero(void) {
    struct columns t;
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) t.v[i] = lane64_set(t.excess[i] = 0);
    return t;
}

/* Column i, without its excess. */
LANE_INLINE lane64 columns_settle(struct columns *t, int i) {
    t->v[i] = t->v[i] - lane64_set(t->excess[i]);
    t->excess[i] = 0;
    return t->v[i];
}

/* t += x 2^(52 at), for an x and a y of 52 bits. */
LANE_INLINE void columns_add_product(struct columns *t, int at, lane64 x, lane64 y) {
    lane64_add_product(&t->v[at], &t->v[at + 1], x, y);
    t->excess[at] += PRODUCT_LOW_EXCESS;
    t->excess[at + 1] += PRODUCT_HIGH_EXCESS;
}

/* a * b. */
LANE_INLINE struct columns columns_product(struct limbs a, struct limbs b) {
    struct columns t = columns_zero();
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) LANE_UNROLL for (int j = 0; j < LIMBS; j++)
        columns_add_product(&t, i + j, a.v[i], b.v[j]);
    return t;
}

/* a^2: the products above the diagonal once, doubled, and the squares. */
LANE_INLINE struct columns columns_square(struct limbs a) {
    struct columns t = columns_zero();
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) LANE_UNROLL for (int j = i + 1; j < LIMBS; j++)
        columns_add_product(&t, i + j, a.v[i], a.v[j]);
    LANE_UNROLL for (int i = 1; i < 2 * LIMBS - 1; i++) {
        t.v[i] = t.v[i] + t.v[i];
        t.excess[i] *= 2;
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) columns_add_product(&t, 2 * i, a.v[i], a.v[i]);
    return t;
}

/* t - u. */
LANE_INLINE struct columns columns_sub(struct columns t, struct columns u) {
    LANE_UNROLL for (int i = 0; i < 2 * LIMBS; i++) {
        t.v[i] = t.v[i] - u.v[i];
        t.excess[i] -= u.excess[i];
    }
    return t;
}

/* Montgomery steps: t += q m 2^(52 i) for the q that clears column i, whose carry goes to the next one. Column i is not
 * read again. The special ones take q m as a sum of signed powers of two; -q is (2^52 - 1 - q) - (2^52 - 1), and the
 * excess, a constant, cancels from one step to the next but for the part that columns_correct adds. */

/* p = 2^256 - 2^224 + 2^192 + 2^96 - 1. */
LANE_INLINE void montgomery_step_p256(struct columns *t, int i) {
    lane64 q = columns_settle(t, i);
    columns_add_product(t, i + 1, q, lane64_set((limb)1 << 44));
    columns_add_product(t, i + 3, q, lane64_set((limb)1 << 36));
    columns_add_product(t, i + 4, q, lane64_set(((limb)1 << 48) - ((limb)1 << 16)));
    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(q, LIMB_BITS);
}

/* p = 2^256 - 2^224 - 2^96 + 2^64 - 1. */
LANE_INLINE void montgomery_step_sm2(struct columns *t, int i) {
    lane64 q = columns_settle(t, i);
    columns_add_product(t, i + 1, ~q, lane64_set(((limb)1 << 44) - ((limb)1 << 12)));
    columns_add_product(t, i + 4, q, lane64_set(((limb)1 << 48) - ((limb)1 << 16)));
    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(q, LIMB_BITS);
}

/* p = 2^384 - 2^128 - 2^96 + 2^32 - 1. */
LANE_INLINE void montgomery_step_p384(struct columns *t, int i) {
    lane64 q = lane64_product_low(t->v[i], lane64_set(((limb)1 << 32) + 1));
    columns_add_product(t, i, q, lane64_set(((limb)1 << 32) - 1));
    columns_add_product(t, i + 1, ~q, lane64_set((limb)1 << 44));
    columns_add_product(t, i + 2, ~q, lane64_set((limb)1 << 24));
    columns_add_product(t, i + 7, q, lane64_set((limb)1 << 20));
    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(columns_settle(t, i), LIMB_BITS);
}

/* p = 2^521 - 1. */
LANE_INLINE void montgomery_step_p521(struct columns *t, int i) {
    lane64 q = columns_settle(t, i);
    columns_add_product(t, i + LIMBS - 1, q, lane64_set((limb)1 << P521_TOP_BITS));
    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(q, LIMB_BITS);
}

LANE_INLINE void montgomery_step(const struct modulus *m, struct columns *t, int i) {
    lane64 q = lane64_product_low(t->v[i], lane64_set(m->negative_inverse));
    LANE_UNROLL for (int j = 0; j < LIMBS; j++) columns_add_product(t, i + j, q, lane64_set(m->m.v[j]));
    t->v[i + 1] = t->v[i + 1] + lane64_shift_right_signed(columns_settle(t, i), LIMB_BITS);
}

/* t += x at column i, and -x where the steps' corrections end. */
LANE_INLINE void columns_correct(struct columns *t, int i, limb x) {
    t->v[i] = t->v[i] + lane64_set(x);
    t->v[i + LIMBS] = t->v[i + LIMBS] - lane64_set(x);
}

/* t / R mod m, in columns LIMBS to 2 LIMBS - 1, not carried. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, struct columns t) {
    if (m->reduction == REDUCE_SM2 && LIMBS == 5)
        columns_correct(&t, 1, ((limb)1 << 44) - ((limb)1 << 12));
    if (m->reduction == REDUCE_P384 && LIMBS == 8) {
        columns_correct(&t, 1, (limb)1 << 44);
        columns_correct(&t, 2, (limb)1 << 24);
    }
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        if (m->reduction == REDUCE_P256 && LIMBS == 5)
            montgomery_step_p256(&t, i);
        else if (m->reduction == REDUCE_SM2 && LIMBS == 5)
            montgomery_step_sm2(&t, i);
        else if (m->reduction == REDUCE_P384 && LIMBS == 8)
            montgomery_step_p384(&t, i);
        else if (m->reduction == REDUCE_P521 && LIMBS == 11)
            montgomery_step_p521(&t, i);
        else
            montgomery_step(m, &t, i);
    }
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = columns_settle(&t, i + LIMBS);
    return r;
}

/* Bits of the last limb of a number below the power of two from which m is c away. */
LANE_INLINE int top_bits(const struct modulus *m) {
    return m->reduction == REDUCE_P25519 ? 255 - LIMB_BITS * (LIMBS - 1) : TOP_BITS;
}

/* t mod m = 2^(32 WORDS) - c, or 2^255 - c, not carried: the upper columns, not negative together, fold onto the lower
 * ones times 2^(52 LIMBS) mod m, twice. */
LANE_INLINE struct limbs pseudo_mersenne_reduce(const struct modulus *m, struct columns t) {
    lane64 fold = lane64_set(m->c << (LIMB_BITS - top_bits(m)));
    LANE_UNROLL for (int i = LIMBS; i < 2 * LIMBS - 1; i++) t.v[i + 1] =
        t.v[i + 1] + lane64_shift_right_signed(columns_settle(&t, i), LIMB_BITS);
    columns_settle(&t, 2 * LIMBS - 1);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        lane64 upper = t.v[i + LIMBS];
        t.v[i + LIMBS] = lane64_set(0);
        columns_add_product(&t, i, upper, fold);
    }
    columns_add_product(&t, 0, columns_settle(&t, LIMBS), fold);
    struct limbs r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = columns_settle(&t, i);
    return r;
}

/* prime_fold for p = 2^521 - 1, whose last limb is one bit: the limb below is carried first, so that what is left to be
 * carried, a few units of that limb, makes the result no greater than a loose residue may be. */
LANE_INLINE struct limbs prime_fold_p521(struct limbs t) {
    t.v[LIMBS - 1] = t.v[LIMBS - 1] + lane64_shift_right_signed(t.v[LIMBS - 2], LIMB_BITS);
    t.v[LIMBS - 2] = limb_low(t.v[LIMBS - 2]);
    t.v[0] = t.v[0] + lane64_shift_right_signed(t.v[LIMBS - 1], P521_TOP_BITS);
    t.v[LIMBS - 1] = t.v[LIMBS - 1] & lane64_set(((limb)1 << P521_TOP_BITS) - 1);
    return t;
}

/* t = top 2^(32 WORDS) + rest  ->  rest + top (2^(32 WORDS) mod p), or with 2^255, not carried; top is at most 2^16. p
 * is a prime of a special form. t is not negative, and the result is not either: for the primes of P-256 and SM2 the
 * limbs below the last may be negative together, but by far less than 2^(32 WORDS - 32), which a top of 1 adds; for the
 * others they are not, since less was subtracted from them than the multiple of p that was added. */
LANE_INLINE struct limbs prime_fold(const struct modulus *m, struct limbs t) {
    if (m->reduction == REDUCE_P521)
        return prime_fold_p521(t);
    lane64 top = lane64_shift_right_signed(t.v[LIMBS - 1], top_bits(m));
    VERIFY_LANES(~lane64_is_negative(top) & lane64_is_negative(top - lane64_set(((limb)1 << 16) + 1)));
    t.v[LIMBS - 1] = t.v[LIMBS - 1] & lane64_set(((limb)1 << top_bits(m)) - 1);
    if (reduction_is_plain(m->reduction)) {
        t.v[0] = lane64_add_product_low(t.v[0], top, lane64_set(m->c));
    } else if (m->reduction == REDUCE_P256) { /* 2^224 - 2^192 - 2^96 + 1 */
        t.v[0] = t.v[0] + top;
        t.v[1] = t.v[1] - (top << 44);
        t.v[LIMBS - 2] = t.v[LIMBS - 2] - (top << 36);
        t.v[LIMBS - 1] = t.v[LIMBS - 1] + (top << 16);
    } else if (m->reduction == REDUCE_SM2) { /* 2^224 + 2^96 - 2^64 + 1 */
        t.v[0] = t.v[0] + top;
        t.v[1] = t.v[1] + ((top << 44) - (top << 12));
        t.v[LIMBS - 1] = t.v[LIMBS - 1] + (top << 16);
    } else { /* REDUCE_P384: 2^128 + 2^96 - 2^32 + 1 */
        t.v[0] = t.v[0] + (top - (top << 32));
        t.v[1] = t.v[1] + (top << 44);
        t.v[2] = t.v[2] + (top << 24);
    }
    return t;
}

/* Any t in [0, 4 m), limbs not negative, to a loose residue of a modulus without a special form. */
LANE_INLINE struct limbs reduce_twice(const struct modulus *m, struct limbs t) {
    struct limbs less;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) less.v[i] = t.v[i] - lane64_set(2 * m->m.v[i]);
    lane64 sign = less.v[0];
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) sign = less.v[i] + lane64_shift_right_signed(sign, LIMB_BITS);
    return limbs_carry(limbs_select(lane64_is_negative(sign), t, less));
}

/* Any t in [0, 8 m), limbs of any sign, to a loose residue of a modulus without a special form. */
LANE_INLINE struct limbs reduce_thrice(const struct modulus *m, struct limbs t) {
    struct limbs less;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) less.v[i] = t.v[i] - lane64_set(4 * m->m.v[i]);
    t = limbs_carry(t);
    less = limbs_carry(less);
    return reduce_twice(m, limbs_select(lane64_is_negative(less.v[LIMBS - 1]), t, less));
}

/* A sum of loose residues whose limbs are not negative, below 4 m, to a loose residue. */
LANE_INLINE struct limbs modular_fold(const struct modulus *m, struct limbs t) {
    return m->reduction == REDUCE_MONTGOMERY ? reduce_twice(m, t) : limbs_carry(prime_fold(m, t));
}

/* Is a what this machine takes for a residue? */
LANE_INLINE mask modular_is_residue(const struct modulus *m, struct limbs a) {
    struct limbs high, bound = limbs_zero();
    const int power = m->reduction == REDUCE_P521 ? 521 : m->reduction == REDUCE_P25519 ? 255 : 32 * WORDS;
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

/* r = a + b mod m. Maps loose, loose to loose. Modulo 2^255 - 19 a may be any integer below 2^256. */
LANE_INLINE struct limbs modular_add(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(m->reduction == REDUCE_P25519 ? mask_set(1) : modular_is_residue(m, a));
    VERIFY_LANES(modular_is_residue(m, b));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] + b.v[i];
    return modular_fold(m, a);
}

/* r = a - b mod m, as a + 2 m - b; a limb of 2 m that is less than b's could be borrows 2^52 from the next. Maps loose,
 * loose to loose. */
LANE_INLINE struct limbs modular_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, a) & modular_is_residue(m, b));
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        limb lent = 2 * m->m.v[i] + (i < LIMBS - 1 ? (limb)1 << LIMB_BITS : 0) - (i > 0);
        a.v[i] = (a.v[i] + lane64_set(lent)) - b.v[i];
    }
    return modular_fold(m, a);
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

/* a + b as one of two factors of a product. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_add_factor(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_add(m, a, b);
}

/* A product, to a loose residue in the representation of m. */
LANE_INLINE struct limbs columns_reduce(const struct modulus *m, struct columns t) {
    if (reduction_is_plain(m->reduction))
        return limbs_carry(prime_fold(m, pseudo_mersenne_reduce(m, t)));
    return limbs_carry(montgomery_reduce(m, t));
}

/* r = a k for an integer k below 2^20, modulo 2^255 - 19. What is above the last limb folds onto the first. Maps loose
 * to loose. */
LANE_INLINE struct limbs modular_mul_small(const struct modulus *m, struct limbs a, limb k) {
    struct limbs r;
    lane64 factor = lane64_set(k), fold = lane64_set(m->c << (LIMB_BITS - top_bits(m))), zero = lane64_set(0);
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) r.v[i] = lane64_add_product_low(zero, a.v[i], factor);
    LANE_UNROLL for (int i = 1; i < LIMBS; i++) r.v[i] = lane64_add_product_high(r.v[i], a.v[i - 1], factor);
    lane64 over = lane64_add_product_high(zero, a.v[LIMBS - 1], factor);
    r.v[0] = lane64_add_product_low(r.v[0], over, fold);
    return limbs_carry(prime_fold(m, r));
}

/* r = a * b in the representation of m. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    VERIFY_LANES(modular_is_residue(m, b));
    return columns_reduce(m, columns_product(a, b));
}

/* r = a^2 in the representation of m. Maps loose to loose. */
LANE_INLINE struct limbs modular_sqr(const struct modulus *m, struct limbs a) {
    return columns_reduce(m, columns_square(a));
}

/* Sums with one reduction. A multiple of m, added where the result will stand, exceeds what is subtracted: three loose
 * residues are less than 4 p for a prime of a special form, and than 6 m. What is reduced is below 8 m: Montgomery's
 * reduction of a product adds less than 2 m. */

/* t + times m, in the representation of m, to a loose residue. */
LANE_INLINE struct limbs columns_reduce_sum(const struct modulus *m, struct columns t, limb times) {
    int plain = reduction_is_plain(m->reduction), at = plain ? 0 : LIMBS;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[at + i] = t.v[at + i] + lane64_set(times * m->m.v[i]);
    if (m->reduction == REDUCE_MONTGOMERY)
        return reduce_thrice(m, montgomery_reduce(m, t));
    struct limbs r = plain ? pseudo_mersenne_reduce(m, t) : montgomery_reduce(m, t);
    return limbs_carry(prime_fold(m, r));
}

/* A product t, less `minus`, a sum of three loose residues at most. */
LANE_INLINE struct limbs columns_reduce_sub(const struct modulus *m, struct columns t, struct limbs minus) {
    int at = reduction_is_plain(m->reduction) ? 0 : LIMBS;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[at + i] = t.v[at + i] - minus.v[i];
    return columns_reduce_sum(m, t, m->reduction == REDUCE_MONTGOMERY ? 6 : 4);
}

/* a b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return columns_reduce_sub(m, columns_product(a, b), c);
}

/* a^2 - 2 b. Maps loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_double(const struct modulus *m, struct limbs a, struct limbs b) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) b.v[i] = b.v[i] + b.v[i];
    return columns_reduce_sub(m, columns_square(a), b);
}

/* a^2 - b - c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) b.v[i] = b.v[i] + c.v[i];
    return columns_reduce_sub(m, columns_square(a), b);
}

/* a^2 - b - 2 c. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_sqr_sub_sum_double(const struct modulus *m, struct limbs a, struct limbs b,
                                                    struct limbs c) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) b.v[i] = b.v[i] + (c.v[i] + c.v[i]);
    return columns_reduce_sub(m, columns_square(a), b);
}

/* t - u for products t and u. Their columns are below 2^56; p R keeps the upper ones from being negative together. */
LANE_INLINE struct limbs columns_reduce_difference(const struct modulus *m, struct columns t, struct columns u) {
    int plain = reduction_is_plain(m->reduction);
    t = columns_sub(t, u);
    if (plain)
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) t.v[LIMBS + i] = t.v[LIMBS + i] + lane64_set(m->m.v[i]);
    return columns_reduce_sum(m, t, plain ? 1 << 10 : 4);
}

/* a b - c d. Maps loose, loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_mul(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c,
                                             struct limbs d) {
    return columns_reduce_difference(m, columns_product(a, b), columns_product(c, d));
}

/* a b - c^2. Maps loose, loose, loose to loose. */
LANE_INLINE struct limbs modular_mul_sub_sqr(const struct modulus *m, struct limbs a, struct limbs b, struct limbs c) {
    return columns_reduce_difference(m, columns_product(a, b), columns_square(c));
}

#endif
