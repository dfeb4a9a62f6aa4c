#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/encrypted.h"
#include "files/library.h"
#include "keys/der.h"

#include <pthread.h>
#include <string.h>

enum {
    MOST_WORK = 1 << 23, /* iterations of PBKDF2, or N r p of scrypt: 3 to 9 seconds of one core */
    MOST_NUMBERS = 4,
    PRF = 1, /* EVP_PBE_TYPE_PRF */
    IV_BYTES = 16,
    HEADER_BYTES = 256
};

const char wrong_password[] =
    "the password is not that of the key, or it is encrypted by what OpenSSL's libcrypto does not have";

/* EVP_CIPHER_INFO */
struct cipher_info {
    const void *cipher;
    unsigned char iv[IV_BYTES];
};

typedef int password_callback(char *out, int size, int for_writing, void *password);

/* What is used of OpenSSL 3. Its types are not looked into. */
struct libcrypto {
    void *(*d2i_X509_ALGOR)(void **out, const unsigned char **in, long size);
    void (*X509_ALGOR_free)(void *algorithm);
    unsigned char *(*PKCS12_pbe_crypt)(const void *algorithm, const char *password, int length, const unsigned char *in,
                                       int in_size, unsigned char **out, int *out_size, int encrypt);
    void (*CRYPTO_free)(void *memory, const char *file, int line);
    int (*PEM_get_EVP_CIPHER_INFO)(char *header, struct cipher_info *info);
    int (*PEM_do_header)(struct cipher_info *info, unsigned char *bytes, long *size, password_callback *callback,
                         void *password);
    int (*OBJ_txt2nid)(const char *text);
    int (*OBJ_create)(const char *number, const char *short_name, const char *long_name);
    int (*EVP_PBE_alg_add_type)(int type, int algorithm, int cipher, int hash, void *derive);
};

static struct libcrypto libcrypto;
static bool libcrypto_is_there;

/* HMAC with SM3 as PBKDF2's function by the number that GmSSL writes (GM/T 0006). OpenSSL 3.0 has no such function, 3.5
 * one of the name hmacWithSM3 by another number. */
static void add_hmac_sm3(void) {
    static const char number[] = "1.2.156.10197.1.401.2", name[] = "gmHmacWithSM3";
    int algorithm = libcrypto.OBJ_txt2nid(number);
    if (!algorithm)
        algorithm = libcrypto.OBJ_create(number, name, name);
    libcrypto.EVP_PBE_alg_add_type(PRF, algorithm, -1, libcrypto.OBJ_txt2nid("SM3"), NULL);
}

static void load(void) {
    static const char *const names[] = {"d2i_X509_ALGOR",          "X509_ALGOR_free", "PKCS12_pbe_crypt", "CRYPTO_free",
                                        "PEM_get_EVP_CIPHER_INFO", "PEM_do_header",   "OBJ_txt2nid",      "OBJ_create",
                                        "EVP_PBE_alg_add_type"};
    _Static_assert(sizeof names / sizeof *names == sizeof libcrypto / sizeof(void (*)(void)),
                   "a name for each function");
    libcrypto_is_there = library_load(&libcrypto, LIBCRYPTO, names, sizeof names / sizeof *names);
    if (libcrypto_is_there)
        add_hmac_sm3();
}

/* NULL: it is not there. */
static const struct libcrypto *loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return libcrypto_is_there ? &libcrypto : NULL;
}

static const char no_libcrypto[] = "reading encrypted keys needs OpenSSL's " LIBCRYPTO " (Debian: libssl3)";

/* A number up to MOST_WORK; above it: MOST_WORK + 1. false: there is none. */
static bool take_number(struct der *in, uint64_t *number) {
    struct der digits;
    if (!der_take(in, DER_INTEGER, &digits, NULL) || !der_left(&digits) || *digits.at & 0x80)
        return false;
    for (*number = 0; digits.at < digits.end; digits.at++)
        *number = *number > MOST_WORK ? *number : *number << 8 | *digits.at;
    *number = *number > MOST_WORK ? MOST_WORK + 1 : *number;
    return true;
}

