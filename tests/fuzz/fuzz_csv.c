/* csv_scan stays in the text, always moves on, and finds the same record whether or not it sees what follows. Fields
 * and line end are all that a record consists of, and any text comes back from a quoted field. */
#include "text/csv.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Quotation marks come in pairs where there may be some; what ends a field is not inside one. */
static void check_contents(const char *text, const struct csv_field *field) {
    bool doubled = false;
    for (size_t at = field->start; at < field->end; at++) {
        if (text[at] == '"') {
            doubled = true;
            if (!field->quoted || ++at == field->end || text[at] != '"')
                abort();
        } else if (!field->quoted && (text[at] == ',' || text[at] == '\n')) {
            abort();
        }
    }
    if (doubled != field->doubled)
        abort();
}

/* Fields follow one another with a comma between them, up to the record's length. */
static void check_fields(const char *text, const struct csv_record *record, const struct csv_field *fields) {
    size_t at = 0;
    if (record->fields == 0)
        abort();
    for (size_t f = 0; f < record->fields && f < ROOM; f++) {
        size_t mark = fields[f].quoted ? 1 : 0;
        if (f > 0 && text[at++] != ',')
            abort();
        if (fields[f].start != at + mark || fields[f].start > fields[f].end || fields[f].end + mark > record->length ||
            (mark && (text[at] != '"' || text[fields[f].end] != '"')))
            abort();
        check_contents(text, &fields[f]);
        at = fields[f].end + mark;
    }
    if (record->fields <= ROOM && at != record->length)
        abort();
}

/* What lies between length and used is one line end, all of it; `lines` counts it and those in the record. */
static void check_line_end(const char *text, size_t size, const struct csv_record *record, bool quoted) {
    if (record->length > record->used || record->used > size)
        abort();
    const char *end = text + record->length;
    size_t width = record->used - record->length, lines = 1;
    bool newline = width && end[width - 1] == '\n', carriage = width > newline && end[0] == '\r';
    if (width != (size_t)newline + carriage || (!newline && record->used != size) ||
        (!carriage && !quoted && record->length && end[-1] == '\r'))
        abort();
    for (size_t at = 0; at < record->length; at++)
        lines += text[at] == '\n';
    if (lines != record->lines)
        abort();
}

/* A broken record has a quotation mark. Where the next one begins after it is known, it ends with a line; else it is
 * all there is. */
static void check_broken(const char *text, size_t size, const struct csv_record *record) {
    if (!record->reason || !memchr(text, '"', record->used) || record->length > record->used)
        abort();
    if (record->used != size && (record->lost || text[record->used - 1] != '\n'))
        abort();
}

/* Text that is cut off after the record gives the same record. */
static void check_cut(const char *text, const struct csv_record *record) {
    struct csv_field fields[ROOM];
    struct csv_record again;
    char *cut = malloc(record->used);
    memcpy(cut, text, record->used);
    if (csv_scan(cut, record->used, true, fields, ROOM, &again) != SCAN_RECORD || again.used != record->used ||
        again.fields != record->fields || again.lines != record->lines)
        abort();
    free(cut);
}

/* The bytes as a quoted field, followed by an empty one. */
static void check_quoted(const uint8_t *data, size_t size) {
    struct csv_field fields[ROOM];
    struct csv_record record;
    char *text = malloc(2 * size + 3);
    size_t length = 0;
    text[length++] = '"';
    for (size_t i = 0; i < size; i++) {
        text[length++] = (char)data[i];
        if (data[i] == '"')
            text[length++] = '"';
    }
    text[length++] = '"';
    text[length++] = ',';
    if (csv_scan(text, length, true, fields, ROOM, &record) != SCAN_RECORD || record.fields != 2 ||
        record.used != length || fields[0].start != 1 || fields[0].end != length - 2 || fields[1].start != length)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct csv_field fields[ROOM];
    struct csv_record record;
    char *text = malloc(size);
    memcpy(text, data, size);
    for (size_t at = 0; at < size;) {
        enum scan early = csv_scan(text + at, size - at, false, fields, ROOM, &record);
        enum scan scan = csv_scan(text + at, size - at, true, fields, ROOM, &record);
        if (scan == SCAN_MORE || record.used == 0 || (early != SCAN_MORE && early != scan))
            abort();
        if (scan == SCAN_RECORD) {
            check_fields(text + at, &record, fields);
            bool quoted = record.fields > ROOM || fields[record.fields - 1].quoted;
            check_line_end(text + at, size - at, &record, quoted);
            check_cut(text + at, &record);
        } else {
            check_broken(text + at, size - at, &record);
        }
        at += record.used;
    }
    check_quoted(data, size);
    free(text);
    return 0;
}
