/* Base64 and its form for URLs (RFC 4648), without tables or branches on the characters: they may be a private
 * key's. */
#ifndef TOOL_BASE64_H
#define TOOL_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that so many characters write. */
static inline size_t base64_decoded_most(size_t length) { return length / 4 * 3 + length % 4; }

/* out[base64_decoded_most(length)] = the bytes that the characters write, with or without padding. *count says how
 * many. false: a character, or their number, is wrong. */
bool base64_decode(uint8_t *out, size_t *count, const char *text, size_t length, bool url);

/* Write count bytes, for URLs without padding; returns the end. */
char *base64_encode(char *out, const uint8_t *bytes, size_t count, bool url);

#endif
