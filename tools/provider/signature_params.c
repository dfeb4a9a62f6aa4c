#include "signature.h"

#include <string.h>

#include <openssl/objects.h>
#include <openssl/x509.h>

void *signing_new(void *provider, const struct key_type *type, const char *properties) {
    struct signing *signing = OPENSSL_zalloc(sizeof *signing);
    if (signing == NULL)
        return NULL;
    signing->provider = provider;
    signing->type = type;
    if (properties != NULL && (signing->properties = OPENSSL_strdup(properties)) == NULL) {
        OPENSSL_free(signing);
        return NULL;
    }
    return signing;
}

void signature_freectx(void *data) {
    struct signing *signing = data;
    if (signing == NULL)
        return;
    EVP_MD_CTX_free(signing->digest);
    EVP_MD_free(signing->md);
    EVP_PKEY_CTX_free(signing->other);
    EVP_MD_CTX_free(signing->other_digest);
    key_free(signing->key);
    OPENSSL_free(signing->id);
    OPENSSL_free(signing->properties);
    OPENSSL_free(signing);
}

static EVP_MD_CTX *digest_copy(const EVP_MD_CTX *digest) {
    EVP_MD_CTX *copy = EVP_MD_CTX_new();
    if (copy != NULL && EVP_MD_CTX_copy_ex(copy, digest))
        return copy;
    EVP_MD_CTX_free(copy);
    return NULL;
}

void *signature_dupctx(void *data) {
    const struct signing *signing = data;
    struct signing *copy = signing_new(signing->provider, signing->type, signing->properties);
    if (copy == NULL)
        return NULL;
    char *properties = copy->properties;
    *copy = *signing;
    copy->properties = properties;
    copy->key = signing->key != NULL ? key_share(signing->key) : NULL;
    copy->digest = signing->digest != NULL ? digest_copy(signing->digest) : NULL;
    copy->id = signing->id != NULL ? OPENSSL_memdup(signing->id, signing->id_bytes) : NULL;
    copy->other = signing->other != NULL ? EVP_PKEY_CTX_dup(signing->other) : NULL;
    copy->other_digest = signing->other_digest != NULL ? digest_copy(signing->other_digest) : NULL;
    if (copy->md != NULL && !EVP_MD_up_ref(copy->md))
        copy->md = NULL;
    if ((copy->md == NULL) == (signing->md == NULL) && (copy->digest == NULL) == (signing->digest == NULL) &&
        (copy->id == NULL) == (signing->id == NULL) && (copy->other == NULL) == (signing->other == NULL) &&
        (copy->other_digest == NULL) == (signing->other_digest == NULL))
        return copy;
    signature_freectx(copy);
    return NULL;
}

/* Parameters. */

/* Of a query that gecc's signatures answer (provider=gecc) no digest may be, so that it is not binding for them. */
static EVP_MD *digest_fetch(const struct signing *signing, const char *name, const char *properties) {
    OSSL_LIB_CTX *libctx = signing->provider->libctx;
    if (properties != NULL || signing->properties == NULL)
        return EVP_MD_fetch(libctx, name, properties);
    ERR_set_mark();
    EVP_MD *md = EVP_MD_fetch(libctx, name, signing->properties);
    ERR_pop_to_mark();
    return md != NULL ? md : EVP_MD_fetch(libctx, name, NULL);
}

int signing_take_digest(struct signing *signing, const char *name, const char *properties) {
    EVP_MD *md = digest_fetch(signing, name, properties);
    if (md == NULL)
        return REFUSE(PROV_R_INVALID_DIGEST, "%s could not be fetched", name);
    const char *refused = NULL;
    if (signing->type == &key_sm2 && !EVP_MD_is_a(md, signing->type->digest))
        refused = "SM2 has a digest of its own";
    else if (signing->type == &key_ec && (EVP_MD_get_flags(md) & EVP_MD_FLAG_XOF) != 0)
        refused = "its digests have no width";
    else if (signing->digest_is_fixed && signing->md != NULL && !EVP_MD_is_a(md, EVP_MD_get0_name(signing->md)))
        refused = "another digest is under way";
    if (refused != NULL) {
        EVP_MD_free(md);
        return REFUSE(PROV_R_INVALID_DIGEST, "digest %s: %s", name, refused);
    }
    EVP_MD_free(signing->md);
    signing->md = md;
    signing->digest_bytes = (size_t)EVP_MD_get_size(md);
    return 1;
}

