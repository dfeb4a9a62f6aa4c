/* Keys as programs keep them: PEM or DER of SPKI, PKCS #8, SEC 1 or a certificate, a JWK, a private key of OpenSSH, or
 * a public key as it writes them in a line. */
#ifndef TOOL_KEY_FILE_H
#define TOOL_KEY_FILE_H

#include "keys/encrypted.h"
#include "keys/key_set.h"

struct stat;

/* The bytes of a file, less than `most`, and its status. NULL, or why they cannot be read. */
const char *key_file_bytes(const char *path, uint8_t *bytes, size_t most, size_t *size, struct stat *status);

/* false: writes why not. What was read of a private key is wiped but for `digits`, which the caller wipes. A private
 * key that others than the file's owner may read or change is said on standard error. */
bool key_file_read(struct key_file *key, struct key_set *named, const char *path, const struct password *password,
                   bool is_private, char *error, size_t size);

/* The same of bytes[size]: NULL, or why they are no such key. What has several, which are not one and the same, is
 * refused, and so is a password (NULL: none) where nothing is encrypted. *named, if it is not NULL, becomes the
 * set of its public key alone, for its names. */
const char *key_decode(struct key_file *key, struct key_set *named, const void *bytes, size_t size,
                       const struct password *password, bool is_private);

/* The one line of a file, with whose mode it is as with private keys. false: writes why there is none. The caller wipes
 * it. */
bool password_read(struct password *password, const char *path, char *error, size_t size);

/* All keys of a file: a JWK or a set of them, PEM with any number, DER, or lines of OpenSSH, which may be
 * authorized_keys. false: writes why there is none. Keys that cannot be used have a refusal. A file has less than
 * KEY_SET_BYTES. */
enum { KEY_SET_BYTES = 16 << 20 };
bool key_set_read(struct key_set *set, const char *path, char *error, size_t size);

/* The same of bytes[size]: NULL, or why there is none. The set is to be freed in either case. */
const char *key_set_decode(struct key_set *set, bool *found_private, const void *bytes, size_t size);

#endif
