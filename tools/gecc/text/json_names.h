/* The names of one JSON object's members, of which none may be there twice. */
#ifndef TOOL_JSON_NAMES_H
#define TOOL_JSON_NAMES_H

#include "text/json.h"

enum { MOST_JSON_NAMES = 128 };

/* Names so far, without escapes; begin with count 0. */
struct json_names {
    size_t count;
    struct {
        char *copy; /* to be freed; NULL: the text has none to take away */
        const char *text;
        size_t length;
    } at[MOST_JSON_NAMES];
};

enum json_name { JSON_NAME_NEW, JSON_NAME_TWICE, JSON_NAME_UNREADABLE, JSON_NAME_TOO_MANY };

/* Note the name of a member; it is the last one then, unless it is unreadable or one too many. */
enum json_name json_names_add(struct json_names *names, const struct json_member *member);

void json_names_free(struct json_names *names);

#endif
