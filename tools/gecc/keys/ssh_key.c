#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/ssh_key.h"
#include "keys/key_set.h"
#include "text/base64.h"
#include "text/hex.h"

#include <string.h>
#include <strings.h>

enum { BLOB_BYTES = 256, TEXT_MOST = 4 * BLOB_BYTES / 3 };

/* The word that begins a line and the blob; the curve's name in the blob, of ECDSA; and the bytes of the key. */
static const struct kind {
    const char *name, *curve_name;
    gecc_curve curve;
    enum scheme scheme;
    size_t bytes;
} kinds[] = {{"ssh-ed25519", NULL, GECC_CURVE25519, SCHEME_ED25519, 32},
             {"ecdsa-sha2-nistp256", "nistp256", GECC_P256, SCHEME_OF_CURVE, 65},
             {"ecdsa-sha2-nistp384", "nistp384", GECC_P384, SCHEME_OF_CURVE, 97},
             {"ecdsa-sha2-nistp521", "nistp521", GECC_P521, SCHEME_OF_CURVE, 133}};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const struct kind *kind_of(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].name);
        if (size > length && memcmp(text, kinds[i].name, length) == 0 && is_blank(text[length]))
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

/* The key of a kind: its name, that of its curve, and the point or bytes; others may follow. false: it is cut short, or
 * of another width. */
static bool take_public(struct key_file *key, const struct kind *kind, const uint8_t **at, const uint8_t *end) {
    size_t length = 0;
    const bool named = take_name(at, end, kind->name) && (!kind->curve_name || take_name(at, end, kind->curve_name));
    const uint8_t *bytes = named ? take_string(at, end, &length) : NULL;
    if (!bytes || length != kind->bytes)
        return false;
    *key = (struct key_file){.curve = kind->curve, .scheme = kind->scheme, .count = 2 * length};
    hex_encode(key->digits, bytes, length);
    return true;
}

/* The private key behind the public one: a number (RFC 4251, 5), or a seed and the public key again. */
static bool take_private(struct key_file *key, const struct key_file *public_key, const struct kind *kind,
                         const uint8_t **at, const uint8_t *end) {
    uint8_t bytes[GECC_CURVE_BYTES_MOST] = {0};
    char again[KEY_FILE_DIGITS];
    const size_t width = gecc_curve_bytes(kind->curve);
    size_t length = 0;
    const uint8_t *string = take_string(at, end, &length);
    if (!string)
        return false;
    if (!kind->curve_name) {
        if (length != width + kind->bytes)
            return false;
        hex_encode(again, string + width, kind->bytes);
        if (memcmp(again, public_key->digits, public_key->count) != 0)
            return false;
        length = width;
    }
    if (kind->curve_name && length && *string & 0x80) /* negative */
        return false;
    for (; length > width; length--)
        if (*string++ != 0)
            return false;
    memcpy(bytes + width - length, string, length);
    *key = (struct key_file){.curve = kind->curve, .scheme = kind->scheme, .count = 2 * width, .found_private = true};
    hex_encode(key->digits, bytes, width);
    explicit_bzero(bytes, sizeof bytes);
    return true;
}

/* What is encrypted where there is a password: two numbers that are the same, the key, a comment, and 1, 2, 3, ... up
 * to some multiple of 8 bytes. */
static bool take_sealed(struct key_file *public_key, struct key_file *private_key, const struct kind *kind,
                        const uint8_t *at, const uint8_t *end) {
    size_t length;
    if (end - at < 8 || (end - at) % 8 != 0 || memcmp(at, at + 4, 4) != 0)
        return false;
    at += 8;
    if (!take_public(public_key, kind, &at, end) || !take_private(private_key, public_key, kind, &at, end) ||
        !take_string(&at, end, &length) || end - at > UINT8_MAX)
        return false;
    for (uint8_t padding = 1; at < end; at++)
        if (*at != padding++)
            return false;
    return true;
}

const char *ssh_private_key_decode(struct key_file *public_key, struct key_file *private_key, const uint8_t *bytes,
                                   size_t size) {
    static const char magic[] = "openssh-key-v1", broken[] = "a private key of OpenSSH that is broken", none[4] = {0},
                      one[] = {0, 0, 0, 1};
    const uint8_t *at = bytes + sizeof magic, *const end = bytes + size;
    size_t length, public_size, sealed_size;
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return broken;
    if (!take_name(&at, end, "none"))
        return take_string(&at, end, &length)
                   ? "a private key of OpenSSH with a password: `ssh-keygen -p -N '' -f FILE` takes it away"
                   : broken;
    if (!take_name(&at, end, "none") || !take_name(&at, end, "") || end - at < 4)
        return broken;
    if (memcmp(at, one, 4) != 0)
        return memcmp(at, none, 4) == 0 ? "a private key of OpenSSH's form that has no key" : SEVERAL_KEYS;
    at += 4;
    const uint8_t *outer = take_string(&at, end, &public_size), *outer_end = outer ? outer + public_size : NULL,
                  *sealed = outer ? take_string(&at, end, &sealed_size) : NULL;
    if (!sealed || at != end)
        return broken;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct key_file inner = {.count = 0};
        const uint8_t *name = outer;
        if (!take_name(&name, outer_end, kinds[k].name))
            continue;
        if (take_public(public_key, &kinds[k], &outer, outer_end) && outer == outer_end &&
            take_sealed(&inner, private_key, &kinds[k], sealed, sealed + sealed_size) && same_key(&inner, public_key))
            return NULL;
        explicit_bzero(private_key, sizeof *private_key);
        return broken;
    }
    return NULL;
}

