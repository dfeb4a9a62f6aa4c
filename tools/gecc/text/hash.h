/* Hashes of one message on one processor, for texts that refer to each other by them. Rows of messages go through the
 * library. */
#ifndef TOOL_HASH_H
#define TOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_BYTES = 32 };

/* The hash of JSON Web Tokens, SHA-256. */
void token_hash(uint8_t hash[HASH_BYTES], const void *bytes, size_t count);

/* The hash of Ethereum, of a message that comes in pieces. Begin with zeros. */
struct ethereum_hash {
    uint64_t lanes[25];
    size_t used; /* bytes of the block that is being filled */
};

void ethereum_hash_absorb(struct ethereum_hash *hash, const void *bytes, size_t count);
/* Nothing may be absorbed afterwards. */
void ethereum_hash_finish(struct ethereum_hash *hash, uint8_t out[HASH_BYTES]);

#endif
