#include "keys/certificate.h"
#include "files/library.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What is used of OpenSSL 3. Its types are not looked into. */
struct libcrypto {
    void *(*d2i_X509_NAME)(void **name, const unsigned char **in, long size);
    void (*X509_NAME_free)(void *name);
    int (*X509_NAME_print_ex)(void *bio, const void *name, int indent, unsigned long flags);
    const void *(*BIO_s_mem)(void);
    void *(*BIO_new)(const void *method);
    int (*BIO_free)(void *bio);
    int (*BIO_read)(void *bio, void *out, int size);
    size_t (*BIO_ctrl_pending)(void *bio);
};

/* XN_FLAG_RFC2253 but for ASN1_STRFLGS_ESC_MSB: characters other than ASCII stay. */
enum { NAME_FLAGS = 0x1110317 & ~4, MOST_NAME_BYTES = 1 << 16 };

static struct libcrypto libcrypto;
static bool libcrypto_is_there;

static void load(void) {
    static const char *const names[] = {"d2i_X509_NAME", "X509_NAME_free", "X509_NAME_print_ex", "BIO_s_mem",
                                        "BIO_new",       "BIO_free",       "BIO_read",           "BIO_ctrl_pending"};
    _Static_assert(sizeof names / sizeof *names == sizeof libcrypto / sizeof(void (*)(void)),
                   "a name for each function");
    libcrypto_is_there = library_load(&libcrypto, LIBCRYPTO, names, sizeof names / sizeof *names);
}

/* DER: tags of the universal class (X.690, 8.1.2). */
enum {
    INTEGER = 0x02,
    BIT_STRING = 0x03,
    SEQUENCE = 0x30,
    VERSION = 0xa0, /* [0], and so on */
    ISSUER_ID = 0x81,
    SUBJECT_ID = 0x82,
    EXTENSIONS = 0xa3
};

/* What is left to be read. */
struct der {
    const uint8_t *at, *end;
};

/* The head of the element at the start: its bytes and those of what it holds. false: there is none with such a tag. */
static bool read_head(const struct der *in, uint8_t tag, size_t *head, size_t *size) {
    size_t left = (size_t)(in->end - in->at);
    if (left < 2 || in->at[0] != tag)
        return false;
    size_t digits = in->at[1] < 0x80 ? 0 : in->at[1] - 0x80u;
    if (digits > 4 || in->at[1] == 0x80 || left < 2 + digits)
        return false;
    *head = 2 + digits;
    *size = digits ? 0 : in->at[1];
    for (size_t i = 0; i < digits; i++)
        *size = *size << 8 | in->at[2 + i];
    return true;
}

/* Step over an element: what it holds, and *whole (may be NULL) with its head. */
static bool take(struct der *in, uint8_t tag, struct der *inner, struct certificate_part *whole) {
    size_t head, size;
    if (!read_head(in, tag, &head, &size) || (size_t)(in->end - in->at) - head < size)
        return false;
    if (whole)
        *whole = (struct certificate_part){in->at, head + size};
    *inner = (struct der){in->at + head, in->at + head + size};
    in->at = inner->end;
    return true;
}

size_t certificate_size(const uint8_t *bytes, size_t size) {
    size_t head, inner;
    struct der in = {bytes, bytes + size};
    return read_head(&in, SEQUENCE, &head, &inner) ? head + inner : 0;
}

