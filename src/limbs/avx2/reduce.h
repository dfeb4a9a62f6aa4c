/* Sums of products of the AVX2 machine, and their reductions.
 *
 * A column is a sum of products of limbs of 29 bits, below 2^58 each, in a lane of 64 bits, never negative. It is added
 * up when the reduction comes to it, so that of all columns at once the factors' limbs alone are needed, and one more
 * row. At most 60 products meet in a column: 9 of a b, 36 of c d where c is a difference with limbs below 2^31, and 9
 * of Montgomery's reduction. */
#ifndef GECC_LIMBS_AVX2_REDUCE_H
#define GECC_LIMBS_AVX2_REDUCE_H

#include "limbs/vector/machine.h"

/* x[0] y[0] + x[1] y[1]: `count` of the two. A square has 2 x as its y. */
struct products {
    struct limbs x[2], y[2];
    int count, is_square[2];
};

/* Limb by limb, so that compilers keep limbs in registers and copy no structs. */
LANE_INLINE struct products product_of(struct limbs a, struct limbs b) {
    struct products r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        r.x[0].v[i] = r.x[1].v[i] = a.v[i];
        r.y[0].v[i] = r.y[1].v[i] = b.v[i];
    }
    r.is_square[0] = r.is_square[1] = 0;
    r.count = 1;
    return r;
}

LANE_INLINE struct limbs limbs_twice(struct limbs a) {
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) a.v[i] = a.v[i] + a.v[i];
    return a;
}

LANE_INLINE struct products square_of(struct limbs a) {
    struct products r = product_of(a, limbs_twice(a));
    r.is_square[0] = 1;
    return r;
}

/* a b + c d. */
LANE_INLINE struct products products_of(struct limbs a, struct limbs b, struct limbs c, struct limbs d) {
    struct products r;
    LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        r.x[0].v[i] = a.v[i];
        r.y[0].v[i] = b.v[i];
        r.x[1].v[i] = c.v[i];
        r.y[1].v[i] = d.v[i];
    }
    r.is_square[0] = r.is_square[1] = 0;
    r.count = 2;
    return r;
}

/* Unroll the loop over columns that follows: there are up to 18. */
#ifdef __clang__
#define COLUMNS_UNROLL LANE_UNROLL
#else
#define COLUMNS_UNROLL _Pragma("GCC unroll 18")
#endif

/* sum + column k of the products. */
LANE_INLINE lane64 column_add(lane64 sum, const struct products *p, int k) {
    LANE_UNROLL for (int n = 0; n < p->count; n++) LANE_UNROLL for (int i = 0; i < LIMBS; i++) {
        const int j = k - i;
        if (j < 0 || j >= LIMBS || (p->is_square[n] && i > j))
            continue;
        sum = sum + lane64_product(p->x[n].v[i], p->is_square[n] && i == j ? p->x[n].v[i] : p->y[n].v[j]);
    }
    return sum;
}

/* x factor, for a constant factor below 2^32. */
LANE_INLINE lane64 lane64_times(lane64 x, uint64_t factor) {
    if (factor && (factor & (factor - 1)) == 0)
        return x << __builtin_ctzll(factor);
    return lane64_product(x, lane64_set(factor));
}

/* low[i] += x c, for a constant c of two limbs. */
LANE_INLINE void lane64_add_times(lane64 *low, lane64 x, uint64_t c) {
    low[0] = low[0] + lane64_times(x, c & (((limb)1 << LIMB_BITS) - 1));
    if (c >> LIMB_BITS)
        low[1] = low[1] + lane64_times(x, c >> LIMB_BITS);
}

/* p = 2^prime_bits - c: columns from the middle up fold onto the lower ones times 2^(29 limbs) mod p. What is above
 * 2^prime_bits then is told from the two upper limbs, before the lower ones are carried. plus: added, or NULL. */
LANE_INLINE struct limbs pseudo_mersenne_reduce(const struct modulus *m, const struct products *p,
                                                const struct limbs *plus) {
    const int top_bits = prime_bits(m) - LIMB_BITS * (LIMBS - 1);
    const uint64_t fold = m->c << (LIMB_BITS - top_bits);
    struct limbs r = limbs_zero();
    lane64 low[LIMBS + 1], carry, zero = lane64_set(0);
    LANE_UNROLL for (int i = 0; i <= LIMBS; i++) low[i] = plus != NULL && i < LIMBS ? plus->v[i] : zero;
    carry = column_add(zero, p, LIMBS - 1);
    low[LIMBS - 1] = low[LIMBS - 1] + limb_low(carry);
    carry = carry >> LIMB_BITS;
    COLUMNS_UNROLL for (int k = LIMBS; k < 2 * LIMBS - 1; k++) {
        carry = column_add(carry, p, k);
        lane64_add_times(&low[k - LIMBS], limb_low(carry), fold);
        carry = carry >> LIMB_BITS;
    }
    low[LIMBS] = zero;
    lane64_add_times(&low[LIMBS - 1], carry, fold);
    if (fold >> LIMB_BITS)
        lane64_add_times(&low[0], low[LIMBS], fold);
    low[LIMBS - 2] = column_add(low[LIMBS - 2], p, LIMBS - 2);
    lane64 top = (low[LIMBS - 1] + (low[LIMBS - 2] >> LIMB_BITS)) >> top_bits;
    low[LIMBS - 1] = low[LIMBS - 1] - (top << top_bits);
    lane64_add_times(&low[0], top, m->c);
    carry = zero;
    COLUMNS_UNROLL for (int k = 0; k < LIMBS - 1; k++) {
        carry = low[k] + carry;
        if (k < LIMBS - 2)
            carry = column_add(carry, p, k);
        r.v[k] = limb_low(carry);
        carry = carry >> LIMB_BITS;
    }
    r.v[LIMBS - 1] = low[LIMBS - 1] + carry;
    return r;
}

