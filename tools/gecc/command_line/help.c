#include "command_line/help.h"

#include <string.h>

/* Where the help goes and how it is set. */
struct page {
    FILE *out;
    bool roff;
};

enum { LINE_WIDTH = 80, TEXT_INDENT = 2, ITEM_INDENT = 6 };

static const char *const column_help[COLUMN_COUNT] = {
    [COLUMN_CURVE] = "the curve's name; rows on several curves may mix",
    [COLUMN_PUB] =
        ("a public key: compressed, uncompressed or raw (x || y); of BIP-340 x alone. Or a key or a "
         "certificate in PEM, a line or a private key of OpenSSH, "
         "or a key or a certificate in DER that is written in hexadecimal or base64: its curve is that of the row"),
    [COLUMN_PRIV] = ("a private key: a number from 1 to the order less 1, of SM2 to the order less 2; of Ed25519 and "
                     "X25519 any 32 bytes; or one of "
                     "PKCS #8, SEC 1 or OpenSSH's own form in PEM, or of the former two in DER that is "
                     "written in hexadecimal or base64: its curve is that of the row"),
    [COLUMN_DIGEST] =
        "what is signed, 20 to 64 bytes; with SM2 e, 32 bytes; with BIP-340 and Ed25519 any bytes, or none",
    [COLUMN_SIG] = "a signature: r || s, each of L bytes, or DER; of BIP-340 64 bytes",
    [COLUMN_RECID] = "the recovery id, 0 to 3, or 27 more, in decimal or, after 0x, in hexadecimal",
    [COLUMN_NONCE] = "a nonce, secret: see --dangerous-nonce",
    [COLUMN_AUX] = "BIP-340: 32 random bytes, more input to the nonce",
    [COLUMN_ENTROPY] =
        "ECDSA and SM2: 32 random bytes, more input to the nonce (RFC 6979, 3.6), secret; or see --hedged",
    [COLUMN_SCALAR] = "a number of at most L bytes",
    [COLUMN_POINT] = "a point, encoded like a public key",
    [COLUMN_U] = "the scalar of the base point",
    [COLUMN_V] = "the scalar of `point`",
    [COLUMN_A] = "the first operand",
    [COLUMN_B] = "the second operand",
    [COLUMN_MODULUS] = "an odd number of at least 3",
    [COLUMN_PEER] = "the other side's public key, like `pub`",
    [COLUMN_MSG] = "a message, in hexadecimal; may be empty. Beside `digest`, which has to be its hash",
    [COLUMN_MSG_TEXT] = "a message that is text, as it stands, in the place of `msg`; beside it they have to agree",
    [COLUMN_TYPED_DATA] =
        ("typed data of Ethereum (EIP-712), an object of `types`, `primaryType`, `domain` and `message` or a text with "
         "its JSON, in the place of `msg`: on secp256k1, hashed with keccak256"),
    [COLUMN_ADDRESS] = "an Ethereum address, with or without 0x: a row whose signer has another reads invalid",
    [COLUMN_HASH] = "the hash of `msg`: see --hash. Without a `msg` it is not read",
    [COLUMN_TOKEN] = "with --jwt: a token in JWS's compact form, in the place of the columns above",
    [COLUMN_CLAIMS] = "with --jwt: the claims, an object of JSON, in the place of the columns above",
    [COLUMN_ID] = "SM2: the signer's id, as text; may be empty. On other curves it is not read",
    [COLUMN_ID_HEX] = "SM2: the signer's id, in hexadecimal; may be empty",
    [COLUMN_CTX] =
        ("Ed25519: the context, as text; a row that has one, be it empty, is Ed25519ctx. On other curves it is "
         "not read"),
    [COLUMN_CIPHERTEXT] = "a ciphertext, as --ciphertext-format and --point-format say",
    [COLUMN_CTX_HEX] = "Ed25519: the context, in hexadecimal; may be empty"};

/* Characters of roff's own are escaped. */
static void put_roff(FILE *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else if ((text[i] == '.' || text[i] == '\'') && (i == 0 || text[i - 1] == '\n'))
            fprintf(out, "\\&%c", text[i]);
        else
            putc(text[i], out);
    }
}

