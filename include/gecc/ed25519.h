/* Ed25519 signatures (RFC 8032). Conventions: gecc/context.h; all byte strings are as RFC 8032 has them.
 *
 * A private key is a seed, any 32 bytes; a public key has 32 bytes, a signature R || S 64. Messages have any width,
 * contexts 0 to 255 bytes. Which of the three schemes it is: without a column of contexts and without GECC_PREHASH it
 * is Ed25519; with contexts Ed25519ctx, where an empty one is a context too; with GECC_PREHASH Ed25519ph, whose
 * contexts are empty if there is no column. Messages are given whole in each case.
 *
 * What is accepted. Libraries and ledgers differ on public keys and R that are not encoded as they should be or have small
 * order, so the caller says whose rule it is; all want S < n, else MALFORMED_SIGNATURE_RANGE.
 *   no flag             RFC 8032: public key and R are canonical encodings, and S G = R + k A. A key that is not is
 *                       MALFORMED_POINT_RANGE (y is not below p) or MALFORMED_POINT_ENCODING (x is 0 and its sign is set)
 *   GECC_ACCEPT_REF10   keys need not be canonical; R is compared byte by byte: ref10, OpenSSL, Go, DNSSEC's and SSH's servers
 *   GECC_ACCEPT_STRICT  as without a flag, and neither key nor R has small order: libsodium, dalek's verify_strict, Solana
 *   GECC_ACCEPT_ZIP215  key and R need not be canonical, and 8 S G = 8 R + 8 k A: Zcash, Tendermint
 * A key without a point is MALFORMED_POINT_OFF_CURVE; each defect of R reads INVALID. A row's verdict is the same
 * in every batch. */
#ifndef GECC_ED25519_H
#define GECC_ED25519_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* public_key = that of the seed. Secret, constant time. */
GECC_CALL gecc_result gecc_ed25519_public_key(gecc_context *context, gecc_out public_key, gecc_out status,
                                              gecc_rows seed, size_t count, const gecc_options *options);

/* signature = that of the message by the seed, whose public key is computed as well. ctx may be left out. Seeds are
 * secret, messages and contexts public; constant time. On a CPU each signature is checked before it is given; with
 * GECC_VERIFY_SIGNATURES each is verified in full, on a GPU too. One that fails reads NOT_PROCESSED, and the call
 * returns GECC_ERROR_FAULT. */
GECC_CALL gecc_result gecc_ed25519_sign(gecc_context *context, gecc_out signature, gecc_out status, gecc_rows seed,
                                        gecc_rows message, gecc_rows ctx, size_t count, const gecc_options *options);

/* Does the signature hold for message and public key? OK, INVALID or MALFORMED_*. ctx may be left out. Public data. */
GECC_CALL gecc_result gecc_ed25519_verify(gecc_context *context, gecc_out status, gecc_rows public_key,
                                          gecc_rows message, gecc_rows signature, gecc_rows ctx, size_t count,
                                          const gecc_options *options);

/* The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). Which keys are refused,
 * the rule of this call decides, and not the statuses that they had when they were prepared. */
GECC_CALL gecc_result gecc_ed25519_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                               gecc_rows message, gecc_rows signature, gecc_rows ctx, size_t count,
                                               const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
