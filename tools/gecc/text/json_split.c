#include "text/json_split.h"
#include "text/json.h"

#include <string.h>

enum { WINDOW = 256 }; /* bytes that are searched for one character before another is searched for */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_outermost(const struct json_split *split) { return !split->is_array && !json_split_is_within(split); }

/* A value at the outermost has ended. */
static void end_value(struct json_split *split) {
    split->state = split->is_array ? JSON_SPLIT_AFTER : JSON_SPLIT_BETWEEN;
    if (!split->is_array && split->form == JSON_SPLIT_UNKNOWN)
        split->form = JSON_SPLIT_LINES;
}

static enum json_split_step end_record(struct json_split *split) {
    end_value(split);
    return JSON_SPLIT_RECORD;
}

static enum json_split_step break_off(struct json_split *split) {
    bool lines = split->form != JSON_SPLIT_DOCUMENT;
    if (!json_split_is_within(split)) {
        split->begin = split->at;
        split->begun = split->line;
    }
    split->state = JSON_SPLIT_BETWEEN;
    split->is_array = false;
    split->form = lines ? JSON_SPLIT_LINES : split->form;
    return lines ? JSON_SPLIT_BROKEN : JSON_SPLIT_FAILED;
}

static size_t line_end(const char *text, size_t at, size_t size) {
    const char *newline = memchr(text + at, '\n', size - at);
    return newline ? (size_t)(newline - text) : size;
}

/* What stands at `at` cannot stand there, and the rest of its line is not read. */
static enum json_split_step break_line(struct json_split *split) {
    enum json_split_step step = break_off(split);
    split->state = JSON_SPLIT_DROPPED;
    return step;
}

/* A line ends at `at`. false: a value breaks off there. */
static bool pass_line_end(struct json_split *split) {
    if (!is_outermost(split)) {
        if (split->in_string || split->form == JSON_SPLIT_LINES)
            return false;
        split->form = JSON_SPLIT_DOCUMENT;
    }
    split->line++;
    split->at++;
    return true;
}

static enum json_split_step pass_outer_line_end(struct json_split *split) {
    if (!pass_line_end(split))
        return break_off(split);
    if (split->state == JSON_SPLIT_DROPPED)
        split->state = JSON_SPLIT_BETWEEN;
    return JSON_SPLIT_MORE;
}

/* To the end of a string, which may end the record. */
static enum json_split_step pass_string(struct json_split *split, const char *text, size_t size) {
    while (split->at < size) {
        if (split->escaped && text[split->at] != '\n') {
            split->escaped = false;
            split->at++;
            continue;
        }
        const char *from = text + split->at;
        size_t length = size - split->at < WINDOW ? size - split->at : WINDOW;
        const char *special = memchr(from, '"', length);
        length = special ? (size_t)(special - from) : length;
        const char *escape = memchr(from, '\\', length);
        length = escape ? (size_t)(escape - from) : length;
        const char *newline = memchr(from, '\n', length);
        if (newline) {
            split->at += (size_t)(newline - from);
            return break_off(split);
        }
        split->at += length;
        split->escaped = escape != NULL;
        split->in_string = escape || !special;
        split->at += escape || special;
        if (!split->in_string)
            return split->state == JSON_SPLIT_STRING ? end_record(split) : JSON_SPLIT_MORE;
    }
    return JSON_SPLIT_MORE;
}

/* To the end of the record that is an array or object. */
static enum json_split_step pass_nested(struct json_split *split, const char *text, size_t size) {
    while (split->at < size) {
        if (split->in_string) {
            enum json_split_step step = pass_string(split, text, size);
            if (step != JSON_SPLIT_MORE)
                return step;
            continue;
        }
        char c = text[split->at];
        if (c == '\n') {
            if (!pass_line_end(split))
                return break_off(split);
            continue;
        }
        split->at++;
        split->in_string = c == '"';
        split->depth += c == '{' || c == '[';
        if ((c == '}' || c == ']') && --split->depth == 0)
            return end_record(split);
    }
    return JSON_SPLIT_MORE;
}

static enum json_split_step pass_word(struct json_split *split, const char *text, size_t size, bool last) {
    while (split->at < size && !is_blank(text[split->at]) && !strchr(",[]{}\"", text[split->at]))
        split->at++;
    return split->at < size || last ? end_record(split) : JSON_SPLIT_MORE;
}

static void begin_record(struct json_split *split, char c) {
    split->begin = split->at;
    split->begun = split->line;
    split->depth = 0;
    split->in_string = split->escaped = false;
    split->state = c == '{' || c == '[' ? JSON_SPLIT_NESTED : c == '"' ? JSON_SPLIT_STRING : JSON_SPLIT_WORD;
    if (split->state == JSON_SPLIT_STRING) {
        split->at++;
        split->in_string = true;
    }
}

/* What stands between records, at `at`. false: it cannot stand there. */
static bool pass_between(struct json_split *split, char c) {
    bool begins = split->state != JSON_SPLIT_AFTER;
    if (split->state == JSON_SPLIT_BETWEEN && c == '[') {
        split->is_array = true;
        split->state = JSON_SPLIT_FIRST;
    } else if (c == ']' && (split->state == JSON_SPLIT_FIRST || split->state == JSON_SPLIT_AFTER)) {
        split->is_array = false;
        end_value(split);
    } else if (c == ',' && split->state == JSON_SPLIT_AFTER) {
        split->state = JSON_SPLIT_NEXT;
    } else if (begins && !strchr("]},:", c)) {
        begin_record(split, c);
        return true;
    } else {
        return false;
    }
    split->at++;
    return true;
}

/* The text ends: well, but within a value. */
static enum json_split_step end_text(struct json_split *split) {
    return is_outermost(split) ? JSON_SPLIT_MORE : break_off(split);
}

enum json_split_step json_split_next(struct json_split *split, const char *text, size_t size, bool last) {
    while (split->at < size || split->state == JSON_SPLIT_WORD) {
        enum json_split_step step = JSON_SPLIT_MORE;
        if (split->state == JSON_SPLIT_NESTED)
            step = pass_nested(split, text, size);
        else if (split->state == JSON_SPLIT_STRING)
            step = pass_string(split, text, size);
        else if (split->state == JSON_SPLIT_WORD)
            step = pass_word(split, text, size, last);
        else if (text[split->at] == '\n')
            step = pass_outer_line_end(split);
        else if (split->state == JSON_SPLIT_DROPPED)
            split->at = line_end(text, split->at, size);
        else if (is_blank(text[split->at]))
            split->at++;
        else if (!pass_between(split, text[split->at]))
            step = break_line(split);
        if (step != JSON_SPLIT_MORE)
            return step;
        if (split->at == size)
            break;
    }
    return last ? end_text(split) : JSON_SPLIT_MORE;
}

bool json_split_distrust(struct json_split *split) {
    if (split->form == JSON_SPLIT_DOCUMENT)
        return false;
    split->form = JSON_SPLIT_LINES;
    split->state = JSON_SPLIT_DROPPED;
    split->is_array = false;
    return true;
}

bool json_is_value(const char *text, size_t size) {
    struct json_walk walk;
    struct json_member member;
    bool object = size && text[0] == '{', array = size && text[0] == '[';
    json_walk_init(&walk, text, size);
    while (object ? json_walk_next(&walk, &member) : array && json_walk_next_element(&walk, &member))
        ;
    return (object || array) && !walk.doubtful ? !walk.reason : json_is_any(text, size);
}
