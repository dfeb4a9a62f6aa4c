#include "key.h"

#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

const struct key_type key_ec = {"EC", (gecc_curve)0, "SHA256", "ECDSA", "ECDH", ENGINE_EC_PUBLIC_KEY};
const struct key_type key_sm2 = {"SM2", GECC_SM2, "SM3", "SM2", NULL, ENGINE_EC_PUBLIC_KEY};
const struct key_type key_ed25519 = {"ED25519", GECC_CURVE25519, NULL, "ED25519", NULL, ENGINE_ED25519_PUBLIC_KEY};
const struct key_type key_x25519 = {"X25519", GECC_CURVE25519, NULL, NULL, "X25519", ENGINE_X25519_PUBLIC_KEY};

struct key *key_new(struct provider *provider, const struct key_type *type) {
    struct key *key = OPENSSL_zalloc(sizeof *key);
    if (key == NULL)
        return NULL;
    key->provider = provider;
    key->type = type;
    atomic_init(&key->references, 1);
    pthread_mutex_init(&key->lock, NULL);
    if (type->curve == GECC_CURVE25519)
        key->curve = type->curve;
    return key;
}

struct key *key_share(struct key *key) {
    atomic_fetch_add(&key->references, 1);
    return key;
}

static void private_key_free(struct key *key) {
    OPENSSL_secure_clear_free(key->private_key, gecc_curve_bytes(key->curve));
    key->private_key = NULL;
}

/* The key is another one now, or written in another way. */
static void key_forget_other(struct key *key) {
    EVP_PKEY_free(key->other);
    key->other = NULL;
}

void key_free(struct key *key) {
    if (key == NULL || atomic_fetch_sub(&key->references, 1) != 1)
        return;
    private_key_free(key);
    EVP_PKEY_free(key->other);
    pthread_mutex_destroy(&key->lock);
    OPENSSL_free(key);
}

static int set_private(struct key *key, const uint8_t *bytes) {
    size_t width = gecc_curve_bytes(key->curve);
    private_key_free(key);
    key->private_key = OPENSSL_secure_malloc(width);
    if (key->private_key == NULL)
        return REFUSE(ERR_R_MALLOC_FAILURE, "no memory for a private key");
    memcpy(key->private_key, bytes, width);
    return 1;
}

struct key *key_copy(struct key *key, int selection) {
    struct key *copy = key_new(key->provider, key->type);
    if (copy == NULL)
        return NULL;
    if (key_is_foreign(key)) {
        OSSL_PARAM *params = key_to_params(key, selection);
        int made = params != NULL && key_from_params(copy, selection, params);
        OSSL_PARAM_free(params);
        if (made)
            return copy;
        key_free(copy);
        return NULL;
    }
    copy->curve = key->curve;
    copy->point_format = key->point_format;
    copy->leaves_out_public = key->leaves_out_public;
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0) {
        copy->has_public = key->has_public;
        memcpy(copy->public_key, key->public_key, sizeof copy->public_key);
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->private_key != NULL &&
        !set_private(copy, key->private_key)) {
        key_free(copy);
        return NULL;
    }
    return copy;
}

/* *made = the key that the parameters say, of another provider. */
static int other_from_params(const struct key *key, int selection, const OSSL_PARAM params[], EVP_PKEY **made) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(key->provider->libctx, key->type->name, PROVIDER_OTHERS);
    int done = context != NULL && EVP_PKEY_fromdata_init(context) > 0 &&
               EVP_PKEY_fromdata(context, made, selection, (OSSL_PARAM *)params) > 0;
    EVP_PKEY_CTX_free(context);
    return done;
}

EVP_PKEY *key_other(struct key *key) {
    pthread_mutex_lock(&key->lock);
    if (key->other == NULL) {
        int selection = key->private_key != NULL ? EVP_PKEY_KEYPAIR
                        : key->has_public        ? EVP_PKEY_PUBLIC_KEY
                                                 : EVP_PKEY_KEY_PARAMETERS;
        OSSL_PARAM *params = key_to_params(key, selection);
        if (params == NULL || !other_from_params(key, selection, params, &key->other))
            (void)REFUSE(PROV_R_INVALID_KEY, "no other provider takes the %s key", key->type->name);
        OSSL_PARAM_free(params);
    }
    EVP_PKEY *other = key->other;
    pthread_mutex_unlock(&key->lock);
    return other;
}

