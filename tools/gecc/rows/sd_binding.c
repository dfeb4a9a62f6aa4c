/* Key binding of SD-JWT (RFC 9901, 4.3 and 7.3): the token in which a holder signs what is presented, with the key that the
 * issuer's token names. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/jwk.h"
#include "rows/documents.h"
#include "rows/sd_jwt.h"
#include "rows/task.h"
#include "rows/token.h"
#include "text/base64.h"
#include "text/hex.h"
#include "text/sha256.h"

#include <stdlib.h>
#include <string.h>

/* Where a row keeps what is to be verified of its binding. The key has one byte before it, the algorithm's number. */
enum { KEY, MESSAGE, SIGNED, COLUMNS };
static const enum column columns[COLUMNS] = {[KEY] = COLUMN_PEER, [MESSAGE] = COLUMN_A, [SIGNED] = COLUMN_B};

/* The one member of that name of an object of valid JSON. */
static bool find_member(struct json_member *found, const char *text, size_t size, const char *name) {
    struct json_walk walk;
    struct json_member member;
    bool has = false;
    if (!size || *text != '{')
        return false;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        if (json_string_is(member.name, member.name_length, member.name_escaped, name)) {
            *found = member;
            has = true;
        }
    return has;
}

static const char *take_key(struct batch *batch, size_t i, const struct key_file *key, size_t algorithm) {
    struct span *span = &batch->cells[columns[KEY]][i];
    const char *reason = batch_take(batch, 1 + key->count / 2, span);
    if (!reason) {
        batch->bytes[span->offset] = (uint8_t)algorithm;
        hex_decode(batch->bytes + span->offset + 1, key->digits, key->count);
    }
    return reason;
}

/* The key of the claim cnf (RFC 7800, 3.2). */
static const char *take_holder(struct batch *batch, size_t i, const char *claims, size_t size,
                               const struct algorithm *algorithm) {
    struct json_member confirmation, jwk;
    struct key_set set = {.keys = NULL};
    struct key_file private_key = {.count = 0};
    size_t number = 0;
    if (!find_member(&confirmation, claims, size, "cnf") ||
        !find_member(&jwk, confirmation.value, confirmation.value_length, "jwk"))
        return "key binding, and the token has no cnf with a jwk";
    const char *reason =
        *jwk.value == '{' ? jwk_read(&set, &private_key, jwk.value, jwk.value_length) : "cnf: its jwk is no object";
    if (!reason && (set.count != 1 || private_key.count))
        reason = private_key.count ? "cnf: its jwk is a private key" : "cnf: its jwk is not one key";
    if (!reason)
        reason = set.keys->refusal;
    if (!reason && set.keys->key.curve != algorithm->curve)
        reason = algorithm->other_key;
    while (token_algorithm_at(number) != algorithm)
        number++;
    if (!reason)
        reason = take_key(batch, i, &set.keys->key, number);
    explicit_bzero(&private_key, sizeof private_key);
    key_set_free(&set);
    return reason;
}

/* The claims that a binding has (4.3). */
enum bound { BOUND_AT, BOUND_AUDIENCE, BOUND_NONCE, BOUND_HASH, BOUNDS };

static const char *read_bounds(struct json_member at[BOUNDS], const char *text, size_t size) {
    static const char *const names[BOUNDS] = {"iat", "aud", "nonce", "sd_hash"};
    struct json_walk walk;
    struct json_member member;
    unsigned count[BOUNDS] = {0};
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        for (unsigned b = 0; b < BOUNDS; b++)
            if (json_string_is(member.name, member.name_length, member.name_escaped, names[b])) {
                at[b] = member;
                count[b]++;
            }
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size)))
        return "key binding: the payload is not a JSON object";
    for (unsigned b = 0; b < BOUNDS; b++)
        if (count[b] != 1 || at[b].type != (b == BOUND_AT ? JSON_NUMBER_VALUE : JSON_STRING_VALUE))
            return "key binding: iat, aud, nonce and sd_hash are not there once, as a number and texts";
    return NULL;
}

