#include "text/keccak.h"

enum { RATE_BYTES = 136, LANES = 25, ROUNDS = 24 };

static uint64_t rotate(uint64_t x, unsigned count) { return x << count % 64 | x >> (64 - count) % 64; }

/* The constants of iota: FIPS 202, algorithm 5. */
static const uint64_t constants[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/* Keccak-f[1600]: FIPS 202, 3.2. Lane (x, y) is a[x + 5 y]. */
static void permute(uint64_t a[LANES]) {
    static const uint8_t place[] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                    15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t c[5], moved;
        for (unsigned x = 0; x < 5; x++)
            c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
        for (unsigned x = 0; x < 5; x++) /* theta */
            for (unsigned y = 0; y < LANES; y += 5)
                a[x + y] ^= c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
        moved = a[1];
#pragma GCC unroll 24                              /* so that `place` and the counts of rotations are no memory */
        for (unsigned i = 0; i < LANES - 1; i++) { /* rho and pi */
            const uint64_t next = a[place[i]];
            a[place[i]] = rotate(moved, (i + 1) * (i + 2) / 2 % 64);
            moved = next;
        }
#pragma GCC unroll 5
        for (unsigned y = 0; y < LANES; y += 5) { /* chi */
            for (unsigned x = 0; x < 5; x++)
                c[x] = a[y + x];
            for (unsigned x = 0; x < 5; x++)
                a[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        a[0] ^= constants[round]; /* iota */
    }
}

static void put(struct keccak *keccak, size_t at, uint8_t byte) {
    keccak->lanes[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

void keccak_absorb(struct keccak *keccak, const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        put(keccak, keccak->used++, from[i]);
        if (keccak->used == RATE_BYTES) {
            permute(keccak->lanes);
            keccak->used = 0;
        }
    }
}

void keccak_finish(struct keccak *keccak, uint8_t hash[KECCAK_BYTES]) {
    put(keccak, keccak->used, 0x01);
    put(keccak, RATE_BYTES - 1, 0x80);
    permute(keccak->lanes);
    for (size_t i = 0; i < KECCAK_BYTES; i++)
        hash[i] = (uint8_t)(keccak->lanes[i / 8] >> 8 * (i % 8));
}
