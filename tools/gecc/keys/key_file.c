#define _GNU_SOURCE /* explicit_bzero, memmem */

#include "keys/key_file.h"
#include "files/magic.h"
#include "keys/der.h"
#include "keys/der_key.h"
#include "keys/jwk.h"
#include "keys/pem.h"
#include "keys/ssh_key.h"
#include "text/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char no_curve[] = NO_CURVE;
static const char encrypted[] = "an encrypted private key: `openssl pkey` writes it without a password",
                  without_password[] = "an encrypted private key: --password-file names the file of its password";

/* What is gathered of the keys of a file, which have to be one, unless there is a set for them. */
struct gathering {
    struct key_set *set, *named;             /* NULL: none; named: of a JWK, with its own name */
    const struct password *password;         /* NULL: there is none */
    struct key_file public_key, private_key; /* count 0: none yet */
    bool certificate;                        /* the public key is a certificate's */
    bool found_private;                      /* a private key was seen, be it read or not */
    bool decrypted;                          /* the password was needed */
};

/* Whatever else DER is than a key that can be read; NULL: it may be one. */
static const char *content_refusal(enum der_content content) {
    switch (content) {
    case DER_PKCS7:
        return "PKCS #7: `openssl pkcs7 -print_certs` writes its certificates as PEM";
    case DER_PKCS12:
        return "PKCS #12: `openssl pkcs12 -nodes` writes what is in it as PEM";
    case DER_PRIVATE_NUMBERS:
    case DER_PUBLIC_NUMBERS:
        return no_curve;
    case DER_UNKNOWN:
        return "DER of another kind than keys and certificates, or broken";
    default:
        return NULL;
    }
}

static const char *add_key(struct key_set *set, const struct key_file *key) {
    struct set_key *added = key_set_add(set);
    if (!added)
        return "not enough memory";
    added->key = *key;
    if (key->scheme == SCHEME_X25519)
        added->refusal = X25519_HAS_NO_SIGNATURES;
    return NULL;
}

/* One more key of a set that is not used, and not kept. */
static const char *add_other(struct key_set *set, const char *refusal) {
    struct set_key *added = key_set_add(set);
    if (!added)
        return "not enough memory";
    added->refusal = refusal;
    return NULL;
}

/* One more public key, which has to be that of before. */
static const char *gather_public(struct gathering *all, const struct key_file *key) {
    if (all->set)
        return add_key(all->set, key);
    if (all->public_key.count && !same_key(&all->public_key, key))
        return SEVERAL_KEYS;
    all->public_key = *key;
    return NULL;
}

/* One more key, of which the private one (count 0: none) is the other's; the reason why it could not be read. */
static const char *gather_pair(struct gathering *all, const struct key_file *public_key,
                               const struct key_file *private_key, const char *reason) {
    if (all->set && reason && (reason == no_curve || der_key_is_other(reason)))
        return add_other(all->set, reason);
    if (!reason)
        reason = gather_public(all, public_key);
    if (!reason && private_key->count)
        all->private_key = *private_key;
    return reason;
}

static const char *gather_der(struct gathering *all, const uint8_t *bytes, size_t size);

/* A private key that the password encrypts. */
static const char *gather_encrypted(struct gathering *all, const uint8_t *bytes, size_t size) {
    uint8_t opened[KEY_FILE_BYTES];
    size_t count = 0;
    if (!all->password)
        return encrypted;
    const char *reason = encrypted_pkcs8_open(opened, &count, all->password, bytes, size);
    all->decrypted = true;
    if (!reason)
        reason = der_content(opened, count) == DER_PKCS8 ? gather_der(all, opened, count) : wrong_password;
    explicit_bzero(opened, count);
    return reason;
}

