/* A key as programs keep it: PEM or DER of SPKI, PKCS #8, SEC 1 or a certificate, or a public key as OpenSSH writes it
 * in a line. */
#ifndef TOOL_KEY_FILE_H
#define TOOL_KEY_FILE_H

#include "keys/key.h"

/* false: writes why not. What was read of a private key is wiped but for `digits`, which the caller wipes. A private
 * key that others than the file's owner may read or change is said on standard error. */
bool key_file_read(struct key_file *key, const char *path, bool is_private, char *error, size_t size);

/* The same of bytes[size]: NULL, or why they are no such key. What has several, which are not one and the same, is
 * refused. */
const char *key_decode(struct key_file *key, const void *bytes, size_t size, bool is_private);

#endif
