/* The grammar against jansson: it accepts what jansson accepts, and more only where a number or the half of a surrogate
 * pair has no representation. The walk over a JSON object: it never refuses what is valid; what it finishes without
 * doubt is valid, and its members are those of the object; so with the elements of arrays in it. */
#include "text/json.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static json_t *load(const char *text, size_t size) {
    return json_loadb(text, size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
}

/* Without numbers that may be too large and without escapes of surrogates. */
static bool is_representable(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] == 'e' || text[i] == 'E' || (text[i] == 'u' && i && text[i - 1] == '\\'))
            return false;
    return size < 300;
}

static enum json_type type_of(const json_t *value) {
    return json_is_string(value)   ? JSON_STRING_VALUE
           : json_is_number(value) ? JSON_NUMBER_VALUE
           : json_is_null(value)   ? JSON_NULL_VALUE
                                   : JSON_OTHER_VALUE;
}

/* A string that is not escaped stands for itself. */
static void check_string(const json_t *string, const char *text, size_t length, bool escaped) {
    if (!json_is_string(string))
        abort();
    if (!escaped &&
        (json_string_length(string) != length - 2 || memcmp(json_string_value(string), text + 1, length - 2) != 0))
        abort();
}

/* The elements of an array of a valid object. */
static void check_elements(const json_t *array, const struct json_member *member) {
    struct json_walk walk;
    struct json_member element;
    size_t count = 0;
    json_walk_init(&walk, member->value, member->value_length);
    while (json_walk_next_element(&walk, &element)) {
        json_t *value = load(element.value, element.value_length);
        if (!value || !json_equal(value, json_array_get(array, count++)))
            abort();
        json_decref(value);
    }
    if (walk.reason || count != json_array_size(array))
        abort();
}

/* A member of a valid object. */
static void check_member(json_t *members, const struct json_member *member) {
    json_t *name = load(member->name, member->name_length), *value = load(member->value, member->value_length);
    check_string(name, member->name, member->name_length, member->name_escaped);
    if (!value || type_of(value) != member->type)
        abort();
    if (member->type == JSON_STRING_VALUE)
        check_string(value, member->value, member->value_length, member->value_escaped);
    if (json_is_array(value))
        check_elements(value, member);
    json_object_set_nocheck(members, json_string_value(name), value);
    json_decref(name);
    json_decref(value);
}

/* The walk; members gets what it finds if the text is valid. */
static void walk_over(struct json_walk *walk, const char *text, size_t size, json_t *members) {
    struct json_member member;
    json_walk_init(walk, text, size);
    while (json_walk_next(walk, &member)) {
        size_t length;
        if (member.name < text || member.value + member.value_length > text + size || member.name_length < 2)
            abort();
        char *name = json_unescape(member.name, member.name_length, &length);
        if (!name && !walk->doubtful)
            abort();
        free(name);
        if (members)
            check_member(members, &member);
    }
}

/* The tool gives jansson its memory when it first needs it: before this file has some. */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    size_t length;
    (void)count, (void)arguments;
    free(json_unescape("\"\"", 2, &length));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct json_walk walk;
    char *text = malloc(size);
    memcpy(text, data, size);
    bool valid = json_is_valid(text, size);
    /* jansson passes over a zero after a number. */
    json_t *object = memchr(text, 0, size) ? NULL : load(text, size);
    json_t *members = valid && object ? json_object() : NULL;
    if (!valid && json_is_object(object))
        abort();
    if (valid && !object && is_representable(text, size))
        abort();
    walk_over(&walk, text, size, members);
    if (valid && (walk.reason || (members && !json_equal(members, object))))
        abort();
    if (!valid && !walk.reason && !walk.doubtful)
        abort();
    json_decref(members);
    json_decref(object);
    free(text);
    return 0;
}
