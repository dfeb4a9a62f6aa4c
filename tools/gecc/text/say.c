#include "text/say.h"
#include "text/json_grammar.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 4096, ESCAPE_BYTES = 4 };

/* Whether a character in UTF-8 is one that is shown: none of C0 and C1, no line or paragraph separator, none that turns
 * the direction of text (Unicode, UAX #9). */
static bool is_shown(const char *text, size_t bytes) {
    const unsigned char *c = (const unsigned char *)text;
    if (bytes == 1)
        return c[0] >= 0x20 && c[0] != 0x7f;
    if (bytes == 2)
        return !(c[0] == 0xc2 && c[1] < 0xa0) && !(c[0] == 0xd8 && c[1] == 0x9c);
    if (bytes == 3 && c[0] == 0xe2)
        return !(c[1] == 0x80 && (c[2] == 0x8e || c[2] == 0x8f || (c[2] >= 0xa8 && c[2] <= 0xae))) &&
               !(c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9);
    return bytes != 0;
}

size_t escape_text(char *out, size_t room, const char *text, size_t length) {
    size_t used = 0;
    while (length) {
        size_t bytes = utf8_character(text, length), width = bytes ? bytes : 1;
        bool shown = is_shown(text, bytes);
        if (used + (shown ? width : ESCAPE_BYTES * width) >= room)
            break;
        for (size_t i = 0; i < width; i++) {
            if (shown)
                out[used++] = text[i];
            else
                used += (size_t)snprintf(out + used, ESCAPE_BYTES + 1, "\\x%02x", (unsigned char)text[i]);
        }
        text += width;
        length -= width;
    }
    out[used] = 0;
    return used;
}

void say(const char *format, ...) {
    char text[MOST_BYTES], line[ESCAPE_BYTES * MOST_BYTES + 2];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = escape_text(line, sizeof line - 1, text, strlen(text));
    line[used] = '\n';
    (void)fwrite(line, 1, used + 1, stderr);
}
