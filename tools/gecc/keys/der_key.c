#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/der_key.h"
#include "files/library.h"
#include "keys/certificate.h"
#include "keys/curve_parameters.h"
#include "keys/der.h"
#include "text/hex.h"

#include <pthread.h>
#include <string.h>

enum { KEY_25519_BYTES = 32, VERSION_1 = 0, VERSION_2 = 1, VERSION_OF_SEC1 = 1, VERSION_OF_PKCS12 = 3 };

typedef void *d2i(void **out, const unsigned char **in, long size);

/* What is used of OpenSSL 3. Its types are not looked into. */
struct libcrypto {
    d2i *d2i_PUBKEY, *d2i_AutoPrivateKey, *d2i_X509;
    void *(*X509_get_pubkey)(void *certificate);
    void (*X509_free)(void *certificate);
    void (*EVP_PKEY_free)(void *key);
    int (*EVP_PKEY_get_utf8_string_param)(const void *key, const char *name, char *out, size_t size, size_t *length);
    int (*EVP_PKEY_get_bn_param)(const void *key, const char *name, void **number);
    int (*EVP_PKEY_get_octet_string_param)(const void *key, const char *name, unsigned char *out, size_t size,
                                           size_t *length);
    int (*EVP_PKEY_is_a)(const void *key, const char *name);
    void *(*EVP_PKEY_CTX_new_from_pkey)(void *library, void *key, const char *properties);
    int (*EVP_PKEY_pairwise_check)(void *context);
    void (*EVP_PKEY_CTX_free)(void *context);
    int (*BN_bn2binpad)(const void *number, unsigned char *out, int size);
    void (*BN_clear_free)(void *number);
};

static struct libcrypto libcrypto;
static bool libcrypto_is_there;

static void load(void) {
    static const char *const names[] = {"d2i_PUBKEY",
                                        "d2i_AutoPrivateKey",
                                        "d2i_X509",
                                        "X509_get_pubkey",
                                        "X509_free",
                                        "EVP_PKEY_free",
                                        "EVP_PKEY_get_utf8_string_param",
                                        "EVP_PKEY_get_bn_param",
                                        "EVP_PKEY_get_octet_string_param",
                                        "EVP_PKEY_is_a",
                                        "EVP_PKEY_CTX_new_from_pkey",
                                        "EVP_PKEY_pairwise_check",
                                        "EVP_PKEY_CTX_free",
                                        "BN_bn2binpad",
                                        "BN_clear_free"};
    _Static_assert(sizeof names / sizeof *names == sizeof libcrypto / sizeof(void (*)(void)),
                   "a name for each function");
    libcrypto_is_there = library_load(&libcrypto, LIBCRYPTO, names, sizeof names / sizeof *names);
}

/* NULL: it is not there. */
static const struct libcrypto *loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return libcrypto_is_there ? &libcrypto : NULL;
}

/* The number that a version is; -1: it is none of one byte. */
static int take_version(struct der *in) {
    struct der version;
    return der_take(in, DER_INTEGER, &version, NULL) && der_left(&version) == 1 ? *version.at : -1;
}

enum der_content der_content(const uint8_t *bytes, size_t size) {
    struct der in = {bytes, bytes + size}, fields, skipped;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL))
        return DER_UNKNOWN;
    if (der_is(&fields, DER_OBJECT_IDENTIFIER))
        return DER_PKCS7;
    if (der_is(&fields, DER_INTEGER)) {
        const int version = take_version(&fields);
        if (der_is(&fields, DER_SEQUENCE))
            return version == VERSION_OF_PKCS12 ? DER_PKCS12 : DER_PKCS8;
        return der_is(&fields, DER_OCTET_STRING) ? DER_SEC1 : version >= 0 ? DER_PRIVATE_NUMBERS : DER_PUBLIC_NUMBERS;
    }
    if (!der_take(&fields, DER_SEQUENCE, &skipped, NULL))
        return DER_UNKNOWN;
    return der_is(&fields, DER_BIT_STRING)     ? DER_SPKI
           : der_is(&fields, DER_OCTET_STRING) ? DER_ENCRYPTED_PKCS8
           : der_is(&fields, DER_SEQUENCE)     ? DER_CERTIFICATE
                                               : DER_UNKNOWN;
}

