/* Signed tokens in JWS's compact form (RFC 7515, 7.1), one on each line or in a column `token`:
 * header.payload.signature, each in base64url. What is signed is the text of the first two, with their dot. */
#include "text/base64.h"
#include "text/hex.h"
#include "text/json_names.h"
#include "rows/documents.h"
#include "rows/payload.h"
#include "rows/reader.h"
#include "rows/sd_jwt.h"
#include "rows/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* RFC 7518, 3.4; RFC 8812, 3.2; RFC 8037, 3.1, and RFC 9864, 2.2, of which keys of Ed25519 are here. */
static const struct algorithm algorithms[] = {
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

const struct algorithm *token_algorithm_at(size_t index) {
    return index < sizeof algorithms / sizeof *algorithms ? &algorithms[index] : NULL;
}

const char *token_algorithm(gecc_curve curve, gecc_hash *hash) {
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (algorithms[i].curve == curve) {
            *hash = algorithms[i].hash;
            return algorithms[i].name;
        }
    return NULL;
}

static bool is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static const char *find_algorithm(const struct json_member *member, struct header *header) {
    const char *text = member->value + 1;
    size_t length = member->value_length - 2;
    if (member->type != JSON_STRING_VALUE)
        return "alg is no string";
    if (is(text, length, "none"))
        return "alg none: it is not signed";
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (is(text, length, algorithms[i].name))
            header->algorithm = &algorithms[i];
    return header->algorithm ? NULL : "alg is none of ES256, ES384, ES512, ES256K, EdDSA, Ed25519";
}

static const char *take_kid(const struct json_member *member, struct header *header) {
    if (member->type != JSON_STRING_VALUE)
        return "kid is no string";
    header->has_kid = true;
    header->kid = member->value + 1;
    header->kid_length = member->value_length - 2;
    if (member->value_escaped)
        header->kid = header->kid_copy = json_unescape(member->value, member->value_length, &header->kid_length);
    return header->kid ? NULL : "kid cannot be read";
}

/* A media type (RFC 7515, 4.1.9): without regard to case, and "application/" before it may be left out. */
static const char *take_type(const struct json_member *member, struct header *header) {
    static const char application[] = "application/", binding[] = "kb+jwt";
    if (member->type != JSON_STRING_VALUE)
        return NULL;
    size_t length = 0;
    char *copy = json_unescape_any(member->value, member->value_length, &length);
    if (!copy)
        return "not enough memory";
    const size_t start = strncasecmp(copy, application, sizeof application - 1) == 0 ? sizeof application - 1 : 0;
    header->is_binding =
        length - start == sizeof binding - 1 && strncasecmp(copy + start, binding, length - start) == 0;
    free(copy);
    return NULL;
}

/* A member of the header. What must be understood (RFC 7515, 4.1.11) is not: nothing but alg and kid is. */
static const char *take_member(struct json_names *names, const struct json_member *member, struct header *header) {
    static const char *const refusals[] = {[JSON_NAME_TWICE] = "a name twice in the header",
                                           [JSON_NAME_UNREADABLE] = "a name in the header cannot be read",
                                           [JSON_NAME_TOO_MANY] = "a header with more than 32 members"};
    const char *reason = refusals[names->count == MOST_MEMBERS ? JSON_NAME_TOO_MANY : json_names_add(names, member)];
    if (reason)
        return reason;
    const char *text = names->at[names->count - 1].text;
    size_t length = names->at[names->count - 1].length;
    if (is(text, length, "alg"))
        return find_algorithm(member, header);
    if (is(text, length, "kid"))
        return take_kid(member, header);
    if (is(text, length, "typ"))
        return take_type(member, header);
    if (is(text, length, "crit"))
        return "crit asks for more than is checked here";
    return is(text, length, "b64") ? "b64 changes what is signed" : NULL;
}

static const char *walk_header(const char *text, size_t size, struct json_names *names, struct header *header) {
    struct json_walk walk;
    struct json_member member;
    const char *reason = NULL;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        if (!reason)
            reason = take_member(names, &member, header);
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size)))
        return "the header is not a JSON object";
    return reason || header->algorithm ? reason : "the header has no alg";
}

