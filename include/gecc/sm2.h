/* SM2 signatures (GB/T 32918.2, GM/T 0003.2), on the curve GECC_SM2. Conventions: gecc/context.h. L = 32.
 * Signatures are raw r || s, 64 bytes, or with GECC_DER strict DER. Digests (e) have 32 bytes. */
#ifndef GECC_SM2_H
#define GECC_SM2_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id to use when the parties agreed on no other (GM/T 0009). 16 bytes. */
#define GECC_SM2_DEFAULT_ID "1234567812345678"

/* e = SM3(ZA || message), 32 bytes; ZA = SM3(bits of id || id || a || b || G || public_key).
 * id: 0 to 8191 bytes a row; gecc_rows_none(): GECC_SM2_DEFAULT_ID for all. message: any width. Public data. */
GECC_CALL gecc_result gecc_sm2_digest(gecc_context *context, gecc_out e, gecc_out status, gecc_rows public_key,
                                      gecc_rows id, gecc_rows message, size_t count, const gecc_options *options);

/* Sign e with deterministic nonces (RFC 6979, options->nonce_hash). private_key: 32 bytes, 1 <= private_key < n - 1;
 * secret, constant time. entropy, and the checks before a signature is published, are as in gecc_ecdsa_sign. */
GECC_CALL gecc_result gecc_sm2_sign(gecc_context *context, gecc_out signature, gecc_out status, gecc_rows private_key,
                                    gecc_rows e, gecc_rows entropy, size_t count, const gecc_options *options);

/* Sign with the caller's nonces. DANGEROUS: see gecc_ecdsa_sign_with_dangerous_nonce. INVALID where r = 0, r + k = n or
 * s = 0. */
GECC_CALL gecc_result gecc_sm2_sign_with_dangerous_nonce(gecc_context *context, gecc_out signature, gecc_out status,
                                                         gecc_rows private_key, gecc_rows e, gecc_rows nonce,
                                                         size_t count, const gecc_options *options);

/* OK (valid), INVALID (r + s = n included) or MALFORMED_* for each row. Public data. */
GECC_CALL gecc_result gecc_sm2_verify(gecc_context *context, gecc_out status, gecc_rows public_key, gecc_rows e,
                                      gecc_rows signature, size_t count, const gecc_options *options);

/* The same for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). */
GECC_CALL gecc_result gecc_sm2_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                           gecc_rows e, gecc_rows signature, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