/* A number of the key as bytes; false: it has none of that name. */
static bool take_number(const struct libcrypto *crypto, const void *key, const char *name, uint8_t *out, size_t size) {
    void *number = NULL;
    bool good = crypto->EVP_PKEY_get_bn_param(key, name, &number) == 1 &&
                crypto->BN_bn2binpad(number, out, (int)size) == (int)size;
    if (number)
        crypto->BN_clear_free(number);
    return good;
}

/* A key of Ed25519 or X25519, whose bytes are as they are (RFC 8410). */
static const char *take_string(const struct libcrypto *crypto, struct key_file *out, const void *key, bool is_private) {
    uint8_t bytes[KEY_25519_BYTES];
    size_t length = 0;
    bool good =
        crypto->EVP_PKEY_get_octet_string_param(key, is_private ? "priv" : "pub", bytes, sizeof bytes, &length) == 1 &&
        length == sizeof bytes;
    out->curve = GECC_CURVE25519;
    out->count = 2 * sizeof bytes;
    hex_encode(out->digits, bytes, sizeof bytes);
    explicit_bzero(bytes, sizeof bytes);
    return good ? NULL : "its key cannot be read";
}

/* Keys that are right, and not for gecc. */
static const char no_name[] = "its key is on a curve that has no name", no_curve[] = NO_CURVE,
                  other_curve[] = "its key is on a curve that gecc does not have: `gecc verify --help` lists them";

bool der_key_is_other(const char *reason) {
    return reason == no_name || reason == no_curve || reason == other_curve || reason == explicit_of_no_curve;
}

/* The curve: of explicit parameters, which explicit_curve has compared, that one; 0: the one that the key names. */
static const char *take_key(const struct libcrypto *crypto, struct key_file *out, const void *key,
                            gecc_curve of_parameters, bool is_private) {
    char group[64];
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST] = {4};
    size_t length = 0;
    out->scheme = crypto->EVP_PKEY_is_a(key, "ED25519")  ? SCHEME_ED25519
                  : crypto->EVP_PKEY_is_a(key, "X25519") ? SCHEME_X25519
                                                         : SCHEME_OF_CURVE;
    if (out->scheme != SCHEME_OF_CURVE)
        return take_string(crypto, out, key, is_private);
    if (!of_parameters && crypto->EVP_PKEY_get_utf8_string_param(key, "group", group, sizeof group, &length) != 1)
        return crypto->EVP_PKEY_is_a(key, "EC") ? no_name : no_curve;
    const int curve = of_parameters ? (int)of_parameters : name_find(names_of_curves, group, strlen(group));
    if (curve < 0)
        return other_curve;
    out->curve = (gecc_curve)curve;
    size_t size = gecc_curve_bytes(out->curve);
    bool good = is_private ? take_number(crypto, key, "priv", bytes, size)
                           : take_number(crypto, key, "qx", bytes + 1, size) &&
                                 take_number(crypto, key, "qy", bytes + 1 + size, size);
    out->count = 2 * (is_private ? size : 1 + 2 * size);
    hex_encode(out->digits, bytes, out->count / 2);
    explicit_bzero(bytes, sizeof bytes);
    return good ? NULL : "its key cannot be read";
}

/* Whether the public key that a private one came with is the private one's. */
static bool is_pair(const struct libcrypto *crypto, void *key) {
    void *context = crypto->EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    bool pair = context && crypto->EVP_PKEY_pairwise_check(context) == 1;
    if (context)
        crypto->EVP_PKEY_CTX_free(context);
    return pair;
}

/* Whether the bits, behind the count of unused bits, are the key, a point as SEC 1 encodes it or bytes as
 * they are. */
