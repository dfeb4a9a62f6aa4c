#include <gecc/sm2.h>

#include "api/call.h"

enum { SIGN_FLAGS = GECC_DER | GECC_VERIFY_SIGNATURES };

gecc_result gecc_sm2_digest(gecc_context *context, gecc_out e, uint8_t *status, gecc_rows public_key, gecc_rows id,
                            gecc_rows message, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_SM2_DIGEST, status, count, options);
    if (id.data == NULL)
        id = gecc_rows_same(GECC_SM2_DEFAULT_ID, sizeof GECC_SM2_DEFAULT_ID - 1);
    gecc_call_curve(&call, GECC_SM2);
    gecc_call_hash(&call, GECC_SM3);
    gecc_call_in(&call, COLUMN_POINT, public_key);
    gecc_call_in(&call, COLUMN_SM2_ID, id);
    gecc_call_in(&call, COLUMN_MESSAGE, message);
    gecc_call_out(&call, COLUMN_SM2_DIGEST, e);
    return gecc_call_run(&call);
}

/* A signing call up to its columns private key and e. */
static struct call begin_sign(gecc_context *context, enum operation operation, uint8_t *status, gecc_rows private_key,
                              gecc_rows e, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, operation, status, count, options);
    gecc_call_curve(&call, GECC_SM2);
    gecc_call_flags(&call, SIGN_FLAGS);
    gecc_call_in(&call, COLUMN_SCALAR, private_key);
    gecc_call_in(&call, COLUMN_SM2_DIGEST, e);
    return call;
}

gecc_result gecc_sm2_sign(gecc_context *context, gecc_out signature, uint8_t *status, gecc_rows private_key,
                          gecc_rows e, size_t count, const gecc_options *options) {
    struct call call = begin_sign(context, OPERATION_SM2_SIGN, status, private_key, e, count, options);
    gecc_call_nonce_hash(&call);
    gecc_call_in_optional(&call, COLUMN_ENTROPY, call.options.entropy);
    gecc_call_out(&call, COLUMN_SIGNATURE, signature);
    return gecc_call_run(&call);
}

gecc_result gecc_sm2_sign_with_dangerous_nonce(gecc_context *context, gecc_out signature, uint8_t *status,
                                               gecc_rows private_key, gecc_rows e, gecc_rows nonce, size_t count,
                                               const gecc_options *options) {
    struct call call = begin_sign(context, OPERATION_SM2_SIGN_NONCE, status, private_key, e, count, options);
    gecc_call_in(&call, COLUMN_SCALAR, nonce);
    gecc_call_out(&call, COLUMN_SIGNATURE, signature);
    return gecc_call_run(&call);
}

gecc_result gecc_sm2_verify(gecc_context *context, uint8_t *status, gecc_rows public_key, gecc_rows e,
                            gecc_rows signature, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_SM2_VERIFY, status, count, options);
    gecc_call_curve(&call, GECC_SM2);
    gecc_call_flags(&call, GECC_DER);
    gecc_call_in(&call, COLUMN_POINT, public_key);
    gecc_call_in(&call, COLUMN_SM2_DIGEST, e);
    gecc_call_in(&call, COLUMN_SIGNATURE, signature);
    return gecc_call_run(&call);
}
