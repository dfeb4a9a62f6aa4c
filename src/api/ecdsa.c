#include <gecc/ecdsa.h>

#include "api/call.h"

enum { SIGN_FLAGS = GECC_DER | GECC_LOW_S | GECC_ANY_S | GECC_VERIFY_SIGNATURES, VERIFY_FLAGS = GECC_DER | GECC_LOW_S };

/* A signing call up to its columns private key and digest. On secp256k1 s is low unless the caller says otherwise. */
static struct call begin_sign(gecc_context *context, enum operation operation, gecc_curve curve, uint8_t *status,
                              gecc_rows private_key, gecc_rows digest, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, operation, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, SIGN_FLAGS);
    if (curve == GECC_SECP256K1 && (call.job.flags & GECC_ANY_S) == 0)
        call.job.flags |= GECC_LOW_S;
    gecc_call_in(&call, COLUMN_SCALAR, private_key);
    gecc_call_in(&call, COLUMN_DIGEST, digest);
    return call;
}

static gecc_result run_sign(struct call *call, gecc_out signature, uint8_t *recovery_id) {
    gecc_call_out(call, COLUMN_SIGNATURE, signature);
    gecc_call_out_optional(call, COLUMN_RECOVERY_ID, gecc_out_packed(recovery_id, 1));
    return gecc_call_run(call);
}

gecc_result gecc_ecdsa_sign(gecc_context *context, gecc_curve curve, gecc_out signature, uint8_t *recovery_id,
                            uint8_t *status, gecc_rows private_key, gecc_rows digest, size_t count,
                            const gecc_options *options) {
    struct call call = begin_sign(context, OPERATION_ECDSA_SIGN, curve, status, private_key, digest, count, options);
    gecc_call_nonce_hash(&call);
    gecc_call_in_optional(&call, COLUMN_ENTROPY, call.options.entropy);
    return run_sign(&call, signature, recovery_id);
}

gecc_result gecc_ecdsa_sign_with_dangerous_nonce(gecc_context *context, gecc_curve curve, gecc_out signature,
                                                 uint8_t *recovery_id, uint8_t *status, gecc_rows private_key,
                                                 gecc_rows digest, gecc_rows nonce, size_t count,
                                                 const gecc_options *options) {
    struct call call =
        begin_sign(context, OPERATION_ECDSA_SIGN_NONCE, curve, status, private_key, digest, count, options);
    gecc_call_in(&call, COLUMN_SCALAR, nonce);
    return run_sign(&call, signature, recovery_id);
}

gecc_result gecc_ecdsa_verify(gecc_context *context, gecc_curve curve, uint8_t *status, gecc_rows public_key,
                              gecc_rows digest, gecc_rows signature, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_ECDSA_VERIFY, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, VERIFY_FLAGS);
    gecc_call_in(&call, COLUMN_POINT, public_key);
    gecc_call_in(&call, COLUMN_DIGEST, digest);
    gecc_call_in(&call, COLUMN_SIGNATURE, signature);
    return gecc_call_run(&call);
}

gecc_result gecc_ecdsa_recover(gecc_context *context, gecc_curve curve, gecc_out public_key, uint8_t *status,
                               gecc_rows digest, gecc_rows signature, gecc_rows recovery_id, size_t count,
                               const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_ECDSA_RECOVER, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, VERIFY_FLAGS);
    gecc_call_in(&call, COLUMN_DIGEST, digest);
    gecc_call_in(&call, COLUMN_SIGNATURE, signature);
    gecc_call_in(&call, COLUMN_RECOVERY_ID, recovery_id);
    gecc_call_out(&call, COLUMN_POINT, public_key);
    return gecc_call_run(&call);
}
