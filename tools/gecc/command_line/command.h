/* A subcommand: what the help says of it and, if it maps rows to rows, its columns, results and function.
 *
 * A command that maps rows declares a `struct mapping`; reading, grouping, threads and writing are the same for all.
 * To add one: write its mapping and its function in a file of commands/, declare it in commands/commands.h and
 * name it in the list of commands/commands.c. */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include <gecc/gecc.h>

#include <stdbool.h>
#include <stdint.h>

enum column {
    COLUMN_CURVE,
    COLUMN_PUB,
    COLUMN_PRIV,
    COLUMN_DIGEST,
    COLUMN_SIG,
    COLUMN_RECID,
    COLUMN_NONCE,
    COLUMN_AUX,
    COLUMN_ENTROPY,
    COLUMN_SCALAR,
    COLUMN_POINT,
    COLUMN_U,
    COLUMN_V,
    COLUMN_A,
    COLUMN_B,
    COLUMN_MODULUS,
    COLUMN_PEER,
    COLUMN_MSG,
    COLUMN_HASH,
    COLUMN_ID,
    COLUMN_ID_HEX,
    COLUMN_CTX,
    COLUMN_CTX_HEX,
    COLUMN_MSG_TEXT,
    COLUMN_ADDRESS,
    COLUMN_TOKEN,
    COLUMN_CERTIFICATE,
    COLUMN_EVENT, /* an object as a whole: no column of the input has this name */
    COLUMN_CLAIMS,
    COLUMN_TYPED_DATA,
    COLUMN_CIPHERTEXT,
    COLUMN_GROUP, /* the column of --group-by: no column of the input has this name */
    COLUMN_COUNT
};

#define COLUMN_BIT(column) (1u << COLUMN_##column)

/* The names of columns in files, by enum column. */
extern const char *const column_names[COLUMN_COUNT];

/* The column of that name, or of another that GECC_COLUMN_NAME_LIST has for it; COLUMN_COUNT: there is none. */
enum column column_named(const char *name, size_t length);

/* What the text of a cell means and what it becomes. */
enum kind {
    KIND_NONE,
    KIND_CURVE,    /* a name; goes into the row's group */
    KIND_HASH,     /* a name, read beside a message; goes into the row's group */
    KIND_BYTES,    /* hexadecimal, not empty; its own width */
    KIND_MESSAGE,  /* hexadecimal, may be empty; its own width */
    KIND_POINT,    /* KIND_BYTES; of 2L bytes in raw rows */
    KIND_SIG,      /* KIND_BYTES; of 2L bytes in raw rows; its format goes into the row's group */
    KIND_SCALAR,   /* a number of at most L bytes; L bytes, right-aligned */
    KIND_OPERAND,  /* a number as wide as the modulus; right-aligned */
    KIND_EXPONENT, /* a number of at most 64 bytes; 64 bytes, right-aligned */
    KIND_MODULUS,  /* goes into the row's group */
    KIND_RECID,    /* a recovery id; one byte. COLUMN_V, with Ethereum's v, fills COLUMN_RECID */
    KIND_ADDRESS,  /* 20 bytes in hexadecimal, whatever --encoding says */
    KIND_TEXT,     /* as it stands. COLUMN_MSG_TEXT fills COLUMN_MSG */
    KIND_TEXT_HEX, /* hexadecimal for a KIND_TEXT column: COLUMN_ID_HEX fills COLUMN_ID, COLUMN_CTX_HEX COLUMN_CTX */
    KIND_NAME,     /* of the sum that the row is a term of: as it stands */
    KIND_TYPED,    /* typed data of Ethereum, in JSON: COLUMN_TYPED_DATA fills COLUMN_MSG */
    KIND_DOCUMENT  /* a token or a certificate, of which the mapping's `open` makes the other columns */
};

enum result_kind {
    RESULT_NONE,
    RESULT_POINT,
    RESULT_SIG,
    RESULT_RECID,
    RESULT_X,
    RESULT_DIGEST,
    RESULT_RESIDUE,
    RESULT_ADDRESS,
    RESULT_JWK,   /* text of jwk_write */
    RESULT_TOKEN, /* a signature, which is written behind the message as a token */
    RESULT_BYTES, /* of any width: a span of the batch's `bytes` */
    RESULT_KEPT   /* what the reader has found in the row's document: see PIECE_RESULT */
};

enum {
    MAX_RESULTS = 5,
    MAX_FORMS = 11,
    MAX_DIGEST_BYTES = 64,
    MAX_MODULUS_BYTES = 64,
    MAX_ID_BYTES = 8191,
    MAX_CONTEXT_BYTES = 255,
    MAX_DER_BYTES = 2 * GECC_CURVE_BYTES_MOST + 8
};

struct options;
struct task;
struct group;
struct batch;
struct row;
struct cell;

