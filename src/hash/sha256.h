/* SHA-256 (FIPS 180-4, section 6.2): initial state and compression function. */
#ifndef GECC_HASH_SHA256_H
#define GECC_HASH_SHA256_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

/* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
LANE_CONSTANT uint32_t sha256_initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
LANE_CONSTANT uint32_t sha256_round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/* One round: adds into d and makes h the next a. wk = message word + round constant. */
LANE_INLINE void sha256_round(lane32 a, lane32 b, lane32 c, lane32 *d, lane32 e, lane32 f, lane32 g, lane32 *h,
                              lane32 wk) {
    lane32 sum1 = lane32_rotate_left(e, 26) ^ lane32_rotate_left(e, 21) ^ lane32_rotate_left(e, 7);
    lane32 sum0 = lane32_rotate_left(a, 30) ^ lane32_rotate_left(a, 19) ^ lane32_rotate_left(a, 10);
    lane32 choice = g ^ (e & (f ^ g));
    lane32 majority = (a & b) | (c & (a | b));
    lane32 t = lane32_add(lane32_add(*h + wk, choice), sum1);
    *d = lane32_add(*d, t);
    *h = lane32_add(lane32_add(t, majority), sum0);
}

/* Rounds 8 j .. 8 j + 7 with the words w and the constants k of these rounds. */
LANE_INLINE void sha256_eight_rounds(lane32 s[8], const lane32 *w, const uint32_t *k) {
    sha256_round(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], w[0] + lane32_set(k[0]));
    sha256_round(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], w[1] + lane32_set(k[1]));
    sha256_round(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], w[2] + lane32_set(k[2]));
    sha256_round(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], w[3] + lane32_set(k[3]));
    sha256_round(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], w[4] + lane32_set(k[4]));
    sha256_round(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], w[5] + lane32_set(k[5]));
    sha256_round(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], w[6] + lane32_set(k[6]));
    sha256_round(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], w[7] + lane32_set(k[7]));
}

/* The next 16 words of the message schedule, in place of the last 16. */
LANE_INLINE void sha256_schedule(lane32 w[16]) {
    LANE_UNROLL
    for (int t = 0; t < 16; t++) {
        lane32 x = w[(t + 1) & 15], y = w[(t + 14) & 15];
        lane32 sigma0 = lane32_rotate_left(x, 25) ^ lane32_rotate_left(x, 14) ^ (x >> 3);
        lane32 sigma1 = lane32_rotate_left(y, 15) ^ lane32_rotate_left(y, 13) ^ (y >> 10);
        w[t] = lane32_add(lane32_add(lane32_add(w[t], w[(t + 9) & 15]), sigma0), sigma1);
    }
}

/* state = compression of state and one block of 16 big-endian words. */
LANE_INLINE void sha256_compress(lane32 state[8], const lane32 block[16]) {
    lane32 s[8], w[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    sha256_eight_rounds(s, w, sha256_round_constants);
    sha256_eight_rounds(s, w + 8, sha256_round_constants + 8);
    for (int t = 16; t < 64; t += 16) {
        sha256_schedule(w);
        sha256_eight_rounds(s, w, sha256_round_constants + t);
        sha256_eight_rounds(s, w + 8, sha256_round_constants + t + 8);
    }
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

#endif
