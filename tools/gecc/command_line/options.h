/* What the command line asks for. One table describes every option: it drives parsing, --help and the man pages. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include "keys/authorities.h"
#include "keys/key_file.h"
#include "text/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MAX_BATCHES = 8 };

/* The longest kid or typ in the header of a token, which each row of a batch has. */
enum { MOST_KID_BYTES = 1024 };

struct options {
    const char *input;  /* NULL or "-": standard input */
    const char *output; /* NULL or "-": standard output */
    const char *backend;
    const char *device; /* as gecc_config has it; NULL: all */
    const char *id;
    const char *context; /* of Ed25519; NULL: not given */
    const char *modulus;
    const char *columns; /* of a raw row; NULL: the command's own */
    const char *operation_filter;
    const char *plot; /* of bench: the picture to write; NULL: none */
    const char *map;  /* COLUMN=NAME,...: what columns are called in the input; NULL: as they are */
    char maps[4096];  /* where that is */
    const char *public_key_path, *private_key_path, *keys_path, *password_path; /* NULL: not given */
    const char *issuer, *audience, *nonce; /* texts that tokens have to name; NULL: any */
    int64_t at;                            /* seconds from 1970 on, when they have to hold */
    struct authorities *authorities;       /* that certificates name as issuers; NULL: none are given */
    const char *lists_path;                /* of revoked certificates; NULL: not given */
    size_t depth;                          /* how many CAs that --keys has not may stand above a certificate */
    struct key_set keys;   /* of which each document names one, or of sign --jwt the one that signs; count 0: none */
    const char *kid, *typ; /* of tokens that are signed; NULL: as they are without */
    char *token_header;    /* their first part, to be freed; NULL: there are none */
    struct key_file public_key, private_key; /* of all rows; count 0: none */
    const char *prefix;                      /* of the names of results; NULL: none */
    enum format format;                      /* of the input; FORMAT_UNKNOWN: not given */
    enum format output_format;               /* as it is given, or -o FILE says; FORMAT_UNKNOWN: neither */
    enum encoding encoding;                  /* of bytes and numbers in cells */
    enum signature_format signature_format;
    enum modular_operation modular_operation;
    enum scheme scheme; /* SCHEME_OF_CURVE: not given */
    gecc_curve curve;   /* 0: not given */
    gecc_hash hash;     /* GECC_HASH_DEFAULT: neither given nor implied */
    bool hash_given;
    gecc_point_format point_format;
    size_t threads, bits, digest_bytes, message_bytes, batch, count, runs;
    size_t batches[MAX_BATCHES], batch_count;              /* of bench */
    size_t device_counts[MAX_BATCHES], device_count_count; /* of bench: how many devices, in turn */
    bool at_given, depth_given;
    bool threads_given;         /* else the command's default */
    uint32_t accept;            /* GECC_ACCEPT_*: whose rule of Ed25519 */
    uint32_t ciphertext_format; /* a gecc_flag, or 0 for C1 || C3 || C2 */
    bool low_s, any_s, sighash_byte, public_scalars, dangerous_nonce, hedged, verify_signatures;
    bool address, personal_message, prehash;
    bool sum;                   /* of mul: sums of the products */
    const char *group_by;       /* the column that names the sum which a row is a term of; NULL: there is one sum */
    uint64_t chain_id;          /* 0: any */
    bool jwt, x509, nostr;      /* of verify: the input is tokens, certificates, events */
    bool detached;              /* tokens without their payloads */
    bool sd_jwt;                /* tokens with disclosures behind them */
    bool series, check;         /* of bench */
    bool verify_inputs, blocks; /* of inputs */
    size_t height;              /* of inputs */
    bool allow_empty, expect_rows_given;
    size_t expect_rows;
    size_t key_cache;  /* bytes; 0: none */
    uint32_t required; /* columns that each row must have, by --require */
    unsigned only;     /* verdicts, or'ed bits, whose rows are written; 0: all */
    bool quiet, json, help, man, version;
    const char *completion; /* the shell; NULL: not asked for */
};

/* Which commands know an option, or'ed. */
enum option_group {
    OPTIONS_COMMON = 1 << 0,
    OPTIONS_ROWS = 1 << 1,
    OPTIONS_CONTEXT = 1 << 2,
    OPTIONS_CURVE = 1 << 3,
    OPTIONS_SIGNATURE = 1 << 4,
    OPTIONS_SIGN = 1 << 5,
    OPTIONS_LOW_S = 1 << 6,
    OPTIONS_MESSAGE = 1 << 7,
    OPTIONS_DIGEST = 1 << 8,
    OPTIONS_POINT = 1 << 9,
    OPTIONS_MUL = 1 << 10,
    OPTIONS_MOD = 1 << 11,
    OPTIONS_JSON = 1 << 12,
    OPTIONS_DEMO = 1 << 13,
    OPTIONS_BENCH = 1 << 14,
    OPTIONS_VERSION = 1 << 15,
    OPTIONS_SCHEME = 1 << 16,
    OPTIONS_SIGHASH = 1 << 17,
    OPTIONS_SENDERS = 1 << 18,
    OPTIONS_ADDRESS = 1 << 19,
    OPTIONS_PERSONAL = 1 << 20,
    OPTIONS_INPUTS = 1 << 21,
    OPTIONS_KEYGEN = 1 << 22,
    OPTIONS_PUBLIC_KEY = 1 << 23,
    OPTIONS_PRIVATE_KEY = 1 << 24,
    OPTIONS_RECORDS = 1 << 25,
    OPTIONS_KEY_CACHE = 1 << 26,
    OPTIONS_ACCEPT = 1 << 27,
    OPTIONS_ED25519 = 1 << 28,
    OPTIONS_JWK = 1 << 29,
    OPTIONS_CIPHERTEXT = 1 << 30
};
#define OPTIONS_KEYS (1u << 31) /* which is no int, as enumerators are */

struct option {
    const char *name;     /* "--curve" */
    const char *argument; /* "NAME" in the help; NULL: a switch */
    const char *help;
    unsigned groups;
    /* Store the argument (NULL for a switch); false where it is none that the option knows. */
    bool (*set)(struct options *options, const char *argument);
};

extern const struct option option_table[];
extern const size_t option_count;

/* The names that an option takes; NULL: it does not take names. */
const struct name *option_names(const struct option *option);

void options_init(struct options *options);

/* Read arguments[0 .. count - 1], which follow the command's name. On failure writes why to `error` (of `size`
 * bytes). */
bool options_parse(struct options *options, unsigned groups, char *const *arguments, size_t count, char *error,
                   size_t size);

/* Read the key files that are named: their curve is that of rows that do not say theirs. */
bool options_read_keys(struct options *options, char *error, size_t size);
/* What they need not have any more. */
void options_free_keys(struct options *options);

#endif