/* One paragraph, filled to the width. */
static void put_filled(FILE *out, int indent, const char *text, size_t length) {
    int column = 0;
    for (size_t start = 0; start < length;) {
        size_t word = strcspn(text + start, " \n");
        if (word > length - start)
            word = length - start;
        if (column && column + 1 + (int)word > LINE_WIDTH) {
            putc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%*s%.*s", column ? 1 : indent, "", (int)word, text + start);
        start += word + 1;
    }
    putc('\n', out);
}

static void heading(const struct page *page, const char *title) {
    fprintf(page->out, page->roff ? ".SH %s\n" : "\n%s\n", title);
}

static void paragraphs(const struct page *page, const char *text) {
    for (bool first = true; *text; first = false) {
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        if (!first)
            fputs(page->roff ? ".PP\n" : "\n", page->out);
        if (page->roff) {
            put_roff(page->out, text, length);
            putc('\n', page->out);
        } else {
            put_filled(page->out, TEXT_INDENT, text, length);
        }
        text += length + (end ? 2 : 0);
    }
}

static void item(const struct page *page, const char *name, const char *argument, const char *text) {
    if (page->roff) {
        fputs(".TP\n.B ", page->out);
        put_roff(page->out, name, strlen(name));
        if (argument) {
            fputs(" \\fI", page->out);
            put_roff(page->out, argument, strlen(argument));
            fputs("\\fR", page->out);
        }
        putc('\n', page->out);
        put_roff(page->out, text, strlen(text));
        putc('\n', page->out);
    } else {
        fprintf(page->out, "  %s%s%s\n", name, argument ? " " : "", argument ? argument : "");
        put_filled(page->out, ITEM_INDENT, text, strlen(text));
    }
}

static void literal(const struct page *page, const char *text) {
    if (page->roff)
        fputs(".nf\n", page->out);
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (page->roff)
            put_roff(page->out, text, length);
        else
            fprintf(page->out, "  %.*s", (int)length, text);
        putc('\n', page->out);
        text += length + (text[length] == '\n');
    }
    if (page->roff)
        fputs(".fi\n", page->out);
}

static void title(const struct page *page, const char *command, const char *summary) {
    const char *dash = *command ? "-" : "";
    if (page->roff)
        fprintf(page->out, ".TH gecc%s%s 1 \"\" \"gecc %d.%d.%d\" \"User Commands\"\n.SH NAME\ngecc%s%s \\- %s\n", dash,
                command, GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH, *command ? "\\-" : "", command,
                summary);
    else
        fprintf(page->out, "gecc%s%s: %s\n", *command ? " " : "", command, summary);
}

static void options_help(const struct page *page, unsigned groups) {
    heading(page, "OPTIONS");
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].groups & groups)
            item(page, option_table[i].name, option_table[i].argument, option_table[i].help);
}

static size_t append_columns(char *text, size_t size, size_t used, uint32_t form) {
    const char *separator = "";
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        if (!(form & 1u << c))
            continue;
        int count = snprintf(text + used, size - used, "%s%s", separator, column_names[c]);
        used += count > 0 ? (size_t)count : 0;
        separator = ", ";
    }
    return used;
}

static const char *column_text(const struct mapping *mapping, enum column column) {
    if (column == COLUMN_V && mapping_has(mapping, COLUMN_RECID))
        return "Ethereum's v in the place of `recid`: 0, 1, 27, 28, or from 35 up as EIP-155 has it";
    if (mapping->compared & 1u << column && column == COLUMN_PUB)
        return "a public key, in any encoding: a row whose signer has another reads invalid";
    if (column == COLUMN_MSG && mapping->results[0].kind == RESULT_BYTES)
        return "what is encrypted, one byte or more, in hexadecimal";
    return column_help[column];
}

