/* What the parts of the provider share. The rest of a row is OpenSSL's: see provider-keymgmt(7), provider-signature(7)
 * and provider-keyexch(7), whose functions keep their names here, after the `keymgmt_`, `signature_` or `exchange_` of
 * the file that has them. */
#ifndef PROVIDER_PROVIDER_H
#define PROVIDER_PROVIDER_H

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/proverr.h>

#include <gecc/gecc.h>

/* What every algorithm here is defined with, and the query that finds those of other providers. */
#define PROVIDER_PROPERTIES "provider=gecc"
#define PROVIDER_OTHERS "provider!=gecc"

/* An error of OpenSSL's queue whose text begins with the provider's name. The value is 0. */
#define REFUSE(reason, ...) (ERR_raise_data(ERR_LIB_PROV, reason, "gecc: " __VA_ARGS__), 0)

struct provider {
    const OSSL_CORE_HANDLE *handle;
    OSSL_LIB_CTX *libctx; /* a child of the caller's, which has its other providers: digests, and all that gecc lacks */
};

typedef void (*dispatch_function)(void);
#define DISPATCH(id, function)                                                                                         \
    { id, (dispatch_function)(function) }

extern const OSSL_DISPATCH keymgmt_ec[], keymgmt_sm2[], keymgmt_ed25519[], keymgmt_x25519[];
extern const OSSL_DISPATCH signature_ecdsa[], signature_sm2[], signature_ed25519[];
extern const OSSL_DISPATCH exchange_ecdh[], exchange_x25519[];

#endif
