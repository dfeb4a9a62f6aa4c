/* One JSON object on a line, member by member, without copying it. */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "text/json_grammar.h"

enum json_type { JSON_STRING_VALUE, JSON_NUMBER_VALUE, JSON_NULL_VALUE, JSON_OTHER_VALUE };

/* Texts as they stand, strings with their quotation marks. */
struct json_member {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
    enum json_type type;
    bool name_escaped, value_escaped; /* needs json_unescape */
};

struct json_walk {
    const char *text, *at, *end;
    bool started;
    bool bare;     /* without brackets */
    bool doubtful; /* something was met that this walk does not check itself: json_is_valid must decide */
    const char *reason;
};

void json_walk_init(struct json_walk *walk, const char *text, size_t size);
/* Of members of an object without its braces. */
void json_walk_init_members(struct json_walk *walk, const char *text, size_t size);

/* The next member. false: there is none, or (walk->reason not NULL) this is no JSON object. Text that json_is_valid
 * accepts is never refused; text that the walk finishes without `doubtful` is valid. */
bool json_walk_next(struct json_walk *walk, struct json_member *member);

/* The same over the elements of one array, which have no names. */
bool json_walk_next_element(struct json_walk *walk, struct json_member *element);

/* Before jansson is called: memory that it frees is wiped, since it may hold secrets. */
void json_use_wiped_memory(void);

/* The characters of a string given with its quotation marks; malloc'ed. NULL: not a string, one with
 * half of a surrogate pair, or no memory. */
char *json_unescape(const char *text, size_t size, size_t *length);

/* The same of a valid string, with U+FFFD in the place of each half of a surrogate pair that is alone. NULL: no
 * memory. */
char *json_unescape_any(const char *text, size_t size, size_t *length);

/* Is a string of a valid text, given with its quotation marks, that word? */
bool json_string_is(const char *text, size_t size, bool escaped, const char *word);

#endif
