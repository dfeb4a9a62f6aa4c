/* Shared secrets: provider-keyexch(7). Key derivation functions are another provider's. */
#include "key.h"

#include <string.h>

#include <openssl/ec.h>

struct exchange {
    struct provider *provider;
    const struct key_type *type;
    struct key *key, *peer;
    int cofactor_mode;   /* as it was set; it changes nothing, since cofactors are 1. -1: the key says */
    EVP_PKEY_CTX *other; /* where the key, its peer or what is derived is not gecc's */
};

static void *exchange_new(void *provider, const struct key_type *type) {
    struct exchange *exchange = OPENSSL_zalloc(sizeof *exchange);
    if (exchange == NULL)
        return NULL;
    exchange->provider = provider;
    exchange->type = type;
    exchange->cofactor_mode = -1;
    return exchange;
}

static void exchange_freectx(void *data) {
    struct exchange *exchange = data;
    if (exchange == NULL)
        return;
    EVP_PKEY_CTX_free(exchange->other);
    key_free(exchange->key);
    key_free(exchange->peer);
    OPENSSL_free(exchange);
}

static void *exchange_dupctx(void *data) {
    const struct exchange *exchange = data;
    struct exchange *copy = exchange_new(exchange->provider, exchange->type);
    if (copy == NULL)
        return NULL;
    copy->key = exchange->key != NULL ? key_share(exchange->key) : NULL;
    copy->peer = exchange->peer != NULL ? key_share(exchange->peer) : NULL;
    copy->cofactor_mode = exchange->cofactor_mode;
    if (exchange->other == NULL || (copy->other = EVP_PKEY_CTX_dup(exchange->other)) != NULL)
        return copy;
    exchange_freectx(copy);
    return NULL;
}

/* Whether the peer's key is checked, the caller has said to OpenSSL, which has asked for it. */
static int other_set_peer(const struct exchange *exchange) {
    EVP_PKEY *peer = key_other(exchange->peer);
    return peer != NULL && EVP_PKEY_derive_set_peer_ex(exchange->other, peer, 0) > 0;
}

/* Leave it to another provider, from now on. */
static int exchange_other(struct exchange *exchange) {
    if (exchange->other != NULL)
        return 1;
    if (exchange->key == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    EVP_PKEY *key = key_other(exchange->key);
    exchange->other = key != NULL ? EVP_PKEY_CTX_new_from_pkey(exchange->provider->libctx, key, PROVIDER_OTHERS) : NULL;
    return exchange->other != NULL && EVP_PKEY_derive_init(exchange->other) > 0 &&
           (exchange->cofactor_mode < 0 ||
            EVP_PKEY_CTX_set_ecdh_cofactor_mode(exchange->other, exchange->cofactor_mode) > 0) &&
           (exchange->peer == NULL || other_set_peer(exchange));
}

/* 1: the parameter says what is so anyway: cofactors are 1, and secrets are not put through a function. */
static int says_nothing(struct exchange *exchange, const OSSL_PARAM *param) {
    int mode = 2;
    const char *text = NULL;
    if (strcmp(param->key, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE) == 0) {
        if (!OSSL_PARAM_get_int(param, &mode) || mode < -1 || mode > 1)
            return 0;
        exchange->cofactor_mode = mode;
        return 1;
    }
    if (strcmp(param->key, OSSL_EXCHANGE_PARAM_KDF_TYPE) == 0)
        return OSSL_PARAM_get_utf8_string_ptr(param, &text) && text != NULL && *text == '\0';
    return strcmp(param->key, OSSL_EXCHANGE_PARAM_PAD) == 0;
}

static int exchange_set_ctx_params(void *data, const OSSL_PARAM params[]) {
    struct exchange *exchange = data;
    int nothing = exchange->other == NULL;
    if (params == NULL)
        return 1;
    for (const OSSL_PARAM *param = params; nothing && param->key != NULL; param++)
        nothing = says_nothing(exchange, param);
    return nothing || (exchange_other(exchange) && EVP_PKEY_CTX_set_params(exchange->other, params) > 0);
}

static int exchange_get_ctx_params(void *data, OSSL_PARAM params[]) {
    struct exchange *exchange = data;
    return exchange_other(exchange) && EVP_PKEY_CTX_get_params(exchange->other, params) > 0;
}

static const OSSL_PARAM *exchange_ecdh_settable(void *data, void *provider) {
    static const OSSL_PARAM settable[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
                                          OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS, NULL, 0),
                                          OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
                                          OSSL_PARAM_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, NULL, 0),
                                          OSSL_PARAM_END};
    (void)data;
    (void)provider;
    return settable;
}

static const OSSL_PARAM *exchange_ecdh_gettable(void *data, void *provider) {
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
                                          OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
                                          OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
                                          OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
                                          OSSL_PARAM_DEFN(OSSL_EXCHANGE_PARAM_KDF_UKM, OSSL_PARAM_OCTET_PTR, NULL, 0),
                                          OSSL_PARAM_END};
    (void)data;
    (void)provider;
    return gettable;
}

