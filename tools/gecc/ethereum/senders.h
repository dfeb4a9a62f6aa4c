/* Transactions on their way through `gecc senders`: piles of them, filled by a reader, printed by a writer. */
#ifndef TOOL_SENDERS_H
#define TOOL_SENDERS_H

#include "ethereum/json.h"
#include "text/buffer.h"
#include "command_line/command.h"
#include "rows/record_source.h"

#include <stdint.h>
#include <stdio.h>

struct pile {
    size_t count, room;
    struct bytes raw;   /* of all rows */
    struct buffer kept; /* what their records have besides, as it is printed */
    uint64_t *offsets, *lines, *kept_ends;
    uint32_t *widths;
    uint32_t *places;  /* among the transactions of its record, from 1; 0: it stands alone */
    char **complaints; /* why a row never became bytes, or is not what its record says; NULL: nothing is wrong so far */
    struct told *told;
    bool *is_encoded; /* the bytes were made from an object: where in them something stands is nothing to tell */
    uint8_t (*senders)[20], (*hashes)[32], *types, *reasons, *statuses;
    uint32_t *positions;
    uint64_t *authority_offsets;
    size_t authority_count, authority_room;
    uint8_t (*authorities)[20], *authority_statuses;
    char (*sender_texts)[40], (*authority_texts)[40]; /* checksummed, without 0x */
    bool is_computed;
    uint64_t counts[4]; /* of rows, by enum outcome */
    struct print rows;
};

enum input { INPUT_HEX, INPUT_CSV, INPUT_JSON, INPUT_BLOCKS };

/* What a column of CSV is to senders. */
enum role { ROLE_KEPT, ROLE_RAW, ROLE_HASH, ROLE_FROM, ROLE_SENDER, ROLE_TYPE };

/* Arrays within arrays, blocks and answers, at most. */
enum { MOST_NESTED = 6 };

/* Where transactions are read from. */
struct source {
    struct record_source records;
    enum input input;
    bool as_json; /* rows are */
    struct source_record record;
    bool has_first; /* the record is one that was read to tell what the input is */
    bool has_left;  /* members went into no row, for want of a column */
    uint64_t found; /* transactions, and blocks that may have none */

    /* CSV. */
    char *header;
    struct csv_field *names, *fields; /* [CSV_FIELDS] */
    uint8_t *roles;
    size_t field_count;

    bool several;   /* the record has several transactions, or may */
    uint32_t place; /* of the last one of them */

    /* What of the record is still to come: elements of arrays in JSON, transactions of a block. */
    struct json_walk walks[MOST_NESTED];
    bool is_block[MOST_NESTED];  /* the array is a block's transactions */
    size_t kept_of[MOST_NESTED]; /* what of `kept` the elements have */
    size_t depth;
    struct bytes block;
    uint64_t *offsets;
    uint32_t *widths;
    size_t block_count, block_next;
    struct buffer kept; /* of the record, or of what its transaction is in */
    char error[320];
};

/* Find out what the input is. stop: as soon as it is set nothing more is read. false: source->error. */
bool source_open(struct source *source, const struct options *options, const atomic_bool *stop);
void source_close(struct source *source);
/* Some transactions, up to the pile's room or its bytes; none: the end. false: source->error. */
bool source_fill(struct source *source, struct pile *pile);

/* What the rows of CSV have besides, as a header: names, each with a comma. */
void source_put_header(const struct source *source, FILE *out);

/* The names of what senders puts into a row. */
extern const char *const sender_results[];

extern const struct command command_senders;

#endif
