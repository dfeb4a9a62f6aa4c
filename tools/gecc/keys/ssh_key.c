#define _GNU_SOURCE /* memmem */

#include "keys/ssh_key.h"
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

static const struct kind *kind_of(const char *text, size_t size) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].name);
        if (size > length && memcmp(text, kinds[i].name, length) == 0 && (text[length] == ' ' || text[length] == '\t'))
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

/* The next line, from *at to before *end, that says something; false: there is none. */
static bool next_line(const char **at, const char **end, const char *text_end) {
    for (const char *line = *at; line < text_end;) {
        const char *newline = memchr(line, '\n', (size_t)(text_end - line)), *stop = newline ? newline : text_end;
        while (line < stop && strchr(" \t\r", *line))
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

bool ssh_key_is_other(const void *text, size_t size) {
    static const char *const others[] = {"ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-"};
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other |= size > strlen(others[i]) && memcmp(text, others[i], strlen(others[i])) == 0;
    return other && !ssh_key_is(text, size);
}

/* The names of options that say nothing of who signs. */
static bool is_option(const char *text, size_t length) {
    static const char *const names[] = {"agent-forwarding",
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
                                        "X11-forwarding"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncasecmp(names[i], text, length) == 0)
            return true;
    return false;
}

static size_t name_length(const char *option, size_t length) {
    const char *equal = memchr(option, '=', length);
    return equal ? (size_t)(equal - option) : length;
}

/* The end of an option and its value, which may be quoted. */
static size_t option_end(const char *line, size_t at, size_t size) {
    bool quoted = false;
    for (; at < size && (quoted || !strchr(" \t,", line[at])); at++) {
        if (quoted && line[at] == '\\' && at + 1 < size && line[at + 1] == '"')
            at++;
        else
            quoted ^= line[at] == '"';
    }
    return quoted ? size : at;
}

size_t ssh_options_size(const char *line, size_t size) {
    size_t at = 0;
    if (ssh_key_is(line, size) || ssh_key_is_other(line, size))
        return 0;
    for (bool more = true; more;) {
        const size_t end = option_end(line, at, size), name = name_length(line + at, end - at);
        if (end == size || !is_option(line + at, name))
            return 0;
        more = line[end] == ',';
        at = end + more;
    }
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return at;
}

bool ssh_line_is_blank(const char *line, size_t size) {
    while (size && strchr(" \t\r", *line)) {
        line++;
        size--;
    }
    return size == 0 || *line == '#';
}

bool ssh_line_is_special(const char *line, size_t size) {
    static const char *const words[] = {"cert-authority", "expiry-time=", "@"};
    bool special = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        special |= memmem(line, size, words[i], strlen(words[i])) && (*words[i] != '@' || *line == '@');
    return special;
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
    while (text + length < end && !strchr(" \t\r", text[length]))
        length++;
    if (length > TEXT_MOST || !base64_decode(blob, &count, text, length, false))
        return "a key of OpenSSH whose base64 is wrong";
    const uint8_t *at = blob, *blob_end = blob + count, *bytes = NULL;
    bool named =
        take_name(&at, blob_end, kind->name) && (!kind->curve_name || take_name(&at, blob_end, kind->curve_name));
    if (named)
        bytes = take_string(&at, blob_end, &length);
    if (!bytes || length != kind->bytes || at != blob_end)
        return "a key of OpenSSH that is not what it says";
    key->curve = kind->curve;
    key->scheme = kind->scheme;
    key->found_private = false;
    key->count = 2 * length;
    hex_encode(key->digits, bytes, length);
    return NULL;
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
