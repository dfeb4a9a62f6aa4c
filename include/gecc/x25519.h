/* X25519 (RFC 7748): Diffie-Hellman on Curve25519. Conventions: gecc/context.h; all byte strings are as RFC 7748 has
 * them, 32 bytes, lowest byte first.
 *
 * A private key is any 32 bytes, of which the function clears and sets some bits. A public key is any 32 bytes: bit 255
 * is ignored, and numbers are taken modulo 2^255 - 19. */
#ifndef GECC_X25519_H
#define GECC_X25519_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* public_key = X25519(private_key, 9). Secret, constant time. */
GECC_CALL gecc_result gecc_x25519_public_key(gecc_context *context, gecc_out public_key, gecc_out status,
                                             gecc_rows private_key, size_t count, const gecc_options *options);

/* shared = X25519(private_key, peer), not hashed. INVALID where that is zero, whatever the private key: peers of small
 * order. Private keys are secret, constant time; peers are public. */
GECC_CALL gecc_result gecc_x25519(gecc_context *context, gecc_out shared, gecc_out status, gecc_rows private_key,
                                  gecc_rows peer, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
