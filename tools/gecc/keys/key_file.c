#define _GNU_SOURCE /* explicit_bzero, memmem */

#include "keys/key_file.h"
#include "text/hex.h"
#include "files/library.h"
#include "text/names.h"
#include "keys/ssh_key.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { KEY_25519_BYTES = 32 };

/* What is used of OpenSSL 3. Its types are not looked into. */
struct libcrypto {
    void *(*BIO_new_mem_buf)(const void *data, int size);
    int (*BIO_free)(void *bio);
    void *(*PEM_read_bio_PUBKEY)(void *bio, void **key, void *callback, void *argument);
    void *(*PEM_read_bio_PrivateKey)(void *bio, void **key, void *callback, void *argument);
    void *(*PEM_read_bio_X509)(void *bio, void **certificate, void *callback, void *argument);
    void *(*d2i_PUBKEY_bio)(void *bio, void **key);
    void *(*d2i_PrivateKey_bio)(void *bio, void **key);
    void *(*d2i_X509_bio)(void *bio, void **certificate);
    void *(*X509_get_pubkey)(void *certificate);
    void (*X509_free)(void *certificate);
    void (*EVP_PKEY_free)(void *key);
    int (*EVP_PKEY_get_utf8_string_param)(const void *key, const char *name, char *out, size_t size, size_t *length);
    int (*EVP_PKEY_get_bn_param)(const void *key, const char *name, void **number);
    int (*EVP_PKEY_get_octet_string_param)(const void *key, const char *name, unsigned char *out, size_t size,
                                           size_t *length);
    int (*EVP_PKEY_is_a)(const void *key, const char *name);
    int (*BN_bn2binpad)(const void *number, unsigned char *out, int size);
    void (*BN_clear_free)(void *number);
};

static struct libcrypto libcrypto;
static bool libcrypto_is_there;

