#include "text/json_grammar.h"

#include <string.h>

enum { MAX_NESTING = 2048 /* jansson's JSON_PARSER_MAX_DEPTH */ };

struct scanner {
    const char *at, *end;
};

size_t utf8_character(const char *text, size_t size) {
    const unsigned char *c = (const unsigned char *)text;
    /* The first bytes, and the least and the most of the second: nothing too long, no surrogates, up to U+10FFFF. */
    static const struct {
        unsigned char first, last, bytes, low, high;
    } forms[] = {{0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
                 {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf}, {0xf0, 0xf0, 4, 0x90, 0xbf},
                 {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f}};
    if (c[0] < 0x80)
        return 1;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        if (c[0] < forms[f].first || c[0] > forms[f].last)
            continue;
        if (size < forms[f].bytes || c[1] < forms[f].low || c[1] > forms[f].high)
            return 0;
        for (size_t i = 2; i < forms[f].bytes; i++)
            if ((c[i] & 0xc0) != 0x80)
                return 0;
        return forms[f].bytes;
    }
    return 0;
}

static void skip_space(struct scanner *s) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
        s->at++;
}

static bool skip(struct scanner *s, char character) {
    if (s->at == s->end || *s->at != character)
        return false;
    s->at++;
    return true;
}

static bool is_digit(const struct scanner *s) { return s->at < s->end && *s->at >= '0' && *s->at <= '9'; }

static bool skip_digits(struct scanner *s) {
    const char *start = s->at;
    while (is_digit(s))
        s->at++;
    return s->at > start;
}

/* [ - ] ( 0 or digits that do not begin so ) [ . digits ] [ e [ sign ] digits ] */
static bool skip_number(struct scanner *s) {
    skip(s, '-');
    if (!skip(s, '0') && !skip_digits(s))
        return false;
    if (skip(s, '.') && !skip_digits(s))
        return false;
    if (!skip(s, 'e') && !skip(s, 'E'))
        return true;
    if (!skip(s, '+'))
        skip(s, '-');
    return skip_digits(s);
}

static bool is_hexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What follows a backslash. */
static bool skip_escape(struct scanner *s) {
    if (s->at == s->end || !*s->at || !strchr("\"\\/bfnrtu", *s->at))
        return false;
    if (*s->at++ != 'u')
        return true;
    for (int digit = 0; digit < 4; digit++, s->at++)
        if (s->at == s->end || !is_hexadecimal(*s->at))
            return false;
    return true;
}

static bool skip_string(struct scanner *s) {
    if (!skip(s, '"'))
        return false;
    while (s->at < s->end && (unsigned char)*s->at >= 0x20) {
        if (skip(s, '"'))
            return true;
        if (skip(s, '\\')) {
            if (!skip_escape(s))
                return false;
            continue;
        }
        size_t bytes = utf8_character(s->at, (size_t)(s->end - s->at));
        if (!bytes)
            return false;
        s->at += bytes;
    }
    return false;
}

static bool skip_word(struct scanner *s, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool skip_value(struct scanner *s, size_t depth);

/* An array, or an object, whose elements have names. */
static bool skip_nested(struct scanner *s, char last, size_t depth) {
    s->at++;
    skip_space(s);
    if (depth == MAX_NESTING)
        return false;
    if (skip(s, last))
        return true;
    do {
        skip_space(s);
        if (last == '}') {
            if (!skip_string(s))
                return false;
            skip_space(s);
            if (!skip(s, ':'))
                return false;
        }
        if (!skip_value(s, depth + 1))
            return false;
    } while (skip(s, ','));
    return skip(s, last);
}

/* A value and the space around it. */
static bool skip_value(struct scanner *s, size_t depth) {
    bool good = false;
    skip_space(s);
    if (s->at == s->end)
        return false;
    switch (*s->at) {
    case '{':
        good = skip_nested(s, '}', depth);
        break;
    case '[':
        good = skip_nested(s, ']', depth);
        break;
    case '"':
        good = skip_string(s);
        break;
    case 't':
        good = skip_word(s, "true");
        break;
    case 'f':
        good = skip_word(s, "false");
        break;
    case 'n':
        good = skip_word(s, "null");
        break;
    default:
        good = skip_number(s);
    }
    skip_space(s);
    return good;
}

bool json_is_any(const char *text, size_t size) {
    struct scanner s = {text, text + size};
    return skip_value(&s, 0) && s.at == s.end;
}

bool json_is_valid(const char *text, size_t size) {
    struct scanner s = {text, text + size};
    skip_space(&s);
    return s.at < s.end && *s.at == '{' && skip_value(&s, 0) && s.at == s.end;
}
