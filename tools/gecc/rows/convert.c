#define _DEFAULT_SOURCE /* explicit_bzero */

#include "rows/convert.h"
#include "rows/kept.h"
#include "rows/result_text.h"
#include "text/json.h"
#include "text/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_HEADER = 64 << 10, NO_COLUMN = CSV_FIELDS };

static bool fail(struct reader *reader, const char *text, const char *name, size_t length) {
    snprintf(reader->error, sizeof reader->error, "%.80s: the header: %s%.*s", reader->name, text,
             (int)(length < 60 ? length : 60), name);
    return false;
}

static bool same(const struct kept_column *a, const char *name, size_t length) {
    return a->length == length && memcmp(a->name, name, length) == 0;
}

/* The names of the header's fields, in text[length]. */
static bool take_names(struct reader *reader, char *text, const struct csv_field *fields, size_t count) {
    for (size_t f = 0; f < count; f++) {
        struct kept_column *column = &reader->columns[reader->column_count++];
        char *name = text + fields[f].start, *end = name;
        column->name = name;
        for (size_t i = fields[f].start; i < fields[f].end; i++) {
            *end++ = text[i];
            i += fields[f].doubled && text[i] == '"';
        }
        column->length = (size_t)(end - name);
        for (size_t other = 0; other < f; other++)
            if (same(&reader->columns[other], column->name, column->length))
                return fail(reader, NO_MEMBER_TWICE, column->name, column->length);
        const size_t result = result_name_find(reader->mapping, reader->options, column->name, column->length);
        column->result = result < RESULT_NAMES ? (unsigned)result : 0; /* one that stands here: others were renamed */
    }
    return true;
}

bool reader_name_columns(struct reader *reader) {
    struct csv_record record;
    if (reader->format == reader->output || is_jwk(reader->output) || !reader->format || reader->format == FORMAT_RAW ||
        !reader->header_length)
        return true;
    if (reader->header_length > LONGEST_HEADER)
        return fail(reader, "more than 64 KiB of names, which would go into each row", "", 0);
    struct csv_field *fields = calloc(CSV_FIELDS, sizeof *fields);
    reader->columns = calloc(CSV_FIELDS, sizeof *reader->columns);
    reader->names = malloc(reader->header_length);
    bool good = fields && reader->columns && reader->names;
    if (good) {
        memcpy(reader->names, reader->header, reader->header_length);
        good = csv_scan_record(reader->names, reader->header_length, fields, CSV_FIELDS, &record) == SCAN_RECORD &&
               record.fields <= CSV_FIELDS && take_names(reader, reader->names, fields, record.fields);
    }
    free(fields);
    if (!good && !reader->error[0])
        return fail(reader, "more than 4096 columns, or not enough memory", "", 0);
    return good;
}

static void put_text(struct buffer *out, const char *text) { buffer_put(out, text, strlen(text)); }

static void put_member(struct buffer *out, const struct kept_column *column, const char *text,
                       const struct csv_field *field) {
    put_text(out, "\"");
    json_put_text(out, column->name, column->length, false);
    put_text(out, "\":\"");
    json_put_text(out, text + field->start, field->end - field->start, field->doubled);
    put_text(out, "\",");
}

/* A result that is kept in `bytes`. */
static void put_result_member(const struct reader *reader, struct batch *batch, const struct piece *piece) {
    char name[RESULT_NAME_BYTES];
    const struct kept_column column = {
        name, result_name(name, reader->mapping, batch->options, FIRST_RESULT + piece->result), 0};
    put_member(&batch->output, &column, (const char *)batch->bytes + piece->offset,
               &(struct csv_field){.end = piece->length});
}

uint32_t convert_to_members(const struct reader *reader, struct batch *batch, const struct row *row) {
    const struct piece *piece = row_pieces(batch, row);
    const struct kept_column *column = reader->columns, *end = column + reader->column_count;
    const struct kept_column unreadable = {"unreadable", strlen("unreadable"), 0};
    struct csv_record record;
    uint32_t stands = row->stands;
    for (size_t k = 0; k < row->keep_count; k++, piece++) {
        const char *text = batch->text + piece->offset;
        if (piece->kind == PIECE_COMPARED) {
            column++;
        } else if (piece->kind == PIECE_RESULT) {
            put_result_member(reader, batch, piece);
        } else if (piece->kind == PIECE_UNREADABLE) {
            put_member(&batch->output, &unreadable, text, &(struct csv_field){.end = piece->length});
        } else if (csv_scan_record(text, piece->length, batch->fields, CSV_FIELDS, &record) == SCAN_RECORD) {
            for (size_t f = 0; f < record.fields && f < CSV_FIELDS && column < end; f++, column++) {
                stands |= column->result ? 1u << column->result : 0;
                put_member(&batch->output, column, text, &batch->fields[f]);
            }
        }
    }
    return stands;
}

/* A value of JSON in batch->text, which fills the field of a column; as a struct csv_field: `quoted` if it is a string,
 * `doubled` if that has escapes. */
