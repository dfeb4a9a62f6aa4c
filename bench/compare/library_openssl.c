/* OpenSSL's libcrypto: parsed keys and signatures in, its own structures out; points are made affine, as gecc's are. */
#define OPENSSL_API_COMPAT 0x10100000L /* EC_KEY and ECDSA_SIG, below EVP: no contexts to make, nothing to encode */

#include "compare.h"

#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DER_MAX = 2 * LENGTH_MAX + 8 };

struct row {
    EVP_PKEY *ed25519_private, *ed25519_public, *x25519_private, *x25519_public; /* on Curve25519, and nothing below */
    EC_KEY *key;                                                                 /* private_key and public_key */
    EC_KEY *scalar_key;                                                          /* scalar */
    BIGNUM *private_key, *scalar;
    ECDSA_SIG *signature;            /* SM2: NULL */
    EVP_PKEY_CTX *signer, *verifier; /* SM2 */
    uint8_t *der;                    /* SM2: the signature */
    int der_bytes;
    struct {
        int verdict;
        ECDSA_SIG *signature;
        uint8_t der[DER_MAX];
        size_t der_bytes;
        BIGNUM *x, *y;
        uint8_t shared[2 * LENGTH_MAX]; /* or an Ed25519 signature or key */
    } result;
};

struct openssl_library {
    const struct rows *rows;
    EC_GROUP *group;
    EC_POINT *point; /* a scratch */
    BN_CTX *scratch;
    EVP_MD_CTX *digest; /* on Curve25519 */
    struct row *row;
};

static void version(char *text, size_t size) { snprintf(text, size, "%s", OpenSSL_version(OPENSSL_VERSION_STRING)); }

static int curve_nid(gecc_curve curve) {
    const int nid = EC_curve_nist2nid(gecc_curve_name(curve));
    return nid != NID_undef ? nid : OBJ_sn2nid(gecc_curve_name(curve));
}

static ECDSA_SIG *signature_parse(const uint8_t *signature, size_t length) {
    ECDSA_SIG *parsed = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(signature, (int)length, NULL), *s = BN_bin2bn(signature + length, (int)length, NULL);
    if (parsed && r && s && ECDSA_SIG_set0(parsed, r, s))
        return parsed;
    BN_free(r);
    BN_free(s);
    ECDSA_SIG_free(parsed);
    return NULL;
}

static bool signature_write(const ECDSA_SIG *signature, uint8_t *bytes, int length) {
    return signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature), bytes, length) == length &&
           BN_bn2binpad(ECDSA_SIG_get0_s(signature), bytes + length, length) == length;
}

/* Contexts that sign and verify e itself: given no digest to compute, EVP_PKEY_sign takes its input as e. */
static bool parse_sm2(struct row *row) {
    EVP_PKEY *key = EVP_PKEY_new();
    bool parsed = key && EVP_PKEY_set1_EC_KEY(key, row->key) == 1;
    if (parsed) {
        row->signer = EVP_PKEY_CTX_new(key, NULL);
        row->verifier = EVP_PKEY_CTX_new(key, NULL);
        row->der_bytes = i2d_ECDSA_SIG(row->signature, &row->der);
        parsed = row->signer && row->verifier && row->der_bytes > 0 && EVP_PKEY_sign_init(row->signer) == 1 &&
                 EVP_PKEY_verify_init(row->verifier) == 1;
    }
    EVP_PKEY_free(key);
    return parsed;
}

/* Keys of Ed25519 and X25519. */
static bool parse_row_25519(const struct openssl_library *library, size_t i) {
    const struct rows *rows = library->rows;
    struct row *row = &library->row[i];
    const size_t length = rows->length;
    const uint8_t *own = rows->private_key + i * length, *other = rows->x_only + i * length;
    row->ed25519_private = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, own, length);
    row->ed25519_public = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, other, length);
    row->x25519_private = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, own, length);
    row->x25519_public = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, other, length);
    return row->ed25519_private && row->ed25519_public && row->x25519_private && row->x25519_public;
}

static bool parse_row(const struct openssl_library *library, size_t i) {
    const struct rows *rows = library->rows;
    struct row *row = &library->row[i];
    size_t length = rows->length, width = 1 + 2 * length;
    row->key = EC_KEY_new();
    row->scalar_key = EC_KEY_new();
    row->private_key = BN_bin2bn(rows->private_key + i * length, (int)length, NULL);
    row->scalar = BN_bin2bn(rows->scalar + i * length, (int)length, NULL);
    row->signature = signature_parse(rows->signature + i * 2 * length, length);
    row->result.x = BN_new();
    row->result.y = BN_new();
    return row->key && row->scalar_key && row->private_key && row->scalar && row->signature && row->result.x &&
           row->result.y &&
           EC_POINT_oct2point(library->group, library->point, rows->public_key + i * width, width, library->scratch) &&
           EC_KEY_set_group(row->key, library->group) && EC_KEY_set_group(row->scalar_key, library->group) &&
           EC_KEY_set_private_key(row->key, row->private_key) && EC_KEY_set_public_key(row->key, library->point) &&
           EC_KEY_set_private_key(row->scalar_key, row->scalar) && (rows->curve != GECC_SM2 || parse_sm2(row));
}

