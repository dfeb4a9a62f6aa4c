/* Transactions on their way through `gecc senders`: piles of them, filled by a reader, printed by a writer. */
#ifndef TOOL_SENDERS_H
#define TOOL_SENDERS_H

#include "ethereum/json.h"
#include "files/input_file.h"
#include "command_line/command.h"

#include <stdint.h>
#include <stdio.h>

/* What is printed for a row that never became bytes, with the member of an object that it is about. */
struct complaint {
    const char *text, *member;
};

struct pile {
    size_t count, room;
    struct bytes raw; /* of all rows */
    uint64_t *offsets, *lines;
    uint32_t *widths;
    struct complaint *complaints;
    uint8_t (*senders)[20], (*hashes)[32], *types, *reasons, *statuses;
    uint32_t *positions;
    uint64_t *authority_offsets;
    size_t authority_count, authority_room;
    uint8_t (*authorities)[20], *authority_statuses;
    char (*sender_texts)[40], (*authority_texts)[40]; /* checksummed, without 0x */
    gecc_result result;
    double seconds;
    gecc_report report;
    bool last;
};

enum input { INPUT_HEX, INPUT_JSON, INPUT_BLOCKS };

/* Where transactions are read from. */
struct source {
    FILE *file;
    struct input_file input_file; /* what it reads */
    const char *name;
    enum input input;
    uint64_t line;
    char *text; /* a line, or all that is left */
    size_t text_room, text_used, text_at;
    bool whole; /* JSON is not an object a line: text has all of it */
    bool begun;
    int column;     /* of CSV with a header: that of `raw`; -1: lines are hexadecimal */
    json_t *values; /* an array of which some transactions are still to come */
    size_t next;
    char error[160];
};

/* allow_empty: an input with nothing in it is not refused. false: source->error. */
bool source_open(struct source *source, const char *path, bool allow_empty);
void source_close(struct source *source);
/* Some transactions, up to the pile's room or its bytes; none: the end. false: source->error. */
bool source_fill(struct source *source, struct pile *pile);

/* A row of its own; complaint.text NULL: the bytes of pile->raw from `start` on. */
bool pile_add(struct pile *pile, size_t start, uint64_t line, struct complaint complaint);

extern const struct command command_senders;

#endif
