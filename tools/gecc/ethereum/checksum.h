/* Ethereum's addresses as text (EIP-55): digits of which letters are capitals where the hash of the text says so. */
#ifndef TOOL_CHECKSUM_H
#define TOOL_CHECKSUM_H

#include <gecc/gecc.h>

enum { ADDRESS_DIGITS = 2 * GECC_ADDRESS_BYTES };

/* The texts of addresses[count], without 0x. Any result but GECC_OK: they are not written. */
gecc_result checksum_addresses(gecc_context *context, char (*texts)[ADDRESS_DIGITS],
                               const uint8_t (*addresses)[GECC_ADDRESS_BYTES], size_t count);

#endif
