/* Public keys as OpenSSH writes them in a line: "ssh-ed25519 AAAA... comment" (RFC 4253, 6.6; RFC 8709; RFC 5656). */
#ifndef TOOL_SSH_KEY_H
#define TOOL_SSH_KEY_H

#include "keys/key.h"

/* Does the text begin as such a line does? */
bool ssh_key_is(const void *text, size_t size);

/* Does it begin as the line of another key of OpenSSH does, one that gecc does not have? */
bool ssh_key_is_other(const void *text, size_t size);

/* The bytes of the options that a line of authorized_keys may have before its key, with the blank behind them
 * (sshd(8)); 0: there are none, or one that is not known or says that the key is not for signatures of its own. */
size_t ssh_options_size(const char *line, size_t size);
/* Is the line one whose key is that of an authority, or holds for a time, or revoked? */
bool ssh_line_is_special(const char *line, size_t size);
/* Is it empty or a comment? */
bool ssh_line_is_blank(const char *line, size_t size);

/* The key of the one line that is neither empty nor a comment; count 0: there is none that is like one of OpenSSH.
 * NULL, or why it is no key of Ed25519 or of a curve that OpenSSH has for ECDSA, or not the only line. */
const char *ssh_key_decode(struct key_file *key, const void *text, size_t size);

#endif
