/* SM3 (GB/T 32905, GM/T 0004): initial state and compression function. */
#ifndef GECC_HASH_SM3_H
#define GECC_HASH_SM3_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

/* IV of section 4.1 (given, not derived). */
LANE_CONSTANT uint32_t sm3_initial[8] = {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600,
                                         0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e};

/* T_j <<< (j mod 32), where T_j = 79cc4519 for j < 16 and 7a879d8a from there on (section 4.2). */
LANE_CONSTANT uint32_t sm3_round_constants[64] = {
    0x79cc4519, 0xf3988a32, 0xe7311465, 0xce6228cb, 0x9cc45197, 0x3988a32f, 0x7311465e, 0xe6228cbc,
    0xcc451979, 0x988a32f3, 0x311465e7, 0x6228cbce, 0xc451979c, 0x88a32f39, 0x11465e73, 0x228cbce6,
    0x9d8a7a87, 0x3b14f50f, 0x7629ea1e, 0xec53d43c, 0xd8a7a879, 0xb14f50f3, 0x629ea1e7, 0xc53d43ce,
    0x8a7a879d, 0x14f50f3b, 0x29ea1e76, 0x53d43cec, 0xa7a879d8, 0x4f50f3b1, 0x9ea1e762, 0x3d43cec5,
    0x7a879d8a, 0xf50f3b14, 0xea1e7629, 0xd43cec53, 0xa879d8a7, 0x50f3b14f, 0xa1e7629e, 0x43cec53d,
    0x879d8a7a, 0x0f3b14f5, 0x1e7629ea, 0x3cec53d4, 0x79d8a7a8, 0xf3b14f50, 0xe7629ea1, 0xcec53d43,
    0x9d8a7a87, 0x3b14f50f, 0x7629ea1e, 0xec53d43c, 0xd8a7a879, 0xb14f50f3, 0x629ea1e7, 0xc53d43ce,
    0x8a7a879d, 0x14f50f3b, 0x29ea1e76, 0x53d43cec, 0xa7a879d8, 0x4f50f3b1, 0x9ea1e762, 0x3d43cec5};

/* P1(x) = x ^ (x <<< 15) ^ (x <<< 23); slot t of the sliding window of 16 words goes from W[t] to W[t + 16]. */
LANE_INLINE void sm3_expand(lane32 w[16], int t) {
    lane32 x = w[t & 15] ^ w[(t + 7) & 15] ^ lane32_rotate_left(w[(t + 13) & 15], 15);
    lane32 permuted = x ^ lane32_rotate_left(x, 15) ^ lane32_rotate_left(x, 23);
    w[t & 15] = permuted ^ lane32_rotate_left(w[(t + 3) & 15], 7) ^ w[(t + 10) & 15];
}

/* Round t: makes d the next a and h the next e, turns b and f. w and w4: W[t] and W[t + 4]; k: T_t <<< t.
 * FF and GG are exclusive ors in the rounds before 16, majority and choice after. */
LANE_INLINE void sm3_round(int t, lane32 a, lane32 *b, lane32 c, lane32 *d, lane32 e, lane32 *f, lane32 g, lane32 *h,
                           lane32 w, lane32 w4, lane32 k) {
    lane32 turned = lane32_rotate_left(a, 12);
    lane32 ss1 = lane32_rotate_left(lane32_add(turned, e + k), 7);
    lane32 ff = t < 16 ? a ^ *b ^ c : (a & *b) | (c & (a | *b));
    lane32 gg = t < 16 ? e ^ *f ^ g : g ^ (e & (*f ^ g));
    lane32 tt2 = lane32_add(lane32_add(lane32_add(*h, w), gg), ss1);
    *d = lane32_add(lane32_add(lane32_add(*d, w ^ w4), ff), ss1 ^ turned);
    *b = lane32_rotate_left(*b, 9);
    *h = tt2 ^ lane32_rotate_left(tt2, 9) ^ lane32_rotate_left(tt2, 17);
    *f = lane32_rotate_left(*f, 19);
}

/* Rounds t .. t + 3; the window w holds W[t] .. W[t + 15] at slots t mod 16 and up, and moves on by four words. */
LANE_INLINE void sm3_four_rounds(lane32 s[8], lane32 w[16], int t, const uint32_t *k) {
    sm3_round(t, s[0], &s[1], s[2], &s[3], s[4], &s[5], s[6], &s[7], w[t & 15], w[(t + 4) & 15], lane32_set(k[0]));
    sm3_expand(w, t);
    sm3_round(t, s[3], &s[0], s[1], &s[2], s[7], &s[4], s[5], &s[6], w[(t + 1) & 15], w[(t + 5) & 15],
              lane32_set(k[1]));
    sm3_expand(w, t + 1);
    sm3_round(t, s[2], &s[3], s[0], &s[1], s[6], &s[7], s[4], &s[5], w[(t + 2) & 15], w[(t + 6) & 15],
              lane32_set(k[2]));
    sm3_expand(w, t + 2);
    sm3_round(t, s[1], &s[2], s[3], &s[0], s[5], &s[6], s[7], &s[4], w[(t + 3) & 15], w[(t + 7) & 15],
              lane32_set(k[3]));
    sm3_expand(w, t + 3);
}

/* Rounds first .. first + 15. first: a multiple of 16; only whether it is zero need be constant. */
LANE_INLINE void sm3_sixteen_rounds(lane32 s[8], lane32 w[16], int first) {
    const uint32_t *k = sm3_round_constants + first;
    int t = first == 0 ? 0 : 16;
    sm3_four_rounds(s, w, t, k);
    sm3_four_rounds(s, w, t + 4, k + 4);
    sm3_four_rounds(s, w, t + 8, k + 8);
    sm3_four_rounds(s, w, t + 12, k + 12);
}

/* state = compression of state and one block of 16 big-endian words. */
LANE_INLINE void sm3_compress(lane32 state[8], const lane32 block[16]) {
    lane32 s[8], w[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        s[i] = state[i];
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    sm3_sixteen_rounds(s, w, 0);
    for (int t = 16; t < 64; t += 16)
        sm3_sixteen_rounds(s, w, t);
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        state[i] ^= s[i];
}

#endif
