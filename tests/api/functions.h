/* The typed function of each operation, called with columns in the order of gecc_run's arrays. */
#ifndef TESTS_API_FUNCTIONS_H
#define TESTS_API_FUNCTIONS_H

#include "scheme/job.h"

/* What gecc_run takes, but for the operation. */
struct arguments {
    gecc_context *context;
    gecc_parameters parameters;
    gecc_out out[JOB_OUTPUTS];
    gecc_out status;
    gecc_rows in[JOB_INPUTS];
    size_t count;
    const gecc_options *options;
};

#define CALL(name, ...)                                                                                                \
    static inline gecc_result call_##name(const struct arguments *a) {                                                 \
        return gecc_##name(a->context, __VA_ARGS__, a->count, a->options);                                             \
    }
#define CURVE a->parameters.curve
#define MODULUS a->parameters.modulus
#define HASH a->parameters.hash
#define KEYS a->parameters.keys

CALL(ec_validate, CURVE, a->status, a->in[0])
CALL(ec_convert, CURVE, a->out[0], a->status, a->in[0])
CALL(ec_add, CURVE, a->out[0], a->status, a->in[0], a->in[1])
CALL(ec_double, CURVE, a->out[0], a->status, a->in[0])
CALL(ec_public_key, CURVE, a->out[0], a->status, a->in[0])
CALL(ec_mul_base, CURVE, a->out[0], a->status, a->in[0])
CALL(ec_mul, CURVE, a->out[0], a->status, a->in[0], a->in[1])
CALL(ec_mul_add, CURVE, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(ec_mul_add_keys, KEYS, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_sign, CURVE, a->out[0], a->out[1], a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_sign_with_dangerous_nonce, CURVE, a->out[0], a->out[1], a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_verify, CURVE, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_verify_keys, KEYS, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_recover, CURVE, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdh, CURVE, a->out[0], a->status, a->in[0], a->in[1])
CALL(sm2_digest, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_sign, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_sign_with_dangerous_nonce, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_verify, a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_verify_keys, KEYS, a->status, a->in[0], a->in[1], a->in[2])
CALL(schnorr_public_key, a->out[0], a->status, a->in[0])
CALL(schnorr_sign, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(schnorr_verify, a->status, a->in[0], a->in[1], a->in[2])
CALL(schnorr_verify_keys, KEYS, a->status, a->in[0], a->in[1], a->in[2])
CALL(schnorr_tweak_public_key, a->out[0], a->out[1], a->status, a->in[0], a->in[1])
CALL(schnorr_tweak_private_key, a->out[0], a->status, a->in[0], a->in[1])
CALL(ethereum_address, a->out[0], a->status, a->in[0])
CALL(ethereum_recover, a->out[0], a->status, a->in[0], a->in[1])
CALL(ethereum_recover_columns, a->out[0], a->status, a->in[0], a->in[1], a->in[2], a->in[3])
CALL(ethereum_recover_message, a->out[0], a->status, a->in[0], a->in[1])
CALL(ed25519_public_key, a->out[0], a->status, a->in[0])
CALL(ed25519_sign, a->out[0], a->status, a->in[0], a->in[1], a->in[2])
CALL(ed25519_verify, a->status, a->in[0], a->in[1], a->in[2], a->in[3])
CALL(ed25519_verify_keys, KEYS, a->status, a->in[0], a->in[1], a->in[2], a->in[3])
CALL(x25519_public_key, a->out[0], a->status, a->in[0])
CALL(x25519, a->out[0], a->status, a->in[0], a->in[1])
CALL(mod_add, MODULUS, a->out[0], a->status, a->in[0], a->in[1])
CALL(mod_sub, MODULUS, a->out[0], a->status, a->in[0], a->in[1])
CALL(mod_mul, MODULUS, a->out[0], a->status, a->in[0], a->in[1])
CALL(mod_square, MODULUS, a->out[0], a->status, a->in[0])
CALL(mod_inverse, MODULUS, a->out[0], a->status, a->in[0])
CALL(mod_power, MODULUS, a->out[0], a->status, a->in[0], a->in[1])
CALL(digest, HASH, a->out[0], a->status, a->in[0])

#undef CURVE
#undef MODULUS
#undef HASH
#undef KEYS

#define FUNCTION(name)                                                                                                 \
    { "gecc_" #name, call_##name }

/* In the order of the table of operations. */
static const struct function {
    const char *name;
    gecc_result (*call)(const struct arguments *a);
} functions[] = {
    FUNCTION(ec_validate),
    FUNCTION(ec_convert),
    FUNCTION(ec_add),
    FUNCTION(ec_double),
    FUNCTION(ec_public_key),
    FUNCTION(ec_mul_base),
    FUNCTION(ec_mul),
    FUNCTION(ec_mul_add),
    FUNCTION(ec_mul_add_keys),
    FUNCTION(ecdsa_sign),
    FUNCTION(ecdsa_sign_with_dangerous_nonce),
    FUNCTION(ecdsa_verify),
    FUNCTION(ecdsa_verify_keys),
    FUNCTION(ecdsa_recover),
    FUNCTION(ecdh),
    FUNCTION(sm2_digest),
    FUNCTION(sm2_sign),
    FUNCTION(sm2_sign_with_dangerous_nonce),
    FUNCTION(sm2_verify),
    FUNCTION(sm2_verify_keys),
    FUNCTION(schnorr_public_key),
    FUNCTION(schnorr_sign),
    FUNCTION(schnorr_verify),
    FUNCTION(schnorr_verify_keys),
    FUNCTION(schnorr_tweak_public_key),
    FUNCTION(schnorr_tweak_private_key),
    FUNCTION(ethereum_address),
    FUNCTION(ethereum_recover),
    FUNCTION(ethereum_recover_columns),
    FUNCTION(ethereum_recover_message),
    FUNCTION(ed25519_public_key),
    FUNCTION(ed25519_sign),
    FUNCTION(ed25519_verify),
    FUNCTION(ed25519_verify_keys),
    FUNCTION(x25519_public_key),
    FUNCTION(x25519),
    FUNCTION(mod_add),
    FUNCTION(mod_sub),
    FUNCTION(mod_mul),
    FUNCTION(mod_square),
    FUNCTION(mod_inverse),
    FUNCTION(mod_power),
    FUNCTION(digest),
};

_Static_assert(sizeof functions / sizeof functions[0] == OPERATION_COUNT, "every operation has a typed function here");

#endif
