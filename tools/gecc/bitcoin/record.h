/* From a record of text, CSV or JSON, to transactions with the outputs that they spend. */
#ifndef TOOL_BITCOIN_RECORD_H
#define TOOL_BITCOIN_RECORD_H

#include "bitcoin/inputs.h"
#include "text/buffer.h"
#include "text/csv.h"
#include "text/names.h"

enum { MAX_RECORD_FIELDS = 4096 };

struct record_layout {
    enum format format; /* FORMAT_CSV or FORMAT_JSONL */
    bool as_json;       /* rows are JSON Lines */
    bool blocks;        /* `raw` is a block */
    uint32_t height;    /* of all of them */
    /* CSV: which fields. */
    size_t field_count, raw_field, prevouts_field, txid_field, hash_field; /* field_count: there is none */
    char *header;
    struct csv_field *names, *fields; /* [MAX_RECORD_FIELDS], of the header and of a record */
};

/* Read a CSV header, a line. NULL, or why it cannot be used. */
const char *record_header(struct record_layout *layout, const char *text, size_t size);
/* The names of CSV's columns that are not read, each with a comma. */
void record_kept_header(struct buffer *out, const struct record_layout *layout);
void record_layout_free(struct record_layout *layout);

/* Add what a record holds, malformed or not. A blank one holds nothing. false: not enough memory. */
bool record_take(struct inputs *inputs, const struct record_layout *layout, uint64_t line, const char *text,
                 size_t size);
/* Add a record that could not be read at all. */
bool record_refuse(struct inputs *inputs, const struct record_layout *layout, uint64_t line, const char *reason);

#endif
