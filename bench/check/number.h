/* Big-endian numbers of one width. */
#ifndef BENCH_CHECK_NUMBER_H
#define BENCH_CHECK_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* r = a + b, without the carry, which is returned. */
static inline unsigned number_add(uint8_t *r, const uint8_t *a, const uint8_t *b, size_t width) {
    unsigned carry = 0;
    for (size_t i = width; i-- > 0;) {
        carry += (unsigned)a[i] + b[i];
        r[i] = (uint8_t)carry;
        carry >>= 8;
    }
    return carry;
}

/* r = a - b; returns whether that is negative. */
static inline unsigned number_sub(uint8_t *r, const uint8_t *a, const uint8_t *b, size_t width) {
    unsigned borrow = 0;
    for (size_t i = width; i-- > 0;) {
        unsigned difference = (unsigned)a[i] - b[i] - borrow;
        r[i] = (uint8_t)difference;
        borrow = difference >> 8 & 1;
    }
    return borrow;
}

/* r = a + small, small of either sign. */
static inline void number_add_small(uint8_t *r, const uint8_t *a, int small, size_t width) {
    int carry = small;
    for (size_t i = width; i-- > 0;) {
        carry += a[i];
        r[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* r = a - b mod m, for a, b < m. */
static inline void number_sub_modulo(uint8_t *r, const uint8_t *a, const uint8_t *b, const uint8_t *m, size_t width) {
    if (number_sub(r, a, b, width))
        number_add(r, r, m, width);
}

/* r = r mod m, for r < 2 m. */
static inline void number_reduce(uint8_t *r, const uint8_t *m, size_t width) {
    if (memcmp(r, m, width) >= 0)
        number_sub(r, r, m, width);
}

#endif
