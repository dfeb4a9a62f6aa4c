#include "text/json_text.h"
#include "text/json_grammar.h"

#include <stdio.h>
#include <string.h>

/* How many bytes at the start of a text stand for themselves. */
static size_t plain(const char *text, size_t length) {
    size_t count = 0, more = 1;
    while (count < length && more != 0 && text[count] != '"' && text[count] != '\\' &&
           (unsigned char)text[count] >= 0x20) {
        more = (unsigned char)text[count] < 0x80 ? 1 : utf8_character(text + count, length - count);
        count += more;
    }
    return count;
}

void json_put_text(struct buffer *out, const char *text, size_t length, bool doubled) {
    while (length) {
        char escape[8];
        size_t taken = plain(text, length);
        if (taken) {
            buffer_put(out, text, taken);
        } else if (*text == '"' || *text == '\\') {
            taken = doubled && length > 1 && *text == '"' ? 2 : 1;
            buffer_put(out, (char[]){'\\', *text}, 2);
        } else if ((unsigned char)*text < 0x20) {
            taken = 1;
            buffer_put(out, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text));
        } else {
            taken = 1;
            buffer_put(out, "\xef\xbf\xbd", 3);
        }
        text += taken;
        length -= taken;
    }
}
