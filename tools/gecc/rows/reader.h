/* Readers: from a file descriptor to rows in a batch. */
#ifndef TOOL_READER_H
#define TOOL_READER_H

#include "rows/decode.h"
#include "files/decompress.h"
#include "rows/result_names.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RECORD_BYTES = BATCH_TEXT_BYTES / 2 }; /* the longest record */

enum { MAX_TALLIES = 24 };

struct reader;

/* Whole records at the start of a text. */
struct split {
    size_t most; /* records that are wanted */
    size_t records, bytes, lines;
    bool lost; /* where the record after them begins is not known: the rest is not to be read */
};

/* Add the lines at the start of text[0 .. size) to a split, a record each; `last`: what follows the last line end is a
 * line too. Returns their bytes. */
size_t scan_lines(const char *text, size_t size, bool last, struct split *split);

/* The line at the start of text[0 .. size) without its end; *used: with it. */
size_t line_length(const char *text, size_t size, size_t *used);

/* What the formats do differently. */
struct dialect {
    /* Add to *split the whole records that follow text[0 .. split->bytes) in text[0 .. size). `last`: no text comes
     * after it, so that all of it is whole. */
    void (*split)(const struct reader *reader, const char *text, size_t size, bool last, struct split *split);
    /* Take the record at the start of text[0 .. size), which lies in batch->text, into the batch, unless it is blank:
     * one that was split off, with the text that followed it then. Returns its bytes. */
    size_t (*take)(const struct reader *reader, struct batch *batch, const char *text, size_t size);
    /* The columns_told of the record at the start of text[0 .. size), whose bytes are *used. NULL: the header says. */
    uint32_t (*told)(const struct reader *reader, const char *text, size_t size, size_t *used);
    /* A record that was not whole is so only once one of these characters has come; "": any may have ended it. Where a
     * quotation mark is among them, line ends between two of them end no record. */
    const char *ends;
};

/* Where reading has got to. Of a regular file that is not compressed, one thread at a time gives out ranges, which any
 * number of threads read, until one of them does not fit: has a quotation mark, a record that is too long, more rows
 * than a batch. What was given out after it is dropped then, and reading takes another course from where it begins. */
struct course {
    pthread_mutex_t lock;
    bool ranges; /* there may be some to give out */
    bool begins; /* a record begins at `next` */
    bool turned; /* another course was taken, and the thread that reads does not know yet */
    bool ended;  /* no text that is read from now on is used */
    uint64_t number;
    uint64_t next, limit; /* where the next range begins, and where a record ends, after which there are none */
    uint64_t reached;     /* where the last batch ended, in order */
    size_t rows;          /* of a batch */
    double record_bytes;  /* of a record, in the range of all so far that had the shortest ones */
};

/* What it reads is parsed by any number of threads. */
struct reader {
    int input;                           /* the descriptor that is read */
    struct decompression *decompression; /* NULL: it is not compressed */
    const char *name;                    /* of the input, for messages */
    const struct mapping *mapping;
    const struct options *options;
    enum format format; /* FORMAT_UNKNOWN: documents one after another */
    enum format output; /* of the rows that are written */
    const struct dialect *dialect;
    const atomic_bool *stop; /* set: read no more */

    bool ended;
    bool empty;    /* there was nothing but blanks */
    bool stopped;  /* as `stop` asks: what is read is of no use any more */
    bool skipping; /* the rest of a record that was too long */
    bool lost;     /* after the last record, which cannot be read: the rest is not read */
    char *carry;   /* text read and not yet taken */
    size_t carry_used, carry_capacity;
    struct course course;
    uint64_t records;     /* before the next one to be read */
    uint64_t line;        /* of the next record, from 1, in the order of batches; raw: its number */
    uint32_t told;        /* columns that rows have to have, as the header or the first row says: see columns_told */
    uint64_t bytes_read;  /* of the input */
    uint64_t bytes_total; /* 0: not known */
    uint64_t complaints;  /* broken lines so far */
    struct tally {
        const char *reason;
        enum column column;
        uint64_t count;
    } tallies[MAX_TALLIES]; /* of the reasons why rows are broken; the last is of all others */
    bool dropped;           /* a column with secrets, in the header or in a batch so far: see column_is_dropped */
    uint64_t unread;        /* columns of the header, or of batches so far: see unread_find */
    uint64_t unread_said;   /* of those, named on standard error */
    char error[1024];

