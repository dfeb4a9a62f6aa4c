/* Records from a file or pipe: lines, records of CSV, values of JSON, or bytes. */
#ifndef TOOL_RECORD_SOURCE_H
#define TOOL_RECORD_SOURCE_H

#include "files/decompress.h"
#include "command_line/options.h"
#include "text/json_split.h"

#include <stdatomic.h>
#include <stdint.h>

enum { LONGEST_RECORD_BYTES = 64 << 20 /* a block with all that Bitcoin Core says of it has less */ };

enum record_kind { RECORD_LINE, RECORD_CSV, RECORD_JSON };

struct record_source {
    int input;                           /* the descriptor that is read */
    struct decompression *decompression; /* NULL: it is not compressed */
    const char *name;
    const atomic_bool *stop; /* set: read no more */
    enum record_kind kind;
    char *buffer;                 /* has room for a record of the most bytes, and for what is read at once */
    size_t start, used, capacity; /* the record begins at `start` */
    bool ended, skipping;
    size_t scanned;                         /* lines and CSV: of the record, bytes that do not end it */
    size_t lines;                           /* how many lines end in them */
    bool in_quotes, after_quotes, in_field; /* CSV: where it stands then */
    struct json_split split;                /* JSON: of the text from `start` on */
    uint64_t line;                          /* of the next record, from 1 */
    uint64_t bytes_read, bytes_total;
    char error[256];
};

enum source_step {
    SOURCE_RECORD,
    SOURCE_BROKEN, /* a record that cannot be read; its text says nothing */
    SOURCE_LONG,   /* one of more than LONGEST_RECORD_BYTES, which is skipped */
    SOURCE_PAUSE,
    SOURCE_END,
    SOURCE_FAILED
};

struct source_record {
    const char *text;
    size_t size;
    uint64_t line;
};

bool record_source_open(struct record_source *source, const char *path, const atomic_bool *stop);
void record_source_close(struct record_source *source);

/* Begin to read: decompressed, and behind a byte-order mark. *first: the first byte that is no blank, -1: there is
 * none. false: source->error says why it cannot be read. */
bool record_source_begin(struct record_source *source, int *first);

/* The format that the options, the file's name or its first bytes say, after record_source_begin; the kind is set. */
bool record_source_format(struct record_source *source, const struct options *options, enum format *format);

/* The next record, which stays where it is until the next call. Of JSON it is a value, but for an array at the
 * outermost, whose elements are records (text/json_split.h); of CSV and lines, it is without its line end. After one
 * that cannot be read comes the next that is known to begin where it does; where none is, SOURCE_FAILED, and
 * source->error. may_pause: say so where the input has nothing for a while. */
enum source_step record_source_next(struct record_source *source, struct source_record *record, bool may_pause);

/* The next `size` bytes, no more than LONGEST_RECORD_BYTES, which stay; there may be fewer, where the input ends: their
 * number is *record's. Without `take` they are what comes next again. false: source->error. */
bool record_source_bytes(struct record_source *source, struct source_record *record, size_t size, bool take);

#endif