int key_become_foreign(struct key *key, const OSSL_PARAM params[]) {
    EVP_PKEY *other = key_other(key);
    if (other == NULL)
        return 0;
    if (!EVP_PKEY_set_params(other, (OSSL_PARAM *)params)) {
        if (!key_is_foreign(key))
            key_forget_other(key);
        return 0;
    }
    private_key_free(key);
    key->has_public = false;
    key->curve = (gecc_curve)0;
    return 1;
}

static int curve_nid(gecc_curve curve) {
    const char *name = gecc_curve_name(curve);
    int nid = name != NULL ? EC_curve_nist2nid(name) : NID_undef;
    return nid != NID_undef || name == NULL ? nid : OBJ_txt2nid(name);
}

const char *key_group_name(gecc_curve curve) { return OSSL_EC_curve_nid2name(curve_nid(curve)); }

gecc_curve key_curve_named(const struct key_type *type, const char *name) {
    gecc_curve curve = gecc_curve_named(name);
    if (curve >= GECC_CURVE_END || (curve == GECC_SM2) != (type->curve == GECC_SM2) || key_group_name(curve) == NULL)
        return (gecc_curve)0;
    return curve;
}

size_t key_public_bytes(gecc_curve curve) {
    return curve == GECC_CURVE25519 ? gecc_curve_bytes(curve) : gecc_point_bytes(curve, GECC_POINT_UNCOMPRESSED);
}

/* Hybrid encodings, 06 or 07 || x || y, say the parity of y as compressed ones do. */
static int unhybrid(const struct key *key, const uint8_t *encoding, size_t bytes, uint8_t plain[KEY_PUBLIC_MOST]) {
    if (bytes != key_public_bytes(key->curve))
        return 0;
    memcpy(plain, encoding, bytes);
    plain[0] = 4;
    return (encoding[0] | 1) == 7 && (encoding[0] & 1) == (encoding[bytes - 1] & 1);
}

int key_set_public(struct key *key, const uint8_t *encoding, size_t bytes) {
    uint8_t plain[KEY_PUBLIC_MOST];
    if (key->curve == GECC_CURVE25519) {
        if (bytes != key_public_bytes(key->curve))
            return REFUSE(PROV_R_INVALID_KEY_LENGTH, "a public key of %zu bytes, where %s has %zu", bytes,
                          key->type->name, key_public_bytes(key->curve));
        memcpy(plain, encoding, bytes);
    } else {
        gecc_out out = gecc_out_packed(plain, sizeof plain);
        gecc_rows point = gecc_rows_packed(encoding, bytes);
        uint8_t without[KEY_PUBLIC_MOST];
        if (bytes != 0 && unhybrid(key, encoding, bytes, without))
            point.data = without;
        gecc_item item = bytes == gecc_point_bytes(key->curve, GECC_POINT_RAW)
                             ? GECC_ITEM_MALFORMED_POINT_ENCODING /* which OpenSSL does not know */
                             : engine_run(ENGINE_EC_CONVERT, key->curve, &out, &point, NULL);
        if (item != GECC_ITEM_OK)
            return REFUSE(PROV_R_INVALID_KEY, "public key: %s", gecc_item_text((uint8_t)item));
    }
    memcpy(key->public_key, plain, key_public_bytes(key->curve));
    key->has_public = true;
    key_forget_other(key);
    return 1;
}

gecc_item key_compute_public(const struct key *key, uint8_t public_key[KEY_PUBLIC_MOST]) {
    gecc_out out = gecc_out_packed(public_key, KEY_PUBLIC_MOST);
    gecc_rows private_key = gecc_rows_packed(key->private_key, gecc_curve_bytes(key->curve));
    return engine_run(key->type->public_key, key->curve, &out, &private_key, NULL);
}

