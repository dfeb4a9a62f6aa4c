/* csv_scan stays in the text, always moves on, and finds the same record whether or not it sees what follows. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_fields(const struct csv_record *record, const struct csv_field *fields, size_t size) {
    if (record->used > size || record->length > record->used || record->fields == 0)
        abort();
    for (size_t f = 0; f < record->fields && f < ROOM; f++)
        if (fields[f].start > fields[f].end || fields[f].end > record->length)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct csv_field fields[ROOM];
    struct csv_record record;
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    for (size_t at = 0; at < size;) {
        enum scan early = csv_scan(text + at, size - at, false, fields, ROOM, &record);
        enum scan scan = csv_scan(text + at, size - at, true, fields, ROOM, &record);
        if (scan == SCAN_MORE || record.used == 0 || (early != SCAN_MORE && early != scan))
            abort();
        if (scan == SCAN_RECORD) {
            check_fields(&record, fields, size - at);
            check_cut(text + at, &record);
        }
        at += record.used;
    }
    free(text);
    return 0;
}
