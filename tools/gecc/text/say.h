/* What goes to standard error. Whatever a message quotes of an input, it is one line that commands no terminal. */
#ifndef TOOL_SAY_H
#define TOOL_SAY_H

#include <stddef.h>

/* Write text[0 .. length) with \x1b for each byte that is a control character, that turns the direction of text, or is
 * no UTF-8. Stops at `room` bytes, of which the last is a zero. Returns how many were written without it. */
size_t escape_text(char *out, size_t room, const char *text, size_t length);

/* A line on standard error, escaped as a whole; the format has no line end. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

#endif
