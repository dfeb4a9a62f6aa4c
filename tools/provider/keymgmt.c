/* Keys: provider-keymgmt(7). OpenSSL's own decoders make keys of files, and its encoders write them, by way of import and
 * export. */
#include "key.h"

#include <string.h>

#define POSSIBLE (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)

static int keymgmt_has(const void *data, int selection) {
    const struct key *key = data;
    if (key == NULL)
        return 0;
    bool foreign = key_is_foreign(key);
    int has = (selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) == 0 || key->curve != 0 || foreign;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0) {
        size_t bytes = 0;
        has = has && (foreign ? EVP_PKEY_get_octet_string_param(key->other, OSSL_PKEY_PARAM_PUB_KEY, NULL, 0, &bytes)
                              : key->has_public);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) {
        BIGNUM *number = NULL;
        has = has && (foreign ? EVP_PKEY_get_bn_param(key->other, OSSL_PKEY_PARAM_PRIV_KEY, &number)
                              : key->private_key != NULL);
        BN_clear_free(number);
    }
    return has;
}

static int same_bytes(const struct key *a, const struct key *b, int selection) {
    if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0 && a->curve != b->curve)
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return 1;
    if (a->curve != b->curve)
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && a->has_public && b->has_public)
        return CRYPTO_memcmp(a->public_key, b->public_key, key_public_bytes(a->curve)) == 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && a->private_key != NULL && b->private_key != NULL &&
           CRYPTO_memcmp(a->private_key, b->private_key, gecc_curve_bytes(a->curve)) == 0;
}

static int keymgmt_match(const void *data_a, const void *data_b, int selection) {
    struct key *a = (struct key *)data_a;
    struct key *b = (struct key *)data_b;
    if (!key_is_foreign(a) && !key_is_foreign(b))
        return same_bytes(a, b, selection);
    EVP_PKEY *other_a = key_other(a), *other_b = key_other(b);
    if (other_a == NULL || other_b == NULL)
        return 0;
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 ? EVP_PKEY_eq(other_a, other_b) == 1
                                                          : EVP_PKEY_parameters_eq(other_a, other_b) == 1;
}

static int validate_other(struct key *key, int selection, int quick) {
    EVP_PKEY *other = key_other(key);
    EVP_PKEY_CTX *context =
        other != NULL ? EVP_PKEY_CTX_new_from_pkey(key->provider->libctx, other, PROVIDER_OTHERS) : NULL;
    int valid = context != NULL;
    if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0)
        valid = valid && EVP_PKEY_param_check(context) == 1;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
        valid = valid && (quick ? EVP_PKEY_public_check_quick(context) : EVP_PKEY_public_check(context)) == 1;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
        valid = valid && EVP_PKEY_private_check(context) == 1;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_KEYPAIR)
        valid = valid && EVP_PKEY_pairwise_check(context) == 1;
    EVP_PKEY_CTX_free(context);
    return valid;
}

/* The curves have cofactor 1, so a point that is on one, as key_set_public saw, is a public key. */
static int keymgmt_validate(const void *data, int selection, int type) {
    struct key *key = (struct key *)data;
    if ((selection & POSSIBLE) == 0)
        return 1;
    if (key_is_foreign(key))
        return validate_other(key, selection, type == OSSL_KEYMGMT_VALIDATE_QUICK_CHECK);
    if (!keymgmt_has(key, selection & ~OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS))
        return REFUSE(PROV_R_INVALID_KEY, "the %s key lacks what is to be checked", key->type->name);
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0)
        return 1;
    uint8_t public_key[KEY_PUBLIC_MOST];
    gecc_item item = key_compute_public(key, public_key);
    if (item != GECC_ITEM_OK)
        return REFUSE(PROV_R_INVALID_KEY, "private key: %s", gecc_item_text((uint8_t)item));
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 &&
        CRYPTO_memcmp(public_key, key->public_key, key_public_bytes(key->curve)) != 0)
        return REFUSE(PROV_R_INVALID_KEY, "the public key is not that of the private key");
    return 1;
}

