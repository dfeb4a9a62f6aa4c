/* Is a text JSON? Its grammar alone (RFC 8259), whatever numbers and strings it holds: 1e400 and the half of a
 * surrogate pair, which jansson cannot represent, are right. */
#ifndef TOOL_JSON_GRAMMAR_H
#define TOOL_JSON_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>

/* Is the text one JSON object in UTF-8, nested not deeper than jansson goes? */
bool json_is_valid(const char *text, size_t size);
/* Is it any one value? */
bool json_is_any(const char *text, size_t size);

/* The bytes of the character in UTF-8 that starts a text of `size` > 0 bytes; 0: none does (RFC 3629). */
size_t utf8_character(const char *text, size_t size);

#endif
