/* A signature that is being made or checked, and its parameters. */
#ifndef PROVIDER_SIGNATURE_H
#define PROVIDER_SIGNATURE_H

#include "key.h"

/* OpenSSL 3.2's; headers of 3.0 lack the names. */
#define PARAM_NONCE_TYPE "nonce-type"
#define PARAM_INSTANCE "instance"
#define PARAM_CONTEXT "context-string"

struct signing {
    struct provider *provider;
    const struct key_type *type;
    char *properties;
    struct key *key;
    bool signs;

    EVP_MD *md;         /* NULL: none was named */
    EVP_MD_CTX *digest; /* while a message comes in parts */
    size_t digest_bytes;
    bool digest_is_fixed;
    unsigned nonce_type; /* 0: RFC 6979's with random bytes; 1: without */

    uint8_t *id; /* SM2's */
    size_t id_bytes;
    bool lacks_z;

    EVP_PKEY_CTX *other; /* of a foreign key: for one digest, or else for a message */
    EVP_MD_CTX *other_digest;
};

void *signing_new(void *provider, const struct key_type *type, const char *properties);
/* Sign digests of that name from now on; they are another provider's. properties NULL: the signature's, if a digest has
 * them. */
int signing_take_digest(struct signing *signing, const char *name, const char *properties);

OSSL_FUNC_signature_freectx_fn signature_freectx;
OSSL_FUNC_signature_dupctx_fn signature_dupctx;
OSSL_FUNC_signature_get_ctx_params_fn signature_get_ctx_params;
OSSL_FUNC_signature_gettable_ctx_params_fn signature_gettable;
OSSL_FUNC_signature_set_ctx_params_fn signature_set_ctx_params;
OSSL_FUNC_signature_settable_ctx_params_fn signature_settable;

#endif
