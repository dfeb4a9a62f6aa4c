/* SHA-384 and SHA-512 (FIPS 180-4, section 6.4): initial states and compression function. */
#ifndef GECC_HASH_SHA512_H
#define GECC_HASH_SHA512_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

/* The first 64 bits of the fractional parts of the square roots of the ninth to sixteenth primes. */
LANE_CONSTANT uint64_t sha384_initial[8] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                            0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                            0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};

/* The first 64 bits of the fractional parts of the square roots of the first 8 primes. */
LANE_CONSTANT uint64_t sha512_initial[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                            0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                            0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/* The first 64 bits of the fractional parts of the cube roots of the first 80 primes. */
LANE_CONSTANT uint64_t sha512_round_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

/* One round: adds into d and makes h the next a. wk = message word + round constant. */
LANE_INLINE void sha512_round(lane64 a, lane64 b, lane64 c, lane64 *d, lane64 e, lane64 f, lane64 g, lane64 *h,
                              lane64 wk) {
    lane64 sum1 = lane64_rotate_left(e, 50) ^ lane64_rotate_left(e, 46) ^ lane64_rotate_left(e, 23);
    lane64 sum0 = lane64_rotate_left(a, 36) ^ lane64_rotate_left(a, 30) ^ lane64_rotate_left(a, 25);
    lane64 choice = g ^ (e & (f ^ g));
    lane64 majority = (a & b) | (c & (a | b));
    lane64 t = *h + sum1 + choice + wk;
    *d += t;
    *h = t + sum0 + majority;
}

/* Rounds 8 j .. 8 j + 7 with the words w and the constants k of these rounds. */
LANE_INLINE void sha512_eight_rounds(lane64 s[8], const lane64 *w, const uint64_t *k) {
    sha512_round(s[0], s[1], s[2], &s[3], s[4], s[5], s[6], &s[7], w[0] + lane64_set(k[0]));
    sha512_round(s[7], s[0], s[1], &s[2], s[3], s[4], s[5], &s[6], w[1] + lane64_set(k[1]));
    sha512_round(s[6], s[7], s[0], &s[1], s[2], s[3], s[4], &s[5], w[2] + lane64_set(k[2]));
    sha512_round(s[5], s[6], s[7], &s[0], s[1], s[2], s[3], &s[4], w[3] + lane64_set(k[3]));
    sha512_round(s[4], s[5], s[6], &s[7], s[0], s[1], s[2], &s[3], w[4] + lane64_set(k[4]));
    sha512_round(s[3], s[4], s[5], &s[6], s[7], s[0], s[1], &s[2], w[5] + lane64_set(k[5]));
    sha512_round(s[2], s[3], s[4], &s[5], s[6], s[7], s[0], &s[1], w[6] + lane64_set(k[6]));
    sha512_round(s[1], s[2], s[3], &s[4], s[5], s[6], s[7], &s[0], w[7] + lane64_set(k[7]));
}

/* The next 16 words of the message schedule, in place of the last 16. */
LANE_INLINE void sha512_schedule(lane64 w[16]) {
    LANE_UNROLL
    for (int t = 0; t < 16; t++) {
        lane64 x = w[(t + 1) & 15], y = w[(t + 14) & 15];
        lane64 sigma0 = lane64_rotate_left(x, 63) ^ lane64_rotate_left(x, 56) ^ (x >> 7);
        lane64 sigma1 = lane64_rotate_left(y, 45) ^ lane64_rotate_left(y, 3) ^ (y >> 6);
        w[t] += sigma0 + w[(t + 9) & 15] + sigma1;
    }
}

/* state = compression of state and one block of 16 big-endian words; the same for SHA-384 and SHA-512. */
LANE_INLINE void sha512_compress(lane64 state[8], const lane64 block[16]) {
    lane64 s[8], w[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    sha512_eight_rounds(s, w, sha512_round_constants);
    sha512_eight_rounds(s, w + 8, sha512_round_constants + 8);
    for (int t = 16; t < 80; t += 16) {
        sha512_schedule(w);
        sha512_eight_rounds(s, w, sha512_round_constants + t);
        sha512_eight_rounds(s, w + 8, sha512_round_constants + t + 8);
    }
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

#endif
