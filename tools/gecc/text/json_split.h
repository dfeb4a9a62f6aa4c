/* Where records of JSON begin and end, in text that comes in pieces: values one after the other, of which an array
 * stands for its elements. Each byte is looked at once, however the text is cut. Whether a record is a value,
 * json_is_value decides.
 *
 * If the first value ends on the line that it begins on, the text has values on lines: a line end within a later one is
 * where that breaks off, and the next line is a new start. If not, values go on over line ends, and after one that
 * breaks off it is not known where the next begins. */
#ifndef TOOL_JSON_SPLIT_H
#define TOOL_JSON_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_split_step {
    JSON_SPLIT_MORE,   /* the text that is there has no more records; or, where it is the last, it has ended well */
    JSON_SPLIT_RECORD, /* text[begin .. at) is one */
    JSON_SPLIT_BROKEN, /* text[begin .. at) is none, and a new line follows */
    JSON_SPLIT_FAILED  /* text[begin .. at) is none, and it is not known what follows */
};

struct json_split {
    enum json_split_state {
        JSON_SPLIT_BETWEEN, /* values, at the outermost */
        JSON_SPLIT_FIRST,   /* in an array, before its first element or its end */
        JSON_SPLIT_NEXT,    /* before an element */
        JSON_SPLIT_AFTER,   /* an element */
        JSON_SPLIT_DROPPED, /* before the next line */
        JSON_SPLIT_NESTED,  /* in an array or object that is a record */
        JSON_SPLIT_STRING,  /* in a string that is one */
        JSON_SPLIT_WORD     /* in a number or a name */
    } state;
    enum { JSON_SPLIT_UNKNOWN, JSON_SPLIT_LINES, JSON_SPLIT_DOCUMENT } form;
    size_t at, begin;     /* in the text, `begin` only where a record has begun */
    size_t depth;         /* of brackets that are open in the record */
    uint64_t line, begun; /* the number of the line at `at` and at `begin`, from 1 */
    bool is_array;        /* records are elements */
    bool in_string, escaped;
};

static inline struct json_split json_split_start(void) { return (struct json_split){.line = 1, .begun = 1}; }

/* Go on in text[0 .. size), of which split->at bytes were looked at before; `last`: nothing follows it. */
enum json_split_step json_split_next(struct json_split *split, const char *text, size_t size, bool last);

/* Whether a record has begun: text before `begin` is of no use any more, else text before `at`. */
static inline bool json_split_is_within(const struct json_split *split) { return split->state >= JSON_SPLIT_NESTED; }

/* The record that ended last is no value: go on where a record is known to begin, at the next line. false: none is. */
bool json_split_distrust(struct json_split *split);

/* Is the text one value, of any kind? The same as json_is_any, at the speed of a walk where it can be. */
bool json_is_value(const char *text, size_t size);

#endif
