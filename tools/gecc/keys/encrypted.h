/* Private keys that a password encrypts: OpenSSL's libcrypto, which is loaded when there is one, opens them. */
#ifndef TOOL_ENCRYPTED_H
#define TOOL_ENCRYPTED_H

#include <stddef.h>
#include <stdint.h>

enum { PASSWORD_BYTES = 1024 }; /* the longest password has them */

struct password {
    size_t length;
    char text[PASSWORD_BYTES];
};

/* out[at most size] = what the EncryptedPrivateKeyInfo (RFC 5958, 3) that bytes[size] are holds: by PBES2 (RFC 8018),
 * with PBKDF2 or scrypt, or whatever else libcrypto has. The caller wipes it. NULL, or why not: so also where deriving
 * its key would take more than some seconds. */
const char *encrypted_pkcs8_open(uint8_t *out, size_t *count, const struct password *password, const uint8_t *bytes,
                                 size_t size);

/* bytes[*size], the body of a PEM whose header[header_size] says how (RFC 1421, 4.6.1; OpenSSL derives the key), become
 * what they hold, and *size their number. NULL, or why not. */
const char *encrypted_pem_open(uint8_t *bytes, size_t *size, const struct password *password, const char *header,
                               size_t header_size);

extern const char wrong_password[]; /* the reason where another password was needed */

#endif