static bool is_public_key(const struct key_file *key, struct der bits) {
    char digits[KEY_FILE_DIGITS];
    if (der_left(&bits) < 2 || der_left(&bits) > 1 + KEY_FILE_DIGITS / 2 || *bits.at != 0)
        return false;
    const size_t count = 2 * (der_left(&bits) - 1), x_digits = key->count / 2 - 1;
    hex_encode(digits, bits.at + 1, count / 2);
    if (key->curve == GECC_CURVE25519 || count == key->count)
        return count == key->count && memcmp(digits, key->digits, count) == 0;
    const char last = key->digits[key->count - 1];
    const bool odd = (last <= '9' ? last - '0' : last - 'a' + 10) & 1;
    return count == 2 + x_digits && memcmp(digits, odd ? "03" : "02", 2) == 0 &&
           memcmp(digits + 2, key->digits + 2, x_digits) == 0;
}

/* A private key as PKCS #8 has it (RFC 5208), written to out[size], from one of version 2 (RFC 5958): without the
 * attributes and the public key, whose bits *bits becomes. Returns its bytes; 0: it is none. */
static size_t as_version_1(uint8_t *out, const uint8_t *bytes, size_t size, struct der *bits) {
    struct der in = {bytes, bytes + size}, fields, skipped, key;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || in.at != in.end)
        return 0;
    const size_t head = (size_t)(fields.at - bytes), version = head + 2;
    if (take_version(&fields) != VERSION_2 || !der_take(&fields, DER_SEQUENCE, &skipped, NULL) ||
        !der_take(&fields, DER_OCTET_STRING, &skipped, &key))
        return 0;
    const size_t whole = (size_t)(key.end - bytes);
    der_take(&fields, DER_CONSTRUCTED_0, &skipped, NULL); /* attributes */
    struct der wrapped;                                   /* [1] IMPLICIT, and EXPLICIT as some write it */
    if (der_take(&fields, DER_CONSTRUCTED_1, &wrapped, NULL)) {
        if (!der_take(&wrapped, DER_BIT_STRING, bits, NULL) || der_left(&wrapped))
            return 0;
    } else if (der_is(&fields, DER_PRIMITIVE_1) && !der_take(&fields, DER_PRIMITIVE_1, bits, NULL)) {
        return 0;
    }
    if (der_left(&fields))
        return 0;
    memcpy(out, bytes, whole);
    out[version] = VERSION_1;
    size_t left = whole - head;
    if (head == 2)
        out[1] = (uint8_t)left;
    for (size_t i = head - 1; i >= 2; i--, left >>= 8)
        out[i] = (uint8_t)left;
    return whole;
}

static void *read_der(d2i *read, const uint8_t *bytes, size_t size) {
    void *out = NULL;
    read(&out, &bytes, (long)size);
    return out;
}

/* Whether an ECPrivateKey (RFC 5915, 3) is of version 1 and names no other curve than `named`, which is NULL where
 * nothing around it names one. What else is wrong with it, libcrypto sees. */
static bool is_ec_private_key(struct der in, struct der named) {
    struct der fields, skipped, own;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || take_version(&fields) != VERSION_OF_SEC1 ||
        !der_take(&fields, DER_OCTET_STRING, &skipped, NULL))
        return false;
    return !named.at || !der_take(&fields, DER_CONSTRUCTED_0, &own, NULL) ||
           (der_left(&own) == der_left(&named) && memcmp(own.at, named.at, der_left(&own)) == 0);
}

/* The same of one within PKCS #8; true: it is no such key. */
static bool has_ec_private_key(struct der in) {
    static const uint8_t ec_public_key[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
    struct der fields, algorithm, name, key;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || take_version(&fields) < 0 ||
        !der_take(&fields, DER_SEQUENCE, &algorithm, NULL) || !der_take(&fields, DER_OCTET_STRING, &key, NULL) ||
        !der_take(&algorithm, DER_OBJECT_IDENTIFIER, &name, NULL) || der_left(&name) != sizeof ec_public_key ||
        memcmp(name.at, ec_public_key, sizeof ec_public_key) != 0)
        return true;
    return is_ec_private_key(key, algorithm);
}