/* By rejection (FIPS 186-5, A.2.2): on all curves a number of as many bits as the order is below it more often than
 * not. */
int key_generate(struct key *key) {
    static const int orders[] = {
#define ORDER(curve, value, name, text, bits, hash, prime, order) [value] = (bits),
        GECC_CURVE_LIST(ORDER)
#undef ORDER
    };
    size_t width = gecc_curve_bytes(key->curve);
    private_key_free(key);
    key->private_key = OPENSSL_secure_malloc(width);
    if (key->private_key == NULL)
        return REFUSE(ERR_R_MALLOC_FAILURE, "no memory for a private key");
    for (int tries = 0; tries < 200; tries++) {
        if (RAND_priv_bytes_ex(key->provider->libctx, key->private_key, width, 0) <= 0)
            return 0;
        if (key->curve != GECC_CURVE25519) {
            key->private_key[0] &= (uint8_t)(0xff >> (8 * width - (size_t)orders[key->curve]));
        } else if (key->type == &key_x25519) { /* as RFC 7748 reads every key */
            key->private_key[0] &= 248;
            key->private_key[31] = (uint8_t)((key->private_key[31] & 127) | 64);
        }
        gecc_item item = key_compute_public(key, key->public_key);
        if (item == GECC_ITEM_OK) {
            key->has_public = true;
            return 1;
        }
        if (item != GECC_ITEM_MALFORMED_SCALAR)
            return 0;
    }
    return REFUSE(PROV_R_FAILED_TO_GENERATE_KEY, "200 random numbers in a row are no private key");
}

static int push_private(OSSL_PARAM_BLD *build, const struct key *key, BIGNUM *number) {
    size_t width = gecc_curve_bytes(key->curve);
    if (key->curve == GECC_CURVE25519)
        return OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PRIV_KEY, key->private_key, width);
    BN_set_flags(number, BN_FLG_CONSTTIME);
    return BN_bin2bn(key->private_key, (int)width, number) != NULL &&
           OSSL_PARAM_BLD_push_BN_pad(build, OSSL_PKEY_PARAM_PRIV_KEY, number, width);
}

/* `number` has to live until the parameters are built. */
static int push_key(OSSL_PARAM_BLD *build, const struct key *key, int selection, BIGNUM *number) {
    if (key->curve != GECC_CURVE25519) {
        const char *format = key->point_format != NULL ? key->point_format : "uncompressed";
        if (!OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, key_group_name(key->curve), 0) ||
            !OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, format, 0) ||
            !OSSL_PARAM_BLD_push_int(build, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, !key->leaves_out_public))
            return 0;
    }
    if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_public &&
        !OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, key->public_key,
                                          key_public_bytes(key->curve)))
        return 0;
    return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->private_key == NULL ||
           push_private(build, key, number);
}

OSSL_PARAM *key_to_params(struct key *key, int selection) {
    OSSL_PARAM *params = NULL;
    if (key_is_foreign(key)) {
        (void)EVP_PKEY_todata(key->other, selection, &params);
        return params;
    }
    if (key->curve == 0) {
        (void)REFUSE(PROV_R_NO_PARAMETERS_SET, "the %s key has no curve", key->type->name);
        return NULL;
    }
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    BIGNUM *number = BN_secure_new();
    if (build != NULL && number != NULL && push_key(build, key, selection, number))
        params = OSSL_PARAM_BLD_to_param(build);
    BN_clear_free(number);
    OSSL_PARAM_BLD_free(build);
    return params;
}

/* The text of a parameter; NULL: it is not there, or no text. */
static const char *text_of(const OSSL_PARAM params[], const char *name) {
    const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, name);
    const char *text = NULL;
    return param != NULL && OSSL_PARAM_get_utf8_string_ptr(param, &text) ? text : NULL;
}

