/* Rows of bytes as big-endian words. */
#ifndef GECC_LIMBS_BYTES_H
#define GECC_LIMBS_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "limbs/attributes.h"

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

/* w[0 .. n - 1] = the words at p, n > 0, by aligned accesses to all but the first and last bytes. */
LANE_INLINE void words_read_row(uint32_t *w, const uint8_t *p, int n) {
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
        w[i] = left << 8 * after | x >> 8 * before;
        left = x;
    }
    left = left << 8 * after;
    p += 4 * (n - 1);
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < after) left |= (uint32_t)p[k] << 8 * (after - 1 - k);
    w[n - 1] = left;
}

/* The words w[0 .. n - 1] to p, n > 0, in the same way. */
LANE_INLINE void words_write_row(uint8_t *p, const uint32_t *w, int n) {
    unsigned before = (unsigned)((0 - (uintptr_t)p) & 3), after = before == 0 ? 0 : 4 - before;
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < before) p[k] = (uint8_t)(w[0] >> 8 * (3 - k));
    p += before;
    if (after == 0) {
        LANE_UNROLL for (int i = 0; i < n; i++) word_write_aligned(p + 4 * i, w[i]);
        return;
    }
    LANE_UNROLL for (int i = 0; i < n - 1; i++)
        word_write_aligned(p + 4 * i, w[i] << 8 * before | w[i + 1] >> 8 * after);
    p += 4 * (n - 1);
    LANE_UNROLL for (unsigned k = 0; k < 3; k++) if (k < after) p[k] = (uint8_t)(w[n - 1] >> 8 * (after - 1 - k));
}

#endif
