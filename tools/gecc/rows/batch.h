/* A batch: some thousand rows on their way from a reader through the library to the writer. One thread at a time has
 * it.
 *
 * Text stays where it was read; cells are decoded into `bytes` and found by offset. Rows that one call of the library
 * can take (same curve, form, format, modulus) make a group; batch_close gives each row of a group a slot, so that
 * groups are ranges of slots. Columns, statuses and results lie in the order of slots. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include "command_line/command.h"
#include "command_line/options.h"
#include "keys/jwk_text.h"
#include "text/csv.h"
#include "text/buffer.h"
#include "text/json.h"

#define SLOT_NONE UINT32_MAX

/* The length of the name of a row's sum where it could not be read. */
#define NAME_NONE UINT32_MAX

/* 0x and the digits of an Ethereum address. */
enum { ADDRESS_TEXT_BYTES = 2 + 2 * GECC_ADDRESS_BYTES };

enum { OBJECT_MEMBERS = 32 };

/* Pieces of a record that are passed through, and with those that are made of its document. */
enum { KEEP_READ = 12, KEEP_MAX = KEEP_READ + MAX_RESULTS };

struct span {
    uint32_t offset, length;
};

enum piece_kind {
    PIECE_TEXT,      /* as it stands */
    PIECE_TOKEN,     /* JSON: the value of the member `token`, without its quotation marks */
    PIECE_MADE,      /* as it stands, but in `bytes` */
    PIECE_COMPARED,  /* CSV: an empty field in whose place the result number `result` comes */
    PIECE_RENAMED,   /* JSON: the value of a member that gets the kept_name `number` of the name `result` */
    PIECE_RESULT,    /* text in `bytes` that is the result number `result` */
    PIECE_UNREADABLE /* CSV: one quoted field; JSON: the member `unreadable` */
};

/* Text of the input that goes into the output. */
struct piece {
    uint32_t offset, length;
    uint8_t kind, result;
    uint16_t number;
};

/* A cell as a reader found it. text NULL: not there. */
struct cell {
    const char *text;
    size_t length;
    bool doubled; /* CSV: "" stands for one quotation mark */
};

/* The text of a cell, in which "" may stand for one quotation mark; malloc'ed. NULL: no memory. */
char *cell_copy(const struct cell *cell, size_t *size);

/* Why a reader refuses a row. text NULL: it does not. */
struct refusal {
    const char *text;   /* static */
    enum column column; /* COLUMN_COUNT: the row as a whole */
    enum verdict verdict;
    bool broken;    /* the line itself is broken: it is named on standard error */
    bool of_holder; /* it is of the token of an SD-JWT's holder, and not of the issuer's */
    bool differs;   /* its result, which the reason names, is not what the column says */
};

struct row {
    uint64_t line;
    uint32_t group;
    uint32_t slot;                   /* SLOT_NONE where refused */
    uint32_t keep_first, keep_count; /* of the batch's pieces: see row_pieces */
    uint32_t padding;                /* CSV: empty fields behind what is kept */
    uint32_t stands;                 /* JSON: bits of results in the place of which the row's own members stand */
    struct refusal refusal;
};

/* Rows behind each other that are terms of one sum, and that sum. */
struct stretch {
    uint32_t first, count;                    /* rows */
    uint32_t refused;                         /* the first row that is no term; SLOT_NONE: all are */
    gecc_curve curve;                         /* of the first term; 0: there is none */
    const char *reason;                       /* why that row is refused, which reads ok itself; NULL: it does not */
    uint8_t status;                           /* of the sum: a gecc_item */
    uint8_t point[2 * GECC_CURVE_BYTES_MOST]; /* raw */
};

struct group {
    gecc_curve curve;
    gecc_hash hash;          /* of its messages; GECC_HASH_DEFAULT: its rows do not say */
    uint32_t form;           /* columns that its rows have */
    bool der;                /* its signatures are DER */
    uint32_t exponent_bytes; /* the widest exponent */
    uint32_t modulus_bytes;
    uint8_t modulus[MAX_MODULUS_BYTES]; /* big-endian, modulus_bytes of them */
    uint32_t next;                      /* in its hash chain */
    size_t first, count;                /* slots */
};

/* A text of the command line, in `bytes` once it was needed. */
struct given_text {
    struct span span;
    bool taken;
};

/* What the last row was found to be, for those like it: where curve, hash and modulus are the same for all rows, what
 * is to be done depends on which columns a row has. */
