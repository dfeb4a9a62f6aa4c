/* Text on its way into a string of JSON. */
#ifndef TOOL_JSON_TEXT_H
#define TOOL_JSON_TEXT_H

#include "text/buffer.h"

/* The text as it stands between quotation marks. It need not be UTF-8: U+FFFD is what is none. doubled: "" in it is one quotation mark,
 * as in a quoted cell of CSV. */
void json_put_text(struct buffer *out, const char *text, size_t length, bool doubled);

#endif
