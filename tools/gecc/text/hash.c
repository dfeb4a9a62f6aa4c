/* The library's own hashes, compiled for one lane: a context takes rows, and here each message depends on another's
 * hash. */
#include "text/hash.h"

#include "limbs/lanes_scalar.h"

#include "hash/keccak.h"
#include "hash/sha256.h"

#include <string.h>

enum { RATE_BYTES = 136, CHAIN_WORDS = 8, BLOCK_WORDS = 16, BLOCK_BYTES = 4 * BLOCK_WORDS, LENGTH_BYTES = 8 };

static void compress(lane32 chain[CHAIN_WORDS], const uint8_t block[BLOCK_BYTES]) {
    lane32 words[BLOCK_WORDS];
    for (size_t i = 0; i < BLOCK_WORDS; i++, block += 4)
        words[i] = (lane32)block[0] << 24 | (lane32)block[1] << 16 | (lane32)block[2] << 8 | block[3];
    sha256_compress(chain, words);
}

void token_hash(uint8_t hash[HASH_BYTES], const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    const size_t left = count % BLOCK_BYTES, whole = count - left,
                 last = left + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    uint8_t end[2 * BLOCK_BYTES] = {0};
    lane32 chain[CHAIN_WORDS];
    memcpy(chain, sha256_initial, sizeof chain);
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(chain, from + at);
    if (left)
        memcpy(end, from + whole, left);
    end[left] = 0x80;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        end[last - 1 - i] = (uint8_t)((uint64_t)count * 8 >> 8 * i);
    for (size_t at = 0; at < last; at += BLOCK_BYTES)
        compress(chain, end + at);
    for (unsigned i = 0; i < HASH_BYTES; i++)
        hash[i] = (uint8_t)(chain[i / 4] >> (24 - 8 * (i % 4)));
}

static void put(struct ethereum_hash *hash, size_t at, uint8_t byte) {
    hash->lanes[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

void ethereum_hash_absorb(struct ethereum_hash *hash, const void *bytes, size_t count) {
    const uint8_t *from = bytes;
    for (size_t i = 0; i < count; i++) {
        put(hash, hash->used++, from[i]);
        if (hash->used == RATE_BYTES) {
            keccak_permute(hash->lanes);
            hash->used = 0;
        }
    }
}

void ethereum_hash_finish(struct ethereum_hash *hash, uint8_t out[HASH_BYTES]) {
    put(hash, hash->used, 0x01);
    put(hash, RATE_BYTES - 1, 0x80);
    keccak_permute(hash->lanes);
    for (size_t i = 0; i < HASH_BYTES; i++)
        out[i] = (uint8_t)(hash->lanes[i / 8] >> 8 * (i % 8));
}
