/* The four hashes of Merkle and Damgard behind one compression function over 32-bit big-endian words.
 *
 * `kind` is a constant in every call, one of GECC_SHA256, GECC_SHA384, GECC_SHA512 and GECC_SM3. */
#ifndef GECC_HASH_COMPRESS_H
#define GECC_HASH_COMPRESS_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include <gecc/context.h>

#include "hash/sha256.h"
#include "hash/sha512.h"
#include "hash/sm3.h"

/* Chaining value of 8 (SHA-256, SM3) or 16 words; block of 16 or 32. */
enum { CHAIN_WORDS_MAX = 16, BLOCK_WORDS_MAX = 32 };

/* 1 for the hashes on 64-bit words. */
LANE_INLINE int hash_is_wide(gecc_hash kind) { return kind == GECC_SHA384 || kind == GECC_SHA512; }

LANE_INLINE int hash_chain_words(gecc_hash kind) { return hash_is_wide(kind) ? 16 : 8; }
LANE_INLINE int hash_block_words(gecc_hash kind) { return hash_is_wide(kind) ? 32 : 16; }
LANE_INLINE int hash_digest_words(gecc_hash kind) { return kind == GECC_SHA384 ? 12 : hash_chain_words(kind); }

/* Arguments of the compression functions, by value: a GPU passes them in registers. */
struct chain8 {
    lane32 word[8];
};
struct chain16 {
    lane32 word[16];
};
struct block16 {
    lane32 word[16];
};
struct block32 {
    lane32 word[32];
};

LANE_FUNCTION struct chain8 sha256_compress_words(struct chain8 chain, struct block16 block) {
    sha256_compress(chain.word, block.word);
    return chain;
}

LANE_FUNCTION struct chain8 sm3_compress_words(struct chain8 chain, struct block16 block) {
    sm3_compress(chain.word, block.word);
    return chain;
}

LANE_FUNCTION struct chain16 sha512_compress_words(struct chain16 chain, struct block32 block) {
    lane64 state[8], words[16];
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        state[i] = lane64_join(chain.word[2 * i], chain.word[2 * i + 1]);
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        words[i] = lane64_join(block.word[2 * i], block.word[2 * i + 1]);
    sha512_compress(state, words);
    LANE_UNROLL
    for (int i = 0; i < 8; i++) {
        chain.word[2 * i] = lane64_high(state[i]);
        chain.word[2 * i + 1] = lane64_low(state[i]);
    }
    return chain;
}

/* chain = the initial value of the hash. */
LANE_INLINE void hash_initial(gecc_hash kind, lane32 *chain) {
    LANE_UNROLL
    for (int i = 0; i < 8; i++) {
        if (hash_is_wide(kind)) {
            uint64_t word = kind == GECC_SHA384 ? sha384_initial[i] : sha512_initial[i];
            chain[2 * i] = lane32_set((uint32_t)(word >> 32));
            chain[2 * i + 1] = lane32_set((uint32_t)word);
        } else {
            chain[i] = lane32_set(kind == GECC_SM3 ? sm3_initial[i] : sha256_initial[i]);
        }
    }
}

LANE_INLINE void hash_compress_narrow(gecc_hash kind, lane32 *chain, const lane32 *block) {
    struct chain8 c;
    struct block16 b;
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        c.word[i] = chain[i];
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        b.word[i] = block[i];
    c = kind == GECC_SM3 ? sm3_compress_words(c, b) : sha256_compress_words(c, b);
    LANE_UNROLL
    for (int i = 0; i < 8; i++)
        chain[i] = c.word[i];
}

LANE_INLINE void hash_compress_wide(lane32 *chain, const lane32 *block) {
    struct chain16 c;
    struct block32 b;
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        c.word[i] = chain[i];
    LANE_UNROLL
    for (int i = 0; i < 32; i++)
        b.word[i] = block[i];
    c = sha512_compress_words(c, b);
    LANE_UNROLL
    for (int i = 0; i < 16; i++)
        chain[i] = c.word[i];
}

/* chain = compression of chain and one block, hash_chain_words and hash_block_words words. */
LANE_INLINE void hash_compress(gecc_hash kind, lane32 *chain, const lane32 *block) {
    if (hash_is_wide(kind))
        hash_compress_wide(chain, block);
    else
        hash_compress_narrow(kind, chain, block);
}

#endif
