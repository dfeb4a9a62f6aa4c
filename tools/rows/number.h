/* Big-endian numbers of one width, and signatures of two as DER. */
#ifndef TOOLS_ROWS_NUMBER_H
#define TOOLS_ROWS_NUMBER_H

#include <stdbool.h>
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

/* r = a b mod m for a, b < m, a bit of a at a time; r is neither a nor b. */
static inline void number_multiply_modulo(uint8_t *r, const uint8_t *a, const uint8_t *b, const uint8_t *m,
                                          size_t width) {
    memset(r, 0, width);
    for (size_t bit = 0; bit < 8 * width; bit++) {
        number_add(r, r, r, width);
        number_reduce(r, m, width);
        if (a[bit / 8] >> (7 - bit % 8) & 1) {
            number_add(r, r, b, width);
            number_reduce(r, m, width);
        }
    }
}

/* An INTEGER of DER (X.690, 8.3); its width is returned. */
static inline size_t der_integer(uint8_t *to, const uint8_t *number, size_t width) {
    while (width > 1 && number[0] == 0) {
        number++;
        width--;
    }
    size_t zero = number[0] >> 7;
    to[0] = 2;
    to[1] = (uint8_t)(width + zero);
    to[2] = 0;
    memcpy(to + 2 + zero, number, width);
    return 2 + zero + width;
}

/* r || s of `length` bytes each as a SEQUENCE of two INTEGERs; its width is returned. */
static inline size_t der_signature(uint8_t *to, const uint8_t *raw, size_t length) {
    size_t content = der_integer(to + 3, raw, length);
    content += der_integer(to + 3 + content, raw + length, length);
    size_t head = content >= 128 ? 3 : 2;
    memmove(to + head, to + 3, content);
    to[0] = 0x30;
    to[1] = 0x81;
    to[head - 1] = (uint8_t)content;
    return head + content;
}

/* The INTEGER at `from` as a number of `length` bytes. Where it ends is returned, or NULL: it is none that fits. */
static inline const uint8_t *der_integer_read(uint8_t *number, size_t length, const uint8_t *from, const uint8_t *end) {
    if (end - from < 2 || from[0] != 2 || end - from - 2 < from[1])
        return NULL;
    size_t width = from[1];
    from += 2;
    for (; width > length; width--)
        if (*from++ != 0)
            return NULL;
    memset(number, 0, length - width);
    memcpy(number + length - width, from, width);
    return from + width;
}

/* The reverse of der_signature, not strict; false: there are no two numbers that fit. */
static inline bool der_signature_read(uint8_t *raw, size_t length, const uint8_t *from, size_t width) {
    const uint8_t *end = from + width;
    if (width < 3)
        return false;
    from = der_integer_read(raw, length, from + (from[1] == 0x81 ? 3 : 2), end);
    return from != NULL && der_integer_read(raw + length, length, from, end) != NULL;
}

#endif