static int take_private(struct key *key, const OSSL_PARAM *param) {
    size_t width = gecc_curve_bytes(key->curve);
    uint8_t bytes[GECC_CURVE_BYTES_MOST];
    int taken = 0;
    if (key->curve == GECC_CURVE25519) {
        void *at = bytes;
        size_t used = 0;
        if (OSSL_PARAM_get_octet_string(param, &at, sizeof bytes, &used) && used == width)
            taken = set_private(key, bytes);
        else
            (void)REFUSE(PROV_R_INVALID_KEY_LENGTH, "a private key of %zu bytes, where %s has %zu", param->data_size,
                         key->type->name, width);
    } else {
        BIGNUM *number = BN_secure_new();
        if (number != NULL) {
            BN_set_flags(number, BN_FLG_CONSTTIME);
            taken = OSSL_PARAM_get_BN(param, &number) && !BN_is_negative(number) &&
                    BN_bn2binpad(number, bytes, (int)width) == (int)width && set_private(key, bytes);
        }
        BN_clear_free(number);
    }
    OPENSSL_cleanse(bytes, sizeof bytes);
    return taken;
}

static int take_keys(struct key *key, int selection, const OSSL_PARAM params[]) {
    const OSSL_PARAM *public_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
    const OSSL_PARAM *private_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);
    const void *encoding = NULL;
    size_t bytes = 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0)
        return 1;
    if (public_key != NULL &&
        !(OSSL_PARAM_get_octet_string_ptr(public_key, &encoding, &bytes) && key_set_public(key, encoding, bytes)))
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && private_key != NULL && !take_private(key, private_key))
        return 0;
    if (key->curve != GECC_CURVE25519)
        return 1;
    if (key->private_key != NULL && !key->has_public)
        key->has_public = key_compute_public(key, key->public_key) == GECC_ITEM_OK;
    return key->has_public;
}

int key_take_form(struct key *key, const OSSL_PARAM params[]) {
    const char *encoding = text_of(params, OSSL_PKEY_PARAM_EC_ENCODING);
    const char *format = text_of(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT);
    const OSSL_PARAM *include = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC);
    const OSSL_PARAM *cofactor = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH);
    const OSSL_PARAM *explicitly = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS);
    static const char *const formats[] = {"uncompressed", "compressed", "hybrid"};
    const char *known = NULL;
    int with_public = 1, with_cofactor = 0, from_explicit = 0;
    for (size_t i = 0; format != NULL && i < sizeof formats / sizeof formats[0]; i++)
        if (OPENSSL_strcasecmp(format, formats[i]) == 0)
            known = formats[i];
    if ((encoding != NULL && strcmp(encoding, OSSL_PKEY_EC_ENCODING_GROUP) != 0) ||
        (include != NULL && !OSSL_PARAM_get_int(include, &with_public)) ||
        (cofactor != NULL && !OSSL_PARAM_get_int(cofactor, &with_cofactor)) ||
        (explicitly != NULL && !OSSL_PARAM_get_int(explicitly, &from_explicit)) || with_cofactor || from_explicit ||
        (format != NULL && known == NULL))
        return 0;
    if (known != NULL)
        key->point_format = known;
    if (include != NULL)
        key->leaves_out_public = !with_public;
    key_forget_other(key);
    return 1;
}

/* 1: the key is on a curve of gecc and says nothing that `struct key` cannot hold. */
static int take_group(struct key *key, const OSSL_PARAM params[]) {
    if (!key_take_form(key, params))
        return 0;
    key->curve = key_curve_named(key->type, text_of(params, OSSL_PKEY_PARAM_GROUP_NAME));
    return key->curve != 0;
}

int key_from_params(struct key *key, int selection, const OSSL_PARAM params[]) {
    if (key->curve == GECC_CURVE25519)
        return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 && take_keys(key, selection, params);
    if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) == 0)
        return 0;
    ERR_set_mark();
    if (take_group(key, params) && take_keys(key, selection, params)) {
        ERR_pop_to_mark();
        return 1;
    }
    /* Whatever it is, another provider says whether it is a key. */
    ERR_pop_to_mark();
    private_key_free(key);
    key->has_public = false;
    key->curve = (gecc_curve)0;
    return other_from_params(key, selection, params, &key->other);
}
