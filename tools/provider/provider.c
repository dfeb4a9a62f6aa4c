/* The provider: provider(7). */
#include "key.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/provider.h>

#define PROVIDER_NAME "gecc"

#define ALGORITHM(names, functions, text)                                                                              \
    { names, PROVIDER_PROPERTIES, functions, text }

/* The names of each are those of OpenSSL's default provider. */
static const OSSL_ALGORITHM keys[] = {
    ALGORITHM("EC:id-ecPublicKey:1.2.840.10045.2.1", keymgmt_ec, "keys on curves of Weierstrass form, by gecc"),
    ALGORITHM("SM2:1.2.156.10197.1.301", keymgmt_sm2, "SM2 keys, by gecc"),
    ALGORITHM("ED25519:1.3.101.112", keymgmt_ed25519, "Ed25519 keys, by gecc"),
    ALGORITHM("X25519:1.3.101.110", keymgmt_x25519, "X25519 keys, by gecc"),
    {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM signatures[] = {
    ALGORITHM("ECDSA", signature_ecdsa, "ECDSA, by gecc"),
    ALGORITHM("SM2:1.2.156.10197.1.301", signature_sm2, "SM2 signatures, by gecc"),
    ALGORITHM("ED25519:1.3.101.112", signature_ed25519, "Ed25519, by gecc"),
    {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM exchanges[] = {ALGORITHM("ECDH", exchange_ecdh, "ECDH, by gecc"),
                                           ALGORITHM("X25519:1.3.101.110", exchange_x25519, "X25519, by gecc"),
                                           {NULL, NULL, NULL, NULL}};

static const OSSL_ALGORITHM *provider_query(void *data, int operation, int *no_cache) {
    (void)data;
    *no_cache = 0;
    switch (operation) {
    case OSSL_OP_KEYMGMT:
        return keys;
    case OSSL_OP_SIGNATURE:
        return signatures;
    case OSSL_OP_KEYEXCH:
        return exchanges;
    default:
        return NULL;
    }
}

/* TLS has a group where the provider that tells of it has its keys too. So this one repeats
 * what others tell of groups whose keys it has. */
struct groups {
    struct provider *provider;
    OSSL_CALLBACK *callback;
    void *argument;
};

static int group_tell(const OSSL_PARAM params[], void *data) {
    const struct groups *groups = data;
    const OSSL_PARAM *algorithm = OSSL_PARAM_locate_const(params, OSSL_CAPABILITY_TLS_GROUP_ALG);
    const char *name = NULL;
    if (algorithm == NULL || !OSSL_PARAM_get_utf8_string_ptr(algorithm, &name) || name == NULL)
        return 1;
    bool is_ours = OPENSSL_strcasecmp(name, key_ec.name) == 0 || OPENSSL_strcasecmp(name, key_x25519.name) == 0;
    return !is_ours || groups->callback(params, groups->argument);
}

/* Another instance of this module would ask this one in turn, so it is known by its name. */
static int groups_of(OSSL_PROVIDER *other, void *data) {
    char *text = NULL;
    OSSL_PARAM asked[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, &text, 0), OSSL_PARAM_END};
    if (OSSL_PROVIDER_get_params(other, asked) && text != NULL && strcmp(text, PROVIDER_NAME) == 0)
        return 1;
    return OSSL_PROVIDER_get_capabilities(other, "TLS-GROUP", group_tell, data);
}

static int provider_capabilities(void *data, const char *capability, OSSL_CALLBACK *callback, void *argument) {
    struct groups groups = {data, callback, argument};
    return OPENSSL_strcasecmp(capability, "TLS-GROUP") != 0 ||
           OSSL_PROVIDER_do_all(groups.provider->libctx, groups_of, &groups);
}

static const OSSL_PARAM *provider_gettable(void *data) {
    static const OSSL_PARAM gettable[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                          OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                          OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
    (void)data;
    return gettable;
}

static int provider_get_params(void *data, OSSL_PARAM params[]) {
    (void)data;
    OSSL_PARAM *name = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME);
    OSSL_PARAM *version = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION);
    OSSL_PARAM *build = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO);
    OSSL_PARAM *status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
    return (name == NULL || OSSL_PARAM_set_utf8_ptr(name, PROVIDER_NAME)) &&
           (version == NULL || OSSL_PARAM_set_utf8_ptr(version, gecc_version())) &&
           (build == NULL || OSSL_PARAM_set_utf8_ptr(build, gecc_version())) &&
           (status == NULL || OSSL_PARAM_set_int(status, 1));
}

static void provider_teardown(void *data) {
    struct provider *provider = data;
    engine_close();
    OSSL_LIB_CTX_free(provider->libctx);
    OPENSSL_free(provider);
}

/* The configuration's `threads`: 1 to 1024; 0, and an error is raised, where it is something else. */
static unsigned threads_of(const OSSL_CORE_HANDLE *handle, OSSL_FUNC_core_get_params_fn *get_params) {
    char *text = NULL;
    OSSL_PARAM asked[] = {OSSL_PARAM_utf8_ptr("threads", &text, 0), OSSL_PARAM_END};
    if (get_params == NULL || !get_params(handle, asked) || text == NULL)
        return 1;
    char *end = NULL;
    unsigned long threads = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || threads < 1 || threads > 1024)
        return (unsigned)REFUSE(PROV_R_INVALID_CONFIG_DATA, "threads = %s, which is not between 1 and 1024", text);
    return (unsigned)threads;
}

static const OSSL_DISPATCH functions[] = {DISPATCH(OSSL_FUNC_PROVIDER_TEARDOWN, provider_teardown),
                                          DISPATCH(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, provider_gettable),
                                          DISPATCH(OSSL_FUNC_PROVIDER_GET_PARAMS, provider_get_params),
                                          DISPATCH(OSSL_FUNC_PROVIDER_QUERY_OPERATION, provider_query),
                                          DISPATCH(OSSL_FUNC_PROVIDER_GET_CAPABILITIES, provider_capabilities),
                                          {0, NULL}};

GECC_API int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                                void **data) {
    OSSL_FUNC_core_get_params_fn *get_params = NULL;
    for (const OSSL_DISPATCH *core = in; core->function_id != 0; core++)
        if (core->function_id == OSSL_FUNC_CORE_GET_PARAMS)
            get_params = OSSL_FUNC_core_get_params(core);
    unsigned threads = threads_of(handle, get_params);
    if (threads == 0 || !engine_open(threads))
        return 0;
    struct provider *provider = OPENSSL_zalloc(sizeof *provider);
    if (provider != NULL) {
        provider->handle = handle;
        provider->libctx = OSSL_LIB_CTX_new_child(handle, in);
    }
    if (provider == NULL || provider->libctx == NULL) {
        OPENSSL_free(provider);
        engine_close();
        return REFUSE(ERR_R_MALLOC_FAILURE, "no library context of its own");
    }
    *data = provider;
    *out = functions;
    return 1;
}
