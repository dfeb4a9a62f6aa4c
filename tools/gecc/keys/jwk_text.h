/* Keys as the text of JSON Web Keys, and their thumbprints (RFC 7517, RFC 7638). */
#ifndef TOOL_JWK_TEXT_H
#define TOOL_JWK_TEXT_H

#include "keys/key.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JWK_BYTES = 512 }; /* what is written is shorter */

/* Is there a name for the curve (RFC 7518, 6.2.1.1; RFC 8812; RFC 8037)? */
bool jwk_has_curve(gecc_curve curve);

/* The members of RFC 7638 in its order, of a point in SEC 1's uncompressed encoding, or on Curve25519 of a key; returns
 * the characters, which a curve and scheme have alike. 0: the curve has no name. */
size_t jwk_canonical(char out[JWK_BYTES], gecc_curve curve, enum scheme scheme, const uint8_t *key);

/* out[count][JWK_BYTES] = JSON Web Keys, a zero behind each, whose `kid` are their thumbprints: of public keys,
 * `stride` bytes apart, which may lie where out does; where there are private ones, packed, with those as `d`, so that
 * the texts are secret. The curve has a name. */
gecc_result jwk_write(gecc_context *context, char (*out)[JWK_BYTES], gecc_curve curve, enum scheme scheme,
                      const uint8_t *public_keys, size_t stride, const uint8_t *private_keys, size_t count);

#endif
