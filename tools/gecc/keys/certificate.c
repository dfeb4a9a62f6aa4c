#define _GNU_SOURCE /* mempcpy */

#include "keys/certificate.h"
#include "files/library.h"
#include "keys/der.h"
#include "text/hex.h"

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

size_t certificate_size(const uint8_t *bytes, size_t size) { return der_sequence_size(bytes, size); }

bool same_part(struct certificate_part a, struct certificate_part b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

static struct certificate_part part(struct der der) { return (struct certificate_part){der.at, der_left(&der)}; }

/* What [n] EXPLICIT, which may be missing, has within. */
static struct certificate_part take_optional(struct der *in, uint8_t tag) {
    struct der inner;
    return der_take(in, tag, &inner, NULL) ? part(inner) : (struct certificate_part){NULL, 0};
}

/* UniqueIdentifier, a BIT STRING with the tag, which may be missing. */
static bool skip_unique_id(struct der *in, uint8_t tag) {
    struct der bits;
    return !der_is(in, tag) || (der_take(in, tag, &bits, NULL) && bits.at < bits.end && *bits.at < 8 &&
                                (*bits.at == 0 || der_left(&bits) > 1));
}

/* The fields of TBSCertificate (RFC 5280, 4.1), which are not looked into. */
static bool read_tbs(struct certificate *certificate, struct der tbs) {
    struct der serial, algorithm, issuer, dates, subject, key, skipped;
    *certificate = (struct certificate){.version = take_optional(&tbs, DER_CONSTRUCTED_0)};
    if (!der_take_integer(&tbs, DER_INTEGER, &serial) || !der_take(&tbs, DER_SEQUENCE, &skipped, &algorithm) ||
        !der_take(&tbs, DER_SEQUENCE, &skipped, &issuer) || !der_take(&tbs, DER_SEQUENCE, &dates, NULL) ||
        !der_take(&tbs, DER_SEQUENCE, &skipped, &subject) || !der_take(&tbs, DER_SEQUENCE, &skipped, &key))
        return false;
    if (!skip_unique_id(&tbs, DER_PRIMITIVE_1) || !skip_unique_id(&tbs, DER_PRIMITIVE_2)) /* issuer's, subject's */
        return false;
    certificate->extensions = take_optional(&tbs, DER_CONSTRUCTED_3);
    certificate->algorithm = part(algorithm);
    certificate->issuer = part(issuer);
    certificate->dates = part(dates);
    certificate->subject = part(subject);
    certificate->serial = part(serial);
    certificate->key = part(key);
    return tbs.at == tbs.end && certificate->serial.size > 0;
}

static bool is_time(const struct der *in) { return der_is(in, DER_UTC_TIME) || der_is(in, DER_GENERALIZED_TIME); }

/* The fields of TBSCertList (RFC 5280, 5.1), likewise. */
static bool read_tbs_list(struct certificate *list, struct der tbs) {
    struct der algorithm, issuer, skipped, dates, version = {NULL, NULL};
    *list = (struct certificate){.version = {NULL, 0}};
    if (der_is(&tbs, DER_INTEGER) && !der_take_integer(&tbs, DER_INTEGER, &version))
        return false;
    list->version = part(version);
    if (!der_take(&tbs, DER_SEQUENCE, &skipped, &algorithm) || !der_take(&tbs, DER_SEQUENCE, &skipped, &issuer))
        return false;
    dates.at = tbs.at;
    if (!is_time(&tbs) || !der_take(&tbs, *tbs.at, &skipped, NULL) ||
        (is_time(&tbs) && !der_take(&tbs, *tbs.at, &skipped, NULL)))
        return false;
    dates.end = tbs.at;
    list->revoked = take_optional(&tbs, DER_SEQUENCE);
    list->extensions = take_optional(&tbs, DER_CONSTRUCTED_0);
    list->algorithm = part(algorithm);
    list->issuer = part(issuer);
    list->dates = part(dates);
    return tbs.at == tbs.end;
}

/* The three fields that are alike in all that is signed. `what` and `behind` are why it is refused. */
static const char *read_signed(struct certificate *out, const uint8_t *bytes, size_t size,
                               bool (*read)(struct certificate *out, struct der tbs), const char *what,
                               const char *behind) {
    struct der in = {bytes, bytes + size}, whole, tbs, signed_part, skipped, bits, outer;
    if (!der_take(&in, DER_SEQUENCE, &whole, NULL) || !der_take(&whole, DER_SEQUENCE, &tbs, &signed_part) ||
        !der_take(&whole, DER_SEQUENCE, &skipped, &outer) || !der_take(&whole, DER_BIT_STRING, &bits, NULL) ||
        !read(out, tbs))
        return what;
    if (in.at != in.end || whole.at != whole.end)
        return behind;
    out->tbs = part(signed_part);
    if (!same_part(part(outer), out->algorithm))
        return "two signature algorithms that differ";
    if (bits.at == bits.end || *bits.at != 0)
        return "a signature that is not whole bytes";
    out->signature = (struct certificate_part){bits.at + 1, der_left(&bits) - 1};
    return NULL;
}

const char *certificate_read(struct certificate *certificate, const uint8_t *bytes, size_t size) {
    return read_signed(certificate, bytes, size, read_tbs, "not a certificate", "bytes behind the certificate");
}

const char *certificate_list_read(struct certificate *list, const uint8_t *bytes, size_t size) {
    return read_signed(list, bytes, size, read_tbs_list, "not a list of revoked certificates",
                       "bytes behind the list of revoked certificates");
}

bool certificate_read_tbs(struct certificate *certificate, const uint8_t *bytes, size_t size) {
    struct der in = {bytes, bytes + size}, tbs;
    const bool good = der_take(&in, DER_SEQUENCE, &tbs, NULL) && in.at == in.end && read_tbs(certificate, tbs);
    certificate->tbs = (struct certificate_part){bytes, size};
    return good;
}

size_t certificate_serial(char out[SERIAL_CHARACTERS], const struct certificate *certificate) {
    const struct certificate_part serial = certificate->serial;
    const bool negative = serial.bytes[0] & 0x80;
    uint8_t magnitude[MOST_SERIAL_BYTES];
    size_t start = 0, size = serial.size < MOST_SERIAL_BYTES ? serial.size : MOST_SERIAL_BYTES;
    const size_t cut = serial.size - size;
    unsigned carry = negative;
    for (size_t i = serial.size; i-- > 0;) {
        const unsigned byte = (serial.bytes[i] ^ (negative ? 0xffu : 0)) + carry;
        carry = byte >> 8;
        if (i < size)
            magnitude[i] = (uint8_t)byte;
    }
    while (size - start > 1 && magnitude[start] == 0)
        start++;
    char *end = out;
    if (negative)
        *end++ = '-';
    end = hex_encode(end, magnitude + start, size - start);
    return (size_t)((cut ? (char *)mempcpy(end, "...", 3) : end) - out);
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

char *certificate_name(struct certificate_part name) {
    const unsigned char *at = name.bytes;
    void *read = libcrypto.d2i_X509_NAME(NULL, &at, (long)name.size);
    char *text = read ? print_name(read) : NULL;
    if (read)
        libcrypto.X509_NAME_free(read);
    return text;
}

enum scheme certificate_scheme(const struct certificate *certificate, gecc_hash *hash, const char **reason) {
    /* RFC 5758, 3.2; GM/T 0006; RFC 8410, 3. None has parameters; but some write NULL for those of ECDSA and SM2. */
    static const struct {
        const char *identifier;
        size_t size;
        enum scheme scheme;
        gecc_hash hash;
    } algorithms[] = {{"\x2a\x86\x48\xce\x3d\x04\x03\x02", 8, SCHEME_ECDSA, GECC_SHA256},
                      {"\x2a\x86\x48\xce\x3d\x04\x03\x03", 8, SCHEME_ECDSA, GECC_SHA384},
                      {"\x2a\x86\x48\xce\x3d\x04\x03\x04", 8, SCHEME_ECDSA, GECC_SHA512},
                      {"\x2a\x81\x1c\xcf\x55\x01\x83\x75", 8, SCHEME_SM2, GECC_SM3},
                      {"\x2b\x65\x70", 3, SCHEME_ED25519, GECC_HASH_DEFAULT}};
    struct der in = {certificate->algorithm.bytes, certificate->algorithm.bytes + certificate->algorithm.size};
    struct der fields, identifier, null = {NULL, NULL};
    *reason = "signed with another algorithm than ECDSA with SHA-2, SM2 with SM3 and Ed25519";
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || !der_take(&fields, DER_OBJECT_IDENTIFIER, &identifier, NULL))
        return SCHEME_OF_CURVE;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        if (!same_part(part(identifier),
                       (struct certificate_part){(const uint8_t *)algorithms[i].identifier, algorithms[i].size}))
            continue;
        if (algorithms[i].scheme != SCHEME_ED25519)
            der_take(&fields, DER_NULL, &null, NULL);
        *reason = "parameters of the signature's algorithm, which has none";
        *hash = algorithms[i].hash;
        return der_left(&fields) + der_left(&null) == 0 ? algorithms[i].scheme : SCHEME_OF_CURVE;
    }
    return SCHEME_OF_CURVE;
}