const char *token_header_read(const char *text, size_t size, struct header *header) {
    struct json_names names;
    names.count = 0;
    const char *reason = walk_header(text, size, &names, header);
    json_names_free(&names);
    return reason;
}

bool token_split(const char *text, size_t length, struct slice parts[PARTS]) {
    const char *end = text + length;
    for (size_t p = 0; p < PARTS; p++) {
        const char *dot = memchr(text, '.', (size_t)(end - text));
        if ((dot != NULL) != (p + 1 < PARTS))
            return false;
        parts[p] = (struct slice){text, (size_t)((dot ? dot : end) - text)};
        text += parts[p].length + 1;
    }
    return true;
}

const char *token_decode(const struct batch *batch, size_t *count, struct slice part, const char *reason) {
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

/* What the parts say; the header's text lies where nothing of the batch is yet. NULL, or why the line is no token. */
static const char *read_parts(const struct batch *batch, const struct slice parts[PARTS], struct header *header,
                              const char **refusal) {
    size_t count;
    const char *reason = token_decode(batch, &count, parts[PAYLOAD], "the payload is not base64url");
    if (!reason)
        reason = token_decode(batch, &count, parts[SIGNATURE], "the signature is not base64url");
    if (!reason)
        reason = token_decode(batch, &count, parts[HEADER], "the header is not base64url");
    if (!reason)
        *refusal = token_header_read((const char *)batch->bytes + batch->bytes_used, count, header);
    return reason;
}

/* Why the row has no key; or one, or malformed: NULL. */
struct choice {
    const struct key_file *key;
    const char *no_key, *malformed;
};

/* Of a set the key that the header names, or the only one that fits its algorithm. */
static struct choice choose_key(const struct key_set *set, const struct header *header) {
    const gecc_curve curve = header->algorithm->curve;
    struct choice choice = {.key = NULL};
    size_t count = 0, fits = 0;
    if (!header->has_kid) {
        if (set->fits[curve] == 1)
            choice.key = &set->first[curve]->key;
        else
            choice.no_key = set->fits[curve] ? "no kid, and several keys of the set fit the alg"
                                             : "no kid, and no key of the set fits the alg";
        return choice;
    }
    const struct key_name *names = key_set_find(set, header->kid, header->kid_length, &count);
    for (size_t i = 0; i < count; i++) {
        const struct set_key *key = names[i].key;
        if (key->refusal || key->key.curve != curve || (choice.key && same_key(choice.key, &key->key)))
            continue;
        choice.key = &key->key;
        fits++;
    }
    if (fits > 1)
        choice = (struct choice){.no_key = "several keys of this kid fit the alg"};
    else if (count == 0)
        choice.no_key = "the set has no key of this kid";
    else if (fits == 0 && names->key->refusal)
        choice.no_key = names->key->refusal;
    else if (fits == 0)
        choice.malformed = header->algorithm->other_key;
    return choice;
}

const char *token_take(struct batch *batch, size_t i, const struct slice parts[PARTS],
                       const struct algorithm *algorithm, enum column message, enum column signature) {
    size_t width, signed_bytes = parts[HEADER].length + 1 + parts[PAYLOAD].length;
    const char *reason = token_decode(batch, &width, parts[SIGNATURE], algorithm->other_width);
    if (!reason && width != 2 * gecc_curve_bytes(algorithm->curve))
        reason = algorithm->other_width;
    if (!reason)
        reason = batch_take(batch, width, &batch->cells[signature][i]);
    return reason ? reason : put(batch, &batch->cells[message][i], parts[HEADER].text, signed_bytes);
}

/* Keep the issuer, which is the text of the one member `iss` of a payload that is an object; of another nothing. */
static void keep_issuer(struct batch *batch, struct row *row, const struct claims *claims) {
    const struct json_member *member = &claims->at[CLAIM_ISSUER];
    const bool is_text = claims->is_object && claims->count[CLAIM_ISSUER] == 1 && member->type == JSON_STRING_VALUE;
    size_t length = is_text ? member->value_length - 2 : 0;
    char *copy =
        is_text && member->value_escaped ? json_unescape_any(member->value, member->value_length, &length) : NULL;
    document_keep(batch, row, ISSUER, copy ? copy : is_text ? member->value + 1 : "", length);
    free(copy);
}

/* The claims of a row's token and its disclosures, with the holder's token behind it. */
struct said {
    const struct presentation *presentation; /* NULL: a token alone */
    struct arena arena;
    struct buffer processed; /* of a presentation, its payload with the claims that are disclosed */
    struct claims claims;
};

/* Read the payload: keep its issuer, and judge its claims. */
static enum verdict take_payload(struct batch *batch, struct row *row, struct slice payload, struct said *said,
                                 const char **reason) {
    size_t size = 0;
    if ((*reason = token_decode(batch, &size, payload, "the payload is not base64url")) != NULL)
        return VERDICT_MALFORMED;
    const char *text = (const char *)batch->bytes + batch->bytes_used;
    if (said->presentation) {
        if ((*reason = sd_jwt_process(&said->processed, &said->arena, said->presentation, text, size)) != NULL)
            return VERDICT_MALFORMED;
        text = said->processed.bytes;
        size = said->processed.used;
    }
    claims_read(&said->claims, text, size);
    const enum verdict verdict = claims_judge(&said->claims, batch->options, reason);
    keep_issuer(batch, row, &said->claims);
    return verdict;
}

/* Keep the claims that are disclosed, and the payload that their holder signed. */
static enum verdict take_presentation(struct batch *batch, struct row *row, const struct said *said,
                                      const char **reason) {
    enum verdict verdict = VERDICT_GOOD;
    document_keep(batch, row, DISCLOSED, said->processed.bytes, said->processed.used);
    *reason = binding_take(batch, row, said->presentation, &said->claims, &verdict);
    if (*reason)
        claims_forget(batch, row);
    return verdict;
}

/* Put a token that could be read in the batch: its kid and issuer, and the row in its group, or refuse it in the name
 * of a column. */
static void take_row(struct batch *batch, struct row *row, const struct slice parts[PARTS], const struct header *header,
                     struct said *said, enum column column) {
    const struct algorithm *algorithm = header->algorithm;
    const struct options *options = batch->options;
    const size_t i = (size_t)(row - batch->rows);
    struct choice choice = {.key = &options->public_key};
    if (options->keys.count)
        choice = choose_key(&options->keys, header);
    else if (options->public_key.curve != algorithm->curve)
        choice = (struct choice){.malformed = algorithm->other_key};
    const char *reason;
    document_keep(batch, row, KID, header->kid, header->kid_length);
    enum verdict verdict = take_payload(batch, row, parts[PAYLOAD], said, &reason);
    if (choice.key)
        choice.malformed = token_take(batch, i, parts, algorithm, COLUMN_MSG, COLUMN_SIG);
    if (choice.key && !choice.malformed)
        choice.malformed = document_key(batch, COLUMN_PUB, i, choice.key);
    const bool is_presented = said->presentation && verdict == VERDICT_GOOD && choice.key && !choice.malformed;
    if (is_presented)
        verdict = take_presentation(batch, row, said, &reason);
    if (verdict != VERDICT_GOOD && !choice.no_key && !choice.malformed) {
        row_judge(row, column, verdict, reason);
        row->refusal.of_holder = is_presented;
    } else if (choice.no_key)
        row_judge(row, column, VERDICT_NO_KEY, choice.no_key);
    else if (choice.malformed)
        row_refuse(row, column, choice.malformed);
    else
        row_join(batch, row,
                 &(struct group){.curve = algorithm->curve,
                                 .hash = algorithm->hash,
                                 .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)});
}