static bool is_text(const struct json_member *member, const char *text) {
    return json_string_is(member->value, member->value_length, member->value_escaped, text);
}

/* NULL, or why the binding is to something else. */
static const char *judge_bounds(const struct json_member at[BOUNDS], const struct options *options,
                                struct slice hashed) {
    uint8_t hash[SHA256_BYTES];
    char text[2 * SHA256_BYTES];
    sha256(hash, hashed.text, hashed.length);
    *base64_encode(text, hash, sizeof hash, true) = 0;
    return !is_text(&at[BOUND_HASH], text) ? "key binding: sd_hash is not the hash of what is presented"
           : options->nonce && !is_text(&at[BOUND_NONCE], options->nonce)
               ? "key binding: nonce is not what --nonce says"
           : options->audience && !is_text(&at[BOUND_AUDIENCE], options->audience)
               ? "key binding: aud is not what --audience says"
               : NULL;
}

static const char *take_parts(struct batch *batch, size_t i, const struct slice parts[PARTS], const char *claims,
                              size_t size) {
    struct header header = {.algorithm = NULL};
    size_t count;
    const char *reason = token_decode(batch, &count, parts[HEADER], "key binding: the header is not base64url");
    if (!reason)
        reason = token_header_read((const char *)batch->bytes + batch->bytes_used, count, &header);
    if (!reason && !header.is_binding)
        reason = "key binding: its typ is not kb+jwt";
    if (!reason)
        reason = take_holder(batch, i, claims, size, header.algorithm);
    if (!reason)
        reason = token_take(batch, i, parts, header.algorithm, columns[MESSAGE], columns[SIGNED]);
    free(header.kid_copy);
    return reason;
}

const char *binding_take(struct batch *batch, struct row *row, const struct presentation *presentation,
                         const char *claims, size_t size, enum verdict *verdict) {
    const struct options *options = batch->options;
    const size_t i = (size_t)(row - batch->rows);
    struct slice parts[PARTS];
    struct json_member at[BOUNDS];
    size_t count = 0;
    batch->cells[columns[KEY]][i] = (struct span){0, 0};
    if (!presentation->binding.length) {
        const bool is_wanted = options->nonce || options->audience;
        *verdict = is_wanted ? VERDICT_INVALID : VERDICT_GOOD;
        return is_wanted ? "no key binding, which --nonce and --audience ask for" : NULL;
    }
    *verdict = VERDICT_MALFORMED;
    if (!token_split(presentation->binding.text, presentation->binding.length, parts))
        return "key binding: not three parts with dots between them";
    const char *reason = take_parts(batch, i, parts, claims, size);
    if (!reason)
        reason = token_decode(batch, &count, parts[PAYLOAD], "key binding: the payload is not base64url");
    const char *text = (const char *)batch->bytes + batch->bytes_used;
    if (!reason)
        reason = read_bounds(at, text, count);
    if (reason)
        return reason;
    reason = judge_bounds(at, options, presentation->hashed);
    *verdict = reason ? VERDICT_INVALID : VERDICT_GOOD;
    document_keep(batch, row, BINDING, text, count);
    return reason;
}

void claims_forget(const struct batch *batch, const struct row *row) {
    struct piece *piece = row_pieces(batch, row);
    for (size_t k = 0; k < row->keep_count; k++)
        if (piece[k].kind == PIECE_RESULT && piece[k].result >= DISCLOSED)
            piece[k].length = 0;
}

/* Rows whose bindings one call takes. */
struct bindings {
    size_t count;
    uint32_t *rows; /* of the batch */
    uint32_t *widths[COLUMNS];
    uint64_t *offsets[COLUMNS];
    uint8_t *status, *digests;
};

