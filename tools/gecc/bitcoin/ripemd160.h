/* RIPEMD-160 (Dobbertin, Bosselaers, Preneel 1996), of which Bitcoin's HASH160 takes the second half. */
#ifndef TOOL_BITCOIN_RIPEMD160_H
#define TOOL_BITCOIN_RIPEMD160_H

#include <stddef.h>
#include <stdint.h>

void bitcoin_ripemd160(uint8_t digest[20], const uint8_t *message, size_t size);

#endif