/* Put the row of a token in its group, or refuse it in the name of a column. NULL, or why the text is no token. */
static const char *take_token(struct batch *batch, struct row *row, struct slice text, enum column column) {
    struct slice parts[PARTS];
    struct header header = {.algorithm = NULL};
    struct presentation presentation;
    struct said said = {.arena = {.chunk_bytes = 16 << 10}};
    const char *reason = "not three parts with dots between them", *refusal = NULL;
    if (!batch->options->sd_jwt && memchr(text.text, '~', text.length))
        return "disclosures behind the token (SD-JWT), which --sd-jwt takes";
    if (batch->options->sd_jwt) {
        if (!presentation_split(&presentation, text.text, text.length))
            return "no ~ behind the token, as SD-JWTs have it";
        said.presentation = &presentation;
        text = presentation.token;
    }
    if (token_split(text.text, text.length, parts))
        reason = read_parts(batch, parts, &header, &refusal);
    if (!reason && !refusal && said.presentation && header.is_binding)
        refusal = "typ kb+jwt: it is a holder's token, and no issuer's";
    if (refusal)
        row_refuse(row, column, refusal);
    else if (!reason)
        take_row(batch, row, parts, &header, &said, column);
    free(header.kid_copy);
    buffer_free(&said.processed);
    arena_free(&said.arena);
    return reason;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct slice trim(const char *text, size_t length) {
    while (length && is_blank(text[length - 1]))
        length--;
    while (length && is_blank(*text)) {
        text++;
        length--;
    }
    return (struct slice){text, length};
}

void token_open(struct batch *batch, struct row *row, const struct cell *cells) {
    const struct cell *cell = &cells[COLUMN_TOKEN];
    const char *reason = take_token(batch, row, trim(cell->text, cell->length), COLUMN_TOKEN);
    if (reason)
        row_refuse(row, COLUMN_TOKEN, reason);
}

/* The token with the payload in its place; to be freed. NULL: no memory. */
static char *attach(struct slice token, const struct slice parts[PARTS], const char *payload, size_t size,
                    size_t *length) {
    const size_t start = parts[HEADER].length + 1, end = parts[SIGNATURE].length + 1;
    char *whole = malloc(token.length + (4 * size + 2) / 3 + 1);
    if (whole) {
        memcpy(whole, token.text, start);
        char *at = base64_encode(whole + start, (const uint8_t *)payload, size, true);
        memcpy(at, parts[SIGNATURE].text - 1, end);
        *length = (size_t)(at - whole) + end;
    }
    return whole;
}

void detached_open(struct batch *batch, struct row *row, const struct cell *cells) {
    const struct slice token = trim(cells[COLUMN_TOKEN].text, cells[COLUMN_TOKEN].length);
    struct slice parts[PARTS];
    size_t size = 0, length = 0;
    if (!cells[COLUMN_MSG_TEXT].text) {
        row_break(row, COLUMN_COUNT, "columns are missing");
        return;
    }
    if (!token_split(token.text, token.length, parts) || parts[PAYLOAD].length) {
        row_refuse(row, COLUMN_TOKEN,
                   "not a token without a payload, which is a header, two dots and a signature: --detached asks for "
                   "these");
        return;
    }
    char *payload = cell_copy(&cells[COLUMN_MSG_TEXT], &size);
    char *whole = payload ? attach(token, parts, payload, size, &length) : NULL;
    const char *reason =
        whole ? take_token(batch, row, (struct slice){whole, length}, COLUMN_TOKEN) : "not enough memory";
    if (reason)
        row_refuse(row, COLUMN_TOKEN, reason);
    free(whole);
    free(payload);
}

static size_t take(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    size_t used, length = line_length(text, size, &used);
    uint64_t line = batch->line++;
    struct slice token = trim(text, length);
    if (!token.length)
        return used;
    struct row *row = batch_add(batch, line);
    struct piece *piece = row_pieces(batch, row);
    *piece = (struct piece){(uint32_t)(token.text - batch->text), (uint32_t)token.length, PIECE_TOKEN, 0, 0};
    row->keep_count = 1;
    const char *reason = take_token(batch, row, token, COLUMN_COUNT);
    row->padding =
        (reader->options->sd_jwt ? BINDING : ISSUER) + 2 - row->keep_count; /* a row that was refused keeps less */
    if (reason) {
        piece->kind = PIECE_UNREADABLE;
        row_break(row, COLUMN_COUNT, reason);
    }
    return used;
}

static const struct dialect dialect_jwt = {split_lines, take, NULL, "\n"};

bool jwt_open(struct reader *reader) {
    if (reader->options->detached && !reader->empty) {
        snprintf(reader->error, sizeof reader->error,
                 "%.100s: --detached: tokens are in a column `token`, and their payloads in `msg_text`", reader->name);
        return false;
    }
    return records_open(reader, &dialect_jwt, "token");
}