static const char *gather_der(struct gathering *all, const uint8_t *bytes, size_t size) {
    struct key_file public_key = {0}, private_key = {0};
    const enum der_content content = der_content(bytes, size);
    const size_t first = der_sequence_size(bytes, size);
    const char *reason = content_refusal(content);
    all->found_private |= content == DER_PKCS8 || content == DER_SEC1 || content == DER_PRIVATE_NUMBERS;
    if (!reason && first < size)
        reason = bytes[first] == bytes[0] ? SEVERAL_KEYS : "bytes behind the key";
    if (!reason && content == DER_ENCRYPTED_PKCS8)
        return gather_encrypted(all, bytes, size);
    if (!reason)
        reason = der_key_read(&public_key, &private_key, bytes, size);
    all->certificate |= content == DER_CERTIFICATE;
    reason = gather_pair(all, &public_key, &private_key, reason);
    explicit_bzero(&private_key, sizeof private_key);
    return reason;
}

/* A private key of OpenSSH's own form. */
static const char *gather_openssh(struct gathering *all, const uint8_t *bytes, size_t size) {
    struct key_file public_key = {0}, private_key = {0};
    const char *reason = ssh_private_key_decode(&public_key, &private_key, bytes, size);
    if (!reason)
        reason = public_key.count ? key_pair_check(&private_key, &public_key) : no_curve;
    reason = gather_pair(all, &public_key, &private_key, reason);
    explicit_bzero(&private_key, sizeof private_key);
    return reason;
}

/* What labels of PEM say. */
enum label { LABEL_KEY, LABEL_TRUSTED_CERTIFICATE, LABEL_OPENSSH, LABEL_PARAMETERS, LABEL_REFUSED };

