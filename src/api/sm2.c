#include <gecc/sm2.h>

#include "api/call.h"

gecc_result gecc_sm2_digest(gecc_context *context, gecc_out e, gecc_out status, gecc_rows public_key, gecc_rows id,
                            gecc_rows message, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, id, message};
    return gecc_call_curve(context, OPERATION_SM2_DIGEST, GECC_SM2, &e, status, inputs, count, options);
}

gecc_result gecc_sm2_sign(gecc_context *context, gecc_out signature, gecc_out status, gecc_rows private_key,
                          gecc_rows e, gecc_rows entropy, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, e, entropy};
    return gecc_call_curve(context, OPERATION_SM2_SIGN, GECC_SM2, &signature, status, inputs, count, options);
}

gecc_result gecc_sm2_sign_with_dangerous_nonce(gecc_context *context, gecc_out signature, gecc_out status,
                                               gecc_rows private_key, gecc_rows e, gecc_rows nonce, size_t count,
                                               const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, e, nonce};
    return gecc_call_curve(context, OPERATION_SM2_SIGN_NONCE, GECC_SM2, &signature, status, inputs, count, options);
}

gecc_result gecc_sm2_verify(gecc_context *context, gecc_out status, gecc_rows public_key, gecc_rows e,
                            gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, e, signature};
    return gecc_call_curve(context, OPERATION_SM2_VERIFY, GECC_SM2, NULL, status, inputs, count, options);
}

gecc_result gecc_sm2_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key, gecc_rows e,
                                 gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {key, e, signature};
    return gecc_call_keys(context, OPERATION_SM2_VERIFY_KEYS, keys, NULL, status, inputs, count, options);
}

gecc_result gecc_sm2_encrypt(gecc_context *context, gecc_out ciphertext, gecc_out status, gecc_rows public_key,
                             gecc_rows nonce, gecc_rows plaintext, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, nonce, plaintext};
    return gecc_call_curve(context, OPERATION_SM2_ENCRYPT, GECC_SM2, &ciphertext, status, inputs, count, options);
}

gecc_result gecc_sm2_decrypt(gecc_context *context, gecc_out plaintext, gecc_out status, gecc_rows private_key,
                             gecc_rows ciphertext, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, ciphertext};
    return gecc_call_curve(context, OPERATION_SM2_DECRYPT, GECC_SM2, &plaintext, status, inputs, count, options);
}

gecc_result gecc_sm2_exchange(gecc_context *context, gecc_out key, gecc_out confirmation, gecc_out peer_confirmation,
                              gecc_out status, gecc_rows private_key, gecc_rows ephemeral_key, gecc_rows id,
                              gecc_rows peer_public_key, gecc_rows peer_ephemeral_point, gecc_rows peer_id,
                              size_t count, const gecc_options *options) {
    const gecc_out outputs[] = {key, confirmation, peer_confirmation};
    const gecc_rows inputs[] = {private_key, ephemeral_key, id, peer_public_key, peer_ephemeral_point, peer_id};
    return gecc_call_curve(context, OPERATION_SM2_EXCHANGE, GECC_SM2, outputs, status, inputs, count, options);
}
