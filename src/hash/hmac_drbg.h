/* Deterministic nonces: the HMAC generator of RFC 6979, section 3.2, with the extra entropy of section 3.6.
 *
 * All values are big-endian words, most significant first, and secret; no branch or address depends on them. `kind`
 * (GECC_SHA256, GECC_SHA384, GECC_SHA512 or GECC_SM3) and `order_bits` (those of the group's order, at most 544) are
 * constants in every call, and the same for a state's whole life. An integer below the order has as many words as its
 * bits take, and stands for as many bytes.
 *
 * Cost in compressions, b = the blocks of one HMAC's inner message V || 00 || x || h1 || entropy (its key's block not
 * counted), c = the HMACs that one candidate takes: init 2 (b + 5), candidate 2 c, reject 6.
 *
 *                         bits: b with order 256 384 521    with entropy    c with order 256 384 521
 *       SHA-256, SM3                          2   3   3       3   3   4             1   2   3
 *       SHA-384, SHA-512                      2   2   2       2   2   2             1   1   2
 *
 * So a nonce from SHA-256 for a 32-byte order takes 16, or 18 with entropy. */
#ifndef GECC_HASH_HMAC_DRBG_H
#define GECC_HASH_HMAC_DRBG_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include "hash/compress.h"

enum { RFC6979_ENTROPY_BYTES = 32, HMAC_MESSAGE_WORDS_MAX = 64, RFC6979_SEED_WORDS_MAX = 17 + 17 + 8 };

/* K as the chaining values of HMAC after its block ^ ipad and ^ opad, and V. */
struct rfc6979 {
    lane32 inner[CHAIN_WORDS_MAX];
    lane32 outer[CHAIN_WORDS_MAX];
    lane32 v[CHAIN_WORDS_MAX];
};

/* HMAC's chaining values for a key of zeros: compression of the initial value and a block of bytes 36; of bytes 5c. */
LANE_CONSTANT uint32_t hmac_zero_key_sha256[2][8] = {
    {0xf454dead, 0x9725214f, 0x90daf2a0, 0xdf1228ea, 0x64e5750f, 0xa3924181, 0x824a932b, 0xf8e04e32},
    {0xd385480f, 0x7abb6477, 0x37c9c538, 0x5dd82467, 0x8e043a72, 0x753434b0, 0xdeb82818, 0x361d45a6}};
LANE_CONSTANT uint32_t hmac_zero_key_sha384[2][16] = {
    {0x53f86932, 0x7560c3a2, 0xc237b051, 0x64a5bbe8, 0xe581f739, 0x4cfa66b8, 0x846fa619, 0x22faad62, 0xdd0b37ce,
     0x462cff5e, 0x7ee8a4bd, 0xc87567f3, 0x39bda99c, 0x75a047f7, 0xc7bd628b, 0xd3f9a734},
    {0xff6ce3f9, 0xca86c81c, 0x585559c2, 0xae0fc15c, 0xcf0d5686, 0xfb65a54e, 0xf1d54ee1, 0x9e8cfd02, 0xa5c720ab,
     0x778ff100, 0xdeb3e5f6, 0x67573e8c, 0xc1bfc7ec, 0x16b591f3, 0x34d487c1, 0xc79d59eb}};
LANE_CONSTANT uint32_t hmac_zero_key_sha512[2][16] = {
    {0x1aa8caac, 0x196aa9cf, 0x157bc66f, 0xfacbb113, 0x2f5813b0, 0x1a6d99fb, 0x6b15a012, 0x2ed28282, 0xb31bdcd9,
     0x96d81fa6, 0x151961af, 0x57cb87c1, 0xdb05ba3a, 0x642721c9, 0x3aa11644, 0xc5429812},
    {0x1efe832e, 0x03f7255b, 0x2b9bb33f, 0x32f60445, 0xf9d607f5, 0x2ec5b0a3, 0x11afe348, 0x1f43b83d, 0x68dee3ab,
     0x8db272b7, 0x815ffb34, 0xf560a851, 0xfc6950d7, 0xe19a3529, 0x23f2e1e9, 0x645f0fe6}};
LANE_CONSTANT uint32_t hmac_zero_key_sm3[2][8] = {
    {0x8c854854, 0xf66e47eb, 0x0538ea9e, 0x5958a85f, 0x4d789aef, 0xe8cbb135, 0xb18826ca, 0xf696d872},
    {0x69f23db2, 0xb0efd84c, 0x7dc132e0, 0x2855d81f, 0x43539464, 0x96af80b2, 0x91cf7b06, 0x43820bbd}};

