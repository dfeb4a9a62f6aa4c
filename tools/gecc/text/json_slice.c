#include "text/json_slice.h"
#include "text/json.h"

#include <stdlib.h>

const char *json_slice(struct arena *arena, struct slice *out, const char *text, size_t length, bool escaped) {
    *out = (struct slice){text + 1, length - 2};
    if (!escaped)
        return NULL;
    char *copy = json_unescape(text, length, &out->length), *kept = NULL;
    if (!copy)
        return "a string that cannot be read";
    kept = arena_take(arena, out->length + 1);
    if (kept)
        memcpy(kept, copy, out->length);
    free(copy);
    out->text = kept;
    return kept ? NULL : "not enough memory";
}
