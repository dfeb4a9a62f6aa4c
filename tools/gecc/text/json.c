/* Most rows are objects of plain strings and numbers: these are checked here, at the speed of a scan. Anything else
 * (escapes, other than ASCII, exponents, deep nesting) is walked over here and checked by json_grammar.c; jansson takes
 * away escapes. */
#include "text/json.h"
#include "text/wiped.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void json_walk_init(struct json_walk *walk, const char *text, size_t size) {
    *walk = (struct json_walk){.text = text, .at = text, .end = text + size};
}

void json_walk_init_members(struct json_walk *walk, const char *text, size_t size) {
    json_walk_init(walk, text, size);
    walk->bare = true;
}

static bool fail(struct json_walk *walk) {
    walk->reason = "not a JSON object";
    return false;
}

static void skip_space(struct json_walk *walk) {
    while (walk->at < walk->end && (*walk->at == ' ' || *walk->at == '\t' || *walk->at == '\r' || *walk->at == '\n'))
        walk->at++;
}

static bool skip_character(struct json_walk *walk, char character) {
    skip_space(walk);
    if (walk->at == walk->end || *walk->at != character)
        return false;
    walk->at++;
    return true;
}

/* Whether each character is ASCII, printable, and no backslash. */
static bool is_plain(const char *text, size_t length) {
    unsigned special = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        special |= (c < 0x20) | (c >= 0x80) | (c == '\\');
    }
    return !special;
}

/* The quotation mark that ends the string whose first is at *at; NULL: there is none. */
static const char *string_end(const char *at, const char *end) {
    for (at++; at < end; at++) {
        if (*at == '"')
            return at;
        at += *at == '\\';
    }
    return NULL;
}

/* From one quotation mark to after the other. */
static bool skip_string(struct json_walk *walk, bool *escaped) {
    const char *first = walk->at + 1;
    const char *last = memchr(first, '"', (size_t)(walk->end - first));
    *escaped = false;
    if (last && !is_plain(first, (size_t)(last - first))) {
        walk->doubtful = true;
        *escaped = memchr(first, '\\', (size_t)(last - first)) != NULL;
        if (*escaped)
            last = string_end(walk->at, walk->end);
    }
    if (!last)
        return false;
    walk->at = last + 1;
    return true;
}

enum { MAX_DEPTH = 16 };

/* Over an array or object: to where its brackets balance. */
static bool skip_brackets(struct json_walk *walk) {
    size_t depth = 0;
    bool escaped;
    walk->doubtful = true;
    while (walk->at < walk->end) {
        char c = *walk->at;
        if (c == '"') {
            if (!skip_string(walk, &escaped))
                return false;
            continue;
        }
        walk->at++;
        if (c == '{' || c == '[')
            depth++;
        if ((c == '}' || c == ']') && --depth == 0)
            return true;
    }
    return false;
}