static int keymgmt_import(void *data, int selection, const OSSL_PARAM params[]) {
    return key_from_params(data, selection, params);
}

static int keymgmt_export(void *data, int selection, OSSL_CALLBACK *callback, void *argument) {
    struct key *key = data;
    int needed = key->curve == GECC_CURVE25519 ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS;
    if ((selection & needed) == 0)
        return 0;
    OSSL_PARAM *params = key_to_params(key, selection);
    int done = params != NULL && callback(params, argument);
    OSSL_PARAM_free(params);
    return done;
}

static void *keymgmt_dup(const void *data, int selection) { return key_copy((struct key *)data, selection); }

#define EC_PARAMETERS                                                                                                  \
    OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),                                                       \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),                                                  \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),                                   \
        OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_FIELD_TYPE, NULL, 0), OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_P, NULL, 0),  \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_A, NULL, 0), OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_B, NULL, 0),                    \
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_GENERATOR, NULL, 0),                                                \
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_ORDER, NULL, 0), OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_COFACTOR, NULL, 0),         \
        OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_SEED, NULL, 0),                                                     \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, NULL),                                         \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL),                                                       \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL)

static const OSSL_PARAM *keymgmt_ec_types(int selection) {
    static const OSSL_PARAM types[] = {EC_PARAMETERS, OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                       OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_END};
    return (selection & POSSIBLE) != 0 ? types : NULL;
}

static const OSSL_PARAM *keymgmt_25519_types(int selection) {
    static const OSSL_PARAM types[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                       OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_END};
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 ? types : NULL;
}

#define SIZES                                                                                                          \
    OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL), OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),                   \
        OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL)

static const OSSL_PARAM *keymgmt_ec_gettable(void *provider) {
    static const OSSL_PARAM gettable[] = {SIZES,
                                          EC_PARAMETERS,
                                          OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                          OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_X, NULL, 0),
                                          OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_Y, NULL, 0),
                                          OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return gettable;
}

static const OSSL_PARAM *keymgmt_25519_gettable(void *provider) {
    static const OSSL_PARAM gettable[] = {SIZES,
                                          OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return gettable;
}

static const OSSL_PARAM *keymgmt_ec_settable(void *provider) {
    static const OSSL_PARAM settable[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_SEED, NULL, 0),
                                          OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, NULL),
                                          OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return settable;
}

static const OSSL_PARAM *keymgmt_25519_settable(void *provider) {
    static const OSSL_PARAM settable[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                          OSSL_PARAM_END};
    (void)provider;
    return settable;
}

/* As NIST SP 800-57 counts, and OpenSSL for all curves. */
static int security_bits(size_t bits) { return bits >= 512 ? 256 : bits >= 384 ? 192 : 128; }

static size_t order_bits(gecc_curve curve) {
    static const size_t bits[] = {
#define BITS(curve, value, name, text, bits, hash, prime, order) [value] = (bits),
        GECC_CURVE_LIST(BITS)
#undef BITS
    };
    return bits[curve];
}

/* Widths of Ed25519's signatures and X25519's secrets. */
static int size_25519(const struct key *key) { return key->type == &key_ed25519 ? 64 : 32; }