static struct csv_field field_of(const struct batch *batch, const char *value, size_t length) {
    const bool quoted = length && *value == '"';
    const uint32_t start = (uint32_t)(value - batch->text);
    return (struct csv_field){start, start + (uint32_t)length, quoted, quoted && memchr(value, '\\', length)};
}

/* The first column of that name from number *at on, or of all, is number *at. false: there is none. */
static bool find(const struct reader *reader, const char *name, size_t length, size_t *at) {
    if (*at < reader->column_count && same(&reader->columns[*at], name, length))
        return true;
    for (*at = 0; *at < reader->column_count; ++*at)
        if (same(&reader->columns[*at], name, length))
            return true;
    return false;
}

/* Put a value in the field of its column, number *at or another. false: the row cannot be written. */
static bool fill(const struct reader *reader, struct batch *batch, const struct row *row, const char *name,
                 size_t length, struct csv_field value, size_t *at) {
    const bool found = find(reader, name, length, at);
    if (found && !batch->fields[*at].end) {
        batch->fields[(*at)++] = value;
        return true;
    }
    snprintf(batch->refusal, sizeof batch->refusal, "line %llu: a member `%.*s` %s", (unsigned long long)row->line,
             (int)(length < 60 ? length : 60), name,
             found ? "twice, of which CSV has one column"
                   : "which the first row does not have: CSV has no column for it");
    return false;
}

static bool fill_members(const struct reader *reader, struct batch *batch, const struct row *row,
                         const struct piece *piece, size_t *at) {
    struct json_walk walk;
    struct json_member member;
    bool good = true;
    json_walk_init_members(&walk, batch->text + piece->offset, piece->length);
    while (good && json_walk_next(&walk, &member)) {
        size_t length = member.name_length - 2;
        char *copy = member.name_escaped ? json_unescape_any(member.name, member.name_length, &length) : NULL;
        batch->output.failed |= member.name_escaped && !copy;
        good = !batch->output.failed && fill(reader, batch, row, copy ? copy : member.name + 1, length,
                                             field_of(batch, member.value, member.value_length), at);
        free(copy);
    }
    return good;
}

/* false: the row cannot be written. */
static bool fill_fields(const struct reader *reader, struct batch *batch, const struct row *row) {
    const struct piece *piece = row_pieces(batch, row);
    char name[RESULT_NAME_BYTES];
    bool good = true;
    size_t at = 0;
    memset(batch->fields, 0, reader->column_count * sizeof *batch->fields);
    for (size_t k = 0; good && k < row->keep_count; k++, piece++) {
        if (piece->kind == PIECE_TEXT)
            good = fill_members(reader, batch, row, piece, &at);
        else if (piece->kind == PIECE_RENAMED)
            good = fill(reader, batch, row, name,
                        kept_name(name, reader->mapping, batch->options, piece->result, piece->number),
                        field_of(batch, batch->text + piece->offset, piece->length), &at);
    }
    return good;
}

/* A string as the text that it stands for; null is an empty field; all else as it is written. */
static void put_value(struct batch *batch, const struct csv_field *field) {
    const char *text = batch->text + field->start;
    size_t length = field->end - field->start;
    if (field->doubled) {
        char *plain = json_unescape_any(text, length, &length);
        batch->output.failed |= !plain;
        if (plain) {
            csv_put_field(&batch->output, plain, length);
            explicit_bzero(plain, length);
            free(plain);
        }
    } else if (field->quoted) {
        csv_put_field(&batch->output, text + 1, length - 2);
    } else if (length != 4 || memcmp(text, "null", 4) != 0) {
        csv_put_field(&batch->output, text, length);
    }
}

/* What is kept in `bytes` of a result, if anything is. */
static void put_kept_result(struct batch *batch, const struct row *row, unsigned result) {
    const struct piece *piece = row_pieces(batch, row);
    for (size_t k = 0; k < row->keep_count; k++, piece++)
        if (piece->kind == PIECE_RESULT && FIRST_RESULT + (unsigned)piece->result == result)
            csv_put_field(&batch->output, (const char *)batch->bytes + piece->offset, piece->length);
}

void convert_to_fields(const struct reader *reader, struct batch *batch, const struct row *row, uint8_t status) {
    const struct piece *first = row_pieces(batch, row);
    const bool unreadable = row->keep_count && first->kind == PIECE_UNREADABLE;
    if (!fill_fields(reader, batch, row))
        return;
    for (size_t c = 0; c < reader->column_count; c++) {
        if (c)
            put_text(&batch->output, ",");
        if (unreadable && c == 0)
            csv_put_quoted(&batch->output, batch->text + first->offset, first->length);
        else if (batch->fields[c].end)
            put_value(batch, &batch->fields[c]);
        else if (reader->columns[c].result && !(row->stands & 1u << reader->columns[c].result))
            buffer_advance(&batch->output, result_put(buffer_room(&batch->output), batch, row,
                                                      reader->columns[c].result - FIRST_RESULT, status));
        put_kept_result(batch, row, reader->columns[c].result);
    }
}
