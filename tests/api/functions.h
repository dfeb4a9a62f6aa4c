/* Every public operation as a row of one table, so that a test can try the same mistake on each. */
#ifndef TESTS_API_FUNCTIONS_H
#define TESTS_API_FUNCTIONS_H

#include "scheme/job.h"

struct arguments {
    gecc_context *context;
    gecc_curve curve;
    gecc_hash hash;
    gecc_modulus modulus;
    gecc_out out;
    uint8_t *recovery_id;
    uint8_t *status;
    gecc_rows in[JOB_INPUTS];
    size_t count;
    const gecc_options *options;
};

/* What the rows of a column are. */
enum kind {
    KIND_NONE,
    KIND_POINT,
    KIND_SCALAR,
    KIND_DIGEST,
    KIND_SIGNATURE,
    KIND_BYTE,
    KIND_RESIDUE,
    KIND_EXPONENT,
    KIND_E,
    KIND_ID,
    KIND_MESSAGE,
    KIND_HASH
};

struct function {
    const char *name;
    gecc_result (*call)(const struct arguments *a);
    enum operation operation;
    enum { SELECTS_CURVE, SELECTS_SM2, SELECTS_MODULUS, SELECTS_HASH } selects;
    uint32_t flags; /* that reach the job */
    enum kind out;
    enum kind in[JOB_INPUTS];
};

#define CALL(name, ...)                                                                                                \
    static inline gecc_result call_##name(const struct arguments *a) {                                                 \
        return gecc_##name(a->context, __VA_ARGS__, a->count, a->options);                                             \
    }

CALL(ec_validate, a->curve, a->status, a->in[0])
CALL(ec_convert, a->curve, a->out, a->status, a->in[0])
CALL(ec_add, a->curve, a->out, a->status, a->in[0], a->in[1])
CALL(ec_double, a->curve, a->out, a->status, a->in[0])
CALL(ec_public_key, a->curve, a->out, a->status, a->in[0])
CALL(ec_mul_base, a->curve, a->out, a->status, a->in[0])
CALL(ec_mul, a->curve, a->out, a->status, a->in[0], a->in[1])
CALL(ec_mul_add, a->curve, a->out, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_sign, a->curve, a->out, a->recovery_id, a->status, a->in[0], a->in[1])
CALL(ecdsa_sign_with_dangerous_nonce, a->curve, a->out, a->recovery_id, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_verify, a->curve, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdsa_recover, a->curve, a->out, a->status, a->in[0], a->in[1], a->in[2])
CALL(ecdh, a->curve, a->out, a->status, a->in[0], a->in[1])
CALL(sm2_digest, a->out, a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_sign, a->out, a->status, a->in[0], a->in[1])
CALL(sm2_sign_with_dangerous_nonce, a->out, a->status, a->in[0], a->in[1], a->in[2])
CALL(sm2_verify, a->status, a->in[0], a->in[1], a->in[2])
CALL(mod_add, a->modulus, a->out, a->status, a->in[0], a->in[1])
CALL(mod_sub, a->modulus, a->out, a->status, a->in[0], a->in[1])
CALL(mod_mul, a->modulus, a->out, a->status, a->in[0], a->in[1])
CALL(mod_square, a->modulus, a->out, a->status, a->in[0])
CALL(mod_inverse, a->modulus, a->out, a->status, a->in[0])
CALL(mod_power, a->modulus, a->out, a->status, a->in[0], a->in[1])
CALL(digest, a->hash, a->out, a->status, a->in[0])

#define SIGN_FLAGS (GECC_DER | GECC_LOW_S | GECC_ANY_S | GECC_VERIFY_SIGNATURES)
#define VERIFY_FLAGS (GECC_DER | GECC_LOW_S)
#define SM2_FLAGS (GECC_DER | GECC_VERIFY_SIGNATURES)

