/* Public keys as OpenSSH writes them in a line: "ssh-ed25519 AAAA... comment" (RFC 4253, 6.6; RFC 8709; RFC 5656); and
 * its private keys (PROTOCOL.key of its source). */
#ifndef TOOL_SSH_KEY_H
#define TOOL_SSH_KEY_H

#include "keys/key.h"

/* Does the text begin as such a line does? */
bool ssh_key_is(const void *text, size_t size);

/* What a line of authorized_keys (sshd(8)) is. */
enum ssh_line {
    SSH_BLANK, /* empty or a comment */
    SSH_KEY,
    SSH_OTHER, /* a key of a kind that gecc does not have */
    SSH_APART, /* a key of an authority, or for a time */
    SSH_UNKNOWN
};
/* *key is where the key stands, behind options that do not matter here, if there is one. */
enum ssh_line ssh_line_read(const char *line, size_t size, size_t *key);

/* The key of the one line that is neither empty nor a comment; count 0: there is none that is like one of OpenSSH.
 * NULL, or why it is no key of Ed25519 or of a curve that OpenSSH has for ECDSA, or not the only line. */
const char *ssh_key_decode(struct key_file *key, const void *text, size_t size);

/* The private key in bytes[size], the content of PEM, which the caller wipes, and the public key that stands beside
 * it and need not be its own; count 0: it is of a kind that gecc does not have. NULL, or why they are none: one that a
 * password encrypts is not read. */
const char *ssh_private_key_decode(struct key_file *public_key, struct key_file *private_key, const uint8_t *bytes,
                                   size_t size);

#endif
