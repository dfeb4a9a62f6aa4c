/* Rows of bytes as big-endian words. */
#ifndef GECC_LIMBS_BYTES_H
#define GECC_LIMBS_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"

/* What is at p will be needed: to the cache, without a register that waits for it. */
LANE_INLINE void bytes_prefetch(const void *p) {
#ifdef __CUDACC__
    __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(p));
#else
    __builtin_prefetch(p);
#endif
}

/* The word with its bytes in the opposite order. */
LANE_INLINE uint32_t word_byteswap(uint32_t x) {
#ifdef __CUDACC__
    return __byte_perm(x, 0, 0x0123);
#else
    return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
#endif
}

LANE_INLINE uint32_t word_read(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

LANE_INLINE void word_write(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

/* The same at an address that is a multiple of 4: one access of a little-endian machine, where a compiler that does not
 * know of it makes four. */
LANE_INLINE uint32_t word_read_aligned(const uint8_t *p) {
#ifdef __CUDACC__
    return __byte_perm(*(const uint32_t *)p, 0, 0x0123);
#else
    return word_read(p);
#endif
}

LANE_INLINE void word_write_aligned(uint8_t *p, uint32_t x) {
#ifdef __CUDACC__
    *(uint32_t *)p = __byte_perm(x, 0, 0x0123);
#else
    word_write(p, x);
#endif
}

/* Four words at an address that is a multiple of 16. */
LANE_INLINE void quad_read_aligned(uint32_t *w, const uint8_t *p) {
#ifdef __CUDACC__
    uint4 v = *(const uint4 *)p;
    w[0] = __byte_perm(v.x, 0, 0x0123), w[1] = __byte_perm(v.y, 0, 0x0123);
    w[2] = __byte_perm(v.z, 0, 0x0123), w[3] = __byte_perm(v.w, 0, 0x0123);
#else
    for (int i = 0; i < 4; i++)
        w[i] = word_read(p + 4 * i);
#endif
}

LANE_INLINE void quad_write_aligned(uint8_t *p, const uint32_t *w) {
#ifdef __CUDACC__
    *(uint4 *)p = make_uint4(__byte_perm(w[0], 0, 0x0123), __byte_perm(w[1], 0, 0x0123), __byte_perm(w[2], 0, 0x0123),
                             __byte_perm(w[3], 0, 0x0123));
#else
    for (int i = 0; i < 4; i++)
        word_write(p + 4 * i, w[i]);
#endif
}

/* The upper word of a : b shifted left by 0 < shift < 32. */
LANE_INLINE uint32_t word_joined(uint32_t a, uint32_t b, unsigned shift) {
#ifdef __CUDACC__
    return __funnelshift_l(b, a, shift);
#else
    return a << shift | b >> (32 - shift);
#endif
}

LANE_INLINE int row_is_in_quads(const uint8_t *p, int n) { return n % 4 == 0 && (uintptr_t)p % 16 == 0; }

/* w[0 .. n - 1] = the words at p, n > 0, by aligned accesses to all but the first and last bytes. */
LANE_INLINE void words_read_row(uint32_t *w, const uint8_t *p, int n) {
    if (row_is_in_quads(p, n)) {
        LANE_UNROLL for (int i = 0; i < n; i += 4) quad_read_aligned(w + i, p + 4 * i);
        return;
    }
    unsigned before = (unsigned)((0 - (uintptr_t)p) & 3), after = before == 0 ? 0 : 4 - before;
    uint32_t left = 0;
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < before) left = left << 8 | p[k];
    p += before;
    if (after == 0) {
        LANE_UNROLL for (int i = 0; i < n; i++) w[i] = word_read_aligned(p + 4 * i);
        return;
    }
    LANE_UNROLL for (int i = 0; i < n - 1; i++) {
        uint32_t x = word_read_aligned(p + 4 * i);
        w[i] = word_joined(left, x, 8 * after);
        left = x;
    }
    left = left << 8 * after;
    p += 4 * (n - 1);
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < after) left |= (uint32_t)p[k] << 8 * (after - 1 - k);
    w[n - 1] = left;
}

/* The words w[0 .. n - 1] to p, n > 0, in the same way. */
LANE_INLINE void words_write_row(uint8_t *p, const uint32_t *w, int n) {
    if (row_is_in_quads(p, n)) {
        LANE_UNROLL for (int i = 0; i < n; i += 4) quad_write_aligned(p + 4 * i, w + i);
        return;
    }
    unsigned before = (unsigned)((0 - (uintptr_t)p) & 3), after = before == 0 ? 0 : 4 - before;
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < before) p[k] = (uint8_t)(w[0] >> 8 * (3 - k));
    p += before;
    if (after == 0) {
        LANE_UNROLL for (int i = 0; i < n; i++) word_write_aligned(p + 4 * i, w[i]);
        return;
    }
    LANE_UNROLL for (int i = 0; i < n - 1; i++) word_write_aligned(p + 4 * i, word_joined(w[i], w[i + 1], 8 * before));
    p += 4 * (n - 1);
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < after) p[k] = (uint8_t)(w[n - 1] >> 8 * (after - 1 - k));
}

#endif