struct plan {
    bool valid;
    uint32_t present; /* columns that a row must have to be like it */
    uint32_t columns; /* that are decoded */
    struct group key;
    uint32_t group[2]; /* by key.der; UINT32_MAX: not yet known */
};

/* Where the columns of a raw row lie. */
struct layout {
    size_t count;
    enum column columns[COLUMN_COUNT];
    size_t widths[COLUMN_COUNT];
    size_t row_bytes;
    uint32_t form;
    size_t modulus_offset; /* SIZE_MAX: no such column */
    size_t exponent_bytes;
    size_t result_bytes[MAX_RESULTS]; /* what the rows that are written have after the status */
};

/* What part of a file a worker reads into a batch: rows, or records that begin in bytes from .. to - 1. */
struct range {
    bool is_wanted;
    bool begins;       /* a record is known to begin at `from` */
    bool fits;         /* the records could be told apart, and there are not too many */
    uint64_t from, to; /* to: once it was read, where the records end */
    uint64_t course;   /* of reading: see struct course in reader.h */
};

struct batch {
    const struct mapping *mapping;
    const struct options *options;
    size_t capacity; /* rows */

    char *text;
    size_t text_capacity;
    size_t text_used;
    size_t text_start, text_whole; /* of that, whole records: text[text_start .. text_whole) */
    size_t records, lines;         /* in them, blank ones too */
    uint64_t line;                 /* of the next record of text */
    uint64_t number;               /* of records before it */
    uint64_t bytes_read;           /* of the input, up to this batch's end */
    struct range range;
    uint32_t told;  /* columns that the first row has, and all must: see columns_told; 0: there was none that has any */
    bool text_ends; /* no text follows text_used */
    bool long_record; /* one that is too long follows text_whole, and is not there */
    bool is_last;     /* the input had no more when it was read */
    bool stopped;     /* not to be computed */
    bool skipped;     /* nor written: the program was interrupted before */
    char fault[256];  /* why nothing is read after it; empty: nothing is wrong */

    uint8_t *bytes;
    size_t bytes_used, bytes_capacity;
    struct given_text id, context; /* for rows that say none */
    struct authorities *gathered;  /* not NULL: certificates go there, and make no rows */

    enum kind kinds[COLUMN_COUNT]; /* of columns, as the options say: column_kind */
    uint8_t columns[COLUMN_COUNT]; /* the mapping's */
    size_t column_count;
    uint32_t columns_read; /* bits of them */
    struct plan plan;
    struct csv_field *fields;    /* [CSV_FIELDS] of the record that is being read */
    struct json_member *members; /* [OBJECT_MEMBERS] of the object that is being read, where it is read as a whole */
    size_t member_count;         /* OBJECT_MEMBERS + 1: there are more */

    size_t count;
    const struct layout *laid; /* of raw rows that lie in `text`, none of them refused: neither `rows` nor `cells` are
                                  used. NULL: other rows */
    bool is_even;    /* slots are rows, in each column as far apart, and as wide: `offsets` are not used, nor `widths`
                        where the library may be told of one width */
    bool has_broken; /* rows whose refusal is `broken` */
    bool dropped;    /* columns with secrets: see column_is_dropped */
    uint64_t unread; /* bits of unread_find that rows have */
    struct row *rows;
    struct piece *keep; /* [capacity * KEEP_MAX] of all rows, in their order */
    struct span *cells[COLUMN_COUNT];

    size_t group_count;
    struct group *groups; /* [capacity] */
    uint32_t *chains;     /* [CHAINS] */

    uint32_t *order; /* slot -> row */
    uint64_t *offsets[COLUMN_COUNT];
    uint32_t *widths[COLUMN_COUNT];
    uint8_t *status;
    uint8_t *result[MAX_RESULTS]; /* of RESULT_BYTES spans */
    uint32_t *result_widths[MAX_RESULTS];
    uint8_t *scratch;        /* [capacity][SCRATCH_BYTES]: digests and keys on their way */
    uint8_t *scratch_status; /* [capacity] */

    char unknown_curve[NAMES_LIST_BYTES + 8], unknown_hash[NAMES_LIST_BYTES + 8]; /* reasons */

    gecc_result outcome; /* of the library's calls */
    double seconds;      /* in the library */
    gecc_report report;

    size_t stretch_count;      /* where rows are terms of sums */
    struct stretch *stretches; /* [capacity] */
    uint8_t *terms;            /* [capacity][TERM_BYTES]: scalars, points, sums and their statuses */

