/* Hexadecimal text <-> bytes, without tables or branches on the digits: they may be a private key's. */
#ifndef TOOL_HEX_H
#define TOOL_HEX_H

#include <stddef.h>
#include <stdint.h>

/* out[digits / 2] = the bytes that `digits` hexadecimal characters write. digits must be even.
 * Returns 1, or 0 where a character is not a hexadecimal digit (out is then unspecified). */
int hex_decode(uint8_t *out, const char *text, size_t digits);

/* Write 2 * count lower-case digits at out; returns the end. */
char *hex_encode(char *out, const uint8_t *bytes, size_t count);

/* Skip "0x" or "0X" if the text starts so. */
void hex_skip_prefix(const char **text, size_t *digits);

#endif
