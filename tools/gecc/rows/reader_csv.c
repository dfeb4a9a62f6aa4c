/* CSV: one header, then rows with as many fields. */
#include "text/csv.h"
#include "rows/key_cells.h"
#include "rows/missing_columns.h"
#include "rows/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AHEAD = 1 << 20 /* bytes of a first row that are waited for */ };

static bool fail(struct reader *reader, const char *text, const char *detail) {
    snprintf(reader->error, sizeof reader->error, "%.80s: the header: %.100s%.60s", reader->name, text, detail);
    return false;
}

/* Where a field's text starts and ends, quotation marks included. */
static size_t raw_start(const struct csv_field *field) { return field->start - (field->quoted ? 1u : 0u); }
static size_t raw_end(const struct csv_field *field) { return field->end + (field->quoted ? 1u : 0u); }

static enum column field_column(const struct reader *reader, const char *text, const struct csv_field *field) {
    return column_find(reader->mapping, reader->options, text + field->start, field->end - field->start);
}

static bool has_digest(const struct reader *reader, const char *text, const struct csv_field *fields) {
    for (size_t f = 0; f < reader->field_count; f++)
        if (field_column(reader, text, &fields[f]) == COLUMN_DIGEST)
            return true;
    return false;
}

/* Whether a field is a private key beside documents that are signed with the key of --key-file. */
static bool is_other_key(const struct reader *reader, const char *name, size_t length) {
    return reader->mapping->open && (reader->mapping->made & COLUMN_BIT(PRIV)) &&
           column_named(name, length) == COLUMN_PRIV;
}

/* Which column each field is, and which fields are kept. */
static bool bind_fields(struct reader *reader, const char *text, const struct csv_field *fields) {
    uint32_t present = columns_given(reader->options), given = present;
    bool keeping = false, digest = has_digest(reader, text, fields);
    for (size_t f = 0; f < reader->field_count; f++) {
        const char *name = text + fields[f].start;
        size_t length = fields[f].end - fields[f].start;
        enum column column = field_column(reader, text, &fields[f]);
        if (digest && column_gives_way(reader->options, column, name, length)) {
            column = COLUMN_COUNT;
            reader->unread |= (uint64_t)1 << UNREAD_MESSAGE;
        }
        if (column == COLUMN_COUNT ? is_other_key(reader, name, length) : (given & 1u << column) != 0) {
            char own[64];
            snprintf(own, sizeof own, "%.*s", (int)(length < 60 ? length : 60), name);
            return fail(reader, column == COLUMN_PUB ? "--pub-file, and a column " : "--key-file, and a column ", own);
        }
        if (column != COLUMN_COUNT && (present & 1u << column))
            return fail(reader,
                        "a column twice, by one name or two (--map COLUMN=NAME chooses one): ", column_names[column]);
        if (column != COLUMN_COUNT)
            present |= 1u << column;
        reader->field_columns[f] = column;
        size_t result = result_name_find(reader->mapping, reader->options, name, length);
        bool keep = !column_is_dropped(reader->mapping, name, length);
        bool stands = column_stands(reader->mapping, column, result);
        reader->dropped |= !keep;
        if (column == COLUMN_COUNT && result == RESULT_NAMES)
            note_unread(&reader->unread, reader, name, length);
        if (keep && (!keeping || stands)) {
            if (reader->run_count == KEEP_READ)
                return fail(reader, "a column twice: ", column_names[COLUMN_PRIV]);
            reader->runs[reader->run_count++] =
                (struct run){f, f, stands, (uint8_t)(stands ? result - FIRST_RESULT : 0)};
        }
        if (keep)
            reader->runs[reader->run_count - 1].last = f;
        if (stands)
            reader->stands[result - FIRST_RESULT] = true;
        keeping = keep && !stands;
        reader->kept_fields += keep;
    }
    present = columns_meant(reader->mapping, present);
    reader->told = columns_told(reader->mapping, present);
    if (!form_choose(reader->mapping, reader->options, present)) {
        missing_columns_say(reader->error, sizeof reader->error, reader, text, fields);
        return false;
    }
    const char *reason = columns_refuse(reader->mapping, reader->options, present);
    return !reason || fail(reader, reason, "");
}