static void load(void) {
    static const char *const names[] = {"BIO_new_mem_buf",       "BIO_free",
                                        "PEM_read_bio_PUBKEY",   "PEM_read_bio_PrivateKey",
                                        "PEM_read_bio_X509",     "d2i_PUBKEY_bio",
                                        "d2i_PrivateKey_bio",    "d2i_X509_bio",
                                        "X509_get_pubkey",       "X509_free",
                                        "EVP_PKEY_free",         "EVP_PKEY_get_utf8_string_param",
                                        "EVP_PKEY_get_bn_param", "EVP_PKEY_get_octet_string_param",
                                        "EVP_PKEY_is_a",         "BN_bn2binpad",
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

/* A password is asked of nobody. */
static int no_password(char *out, int size, int writing, void *argument) {
    (void)out, (void)size, (void)writing, (void)argument;
    return -1;
}

static void *callback_of(int (*callback)(char *, int, int, void *)) {
    void *pointer;
    memcpy(&pointer, &callback, sizeof pointer);
    return pointer;
}

static void *key_of_certificate(const struct libcrypto *crypto, void *certificate) {
    void *key = certificate ? crypto->X509_get_pubkey(certificate) : NULL;
    if (certificate)
        crypto->X509_free(certificate);
    return key;
}

enum form { PEM_PRIVATE, DER_PRIVATE, PEM_PUBLIC, PEM_CERTIFICATE, DER_PUBLIC, DER_CERTIFICATE, FORMS };

static void *read_form(const struct libcrypto *crypto, void *bio, enum form form) {
    void *ask = callback_of(no_password);
    switch (form) {
    case PEM_PRIVATE:
        return crypto->PEM_read_bio_PrivateKey(bio, NULL, ask, NULL);
    case DER_PRIVATE:
        return crypto->d2i_PrivateKey_bio(bio, NULL);
    case PEM_PUBLIC:
        return crypto->PEM_read_bio_PUBKEY(bio, NULL, ask, NULL);
    case DER_PUBLIC:
        return crypto->d2i_PUBKEY_bio(bio, NULL);
    case PEM_CERTIFICATE:
        return key_of_certificate(crypto, crypto->PEM_read_bio_X509(bio, NULL, ask, NULL));
    case DER_CERTIFICATE:
        return key_of_certificate(crypto, crypto->d2i_X509_bio(bio, NULL));
    case FORMS:
        break;
    }
    return NULL;
}

/* Whether the bytes may have that form. libcrypto would find out as well, but takes a millisecond for it. */
static bool may_be(const uint8_t *bytes, size_t size, enum form form) {
    static const char *const labels[FORMS] = {[PEM_PRIVATE] = "PRIVATE KEY-----",
                                              [PEM_PUBLIC] = "-----BEGIN PUBLIC KEY-----",
                                              [PEM_CERTIFICATE] = "CERTIFICATE-----"};
    if (labels[form])
        return memmem(bytes, size, labels[form], strlen(labels[form])) != NULL;
    return size && bytes[0] == 0x30;
}

/* The first form in which the bytes are a key. A private key has a public one. */
static void *find_key(const struct libcrypto *crypto, const uint8_t *bytes, size_t size, bool is_private,
                      bool *found_private) {
    static const enum form of_private[] = {PEM_PRIVATE, DER_PRIVATE, FORMS};
    static const enum form of_public[] = {PEM_PRIVATE, PEM_PUBLIC, PEM_CERTIFICATE, DER_PUBLIC, DER_CERTIFICATE,
                                          DER_PRIVATE, FORMS};
    void *key = NULL;
    for (const enum form *form = is_private ? of_private : of_public; !key && *form != FORMS; form++) {
        void *bio = may_be(bytes, size, *form) ? crypto->BIO_new_mem_buf(bytes, (int)size) : NULL;
        if (!bio)
            continue;
        key = read_form(crypto, bio, *form);
        *found_private = *form == PEM_PRIVATE || *form == DER_PRIVATE;
        crypto->BIO_free(bio);
    }
    return key;
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

static const char *take_key(const struct libcrypto *crypto, struct key_file *out, const void *key, bool is_private) {
    char group[64];
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST] = {4};
    size_t length = 0;
    out->scheme = crypto->EVP_PKEY_is_a(key, "ED25519")  ? SCHEME_ED25519
                  : crypto->EVP_PKEY_is_a(key, "X25519") ? SCHEME_X25519
                                                         : SCHEME_OF_CURVE;
    if (out->scheme != SCHEME_OF_CURVE)
        return take_string(crypto, out, key, is_private);
    if (crypto->EVP_PKEY_get_utf8_string_param(key, "group", group, sizeof group, &length) != 1)
        return "its key is none of an elliptic curve";
    int curve = name_find(names_of_curves, group, strlen(group));
    if (curve < 0)
        return "its key is on a curve that gecc does not have: `gecc verify --help` lists them";
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

static const char *read_bytes(const char *path, uint8_t bytes[KEY_FILE_BYTES], size_t *size, struct stat *status) {
    FILE *file = fopen(path, "rbe");
    if (!file || fstat(fileno(file), status) < 0)
        return strerror(errno);
    setvbuf(file, NULL, _IONBF, 0);
    *size = fread(bytes, 1, KEY_FILE_BYTES, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? "cannot be read" : *size == KEY_FILE_BYTES ? "too long for a key" : NULL;
}

const char *key_decode(struct key_file *key, const void *bytes, size_t size, bool is_private) {
    if (ssh_key_is(bytes, size))
        return is_private ? "a public key, where a private one is wanted" : ssh_key_decode(key, bytes, size);
    const struct libcrypto *crypto = loaded();
    if (!crypto)
        return "reading keys needs OpenSSL's libcrypto.so.3 (Debian: libssl3)";
    void *found = size < KEY_FILE_BYTES ? find_key(crypto, bytes, size, is_private, &key->found_private) : NULL;
    if (!found)
        return is_private ? "no private key in PEM or DER, or one with a password"
                          : "no key or certificate in PEM or DER";
    const char *reason = take_key(crypto, key, found, is_private);
    crypto->EVP_PKEY_free(found);
    return reason;
}

/* As ssh does, say whom a file lets at a private key beside its owner. The group may read what root owns, so that a service
 * may have it. */
static void say_who_reads(const char *path, const struct stat *status) {
    const unsigned mode = status->st_mode & 0777, theirs = mode & (status->st_uid == 0 ? 037 : 077);
    if (S_ISREG(status->st_mode) && theirs)
        fprintf(stderr, "gecc: %s: its mode %04o lets %s %s this private key; right is 0600: chmod 600 %s\n", path,
                mode, theirs & 007 ? "every user" : "its group", theirs & 044 ? "read" : "change", path);
}

bool key_file_read(struct key_file *key, const char *path, bool is_private, char *error, size_t size) {
    uint8_t bytes[KEY_FILE_BYTES];
    struct stat status;
    size_t used = 0;
    const char *reason = read_bytes(path, bytes, &used, &status);
    if (!reason)
        reason = key_decode(key, bytes, used, is_private);
    if (!reason && key->found_private)
        say_who_reads(path, &status);
    explicit_bzero(bytes, sizeof bytes);
    if (reason)
        snprintf(error, size, "%.120s: %s", path, reason);
    return !reason;
}