/* NULL, or why the key of an AlgorithmIdentifier is not derived. A salt is followed by the iterations and perhaps the
 * key's bytes (RFC 8018, A.2 and A.3; RFC 7292, C), or by N, r, p and perhaps these (RFC 7914, 7.1). */
static const char *check_work(struct der algorithm) {
    struct der parameters, derivation, skipped;
    uint64_t numbers[MOST_NUMBERS] = {0};
    size_t count = 0;
    bool good = der_take(&algorithm, DER_OBJECT_IDENTIFIER, &skipped, NULL) &&
                der_take(&algorithm, DER_SEQUENCE, &parameters, NULL);
    if (good && der_is(&parameters, DER_SEQUENCE)) /* PBES2 */
        good = der_take(&parameters, DER_SEQUENCE, &derivation, NULL) &&
               der_take(&derivation, DER_OBJECT_IDENTIFIER, &skipped, NULL) &&
               der_take(&derivation, DER_SEQUENCE, &parameters, NULL);
    good = good && der_take(&parameters, DER_OCTET_STRING, &skipped, NULL);
    while (good && count < MOST_NUMBERS && der_is(&parameters, DER_INTEGER))
        good = take_number(&parameters, &numbers[count++]);
    if (!good || !count)
        return "an encrypted private key that is broken, or encrypted in an unknown way";
    const uint64_t work = count < 3 ? numbers[0] : numbers[0] * numbers[1];
    return work <= MOST_WORK && (count < 3 || work * numbers[2] <= MOST_WORK)
               ? NULL
               : "an encrypted private key whose password takes too much work: more than 2^23 iterations, or N r p";
}

const char *encrypted_pkcs8_open(uint8_t *out, size_t *count, const struct password *password, const uint8_t *bytes,
                                 size_t size) {
    struct der in = {bytes, bytes + size}, fields, algorithm, whole, sealed;
    const struct libcrypto *crypto = loaded();
    if (!crypto)
        return no_libcrypto;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || !der_take(&fields, DER_SEQUENCE, &algorithm, &whole) ||
        !der_take(&fields, DER_OCTET_STRING, &sealed, NULL) || der_left(&fields))
        return "an encrypted private key that is broken";
    const char *reason = check_work(algorithm);
    if (reason)
        return reason;
    const unsigned char *at = whole.at;
    void *identifier = crypto->d2i_X509_ALGOR(NULL, &at, (long)der_left(&whole));
    unsigned char *opened = NULL;
    int opened_size = 0;
    if (identifier)
        crypto->PKCS12_pbe_crypt(identifier, password->text, (int)password->length, sealed.at, (int)der_left(&sealed),
                                 &opened, &opened_size, 0);
    crypto->X509_ALGOR_free(identifier);
    const bool good = opened && opened_size > 0 && (size_t)opened_size <= size;
    *count = good ? (size_t)opened_size : 0;
    if (good) {
        memcpy(out, opened, *count);
        explicit_bzero(opened, *count);
    }
    crypto->CRYPTO_free(opened, __FILE__, __LINE__);
    return good ? NULL : wrong_password;
}

static int give_password(char *out, int size, int for_writing, void *context) {
    const struct password *password = context;
    (void)for_writing;
    if (size < 0 || password->length > (size_t)size)
        return -1;
    memcpy(out, password->text, password->length);
    return (int)password->length;
}

const char *encrypted_pem_open(uint8_t *bytes, size_t *size, const struct password *password, const char *header,
                               size_t header_size) {
    char text[HEADER_BYTES] = "";
    struct cipher_info info = {.cipher = NULL};
    struct password copy = *password;
    const struct libcrypto *crypto = loaded();
    if (!crypto)
        return no_libcrypto;
    long count = (long)*size;
    const bool known = header_size < sizeof text && memcpy(text, header, header_size) &&
                       crypto->PEM_get_EVP_CIPHER_INFO(text, &info) == 1 && info.cipher;
    const bool good = known && crypto->PEM_do_header(&info, bytes, &count, give_password, &copy) == 1;
    explicit_bzero(&copy, sizeof copy);
    *size = good ? (size_t)count : 0;
    return good ? NULL : known ? wrong_password : "PEM that is encrypted in an unknown way";
}
