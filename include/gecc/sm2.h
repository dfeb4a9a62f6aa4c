/* SM2 signatures (GB/T 32918.2, GM/T 0003.2), encryption (part 4) and key exchange (part 3), on the curve GECC_SM2.
 * Conventions: gecc/context.h. L = 32. Signatures are raw r || s, 64 bytes, or with GECC_DER strict DER. Digests (e)
 * have 32 bytes. */
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

/* Encryption. A ciphertext is C1 || C3 || C2, with GECC_C1C2C3 C1 || C2 || C3, with GECC_DER the SEQUENCE { INTEGER x,
 * INTEGER y, OCTET STRING C3, OCTET STRING C2 } of GB/T 35276, strict DER. C1 = k G, a point as options->point_format
 * says, 65 bytes if that says nothing; C3 = SM3(x2 || plaintext || y2), 32 bytes; C2 = plaintext ^ t, t = KDF(x2 || y2)
 * by SM3; (x2, y2) = k public_key = private_key C1. So a ciphertext has 97 bytes more than its plaintext, 65 where C1
 * is compressed, 96 where it is raw, in DER at most 116.
 *
 * How wide the outputs' rows are follows from the inputs', row by row: widths has to be there, and the room for a row
 * is options->output_bytes, or the column's stride. All the room is written, zeros after a row's end; so where rows are
 * members of a struct, and the stride goes over the others, output_bytes has to be said.
 *
 * nonce: k, 32 bytes, 1 <= k < n, secret, at random for each row: it must never repeat, nor be known. Two rows of one
 * key and one nonce give away the exclusive or of their plaintexts, and a nonce that followed from key and plaintext
 * would show which rows are alike; so gecc, which has no generator of random numbers, makes none, and the caller has
 * them from the system's (getrandom). plaintext: 1 byte or more; secret. INVALID: t is all zeros, as it is once in
 * 2^(8 w) rows whose plaintexts have w bytes; such a row needs another nonce. The time depends on the widths of
 * plaintexts, and on nothing else of nonces and plaintexts. */
GECC_CALL gecc_result gecc_sm2_encrypt(gecc_context *context, gecc_out ciphertext, gecc_out status,
                                       gecc_rows public_key, gecc_rows nonce, gecc_rows plaintext, size_t count,
                                       const gecc_options *options);

/* private_key: as in gecc_sm2_sign; secret, constant time. INVALID where C3 is not the plaintext's, or t all zeros;
 * a C1 that is no point of the curve is refused as points are, MALFORMED_WIDTH a row of fewer than C1, C3 and one
 * byte. Nothing of a plaintext that is refused is left in its row. */
GECC_CALL gecc_result gecc_sm2_decrypt(gecc_context *context, gecc_out plaintext, gecc_out status,
                                       gecc_rows private_key, gecc_rows ciphertext, size_t count,
                                       const gecc_options *options);

/* Key exchange, one side of it: the initiator's, or with GECC_RESPONDER the responder's. Both sides get the same key.
 *   key = KDF(x of U || y of U || Z of the initiator || Z of the responder), of options->output_bytes bytes;
 *   U = t (peer_public_key + x' peer_ephemeral_point), t = private_key + x'' ephemeral_key; x' and x'' are the low 127
 *   bits of the ephemeral points' x, and 2^127; Z as in gecc_sm2_digest.
 * ephemeral_key: 32 bytes, 1 to n - 1, random, for this exchange alone; gecc_ec_public_key makes the point of it that
 * the peer gets. private_key and ephemeral_key are secret, constant time. id and peer_id: as in gecc_sm2_digest.
 * confirmation: the hash that this side sends (S_A of the initiator, S_B of the responder), and peer_confirmation the
 * one that it must have been sent, to be compared before the key is used, in constant time: until the peer has sent it,
 * peer_confirmation is secret, since a stranger who knows it can answer in the peer's place.
 * 32 bytes, either may be left out.
 * INVALID where U would be infinity. */
GECC_CALL gecc_result gecc_sm2_exchange(gecc_context *context, gecc_out key, gecc_out confirmation,
                                        gecc_out peer_confirmation, gecc_out status, gecc_rows private_key,
                                        gecc_rows ephemeral_key, gecc_rows id, gecc_rows peer_public_key,
                                        gecc_rows peer_ephemeral_point, gecc_rows peer_id, size_t count,
                                        const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