static int exchange_init(void *data, void *key, const OSSL_PARAM params[]) {
    struct exchange *exchange = data;
    if (key == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    key_free(exchange->key);
    key_free(exchange->peer);
    exchange->peer = NULL;
    EVP_PKEY_CTX_free(exchange->other);
    exchange->other = NULL;
    exchange->cofactor_mode = -1;
    exchange->key = key_share(key);
    if (key_is_foreign(key))
        return exchange_other(exchange) && exchange_set_ctx_params(exchange, params);
    if (exchange->key->private_key == NULL)
        return REFUSE(PROV_R_NOT_A_PRIVATE_KEY, "the %s key has no private key", exchange->type->name);
    return exchange_set_ctx_params(exchange, params);
}

static int exchange_set_peer(void *data, void *peer) {
    struct exchange *exchange = data;
    if (exchange->key == NULL || peer == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    key_free(exchange->peer);
    exchange->peer = key_share(peer);
    if (exchange->other != NULL)
        return other_set_peer(exchange);
    if (key_is_foreign(peer))
        return exchange_other(exchange);
    if (exchange->peer->curve != exchange->key->curve)
        return REFUSE(PROV_R_MISMATCHING_DOMAIN_PARAMETERS, "the peer's key is on another curve");
    return exchange->peer->has_public ||
           REFUSE(PROV_R_NOT_A_PUBLIC_KEY, "the peer's %s key has no public key", exchange->type->name);
}

static int exchange_derive(void *data, unsigned char *secret, size_t *bytes, size_t room) {
    struct exchange *exchange = data;
    bool has_both = exchange->key != NULL && exchange->peer != NULL;
    if (has_both && (key_is_foreign(exchange->key) || key_is_foreign(exchange->peer)) && !exchange_other(exchange))
        return 0; /* one has become another provider's since the context has it */
    if (exchange->other != NULL) {
        *bytes = room;
        return EVP_PKEY_derive(exchange->other, secret, bytes) > 0;
    }
    if (!has_both)
        return REFUSE(PROV_R_MISSING_KEY, "%s needs two keys", exchange->type->name);
    gecc_curve curve = exchange->key->curve;
    size_t width = gecc_curve_bytes(curve);
    *bytes = width;
    if (secret == NULL)
        return 1;
    if (room < width) { /* OpenSSL cuts what ECDH gives, and nothing else */
        if (exchange->type == &key_x25519)
            return REFUSE(PROV_R_OUTPUT_BUFFER_TOO_SMALL, "room for %zu bytes, where a secret has %zu", room, width);
        *bytes = room;
    }
    uint8_t shared[GECC_CURVE_BYTES_MOST];
    const gecc_out out = gecc_out_packed(shared, sizeof shared);
    const gecc_rows in[] = {gecc_rows_packed(exchange->key->private_key, width),
                            gecc_rows_packed(exchange->peer->public_key, key_public_bytes(curve))};
    enum engine_operation operation = exchange->type == &key_x25519 ? ENGINE_X25519 : ENGINE_ECDH;
    gecc_item item = engine_run(operation, curve, &out, in, NULL);
    if (item == GECC_ITEM_OK)
        memcpy(secret, shared, *bytes);
    OPENSSL_cleanse(shared, sizeof shared);
    return item == GECC_ITEM_OK
               ? 1
               : REFUSE(PROV_R_FAILED_DURING_DERIVATION, "%s: %s", exchange->type->name, gecc_item_text((uint8_t)item));
}

#define COMMON(name)                                                                                                   \
    DISPATCH(OSSL_FUNC_KEYEXCH_NEWCTX, exchange_new_##name), DISPATCH(OSSL_FUNC_KEYEXCH_FREECTX, exchange_freectx),    \
        DISPATCH(OSSL_FUNC_KEYEXCH_DUPCTX, exchange_dupctx), DISPATCH(OSSL_FUNC_KEYEXCH_INIT, exchange_init),          \
        DISPATCH(OSSL_FUNC_KEYEXCH_SET_PEER, exchange_set_peer), DISPATCH(OSSL_FUNC_KEYEXCH_DERIVE, exchange_derive)

static void *exchange_new_ecdh(void *provider) { return exchange_new(provider, &key_ec); }

static void *exchange_new_x25519(void *provider) { return exchange_new(provider, &key_x25519); }

const OSSL_DISPATCH exchange_ecdh[] = {COMMON(ecdh),
                                       DISPATCH(OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, exchange_set_ctx_params),
                                       DISPATCH(OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, exchange_ecdh_settable),
                                       DISPATCH(OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, exchange_get_ctx_params),
                                       DISPATCH(OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, exchange_ecdh_gettable),
                                       {0, NULL}};
const OSSL_DISPATCH exchange_x25519[] = {COMMON(x25519), {0, NULL}};
