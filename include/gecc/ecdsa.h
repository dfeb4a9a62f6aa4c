/* ECDSA (FIPS 186-5, SEC 1) on every curve. Conventions: gecc/context.h.
 *
 * A digest has 20 to 64 bytes; its leftmost bits, as many as n has, are the number that is signed. Other widths:
 * MALFORMED_WIDTH. Signatures are raw r || s, 2L bytes, or with GECC_DER strict DER: a SEQUENCE of two INTEGERs that
 * are not negative, in the fewest bytes, with lengths below 128. What is none, an empty row too, is
 * MALFORMED_SIGNATURE_ENCODING; numbers that are out of range, however long, are MALFORMED_SIGNATURE_RANGE. */
#ifndef GECC_ECDSA_H
#define GECC_ECDSA_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sign with the deterministic nonces of RFC 6979 (options->nonce_hash). private_key: as for gecc_ec_public_key.
 * entropy: 32 bytes a row of extra input to the nonce (RFC 6979, 3.6), secret; gecc_rows_none(): none. recovery_id: one
 * byte a row, 0..3: bit 0 the parity of R's y (after low s), bit 1 whether R's x was not less than n; gecc_out_none():
 * not wanted. Each signature is checked (R on the curve, the signing equation) before it is published; one that fails
 * the check reads GECC_ITEM_NOT_PROCESSED and the call returns GECC_ERROR_FAULT. s is low on secp256k1 unless
 * GECC_ANY_S is set, elsewhere if GECC_LOW_S is set. */
GECC_CALL gecc_result gecc_ecdsa_sign(gecc_context *context, gecc_curve curve, gecc_out signature, gecc_out recovery_id,
                                      gecc_out status, gecc_rows private_key, gecc_rows digest, gecc_rows entropy,
                                      size_t count, const gecc_options *options);

/* Sign with the caller's nonces. DANGEROUS: a nonce that repeats, or a few known bits of it, reveals the private key.
 * For known-answer tests and protocols that prescribe the nonce. nonce: L bytes, 1 <= nonce < n, secret.
 * INVALID where r or s would be 0. */
GECC_CALL gecc_result gecc_ecdsa_sign_with_dangerous_nonce(gecc_context *context, gecc_curve curve, gecc_out signature,
                                                           gecc_out recovery_id, gecc_out status, gecc_rows private_key,
                                                           gecc_rows digest, gecc_rows nonce, size_t count,
                                                           const gecc_options *options);

/* OK (valid), INVALID, or MALFORMED_* for each row. High s is accepted unless GECC_LOW_S is set. Public data. */
GECC_CALL gecc_result gecc_ecdsa_verify(gecc_context *context, gecc_curve curve, gecc_out status, gecc_rows public_key,
                                        gecc_rows digest, gecc_rows signature, size_t count,
                                        const gecc_options *options);

/* The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). */
GECC_CALL gecc_result gecc_ecdsa_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                             gecc_rows digest, gecc_rows signature, size_t count,
                                             const gecc_options *options);

/* The public key under which the signature is valid, written in options->point_format. recovery_id: one byte a row,
 * 0..3. INVALID where no such key exists (SEC 1, 4.1.6). Public data. */
GECC_CALL gecc_result gecc_ecdsa_recover(gecc_context *context, gecc_curve curve, gecc_out public_key, gecc_out status,
                                         gecc_rows digest, gecc_rows signature, gecc_rows recovery_id, size_t count,
                                         const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