static int take_id(struct signing *signing, const OSSL_PARAM *param) {
    void *id = NULL;
    size_t bytes = 0;
    if (signing->digest != NULL && !signing->lacks_z)
        return REFUSE(ERR_R_PASSED_INVALID_ARGUMENT, "%s comes after the message's first bytes", param->key);
    if (param->data_size != 0 && !OSSL_PARAM_get_octet_string(param, &id, 0, &bytes))
        return 0;
    if (bytes > UINT16_MAX / 8) {
        OPENSSL_free(id);
        return REFUSE(ERR_R_PASSED_INVALID_ARGUMENT, "%s of %zu bytes, where SM2 has room for %d", param->key, bytes,
                      UINT16_MAX / 8);
    }
    OPENSSL_free(signing->id);
    signing->id = id;
    signing->id_bytes = bytes;
    return 1;
}

static int take_ed25519_param(const OSSL_PARAM *param) {
    const char *text = NULL;
    if (strcmp(param->key, PARAM_INSTANCE) == 0 &&
        !(OSSL_PARAM_get_utf8_string_ptr(param, &text) && text != NULL && OPENSSL_strcasecmp(text, "Ed25519") == 0))
        return REFUSE(PROV_R_NOT_SUPPORTED, "%s = %s: Ed25519 alone is served", param->key,
                      text != NULL ? text : "(no text)");
    if (strcmp(param->key, PARAM_CONTEXT) == 0 && param->data_size != 0)
        return REFUSE(PROV_R_NOT_SUPPORTED, "%s: Ed25519 has none, and Ed25519ctx is not served", param->key);
    return 1;
}

static int take_param(struct signing *signing, const OSSL_PARAM *param, const char *properties) {
    const char *name = NULL;
    size_t bytes = 0;
    if (signing->type == &key_ed25519)
        return take_ed25519_param(param);
    if (signing->type == &key_sm2 && strcmp(param->key, OSSL_PKEY_PARAM_DIST_ID) == 0)
        return take_id(signing, param);
    if (strcmp(param->key, OSSL_SIGNATURE_PARAM_DIGEST) == 0)
        return OSSL_PARAM_get_utf8_string_ptr(param, &name) && name != NULL &&
               signing_take_digest(signing, name, properties);
    if (strcmp(param->key, OSSL_SIGNATURE_PARAM_DIGEST_SIZE) == 0) {
        if (!OSSL_PARAM_get_size_t(param, &bytes))
            return 0;
        bool fixed = signing->digest_is_fixed || signing->type == &key_sm2;
        if (fixed && bytes != signing->digest_bytes)
            return REFUSE(PROV_R_INVALID_DIGEST_SIZE, "%s = %zu, where the digest has %zu", param->key, bytes,
                          signing->digest_bytes);
        signing->digest_bytes = bytes;
    }
    if (strcmp(param->key, PARAM_NONCE_TYPE) == 0) {
        if (!OSSL_PARAM_get_uint(param, &signing->nonce_type))
            return 0;
        if (signing->nonce_type > 1)
            return REFUSE(PROV_R_NOT_SUPPORTED, "%s = %u: it is 0 or 1", param->key, signing->nonce_type);
    }
    return 1;
}

static EVP_PKEY_CTX *other_of(const struct signing *signing) {
    return signing->other_digest != NULL ? EVP_MD_CTX_get_pkey_ctx(signing->other_digest) : signing->other;
}

