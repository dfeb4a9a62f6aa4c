/* The table of operations, and names. */
#include "check.h"

#include <string.h>

const struct operation_info operation_info[OPERATION_COUNT] = {
#define X(name, text, a, b, c, out) {text, {KIND_##a, KIND_##b, KIND_##c}, KIND_##out},
    OPERATION_LIST(X)
#undef X
};

static const struct {
    const char *name;
    uint32_t flag;
} flag_names[] = {{"der", GECC_DER},
                  {"low-s", GECC_LOW_S},
                  {"any-s", GECC_ANY_S},
                  {"public", GECC_PUBLIC_SCALARS},
                  {"verified", GECC_VERIFY_SIGNATURES}};

static const char *const hash_names[] = {"default", "sha256", "sha384", "sha512", "sm3", "keccak256"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

bool call_has_recovery_id(const struct call *call) {
    return call->operation == ECDSA_SIGN || call->operation == ECDSA_SIGN_NONCE;
}

bool call_is_sm2(const struct call *call) {
    return call->operation == SM2_SIGN || call->operation == SM2_SIGN_NONCE || call->operation == SM2_VERIFY;
}

size_t call_out_bytes(const struct call *call) {
    size_t length = gecc_curve_bytes(call->curve);
    switch (operation_info[call->operation].out) {
    case KIND_POINT:
        return gecc_point_bytes(call->curve, call->format);
    case KIND_X:
        return length;
    case KIND_SIGNATURE:
        return call->flags & GECC_DER ? gecc_der_bytes(call->curve) : 2 * length;
    case KIND_DIGEST:
        return call->operation == DIGEST ? gecc_hash_bytes(call->hash) : gecc_hash_bytes(GECC_SM3);
    case KIND_RESIDUE:
        return call->modulus_bytes;
    default:
        return 0;
    }
}

bool call_uses(const struct call *call, int input) {
    if (input == INPUT_ENTROPY)
        return call->entropy;
    enum kind kind = operation_info[call->operation].in[input];
    return kind != KIND_NONE && !(kind == KIND_ID && call->default_id);
}

static bool writes_points(const struct call *call) { return operation_info[call->operation].out == KIND_POINT; }

const char *call_text(const struct call *call, char text[128]) {
    static const char *const formats[] = {"uncompressed", "compressed", "raw"};
    const char *curve = gecc_curve_name(call->curve);
    char subject[32];
    if (curve == NULL && call->modulus_bytes == 0)
        snprintf(subject, sizeof subject, "-");
    else if (curve == NULL)
        snprintf(subject, sizeof subject, "%zu-bit", 8 * call->modulus_bytes);
    else
        snprintf(subject, sizeof subject, "%s", curve);
    size_t used = (size_t)snprintf(text, 128, "%s %s", subject, operation_info[call->operation].name);
    if (writes_points(call))
        used += (size_t)snprintf(text + used, 128 - used, " %s", formats[call->format]);
    for (size_t i = 0; i < COUNT(flag_names); i++)
        if (call->flags & flag_names[i].flag)
            used += (size_t)snprintf(text + used, 128 - used, " %s", flag_names[i].name);
    if (call->hash != GECC_HASH_DEFAULT)
        used += (size_t)snprintf(text + used, 128 - used, " %s", hash_names[call->hash]);
    if (call->entropy)
        used += (size_t)snprintf(text + used, 128 - used, " hedged");
    if (call->default_id)
        snprintf(text + used, 128 - used, " default-id");
    return text;
}

bool flags_read(const char *text, uint32_t *flags) {
    *flags = 0;
    if (strcmp(text, "-") == 0)
        return true;
    while (*text != 0) {
        size_t length = strcspn(text, ","), i = 0;
        while (i < COUNT(flag_names) &&
               (strncmp(text, flag_names[i].name, length) != 0 || flag_names[i].name[length] != 0))
            i++;
        if (i == COUNT(flag_names))
            return false;
        *flags |= flag_names[i].flag;
        text += length + (text[length] == ',');
    }
    return true;
}

bool hash_read(const char *text, gecc_hash *hash) {
    for (size_t i = 0; i < COUNT(hash_names); i++)
        if (strcmp(text, hash_names[i]) == 0) {
            *hash = (gecc_hash)i;
            return true;
        }
    return false;
}

bool curve_read(const char *text, gecc_curve *curve) {
    for (int i = GECC_SECP256K1; i <= GECC_SM2; i++)
        if (strcmp(text, gecc_curve_name((gecc_curve)i)) == 0) {
            *curve = (gecc_curve)i;
            return true;
        }
    return false;
}

bool operation_read(const char *text, enum operation *operation) {
    for (int i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(text, operation_info[i].name) == 0) {
            *operation = (enum operation)i;
            return true;
        }
    return false;
}