    /* CSV: what the header says. */
    size_t field_count;
    enum column *field_columns; /* COLUMN_COUNT: passed through */
    size_t run_count;           /* runs of fields that are kept */
    struct run {
        size_t first, last;
        bool compared; /* a field that is in the place of the result number `result` */
        uint8_t result;
    } runs[KEEP_READ];
    bool stands[MAX_RESULTS]; /* results in the place of which a field stands */
    size_t kept_fields;
    size_t made_fields; /* of those, results that stand behind the input's own: RESULT_KEPT */
    char *header;       /* the names of what is kept */
    size_t header_length;
    struct kept_column { /* of the header, where rows are converted */
        const char *name;
        size_t length;
        unsigned result; /* the name in whose place it stands; 0: none */
    } * columns;
    size_t column_count;
    char *names; /* where they are */

    struct layout layout; /* raw */
};

/* Open the input, find its format and read the header if it has one. false: reader->error says why not. */
bool reader_open(struct reader *reader, const struct mapping *mapping, const struct options *options,
                 const atomic_bool *stop);
void reader_close(struct reader *reader);

/* How many lines were broken, and why, where not each of them was named. */
void reader_say_tallies(const struct reader *reader);

/* Fill an empty batch with the text of whole records. Returns early with some when the input pauses. false: an I/O
 * error. A batch without text: the end. */
bool reader_read(struct reader *reader, struct batch *batch);

/* Rows that batches have room for: from now on ranges of the input may be read by any threads, if it is such a one. */
void reader_use_ranges(struct reader *reader, size_t rows);

/* Make the batch empty, and fill it by reader_read, or give it the range that reader_load is to read; one thread at a
 * time. batch->is_last: there will be no more, unless reader_order says so. */
void reader_take(struct reader *reader, struct batch *batch);

/* Read the batch's range, if it has one; any number of threads at once. */
void reader_load(const struct reader *reader, struct batch *batch);

/* Number the batch's lines, in the order of the batches; a batch that is of no use becomes empty. true: there is more
 * to be taken, even after the last one. */
bool reader_order(struct reader *reader, struct batch *batch);

/* From the text of a batch to its rows; any number of threads at once. */
void reader_parse(const struct reader *reader, struct batch *batch);

/* Whether it has read all that there was; if not, error says why not. */
bool reader_reached_end(struct reader *reader);

/* Name its broken lines on standard error, the first ones at least. In the order of the batches. */
void reader_complain(struct reader *reader, const struct batch *batch);

/* dialect.split where each line is a record. */
void split_lines(const struct reader *reader, const char *text, size_t size, bool last, struct split *split);

extern const struct dialect dialect_csv, dialect_jsonl, dialect_raw;

/* The columns that rows of CSV have which are made of objects like the first, in text[0 .. size). */
bool jsonl_header(struct reader *reader, const char *text, size_t size);

/* Interpret the CSV header that starts the text; *used says how long it is. */
bool csv_header(struct reader *reader, const char *text, size_t size, bool last, size_t *used);
/* From here on the input is tokens, or certificates, under one key. */
bool jwt_open(struct reader *reader);
bool x509_open(struct reader *reader); /* its first two bytes are in the carry */
/* Documents are in a column of a table if --format, a brace or a header says so: then reader->format is the table's;
 * else they stand one after another. The first bytes are in the carry. */
bool documents_find_table(struct reader *reader);
/* Read until the carry holds `size` bytes or the input ends. */
bool carry_fill(struct reader *reader, size_t size);
/* What tokens and certificates have in common: the column that is kept of them, and the results that are. */
bool records_open(struct reader *reader, const struct dialect *dialect, const char *name);
bool x509_can_be_read(struct reader *reader);
/* Whether certificates that begin so are in DER. */
bool is_der(const char *text, size_t size);
/* What is kept, in its order, behind the `length` bytes of reader->header that have the input's own columns: the names
 * of the results that readers find. There is room for them. */
void name_kept_results(struct reader *reader, size_t length);
/* Find the names of reader->header, where rows are written in another format. false: reader->error says why they cannot
 * be. */
bool reader_name_columns(struct reader *reader);
/* Keep nothing of rows that are terms of sums but the names of these. false: reader->error says why not. */
bool reader_keep_names(struct reader *reader);
/* Interpret --columns or the command's own list. */
bool raw_layout(struct reader *reader);

/* The format that first bytes tell; FORMAT_UNKNOWN: they do not. See format_of_name. */
enum format format_of_text(const char *text, size_t size);

/* Set the bit of a column that is not read, if that name is such a one. */
static inline void note_unread(uint64_t *unread, const struct reader *reader, const char *name, size_t length) {
    const bool is_claim = reader->mapping->of_objects && reader->format == FORMAT_JSONL;
    const unsigned found = is_claim ? UNREAD_NONE : unread_find(reader->mapping, reader->options, name, length);
    if (found != UNREAD_NONE)
        *unread |= (uint64_t)1 << found;
}

/* The line ends in a text. */
size_t count_lines(const char *text, size_t size);

/* How many bytes at its start are white space. */
size_t skip_blank(const char *text, size_t size);

#endif
