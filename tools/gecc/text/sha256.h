/* SHA-256 (FIPS 180-4) of one message on one processor: for hashes by which texts refer to each other. Rows of them go
 * through the library. */
#ifndef TOOL_SHA256_H
#define TOOL_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

void sha256(uint8_t hash[SHA256_BYTES], const void *bytes, size_t count);

#endif
