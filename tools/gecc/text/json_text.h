/* Text on its way into a string of JSON. */
#ifndef TOOL_JSON_TEXT_H
#define TOOL_JSON_TEXT_H

#include "text/buffer.h"

/* The text as it stands between quotation marks, with U+FFFD in the place of bytes that are no UTF-8. doubled: "" in it
 * is one quotation mark, as in a quoted cell of CSV. */
void json_put_text(struct buffer *out, const char *text, size_t length, bool doubled);

#endif
