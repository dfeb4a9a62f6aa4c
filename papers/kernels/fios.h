/* Sums and Montgomery products modulo any odd m of BITS bits as Giorgi et al. 2009 have them (sections 1 and 2;
 * papers/results.md): digits of 16 bits, in words of 32 that lie in any memory, and words of 32 bits in registers,
 * whose carries are comparisons. The library has limbs of 32 bits, registers and the carry flag, and is measured beside
 * these. The includer sets BITS. */
#ifndef PAPERS_KERNELS_FIOS_H
#define PAPERS_KERNELS_FIOS_H

#include <stddef.h>
#include <stdint.h>

#include "limbs/attributes.h"

enum { FIOS_DIGITS = BITS / 16, FIOS_WORDS = BITS / 32 };

/* An integer's digits, the lowest first, `step` words apart: in shared memory a block's threads take turns. */
struct digits {
    uint32_t *at;
    size_t step;
};

LANE_INLINE uint32_t digit_of(struct digits a, int i) { return a.at[(size_t)i * a.step]; }
LANE_INLINE void digit_set(struct digits a, int i, uint32_t value) { a.at[(size_t)i * a.step] = value; }

/* -1 / m mod 2^32 for an odd m, by Newton's iteration. */
LANE_INLINE uint32_t fios_negative_inverse(uint32_t m) {
    uint32_t x = m; /* 3 bits are right */
    LANE_UNROLL for (int i = 0; i < 4; i++) x *= 2 - m * x;
    return 0 - x;
}

/* a = a mod m for a < 2 m, a + `over` 2^BITS. */
LANE_INLINE void digits_reduce_once(struct digits a, struct digits m, uint32_t over) {
    uint32_t borrow = 0, keep;
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) borrow = (digit_of(a, i) - digit_of(m, i) - borrow) >> 31;
    keep = borrow & ~over & 1;
    borrow = 0;
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        uint32_t difference = digit_of(a, i) - (keep ? 0 : digit_of(m, i)) - borrow;
        digit_set(a, i, difference & 0xffff);
        borrow = difference >> 31;
    }
}

/* a = a - b mod m, a and b < m. b may be a, here and below. */
LANE_INLINE void digits_subtract(struct digits a, struct digits b, struct digits m) {
    uint32_t difference = 0, sum = 0, wrap;
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        difference = digit_of(a, i) - digit_of(b, i) - (difference >> 31);
        digit_set(a, i, difference & 0xffff);
    }
    wrap = 0 - (difference >> 31);
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        sum = digit_of(a, i) + (digit_of(m, i) & wrap) + (sum >> 16);
        digit_set(a, i, sum & 0xffff);
    }
}

/* a = a + b mod m, a and b < m. */
LANE_INLINE void digits_add(struct digits a, struct digits b, struct digits m) {
    uint32_t sum = 0;
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        sum = digit_of(a, i) + digit_of(b, i) + (sum >> 16);
        digit_set(a, i, sum & 0xffff);
    }
    digits_reduce_once(a, m, sum >> 16);
}

/* t = a b / 2^BITS mod m for a < 2^BITS, b < m: a digit of b at a time, each digit of a b and of q m in one step
 * (FIOS). Two carries, since the sum of both products would not fit. t overlaps neither a nor b, `negative_inverse` is
 * -1 / m. */
LANE_INLINE void digits_multiply(struct digits t, struct digits a, struct digits b, struct digits m,
                                 uint32_t negative_inverse) {
    uint32_t over = 0;
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) digit_set(t, i, 0);
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) {
        uint32_t y = digit_of(b, i), x = digit_of(a, 0) * y + digit_of(t, 0), q = x * negative_inverse & 0xffff;
        uint32_t carry = x >> 16, carry_m = (q * digit_of(m, 0) + (x & 0xffff)) >> 16;
        LANE_LOOP for (int j = 1; j < FIOS_DIGITS; j++) {
            x = digit_of(a, j) * y + digit_of(t, j) + carry;
            carry = x >> 16;
            x = digit_of(m, j) * q + (x & 0xffff) + carry_m;
            carry_m = x >> 16;
            digit_set(t, j - 1, x & 0xffff);
        }
        x = over + carry + carry_m;
        digit_set(t, FIOS_DIGITS - 1, x & 0xffff);
        over = x >> 16;
    }
    digits_reduce_once(t, m, over);
}

LANE_INLINE void digits_copy(struct digits to, struct digits from) {
    LANE_LOOP for (int i = 0; i < FIOS_DIGITS; i++) digit_set(to, i, digit_of(from, i));
}

/* *r = a + b; returns the carry. */
LANE_INLINE uint32_t words_carry(uint32_t *r, uint32_t a, uint32_t b) {
    *r = a + b;
    return *r < a;
}

/* The lower word of a b + c + *carry, whose upper word is *carry then. */
LANE_INLINE uint32_t words_step(uint32_t a, uint32_t b, uint32_t c, uint32_t *carry) {
    uint32_t low = a * b, high = (uint32_t)((uint64_t)a * b >> 32);
    high += words_carry(&low, low, c);
    high += words_carry(&low, low, *carry);
    *carry = high;
    return low;
}

/* As digits_reduce_once. */
LANE_INLINE void words_reduce_once(uint32_t a[FIOS_WORDS], const uint32_t m[FIOS_WORDS], uint32_t over) {
    uint32_t r[FIOS_WORDS], borrow = 0;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t difference = a[i] - m[i];
        r[i] = difference - borrow;
        borrow = (uint32_t)(a[i] < m[i]) | (uint32_t)(difference < borrow);
    }
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) a[i] = borrow & ~over & 1 ? a[i] : r[i];
}

/* As digits_add. */
LANE_INLINE void words_add(uint32_t a[FIOS_WORDS], const uint32_t b[FIOS_WORDS], const uint32_t m[FIOS_WORDS]) {
    uint32_t carry = 0;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t sum, over = words_carry(&sum, a[i], b[i]);
        carry = over | words_carry(&a[i], sum, carry);
    }
    words_reduce_once(a, m, carry);
}

/* As digits_subtract. */
LANE_INLINE void words_subtract(uint32_t a[FIOS_WORDS], const uint32_t b[FIOS_WORDS], const uint32_t m[FIOS_WORDS]) {
    uint32_t borrow = 0, carry = 0, wrap;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t difference = a[i] - b[i], over = a[i] < b[i];
        a[i] = difference - borrow;
        borrow = over | (uint32_t)(difference < borrow);
    }
    wrap = 0 - borrow;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t sum, over = words_carry(&sum, a[i], m[i] & wrap);
        carry = over | words_carry(&a[i], sum, carry);
    }
}

/* As digits_multiply. */
LANE_INLINE void words_multiply(uint32_t t[FIOS_WORDS], const uint32_t a[FIOS_WORDS], const uint32_t b[FIOS_WORDS],
                                const uint32_t m[FIOS_WORDS], uint32_t negative_inverse) {
    uint32_t over = 0;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) t[i] = 0;
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t carry = 0, carry_m = 0, x = words_step(a[0], b[i], t[0], &carry), q = x * negative_inverse;
        words_step(m[0], q, x, &carry_m);
        LANE_UNROLL for (int j = 1; j < FIOS_WORDS; j++) {
            x = words_step(a[j], b[i], t[j], &carry);
            t[j - 1] = words_step(m[j], q, x, &carry_m);
        }
        x = words_carry(&carry, carry, carry_m);
        over = x + words_carry(&t[FIOS_WORDS - 1], carry, over);
    }
    words_reduce_once(t, m, over);
}

#endif
