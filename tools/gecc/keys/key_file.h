/* A key as programs keep it: PEM or DER of SPKI, PKCS #8, SEC 1 or a certificate, or a public key as OpenSSH writes it
 * in a line. */
#ifndef TOOL_KEY_FILE_H
#define TOOL_KEY_FILE_H

#include "text/names.h"

#include <gecc/gecc.h>

#include <stdbool.h>
#include <stdint.h>

enum {
    KEY_FILE_DIGITS = 2 * (1 + 2 * GECC_CURVE_BYTES_MOST),
    KEY_FILE_BYTES = 1 << 16 /* the longest file is shorter */
};

struct key_file {
    gecc_curve curve;
    enum scheme scheme; /* what the key says that it is for; SCHEME_OF_CURVE: it does not */
    char digits
        [KEY_FILE_DIGITS]; /* hexadecimal: an uncompressed point, or on Curve25519 a public key; or a private key */
    size_t count;          /* of them */
    bool found_private;    /* a private key was among what was read, be that refused or not */
};

/* false: writes why not. What was read of a private key is wiped but for `digits`, which the caller wipes. A private
 * key that others than the file's owner may read or change is said on standard error. */
bool key_file_read(struct key_file *key, const char *path, bool is_private, char *error, size_t size);

/* Why keys that are not one and the same are refused. */
extern const char several_keys[];

/* The same of bytes[size]: NULL, or why they are no such key. What has several, which are not one and the same, is
 * refused. */
const char *key_decode(struct key_file *key, const void *bytes, size_t size, bool is_private);

#endif