static void *read_pkcs8(const struct libcrypto *crypto, const uint8_t *bytes, size_t size, struct der *bits) {
    uint8_t copy[KEY_FILE_BYTES];
    struct der in = {bytes, bytes + size}, fields;
    const size_t whole = as_version_1(copy, bytes, size, bits);
    const bool is_first = der_take(&in, DER_SEQUENCE, &fields, NULL) && take_version(&fields) == VERSION_1;
    void *key = whole      ? read_der(crypto->d2i_AutoPrivateKey, copy, whole)
                : is_first ? read_der(crypto->d2i_AutoPrivateKey, bytes, size)
                           : NULL;
    explicit_bzero(copy, whole);
    return key;
}

static void *read_certificate(const struct libcrypto *crypto, const uint8_t *bytes, size_t size) {
    void *certificate = read_der(crypto->d2i_X509, bytes, size);
    void *key = certificate ? crypto->X509_get_pubkey(certificate) : NULL;
    if (certificate)
        crypto->X509_free(certificate);
    return key;
}

static void *read_content(const struct libcrypto *crypto, enum der_content content, const uint8_t *bytes, size_t size,
                          struct der *bits) {
    switch (content) {
    case DER_PKCS8:
        return read_pkcs8(crypto, bytes, size, bits);
    case DER_SEC1:
        return read_der(crypto->d2i_AutoPrivateKey, bytes, size);
    case DER_SPKI:
        return read_der(crypto->d2i_PUBKEY, bytes, size);
    case DER_CERTIFICATE:
        return read_certificate(crypto, bytes, size);
    default:
        return NULL;
    }
}

/* explicit_curve of the public key's own bytes, or of those in a certificate. */
static const char *find_curve(gecc_curve *curve, enum der_content content, const uint8_t *bytes, size_t size) {
    struct certificate certificate;
    struct der spki = {bytes, bytes + size};
    if (content == DER_CERTIFICATE && !certificate_read(&certificate, bytes, size))
        spki = (struct der){certificate.key.bytes, certificate.key.bytes + certificate.key.size};
    else if (content != DER_SPKI)
        return NULL;
    return explicit_curve(curve, spki);
}

const char *der_key_read(struct key_file *public_key, struct key_file *private_key, const uint8_t *bytes, size_t size) {
    const enum der_content content = der_content(bytes, size);
    const struct libcrypto *crypto = loaded();
    struct der bits = {NULL, NULL};
    if (!crypto)
        return "reading keys needs OpenSSL's " LIBCRYPTO " (Debian: libssl3)";
    gecc_curve curve = (gecc_curve)0;
    const char *reason = find_curve(&curve, content, bytes, size);
    if (reason)
        return reason;
    const struct der whole = {bytes, bytes + size};
    if (content == DER_SEC1    ? !is_ec_private_key(whole, (struct der){NULL, NULL})
        : content == DER_PKCS8 ? !has_ec_private_key(whole)
                               : false)
        return "a private key whose ECPrivateKey is broken, not of version 1, or of another curve than what names it";
    void *key = read_content(crypto, content, bytes, size, &bits);
    if (!key)
        return content == DER_CERTIFICATE
                   ? "a certificate that is broken, or another thing in DER that is neither a key nor one"
                   : "a key that is broken, or of another kind than those on elliptic curves";
    const bool is_private = content == DER_PKCS8 || content == DER_SEC1;
    reason = take_key(crypto, public_key, key, curve, false);
    if (!reason && is_private && (!is_pair(crypto, key) || (bits.at && !is_public_key(public_key, bits))))
        reason = "a private key beside a public key that is not its own";
    if (!reason && is_private)
        reason = take_key(crypto, private_key, key, curve, true);
    crypto->EVP_PKEY_free(key);
    return reason;
}