/* The next line, from *at to before *end, that says something; false: there is none. */
static bool next_line(const char **at, const char **end, const char *text_end) {
    for (const char *line = *at; line < text_end;) {
        const char *newline = memchr(line, '\n', (size_t)(text_end - line)), *stop = newline ? newline : text_end;
        while (line < stop && is_blank(*line))
            line++;
        if (line < stop && *line != '#') {
            *at = line;
            *end = stop;
            return true;
        }
        line = stop + 1;
    }
    return false;
}

static bool ssh_key_is_other(const void *text, size_t size) {
    static const char *const others[] = {"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other |= size > strlen(others[i]) && memcmp(text, others[i], strlen(others[i])) == 0;
    return other && !ssh_key_is(text, size);
}

/* Options that say nothing of who signs, and two by which a key is no signer's own, or for a time. */
static const char *const other_options[] = {"agent-forwarding",
                                            "command",
                                            "environment",
                                            "from",
                                            "no-agent-forwarding",
                                            "no-port-forwarding",
                                            "no-pty",
                                            "no-user-rc",
                                            "no-X11-forwarding",
                                            "permitlisten",
                                            "permitopen",
                                            "port-forwarding",
                                            "principals",
                                            "pty",
                                            "no-touch-required",
                                            "verify-required",
                                            "restrict",
                                            "tunnel",
                                            "user-rc",
                                            "X11-forwarding",
                                            NULL},
                         *const apart_options[] = {"cert-authority", "expiry-time", NULL};

static bool is_named(const char *const *names, const char *option, size_t length) {
    const char *equal = memchr(option, '=', length);
    const size_t name = equal ? (size_t)(equal - option) : length;
    for (; *names; names++)
        if (strlen(*names) == name && strncasecmp(*names, option, name) == 0)
            return true;
    return false;
}

/* The end of an option and its value, which may be quoted; size: there is none. */
static size_t option_end(const char *line, size_t at, size_t size) {
    bool quoted = false;
    for (; at < size && (quoted || !(is_blank(line[at]) || line[at] == ',')); at++) {
        if (quoted && line[at] == '\\' && at + 1 < size && line[at + 1] == '"')
            at++;
        else
            quoted ^= line[at] == '"';
    }
    return quoted || at > size ? size : at;
}

static size_t skip_blanks(const char *line, size_t at, size_t size) {
    while (at < size && is_blank(line[at]))
        at++;
    return at;
}

enum ssh_line ssh_line_read(const char *line, size_t size, size_t *key) {
    size_t at = skip_blanks(line, 0, size);
    bool apart = false;
    if (at == size || line[at] == '#')
        return SSH_BLANK;
    for (bool more = !kind_of(line + at, size - at) && !ssh_key_is_other(line + at, size - at); more;) {
        const size_t end = option_end(line, at, size), length = end - at;
        const bool is_apart = is_named(apart_options, line + at, length);
        if (end == size || !(is_apart || is_named(other_options, line + at, length)))
            return SSH_UNKNOWN;
        apart |= is_apart;
        more = line[end] == ',';
        at = more ? end + 1 : skip_blanks(line, end, size);
    }
    *key = at;
    return ssh_key_is_other(line + at, size - at) ? SSH_OTHER
           : !kind_of(line + at, size - at)       ? SSH_UNKNOWN
           : apart                                ? SSH_APART
                                                  : SSH_KEY;
}

/* Why a line that does not begin with the name of a kind is refused; NULL: it is not like one of OpenSSH. */
static const char *line_refusal(const char *line, size_t size) {
    if (ssh_key_is_other(line, size))
        return "a key of OpenSSH of a kind that gecc does not have: Ed25519 and ECDSA on P-256, P-384 and P-521 it "
               "has";
    for (size_t i = 0; i + 1 < size; i++)
        if (line[i] == ' ' && kind_of(line + i + 1, size - i - 1))
            return "a key of OpenSSH behind options or names: the line has to begin with its kind, like `ssh-ed25519 `";
    return NULL;
}

/* The blob of base64 that follows the name of its kind, and perhaps a comment. */
static const char *decode_line(struct key_file *key, const struct kind *kind, const char *text, const char *end) {
    uint8_t blob[3 * TEXT_MOST / 4 + 3];
    size_t count = 0, length = 0;
    while (text < end && is_blank(*text))
        text++;
    while (text + length < end && !is_blank(text[length]))
        length++;
    if (length > TEXT_MOST || !base64_decode(blob, &count, text, length, false))
        return "a key of OpenSSH whose base64 is wrong";
    const uint8_t *at = blob, *const blob_end = blob + count;
    return take_public(key, kind, &at, blob_end) && at == blob_end ? NULL : "a key of OpenSSH that is not what it says";
}

const char *ssh_key_decode(struct key_file *key, const void *text, size_t size) {
    const char *line = text, *end = line, *const text_end = line + size;
    if (!next_line(&line, &end, text_end))
        return NULL;
    const struct kind *kind = kind_of(line, (size_t)(end - line));
    if (!kind)
        return line_refusal(line, (size_t)(end - line));
    const char *reason = decode_line(key, kind, line + strlen(kind->name) + 1, end);
    const char *rest = end, *rest_end;
    if (!reason && next_line(&rest, &rest_end, text_end))
        reason = SEVERAL_KEYS;
    return reason;
}