/* 1: the parameter is set; 0: it is not, for an error; -1: another provider has to say. */
static int get_param(struct key *key, OSSL_PARAM *param) {
    bool is_25519 = key->curve == GECC_CURVE25519;
#define IS(name) (strcmp(param->key, name) == 0)
    if (IS(OSSL_PKEY_PARAM_BITS))
        return OSSL_PARAM_set_int(param,
                                  is_25519 ? (key->type == &key_ed25519 ? 256 : 253) : (int)order_bits(key->curve));
    if (IS(OSSL_PKEY_PARAM_SECURITY_BITS))
        return OSSL_PARAM_set_int(param, is_25519 ? 128 : security_bits(order_bits(key->curve)));
    if (IS(OSSL_PKEY_PARAM_MAX_SIZE))
        return OSSL_PARAM_set_int(param, is_25519 ? size_25519(key) : (int)gecc_der_bytes(key->curve));
    if (IS(OSSL_PKEY_PARAM_MANDATORY_DIGEST))
        return key->type != &key_ed25519 || OSSL_PARAM_set_utf8_string(param, "");
    if (IS(OSSL_PKEY_PARAM_DEFAULT_DIGEST))
        return key->type->digest == NULL || OSSL_PARAM_set_utf8_string(param, key->type->digest);
    if (IS(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) || (is_25519 && IS(OSSL_PKEY_PARAM_PUB_KEY)))
        return key->has_public ? OSSL_PARAM_set_octet_string(param, key->public_key, key_public_bytes(key->curve))
                               : REFUSE(PROV_R_NOT_A_PUBLIC_KEY, "the %s key has no public key", key->type->name);
    if (is_25519)
        return !IS(OSSL_PKEY_PARAM_PRIV_KEY) || key->private_key == NULL ||
               OSSL_PARAM_set_octet_string(param, key->private_key, gecc_curve_bytes(key->curve));
    if (IS(OSSL_PKEY_PARAM_GROUP_NAME))
        return OSSL_PARAM_set_utf8_string(param, key_group_name(key->curve));
    if (IS(OSSL_PKEY_PARAM_EC_FIELD_TYPE))
        return OSSL_PARAM_set_utf8_string(param, "prime-field");
    if (IS(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS))
        return OSSL_PARAM_set_int(param, 0);
    if (IS(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT))
        return OSSL_PARAM_set_utf8_string(param, key->point_format != NULL ? key->point_format : "uncompressed");
#undef IS
    return -1;
}

static int keymgmt_get_params(void *data, OSSL_PARAM params[]) {
    struct key *key = data;
    if (!key_is_foreign(key)) {
        if (key->curve == 0)
            return REFUSE(PROV_R_NO_PARAMETERS_SET, "the %s key has no curve", key->type->name);
        int set = 1;
        for (OSSL_PARAM *param = params; set == 1 && param->key != NULL; param++)
            set = get_param(key, param);
        if (set >= 0)
            return set;
    }
    EVP_PKEY *other = key_other(key);
    return other != NULL && EVP_PKEY_get_params(other, params);
}

static int set_public(struct key *key, const OSSL_PARAM *encoded) {
    const void *encoding = NULL;
    size_t bytes = 0;
    if (!OSSL_PARAM_get_octet_string_ptr(encoded, &encoding, &bytes) || !key_set_public(key, encoding, bytes))
        return 0;
    if (key->curve == GECC_CURVE25519) { /* as OpenSSL does */
        OPENSSL_secure_clear_free(key->private_key, gecc_curve_bytes(key->curve));
        key->private_key = NULL;
    }
    return 1;
}

/* Whether `struct key` has a place for it; key_take_form sees whether for its value, too. */
static bool may_be_held(const OSSL_PARAM *param) {
    bool is_text = param->data_type == OSSL_PARAM_UTF8_STRING;
    return strcmp(param->key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) == 0 ||
           strcmp(param->key, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC) == 0 ||
           strcmp(param->key, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH) == 0 ||
           (is_text && (strcmp(param->key, OSSL_PKEY_PARAM_EC_ENCODING) == 0 ||
                        strcmp(param->key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT) == 0));
}

/* Parameters without a place in `struct key` make the key another provider's. Keys on Curve25519 have none but the
 * public key; others are ignored, as OpenSSL does. */
static int keymgmt_set_params(void *data, const OSSL_PARAM params[]) {
    struct key *key = data;
    if (params == NULL || params->key == NULL)
        return 1;
    const OSSL_PARAM *encoded = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
    if (key->curve == GECC_CURVE25519)
        return encoded == NULL || set_public(key, encoded);
    if (key->curve == 0 && !key_is_foreign(key))
        return REFUSE(PROV_R_NO_PARAMETERS_SET, "the %s key has no curve", key->type->name);
    bool held = key->curve != 0;
    for (const OSSL_PARAM *param = params; held && param->key != NULL; param++)
        held = may_be_held(param);
    if (held && key_take_form(key, params))
        return encoded == NULL || set_public(key, encoded);
    return key_become_foreign(key, params);
}

