/* Tagged hashes (BIP-340): hash_tag(x) = SHA-256(SHA-256(tag) || SHA-256(tag) || x).
 *
 * The first block is the tag's alone, so each hash starts from its compression's words and costs no block more than
 * SHA-256(x). The message may be secret: no branch or address depends on it, but on the widths of messages. The tag
 * is a constant in every call. */
#ifndef GECC_HASH_TAGGED_H
#define GECC_HASH_TAGGED_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include "hash/message.h"

/* "BIP0340/aux", "BIP0340/nonce", "BIP0340/challenge" and "TapTweak" (BIP-341). */
enum tag { TAG_AUX, TAG_NONCE, TAG_CHALLENGE, TAG_TWEAK, TAGS };

/* SHA-256's chaining value after the block SHA-256(tag) || SHA-256(tag): tests/hash computes it from the name. */
LANE_CONSTANT uint32_t tagged_initial[TAGS][8] = {
    {0x24dd3219, 0x4eba7e70, 0xca0fabb9, 0x0fa3166d, 0x3afbe4b1, 0x4c44df97, 0x4aac2739, 0x249e850a},
    {0x46615b35, 0xf4bfbff7, 0x9f8dc671, 0x83627ab3, 0x60217180, 0x57358661, 0x21a29e54, 0x68b07b4c},
    {0x9cecba11, 0x23925381, 0x11679112, 0xd1627e0f, 0x97c87550, 0x003cc765, 0x90f61164, 0x33e9b66a},
    {0xd129a2f3, 0x701c655d, 0x6583b6c3, 0xb9419727, 0x95f4e232, 0x94fd54f4, 0xa2ae8d85, 0x47ca590b}};

/* hash_aux of 32 zero bytes. */
LANE_CONSTANT uint32_t tagged_aux_zero[8] = {0x54f169cf, 0xc9e2e572, 0x7480441f, 0x90ba25c4,
                                             0x88f461c7, 0x0b5ea5dc, 0xaaf7af69, 0x270aa514};

LANE_INLINE void tagged_start(enum tag tag, lane32 hash[8]) {
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        hash[i] = lane32_set(tagged_initial[tag][i]);
}

/* block = the words from `first` on of the padding of x, which has so many bytes, a multiple of 4 (constants). */
LANE_INLINE void tagged_pad(lane32 block[16], int first, int bytes) {
    LANE_UNROLL
    for (int i = first; i < 16; i++)
        block[i] = lane32_set(i == bytes % 64 / 4 ? UINT32_C(0x80000000) : 0);
    block[15] = lane32_set((uint32_t)(8 * (64 + bytes)));
}

/* hash = hash_tag(x), x of 8 words. One compression. */
LANE_INLINE void tagged_hash32(enum tag tag, lane32 hash[8], const lane32 x[8]) {
    lane32 block[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        block[i] = x[i];
    tagged_pad(block, 8, 32);
    tagged_start(tag, hash);
    hash_compress(GECC_SHA256, hash, block);
}

/* hash = hash_tag(x || y), of 8 words each, or hash_tag(x) where not `both`. Two compressions. */
LANE_INLINE void tagged_hash32_or_64(enum tag tag, lane32 hash[8], const lane32 x[8], const lane32 y[8], lane32 both) {
    lane32 block[16], longer[8];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        block[i] = x[i];
    tagged_pad(block, 8, 32);
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        block[8 + i] = lane32_select(both, y[i], block[8 + i]);
    tagged_start(tag, hash);
    hash_compress(GECC_SHA256, hash, block);
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        longer[i] = hash[i];
    tagged_pad(block, 0, 64);
    hash_compress(GECC_SHA256, longer, block);
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        hash[i] = lane32_select(both, longer[i], hash[i]);
}

/* hash = that of the tag after x || y, of 8 words each, which a message after it starts from. One compression. */
LANE_INLINE void tagged_hash_block(enum tag tag, lane32 hash[8], const lane32 x[8], const lane32 y[8]) {
    lane32 block[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++) {
        block[i] = x[i];
        block[8 + i] = y[i];
    }
    tagged_start(tag, hash);
    hash_compress(GECC_SHA256, hash, block);
}

/* From there hash = hash_tag(x || y || z), z of 8 words. One compression. */
LANE_INLINE void tagged_hash_last32(lane32 hash[8], const lane32 z[8]) {
    lane32 block[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        block[i] = z[i];
    tagged_pad(block, 8, 96);
    hash_compress(GECC_SHA256, hash, block);
}

/* From there hash = hash_tag(x || y || message): 1 + (width + 8) / 64 compressions. The message is public. */
LANE_INLINE void tagged_hash_last(lane32 hash[8], const struct segment *message) {
    struct message rest;
    rest.head = NULL;
    rest.head_words = 0;
    rest.count = 1;
    rest.segments[0] = *message;
    message_measure(GECC_SHA256, &rest, 128);
    message_chain(GECC_SHA256, hash, &rest);
}

#endif
