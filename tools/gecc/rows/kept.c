#include "rows/kept.h"
#include "command_line/command.h"
#include "text/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "input_";
enum { PREFIX = sizeof prefix - 1 };

static bool is_result(result_list results, const char *name, size_t length) {
    while (length > PREFIX && memcmp(name, prefix, PREFIX) == 0) {
        name += PREFIX;
        length -= PREFIX;
    }
    for (; *results; results++)
        if (strlen(*results) == length && memcmp(*results, name, length) == 0)
            return true;
    return false;
}

bool member_is(const struct json_member *member, const char *name) {
    size_t length = strlen(name), size;
    if (!member->name_escaped)
        return member->name_length == length + 2 && memcmp(member->name + 1, name, length) == 0;
    char *plain = json_unescape(member->name, member->name_length, &size);
    bool is = plain && size == length && memcmp(plain, name, length) == 0;
    free(plain);
    return is;
}

/* The commands that keep have no use for a private key, and their output is not for secrets. */
static bool is_secret(const char *header, const struct csv_field *name) {
    return column_named(header + name->start, name->end - name->start) == COLUMN_PRIV;
}

static bool member_is_secret(const struct json_member *member) {
    size_t size = member->name_length - 2;
    if (!member->name_escaped)
        return column_named(member->name + 1, size) == COLUMN_PRIV;
    char *plain = json_unescape(member->name, member->name_length, &size);
    bool is = plain && column_named(plain, size) == COLUMN_PRIV;
    free(plain);
    return is;
}

size_t kept_cells(const char *header, const struct csv_field *names, size_t count, size_t cells) {
    for (size_t i = 0; i < count && cells != count; i++)
        if (is_secret(header, &names[i]))
            return 0;
    return cells < count ? cells : count;
}

static void put_text(struct buffer *out, const char *text) { buffer_put(out, text, strlen(text)); }

static bool member_is_result(result_list results, const struct json_member *member) {
    size_t size = member->name_length - 2;
    if (!member->name_escaped)
        return is_result(results, member->name + 1, size);
    char *plain = json_unescape(member->name, member->name_length, &size);
    bool is = plain && is_result(results, plain, size);
    free(plain);
    return is;
}

/* The value without the blanks between its parts. */
static void put_compact(struct buffer *out, const char *text, size_t size) {
    size_t start = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n';
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && blank) {
            buffer_put(out, text + start, i - start);
            start = i + 1;
        }
    }
    buffer_put(out, text + start, size - start);
}

void kept_put_member(struct buffer *out, result_list results, const struct json_member *member) {
    if (member_is_secret(member))
        return;
    put_text(out, "\"");
    if (member_is_result(results, member))
        put_text(out, prefix);
    buffer_put(out, member->name + 1, member->name_length - 1);
    put_text(out, ":");
    put_compact(out, member->value, member->value_length);
    put_text(out, ",");
}

static void put_field(struct buffer *out, const char *text, const struct csv_field *field) {
    size_t quotes = field->quoted;
    buffer_put(out, text + field->start - quotes, field->end - field->start + 2 * quotes);
    put_text(out, ",");
}

void kept_put_cell(struct buffer *out, const char *header, const struct csv_field *name, const char *text,
                   const struct csv_field *field) {
    if (!is_secret(header, name))
        put_field(out, text, field);
}

void kept_put_name(struct buffer *out, result_list results, const char *header, const struct csv_field *name) {
    if (is_secret(header, name))
        return;
    if (!is_result(results, header + name->start, name->end - name->start)) {
        put_field(out, header, name);
        return;
    }
    put_text(out, prefix);
    buffer_put(out, header + name->start, name->end - name->start);
    put_text(out, ",");
}

bool kept_names_differ(char *error, size_t size, const char *input, const char *header, const struct csv_field *names,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t length = names[i].end - names[i].start;
        const char *name = header + names[i].start;
        for (size_t other = 0; other < i && !is_secret(header, &names[i]); other++)
            if (names[other].end - names[other].start == length &&
                memcmp(header + names[other].start, name, length) == 0) {
                snprintf(error, size, "%.80s: the header: " NO_MEMBER_TWICE "%.*s", input,
                         (int)(length < 60 ? length : 60), name);
                return false;
            }
    }
    return true;
}

void kept_put_cell_as_member(struct buffer *out, result_list results, const char *header, const struct csv_field *name,
                             const char *text, const struct csv_field *field) {
    if (is_secret(header, name))
        return;
    put_text(out, "\"");
    if (is_result(results, header + name->start, name->end - name->start))
        put_text(out, prefix);
    json_put_text(out, header + name->start, name->end - name->start, name->doubled);
    put_text(out, "\":\"");
    json_put_text(out, text + field->start, field->end - field->start, field->doubled);
    put_text(out, "\",");
}
