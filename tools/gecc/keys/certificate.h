/* X.509 certificates: the signed bytes, how, and of whom they are. Names become text by OpenSSL's libcrypto. */
#ifndef TOOL_CERTIFICATE_H
#define TOOL_CERTIFICATE_H

#include "text/names.h"

#include <gecc/gecc.h>

#include <stdbool.h>
#include <stdint.h>

/* Bytes of the certificate's. */
struct certificate_part {
    const uint8_t *bytes;
    size_t size;
};

struct certificate {
    struct certificate_part tbs;        /* TBSCertificate, which is signed */
    struct certificate_part algorithm;  /* AlgorithmIdentifier */
    struct certificate_part signature;  /* without its count of unused bits */
    struct certificate_part serial;     /* of two's complement */
    struct certificate_part issuer;     /* a Name */
    struct certificate_part subject;    /* a Name; of a list nothing */
    struct certificate_part key;        /* SubjectPublicKeyInfo; of a list nothing */
    struct certificate_part version;    /* within [0]; of a list within its INTEGER */
    struct certificate_part dates;      /* within Validity; of a list thisUpdate and, if it has it, nextUpdate */
    struct certificate_part extensions; /* within [3], of a list within [0] */
    struct certificate_part revoked;    /* of a list: within revokedCertificates */
};

bool same_part(struct certificate_part a, struct certificate_part b);

/* The parts of the certificate that bytes[size] are; NULL, or why they are none. */
const char *certificate_read(struct certificate *certificate, const uint8_t *bytes, size_t size);
/* The same of TBSCertificate alone, whose signature is another's to add; false: it is none. */
bool certificate_read_tbs(struct certificate *certificate, const uint8_t *bytes, size_t size);
/* The same of a list of certificates that are revoked (RFC 5280, 5.1), which has no serial. */
const char *certificate_list_read(struct certificate *list, const uint8_t *bytes, size_t size);

/* Load libcrypto; false: it is not there. */
bool certificates_can_be_read(void);
/* A Name as text (RFC 4514), which need not be UTF-8 and is to be freed. NULL: it is no name. libcrypto is loaded. */
char *certificate_name(struct certificate_part name);

/* The serial number in hexadecimal digits, two a byte; -05 is minus five. Of a longer one than MOST_SERIAL_BYTES, which
 * RFC 5280 does not allow, its first characters and dots. Returns the characters, SERIAL_CHARACTERS at most; no zero is
 * behind them. */
enum { MOST_SERIAL_BYTES = 40, SERIAL_CHARACTERS = 1 + 2 * MOST_SERIAL_BYTES + 3 };
size_t certificate_serial(char out[SERIAL_CHARACTERS], const struct certificate *certificate);

/* The scheme that the signature's algorithm names, ECDSA, SM2 or Ed25519, and its hash, or none, which is
 * GECC_HASH_DEFAULT. SCHEME_OF_CURVE: it is none of these, *reason says why. */
enum scheme certificate_scheme(const struct certificate *certificate, gecc_hash *hash, const char **reason);

/* The bytes of the certificate, a SEQUENCE in DER, that begins bytes[size]; 0: none does. Above size: it does not
 * end. */
size_t certificate_size(const uint8_t *bytes, size_t size);
/* Bytes that certificate_size needs at most. */
enum { CERTIFICATE_HEAD_BYTES = 6 };

#endif
