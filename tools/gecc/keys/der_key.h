/* Keys in DER, which OpenSSL's libcrypto reads; it is loaded when there is such a key and not before. */
#ifndef TOOL_DER_KEY_H
#define TOOL_DER_KEY_H

#include "keys/key.h"

/* What an element of DER is, told by the tags that it begins with. */
enum der_content {
    DER_UNKNOWN,
    DER_PKCS8, /* of either version: RFC 5208, RFC 5958 */
    DER_SEC1,
    DER_SPKI,
    DER_CERTIFICATE, /* or a request, or a list of those revoked, which begin alike */
    DER_ENCRYPTED_PKCS8,
    DER_PKCS7,
    DER_PKCS12,
    DER_PRIVATE_NUMBERS, /* of RSA or DSA, which begin with a version */
    DER_PUBLIC_NUMBERS   /* of RSA */
};
enum der_content der_content(const uint8_t *bytes, size_t size);

#define NO_CURVE "its key is none of an elliptic curve"

/* Is that reason of der_key_read that the key is of another kind than gecc has, and nothing is wrong with it? */
bool der_key_is_other(const char *reason);

/* The public key of bytes[size], one of the first four, and the private key (count 0: none), which the caller wipes.
 * NULL, or why they cannot be read. A public key that stands beside the private one has to be its own. */
const char *der_key_read(struct key_file *public_key, struct key_file *private_key, const uint8_t *bytes, size_t size);

#endif
