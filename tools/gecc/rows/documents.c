#include "rows/documents.h"
#include "rows/reader.h"
#include "text/hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(struct reader *reader, const char *text) {
    snprintf(reader->error, sizeof reader->error, "%.100s: %.150s", reader->name, text);
    return false;
}

const char *document_key(struct batch *batch, enum column column, size_t i, const struct key_file *key) {
    struct span *span = &batch->cells[column][i];
    const char *reason = batch_take(batch, key->count / 2, span);
    if (!reason)
        hex_decode(batch->bytes + span->offset, key->digits, key->count);
    return reason;
}

void document_keep(struct batch *batch, struct row *row, size_t result, const char *text, size_t length) {
    struct span span;
    if (batch_take(batch, length, &span))
        return;
    if (length)
        memmove(batch->bytes + span.offset, text, length); /* it may lie in the room that was taken */
    row_pieces(batch, row)[row->keep_count++] =
        (struct piece){span.offset, span.length, PIECE_RESULT, (uint8_t)result, 0};
}

void name_kept_results(struct reader *reader, size_t length) {
    for (size_t r = 0; r < MAX_RESULTS; r++) {
        if (reader->mapping->results[r].kind != RESULT_KEPT)
            continue;
        reader->stands[r] = true;
        reader->kept_fields++;
        reader->made_fields++;
        reader->header[length++] = ',';
        length += result_name(reader->header + length, reader->mapping, reader->options, FIRST_RESULT + r);
    }
    reader->header_length = length;
}

bool records_open(struct reader *reader, const struct dialect *dialect, const char *name) {
    reader->dialect = dialect;
    reader->kept_fields = 1;
    reader->header = malloc(strlen(name) + MAX_RESULTS * RESULT_NAME_BYTES);
    if (!reader->header)
        return fail(reader, "not enough memory");
    memcpy(reader->header, name, strlen(name));
    name_kept_results(reader, strlen(name));
    return !reader->options->map || fail(reader, "--map names columns, and this input has none");
}

/* Whether the line is a header with the column of the mapping's documents. */
static bool names_document(const struct reader *reader, const char *line, size_t size) {
    struct csv_field *fields = calloc(CSV_FIELDS, sizeof *fields);
    struct csv_record record;
    bool found = false;
    if (fields && csv_scan(line, size, true, fields, CSV_FIELDS, &record) == SCAN_RECORD)
        for (size_t f = 0; f < record.fields && f < CSV_FIELDS; f++)
            found |= column_find(reader->mapping, reader->options, line + fields[f].start,
                                 fields[f].end - fields[f].start) == reader->mapping->document;
    free(fields);
    return found;
}

bool documents_find_table(struct reader *reader) {
    enum { LONGEST_HEADER = 64 << 10 };
    if (!carry_fill(reader, 2) || (reader->options->x509 && !x509_can_be_read(reader)))
        return false;
    reader->format = reader->empty ? FORMAT_UNKNOWN : reader->options->format;
    while (!reader->format && !(reader->options->x509 && is_der(reader->carry, reader->carry_used))) {
        const size_t blank = skip_blank(reader->carry, reader->carry_used);
        size_t used, length = line_length(reader->carry, reader->carry_used, &used);
        if (blank < reader->carry_used && reader->carry[blank] == '{')
            reader->format = FORMAT_JSONL;
        else if (used > length || reader->ended || used > LONGEST_HEADER)
            return !names_document(reader, reader->carry, length) || (reader->format = FORMAT_CSV);
        else if (!carry_fill(reader, reader->carry_used + 1))
            return false;
    }
    return true;
}
