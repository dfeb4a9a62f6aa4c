/* Texts within JSON, without their quotation marks and escapes. */
#ifndef TOOL_JSON_SLICE_H
#define TOOL_JSON_SLICE_H

#include "text/arena.h"

#include <string.h>

struct slice {
    const char *text;
    size_t length;
};

static inline bool slice_is(struct slice slice, struct slice other) {
    return slice.length == other.length && memcmp(slice.text, other.text, slice.length) == 0;
}

/* The characters of a string or a name, which stand in the text or, where they have escapes, in the arena. NULL, or why
 * they cannot be read. */
const char *json_slice(struct arena *arena, struct slice *out, const char *text, size_t length, bool escaped);

#endif