/* The name of a field, or another for that of a result: one that no other field has. NULL: there is none. */
static char *put_name(char *out, const struct reader *reader, const char *text, const struct csv_field *field,
                      bool stands, struct kept_names *names) {
    size_t result = result_name_find(reader->mapping, reader->options, text + field->start, field->end - field->start);
    if (result == RESULT_NAMES || stands) {
        size_t length = raw_end(field) - raw_start(field);
        memcpy(out, text + raw_start(field), length);
        return out + length;
    }
    unsigned number = kept_names_take(names, result);
    return number ? out + kept_name(out, reader->mapping, reader->options, result, number) : NULL;
}

static bool copy_header(struct reader *reader, const char *text, const struct csv_field *fields, size_t length) {
    struct kept_names names = {0};
    char *end = reader->header = malloc(length + (reader->field_count + MAX_RESULTS) * RESULT_NAME_BYTES);
    if (!end)
        return fail(reader, "not enough memory", "");
    for (size_t f = 0; f < reader->field_count; f++)
        kept_names_note(&names, reader->mapping, reader->options, text + fields[f].start,
                        fields[f].end - fields[f].start);
    for (size_t r = 0; r < reader->run_count; r++) {
        for (size_t f = reader->runs[r].first; f <= reader->runs[r].last; f++) {
            if (r || f > reader->runs[r].first)
                *end++ = ',';
            end = put_name(end, reader, text, &fields[f], reader->runs[r].compared, &names);
            if (!end)
                return fail(reader, "too many columns with the name of one result", "");
        }
    }
    name_kept_results(reader, (size_t)(end - reader->header));
    return true;
}

static bool use_header(struct reader *reader, const char *text, const struct csv_field *fields,
                       const struct csv_record *record) {
    if (record->fields > CSV_FIELDS)
        return fail(reader, "more than 4096 columns", "");
    reader->field_count = record->fields;
    reader->field_columns = calloc(record->fields, sizeof *reader->field_columns);
    if (!reader->field_columns)
        return fail(reader, "not enough memory", "");
    return bind_fields(reader, text, fields) && copy_header(reader, text, fields, record->length);
}

/* Whether it is the rows that have to say which curve they are on. */
static bool rows_say_curve(const struct reader *reader) {
    return !reader->options->curve && !reader->mapping->modular && !reader->mapping->curve_optional;
}

/* Of a table without a column `curve` the first row has a key that says it: else --curve was forgotten. */
static bool first_row_says_curve(struct reader *reader, const char *text, const struct csv_field *fields,
                                 size_t count) {
    for (size_t f = 0; f < reader->field_count && f < count; f++) {
        struct cell cell = {text + fields[f].start, fields[f].end - fields[f].start, false};
        if (reader->field_columns[f] == COLUMN_CURVE || cell_may_say_curve(reader->field_columns[f], &cell))
            return true;
    }
    return fail(reader, "neither --curve nor a column `curve` says which curve", "");
}

/* Use the header, if there is enough text to judge it by. */
static bool judge_header(struct reader *reader, const char *text, size_t size, bool last,
                         const struct csv_field *fields, const struct csv_record *header) {
    struct csv_record row = {0};
    struct csv_field *row_fields = calloc(CSV_FIELDS, sizeof *row_fields);
    enum scan scan = SCAN_BROKEN;
    if (!row_fields)
        return fail(reader, "not enough memory", "");
    if (rows_say_curve(reader) && (size > header->used || !last))
        scan = csv_scan(text + header->used, size - header->used, last, row_fields, CSV_FIELDS, &row);
    if (scan == SCAN_MORE && size - header->used >= MOST_AHEAD)
        scan = SCAN_BROKEN;
    bool done = scan != SCAN_MORE && use_header(reader, text, fields, header);
    if (done && scan == SCAN_RECORD && row.length)
        done = first_row_says_curve(reader, text + header->used, row_fields, row.fields);
    free(row_fields);
    return done;
}

bool csv_header(struct reader *reader, const char *text, size_t size, bool last, size_t *used) {
    struct csv_field *fields = calloc(CSV_FIELDS, sizeof *fields);
    struct csv_record record = {0};
    if (!fields)
        return fail(reader, "not enough memory", "");
    bool done = false;
    if (size == 0 && last) {
        fail(reader, "there is none", "");
    } else {
        enum scan scan = csv_scan(text, size, last, fields, CSV_FIELDS, &record);
        if (scan == SCAN_BROKEN)
            fail(reader, record.reason, "");
        else if (scan == SCAN_RECORD)
            done = judge_header(reader, text, size, last, fields, &record);
    }
    *used = record.used;
    reader->line = 1 + record.lines;
    free(fields);
    return done;
}