struct mapping {
    /* The library's operation for the rows of a group. NULL: there is none, and the rows are refused. */
    const gecc_operation *(*operation)(const struct options *options, const struct group *group);
    /* Sets of columns that make a row. A row has the first form of which all columns are there and which `accepts`. */
    uint32_t forms[MAX_FORMS];
    uint32_t optional;       /* columns that are read if they are there */
    uint32_t compared;       /* of those: what the results have to agree with */
    uint32_t overruled;      /* columns of forms that are said to be unread where a row has another form */
    const char *raw_columns; /* the default of --columns; NULL: there are no raw rows */
    struct {
        const char *name;
        enum result_kind kind;
        const char *help;
    } results[MAX_RESULTS];
    bool judges;                /* rows read `valid` instead of `ok` */
    bool secret;                /* rows hold secrets: memory is wiped */
    bool modular;               /* rows have a modulus and no curve */
    bool curve25519;            /* rows may be on Curve25519 */
    bool curve_optional;        /* rows need no curve */
    bool sums;                  /* rows are terms, and sums of them are written: rows/sums.h */
    const char *invalid_reason; /* what `invalid` means; NULL: nothing to add */
    /* Is the form one that the options ask for? NULL: yes. */
    bool (*accepts)(const struct options *options, uint32_t form);
    /* Why rows with these columns in this group (curve and hash 0: not yet known) are refused; NULL: they are not. May
     * be NULL. */
    const char *(*refuses)(const struct options *options, uint32_t present, const struct group *group);
    /* Fill the status and the results of a task's rows: task_run, which calls the operation, or more. */
    gecc_result (*run)(struct task *task);
    /* Rows are documents: put the cells that are in one in the batch, and the row in its group, or refuse it. NULL:
     * they are not, and have these cells themselves. cells[COLUMN_COUNT]: all that are read, the document too. */
    void (*open)(struct batch *batch, struct row *row, const struct cell *cells);
    enum column document; /* with `open`: the column of the input that is read */
    uint32_t beside;      /* with `open`: others that are */
    bool of_objects;      /* with `open`: in JSON Lines that is each object as a whole */
    uint32_t made;        /* with `open`: the columns that it makes */
};

/* A column of rows that are written, for the help. */
struct column_text {
    const char *name, *text;
};

struct command {
    const char *name;
    const char *summary;                                 /* one line */
    const char *description;                             /* paragraphs, separated by empty lines */
    const char *examples;                                /* shell commands, one a line */
    unsigned options;                                    /* enum option_group */
    const char *(*check)(const struct options *options); /* NULL or why not; may be NULL */
    const struct mapping *mapping;                       /* NULL: `main` does all */
    const struct mapping *address_mapping;               /* with --address; NULL: there is no such option */
    const struct mapping *jwt_mapping, *x509_mapping,    /* likewise */
        *nostr_mapping, *jwk_mapping, *detached_mapping, *sd_jwt_mapping, *sum_mapping,
        *authorities_mapping;                   /* the last of certificates under --keys */
    const char *records;                        /* paragraphs: what is read, without a mapping; may be NULL */
    const struct column_text *columns;          /* with records: what is written, up to a name NULL */
    const char *exit_status;                    /* paragraphs; NULL: those of commands that judge rows */
    int (*main)(const struct options *options); /* returns the exit status */
    bool curve25519;                            /* without a mapping: whether --curve may be Curve25519 */
    gecc_curve curve;                           /* that of all rows; 0: --curve or the rows say theirs */
};

/* Why keys cannot be written as JSON Web Keys; NULL: they can. curve 0: not yet known. */
const char *jwk_refusal(const struct options *options, gecc_curve curve);

/* Why a command or a row cannot be on Curve25519, which has not what other curves have. */
extern const char curve25519_refusal[];

/* Command 0, 1, ... in the order in which the help shows them; NULL past the last. */
const struct command *command_at(size_t index);
/* NULL: there is none of that name. */
const struct command *command_find(const char *name);

enum { EXIT_GOOD = 0, EXIT_BAD_ROWS = 1, EXIT_TROUBLE = 2 };

/* The columns that a row has which has these, of which some stand in the place of others. */
uint32_t columns_meant(const struct mapping *mapping, uint32_t columns);

/* All columns of a command. */
uint32_t mapping_columns(const struct mapping *mapping);
static inline bool mapping_has(const struct mapping *mapping, enum column column) {
    return (mapping_columns(mapping) & 1u << column) != 0;
}

/* The column that holds an operation's input where rows have the columns `form`; COLUMN_COUNT: there is none. */
enum column column_of_input(const gecc_column *input, uint32_t form);

/* What the cells of a column are; KIND_NONE: it is none of the command. */
enum kind column_kind(const struct mapping *mapping, const struct options *options, enum column column);

/* How many bytes a result has at most, on any curve. */
size_t result_stride(enum result_kind kind);

#endif