/* Key generation. What gecc lacks goes to a context of another provider. */
struct generation {
    struct provider *provider;
    const struct key_type *type;
    int selection;
    gecc_curve curve;
    EVP_PKEY_CTX *other;
};

static void keymgmt_gen_cleanup(void *data) {
    struct generation *generation = data;
    if (generation != NULL)
        EVP_PKEY_CTX_free(generation->other);
    OPENSSL_free(generation);
}

/* Have another provider generate: by the template, or by parameters that follow. */
static int generation_other(struct generation *generation, EVP_PKEY *template) {
    OSSL_LIB_CTX *libctx = generation->provider->libctx;
    EVP_PKEY_CTX_free(generation->other);
    generation->other = template != NULL ? EVP_PKEY_CTX_new_from_pkey(libctx, template, PROVIDER_OTHERS)
                                         : EVP_PKEY_CTX_new_from_name(libctx, generation->type->name, PROVIDER_OTHERS);
    if (generation->other == NULL)
        return 0;
    bool keys = (generation->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
    if ((keys ? EVP_PKEY_keygen_init(generation->other) : EVP_PKEY_paramgen_init(generation->other)) <= 0)
        return 0;
    return generation->curve == 0 || generation->curve == GECC_CURVE25519 ||
           EVP_PKEY_CTX_set_group_name(generation->other, key_group_name(generation->curve)) > 0;
}

static int is_text(const OSSL_PARAM *param, const char *text) {
    const char *value = NULL;
    return OSSL_PARAM_get_utf8_string_ptr(param, &value) && value != NULL && strcmp(value, text) == 0;
}

/* 1: the parameter asks for nothing that gecc lacks. */
static int generation_takes(struct generation *generation, const OSSL_PARAM *param) {
    const char *name = NULL;
    int number = 1;
    if (strcmp(param->key, OSSL_PKEY_PARAM_GROUP_NAME) == 0) {
        if (!OSSL_PARAM_get_utf8_string_ptr(param, &name) || name == NULL)
            return 0;
        if (generation->type->curve == GECC_CURVE25519)
            return generation->type == &key_x25519 && OPENSSL_strcasecmp(name, "x25519") == 0;
        generation->curve = key_curve_named(generation->type, name);
        return generation->curve != 0;
    }
    if (strcmp(param->key, OSSL_PKEY_PARAM_EC_ENCODING) == 0)
        return is_text(param, OSSL_PKEY_EC_ENCODING_GROUP);
    if (strcmp(param->key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT) == 0)
        return is_text(param, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED);
    if (strcmp(param->key, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH) == 0)
        return OSSL_PARAM_get_int(param, &number) && number <= 0;
    return strcmp(param->key, OSSL_PKEY_PARAM_PROPERTIES) == 0;
}

static int keymgmt_gen_set_params(void *data, const OSSL_PARAM params[]) {
    struct generation *generation = data;
    if (params == NULL)
        return 1;
    int taken = generation->other == NULL;
    for (const OSSL_PARAM *param = params; taken && param->key != NULL; param++)
        taken = generation_takes(generation, param);
    if (taken)
        return 1;
    if (generation->other == NULL && !generation_other(generation, NULL))
        return 0;
    return EVP_PKEY_CTX_set_params(generation->other, params) > 0;
}

static int keymgmt_gen_set_template(void *data, void *template) {
    struct generation *generation = data;
    struct key *key = template;
    if (key_is_foreign(key))
        return generation_other(generation, key->other);
    generation->curve = key->curve;
    return key->curve != 0;
}

static const OSSL_PARAM *keymgmt_gen_settable(void *data, void *provider) {
    static const OSSL_PARAM settable[] = {EC_PARAMETERS, OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_PROPERTIES, NULL, 0),
                                          OSSL_PARAM_END};
    (void)data;
    (void)provider;
    return settable;
}

