#include "keys/ssh_key.h"
#include "text/base64.h"
#include "text/hex.h"

#include <string.h>

enum { BLOB_BYTES = 256, TEXT_MOST = 4 * BLOB_BYTES / 3 };

/* What begins a line and the blob; what names the curve in the blob, of ECDSA; and the bytes of the key. */
static const struct kind {
    const char *name, *curve_name;
    gecc_curve curve;
    enum scheme scheme;
    size_t bytes;
} kinds[] = {{"ssh-ed25519", NULL, GECC_CURVE25519, SCHEME_ED25519, 32},
             {"ecdsa-sha2-nistp256", "nistp256", GECC_P256, SCHEME_OF_CURVE, 65},
             {"ecdsa-sha2-nistp384", "nistp384", GECC_P384, SCHEME_OF_CURVE, 97},
             {"ecdsa-sha2-nistp521", "nistp521", GECC_P521, SCHEME_OF_CURVE, 133}};

static const struct kind *kind_of(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].name);
        if (size > length && memcmp(text, kinds[i].name, length) == 0 && text[length] == ' ')
            return &kinds[i];
    }
    return NULL;
}

bool ssh_key_is(const void *text, size_t size) { return kind_of(text, size) != NULL; }

/* A string of the blob, behind its length; NULL: it is cut short. */
static const uint8_t *take_string(const uint8_t **at, const uint8_t *end, size_t *length) {
    if (end - *at < 4)
        return NULL;
    *length = (size_t)(*at)[0] << 24 | (size_t)(*at)[1] << 16 | (size_t)(*at)[2] << 8 | (*at)[3];
    const uint8_t *string = *at + 4;
    if ((size_t)(end - string) < *length)
        return NULL;
    *at = string + *length;
    return string;
}

static bool take_name(const uint8_t **at, const uint8_t *end, const char *name) {
    size_t length;
    const uint8_t *string = take_string(at, end, &length);
    return string && length == strlen(name) && memcmp(string, name, length) == 0;
}

const char *ssh_key_decode(struct key_file *key, const void *text, size_t size) {
    const char *line = text, *const line_end = line + size;
    const struct kind *kind = kind_of(line, size);
    uint8_t blob[3 * TEXT_MOST / 4 + 3];
    size_t count = 0, length = 0;
    line += strlen(kind->name) + 1;
    while (line + length < line_end && !strchr(" \t\r\n", line[length]))
        length++;
    if (length > TEXT_MOST || !base64_decode(blob, &count, line, length, false))
        return "a key of OpenSSH whose base64 is wrong";
    const uint8_t *at = blob, *end = blob + count, *bytes = NULL;
    bool named = take_name(&at, end, kind->name) && (!kind->curve_name || take_name(&at, end, kind->curve_name));
    if (named)
        bytes = take_string(&at, end, &length);
    if (!bytes || length != kind->bytes || at != end)
        return "a key of OpenSSH that is not what it says";
    key->curve = kind->curve;
    key->scheme = kind->scheme;
    key->found_private = false;
    key->count = 2 * length;
    hex_encode(key->digits, bytes, length);
    return NULL;
}
