/* Keccak-256 of short messages, for libraries that have none: a loop over rounds that compilers unroll. */
#ifndef GECC_BENCH_KECCAK_H
#define GECC_BENCH_KECCAK_H

#include <stdint.h>
#include <string.h>

static inline uint64_t keccak_rotate(uint64_t a, unsigned n) { return a << n | a >> (64 - n); }

/* Keccak-f[1600] (FIPS 202, 3.2), lane (x, y) at a[x + 5 y]. */
static inline void keccak_f1600(uint64_t a[25]) {
    static const uint64_t constants[24] = {
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
        0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
        0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
        0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
        0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};
    static const unsigned char offsets[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                              27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    static const unsigned char places[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                             15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    for (int round = 0; round < 24; round++) {
        uint64_t c[5], moved = a[1];
        for (int x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
        for (int x = 0; x < 5; x++)
            for (int y = 0; y < 25; y += 5)
                a[x + y] ^= c[(x + 4) % 5] ^ keccak_rotate(c[(x + 1) % 5], 1);
        moved = a[1];
        for (int i = 0; i < 24; i++) {
            uint64_t next = a[places[i]];
            a[places[i]] = keccak_rotate(moved, offsets[i]);
            moved = next;
        }
        for (int y = 0; y < 25; y += 5) {
            for (int x = 0; x < 5; x++)
                c[x] = a[y + x];
            for (int x = 0; x < 5; x++)
                a[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        a[0] ^= constants[round];
    }
}

/* hash = Keccak-256 of a message of one block, width < 136, on a little-endian machine. */
static inline void keccak256_short(const uint8_t *data, size_t width, uint8_t hash[32]) {
    uint64_t a[25] = {0};
    memcpy(a, data, width);
    ((uint8_t *)a)[width] = 1;
    a[16] ^= UINT64_C(1) << 63;
    keccak_f1600(a);
    memcpy(hash, a, 32);
}

#endif
