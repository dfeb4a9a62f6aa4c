/* Signatures: provider-signature(7). Digests are another provider's, so that messages may come in parts; SM2's Z and
 * what is signed of a digest are done here. */
#include "signature.h"

#include <string.h>

#include <openssl/ec.h>
#include <openssl/objects.h>
#include <openssl/rand.h>

/* ECDSA takes these widths of digests from the library; others are the same number, or another provider's. */
#define DIGEST_LEAST 20
#define DIGEST_MOST 64
#define ENTROPY_BYTES 32
#define ED25519_SIGNATURE_BYTES 64

/* Keys. */

static int take_key(struct signing *signing, struct key *key, bool signs) {
    if (key == NULL && signing->key == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    if (key != NULL) {
        key_free(signing->key);
        signing->key = key_share(key);
    }
    key = signing->key;
    signing->signs = signs;
    EVP_PKEY_CTX_free(signing->other);
    EVP_MD_CTX_free(signing->other_digest);
    signing->other = NULL;
    signing->other_digest = NULL;
    if (key_is_foreign(key))
        return 1;
    if (key->curve == 0 || (signs && key->private_key == NULL))
        return REFUSE(PROV_R_NOT_A_PRIVATE_KEY, "the %s key has no private key", key->type->name);
    if (!key->has_public && (!signs || key->type == &key_sm2))
        return REFUSE(PROV_R_NOT_A_PUBLIC_KEY, "the %s key has no public key", key->type->name);
    return 1;
}

static int digest_init(struct signing *signing, struct key *key, const OSSL_PARAM params[], bool signs) {
    if (!take_key(signing, key, signs))
        return 0;
    signing->digest_is_fixed = false;
    if (signing->type == &key_sm2 && !signing_take_digest(signing, signing->type->digest, NULL))
        return 0;
    if (!key_is_foreign(signing->key))
        return signature_set_ctx_params(signing, params);
    signing->other = EVP_PKEY_CTX_new_from_pkey(signing->provider->libctx, signing->key->other, PROVIDER_OTHERS);
    if (signing->other == NULL)
        return 0;
    return (signs ? EVP_PKEY_sign_init_ex(signing->other, params) : EVP_PKEY_verify_init_ex(signing->other, params)) >
           0;
}

static int signature_sign_init(void *data, void *key, const OSSL_PARAM params[]) {
    return digest_init(data, key, params, true);
}

static int signature_verify_init(void *data, void *key, const OSSL_PARAM params[]) {
    return digest_init(data, key, params, false);
}

/* One digest. */

/* What ECDSA takes of a digest: the same leftmost bits, or the same number, in a width that the library has. 0: only
 * another provider can tell (P-521, more than 64 bytes). */
static size_t digest_take(const struct key *key, const uint8_t *digest, size_t bytes, uint8_t taken[DIGEST_MOST]) {
    size_t zeros = bytes < DIGEST_LEAST ? DIGEST_LEAST - bytes : 0;
    if (bytes > DIGEST_MOST) {
        if (gecc_curve_bytes(key->curve) > DIGEST_MOST)
            return 0;
        bytes = DIGEST_MOST;
    }
    memset(taken, 0, zeros);
    if (bytes != 0)
        memcpy(taken + zeros, digest, bytes);
    return zeros + bytes;
}

static int nonce_options(const struct signing *signing, gecc_options *options, uint8_t entropy[ENTROPY_BYTES]) {
    if (signing->nonce_type == 0)
        return RAND_priv_bytes_ex(signing->provider->libctx, entropy, ENTROPY_BYTES, 0) > 0;
    static const gecc_hash hashes[] = {
#define HASH(hash, ...) hash,
        GECC_NONCE_HASH_LIST(HASH)
#undef HASH
    };
    gecc_hash hash = GECC_HASH_DEFAULT;
    for (size_t i = 0; signing->md != NULL && i < sizeof hashes / sizeof hashes[0]; i++)
        if (EVP_MD_is_a(signing->md, gecc_hash_name(hashes[i])))
            hash = hashes[i];
    if (hash == GECC_HASH_DEFAULT)
        return REFUSE(PROV_R_NOT_SUPPORTED, PARAM_NONCE_TYPE " = 1 with the digest %s: no nonces of RFC 6979 by it",
                      signing->md != NULL ? EVP_MD_get0_name(signing->md) : "(none)");
    options->nonce_hash = hash;
    return 1;
}

static int sign_by_other(const struct signing *signing, uint8_t *signature, size_t *bytes, size_t room,
                         const uint8_t *digest, size_t digest_bytes) {
    if (signing->nonce_type != 0)
        return REFUSE(PROV_R_NOT_SUPPORTED,
                      PARAM_NONCE_TYPE " = 1 with a digest of %zu bytes or a key that is another provider's",
                      digest_bytes);
    *bytes = room;
    EVP_PKEY *other = key_other(signing->key);
    EVP_PKEY_CTX *context =
        other != NULL ? EVP_PKEY_CTX_new_from_pkey(signing->provider->libctx, other, PROVIDER_OTHERS) : NULL;
    int done = context != NULL && EVP_PKEY_sign_init(context) > 0 &&
               EVP_PKEY_sign(context, signature, bytes, digest, digest_bytes) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

static int verify_by_other(const struct signing *signing, const uint8_t *signature, size_t bytes, const uint8_t *digest,
                           size_t digest_bytes) {
    EVP_PKEY *other = key_other(signing->key);
    EVP_PKEY_CTX *context =
        other != NULL ? EVP_PKEY_CTX_new_from_pkey(signing->provider->libctx, other, PROVIDER_OTHERS) : NULL;
    int valid = context != NULL && EVP_PKEY_verify_init(context) > 0 &&
                EVP_PKEY_verify(context, signature, bytes, digest, digest_bytes) == 1;
    EVP_PKEY_CTX_free(context);
    return valid;
}

static int signed_or_not(const struct signing *signing, gecc_item item) {
    return item == GECC_ITEM_OK
               ? 1
               : REFUSE(PROV_R_FAILED_TO_SIGN, "%s: %s", signing->type->name, gecc_item_text((uint8_t)item));
}

/* A signature that is well formed but does not verify is no error. */
static int verified_or_not(const struct signing *signing, gecc_item item) {
    return item == GECC_ITEM_OK ? 1
           : item == GECC_ITEM_INVALID
               ? 0
               : REFUSE(PROV_R_BAD_ENCODING, "%s: %s", signing->type->name, gecc_item_text((uint8_t)item));
}

static int digest_has_width(const struct signing *signing, size_t bytes) {
    return signing->digest_bytes == 0 || bytes == signing->digest_bytes
               ? 1
               : REFUSE(PROV_R_INVALID_DIGEST_LENGTH, "a digest of %zu bytes, where it has %zu", bytes,
                        signing->digest_bytes);
}

static int signature_sign(void *data, unsigned char *signature, size_t *bytes, size_t room, const unsigned char *digest,
                          size_t digest_bytes) {
    struct signing *signing = data;
    if (signing->key == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    if (signing->other != NULL) {
        *bytes = room;
        return EVP_PKEY_sign(signing->other, signature, bytes, digest, digest_bytes) > 0;
    }
    if (signature != NULL && !digest_has_width(signing, digest_bytes))
        return 0;
    if (key_is_foreign(signing->key)) /* since the context has it */
        return sign_by_other(signing, signature, bytes, room, digest, digest_bytes);
    gecc_curve curve = signing->key->curve;
    size_t most = gecc_der_bytes(curve);
    if (signature == NULL) {
        *bytes = most;
        return 1;
    }
    if (room < most)
        return REFUSE(PROV_R_OUTPUT_BUFFER_TOO_SMALL, "room for %zu bytes, where a signature has up to %zu", room,
                      most);
    uint8_t taken[DIGEST_MOST], entropy[ENTROPY_BYTES];
    size_t taken_bytes = digest_take(signing->key, digest, digest_bytes, taken);
    bool is_sm2 = signing->type == &key_sm2;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = is_sm2 ? GECC_DER : GECC_DER | GECC_ANY_S;
    if (taken_bytes == 0)
        return sign_by_other(signing, signature, bytes, room, digest, digest_bytes);
    if (!nonce_options(signing, &options, entropy))
        return 0;
    uint32_t width = 0;
    const gecc_out out[] = {{signature, room, &width}, gecc_out_none()};
    const gecc_rows in[] = {gecc_rows_packed(signing->key->private_key, gecc_curve_bytes(curve)),
                            gecc_rows_packed(taken, taken_bytes),
                            signing->nonce_type == 0 ? gecc_rows_packed(entropy, ENTROPY_BYTES) : gecc_rows_none()};
    gecc_item item = engine_run(is_sm2 ? ENGINE_SM2_SIGN : ENGINE_ECDSA_SIGN, curve, out, in, &options);
    OPENSSL_cleanse(entropy, sizeof entropy);
    *bytes = width;
    return signed_or_not(signing, item);
}

static int signature_verify(void *data, const unsigned char *signature, size_t bytes, const unsigned char *digest,
                            size_t digest_bytes) {
    struct signing *signing = data;
    if (signing->key == NULL)
        return REFUSE(PROV_R_NO_KEY_SET, "no key was set");
    if (signing->other != NULL)
        return EVP_PKEY_verify(signing->other, signature, bytes, digest, digest_bytes) == 1;
    if (!digest_has_width(signing, digest_bytes))
        return 0;
    if (key_is_foreign(signing->key)) /* since the context has it */
        return verify_by_other(signing, signature, bytes, digest, digest_bytes);
    uint8_t taken[DIGEST_MOST];
    size_t taken_bytes = digest_take(signing->key, digest, digest_bytes, taken);
    if (taken_bytes == 0)
        return verify_by_other(signing, signature, bytes, digest, digest_bytes);
    gecc_curve curve = signing->key->curve;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER;
    const gecc_rows in[] = {gecc_rows_packed(signing->key->public_key, key_public_bytes(curve)),
                            gecc_rows_packed(taken, taken_bytes),
                            gecc_rows_packed(bytes != 0 ? signature : (const uint8_t *)"", bytes)};
    enum engine_operation operation = signing->type == &key_sm2 ? ENGINE_SM2_VERIFY : ENGINE_ECDSA_VERIFY;
    return verified_or_not(signing, engine_run(operation, curve, NULL, in, &options));
}

/* Messages in parts. */

static int message_init(struct signing *signing, const char *name, struct key *key, const OSSL_PARAM params[],
                        bool signs) {
    if (!take_key(signing, key, signs))
        return 0;
    if (key_is_foreign(signing->key)) {
        EVP_PKEY_CTX *unused = NULL;
        signing->other_digest = EVP_MD_CTX_new();
        if (signing->other_digest == NULL)
            return 0;
        return (signs ? EVP_DigestSignInit_ex(signing->other_digest, &unused, name, signing->provider->libctx,
                                              PROVIDER_OTHERS, signing->key->other, params)
                      : EVP_DigestVerifyInit_ex(signing->other_digest, &unused, name, signing->provider->libctx,
                                                PROVIDER_OTHERS, signing->key->other, params)) > 0;
    }
    EVP_MD_CTX_free(signing->digest);
    signing->digest = NULL;
    signing->digest_is_fixed = false;
    signing->lacks_z = signing->type == &key_sm2;
    if (name == NULL && signing->md == NULL)
        name = signing->type->digest;
    if ((name != NULL && *name != '\0' && !signing_take_digest(signing, name, NULL)) ||
        !signature_set_ctx_params(signing, params))
        return 0;
    if (signing->md == NULL)
        return REFUSE(PROV_R_INVALID_DIGEST, "no digest was set");
    signing->digest_is_fixed = true;
    signing->digest = EVP_MD_CTX_new();
    return signing->digest != NULL && EVP_DigestInit_ex2(signing->digest, signing->md, params);
}

static int signature_digest_sign_init(void *data, const char *name, void *key, const OSSL_PARAM params[]) {
    return message_init(data, name, key, params, true);
}

static int signature_digest_verify_init(void *data, const char *name, void *key, const OSSL_PARAM params[]) {
    return message_init(data, name, key, params, false);
}

/* What Z hashes between the id and the public key: a, b and G of SM2's curve. */
static uint8_t sm2_curve[128];
static CRYPTO_ONCE sm2_curve_once = CRYPTO_ONCE_STATIC_INIT;
static bool sm2_curve_known;

static void sm2_curve_find(void) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_sm2);
    BIGNUM *a = BN_new(), *b = BN_new();
    uint8_t generator[65];
    sm2_curve_known = group != NULL && EC_GROUP_get_curve(group, NULL, a, b, NULL) &&
                      BN_bn2binpad(a, sm2_curve, 32) == 32 && BN_bn2binpad(b, sm2_curve + 32, 32) == 32 &&
                      EC_POINT_point2oct(group, EC_GROUP_get0_generator(group), POINT_CONVERSION_UNCOMPRESSED,
                                         generator, sizeof generator, NULL) == sizeof generator;
    memcpy(sm2_curve + 64, generator + 1, 64);
    BN_free(a);
    BN_free(b);
    EC_GROUP_free(group);
}

/* The message begins with Z, the digest of bits of id || id || a || b || G || public key (GB/T 32918.2, 5.5). Without an id it
 * is empty, as OpenSSL has it. */
static int begin_sm2(struct signing *signing) {
    if (!signing->lacks_z)
        return 1;
    if (key_is_foreign(signing->key))
        return REFUSE(PROV_R_INVALID_KEY, "the SM2 key has become another provider's since the signature was begun");
    uint8_t z[EVP_MAX_MD_SIZE];
    const uint8_t bits[2] = {(uint8_t)(signing->id_bytes * 8 >> 8), (uint8_t)(signing->id_bytes * 8)};
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    int done = CRYPTO_THREAD_run_once(&sm2_curve_once, sm2_curve_find) && sm2_curve_known && digest != NULL &&
               EVP_DigestInit_ex2(digest, signing->md, NULL) && EVP_DigestUpdate(digest, bits, sizeof bits) &&
               (signing->id_bytes == 0 || EVP_DigestUpdate(digest, signing->id, signing->id_bytes)) &&
               EVP_DigestUpdate(digest, sm2_curve, sizeof sm2_curve) &&
               EVP_DigestUpdate(digest, signing->key->public_key + 1, 64) && EVP_DigestFinal_ex(digest, z, NULL) &&
               EVP_DigestUpdate(signing->digest, z, signing->digest_bytes);
    EVP_MD_CTX_free(digest);
    signing->lacks_z = false;
    return done;
}

static int signature_digest_update(void *data, const unsigned char *part, size_t bytes) {
    struct signing *signing = data;
    if (signing->other_digest != NULL)
        return signing->signs ? EVP_DigestSignUpdate(signing->other_digest, part, bytes)
                              : EVP_DigestVerifyUpdate(signing->other_digest, part, bytes);
    if (signing->digest == NULL)
        return REFUSE(PROV_R_NOT_INSTANTIATED, "no digest is under way");
    return begin_sm2(signing) && EVP_DigestUpdate(signing->digest, part, bytes);
}

static int message_final(struct signing *signing, uint8_t digest[EVP_MAX_MD_SIZE], unsigned *bytes) {
    if (signing->digest == NULL)
        return REFUSE(PROV_R_NOT_INSTANTIATED, "no digest is under way");
    if (!begin_sm2(signing) || !EVP_DigestFinal_ex(signing->digest, digest, bytes))
        return 0;
    signing->digest_is_fixed = false;
    return 1;
}

static int signature_digest_sign_final(void *data, unsigned char *signature, size_t *bytes, size_t room) {
    struct signing *signing = data;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned digest_bytes = 0;
    if (signing->other_digest != NULL) {
        *bytes = room;
        return EVP_DigestSignFinal(signing->other_digest, signature, bytes) > 0;
    }
    if (signature != NULL && !message_final(signing, digest, &digest_bytes))
        return 0;
    return signature_sign(signing, signature, bytes, room, digest, digest_bytes);
}

static int signature_digest_verify_final(void *data, const unsigned char *signature, size_t bytes) {
    struct signing *signing = data;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned digest_bytes = 0;
    if (signing->other_digest != NULL)
        return EVP_DigestVerifyFinal(signing->other_digest, signature, bytes) == 1;
    return message_final(signing, digest, &digest_bytes) &&
           signature_verify(signing, signature, bytes, digest, digest_bytes);
}

static int signature_get_ctx_md_params(void *data, OSSL_PARAM *params) {
    struct signing *signing = data;
    return signing->digest != NULL && EVP_MD_CTX_get_params(signing->digest, params);
}

static const OSSL_PARAM *signature_gettable_ctx_md_params(void *data) {
    struct signing *signing = data;
    return signing->md != NULL ? EVP_MD_gettable_ctx_params(signing->md) : NULL;
}

static int signature_set_ctx_md_params(void *data, const OSSL_PARAM params[]) {
    struct signing *signing = data;
    return signing->digest != NULL && EVP_MD_CTX_set_params(signing->digest, params);
}

static const OSSL_PARAM *signature_settable_ctx_md_params(void *data) {
    struct signing *signing = data;
    return signing->md != NULL ? EVP_MD_settable_ctx_params(signing->md) : NULL;
}

/* Ed25519: messages whole. */

static int ed25519_init(struct signing *signing, const char *name, struct key *key, const OSSL_PARAM params[],
                        bool signs) {
    if (name != NULL && *name != '\0')
        return REFUSE(PROV_R_INVALID_DIGEST, "digest %s: Ed25519 takes messages, not digests", name);
    return take_key(signing, key, signs) && signature_set_ctx_params(signing, params);
}

static int ed25519_sign_init(void *data, const char *name, void *key, const OSSL_PARAM params[]) {
    return ed25519_init(data, name, key, params, true);
}

static int ed25519_verify_init(void *data, const char *name, void *key, const OSSL_PARAM params[]) {
    return ed25519_init(data, name, key, params, false);
}

static int ed25519_sign(void *data, unsigned char *signature, size_t *bytes, size_t room, const unsigned char *message,
                        size_t message_bytes) {
    struct signing *signing = data;
    *bytes = ED25519_SIGNATURE_BYTES;
    if (signature == NULL)
        return 1;
    if (room < ED25519_SIGNATURE_BYTES)
        return REFUSE(PROV_R_OUTPUT_BUFFER_TOO_SMALL, "room for %zu bytes, where a signature has %d", room,
                      ED25519_SIGNATURE_BYTES);
    const gecc_out out = gecc_out_packed(signature, ED25519_SIGNATURE_BYTES);
    const gecc_rows in[] = {gecc_rows_packed(signing->key->private_key, gecc_curve_bytes(GECC_CURVE25519)),
                            gecc_rows_packed(message_bytes != 0 ? message : (const uint8_t *)"", message_bytes),
                            gecc_rows_none()};
    return signed_or_not(signing, engine_run(ENGINE_ED25519_SIGN, GECC_CURVE25519, &out, in, NULL));
}

static int ed25519_verify(void *data, const unsigned char *signature, size_t bytes, const unsigned char *message,
                          size_t message_bytes) {
    struct signing *signing = data;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_ACCEPT_REF10; /* OpenSSL's rule */
    if (bytes != ED25519_SIGNATURE_BYTES)
        return REFUSE(PROV_R_BAD_LENGTH, "a signature of %zu bytes, where it has %d", bytes, ED25519_SIGNATURE_BYTES);
    const gecc_rows in[] = {gecc_rows_packed(signing->key->public_key, key_public_bytes(GECC_CURVE25519)),
                            gecc_rows_packed(message_bytes != 0 ? message : (const uint8_t *)"", message_bytes),
                            gecc_rows_packed(signature, bytes), gecc_rows_none()};
    return verified_or_not(signing, engine_run(ENGINE_ED25519_VERIFY, GECC_CURVE25519, NULL, in, &options));
}

#define NEW(name, key)                                                                                                 \
    static void *signature_new_##name(void *provider, const char *properties) {                                        \
        return signing_new(provider, key, properties);                                                                 \
    }