LANE_INLINE uint32_t hmac_zero_key(gecc_hash kind, int outer, int i) {
    return kind == GECC_SHA256   ? hmac_zero_key_sha256[outer][i & 7]
           : kind == GECC_SM3    ? hmac_zero_key_sm3[outer][i & 7]
           : kind == GECC_SHA384 ? hmac_zero_key_sha384[outer][i]
                                 : hmac_zero_key_sha512[outer][i];
}

/* Put `count` words `offset` bytes after the start of buffer, which is zero from there on. */
LANE_STEP void words_append(lane32 *buffer, int offset, const lane32 *source, int count) {
    const int first = offset / 4, shift = 8 * (offset % 4);
    LANE_UNROLL_STEP
    for (int i = 0; i < count; i++) {
        if (shift == 0) {
            buffer[first + i] = source[i];
        } else {
            buffer[first + i] |= source[i] >> shift;
            buffer[first + i + 1] = source[i] << (32 - shift);
        }
    }
}

/* The same for the last `bytes` bytes of as many words as they take, of which the others are zero. */
LANE_STEP void words_append_bytes(lane32 *buffer, int offset, const lane32 *source, int bytes) {
    const int count = (bytes + 3) / 4, start = offset + bytes - 4 * count + 4, shift = 8 * (start % 4);
    LANE_UNROLL_STEP
    for (int i = 0; i < count; i++) {
        const int word = start / 4 - 1 + i; /* where word i begins, or -1 */
        if (word >= 0)
            buffer[word] = (i == 0 || shift != 0 ? buffer[word] : lane32_set(0)) | source[i] >> shift;
        if (shift != 0)
            buffer[word + 1] = (i == 0 ? buffer[word + 1] : lane32_set(0)) | source[i] << (32 - shift);
    }
}

/* chain = chain after the message and its padding. The message has `bytes` bytes (constant) in words that are zero from
 * there to the end of the last block, where the padding is put; one block, the key, went before it. */
LANE_STEP void hmac_absorb(gecc_hash kind, lane32 *chain, lane32 *message, int bytes) {
    const int block_words = hash_block_words(kind), block_bytes = 4 * block_words;
    const int blocks = (bytes + 1 + block_bytes / 8 + block_bytes - 1) / block_bytes;
    message[bytes / 4] |= lane32_set(UINT32_C(0x80000000) >> (8 * (bytes % 4)));
    message[blocks * block_words - 1] = lane32_set((uint32_t)(8 * (block_bytes + bytes)));
    LANE_UNROLL_STEP
    for (int b = 0; b < blocks; b++)
        hash_compress(kind, chain, message + b * block_words);
}

/* digest = HMAC(K, message), hash_digest_words words; the message as in hmac_absorb, which see. */
LANE_STEP void hmac(gecc_hash kind, lane32 *digest, const struct rfc6979 *state, lane32 *message, int bytes) {
    const int digest_words = hash_digest_words(kind), chain_words = hash_chain_words(kind);
    lane32 inner[CHAIN_WORDS_MAX], outer[CHAIN_WORDS_MAX], block[BLOCK_WORDS_MAX];
    LANE_UNROLL_STEP
    for (int i = 0; i < chain_words; i++) {
        inner[i] = state->inner[i];
        outer[i] = state->outer[i];
    }
    hmac_absorb(kind, inner, message, bytes);
    LANE_UNROLL_STEP
    for (int i = 0; i < hash_block_words(kind); i++)
        block[i] = i < digest_words ? inner[i] : lane32_set(0);
    hmac_absorb(kind, outer, block, 4 * digest_words);
    LANE_UNROLL_STEP
    for (int i = 0; i < digest_words; i++)
        digest[i] = outer[i];
}

/* chain = compression of the initial value and the block K ^ pad, pad repeated. */
LANE_STEP void hmac_key(gecc_hash kind, lane32 *chain, const lane32 *key, uint32_t pad) {
    lane32 block[BLOCK_WORDS_MAX];
    LANE_UNROLL_STEP
    for (int i = 0; i < hash_block_words(kind); i++)
        block[i] = i < hash_digest_words(kind) ? key[i] ^ lane32_set(pad) : lane32_set(pad);
    hash_initial(kind, chain);
    hash_compress(kind, chain, block);
}

/* V = HMAC(K, V). */
LANE_STEP void rfc6979_next(struct rfc6979 *state, gecc_hash kind) {
    const int digest_words = hash_digest_words(kind);
    lane32 message[BLOCK_WORDS_MAX];
    LANE_UNROLL_STEP
    for (int i = 0; i < hash_block_words(kind); i++)
        message[i] = i < digest_words ? state->v[i] : lane32_set(0);
    hmac(kind, state->v, state, message, 4 * digest_words);
}

