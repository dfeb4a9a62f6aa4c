/* The walk over a JSON object against jansson: it never refuses what jansson accepts; what it finishes without doubt is
 * valid. */
#include "json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_walk walk;
    struct json_member member;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member)) {
        size_t length;
        if (member.name < text || member.value + member.value_length > text + size || member.name_length < 2)
            abort();
        char *name = json_unescape(member.name, member.name_length, &length);
        if (!name && !walk.doubtful)
            abort();
        free(name);
    }
    bool valid = json_is_valid(text, size);
    if (valid && walk.reason)
        abort();
    if (!valid && !walk.reason && !walk.doubtful)
        abort();
    free(text);
    return 0;
}
