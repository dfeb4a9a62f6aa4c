/* Records of text from a file or pipe: lines, or JSON objects that span lines. */
#ifndef TOOL_RECORD_SOURCE_H
#define TOOL_RECORD_SOURCE_H

#include "files/decompress.h"
#include "command_line/options.h"

#include <stdatomic.h>
#include <stdint.h>

struct record_source {
    int input;                           /* what was opened */
    int descriptor;                      /* what is read: the input, or what it decompresses to */
    struct decompression *decompression; /* NULL: it is not compressed */
    const char *name;
    const atomic_bool *stop; /* set: read no more */
    char *buffer;
    size_t start, used, capacity; /* the record begins at `start` */
    size_t scanned;               /* of it: whole lines that do not end it */
    size_t lines;                 /* how many */
    bool ended, skipping;
    uint64_t line; /* of the next record, from 1 */
    uint64_t bytes_read, bytes_total;
    char error[256];
};

enum source_step { SOURCE_RECORD, SOURCE_LONG, SOURCE_PAUSE, SOURCE_END, SOURCE_FAILED };

struct source_record {
    const char *text;
    size_t size;
    uint64_t line;
};

bool record_source_open(struct record_source *source, const struct options *options, const atomic_bool *stop);
void record_source_close(struct record_source *source);

/* What the options, the file's name or its first bytes say. false: source->error says why there is none. */
bool record_source_format(struct record_source *source, const struct options *options, enum format *format);

/* The next record, which stays where it is until the next call. A line that has nothing but `{` begins one that ends with
 * the next line that begins with `}`, or before one that begins with `{`; other lines are records. SOURCE_LONG: one is too long, and skipped. may_pause: say so
 * where the input has nothing for a while. */
enum source_step record_source_next(struct record_source *source, struct source_record *record, bool may_pause);

#endif