/* The names that columns have in Python and SQL. */
static void put_other_names(const struct page *page, const struct mapping *mapping) {
    char text[512] = "Instead of ";
    size_t used = strlen(text), first = used;
#define NAMES(other, name)                                                                                             \
    if (mapping_has(mapping, column_named(#name, strlen(#name))))                                                      \
        used += (size_t)snprintf(text + used, sizeof text - used, "%s`%s` a column may be called `" #other "`",        \
                                 used == first ? "" : ", instead of ", #name);
    GECC_COLUMN_NAME_LIST(NAMES)
#undef NAMES
    if (used == first)
        return;
    const bool gives_way = mapping_has(mapping, COLUMN_MSG) && mapping_has(mapping, COLUMN_DIGEST);
    snprintf(text + used, sizeof text - used, ", as in Python and SQL.%s",
             gives_way ? " A `message` beside `digest` is not read, unless --map or --require names it." : "");
    fputs(page->roff ? ".PP\n" : "\n", page->out);
    paragraphs(page, text);
}

static void columns_help(const struct page *page, const struct command *command) {
    const struct mapping *mapping = command->mapping;
    char text[1024] = "A row has the columns ";
    size_t used = strlen(text);
    heading(page, "COLUMNS");
    for (size_t f = 0; f < MAX_FORMS && mapping->forms[f]; f++) {
        used = append_columns(text, sizeof text, used, mapping->forms[f]);
        bool more = f + 1 < MAX_FORMS && mapping->forms[f + 1];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", more ? "; or " : ".");
    }
    paragraphs(page, text);
    for (unsigned c = 0; c < COLUMN_COUNT; c++)
        if (mapping_has(mapping, (enum column)c))
            item(page, column_names[c], NULL, column_text(mapping, (enum column)c));
    if (command->jwt_mapping)
        item(page, column_names[command->jwt_mapping->document], NULL, column_help[command->jwt_mapping->document]);
    put_other_names(page, mapping);
}

static void results_help(const struct page *page, const struct command *command) {
    const struct mapping *mapping = command->mapping, *jwt = command->jwt_mapping;
    heading(page, "RESULTS");
    item(page, "status", NULL,
         mapping->judges ? "valid, invalid or malformed" : "ok, malformed or, where there is no result, invalid");
    item(page, "reason", NULL, "why the row is malformed or invalid; else empty (in JSON absent)");
    item(page, "line", NULL,
         "of a malformed row the number of the line that it begins on (for raw rows and certificates in DER: the "
         "number of the row); else empty (in JSON absent)");
    for (size_t r = 0; r < MAX_RESULTS && mapping->results[r].name; r++)
        item(page, mapping->results[r].name, NULL, mapping->results[r].help);
    for (size_t r = 0; jwt && r < MAX_RESULTS && jwt->results[r].name; r++) {
        char text[128];
        snprintf(text, sizeof text, "with --jwt: %s", jwt->results[r].help);
        item(page, jwt->results[r].name, NULL, text);
    }
}

/* What L is on the curves that there are, in ascending order: "32, 48, 64 or 66". */
static void list_lengths(char *out, size_t size) {
    size_t used = 0, length = 0, next;
    out[0] = 0;
    for (;; length = next) {
        bool others = false;
        next = SIZE_MAX;
        for (gecc_curve curve = (gecc_curve)1; curve < GECC_CURVE_END; curve++)
            if (gecc_curve_bytes(curve) > length && gecc_curve_bytes(curve) < next)
                next = gecc_curve_bytes(curve);
        for (gecc_curve curve = (gecc_curve)1; curve < GECC_CURVE_END; curve++)
            others |= gecc_curve_bytes(curve) > next;
        if (next == SIZE_MAX || used >= size)
            return;
        used += (size_t)snprintf(out + used, size - used, "%s%zu", used == 0 ? "" : others ? ", " : " or ", next);
    }
}

/* What raw rows of the command are. */
static void raw_help(const struct page *page, const struct mapping *mapping) {
    char text[1024] = "There are no raw rows: results have any width.";
    if (!mapping->raw_columns) {
        paragraphs(page, text);
        return;
    }
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "Raw rows are `%s` one after another (or what --columns lists): numbers of L bytes, "
                                   "points and signatures of 2L bytes, a recovery id of 1 byte. Out comes a row of one "
                                   "byte, 1 for ok or valid, 2 for invalid, 3 for the point at infinity, from 16 up "
                                   "for malformed (gecc_item in gecc/context.h)",
                                   mapping->raw_columns);
    for (size_t r = 0; r < MAX_RESULTS && mapping->results[r].name; r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s `%s`", r ? " and" : ", followed by",
                                 mapping->results[r].name);
    snprintf(text + used, sizeof text - used, "%s.", mapping->results[0].name ? " (zeros where there is none)" : "");
    paragraphs(page, text);
}

static void formats_help(const struct page *page, const struct mapping *mapping) {
    heading(page, "FORMATS");
    char numbers[512], lengths[64];
    list_lengths(lengths, sizeof lengths);
    snprintf(numbers, sizeof numbers,
             "Rows come from FILE or standard input: CSV with a header (RFC 4180), JSON Lines, or raw. Bytes and "
             "numbers are hexadecimal, in either case, with or without 0x; numbers may have fewer bytes than L, the "
             "bytes of the curve's field (%s).",
             lengths);
    paragraphs(page, numbers);
    fputs(page->roff ? ".PP\n" : "\n", page->out);
    paragraphs(
        page,
        "Input in gzip or zstd is decompressed, as its first bytes say; raw rows where the name ends with .gz or .zst. "
        "That needs zlib's libz.so.1 or zstd's libzstd.so.1. Of input that is broken or not whole the rows up to there "
        "are written, and the exit status is 2.\n\n"
        "Out come the same rows in order, in the format that -o FILE or --output-format says, else in that of the "
        "input. A cell of CSV becomes a string of JSON; bytes that are no UTF-8 become U+FFFD, and so do halves of "
        "surrogate pairs in strings that become cells. CSV that is made of objects has the columns of the first: a "
        "member that it does not have is an error; null and what is not there are empty cells, values that are no "
        "strings are written as in JSON. `--output-format raw` needs raw rows as input. Columns that the command does "
        "not know pass through unchanged; one that has the name of a result is kept as input_NAME (input_NAME_2, ... "
        "where there "
        "is one), or --prefix gives the results other names. A line that cannot be read is named on standard "
        "error, reads `malformed` and keeps its text, in JSON Lines as `unreadable`; the rest goes on, but for CSV "
        "after a "
        "quotation mark that is never closed or has text behind it, and for certificates in DER: nobody knows where "
        "the "
        "next row begins, so that the rest is not read, and the exit status is 2. Commands "
        "that have no use for a private key do not copy the columns `priv`, `nonce` and `entropy`, of which each gives "
        "the key away, nor unreadable text that "
        "may hold them.");
    fputs(page->roff ? ".PP\n" : "\n", page->out);
    raw_help(page, mapping);
}

static void records_help(const struct page *page, const struct command *command) {
    heading(page, "RECORDS");
    paragraphs(page, command->records);
    heading(page, "ROWS");
    for (const struct column_text *column = command->columns; column->name; column++)
        item(page, column->name, NULL, column->text);
}

static const char exit_status[] =
    "0: every row is valid or ok. 1: some row is not. 2: the command line is wrong, the "
    "input cannot be read, or has no rows or not as many as expected, the output cannot be written, or the "
    "backend failed.";

void help_command(FILE *out, const struct command *command, bool roff) {
    struct page page = {out, roff};
    char synopsis[80];
    title(&page, command->name, command->summary);
    heading(&page, roff ? "SYNOPSIS" : "USAGE");
    bool reads = command->mapping || command->records;
    snprintf(synopsis, sizeof synopsis, "gecc %s [OPTION]...%s\n", command->name, reads ? " [FILE]" : "");
    literal(&page, synopsis);
    heading(&page, "DESCRIPTION");
    paragraphs(&page, command->description);
    if (command->mapping) {
        columns_help(&page, command);
        results_help(&page, command);
    }
    if (command->records)
        records_help(&page, command);
    options_help(&page, command->options);
    if (command->mapping)
        formats_help(&page, command->mapping);
    if (reads) {
        heading(&page, "EXIT STATUS");
        paragraphs(&page, command->exit_status ? command->exit_status : exit_status);
    }
    heading(&page, "EXAMPLES");
    literal(&page, command->examples);
}

void help_tool(FILE *out, bool roff) {
#define TITLE(identifier, value, name, title, ...) ", " title
    static const char curves[] = GECC_CURVE_LIST(TITLE) GECC_EDWARDS_CURVE_LIST(TITLE);
#undef TITLE
    struct page page = {out, roff};
    char text[640];
    (void)snprintf(text, sizeof text,
                   "Millions of signatures checked, made or recovered, keys, shared secrets and scalar multiples "
                   "computed, on the curves %s: rows in, the same rows with a status and results out, on a GPU where "
                   "there is one and on the CPU where there is none.\n\n"
                   "`gecc COMMAND --help` describes a command.",
                   curves + strlen(", "));
    title(&page, "", "elliptic-curve cryptography in bulk");
    heading(&page, roff ? "SYNOPSIS" : "USAGE");
    literal(&page, "gecc COMMAND [OPTION]... [FILE]\n");
    heading(&page, "DESCRIPTION");
    paragraphs(&page, text);
    heading(&page, "COMMANDS");
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        item(&page, command->name, NULL, command->summary);
    options_help(&page, OPTIONS_VERSION);
    heading(&page, "ENVIRONMENT");
    item(&page, "GECC_BACKEND", NULL,
         "where to compute, auto, cpu or cuda, without --backend or with --backend auto; one that is not there is an "
         "error");
    item(&page, "GECC_CPU", NULL,
         "which code the CPU backend runs, of ifma, ifma-256, avx512, portable-adx, portable-aarch64 and portable-c "
         "one that the build has and the processor can run (else an error names those; devices lists all); ifma is the "
         "faster of the first two, of which a build has ifma-256 only where it was asked for; portable is the fastest "
         "of the last three. "
         "Default: the fastest");
    heading(&page, "EXIT STATUS");
    paragraphs(&page, exit_status);
    heading(&page, "EXAMPLES");
    literal(&page, "gecc verify --curve secp256k1 signatures.csv > verdicts.csv\n"
                   "gecc pubkey --curve P-256 requests.jsonl | gecc sign --curve P-256 | gecc verify --curve P-256 "
                   "> checked.jsonl\n");
}
