/* Keys in JSON: JSON Web Keys and sets of them (RFC 7517; RFC 7518, 6.2; RFC 8037). */
#ifndef TOOL_JWK_H
#define TOOL_JWK_H

#include "keys/key_set.h"

/* Add the key, or the keys of the set, that text[size] is. A key of another kind than elliptic curves', or for another
 * use than signatures, is added with the refusal that says so. The first private key of them goes to
 * *private_key, which the caller wipes (count 0: there is none). NULL, or why the text is no such key or set. */
const char *jwk_read(struct key_set *set, struct key_file *private_key, const char *text, size_t size);

#endif
