/* Typed data of Ethereum (EIP-712): the message that is signed of a document in JSON. */
#ifndef TOOL_TYPED_DATA_H
#define TOOL_TYPED_DATA_H

#include "text/arena.h"

#include <stdint.h>

enum { TYPED_DATA_BYTES = 66 };

/* out = 0x19 || 0x01 || domainSeparator || hashStruct(message), whose hash is signed. The text is an object of `types`,
 * `primaryType`, `domain` and `message`. NULL, or why it is none. The arena is for intermediate texts. */
const char *typed_data_encode(uint8_t out[TYPED_DATA_BYTES], const char *text, size_t size, struct arena *arena);

#endif
