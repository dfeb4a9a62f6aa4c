/* s / a mod m for any odd m, in constant time: Bernstein and Yang, "Fast constant-time gcd computation and modular
 * inversion" (2019), 30 division steps at a time as in libsecp256k1's modinv32. Needs WORDS and the machine's lanes.
 *
 * A division step takes (delta, f, g), f odd, delta an integer and a half, and keeps gcd(f, g):
 *     delta > 0 and g odd:  (1 - delta, g, (g - f) / 2)
 *     else:                 (1 + delta, f, (g + (g mod 2) f) / 2)
 * From (1/2, m, a) it comes to g = 0, f = +-gcd(a, m). Thirty steps depend on the low 30 bits of f and g alone; they
 * are one matrix, which is applied to f and g and, modulo m, to the d and e with d * a = f * s and e * a = g * s. */
#ifndef GECC_FIELD_GCD_H
#define GECC_FIELD_GCD_H

#include "limbs/attributes.h"

enum {
    GCD_BITS = 32 * WORDS, /* of m */
    GCD_DIGIT = 30,
    GCD_DIGITS = (GCD_BITS + 2 + GCD_DIGIT - 1) / GCD_DIGIT, /* hold -2m .. 2m */
    /* Wuille, "Bounds on divsteps iterations in safegcd", generic formula for hddivsteps, 0 <= g <= f < 2^bits. */
    GCD_STEPS = (45907 * GCD_BITS + 26313) / 19929
};

/* The sum of v[i] 2^(30 i); 0 <= v[i] < 2^30, except that the last digit has a sign, in two's complement. */
struct gcd_integer {
    lane32 v[GCD_DIGITS];
};

/* (f, g) -> (u f + v g, q f + r g) / 2^30, each in two's complement; |u| + |v| and |q| + |r| are at most 2^30. */
struct gcd_matrix {
    lane32 u, v, q, r;
};

/* v mod 2^30. */
LANE_INLINE lane32 gcd_digit(lane32 v) { return v & lane32_set((1u << GCD_DIGIT) - 1); }

/* WORDS 32-bit words, most significant first, to an integer and back. */
LANE_INLINE struct gcd_integer gcd_from_words(const lane32 *words) {
    struct gcd_integer r;
    LANE_UNROLL for (int i = 0; i < GCD_DIGITS; i++) {
        int k = GCD_DIGIT * i / 32, shift = GCD_DIGIT * i % 32;
        lane32 low = k < WORDS ? words[WORDS - 1 - k] >> shift : lane32_set(0);
        lane32 high = shift && k + 1 < WORDS ? words[WORDS - 2 - k] << (32 - shift) : lane32_set(0);
        r.v[i] = gcd_digit(low | high);
    }
    return r;
}

LANE_INLINE void gcd_to_words(lane32 *words, const struct gcd_integer *a) {
    LANE_UNROLL for (int k = 0; k < WORDS; k++) {
        int i = 32 * k / GCD_DIGIT, shift = 32 * k % GCD_DIGIT;
        words[WORDS - 1 - k] = a->v[i] >> shift | a->v[i + 1] << (GCD_DIGIT - shift);
    }
}

/* All ones where a < 0. */
LANE_INLINE lane32 gcd_sign(const struct gcd_integer *a) { return lane32_from_bit(a->v[GCD_DIGITS - 1] >> 31); }

/* The matrix of 30 division steps for the low digits of f and g; *zeta is -(delta + 1/2). */
LANE_INLINE struct gcd_matrix gcd_steps(lane32 *zeta, lane32 f, lane32 g) {
    struct gcd_matrix t = {lane32_set(1), lane32_set(0), lane32_set(0), lane32_set(1)};
    for (int i = 0; i < GCD_DIGIT; i++) {
#ifdef LANE32_QUICK_PRODUCTS
        /* the same by products */
        lane32 odd = g & 1, minus = *zeta >> 31, swap = odd & minus, sign = odd - 2 * swap; /* 0, 1 or -1 */
        g = g + sign * f;
        t.q = t.q + sign * t.u;
        t.r = t.r + sign * t.v;
        *zeta = (*zeta ^ (0 - swap)) - 1;
        f = f + swap * g;
        t.u = 2 * t.u + 2 * swap * t.q;
        t.v = 2 * t.v + 2 * swap * t.r;
        g = g >> 1;
#else
        lane32 minus = lane32_from_bit(*zeta >> 31), odd = lane32_from_bit(g & lane32_set(1)), swap = minus & odd;
        g = g + (((f ^ minus) - minus) & odd);
        t.q = t.q + (((t.u ^ minus) - minus) & odd);
        t.r = t.r + (((t.v ^ minus) - minus) & odd);
        *zeta = (*zeta ^ swap) - lane32_set(1);
        f = f + (g & swap);
        t.u = (t.u + (t.q & swap)) << 1;
        t.v = (t.v + (t.r & swap)) << 1;
        g = g >> 1;
#endif
    }
    return t;
}