static void gather(struct bindings *bindings, const struct task *task, size_t number) {
    const struct batch *batch = task->batch;
    bindings->count = 0;
    for (size_t i = 0; i < task->count; i++) {
        const uint32_t r = batch->order[task->group->first + i];
        const struct span key = batch->cells[columns[KEY]][r];
        if (task->status[i] != GECC_ITEM_OK || !key.length || batch->bytes[key.offset] != number)
            continue;
        for (size_t c = 0; c < COLUMNS; c++) {
            const struct span span = batch->cells[columns[c]][r];
            bindings->offsets[c][bindings->count] = span.offset + (c == KEY);
            bindings->widths[c][bindings->count] = span.length - (c == KEY);
        }
        bindings->rows[bindings->count++] = r;
    }
}

static gecc_result verify(struct bindings *bindings, const struct task *task, const struct algorithm *algorithm) {
    gecc_options call = GECC_OPTIONS_INIT;
    gecc_rows rows[COLUMNS];
    const gecc_out status = gecc_out_packed(bindings->status, 1);
    for (size_t c = 0; c < COLUMNS; c++)
        rows[c] = (gecc_rows){task->batch->bytes, 0, 0, bindings->widths[c], bindings->offsets[c]};
    if (algorithm->curve == GECC_CURVE25519) {
        call.flags = task->options->accept;
        return gecc_ed25519_verify(task->context, status, rows[KEY], rows[MESSAGE], rows[SIGNED], gecc_rows_none(),
                                   bindings->count, &call);
    }
    call.flags = task->options->low_s ? GECC_LOW_S : 0u;
    gecc_result result =
        gecc_digest(task->context, algorithm->hash, gecc_out_packed(bindings->digests, MAX_DIGEST_BYTES), status,
                    rows[MESSAGE], bindings->count, NULL);
    const gecc_rows digests = gecc_rows_strided(bindings->digests, gecc_hash_bytes(algorithm->hash), MAX_DIGEST_BYTES);
    return result != GECC_OK ? result
                             : gecc_ecdsa_verify(task->context, algorithm->curve, status, rows[KEY], digests,
                                                 rows[SIGNED], bindings->count, &call);
}

static gecc_result verify_all(struct bindings *bindings, const struct task *task) {
    const struct algorithm *algorithm;
    gecc_result result = GECC_OK;
    for (size_t a = 0; result == GECC_OK && (algorithm = token_algorithm_at(a)) != NULL; a++) {
        gather(bindings, task, a);
        if (bindings->count)
            result = verify(bindings, task, algorithm);
        for (size_t i = 0; result == GECC_OK && i < bindings->count; i++)
            if (bindings->status[i] != GECC_ITEM_OK) {
                struct row *row = &task->batch->rows[bindings->rows[i]];
                row_judge(row, COLUMN_COUNT, VERDICT_INVALID, "key binding: not signed by the key of cnf");
                row->slot = SLOT_NONE;
            }
    }
    return result;
}

gecc_result presentations_run(struct task *task) {
    const size_t count = task->count + 1;
    struct bindings bindings = {.rows = calloc(count, sizeof *bindings.rows),
                                .status = malloc(count),
                                .digests = malloc(count * MAX_DIGEST_BYTES)};
    bool fits = bindings.rows && bindings.status && bindings.digests;
    for (size_t c = 0; c < COLUMNS; c++) {
        bindings.widths[c] = calloc(count, sizeof *bindings.widths[c]);
        bindings.offsets[c] = calloc(count, sizeof *bindings.offsets[c]);
        fits = fits && bindings.widths[c] && bindings.offsets[c];
    }
    gecc_result result = fits ? task_run(task) : GECC_ERROR_MEMORY;
    if (result == GECC_OK)
        result = verify_all(&bindings, task);
    for (size_t i = 0; i < task->count; i++) {
        const struct row *row = &task->batch->rows[task->batch->order[task->group->first + i]];
        if (result != GECC_OK || task->status[i] != GECC_ITEM_OK || row->refusal.text)
            claims_forget(task->batch, row);
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        free(bindings.widths[c]);
        free(bindings.offsets[c]);
    }
    free(bindings.rows);
    free(bindings.status);
    free(bindings.digests);
    return result;
}