static void row_release(struct row *row) {
    EVP_PKEY_free(row->ed25519_private);
    EVP_PKEY_free(row->ed25519_public);
    EVP_PKEY_free(row->x25519_private);
    EVP_PKEY_free(row->x25519_public);
    EC_KEY_free(row->key);
    EC_KEY_free(row->scalar_key);
    BN_free(row->private_key);
    BN_free(row->scalar);
    ECDSA_SIG_free(row->signature);
    EVP_PKEY_CTX_free(row->signer);
    EVP_PKEY_CTX_free(row->verifier);
    OPENSSL_free(row->der);
    ECDSA_SIG_free(row->result.signature);
    BN_free(row->result.x);
    BN_free(row->result.y);
}

static void release(void *state) {
    struct openssl_library *library = state;
    for (size_t i = 0; library->row && i < library->rows->count; i++)
        row_release(&library->row[i]);
    free(library->row);
    EVP_MD_CTX_free(library->digest);
    EC_POINT_free(library->point);
    EC_GROUP_free(library->group);
    BN_CTX_free(library->scratch);
    free(library);
}

static void *prepare(const struct rows *rows, unsigned threads) {
    (void)threads;
    struct openssl_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->rows = rows;
    const bool curve25519 = rows->curve == GECC_CURVE25519;
    library->digest = EVP_MD_CTX_new();
    library->group = curve25519 ? NULL : EC_GROUP_new_by_curve_name(curve_nid(rows->curve));
    library->point = library->group ? EC_POINT_new(library->group) : NULL;
    library->scratch = BN_CTX_new();
    library->row = calloc(rows->count, sizeof *library->row);
    bool parsed = library->digest && (curve25519 || library->point) && library->scratch && library->row;
    for (size_t i = 0; parsed && i < rows->count; i++)
        parsed = curve25519 ? parse_row_25519(library, i) : parse_row(library, i);
    if (parsed)
        return library;
    release(library);
    return NULL;
}

static bool verify_row(const struct openssl_library *library, struct row *row, size_t i) {
    const uint8_t *checked = library->rows->checked + i * DIGEST_BYTES;
    if (library->rows->curve == GECC_SM2)
        row->result.verdict = EVP_PKEY_verify(row->verifier, row->der, (size_t)row->der_bytes, checked, DIGEST_BYTES);
    else
        row->result.verdict = ECDSA_do_verify(checked, DIGEST_BYTES, row->signature, row->key);
    return row->result.verdict == 0 || row->result.verdict == 1;
}

static bool sign_row(const struct openssl_library *library, struct row *row, size_t i) {
    const uint8_t *digest = library->rows->digest + i * DIGEST_BYTES;
    if (library->rows->curve == GECC_SM2) {
        row->result.der_bytes = sizeof row->result.der;
        return EVP_PKEY_sign(row->signer, row->result.der, &row->result.der_bytes, digest, DIGEST_BYTES) == 1;
    }
    ECDSA_SIG_free(row->result.signature);
    row->result.signature = ECDSA_do_sign(digest, DIGEST_BYTES, row->key);
    return row->result.signature != NULL;
}

/* (x, y) = g * G + k * P; one of the two terms is absent. */
static bool multiply(const struct openssl_library *library, struct row *row, const BIGNUM *g, const EC_POINT *p,
                     const BIGNUM *k) {
    return EC_POINT_mul(library->group, library->point, g, p, k, library->scratch) == 1 &&
           EC_POINT_get_affine_coordinates(library->group, library->point, row->result.x, row->result.y,
                                           library->scratch) == 1;
}

static bool exchange_row(struct row *row) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(row->x25519_private, NULL);
    size_t bytes = sizeof row->result.shared;
    bool done = context && EVP_PKEY_derive_init(context) == 1 &&
                EVP_PKEY_derive_set_peer(context, row->x25519_public) == 1 &&
                EVP_PKEY_derive(context, row->result.shared, &bytes) == 1;
    EVP_PKEY_CTX_free(context);
    return done;
}

