#include "text/csv.h"

#include <string.h>

static void add_field(struct csv_field *fields, size_t room, struct csv_record *record, struct csv_field field) {
    if (record->fields < room)
        fields[record->fields] = field;
    record->fields++;
}

static size_t without_return(const char *text, size_t length) {
    return length && text[length - 1] == '\r' ? length - 1 : length;
}

/* A line without quotation marks. */
static void split(const char *text, struct csv_field *fields, size_t room, struct csv_record *record) {
    size_t start = 0;
    for (;;) {
        const char *comma = memchr(text + start, ',', record->length - start);
        size_t end = comma ? (size_t)(comma - text) : record->length;
        add_field(fields, room, record, (struct csv_field){(uint32_t)start, (uint32_t)end, false, false});
        if (!comma)
            return;
        start = end + 1;
    }
}

static enum scan lose(const char *text, size_t size, struct csv_record *record, const char *reason) {
    const char *newline = memchr(text, '\n', size);
    record->length = without_return(text, newline ? (size_t)(newline - text) : size);
    record->used = size;
    record->lines = 1;
    record->reason = reason;
    record->lost = true;
    return SCAN_BROKEN;
}

/* The end of the quoted field whose contents begin at field->start; its closing mark is at field->end. */
static enum scan close_quotes(const char *text, size_t size, bool last, struct csv_field *field) {
    size_t at = field->start;
    for (;;) {
        const char *mark = memchr(text + at, '"', size - at);
        if (!mark)
            return last ? SCAN_BROKEN : SCAN_MORE;
        at = (size_t)(mark - text);
        if (at + 1 == size && !last)
            return SCAN_MORE;
        if (at + 1 == size || text[at + 1] != '"') {
            field->end = (uint32_t)at;
            return SCAN_RECORD;
        }
        field->doubled = true;
        at += 2;
    }
}

/* The contents of a field that begins at `at`; *next is where it is followed by a comma, a line end or nothing. */
static enum scan scan_field(const char *text, size_t size, bool last, size_t at, struct csv_field *field, size_t *next,
                            struct csv_record *record) {
    *field = (struct csv_field){(uint32_t)at, (uint32_t)at, false, false};
    if (at < size && text[at] == '"') {
        field->quoted = true;
        field->start++;
        enum scan scan = close_quotes(text, size, last, field);
        *next = field->end + 1u;
        return scan;
    }
    for (; at < size && text[at] != ',' && text[at] != '\n'; at++)
        if (text[at] == '"')
            record->reason = "a quotation mark inside an unquoted field";
    if (at == size && !last)
        return SCAN_MORE;
    bool line_end = at == size || text[at] == '\n';
    field->end = (uint32_t)(line_end ? field->start + without_return(text + field->start, at - field->start) : at);
    *next = at;
    return SCAN_RECORD;
}

/* Step over what follows a field: a comma, or the end of the line or of the text. */
static enum scan after_field(const char *text, size_t size, bool last, size_t *at, bool *more_fields) {
    size_t p = *at;
    if (p < size && text[p] == '\r') {
        p++;
        if (p < size && text[p] != '\n')
            return SCAN_BROKEN;
    }
    if (p == size) {
        *at = p;
        return last ? SCAN_RECORD : SCAN_MORE;
    }
    *more_fields = text[p] == ',';
    *at = p + 1;
    return text[p] == ',' || text[p] == '\n' ? SCAN_RECORD : SCAN_BROKEN;
}

static enum scan scan_quoted(const char *text, size_t size, bool last, struct csv_field *fields, size_t room,
                             struct csv_record *record) {
    size_t at = 0;
    for (;;) {
        struct csv_field field;
        enum scan scan = scan_field(text, size, last, at, &field, &at, record);
        if (scan == SCAN_BROKEN)
            return lose(text, size, record, "a quotation mark that is never closed");
        if (scan == SCAN_MORE)
            return scan;
        add_field(fields, room, record, field);
        record->length = field.end + (field.quoted ? 1u : 0u);
        bool more_fields = false;
        scan = after_field(text, size, last, &at, &more_fields);
        if (scan == SCAN_BROKEN)
            return lose(text, size, record, "text after a closing quotation mark");
        if (scan == SCAN_MORE)
            return scan;
        if (!more_fields)
            break;
    }
    record->used = at;
    for (const char *p = text; (p = memchr(p, '\n', record->length - (size_t)(p - text))); p++)
        record->lines++;
    return record->reason ? SCAN_BROKEN : SCAN_RECORD;
}

enum scan csv_scan(const char *text, size_t size, bool last, struct csv_field *fields, size_t room,
                   struct csv_record *record) {
    *record = (struct csv_record){.lines = 1};
    const char *newline = memchr(text, '\n', size);
    if (!newline && !last)
        return SCAN_MORE;
    size_t line = newline ? (size_t)(newline - text) : size;
    if (memchr(text, '"', line))
        return scan_quoted(text, size, last, fields, room, record);
    record->length = without_return(text, line);
    record->used = newline ? line + 1 : line;
    split(text, fields, room, record);
    return SCAN_RECORD;
}

enum scan csv_scan_record(const char *text, size_t size, struct csv_field *fields, size_t room,
                          struct csv_record *record) {
    const enum scan scan = csv_scan(text, size, true, fields, room, record);
    if (scan == SCAN_RECORD && record->used == size && record->fields <= room && !fields[record->fields - 1].quoted)
        record->length = fields[record->fields - 1].end = (uint32_t)size;
    return scan;
}

void csv_put_quoted(struct buffer *out, const char *text, size_t length) {
    buffer_put(out, "\"", 1);
    while (length) {
        const char *mark = memchr(text, '"', length);
        size_t part = mark ? (size_t)(mark - text) + 1 : length;
        buffer_put(out, text, part);
        if (mark)
            buffer_put(out, "\"", 1);
        text += part;
        length -= part;
    }
    buffer_put(out, "\"", 1);
}

void csv_put_field(struct buffer *out, const char *text, size_t length) {
    bool needed = length == 0;
    for (size_t i = 0; i < length && !needed; i++)
        needed = strchr(",\"\r\n", text[i]) && text[i];
    if (needed)
        csv_put_quoted(out, text, length);
    else
        buffer_put(out, text, length);
}
