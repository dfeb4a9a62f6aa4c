/* A key that was read from a file, whatever the form of the file. */
#ifndef TOOL_KEY_H
#define TOOL_KEY_H

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
    const char *refusal;   /* why it is not for signatures, where it says so; NULL: it may be */
    bool found_private;    /* a private key was among what was read, be that refused or not */
};

/* Why keys that are not one and the same are refused. */
#define SEVERAL_KEYS "several keys, of which one alone can be used: give each a file of its own"

#endif