#define COMMON(name)                                                                                                   \
    DISPATCH(OSSL_FUNC_SIGNATURE_NEWCTX, signature_new_##name),                                                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_FREECTX, signature_freectx),                                                      \
        DISPATCH(OSSL_FUNC_SIGNATURE_DUPCTX, signature_dupctx),                                                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params),                                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable),                                         \
        DISPATCH(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params),                                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable)

#define OF_DIGESTS(name)                                                                                               \
    const OSSL_DISPATCH signature_##name[] = {                                                                         \
        COMMON(name),                                                                                                  \
        DISPATCH(OSSL_FUNC_SIGNATURE_SIGN_INIT, signature_sign_init),                                                  \
        DISPATCH(OSSL_FUNC_SIGNATURE_SIGN, signature_sign),                                                            \
        DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY_INIT, signature_verify_init),                                              \
        DISPATCH(OSSL_FUNC_SIGNATURE_VERIFY, signature_verify),                                                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init),                                    \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_update),                                     \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final),                                  \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init),                                \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, signature_digest_update),                                   \
        DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, signature_digest_verify_final),                              \
        DISPATCH(OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, signature_get_ctx_md_params),                                  \
        DISPATCH(OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS, signature_gettable_ctx_md_params),                        \
        DISPATCH(OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, signature_set_ctx_md_params),                                  \
        DISPATCH(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS, signature_settable_ctx_md_params),                        \
        {0, NULL}};

NEW(ecdsa, &key_ec)
NEW(sm2, &key_sm2)
NEW(ed25519, &key_ed25519)
OF_DIGESTS(ecdsa)
OF_DIGESTS(sm2)
const OSSL_DISPATCH signature_ed25519[] = {COMMON(ed25519),
                                           DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, ed25519_sign_init),
                                           DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, ed25519_sign),
                                           DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, ed25519_verify_init),
                                           DISPATCH(OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, ed25519_verify),
                                           {0, NULL}};
