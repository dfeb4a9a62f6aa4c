/* Signatures as DER: SEQUENCE { INTEGER r, INTEGER s } (X.690, 10; SEC 1, C.8), one row at a time. Public data. */
#ifndef GECC_BATCH_DER_H
#define GECC_BATCH_DER_H

#include <stddef.h>
#include <stdint.h>

#include "limbs/attributes.h"

/* The most that an INTEGER of so many bits has after its head, and a signature of two of them: heads have two bytes,
 * but a SEQUENCE of 128 and more, of which one byte says that there is another. */
#define DER_INTEGER_BYTES(bits) ((bits) / 8 + 1)
#define DER_SIGNATURE_BYTES(bits) (2 + (4 + 2 * DER_INTEGER_BYTES(bits) >= 128) + 4 + 2 * DER_INTEGER_BYTES(bits))

/* A positive INTEGER at p of at most `left` bytes, strict: no needless zero, no sign. Returns its whole width, or 0
 * where it is none; the number is *bytes bytes at *value. */
LANE_INLINE size_t der_integer_read(const uint8_t *p, size_t left, const uint8_t **value, size_t *bytes) {
    if (left < 3)
        return 0;
    const size_t width = p[1]; /* read once: rows may change meanwhile */
    if (p[0] != 2 || width == 0 || width >= 128 || width + 2 > left)
        return 0;
    const uint8_t high = p[2];
    const int padded = high == 0;
    if (high >= 128)
        return 0;
    if (padded && width > 1 && p[3] < 128)
        return 0;
    *value = p + 2 + padded;
    *bytes = width - (size_t)padded;
    return width + 2;
}

/* A tag and the length of its content, strict, at p of at most `left` bytes. Returns the head's width, or 0 where it is
 * none or more follows than is there. */
LANE_INLINE size_t der_head_read(const uint8_t *p, size_t left, uint8_t tag, size_t *content) {
    if (left < 2 || p[0] != tag)
        return 0;
    const uint8_t first = p[1];
    const size_t more = first < 128 ? 0 : (size_t)first - 128;
    size_t length = more == 0 ? first : 0;
    if (first == 128 || more > 4 || 2 + more > left)
        return 0;
    for (size_t i = 0; i < more; i++)
        length = length << 8 | p[2 + i];
    if (more != 0 && (length < 128 || length >> 8 * (more - 1) == 0))
        return 0;
    *content = length;
    return length <= left - 2 - more ? 2 + more : 0;
}

/* The width of a head before `content` bytes. */
LANE_INLINE size_t der_head_width(size_t content) {
    size_t width = 2;
    if (content >= 128)
        for (size_t left = content; left != 0; left >>= 8)
            width++;
    return width;
}

/* That head; returns its width. */
LANE_INLINE size_t der_head_write(uint8_t *p, uint8_t tag, size_t content) {
    const size_t width = der_head_width(content);
    p[0] = tag;
    p[1] = (uint8_t)(width == 2 ? content : 128 + width - 2);
    for (size_t i = 2; i < width; i++)
        p[i] = (uint8_t)(content >> 8 * (width - 1 - i));
    return width;
}

struct der_signature {
    const uint8_t *r, *s;
    size_t r_bytes, s_bytes; /* without leading zeros; 0 for the number 0 */
};

/* Parse a row; returns whether it is strict DER. */
LANE_INLINE int der_read(struct der_signature *signature, const uint8_t *p, size_t width) {
    if (width < 3 || p[0] != 0x30)
        return 0;
    const int is_long = p[1] == 0x81;
    const size_t head = 2 + (size_t)is_long, content = p[head - 1];
    if ((content >= 128) != is_long || head + content != width)
        return 0;
    size_t r = der_integer_read(p + head, content, &signature->r, &signature->r_bytes);
    if (r == 0)
        return 0;
    size_t s = der_integer_read(p + head + r, content - r, &signature->s, &signature->s_bytes);
    return s != 0 && r + s == content;
}

/* An INTEGER from `bytes` big-endian bytes; returns its width, at most bytes + 3. */
LANE_INLINE size_t der_integer_write(uint8_t *p, const uint8_t *value, size_t bytes) {
    size_t skip = 0;
    while (skip + 1 < bytes && value[skip] == 0)
        skip++;
    size_t padded = value[skip] >= 128, width = bytes - skip + padded;
    p[0] = 2;
    p[1] = (uint8_t)width;
    if (padded)
        p[2] = 0;
    for (size_t i = 0; i < bytes - skip; i++)
        p[2 + padded + i] = value[skip + i];
    return width + 2;
}

/* The width of the INTEGER of `bytes` big-endian bytes. */
LANE_INLINE size_t der_integer_width(const uint8_t *value, size_t bytes) {
    size_t skip = 0;
    while (skip + 1 < bytes && value[skip] == 0)
        skip++;
    return 2 + bytes - skip + (value[skip] >= 128);
}

/* r and s of `bytes` bytes each as DER; returns the width. */
LANE_INLINE size_t der_write(uint8_t *p, const uint8_t *r, const uint8_t *s, size_t bytes) {
    const size_t content = der_integer_width(r, bytes) + der_integer_width(s, bytes);
    size_t width = 0;
    p[width++] = 0x30;
    if (content >= 128)
        p[width++] = 0x81;
    p[width++] = (uint8_t)content;
    width += der_integer_write(p + width, r, bytes);
    return width + der_integer_write(p + width, s, bytes);
}

#endif