/* (a, b) = ((u a + v b, q a + r b) + (x, y) m) / 2^30, which must be exact; m NULL stands for 0. */
LANE_INLINE void gcd_apply(const struct gcd_matrix *t, struct gcd_integer *a, struct gcd_integer *b,
                           const struct gcd_integer *m, lane32 x, lane32 y) {
    lane64 sum_a = lane64_set(0), sum_b = lane64_set(0);
    LANE_UNROLL for (int i = 0; i < GCD_DIGITS; i++) {
        sum_a = sum_a + lane64_mul_signed(t->u, a->v[i]) + lane64_mul_signed(t->v, b->v[i]);
        sum_b = sum_b + lane64_mul_signed(t->q, a->v[i]) + lane64_mul_signed(t->r, b->v[i]);
        if (m) {
            sum_a = sum_a + lane64_mul_signed(x, m->v[i]);
            sum_b = sum_b + lane64_mul_signed(y, m->v[i]);
        }
        if (i > 0) {
            a->v[i - 1] = gcd_digit(lane64_low(sum_a));
            b->v[i - 1] = gcd_digit(lane64_low(sum_b));
        }
        sum_a = lane64_shift_right_signed(sum_a, GCD_DIGIT);
        sum_b = lane64_shift_right_signed(sum_b, GCD_DIGIT);
    }
    a->v[GCD_DIGITS - 1] = lane64_low(sum_a);
    b->v[GCD_DIGITS - 1] = lane64_low(sum_b);
}

/* An x that makes u d + v e + x m a multiple of 2^30, and -2m < (u d + v e + x m) / 2^30 < m if that holds for d and e:
 * m is added to them where they are negative, then subtracted fewer than 2^30 times. */
LANE_INLINE lane32 gcd_cofactor(lane32 u, lane32 v, const struct gcd_integer *d, const struct gcd_integer *e,
                                lane32 m_inverse) {
    lane32 x = (u & gcd_sign(d)) + (v & gcd_sign(e));
    lane32 low = u * d->v[0] + v * e->v[0];
    return x - gcd_digit(m_inverse * low + x);
}

/* a = (negate ? -a : a) + (add ? m : 0). */
LANE_INLINE void gcd_negate_add(struct gcd_integer *a, lane32 negate, lane32 add, const struct gcd_integer *m) {
    lane32 sum = negate & lane32_set(1);
    LANE_UNROLL for (int i = 0; i < GCD_DIGITS; i++) {
        int last = i == GCD_DIGITS - 1;
        sum = sum + (a->v[i] ^ (last ? negate : gcd_digit(negate))) + (m->v[i] & add);
        a->v[i] = last ? sum : gcd_digit(sum);
        sum = sum >> GCD_DIGIT;
    }
}

/* All ones where f is 1 or, with sign = gcd_sign(f), -1. */
LANE_INLINE lane32 gcd_is_unit(const struct gcd_integer *f, lane32 sign) {
    lane32 any = gcd_digit(f->v[0] ^ sign) ^ (lane32_set(1) + sign);
    LANE_UNROLL for (int i = 1; i < GCD_DIGITS; i++) any = any | gcd_digit(f->v[i] ^ sign);
    return lane32_from_bit((any - lane32_set(1)) >> 31);
}

/* d = (negate ? -d : d) mod m for -2m < d < m. */
LANE_INLINE void gcd_normalise(struct gcd_integer *d, lane32 negate, const struct gcd_integer *m) {
    const lane32 zero = lane32_set(0);
    gcd_negate_add(d, zero, gcd_sign(d), m);
    gcd_negate_add(d, negate, zero, m);
    gcd_negate_add(d, zero, gcd_sign(d), m);
}

/* s = s / a mod m for 0 <= a, s < m and an odd m with m * m_inverse = 1 mod 2^30. Returns all ones where a and m have
 * no common factor; elsewhere s is any residue. */
LANE_INLINE lane32 gcd_divide(struct gcd_integer *s, const struct gcd_integer *a, const struct gcd_integer *m,
                              lane32 m_inverse) {
    struct gcd_integer f = *m, g = *a, d, *e = s;
    lane32 zeta = lane32_set(0xffffffff), zero = lane32_set(0);
    LANE_UNROLL for (int i = 0; i < GCD_DIGITS; i++) d.v[i] = zero;
    LANE_LOOP for (int step = 0; step < GCD_STEPS; step += GCD_DIGIT) {
        struct gcd_matrix t = gcd_steps(&zeta, f.v[0], g.v[0]);
        lane32 x = gcd_cofactor(t.u, t.v, &d, e, m_inverse), y = gcd_cofactor(t.q, t.r, &d, e, m_inverse);
        gcd_apply(&t, &f, &g, NULL, zero, zero);
        gcd_apply(&t, &d, e, m, x, y);
    }
    lane32 sign = gcd_sign(&f);
    gcd_normalise(&d, sign, m);
    *s = d;
    return gcd_is_unit(&f, sign);
}

#endif
