/* Keccak-256 as Ethereum has it, of one message on one processor: for hashes of which the next one depends. Rows of them
 * go through the library. */
#ifndef TOOL_KECCAK_H
#define TOOL_KECCAK_H

#include <stddef.h>
#include <stdint.h>

enum { KECCAK_BYTES = 32 };

/* Begin with zeros. */
struct keccak {
    uint64_t lanes[25];
    size_t used; /* bytes of the block that is being filled */
};

void keccak_absorb(struct keccak *keccak, const void *bytes, size_t count);
/* Nothing may be absorbed afterwards. */
void keccak_finish(struct keccak *keccak, uint8_t hash[KECCAK_BYTES]);

#endif
