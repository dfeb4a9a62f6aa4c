#include "text/json_names.h"

#include <stdlib.h>
#include <string.h>

enum json_name json_names_add(struct json_names *names, const struct json_member *member) {
    if (names->count == MOST_JSON_NAMES)
        return JSON_NAME_TOO_MANY;
    const char *text = member->name + 1;
    size_t length = member->name_length - 2;
    char *copy = NULL;
    if (member->name_escaped) {
        text = copy = json_unescape(member->name, member->name_length, &length);
        if (!copy)
            return JSON_NAME_UNREADABLE;
    }
    names->at[names->count].copy = copy;
    names->at[names->count].text = text;
    names->at[names->count++].length = length;
    for (size_t i = 0; i + 1 < names->count; i++)
        if (names->at[i].length == length && memcmp(names->at[i].text, text, length) == 0)
            return JSON_NAME_TWICE;
    return JSON_NAME_NEW;
}

void json_names_free(struct json_names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->at[i].copy);
}