static enum label label_of(const struct pem_block *block, const char **refusal) {
    static const struct {
        const char *name;
        enum label label;
        const char *refusal;
    } labels[] = {
        {"PRIVATE KEY", LABEL_KEY, NULL},
        {"EC PRIVATE KEY", LABEL_KEY, NULL},
        {"SM2 PRIVATE KEY", LABEL_KEY, NULL},
        {"PUBLIC KEY", LABEL_KEY, NULL},
        {"CERTIFICATE", LABEL_KEY, NULL},
        {"X509 CERTIFICATE", LABEL_KEY, NULL},
        {"TRUSTED CERTIFICATE", LABEL_TRUSTED_CERTIFICATE, NULL},
        {"EC PARAMETERS", LABEL_PARAMETERS, NULL},
        {"SM2 PARAMETERS", LABEL_PARAMETERS, NULL},
        {"ENCRYPTED PRIVATE KEY", LABEL_KEY, NULL},
        {"OPENSSH PRIVATE KEY", LABEL_OPENSSH, NULL},
        {"RSA PRIVATE KEY", LABEL_REFUSED, no_curve},
        {"RSA PUBLIC KEY", LABEL_REFUSED, no_curve},
        {"DSA PRIVATE KEY", LABEL_REFUSED, no_curve},
        {"CERTIFICATE REQUEST", LABEL_REFUSED, "a certificate request, which nobody has certified"},
        {"NEW CERTIFICATE REQUEST", LABEL_REFUSED, "a certificate request, which nobody has certified"},
        {"X509 CRL", LABEL_REFUSED, "a list of certificates that are revoked, which has no key"},
        {"PKCS7", LABEL_REFUSED, "PKCS #7: `openssl pkcs7 -print_certs` writes its certificates as PEM"},
        {"PGP PUBLIC KEY BLOCK", LABEL_REFUSED, "a key of OpenPGP, which is not read"},
        {"PGP PRIVATE KEY BLOCK", LABEL_REFUSED, "a key of OpenPGP, which is not read"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (pem_label_is(block, labels[i].name))
            return *refusal = labels[i].refusal, labels[i].label;
    *refusal = "PEM of another kind than keys and certificates";
    return LABEL_REFUSED;
}

static const char *gather_block(struct gathering *all, struct pem_block *block) {
    uint8_t der[KEY_FILE_BYTES];
    const char *refusal, *header;
    size_t size = 0, header_size;
    const enum label label = label_of(block, &refusal);
    all->found_private |= memmem(block->label, block->label_size, "PRIVATE", 7) != NULL;
    if (all->set && refusal == no_curve)
        return add_other(all->set, refusal);
    if (refusal || label == LABEL_PARAMETERS)
        return refusal;
    if (block->body_size >= sizeof der)
        return "PEM that is too long for a key";
    if (!block->ended)
        return "PEM that does not end as it begins";
    const bool sealed = pem_take_encryption(block, &header, &header_size);
    if (sealed && !all->password)
        return encrypted;
    const char *reason = pem_decode(der, &size, block) ? NULL : "PEM that is not base64";
    if (!reason && sealed) {
        all->decrypted = true;
        reason = encrypted_pem_open(der, &size, all->password, header, header_size);
        reason = reason || der_content(der, size) != DER_UNKNOWN ? reason : wrong_password;
    }
    if (!reason && label == LABEL_OPENSSH) {
        reason = gather_openssh(all, der, size);
    } else if (!reason) {
        const size_t first = der_sequence_size(der, size); /* what a certificate is trusted for is behind it */
        reason = gather_der(all, der, label == LABEL_TRUSTED_CERTIFICATE && first < size ? first : size);
    }
    explicit_bzero(der, block->body_size);
    return reason;
}

/* The lines of a text that are keys of OpenSSH; where they are all of it, those of authorized_keys, and others are
 * refused. */
static const char *gather_ssh_lines(struct gathering *all, const char *text, size_t size, bool are_all) {
    const char *reason = NULL;
    for (size_t at = 0, length, start = 0; !reason && at < size; at += length + 1) {
        const char *newline = memchr(text + at, '\n', size - at);
        struct key_file key = {0};
        length = newline ? (size_t)(newline - text) - at : size - at;
        const enum ssh_line line = are_all                         ? ssh_line_read(text + at, length, &start)
                                   : ssh_key_is(text + at, length) ? SSH_KEY
                                                                   : SSH_BLANK;
        if (line == SSH_UNKNOWN)
            return "a line that is no key of OpenSSH's authorized_keys";
        if (line == SSH_KEY)
            reason = ssh_key_decode(&key, text + at + start, length - start);
        if (!reason && key.count)
            reason = gather_public(all, &key);
        if (line == SSH_OTHER || line == SSH_APART)
            reason =
                add_other(all->set, line == SSH_OTHER ? KEY_OF_NO_CURVE : "its key is an authority's or for a time");
    }
    return reason;
}

/* Whether all keys of a set are one and the same, for the same and by the same name. */
static bool are_one(const struct key_set *set) {
    const struct set_key *first = set->keys;
    bool one = set->count != 0;
    for (size_t i = 1; one && i < set->count; i++) {
        const struct set_key *key = &set->keys[i];
        const bool same_name = first->kid && key->kid ? strcmp(first->kid, key->kid) == 0 : first->kid == key->kid;
        one = same_name && key->refusal == first->refusal && same_key(&key->key, &first->key);
    }
    return one;
}

/* A key in JSON; the private one, if it has one, has to be its own. */
static const char *gather_jwk(struct gathering *all, const char *text, size_t size) {
    struct key_set own = {.keys = NULL}, *set = all->set ? all->set : &own;
    struct key_file private_key = {.count = 0};
    const char *reason = jwk_read(set, &private_key, text, size);
    for (size_t i = 0; i < set->count; i++)
        all->found_private |= set->keys[i].key.found_private;
    if (!reason && !all->set) {
        reason = own.count == 0          ? "a JWK set with no key"
                 : !are_one(&own)        ? SEVERAL_KEYS
                 : own.keys[0].key.count ? key_set_seal(&own)
                                         : own.keys[0].refusal;
        reason = reason || !private_key.count ? reason : key_pair_check(&private_key, &own.keys[0].key);
        if (!reason) {
            all->public_key = own.keys[0].key;
            all->public_key.refusal = own.keys[0].refusal;
            all->private_key = private_key;
        }
        if (!reason && all->named) {
            *all->named = own;
            own = (struct key_set){.keys = NULL};
        }
    }
    key_set_free(&own);
    explicit_bzero(&private_key, sizeof private_key);
    return reason;
}

/* What stands beside PEM is a comment, but for lines of OpenSSH, and DER. */
static const char *gather_pem(struct gathering *all, const char *text, size_t size) {
    struct pem_block block;
    const char *at = text, *reason = memchr(text, 0, size) ? "PEM beside bytes that are no text" : NULL;
    while (!reason && pem_next(&block, &at, text + size))
        reason = gather_block(all, &block);
    return reason ? reason : gather_ssh_lines(all, text, size, false);
}

static bool starts_with(const char *text, size_t size, const char *start) {
    return size >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* What a text is that is no key; NULL: nobody knows. */
static const char *text_refusal(const char *text, size_t size) {
    static const char digits[] = "0123456789abcdefABCDEFxX \t\r\n";
    static const char utf16[] = "text in UTF-16: write it in UTF-8, as `iconv -f UTF-16 -t UTF-8` does";
    size_t blank = 0, hexadecimal = 0;
    while (blank < size && (text[blank] == ' ' || text[blank] == '\t' || text[blank] == '\r' || text[blank] == '\n'))
        blank++;
    if (blank == size)
        return "it is empty";
    const char *magic = magic_refusal(text, size);
    if (magic)
        return starts_with(magic, strlen(magic), "UTF-16") ? utf16 : magic;
    text += blank;
    size -= blank;
    if (*text == '[')
        return "JSON that is no JWK";
    if (starts_with(text, size, "PuTTY-User-Key-File"))
        return "a key of PuTTY, which is not read: export it as PEM";
    if (starts_with(text, size, "---- BEGIN SSH2 "))
        return "a key in the form of RFC 4716: `ssh-keygen -i` writes it in a line";
    while (hexadecimal < size && memchr(digits, text[hexadecimal], sizeof digits - 1))
        hexadecimal++;
    return hexadecimal == size ? "hexadecimal digits: in a file a key is PEM or DER, in rows also such digits" : NULL;
}

/* Does a text begin as an object of JSON does? */
static bool is_object(const char *text, size_t size) {
    size_t blank = 0;
    while (blank < size && (text[blank] == ' ' || text[blank] == '\t' || text[blank] == '\r' || text[blank] == '\n'))
        blank++;
    return blank < size && text[blank] == '{';
}

static const char *gather(struct gathering *all, const uint8_t *bytes, size_t size) {
    const size_t mark = byte_order_mark((const char *)bytes, size);
    const char *text = (const char *)bytes + mark, *reason;
    size -= mark;
    if (is_object(text, size))
        return gather_jwk(all, text, size);
    if (memmem(text, size, "-----BEGIN ", 11))
        return gather_pem(all, text, size);
    if ((reason = text_refusal(text, size)) != NULL)
        return reason;
    if (*text == DER_SEQUENCE)
        return gather_der(all, (const uint8_t *)text, size);
    return all->set ? gather_ssh_lines(all, text, size, true) : ssh_key_decode(&all->public_key, text, size);
}

const char *key_decode(struct key_file *key, struct key_set *named, const void *bytes, size_t size,
                       const struct password *password, bool is_private) {
    struct gathering all = {.named = named, .password = password};
    const char *reason = size < KEY_FILE_BYTES ? gather(&all, bytes, size) : "too long for a key";
    if (!reason && password && !all.decrypted)
        reason = "a key without a password, and --password-file";
    if (!reason && !all.public_key.count)
        reason = is_private ? "no private key in PEM, DER or JSON" : "no key or certificate in PEM, DER or JSON";
    if (!reason && is_private && !all.private_key.count)
        reason = all.certificate ? "a certificate, where a private key is wanted"
                                 : "a public key, where a private one is wanted";
    if (!reason && named && !named->count) {
        reason = add_key(named, &all.public_key);
        reason = reason ? reason : key_set_seal(named);
    }
    if (!reason)
        *key = is_private ? all.private_key : all.public_key;
    key->found_private = all.found_private;
    explicit_bzero(&all, sizeof all);
    return reason;
}

const char *key_file_bytes(const char *path, uint8_t *bytes, size_t most, size_t *size, struct stat *status) {
    FILE *file = fopen(path, "rbe");
    if (!file || fstat(fileno(file), status) < 0) {
        const char *reason = strerror(errno);
        if (file)
            fclose(file);
        return reason;
    }
    setvbuf(file, NULL, _IONBF, 0);
    *size = fread(bytes, 1, most, file);
    bool failed = ferror(file) != 0;
    fclose(file);
    return failed ? "cannot be read" : *size == most ? "too long" : NULL;
}

/* As ssh does, say whom a file lets at a private key beside its owner. The group may read what root owns, so that a
 * service may have it. */
static void say_who_reads(const char *path, const char *what, const struct stat *status) {
    const unsigned mode = status->st_mode & 0777, theirs = mode & (status->st_uid == 0 ? 026 : 066),
                   most = theirs & 006 ? theirs & 006 : theirs >> 3;
    if (S_ISREG(status->st_mode) && theirs)
        say("gecc: %s: its mode %04o lets %s %s this %s; right is 0600: chmod 600 %s", path, mode,
            theirs & 006 ? "every user" : "its group", most & 4 ? "read" : "change", what, path);
}

bool password_read(struct password *password, const char *path, char *error, size_t size) {
    char text[PASSWORD_BYTES + 3]; /* with its line end, and a byte that there is to be no more */
    struct stat status = {0};
    size_t used = 0;
    const char *reason = key_file_bytes(path, (uint8_t *)text, sizeof text, &used, &status);
    const char *newline = reason ? NULL : memchr(text, '\n', used);
    password->length = newline ? (size_t)(newline - text) : used;
    if (newline && password->length && newline[-1] == '\r')
        password->length--;
    if (!reason && memchr(text, 0, used))
        reason = "a zero byte in a password";
    else if (!reason && newline && newline + 1 != text + used)
        reason = "more than the one line of a password";
    else if (!reason && !password->length)
        reason = "no password";
    else if (!reason && password->length > sizeof password->text)
        reason = "too long for a password";
    if (!reason) {
        memcpy(password->text, text, password->length);
        say_who_reads(path, "password", &status);
    } else {
        snprintf(error, size, "%.120s: %s", path, reason);
    }
    explicit_bzero(text, sizeof text);
    return !reason;
}

bool key_file_read(struct key_file *key, struct key_set *named, const char *path, const struct password *password,
                   bool is_private, char *error, size_t size) {
    uint8_t bytes[KEY_FILE_BYTES];
    struct stat status = {0};
    size_t used = 0;
    const char *reason = key_file_bytes(path, bytes, sizeof bytes, &used, &status);
    if (!reason)
        reason = key_decode(key, named, bytes, used, password, is_private);
    if (reason == encrypted)
        reason = without_password;
    if (!reason && key->found_private)
        say_who_reads(path, "private key", &status);
    explicit_bzero(bytes, sizeof bytes);
    if (reason)
        snprintf(error, size, "%.120s: %s", path, reason);
    return !reason;
}

const char *key_set_decode(struct key_set *set, bool *found_private, const void *bytes, size_t size) {
    struct gathering all = {.set = set};
    const char *reason = gather(&all, bytes, size);
    *found_private = all.found_private;
    explicit_bzero(&all, sizeof all);
    if (!reason && !set->count)
        reason = "no key in JSON, PEM, DER or lines of OpenSSH";
    return reason ? reason : key_set_seal(set);
}

bool key_set_read(struct key_set *set, const char *path, char *error, size_t size) {
    uint8_t *bytes = malloc(KEY_SET_BYTES);
    struct stat status = {0};
    size_t used = 0;
    bool found_private = false;
    const char *reason = bytes ? key_file_bytes(path, bytes, KEY_SET_BYTES, &used, &status) : "not enough memory";
    if (!reason)
        reason = key_set_decode(set, &found_private, bytes, used);
    if (!reason && found_private)
        say_who_reads(path, "private key", &status);
    if (bytes)
        explicit_bzero(bytes, used);
    free(bytes);
    if (reason)
        snprintf(error, size, "%.120s: %s", path, reason);
    return !reason;
}