int signature_set_ctx_params(void *data, const OSSL_PARAM params[]) {
    struct signing *signing = data;
    if (params == NULL)
        return 1;
    if (other_of(signing) != NULL)
        return EVP_PKEY_CTX_set_params(other_of(signing), params) > 0;
    const OSSL_PARAM *given = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_PROPERTIES);
    const char *properties = NULL;
    if (given != NULL && !OSSL_PARAM_get_utf8_string_ptr(given, &properties))
        return 0;
    int taken = 1;
    for (const OSSL_PARAM *param = params; taken && param->key != NULL; param++)
        taken = take_param(signing, param, properties);
    return taken;
}

/* The signature's AlgorithmIdentifier in DER; NULL, and *bytes is 0: no object identifier says what is signed. */
static uint8_t *algorithm_id(const struct signing *signing, size_t *bytes) {
    int nid = NID_undef;
    unsigned char *der = NULL;
    *bytes = 0;
    if (signing->type == &key_ed25519)
        nid = NID_ED25519;
    else if (signing->md == NULL ||
             !OBJ_find_sigid_by_algs(&nid, EVP_MD_get_type(signing->md),
                                     signing->type == &key_sm2 ? NID_sm2 : NID_X9_62_id_ecPublicKey))
        return NULL;
    X509_ALGOR *algorithm = X509_ALGOR_new();
    if (algorithm != NULL && X509_ALGOR_set0(algorithm, OBJ_nid2obj(nid), V_ASN1_UNDEF, NULL)) {
        int width = i2d_X509_ALGOR(algorithm, &der);
        *bytes = width > 0 ? (size_t)width : 0;
    }
    X509_ALGOR_free(algorithm);
    return der;
}

int signature_get_ctx_params(void *data, OSSL_PARAM *params) {
    struct signing *signing = data;
    if (other_of(signing) != NULL)
        return EVP_PKEY_CTX_get_params(other_of(signing), params) > 0;
    OSSL_PARAM *id = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
    OSSL_PARAM *size = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE);
    OSSL_PARAM *digest = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST);
    OSSL_PARAM *nonce_type = OSSL_PARAM_locate(params, PARAM_NONCE_TYPE);
    const char *name = signing->md != NULL ? EVP_MD_get0_name(signing->md) : "";
    if (id != NULL) {
        size_t bytes = 0;
        uint8_t *der = algorithm_id(signing, &bytes);
        int set = OSSL_PARAM_set_octet_string(id, der != NULL ? der : (const uint8_t *)"", bytes);
        OPENSSL_free(der);
        if (!set)
            return 0;
    }
    return (size == NULL || OSSL_PARAM_set_size_t(size, signing->digest_bytes)) &&
           (digest == NULL || OSSL_PARAM_set_utf8_string(digest, name)) &&
           (nonce_type == NULL || OSSL_PARAM_set_uint(nonce_type, signing->nonce_type));
}

const OSSL_PARAM *signature_gettable(void *data, void *provider) {
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                          OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
                                          OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
                                          OSSL_PARAM_uint(PARAM_NONCE_TYPE, NULL), OSSL_PARAM_END};
    (void)data;
    (void)provider;
    return gettable;
}

const OSSL_PARAM *signature_settable(void *data, void *provider) {
    static const OSSL_PARAM settable[] = {OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
                                          OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
                                          OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PROPERTIES, NULL, 0),
                                          OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_DIST_ID, NULL, 0),
                                          OSSL_PARAM_uint(PARAM_NONCE_TYPE, NULL),
                                          OSSL_PARAM_utf8_string(PARAM_INSTANCE, NULL, 0),
                                          OSSL_PARAM_octet_string(PARAM_CONTEXT, NULL, 0),
                                          OSSL_PARAM_END};
    (void)data;
    (void)provider;
    return settable;
}