static void keep(const struct batch *batch, struct row *row, enum piece_kind kind, size_t start, size_t end) {
    struct piece *pieces = row_pieces(batch, row);
    pieces[row->keep_count++] = (struct piece){(uint32_t)start, (uint32_t)(end - start), (uint8_t)kind, 0, 0};
}

static void keep_runs(const struct reader *reader, const struct batch *batch, struct row *row, size_t offset) {
    for (size_t r = 0; r < reader->run_count; r++) {
        const struct run *run = &reader->runs[r];
        const struct csv_field *first = &batch->fields[run->first], *last = &batch->fields[run->last];
        bool empty = run->compared && first->start == first->end;
        keep(batch, row, empty ? PIECE_COMPARED : PIECE_TEXT, offset + raw_start(first), offset + raw_end(last));
        if (empty)
            row_pieces(batch, row)[row->keep_count - 1].result = run->result;
    }
}

/* Fields of results that the row's document does not have. */
static void pad_made_fields(const struct reader *reader, const struct batch *batch, struct row *row) {
    const struct piece *pieces = row_pieces(batch, row);
    size_t there = 0;
    while (there < row->keep_count && pieces[row->keep_count - 1 - there].kind == PIECE_RESULT)
        there++;
    row->padding += (uint32_t)(reader->made_fields - there);
}

/* The text of a row that cannot be read, in as many fields as others have: what is too much is in the last. Where a
 * column holds secrets that are not to go into the output, nobody knows where this row has them. */
static void keep_unreadable(const struct reader *reader, struct batch *batch, struct row *row, size_t offset,
                            size_t length, size_t fields) {
    size_t last = reader->field_count - 1;
    if (reader->kept_fields - reader->made_fields < reader->field_count)
        return;
    if (!mapping_keeps_keys(batch->mapping) && may_hold_secret(batch->text + offset, length)) {
        batch->dropped = true;
        return;
    }
    if (fields > last + 1) {
        size_t start = raw_start(&batch->fields[last]);
        if (last)
            keep(batch, row, PIECE_TEXT, offset, offset + start - 1);
        keep(batch, row, PIECE_UNREADABLE, offset + start, offset + length);
        row->padding = (uint32_t)reader->made_fields;
    } else {
        keep(batch, row, fields ? PIECE_TEXT : PIECE_UNREADABLE, offset, offset + length);
        row->padding = (uint32_t)(reader->field_count - (fields ? fields : 1) + reader->made_fields);
    }
}

/* Lines without quotation marks are found by their ends; a record with one may have more lines than one. */
static void split(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    (void)reader;
    while (split->bytes < size && split->records < split->most && !split->lost) {
        const char *at = text + split->bytes;
        size_t left = size - split->bytes;
        const char *mark = memchr(at, '"', left);
        if (scan_lines(at, mark ? (size_t)(mark - at) : left, last && !mark, split))
            continue;
        struct csv_record record;
        if (!mark || csv_scan(at, left, last, NULL, 0, &record) == SCAN_MORE)
            return;
        split->bytes += record.used;
        split->lines += record.lines;
        split->records++;
        split->lost = record.lost;
    }
}

static size_t take(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    struct csv_record record;
    enum scan scan = csv_scan(text, size, batch->text_ends, batch->fields, reader->field_count, &record);
    uint64_t line = batch->line;
    batch->line += record.lines;
    if (scan == SCAN_RECORD && record.length == 0)
        return record.used;
    struct row *row = batch_add(batch, line);
    size_t offset = (size_t)(text - batch->text);
    if (scan == SCAN_BROKEN) {
        row_break(row, COLUMN_COUNT, record.reason);
        keep_unreadable(reader, batch, row, offset, record.length, 0);
    } else if (record.fields != reader->field_count) {
        row_break(row, COLUMN_COUNT,
                  record.fields < reader->field_count ? "fewer fields than the header has"
                                                      : "more fields than the header has");
        keep_unreadable(reader, batch, row, offset, record.length, record.fields);
    } else {
        struct cell cells[COLUMN_COUNT];
        cells_clear(batch, cells);
        for (size_t f = 0; f < reader->field_count; f++) {
            const struct csv_field *field = &batch->fields[f];
            if (reader->field_columns[f] != COLUMN_COUNT)
                cells[reader->field_columns[f]] =
                    (struct cell){text + field->start, field->end - field->start, field->doubled};
        }
        keep_runs(reader, batch, row, offset);
        row_decode(batch, row, cells);
        pad_made_fields(reader, batch, row);
    }
    return record.used;
}

const struct dialect dialect_csv = {split, take, NULL, "\n\""};
