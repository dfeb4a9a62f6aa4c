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
