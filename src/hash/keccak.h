/* Keccak-f[1600] (the Keccak reference, version 3.0; FIPS 202, section 3). */
#ifndef GECC_HASH_KECCAK_H
#define GECC_HASH_KECCAK_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

/* RC[i]: bit 2^j - 1 is rc(7 i + j), an LFSR over x^8 + x^6 + x^5 + x^4 + 1 (FIPS 202, algorithm 5). */
LANE_CONSTANT uint64_t keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/* a[x, y] is a[x + 5 y]. Theta: a[x, y] ^= column parity of x - 1 ^ (column parity of x + 1 <<< 1). */
LANE_INLINE void keccak_theta(lane64 a[25]) {
    lane64 parity[5];
    LANE_UNROLL
    for (int x = 0; x < 5; x++)
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    LANE_UNROLL
    for (int x = 0; x < 5; x++) {
        lane64 d = parity[(x + 4) % 5] ^ lane64_rotate_left(parity[(x + 1) % 5], 1);
        LANE_UNROLL
        for (int y = 0; y < 25; y += 5)
            a[x + y] ^= d;
    }
}

/* Rho and pi: b[y, 2 x + 3 y] = a[x, y] <<< offset(x, y). */
LANE_INLINE void keccak_rho_pi(lane64 b[25], const lane64 a[25]) {
    b[0] = a[0];
    b[1] = lane64_rotate_left(a[6], 44);
    b[2] = lane64_rotate_left(a[12], 43);
    b[3] = lane64_rotate_left(a[18], 21);
    b[4] = lane64_rotate_left(a[24], 14);
    b[5] = lane64_rotate_left(a[3], 28);
    b[6] = lane64_rotate_left(a[9], 20);
    b[7] = lane64_rotate_left(a[10], 3);
    b[8] = lane64_rotate_left(a[16], 45);
    b[9] = lane64_rotate_left(a[22], 61);
    b[10] = lane64_rotate_left(a[1], 1);
    b[11] = lane64_rotate_left(a[7], 6);
    b[12] = lane64_rotate_left(a[13], 25);
    b[13] = lane64_rotate_left(a[19], 8);
    b[14] = lane64_rotate_left(a[20], 18);
    b[15] = lane64_rotate_left(a[4], 27);
    b[16] = lane64_rotate_left(a[5], 36);
    b[17] = lane64_rotate_left(a[11], 10);
    b[18] = lane64_rotate_left(a[17], 15);
    b[19] = lane64_rotate_left(a[23], 56);
    b[20] = lane64_rotate_left(a[2], 62);
    b[21] = lane64_rotate_left(a[8], 55);
    b[22] = lane64_rotate_left(a[14], 39);
    b[23] = lane64_rotate_left(a[15], 41);
    b[24] = lane64_rotate_left(a[21], 2);
}

/* Chi: a[x, y] = b[x, y] ^ (~b[x + 1, y] & b[x + 2, y]). */
LANE_INLINE void keccak_chi(lane64 a[25], const lane64 b[25]) {
    LANE_UNROLL
    for (int y = 0; y < 25; y += 5) {
        LANE_UNROLL
        for (int x = 0; x < 5; x++)
            a[x + y] = b[x + y] ^ (~b[(x + 1) % 5 + y] & b[(x + 2) % 5 + y]);
    }
}

/* state = Keccak-f[1600](state). */
LANE_INLINE void keccak_permute(lane64 state[25]) {
    lane64 a[25], b[25];
    LANE_UNROLL
    for (int i = 0; i < 25; i++)
        a[i] = state[i];
    for (int round = 0; round < 24; round++) {
        keccak_theta(a);
        keccak_rho_pi(b, a);
        keccak_chi(a, b);
        a[0] ^= lane64_set(keccak_round_constants[round]);
    }
    LANE_UNROLL
    for (int i = 0; i < 25; i++)
        state[i] = a[i];
}

#endif