static const struct function functions[] = {
    {"ec_validate", call_ec_validate, OPERATION_EC_VALIDATE, SELECTS_CURVE, 0, KIND_NONE, {KIND_POINT}},
    {"ec_convert", call_ec_convert, OPERATION_EC_CONVERT, SELECTS_CURVE, 0, KIND_POINT, {KIND_POINT}},
    {"ec_add", call_ec_add, OPERATION_EC_ADD, SELECTS_CURVE, 0, KIND_POINT, {KIND_POINT, KIND_POINT}},
    {"ec_double", call_ec_double, OPERATION_EC_DOUBLE, SELECTS_CURVE, 0, KIND_POINT, {KIND_POINT}},
    {"ec_public_key", call_ec_public_key, OPERATION_EC_PUBLIC_KEY, SELECTS_CURVE, 0, KIND_POINT, {KIND_SCALAR}},
    {"ec_mul_base",
     call_ec_mul_base,
     OPERATION_EC_MUL_BASE,
     SELECTS_CURVE,
     GECC_PUBLIC_SCALARS,
     KIND_POINT,
     {KIND_SCALAR}},
    {"ec_mul",
     call_ec_mul,
     OPERATION_EC_MUL,
     SELECTS_CURVE,
     GECC_PUBLIC_SCALARS,
     KIND_POINT,
     {KIND_SCALAR, KIND_POINT}},
    {"ec_mul_add",
     call_ec_mul_add,
     OPERATION_EC_MUL_ADD,
     SELECTS_CURVE,
     GECC_PUBLIC_SCALARS,
     KIND_POINT,
     {KIND_SCALAR, KIND_SCALAR, KIND_POINT}},
    {"ecdsa_sign",
     call_ecdsa_sign,
     OPERATION_ECDSA_SIGN,
     SELECTS_CURVE,
     SIGN_FLAGS,
     KIND_SIGNATURE,
     {KIND_SCALAR, KIND_DIGEST}},
    {"ecdsa_sign_with_dangerous_nonce",
     call_ecdsa_sign_with_dangerous_nonce,
     OPERATION_ECDSA_SIGN_NONCE,
     SELECTS_CURVE,
     SIGN_FLAGS,
     KIND_SIGNATURE,
     {KIND_SCALAR, KIND_DIGEST, KIND_SCALAR}},
    {"ecdsa_verify",
     call_ecdsa_verify,
     OPERATION_ECDSA_VERIFY,
     SELECTS_CURVE,
     VERIFY_FLAGS,
     KIND_NONE,
     {KIND_POINT, KIND_DIGEST, KIND_SIGNATURE}},
    {"ecdsa_recover",
     call_ecdsa_recover,
     OPERATION_ECDSA_RECOVER,
     SELECTS_CURVE,
     VERIFY_FLAGS,
     KIND_POINT,
     {KIND_DIGEST, KIND_SIGNATURE, KIND_BYTE}},
    {"ecdh", call_ecdh, OPERATION_ECDH, SELECTS_CURVE, 0, KIND_SCALAR, {KIND_SCALAR, KIND_POINT}},
    {"sm2_digest", call_sm2_digest, OPERATION_SM2_DIGEST, SELECTS_SM2, 0, KIND_E, {KIND_POINT, KIND_ID, KIND_MESSAGE}},
    {"sm2_sign", call_sm2_sign, OPERATION_SM2_SIGN, SELECTS_SM2, SM2_FLAGS, KIND_SIGNATURE, {KIND_SCALAR, KIND_E}},
    {"sm2_sign_with_dangerous_nonce",
     call_sm2_sign_with_dangerous_nonce,
     OPERATION_SM2_SIGN_NONCE,
     SELECTS_SM2,
     SM2_FLAGS,
     KIND_SIGNATURE,
     {KIND_SCALAR, KIND_E, KIND_SCALAR}},
    {"sm2_verify",
     call_sm2_verify,
     OPERATION_SM2_VERIFY,
     SELECTS_SM2,
     GECC_DER,
     KIND_NONE,
     {KIND_POINT, KIND_E, KIND_SIGNATURE}},
    {"mod_add", call_mod_add, OPERATION_MOD_ADD, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE, KIND_RESIDUE}},
    {"mod_sub", call_mod_sub, OPERATION_MOD_SUB, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE, KIND_RESIDUE}},
    {"mod_mul", call_mod_mul, OPERATION_MOD_MUL, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE, KIND_RESIDUE}},
    {"mod_square", call_mod_square, OPERATION_MOD_SQUARE, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE}},
    {"mod_inverse", call_mod_inverse, OPERATION_MOD_INVERSE, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE}},
    {"mod_power", call_mod_power, OPERATION_MOD_POWER, SELECTS_MODULUS, 0, KIND_RESIDUE, {KIND_RESIDUE, KIND_EXPONENT}},
    {"digest", call_digest, OPERATION_DIGEST, SELECTS_HASH, 0, KIND_HASH, {KIND_MESSAGE}},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };
_Static_assert(sizeof functions / sizeof functions[0] == OPERATION_COUNT, "every operation has a public function here");

#endif
