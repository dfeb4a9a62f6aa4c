#include <gecc/ecdsa.h>

#include "api/call.h"

gecc_result gecc_ecdsa_sign(gecc_context *context, gecc_curve curve, gecc_out signature, gecc_out recovery_id,
                            gecc_out status, gecc_rows private_key, gecc_rows digest, gecc_rows entropy, size_t count,
                            const gecc_options *options) {
    const gecc_out outputs[] = {signature, recovery_id};
    const gecc_rows inputs[] = {private_key, digest, entropy};
    return gecc_call_curve(context, OPERATION_ECDSA_SIGN, curve, outputs, status, inputs, count, options);
}

gecc_result gecc_ecdsa_sign_with_dangerous_nonce(gecc_context *context, gecc_curve curve, gecc_out signature,
                                                 gecc_out recovery_id, gecc_out status, gecc_rows private_key,
                                                 gecc_rows digest, gecc_rows nonce, size_t count,
                                                 const gecc_options *options) {
    const gecc_out outputs[] = {signature, recovery_id};
    const gecc_rows inputs[] = {private_key, digest, nonce};
    return gecc_call_curve(context, OPERATION_ECDSA_SIGN_NONCE, curve, outputs, status, inputs, count, options);
}

gecc_result gecc_ecdsa_verify(gecc_context *context, gecc_curve curve, gecc_out status, gecc_rows public_key,
                              gecc_rows digest, gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, digest, signature};
    return gecc_call_curve(context, OPERATION_ECDSA_VERIFY, curve, NULL, status, inputs, count, options);
}

gecc_result gecc_ecdsa_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                   gecc_rows digest, gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {key, digest, signature};
    return gecc_call_keys(context, OPERATION_ECDSA_VERIFY_KEYS, keys, NULL, status, inputs, count, options);
}

gecc_result gecc_ecdsa_recover(gecc_context *context, gecc_curve curve, gecc_out public_key, gecc_out status,
                               gecc_rows digest, gecc_rows signature, gecc_rows recovery_id, size_t count,
                               const gecc_options *options) {
    const gecc_rows inputs[] = {digest, signature, recovery_id};
    return gecc_call_curve(context, OPERATION_ECDSA_RECOVER, curve, &public_key, status, inputs, count, options);
}