/* K = HMAC(K, V || separator || seed), V = HMAC(K, V). separator < 256; seed: seed_words words (constant). */
LANE_STEP void rfc6979_update(struct rfc6979 *state, gecc_hash kind, uint32_t separator, const lane32 *seed,
                              int seed_words) {
    const int v_bytes = 4 * hash_digest_words(kind);
    lane32 message[HMAC_MESSAGE_WORDS_MAX], key[CHAIN_WORDS_MAX];
    LANE_UNROLL_STEP
    for (int i = 0; i < HMAC_MESSAGE_WORDS_MAX; i++)
        message[i] = lane32_set(0);
    words_append(message, 0, state->v, v_bytes / 4);
    message[v_bytes / 4] = lane32_set(separator << 24);
    words_append(message, v_bytes + 1, seed, seed_words);
    hmac(kind, key, state, message, v_bytes + 1 + 4 * seed_words);
    hmac_key(kind, state->inner, key, 0x36363636);
    hmac_key(kind, state->outer, key, 0x5c5c5c5c);
    rfc6979_next(state, kind);
}

/* Steps a to g: state from the private key x and from h1, the digest after bits2octets (so less than the order).
 * entropy: RFC6979_ENTROPY_BYTES bytes that follow h1, or NULL for none, the same for all lanes. */
LANE_INLINE void rfc6979_init(struct rfc6979 *state, gecc_hash kind, int order_bits, const lane32 *x, const lane32 *h1,
                              const lane32 *entropy) {
    const int order_bytes = (order_bits + 7) / 8, entropy_words = entropy ? RFC6979_ENTROPY_BYTES / 4 : 0;
    lane32 seed[RFC6979_SEED_WORDS_MAX];
    LANE_UNROLL_STEP
    for (int i = 0; i < RFC6979_SEED_WORDS_MAX; i++)
        seed[i] = lane32_set(0);
    words_append_bytes(seed, 0, x, order_bytes);
    words_append_bytes(seed, order_bytes, h1, order_bytes);
    words_append(seed, 2 * order_bytes, entropy, entropy_words);
    LANE_UNROLL_STEP
    for (int i = 0; i < hash_chain_words(kind); i++) {
        state->inner[i] = lane32_set(hmac_zero_key(kind, 0, i));
        state->outer[i] = lane32_set(hmac_zero_key(kind, 1, i));
        state->v[i] = lane32_set(0x01010101);
    }
    for (uint32_t separator = 0; separator < 2; separator++)
        rfc6979_update(state, kind, separator, seed, 2 * order_bytes / 4 + entropy_words);
}

/* Steps h.1 and h.2: t = the next candidate, of order_bits bits. It is a nonce if 1 <= t < order (and the signature it
 * makes is not refused); otherwise go on with rfc6979_reject. Moves V on in every lane, so a lane whose candidate was
 * accepted must keep it. */
LANE_INLINE void rfc6979_candidate(struct rfc6979 *state, gecc_hash kind, int order_bits, lane32 *t) {
    const int digest_words = hash_digest_words(kind), order_words = (order_bits + 31) / 32;
    const int excess = 32 * order_words - order_bits; /* the leftmost bits are taken */
    LANE_UNROLL_STEP
    for (int i = 0; i < order_words; i++) {
        if (i % digest_words == 0)
            rfc6979_next(state, kind);
        t[i] = state->v[i % digest_words];
    }
    LANE_UNROLL_STEP
    for (int i = order_words - 1; excess != 0 && i >= 0; i--)
        t[i] = t[i] >> excess | (i > 0 ? t[i - 1] << (32 - excess) : lane32_set(0));
}

/* Step h.3, in the lanes of the mask: K = HMAC(K, V || 00), V = HMAC(K, V). The others keep their state. */
LANE_INLINE void rfc6979_reject(struct rfc6979 *state, gecc_hash kind, lane32 rejected) {
    struct rfc6979 next = *state;
    rfc6979_update(&next, kind, 0, NULL, 0);
    LANE_UNROLL_STEP
    for (int i = 0; i < hash_chain_words(kind); i++) {
        state->inner[i] = lane32_select(rejected, next.inner[i], state->inner[i]);
        state->outer[i] = lane32_select(rejected, next.outer[i], state->outer[i]);
        state->v[i] = lane32_select(rejected, next.v[i], state->v[i]);
    }
}

#endif