    struct buffer output; /* what is to be written */
    char refusal[160];    /* why it cannot be, in the format that is asked for; empty: it can */
    uint64_t verdicts[VERDICT_COUNT];
};

enum {
    BATCH_TEXT_BYTES = 32 << 20,       /* of a batch, at least */
    BATCH_TEXT_BYTES_MOST = 128 << 20, /* where it has rows enough */
    SCRATCH_BYTES = MAX_DIGEST_BYTES + 65,
    TERM_BYTES = 5 * GECC_CURVE_BYTES_MOST + 1,
    CIPHERTEXT_MORE = 116,       /* bytes of a ciphertext of SM2 besides its text's, at most */
    CERTIFICATE_TEXT_BYTES = 272 /* what is made of a certificate besides names */
};

/* NULL: not enough memory. */
struct batch *batch_create(const struct mapping *mapping, const struct options *options, size_t capacity);
void batch_free(struct batch *batch);

/* Make it empty; wipes what it held if that was secret. */
void batch_reset(struct batch *batch);

/* Begin a row. There must be room: count < capacity. */
struct row *batch_add(struct batch *batch, uint64_t line);
/* The pieces that are kept of a row; the last one that was begun may get more, KEEP_MAX in all. */
static inline struct piece *row_pieces(const struct batch *batch, const struct row *row) {
    return batch->keep + row->keep_first;
}
void row_refuse(struct row *row, enum column column, const char *reason);
void row_break(struct row *row, enum column column, const char *reason);
/* It has this verdict without being computed. */
void row_judge(struct row *row, enum column column, enum verdict verdict, const char *reason);
/* It is well formed, and what comes out is not what the column says. */
void row_differs(struct row *row, enum column column);

/* *span = space for `count` bytes in batch->bytes. NULL, or why a row is refused that needs them: there is room for all
 * that the text can become, and nothing is written where that should be wrong. */
const char *batch_take(struct batch *batch, size_t count, struct span *span);
extern const char batch_is_full[]; /* that reason */
/* Bytes that may be written at batch->bytes + batch->bytes_used before they are taken. */
static inline size_t batch_room(const struct batch *batch) { return batch->bytes_capacity - batch->bytes_used; }

/* The group like *key (curve, form, der, modulus), made if there is none yet. */
struct group *batch_group(struct batch *batch, const struct group *key);

/* No more rows: sort them by group and gather their columns. */
void batch_close(struct batch *batch);

/* Call the mapping's function for each group. */
void batch_run(struct batch *batch, gecc_context *context);

/* What the rows or --hash say; GECC_HASH_DEFAULT: neither does. */
gecc_hash group_hash_given(const struct group *group, const struct options *options);

/* The hash of a message in the group: what is given, or what goes with the curve; with SM2 it is of Z and the
 * message. */
gecc_hash group_hash(const struct group *group, const struct options *options);

/* --scheme, or what goes with the curve. */
enum scheme group_scheme(const struct group *group, const struct options *options);

/* The bytes of the mapping's result number r (of a signature: raw). */
size_t result_width(const struct mapping *mapping, size_t r, const struct options *options, const struct group *group);

enum { TASK_INPUTS = 4 }; /* columns that an operation takes at most */

/* What a mapping's function works on: one group. */
struct task {
    gecc_context *context;
    const struct options *options;
    const gecc_operation *operation; /* with these parameters and options: */
    gecc_parameters parameters;
    gecc_options call;
    struct batch *batch;
    const struct group *group;
    size_t count;
    uint8_t *status;
    gecc_rows public_key; /* the column `pub`, or the keys that take its place in the digests of SM2 */
    gecc_rows entropy;    /* bytes drawn for the rows; data NULL: none are */
};

/* Row i of a column of a task. */
static inline const uint8_t *row_at(const gecc_rows *rows, size_t i, size_t *width) {
    *width = rows->widths ? rows->widths[i] : rows->width;
    return (const uint8_t *)rows->data + (rows->offsets ? rows->offsets[i] : i * rows->stride);
}

/* Whether the rows have the columns of COLUMN_BIT. */
bool task_has(const struct task *task, uint32_t column_bit);
gecc_rows task_rows(const struct task *task, enum column column);
gecc_out task_result(const struct task *task, size_t result);
gecc_out task_status(const struct task *task);

#endif