/* A term sign 2^bit of p + 1, for primes that are -1 mod 2^29. Those with a factor stand for factor 2^bit. */
struct prime_term {
    int bit, minus;
    uint32_t factor; /* 0: 1 */
};

enum { PRIME_TERMS = 4 };

/* P-256: 2^256 - 2^224 + 2^192 + 2^96, where 2^256 - 2^224 is (2^24 - 1) 2^232 + (2^29 - 2^21) 2^203.
 * SM2: 2^256 - 2^224 - 2^96 + 2^64. */
static const struct prime_term prime_terms[2][PRIME_TERMS] = {
    {{96, 0, 0}, {192, 0, 0}, {203, 0, (1 << 29) - (1 << 21)}, {232, 0, (1 << 24) - 1}},
    {{64, 0, 0}, {96, 1, 0}, {203, 0, (1 << 29) - (1 << 21)}, {232, 0, (1 << 24) - 1}}};

LANE_INLINE const struct prime_term *prime_term(const struct modulus *m, int n) {
    return &prime_terms[m->reduction == REDUCE_SM2][n];
}

/* Montgomery's quotients: q[i] is the limb that clears column i, and for the terms with a minus 2^29 - 1 - q[i], which
 * montgomery_correction is for. */
struct quotients {
    lane64 q[LIMBS], complement[LIMBS];
};

/* sum + column k of q m, without q[k] m[0] or, for a prime that is -1 mod 2^29, q (m + 1). */
LANE_INLINE lane64 quotients_add(lane64 sum, const struct modulus *m, const struct quotients *q, int k) {
    if (m->reduction == REDUCE_MONTGOMERY) {
        LANE_UNROLL for (int i = 0; i < LIMBS; i++) if (i < k && k - i < LIMBS) sum =
            sum + lane64_product(q->q[i], lane64_set(m->m.v[k - i]));
        return sum;
    }
    LANE_UNROLL for (int n = 0; n < PRIME_TERMS; n++) {
        const struct prime_term *t = prime_term(m, n);
        const int i = k - t->bit / LIMB_BITS;
        if (i < 0 || i >= LIMBS)
            continue;
        lane64 x = t->minus ? q->complement[i] : q->q[i];
        sum = sum + (t->factor ? lane64_times(x, t->factor) : x << t->bit % LIMB_BITS);
    }
    return sum;
}

/* The sum of 2^29 - 1 times 2^bit over all quotients telescopes: it is taken back by 2^bit at its first column and
 * -2^bit behind its last. 2^29 is lent from there on, for carries not to be negative. */
LANE_INLINE limb montgomery_correction(const struct modulus *m, int k) {
    limb r = 0;
    int first = 2 * LIMBS;
    if (m->reduction == REDUCE_MONTGOMERY || m->reduction == REDUCE_P256)
        return 0;
    LANE_UNROLL for (int n = 0; n < PRIME_TERMS; n++) {
        const struct prime_term *t = prime_term(m, n);
        const int at = t->bit / LIMB_BITS;
        if (!t->minus)
            continue;
        r += (k == at ? (limb)1 << t->bit % LIMB_BITS : 0) - (k == at + LIMBS ? (limb)1 << t->bit % LIMB_BITS : 0);
        first = at + LIMBS < first ? at + LIMBS : first;
    }
    return r + (k >= first && k < 2 * LIMBS - 1 ? (limb)1 << LIMB_BITS : 0) - (k > first);
}

/* The products / R mod m, R = 2^(29 LIMBS): below m + the products / R. */
LANE_INLINE struct limbs montgomery_reduce(const struct modulus *m, const struct products *p) {
    const lane64 all = lane64_set(((limb)1 << LIMB_BITS) - 1);
    struct quotients q;
    struct limbs r;
    lane64 t = lane64_set(0);
    COLUMNS_UNROLL for (int k = 0; k < 2 * LIMBS; k++) {
        if (k < 2 * LIMBS - 1)
            t = column_add(t, p, k);
        t = quotients_add(t, m, &q, k);
        if (montgomery_correction(m, k))
            t = t + lane64_set(montgomery_correction(m, k));
        if (k < LIMBS && m->reduction == REDUCE_MONTGOMERY) {
            q.q[k] = limb_low(lane64_product(t, lane64_set(m->negative_inverse)));
            t = t + lane64_product(q.q[k], lane64_set(m->m.v[0]));
        } else if (k < LIMBS) {
            q.q[k] = limb_low(t);
            q.complement[k] = ~t & all;
        } else {
            r.v[k - LIMBS] = k < 2 * LIMBS - 1 ? limb_low(t) : t;
        }
        t = t >> LIMB_BITS;
    }
    return r;
}

#endif
