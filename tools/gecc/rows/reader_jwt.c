/* Signed tokens in JWS's compact form (RFC 7515, 7.1), one on each line or in a column `token`:
 * header.payload.signature, each in base64url. What is signed is the text of the first two, with their dot. */
#include "text/base64.h"
#include "text/hex.h"
#include "text/json.h"
#include "rows/documents.h"
#include "rows/reader.h"

#include <stdlib.h>
#include <string.h>

/* RFC 7518, 3.4; RFC 8812, 3.2; RFC 8037, 3.1, and RFC 9864, 2.2, of which keys of Ed25519 are here. */
static const struct algorithm {
    const char *name;
    gecc_curve curve;
    gecc_hash hash;
    const char *other_key, *other_width;
} algorithms[] = {
    {"ES256", GECC_P256, GECC_SHA256, "alg ES256 is for keys on P-256", "the signature has not the 64 bytes of ES256"},
    {"ES384", GECC_P384, GECC_SHA384, "alg ES384 is for keys on P-384", "the signature has not the 96 bytes of ES384"},
    {"ES512", GECC_P521, GECC_SHA512, "alg ES512 is for keys on P-521", "the signature has not the 132 bytes of ES512"},
    {"ES256K", GECC_SECP256K1, GECC_SHA256, "alg ES256K is for keys on secp256k1",
     "the signature has not the 64 bytes of ES256K"},
    {"EdDSA", GECC_CURVE25519, GECC_HASH_DEFAULT, "alg EdDSA is for keys of Ed25519",
     "the signature has not the 64 bytes of Ed25519"},
    {"Ed25519", GECC_CURVE25519, GECC_HASH_DEFAULT, "alg Ed25519 is for keys of Ed25519",
     "the signature has not the 64 bytes of Ed25519"},
};

enum { MOST_MEMBERS = 32 };

/* The names that a header has so far, without escapes. */
struct names {
    size_t count;
    struct {
        char *copy; /* to be freed; NULL: the text has none to take away */
        const char *text;
        size_t length;
    } at[MOST_MEMBERS];
};

static bool is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Note a name. NULL, or why the header is refused. */
static const char *add_name(struct names *names, const struct json_member *member) {
    if (names->count == MOST_MEMBERS)
        return "a header with more than 32 members";
    const char *text = member->name + 1;
    size_t length = member->name_length - 2;
    char *copy = NULL;
    if (member->name_escaped) {
        text = copy = json_unescape(member->name, member->name_length, &length);
        if (!copy)
            return "a name in the header cannot be read";
    }
    names->at[names->count].copy = copy;
    names->at[names->count].text = text;
    names->at[names->count++].length = length;
    for (size_t i = 0; i + 1 < names->count; i++)
        if (names->at[i].length == length && memcmp(names->at[i].text, text, length) == 0)
            return "a name twice in the header";
    return NULL;
}

static const char *find_algorithm(const struct json_member *member, const struct algorithm **algorithm) {
    const char *text = member->value + 1;
    size_t length = member->value_length - 2;
    if (member->type != JSON_STRING_VALUE)
        return "alg is no string";
    if (is(text, length, "none"))
        return "alg none: it is not signed";
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (is(text, length, algorithms[i].name))
            *algorithm = &algorithms[i];
    return *algorithm ? NULL : "alg is none of ES256, ES384, ES512, ES256K, EdDSA, Ed25519";
}

/* A member of the header. What must be understood (RFC 7515, 4.1.11) is not: nothing but alg is. */
static const char *take_member(struct names *names, const struct json_member *member,
                               const struct algorithm **algorithm) {
    const char *reason = add_name(names, member);
    if (reason)
        return reason;
    const char *text = names->at[names->count - 1].text;
    size_t length = names->at[names->count - 1].length;
    if (is(text, length, "alg"))
        return find_algorithm(member, algorithm);
    if (is(text, length, "crit"))
        return "crit asks for more than is checked here";
    return is(text, length, "b64") ? "b64 changes what is signed" : NULL;
}

static const char *walk_header(const char *text, size_t size, struct names *names, const struct algorithm **algorithm) {
    struct json_walk walk;
    struct json_member member;
    const char *reason = NULL;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        if (!reason)
            reason = take_member(names, &member, algorithm);
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size)))
        return "the header is not a JSON object";
    return reason || *algorithm ? reason : "the header has no alg";
}

/* The algorithm that a header names, or why there is none. */
static const char *read_header(const char *text, size_t size, const struct algorithm **algorithm) {
    struct names names = {0};
    const char *reason = walk_header(text, size, &names, algorithm);
    for (size_t i = 0; i < names.count; i++)
        free(names.at[i].copy);
    return reason;
}

struct part {
    const char *text;
    size_t length;
};

enum { HEADER, PAYLOAD, SIGNATURE, PARTS };

static bool split(const char *text, size_t length, struct part parts[PARTS]) {
    const char *end = text + length;
    for (size_t p = 0; p < PARTS; p++) {
        const char *dot = memchr(text, '.', (size_t)(end - text));
        if ((dot != NULL) != (p + 1 < PARTS))
            return false;
        parts[p] = (struct part){text, (size_t)((dot ? dot : end) - text)};
        text += parts[p].length + 1;
    }
    return true;
}

