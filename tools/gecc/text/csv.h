/* Records of comma-separated values (RFC 4180; line ends LF or CRLF). */
#ifndef TOOL_CSV_H
#define TOOL_CSV_H

#include "text/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSV_FIELDS = 4096 }; /* of a record, at most */

enum scan { SCAN_RECORD, SCAN_MORE, SCAN_BROKEN };

/* A field lies at text[start .. end), quotation marks not included. */
struct csv_field {
    uint32_t start, end;
    bool quoted;
    bool doubled; /* holds "" for a quotation mark */
};

struct csv_record {
    size_t fields; /* all of them, also those beyond the room */
    size_t length; /* without the end of the line */
    size_t used;   /* with it */
    size_t lines;  /* that it spans */
    const char *reason;
    bool lost; /* SCAN_BROKEN: where the next record begins is not known */
};

/* Find the record at the start of text[0 .. size); `last` says that no more text follows. SCAN_MORE: it does not end in
 * this text. SCAN_BROKEN: bad quotation marks; record->reason says which. A mark inside an unquoted field stands for
 * itself, and the record ends where it would without it. Of other records nobody knows whether a line end is theirs:
 * they are `lost`, record->length is that of their first line, and record->used is all of the text. */
enum scan csv_scan(const char *text, size_t size, bool last, struct csv_field *fields, size_t room,
                   struct csv_record *record);

/* The same of a record without the end of its line: a carriage return at the end of text[0 .. size) is the last
 * field's. */
enum scan csv_scan_record(const char *text, size_t size, struct csv_field *fields, size_t room,
                          struct csv_record *record);

/* The text as a field: between quotation marks, whatever it holds, or where it needs them or is empty. */
void csv_put_quoted(struct buffer *out, const char *text, size_t length);
void csv_put_field(struct buffer *out, const char *text, size_t length);

#endif
