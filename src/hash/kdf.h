/* The key derivation function of SM2 (GM/T 0003.4, 5.4.3): SM3(Z || 1) || SM3(Z || 2) || ..., counters of 32 bits, cut
 * to as many bytes as each lane wants. Z may be secret. */
#ifndef GECC_HASH_KDF_H
#define GECC_HASH_KDF_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include "hash/message.h"

enum { KDF_WORDS = 8, KDF_BYTES = 4 * KDF_WORDS };

/* SM3's state after Z, and Z's bytes, which are whole blocks. */
struct kdf {
    lane32 chain[KDF_WORDS];
    uint32_t bytes;
};

LANE_INLINE struct kdf kdf_open(void) {
    struct kdf kdf;
    hash_initial(GECC_SM3, kdf.chain);
    kdf.bytes = 0;
    return kdf;
}

/* Z goes on with these 16 words. */
LANE_INLINE void kdf_absorb(struct kdf *kdf, const lane32 *words) {
    hash_compress(GECC_SM3, kdf->chain, words);
    kdf->bytes += 64;
}

/* word = SM3(Z || index + 1): bytes 32 index and up of the key that each lane derives. */
LANE_INLINE void kdf_block(uint32_t word[KDF_WORDS][LANES], const struct kdf *kdf, uint32_t index) {
    lane32 words[KDF_WORDS], block[16];
    LANE_UNROLL
    for (int i = 0; i < KDF_WORDS; i++)
        words[i] = kdf->chain[i];
    LANE_UNROLL
    for (int i = 2; i < 15; i++)
        block[i] = lane32_set(0);
    block[0] = lane32_set(index + 1);
    block[1] = lane32_set(UINT32_C(0x80000000));
    block[15] = lane32_set(8 * (kdf->bytes + 4));
    hash_compress(GECC_SM3, words, block);
    LANE_UNROLL
    for (int i = 0; i < KDF_WORDS; i++)
        lane32_store(word[i], words[i]);
}

/* to = from ^ the lane's first `bytes` bytes of a block, bytes <= KDF_BYTES. Returns those bytes of the block, or'ed: 0
 * where all are 0. `to` may overlap `from` unless it begins within it. */
LANE_INLINE uint32_t kdf_apply(uint8_t *to, const uint8_t *from, size_t bytes, const uint32_t word[KDF_WORDS][LANES],
                               int lane) {
    uint32_t any = 0;
    size_t i = 0;
    for (; i + 4 <= bytes; i += 4) {
        const uint32_t here = word[i / 4][lane];
        store32_big_endian(to + i, load32_big_endian(from + i) ^ here);
        any |= here;
    }
    for (; i < bytes; i++) {
        const uint32_t here = word[i / 4][lane] >> (24 - 8 * (i % 4)) & 0xff;
        to[i] = (uint8_t)(from[i] ^ here);
        any |= here;
    }
    return any;
}

/* The lane's first `bytes` bytes of a block. */
LANE_INLINE void kdf_write(uint8_t *to, size_t bytes, const uint32_t word[KDF_WORDS][LANES], int lane) {
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(word[i / 4][lane] >> (24 - 8 * (i % 4)));
}

#endif