static size_t count_digits(const char *text, size_t length) {
    size_t count = 0;
    while (count < length && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

/* An integer from 0 up, with or without a fraction, of a few digits. */
static bool plain_number(const char *text, size_t length) {
    size_t whole = count_digits(text, length);
    if (whole == 0 || length > 18 || (text[0] == '0' && whole > 1))
        return false;
    if (whole == length)
        return true;
    size_t fraction = count_digits(text + whole + 1, length - whole - 1);
    return text[whole] == '.' && fraction > 0 && whole + 1 + fraction == length;
}

static bool is_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* A number, true, false or null. */
static bool skip_word(struct json_walk *walk, enum json_type *type) {
    const char *start = walk->at;
    while (walk->at < walk->end && !strchr(",}] \t\r\n", *walk->at))
        walk->at++;
    size_t length = (size_t)(walk->at - start);
    if (length == 0)
        return false;
    *type = is_word(start, length, "null") ? JSON_NULL_VALUE : JSON_OTHER_VALUE;
    if (*type == JSON_NULL_VALUE || is_word(start, length, "true") || is_word(start, length, "false"))
        return true;
    *type = JSON_NUMBER_VALUE;
    walk->doubtful |= !plain_number(start, length);
    return true;
}

static bool skip_value(struct json_walk *walk, struct json_member *member, size_t depth);

static bool skip_name(struct json_walk *walk) {
    bool escaped;
    skip_space(walk);
    return walk->at < walk->end && *walk->at == '"' && skip_string(walk, &escaped) && skip_character(walk, ':');
}

/* Over an array or object, with all that is in it. */
static bool skip_nested(struct json_walk *walk, size_t depth) {
    char last = *walk->at == '{' ? '}' : ']';
    struct json_member inner;
    if (depth == MAX_DEPTH)
        return skip_brackets(walk);
    walk->at++;
    if (skip_character(walk, last))
        return true;
    do {
        if (last == '}' && !skip_name(walk))
            return false;
        if (!skip_value(walk, &inner, depth + 1))
            return false;
    } while (skip_character(walk, ','));
    return skip_character(walk, last);
}

static bool skip_value(struct json_walk *walk, struct json_member *member, size_t depth) {
    skip_space(walk);
    if (walk->at == walk->end)
        return false;
    member->value = walk->at;
    member->value_escaped = false;
    bool good;
    if (*walk->at == '"') {
        member->type = JSON_STRING_VALUE;
        good = skip_string(walk, &member->value_escaped);
    } else if (*walk->at == '{' || *walk->at == '[') {
        member->type = JSON_OTHER_VALUE;
        good = skip_nested(walk, depth);
    } else {
        good = skip_word(walk, &member->type);
    }
    member->value_length = (size_t)(walk->at - member->value);
    return good;
}

static bool finish(struct json_walk *walk) {
    skip_space(walk);
    return walk->at == walk->end ? false : fail(walk);
}

/* To the next thing between the brackets. false: there is none, or walk->reason is set. */
static bool next(struct json_walk *walk, char first, char last) {
    if (walk->bare) {
        const bool more = walk->started;
        walk->started = true;
        skip_space(walk);
        return walk->at < walk->end && (!more || skip_character(walk, ',') || fail(walk));
    }
    if (!walk->started) {
        if (!skip_character(walk, first))
            return fail(walk);
        walk->started = true;
        return skip_character(walk, last) ? finish(walk) : true;
    }
    if (skip_character(walk, last))
        return finish(walk);
    return skip_character(walk, ',') || fail(walk);
}

bool json_walk_next(struct json_walk *walk, struct json_member *member) {
    if (!next(walk, '{', '}'))
        return false;
    skip_space(walk);
    if (walk->at == walk->end || *walk->at != '"')
        return fail(walk);
    member->name = walk->at;
    if (!skip_string(walk, &member->name_escaped))
        return fail(walk);
    member->name_length = (size_t)(walk->at - member->name);
    if (!skip_character(walk, ':') || !skip_value(walk, member, 0))
        return fail(walk);
    return true;
}

bool json_walk_next_element(struct json_walk *walk, struct json_member *element) {
    if (!next(walk, '[', ']'))
        return false;
    element->name = NULL;
    element->name_length = 0;
    element->name_escaped = false;
    return skip_value(walk, element, 0) || fail(walk);
}

/* jansson's memory may hold secrets. */
static void use_wiped_memory(void) { json_set_alloc_funcs(wiped_malloc, wiped_free); }

void json_use_wiped_memory(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_wiped_memory);
}

char *json_unescape(const char *text, size_t size, size_t *length) {
    json_use_wiped_memory();
    json_t *root = json_loadb(text, size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    char *copy = NULL;
    if (json_is_string(root)) {
        *length = json_string_length(root);
        copy = malloc(*length + 1);
        if (copy)
            memcpy(copy, json_string_value(root), *length + 1);
    }
    json_decref(root);
    return copy;
}

/* The unit of UTF-16 that an escape at the start of the text is; else 0. */
static unsigned long escaped_unit(const char *text, size_t size) {
    char digits[5] = "";
    if (size < 6 || text[0] != '\\' || text[1] != 'u')
        return 0;
    memcpy(digits, text + 2, 4);
    return strtoul(digits, NULL, 16);
}

char *json_unescape_any(const char *text, size_t size, size_t *length) {
    char *plain = json_unescape(text, size, length), *copy = plain ? NULL : wiped_malloc(size);
    if (!copy)
        return plain;
    memcpy(copy, text, size);
    for (size_t i = 0, taken; i < size; i += taken) {
        const unsigned long unit = escaped_unit(text + i, size - i);
        taken = unit ? 6 : text[i] == '\\' ? 2 : 1;
        if (unit >> 10 == 0xd800 >> 10 && escaped_unit(text + i + 6, size - i - 6) >> 10 == 0xdc00 >> 10)
            taken = 12;
        else if (unit >> 11 == 0xd800 >> 11)
            memcpy(copy + i + 2, (const char[]){'f', 'f', 'f', 'd'}, 4);
    }
    plain = json_unescape(copy, size, length);
    wiped_free(copy);
    return plain;
}

bool json_string_is(const char *text, size_t size, bool escaped, const char *word) {
    size_t length = size - 2;
    char *copy = escaped ? json_unescape(text, size, &length) : NULL;
    const bool is = (!escaped || copy) && is_word(copy ? copy : text + 1, length, word);
    free(copy);
    return is;
}
