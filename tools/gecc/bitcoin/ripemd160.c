#include "bitcoin/ripemd160.h"

#include <string.h>

enum { BLOCK_BYTES = 64, LINES = 2, ROUNDS = 5, STEPS = 16 };

/* The word of the block that a step takes, by line and step. */
static const uint8_t words[LINES][ROUNDS * STEPS] = {
    {0,  1, 2,  3,  4, 5,  6,  7,  8, 9, 10, 11, 12, 13, 14, 15, 7, 4,  13, 1, 10, 6, 15, 3,  12, 0, 9,
     5,  2, 14, 11, 8, 3,  10, 14, 4, 9, 15, 8,  1,  2,  7,  0,  6, 13, 11, 5, 12, 1, 9,  11, 10, 0, 8,
     12, 4, 13, 3,  7, 15, 14, 5,  6, 2, 4,  0,  5,  9,  7,  12, 2, 10, 14, 1, 3,  8, 11, 6,  15, 13},
    {5,  14, 7, 0,  9, 2,  11, 4, 13, 6,  15, 8,  1,  10, 3, 12, 6, 11, 3, 7, 0,  13, 5, 10, 14, 15, 8,
     12, 4,  9, 1,  2, 15, 5,  1, 3,  7,  14, 6,  9,  11, 8, 12, 2, 10, 0, 4, 13, 8,  6, 4,  1,  3,  11,
     15, 0,  5, 12, 2, 13, 9,  7, 10, 14, 12, 15, 10, 4,  1, 5,  8, 7,  6, 2, 13, 14, 0, 3,  9,  11}};

/* By how much a step rotates. */
static const uint8_t shifts[LINES][ROUNDS * STEPS] = {
    {11, 14, 15, 12, 5,  8,  7,  9, 11, 13, 14, 15, 6,  7,  9, 8,  7,  6,  8,  13, 11, 9,  7,  15, 7,  12, 15,
     9,  11, 7,  13, 12, 11, 13, 6, 7,  14, 9,  13, 15, 14, 8, 13, 6,  5,  12, 7,  5,  11, 12, 14, 15, 14, 15,
     9,  8,  9,  14, 5,  6,  8,  6, 5,  12, 9,  15, 5,  11, 6, 8,  13, 12, 5,  12, 13, 14, 11, 8,  5,  6},
    {8, 9,  9,  11, 13, 15, 15, 5,  7,  7, 8, 11, 14, 14, 12, 6, 9,  13, 15, 7,  12, 8,  9,  11, 7,  7,  12,
     7, 6,  15, 13, 11, 9,  7,  15, 11, 8, 6, 6,  14, 12, 13, 5, 14, 13, 13, 7,  5,  15, 5,  8,  11, 14, 14,
     6, 14, 6,  9,  12, 9,  12, 5,  15, 8, 8, 5,  12, 9,  12, 5, 14, 6,  8,  13, 6,  5,  15, 13, 11, 11}};

/* The integer parts of 2^30 times the square roots (second line: cube roots) of 2, 3, 5, 7, and 0. */
static const uint32_t constants[LINES][ROUNDS] = {{0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e},
                                                  {0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0}};

static uint32_t rotate(uint32_t x, unsigned count) { return x << count | x >> (32 - count); }

static uint32_t mix(size_t round, uint32_t x, uint32_t y, uint32_t z) {
    switch (round) {
    case 0:
        return x ^ y ^ z;
    case 1:
        return (x & y) | (~x & z);
    case 2:
        return (x | ~y) ^ z;
    case 3:
        return (x & z) | (y & ~z);
    default:
        return x ^ (y | ~z);
    }
}

/* state = one of the two lines of the compression function, from the state that it starts with. */
static void run_line(uint32_t state[5], const uint32_t block[16], size_t line) {
    for (size_t step = 0; step < (size_t)ROUNDS * STEPS; step++) {
        size_t round = step / STEPS;
        uint32_t f = mix(line ? ROUNDS - 1 - round : round, state[1], state[2], state[3]);
        uint32_t t = state[0] + f + block[words[line][step]] + constants[line][round];
        t = rotate(t, shifts[line][step]) + state[4];
        state[0] = state[4];
        state[4] = state[3];
        state[3] = rotate(state[2], 10);
        state[2] = state[1];
        state[1] = t;
    }
}

static void compress(uint32_t state[5], const uint8_t *bytes) {
    uint32_t block[16], lines[LINES][5];
    for (size_t i = 0; i < 16; i++)
        block[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
    for (size_t line = 0; line < LINES; line++) {
        memcpy(lines[line], state, sizeof lines[line]);
        run_line(lines[line], block, line);
    }
    uint32_t first = state[1] + lines[0][2] + lines[1][3];
    for (size_t i = 1; i < 5; i++)
        state[i] = state[(i + 1) % 5] + lines[0][(i + 2) % 5] + lines[1][(i + 3) % 5];
    state[0] = first;
}

void bitcoin_ripemd160(uint8_t digest[20], const uint8_t *message, size_t size) {
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t tail[2 * BLOCK_BYTES] = {0};
    size_t whole = size - size % BLOCK_BYTES, rest = size - whole;
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(state, message + at);
    if (rest)
        memcpy(tail, message + whole, rest);
    tail[rest] = 0x80;
    size_t tail_bytes = rest + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES;
    for (size_t i = 0; i < 8; i++)
        tail[tail_bytes - 8 + i] = (uint8_t)((uint64_t)size << 3 >> 8 * i);
    for (size_t at = 0; at < tail_bytes; at += BLOCK_BYTES)
        compress(state, tail + at);
    for (size_t i = 0; i < 20; i++)
        digest[i] = (uint8_t)(state[i / 4] >> 8 * (i % 4));
}