/* A private key that is parsed has its public key computed. */
static bool public_key_row(const struct openssl_library *library, struct row *row, size_t i) {
    size_t bytes = library->rows->length;
    EVP_PKEY_free(row->ed25519_private);
    row->ed25519_private =
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, library->rows->private_key + i * bytes, bytes);
    return row->ed25519_private && EVP_PKEY_get_raw_public_key(row->ed25519_private, row->result.shared, &bytes) == 1;
}

static bool run_row_25519(const struct openssl_library *library, struct row *row, size_t i, enum operation operation) {
    const struct rows *rows = library->rows;
    const uint8_t *message = rows->digest + i * DIGEST_BYTES, *checked = rows->checked + i * DIGEST_BYTES;
    size_t bytes = 2 * rows->length;
    EVP_MD_CTX_reset(library->digest);
    switch (operation) {
    case ED25519_VERIFY:
        row->result.verdict =
            EVP_DigestVerifyInit(library->digest, NULL, NULL, NULL, row->ed25519_public) == 1
                ? EVP_DigestVerify(library->digest, rows->schnorr + i * bytes, bytes, checked, DIGEST_BYTES)
                : -1;
        return row->result.verdict == 0 || row->result.verdict == 1;
    case ED25519_SIGN:
        return EVP_DigestSignInit(library->digest, NULL, NULL, NULL, row->ed25519_private) == 1 &&
               EVP_DigestSign(library->digest, row->result.shared, &bytes, message, DIGEST_BYTES) == 1;
    case ED25519_PUBLIC_KEY:
        return public_key_row(library, row, i);
    case X25519:
        return exchange_row(row);
    default:
        return false;
    }
}

static bool run_row(const struct openssl_library *library, struct row *row, size_t i, enum operation operation) {
    if (library->rows->curve == GECC_CURVE25519)
        return run_row_25519(library, row, i, operation);
    const EC_POINT *public_key = EC_KEY_get0_public_key(row->key);
    switch (operation) {
    case VERIFY:
        return verify_row(library, row, i);
    case SIGN:
        return sign_row(library, row, i);
    case PUBLIC_KEY:
        return multiply(library, row, row->private_key, NULL, NULL);
    case MUL:
        return multiply(library, row, NULL, public_key, row->scalar);
    case ECDH:
        return ECDH_compute_key(row->result.shared, library->rows->length, public_key, row->scalar_key, NULL) ==
               (int)library->rows->length;
    default:
        return false;
    }
}

static bool run(void *state, enum operation operation, size_t first, size_t count) {
    const struct openssl_library *library = state;
    for (size_t i = first; i < first + count; i++)
        if (!run_row(library, &library->row[i], i, operation))
            return false;
    return true;
}

static bool sm2_result(const struct row *row, uint8_t *bytes, int length) {
    const uint8_t *der = row->result.der;
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)row->result.der_bytes);
    bool written = signature_write(signature, bytes, length);
    ECDSA_SIG_free(signature);
    return written;
}

static bool result(void *state, enum operation operation, size_t row, uint8_t *bytes) {
    const struct openssl_library *library = state;
    const struct row *from = &library->row[row];
    int length = (int)library->rows->length;
    switch (operation) {
    case VERIFY:
    case ED25519_VERIFY:
        *bytes = (uint8_t)from->result.verdict;
        return true;
    case ED25519_SIGN:
    case ED25519_PUBLIC_KEY:
    case X25519:
        memcpy(bytes, from->result.shared, result_bytes(operation, (size_t)length));
        return true;
    case SIGN:
        return library->rows->curve == GECC_SM2 ? sm2_result(from, bytes, length)
                                                : signature_write(from->result.signature, bytes, length);
    case ECDH:
        memcpy(bytes, from->result.shared, (size_t)length);
        return true;
    default:
        bytes[0] = 4;
        return BN_bn2binpad(from->result.x, bytes + 1, length) == length &&
               BN_bn2binpad(from->result.y, bytes + 1 + length, length) == length;
    }
}

static bool offers(gecc_curve curve, enum operation operation) {
    return is_of_curve25519(operation) == (curve == GECC_CURVE25519) && operation != MUL_PUBLIC &&
           operation != RECOVER && operation != RECOVER_ADDRESS && operation != SCHNORR_VERIFY &&
           operation != SCHNORR_SIGN;
}

/* Its code for P-256 is in assembly, that for Curve25519 has its field; other curves take a general way. */
static bool is_tuned(gecc_curve curve) { return curve == GECC_P256 || curve == GECC_CURVE25519; }

const struct library library_openssl = {
    .name = "OpenSSL",
    .rfc6979 = false,
    .offers = offers,
    .is_tuned = is_tuned,
    .version = version,
    .prepare = prepare,
    .release = release,
    .run = run,
    .result = result,
};