/* The bytes of a part lie where nothing of the batch is yet. Padding is no part of it here. NULL, or `reason`, or why
 * there is no room for them. */
static const char *decode(const struct batch *batch, size_t *count, struct part part, const char *reason) {
    if (base64_decoded_most(part.length) > batch_room(batch))
        return batch_is_full;
    bool padded = part.length && part.text[part.length - 1] == '=';
    bool good = base64_decode(batch->bytes + batch->bytes_used, count, part.text, part.length, true) && !padded;
    return good ? NULL : reason;
}

static const char *put(struct batch *batch, struct span *span, const void *bytes, size_t count) {
    const char *reason = batch_take(batch, count, span);
    if (!reason)
        memcpy(batch->bytes + span->offset, bytes, count);
    return reason;
}

/* NULL, or why the line is no token. */
static const char *read_parts(const struct batch *batch, const struct part parts[PARTS],
                              const struct algorithm **algorithm, const char **refusal) {
    size_t count;
    const char *reason = decode(batch, &count, parts[PAYLOAD], "the payload is not base64url");
    if (!reason)
        reason = decode(batch, &count, parts[SIGNATURE], "the signature is not base64url");
    if (!reason)
        reason = decode(batch, &count, parts[HEADER], "the header is not base64url");
    if (!reason)
        *refusal = read_header((const char *)batch->bytes + batch->bytes_used, count, algorithm);
    return reason;
}

const char *document_key(struct batch *batch, size_t i) {
    const struct key_file *file = &batch->options->public_key;
    struct span *span = &batch->cells[COLUMN_PUB][i];
    const char *reason = batch_take(batch, file->count / 2, span);
    if (!reason)
        hex_decode(batch->bytes + span->offset, file->digits, file->count);
    return reason;
}

/* Put the cells of a token in the batch; NULL, or why its row is refused. */
static const char *take_cells(struct batch *batch, size_t i, const struct part parts[PARTS],
                              const struct algorithm *algorithm) {
    const struct key_file *file = &batch->options->public_key;
    size_t width, signed_bytes = parts[HEADER].length + 1 + parts[PAYLOAD].length;
    if (algorithm->curve != file->curve)
        return algorithm->other_key;
    const char *reason = decode(batch, &width, parts[SIGNATURE], algorithm->other_width);
    if (!reason && width != 2 * gecc_curve_bytes(algorithm->curve))
        reason = algorithm->other_width;
    if (!reason)
        reason = batch_take(batch, width, &batch->cells[COLUMN_SIG][i]);
    if (!reason)
        reason = put(batch, &batch->cells[COLUMN_MSG][i], parts[HEADER].text, signed_bytes);
    return reason ? reason : document_key(batch, i);
}

static void keep(const struct batch *batch, const struct row *row, struct part line, bool is_token) {
    struct piece piece = {(uint32_t)(line.text - batch->text), (uint32_t)line.length,
                          is_token ? PIECE_TOKEN : PIECE_UNREADABLE, 0, 0};
    *row_pieces(batch, row) = piece;
}

/* Put the row of a token in its group, or refuse it in the name of a column. NULL, or why the text is no token. */
static const char *take_token(struct batch *batch, struct row *row, struct part text, enum column column) {
    struct part parts[PARTS];
    const struct algorithm *algorithm = NULL;
    const char *reason = "not three parts with dots between them", *refusal = NULL;
    if (split(text.text, text.length, parts))
        reason = read_parts(batch, parts, &algorithm, &refusal);
    if (!reason && !refusal)
        refusal = take_cells(batch, (size_t)(row - batch->rows), parts, algorithm);
    if (refusal)
        row_refuse(row, column, refusal);
    else if (!reason)
        row_join(batch, row,
                 &(struct group){.curve = algorithm->curve,
                                 .hash = algorithm->hash,
                                 .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)});
    return reason;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct part trim(const char *text, size_t length) {
    while (length && is_blank(text[length - 1]))
        length--;
    while (length && is_blank(*text)) {
        text++;
        length--;
    }
    return (struct part){text, length};
}

void token_open(struct batch *batch, struct row *row, const struct cell *cell) {
    const char *reason = take_token(batch, row, trim(cell->text, cell->length), COLUMN_TOKEN);
    if (reason)
        row_refuse(row, COLUMN_TOKEN, reason);
}

static size_t take(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    size_t used, length = line_length(text, size, &used);
    uint64_t line = batch->line++;
    struct part token = trim(text, length);
    (void)reader;
    if (!token.length)
        return used;
    struct row *row = batch_add(batch, line);
    const char *reason = take_token(batch, row, token, COLUMN_COUNT);
    keep(batch, row, token, !reason);
    row->keep_count = 1;
    if (reason)
        row_break(row, COLUMN_COUNT, reason);
    return used;
}

static const struct dialect dialect_jwt = {split_lines, take, NULL, "\n"};

bool jwt_open(struct reader *reader) { return records_open(reader, &dialect_jwt, "token"); }