static bool same(struct certificate_part a, struct certificate_part b) {
    return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* The fields of TBSCertificate (RFC 5280, 4.1), of which the names, dates, the key and extensions are not looked into. */
static bool read_tbs(struct certificate *certificate, struct der tbs, struct certificate_part *algorithm) {
    struct der serial, skipped;
    take(&tbs, VERSION, &skipped, NULL);
    if (!take(&tbs, INTEGER, &serial, NULL) || !take(&tbs, SEQUENCE, &skipped, algorithm) ||
        !take(&tbs, SEQUENCE, &skipped, NULL) /* issuer */ || !take(&tbs, SEQUENCE, &skipped, NULL) /* validity */ ||
        !take(&tbs, SEQUENCE, &skipped, &certificate->subject) || !take(&tbs, SEQUENCE, &skipped, NULL) /* key */)
        return false;
    take(&tbs, ISSUER_ID, &skipped, NULL);
    take(&tbs, SUBJECT_ID, &skipped, NULL);
    take(&tbs, EXTENSIONS, &skipped, NULL);
    certificate->serial_is_negative = serial.at < serial.end && *serial.at >= 0x80;
    while (serial.end - serial.at > 1 && *serial.at == 0)
        serial.at++;
    certificate->serial = (struct certificate_part){serial.at, (size_t)(serial.end - serial.at)};
    return tbs.at == tbs.end && certificate->serial.size > 0;
}

const char *certificate_read(struct certificate *certificate, const uint8_t *bytes, size_t size) {
    struct der in = {bytes, bytes + size}, whole, tbs, skipped, bits;
    struct certificate_part inner;
    if (!take(&in, SEQUENCE, &whole, NULL) || !take(&whole, SEQUENCE, &tbs, &certificate->tbs) ||
        !take(&whole, SEQUENCE, &skipped, &certificate->algorithm) || !take(&whole, BIT_STRING, &bits, NULL) ||
        !read_tbs(certificate, tbs, &inner))
        return "not a certificate";
    if (in.at != in.end || whole.at != whole.end)
        return "bytes behind the certificate";
    if (!same(inner, certificate->algorithm))
        return "two signature algorithms that differ";
    if (bits.at == bits.end || *bits.at != 0)
        return "a signature that is not whole bytes";
    certificate->signature = (struct certificate_part){bits.at + 1, (size_t)(bits.end - bits.at) - 1};
    return NULL;
}

bool certificates_can_be_read(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return libcrypto_is_there;
}

static char *print_name(const void *name) {
    void *bio = libcrypto.BIO_new(libcrypto.BIO_s_mem());
    char *text = NULL;
    if (bio && libcrypto.X509_NAME_print_ex(bio, name, 0, NAME_FLAGS) >= 0) {
        size_t size = libcrypto.BIO_ctrl_pending(bio);
        text = size < MOST_NAME_BYTES ? calloc(size + 1, 1) : NULL;
        if (text && size && libcrypto.BIO_read(bio, text, (int)size) != (int)size)
            text[0] = 0;
    }
    if (bio)
        libcrypto.BIO_free(bio);
    return text;
}

char *certificate_subject(const struct certificate *certificate) {
    const unsigned char *at = certificate->subject.bytes;
    void *name = libcrypto.d2i_X509_NAME(NULL, &at, (long)certificate->subject.size);
    char *text = name ? print_name(name) : NULL;
    if (name)
        libcrypto.X509_NAME_free(name);
    return text;
}

enum scheme certificate_scheme(const struct certificate *certificate, gecc_hash *hash) {
    /* RFC 5758, 3.2, and GM/T 0006, without parameters, for which some write NULL; RFC 8410, 3. */
    static const struct {
        const char *identifier;
        size_t size;
        enum scheme scheme;
        gecc_hash hash;
    } algorithms[] = {{"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02", 12, SCHEME_ECDSA, GECC_SHA256},
                      {"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x03", 12, SCHEME_ECDSA, GECC_SHA384},
                      {"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x04", 12, SCHEME_ECDSA, GECC_SHA512},
                      {"\x30\x0c\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02\x05\x00", 14, SCHEME_ECDSA, GECC_SHA256},
                      {"\x30\x0c\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x03\x05\x00", 14, SCHEME_ECDSA, GECC_SHA384},
                      {"\x30\x0c\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x04\x05\x00", 14, SCHEME_ECDSA, GECC_SHA512},
                      {"\x30\x0a\x06\x08\x2a\x81\x1c\xcf\x55\x01\x83\x75", 12, SCHEME_SM2, GECC_SM3},
                      {"\x30\x0c\x06\x08\x2a\x81\x1c\xcf\x55\x01\x83\x75\x05\x00", 14, SCHEME_SM2, GECC_SM3},
                      {"\x30\x05\x06\x03\x2b\x65\x70", 7, SCHEME_ED25519, GECC_HASH_DEFAULT}};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        struct certificate_part known = {(const uint8_t *)algorithms[i].identifier, algorithms[i].size};
        if (same(certificate->algorithm, known)) {
            *hash = algorithms[i].hash;
            return algorithms[i].scheme;
        }
    }
    return SCHEME_OF_CURVE;
}
