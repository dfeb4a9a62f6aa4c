/* Claims that become tokens (RFC 7519): an object of JSON Lines as it stands, or the JSON in a column `claims`. */
#define _GNU_SOURCE /* mempcpy */

#include "rows/decode.h"
#include "rows/documents.h"
#include "rows/payload.h"
#include "text/base64.h"
#include "text/json_names.h"
#include "text/json_text.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* A string, or an array of strings. */
static bool is_audience(const struct json_member *member) {
    struct json_walk walk;
    struct json_member element;
    bool are_strings = true;
    if (member->type != JSON_OTHER_VALUE || !member->value_length || *member->value != '[')
        return member->type == JSON_STRING_VALUE;
    json_walk_init(&walk, member->value, member->value_length);
    while (json_walk_next_element(&walk, &element))
        are_strings &= element.type == JSON_STRING_VALUE;
    return are_strings;
}

/* What registered claims have to be (RFC 7519, 4.1); NULL: it is that. */
static const char *type_refusal(const char *name, size_t length, const struct json_member *member) {
    static const struct {
        const char *name;
        enum json_type type;
        const char *refusal;
    } registered[] = {{"iss", JSON_STRING_VALUE, "iss is no string"},
                      {"sub", JSON_STRING_VALUE, "sub is no string"},
                      {"jti", JSON_STRING_VALUE, "jti is no string"},
                      {"exp", JSON_NUMBER_VALUE, "exp is no number, or too large or long a one"},
                      {"nbf", JSON_NUMBER_VALUE, "nbf is no number, or too large or long a one"},
                      {"iat", JSON_NUMBER_VALUE, "iat is no number, or too large or long a one"}};
    double date;
    for (size_t i = 0; i < sizeof registered / sizeof *registered; i++)
        if (is(name, length, registered[i].name) &&
            (member->type != registered[i].type || (member->type == JSON_NUMBER_VALUE && !claim_date(member, &date))))
            return registered[i].refusal;
    return is(name, length, "aud") && !is_audience(member) ? "aud is neither a string nor an array of strings" : NULL;
}

static const char *take_claim(struct json_names *names, const struct json_member *member) {
    static const char *const refusals[] = {[JSON_NAME_TWICE] = "a claim twice",
                                           [JSON_NAME_UNREADABLE] = "the name of a claim cannot be read",
                                           [JSON_NAME_TOO_MANY] = "more than 128 claims"};
    const char *reason = refusals[json_names_add(names, member)];
    return reason ? reason : type_refusal(names->at[names->count - 1].text, names->at[names->count - 1].length, member);
}

const char *claims_refusal(const char *text, size_t size) {
    struct json_walk walk;
    struct json_member member;
    struct json_names names;
    const char *reason = NULL;
    names.count = 0;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        if (!reason)
            reason = take_claim(&names, &member);
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size)))
        reason = "not a JSON object";
    json_names_free(&names);
    return reason;
}

/* What is signed: the header and its dot, and the claims in base64url. */
static const char *put_message(struct batch *batch, size_t i, const char *text, size_t size) {
    const char *header = batch->options->token_header;
    const size_t head = strlen(header), digits = (4 * size + 2) / 3;
    const char *reason = batch_take(batch, head + digits, &batch->cells[COLUMN_MSG][i]);
    if (!reason) {
        uint8_t *out = batch->bytes + batch->cells[COLUMN_MSG][i].offset;
        base64_encode((char *)mempcpy(out, header, head), (const uint8_t *)text, size, true);
    }
    return reason;
}

static const char *take_claims(struct batch *batch, size_t i, const char *text, size_t size) {
    const char *reason = claims_refusal(text, size);
    if (!reason)
        reason = put_message(batch, i, text, size);
    return reason ? reason : document_key(batch, COLUMN_PRIV, i, &batch->options->private_key);
}

void claims_open(struct batch *batch, struct row *row, const struct cell *cells) {
    const struct cell *cell = &cells[COLUMN_CLAIMS];
    struct group group = {.curve = batch->options->curve, .form = COLUMN_BIT(PRIV) | COLUMN_BIT(MSG)};
    const char *text = cell->text, *reason = "not enough memory";
    size_t size = cell->length;
    char *copy = cell->doubled ? cell_copy(cell, &size) : NULL;
    if (copy)
        text = copy;
    for (; size && is_blank(text[size - 1]); size--)
        continue;
    for (; size && is_blank(*text); size--)
        text++;
    if (copy || !cell->doubled)
        reason = take_claims(batch, (size_t)(row - batch->rows), text, size);
    token_algorithm(group.curve, &group.hash);
    free(copy);
    if (reason)
        row_refuse(row, COLUMN_CLAIMS, reason);
    else
        row_join(batch, row, &group);
}

static void put_text(struct buffer *out, const char *name, const char *text) {
    if (!*text)
        return;
    buffer_put(out, ",\"", 2);
    buffer_put(out, name, strlen(name));
    buffer_put(out, "\":\"", 3);
    json_put_text(out, text, strlen(text), false);
    buffer_put(out, "\"", 1);
}

char *token_header(const struct options *options) {
    struct buffer json = {.bytes = NULL};
    gecc_hash hash;
    const char *algorithm = token_algorithm(options->curve, &hash), *type = options->typ ? options->typ : "JWT";
    const struct set_key *key = options->keys.keys;
    char *header = NULL;
    if (buffer_reserve(&json, 1)) {
        buffer_put(&json, "{\"alg\":\"", 8);
        buffer_put(&json, algorithm, strlen(algorithm));
        buffer_put(&json, "\"", 1);
        put_text(&json, "typ", type);
        put_text(&json, "kid", options->kid ? options->kid : key->kid && *key->kid ? key->kid : key->thumbprint);
        buffer_put(&json, "}", 1);
    }
    if (json.bytes && !json.failed)
        header = malloc((4 * json.used + 2) / 3 + 2);
    if (header)
        stpcpy(base64_encode(header, (const uint8_t *)json.bytes, json.used, true), ".");
    buffer_free(&json);
    return header;
}