static void *generation_init(void *provider, const struct key_type *type, int selection, const OSSL_PARAM params[]) {
    struct generation *generation = OPENSSL_zalloc(sizeof *generation);
    if (generation == NULL)
        return NULL;
    generation->provider = provider;
    generation->type = type;
    generation->selection = selection;
    generation->curve = type->curve;
    if (keymgmt_gen_set_params(generation, params))
        return generation;
    keymgmt_gen_cleanup(generation);
    return NULL;
}

static void *keymgmt_gen(void *data, OSSL_CALLBACK *callback, void *argument) {
    struct generation *generation = data;
    struct key *key = key_new(generation->provider, generation->type);
    bool keys = (generation->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
    int made = 0;
    (void)callback;
    (void)argument;
    if (key == NULL)
        return NULL;
    if (generation->other != NULL) {
        made = (keys ? EVP_PKEY_generate(generation->other, &key->other)
                     : EVP_PKEY_paramgen(generation->other, &key->other)) > 0;
    } else if (generation->curve == 0) {
        (void)REFUSE(PROV_R_NO_PARAMETERS_SET, "no curve was set for a new %s key", key->type->name);
    } else {
        key->curve = generation->curve;
        made = !keys || key_generate(key);
    }
    if (made)
        return key;
    key_free(key);
    return NULL;
}

static void keymgmt_free(void *key) { key_free(key); }

/* What differs by type, `set` of parameters, and the name of the type in lower case. */
#define KEYMGMT(name, set)                                                                                             \
    static void *keymgmt_new_##name(void *provider) { return key_new(provider, &key_##name); }                         \
    static void *keymgmt_gen_init_##name(void *provider, int selection, const OSSL_PARAM params[]) {                   \
        return generation_init(provider, &key_##name, selection, params);                                              \
    }                                                                                                                  \
    static const char *keymgmt_operation_##name(int operation) {                                                       \
        return operation == OSSL_OP_SIGNATURE ? key_##name.signature                                                   \
               : operation == OSSL_OP_KEYEXCH ? key_##name.exchange                                                    \
                                              : NULL;                                                                  \
    }                                                                                                                  \
    const OSSL_DISPATCH keymgmt_##name[] = {                                                                           \
        DISPATCH(OSSL_FUNC_KEYMGMT_NEW, keymgmt_new_##name),                                                           \
        DISPATCH(OSSL_FUNC_KEYMGMT_FREE, keymgmt_free),                                                                \
        DISPATCH(OSSL_FUNC_KEYMGMT_HAS, keymgmt_has),                                                                  \
        DISPATCH(OSSL_FUNC_KEYMGMT_MATCH, keymgmt_match),                                                              \
        DISPATCH(OSSL_FUNC_KEYMGMT_VALIDATE, keymgmt_validate),                                                        \
        DISPATCH(OSSL_FUNC_KEYMGMT_DUP, keymgmt_dup),                                                                  \
        DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT, keymgmt_import),                                                            \
        DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, keymgmt_##set##_types),                                               \
        DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT, keymgmt_export),                                                            \
        DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, keymgmt_##set##_types),                                               \
        DISPATCH(OSSL_FUNC_KEYMGMT_GET_PARAMS, keymgmt_get_params),                                                    \
        DISPATCH(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, keymgmt_##set##_gettable),                                         \
        DISPATCH(OSSL_FUNC_KEYMGMT_SET_PARAMS, keymgmt_set_params),                                                    \
        DISPATCH(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, keymgmt_##set##_settable),                                         \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN_INIT, keymgmt_gen_init_##name),                                                 \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, keymgmt_gen_set_template),                                        \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params),                                            \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable),                                         \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN, keymgmt_gen),                                                                  \
        DISPATCH(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup),                                                  \
        DISPATCH(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, keymgmt_operation_##name),                                    \
        {0, NULL}};

KEYMGMT(ec, ec)
KEYMGMT(sm2, ec)
KEYMGMT(ed25519, 25519)
KEYMGMT(x25519, 25519)
