/* Schnorr signatures (BIP-340) and Taproot's keys (BIP-341), on secp256k1. Conventions: gecc/context.h.
 *
 * A public key is x-only: the 32 bytes of the x of P = private_key * G, which stands for the point with that x and an
 * even y. One that is not less than p is MALFORMED_POINT_RANGE, one that no point has MALFORMED_POINT_OFF_CURVE. A
 * signature has 64 bytes, x of R || s; with r not less than p or s not less than n it is MALFORMED_SIGNATURE_RANGE.
 * With GECC_SIGHASH_BYTE one that is verified may have 65. Messages have any width, and are hashed as they are: a
 * caller that signs a digest gives the digest. GECC_LITTLE_ENDIAN is for private keys alone. */
#ifndef GECC_SCHNORR_H
#define GECC_SCHNORR_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* public_key = x of private_key * G, 32 bytes. private_key: 32 bytes, 1 <= private_key < n; secret, constant time. */
GECC_CALL gecc_result gecc_schnorr_public_key(gecc_context *context, gecc_out public_key, gecc_out status,
                                              gecc_rows private_key, size_t count, const gecc_options *options);

/* Sign messages as BIP-340 says. private_key: as above. auxiliary: 32 random bytes a row, secret; gecc_rows_none():
 * zeros, and signatures that the key and the message determine. Each signature is checked (P and R on the curve, and s
 * = k + e d but on a GPU) before it is published, with GECC_VERIFY_SIGNATURES verified in full; one that fails the
 * check reads GECC_ITEM_NOT_PROCESSED and the call returns GECC_ERROR_FAULT. INVALID where the nonce would be 0, which
 * nobody has seen. */
GECC_CALL gecc_result gecc_schnorr_sign(gecc_context *context, gecc_out signature, gecc_out status,
                                        gecc_rows private_key, gecc_rows message, gecc_rows auxiliary, size_t count,
                                        const gecc_options *options);

/* OK (valid), INVALID or MALFORMED_* for each row. A sighash byte of 0 is MALFORMED_SIGNATURE_ENCODING. Public data. */
GECC_CALL gecc_result gecc_schnorr_verify(gecc_context *context, gecc_out status, gecc_rows public_key,
                                          gecc_rows message, gecc_rows signature, size_t count,
                                          const gecc_options *options);

/* The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). One that was prepared
 * from a whole point stands for that with an even y, as its x does. */
GECC_CALL gecc_result gecc_schnorr_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                               gecc_rows message, gecc_rows signature, size_t count,
                                               const gecc_options *options);

/* tweaked = x of Q = P + t G, 32 bytes; parity: one byte a row, 0 or 1, that of Q's y; gecc_out_none(): not wanted.
 * t = hash_TapTweak(public_key || merkle_root). merkle_root: 32 bytes a row, or none in a row without scripts;
 * gecc_rows_none(): none in any. INFINITY where Q is that, INVALID where t is not less than n. Public data. */
GECC_CALL gecc_result gecc_schnorr_tweak_public_key(gecc_context *context, gecc_out tweaked, gecc_out parity,
                                                    gecc_out status, gecc_rows public_key, gecc_rows merkle_root,
                                                    size_t count, const gecc_options *options);

/* tweaked = the private key of that Q, 32 bytes: private_key or n - private_key, whichever makes P's y even, plus t,
 * mod n. INVALID where it is 0 or t is not less than n. Secret, constant time. */
GECC_CALL gecc_result gecc_schnorr_tweak_private_key(gecc_context *context, gecc_out tweaked, gecc_out status,
                                                     gecc_rows private_key, gecc_rows merkle_root, size_t count,
                                                     const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
