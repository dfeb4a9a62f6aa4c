/* Key binding of SD-JWT (RFC 9901, 4.3 and 7.3): the token in which a holder signs the presentation, with the key that
 * the issuer's token names. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/jwk.h"
#include "rows/documents.h"
#include "rows/sd_jwt.h"
#include "rows/task.h"
#include "rows/token.h"
#include "text/hex.h"

#include <stdlib.h>
#include <string.h>

/* Where a row keeps what is to be verified of its binding. The key has one byte before it, the algorithm's number. */
enum { KEY, MESSAGE, SIGNED, COLUMNS };
static const enum column columns[COLUMNS] = {[KEY] = COLUMN_PEER, [MESSAGE] = COLUMN_A, [SIGNED] = COLUMN_B};

/* The last member of that name of an object of valid JSON. */
static bool find_member(struct json_member *found, const struct json_member *object, const char *name) {
    struct json_walk walk;
    struct json_member member;
    bool has = false;
    if (*object->value != '{')
        return false;
    json_walk_init(&walk, object->value, object->value_length);
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
static const char *take_holder(struct batch *batch, size_t i, const struct claims *claims,
                               const struct algorithm *algorithm) {
    struct json_member jwk, keys;
    struct key_set set = {.keys = NULL};
    struct key_file private_key = {.count = 0};
    size_t number = 0;
    if (!claims->count[CLAIM_CONFIRMATION] || !find_member(&jwk, &claims->at[CLAIM_CONFIRMATION], "jwk"))
        return "the issuer's token has no cnf with a jwk";
    const char *reason = *jwk.value != '{'                    ? "cnf: its jwk is no object"
                         : jwk.value_length >= KEY_FILE_BYTES ? "cnf: its jwk is too long for a key"
                         : find_member(&keys, &jwk, "keys")   ? "cnf: its jwk is a set of keys"
                                                            : jwk_read(&set, &private_key, jwk.value, jwk.value_length);
    if (!reason)
        reason = private_key.count ? "cnf: its jwk is a private key" : set.keys->refusal;
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

static bool is_string(const struct claims *claims, enum claim claim) {
    return claims->count[claim] && claims->at[claim].type == JSON_STRING_VALUE;
}

/* The claims that a binding has to have (4.3). */
static const char *read_bounds(struct claims *bounds, const char *text, size_t size) {
    const char *reason = claims_refusal(text, size);
    if (reason)
        return reason;
    claims_read(bounds, text, size);
    return bounds->count[CLAIM_ISSUED_AT] && is_string(bounds, CLAIM_AUDIENCE) && is_string(bounds, CLAIM_NONCE) &&
                   is_string(bounds, CLAIM_SD_HASH)
               ? NULL
               : "iat, aud, nonce and sd_hash are not there, as a number and texts";
}

static bool is_text(const struct json_member *member, const char *text) {
    return json_string_is(member->value, member->value_length, member->value_escaped, text);
}

/* Whether the binding is to the presentation, the verifier and the time that the options name. */
static enum verdict judge_bounds(const struct claims *bounds, const struct options *options, struct slice hashed,
                                 const char **reason) {
    char text[SD_DIGEST_CHARACTERS + 1];
    sd_digest(text, hashed.text, hashed.length);
    *reason = !is_text(&bounds->at[CLAIM_SD_HASH], text) ? "sd_hash is not the hash of the presentation"
              : options->nonce && !is_text(&bounds->at[CLAIM_NONCE], options->nonce) ? "nonce is not what --nonce says"
              : options->audience && !is_text(&bounds->at[CLAIM_AUDIENCE], options->audience)
                  ? "aud is not what --audience says"
                  : NULL;
    return *reason ? VERDICT_INVALID : claims_judge_dates(bounds, options, reason);
}

static const char *take_parts(struct batch *batch, size_t i, const struct slice parts[PARTS],
                              const struct claims *claims) {
    struct header header = {.algorithm = NULL};
    size_t count;
    const char *reason = token_decode(batch, &count, parts[HEADER], "the header is not base64url");
    if (!reason)
        reason = token_header_read((const char *)batch->bytes + batch->bytes_used, count, &header);
    if (!reason && !header.is_binding)
        reason = "its typ is not kb+jwt";
    if (!reason)
        reason = batch->mapping->refuses(
            batch->options, 0, &(struct group){.curve = header.algorithm->curve, .hash = header.algorithm->hash});
    if (!reason)
        reason = take_holder(batch, i, claims, header.algorithm);
    if (!reason)
        reason = token_take(batch, i, parts, header.algorithm, columns[MESSAGE], columns[SIGNED]);
    free(header.kid_copy);
    return reason;
}

const char *binding_take(struct batch *batch, struct row *row, const struct presentation *presentation,
                         const struct claims *claims, enum verdict *verdict) {
    const struct options *options = batch->options;
    const size_t i = (size_t)(row - batch->rows);
    struct slice parts[PARTS];
    struct claims bounds;
    size_t count = 0;
    batch->cells[columns[KEY]][i] = (struct span){0, 0};
    if (!presentation->binding.length) {
        const bool is_wanted = options->nonce || options->audience;
        *verdict = is_wanted ? VERDICT_INVALID : VERDICT_GOOD;
        return is_wanted ? "there is none, which --nonce and --audience ask for" : NULL;
    }
    *verdict = VERDICT_MALFORMED;
    if (!token_split(presentation->binding.text, presentation->binding.length, parts))
        return "not three parts with dots between them";
    const char *reason = take_parts(batch, i, parts, claims);
    if (!reason)
        reason = token_decode(batch, &count, parts[PAYLOAD], "the payload is not base64url");
    const char *text = (const char *)batch->bytes + batch->bytes_used;
    if (!reason)
        reason = read_bounds(&bounds, text, count);
    if (reason)
        return reason;
    *verdict = judge_bounds(&bounds, options, presentation->hashed, &reason);
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
                const bool is_malformed = gecc_item_is_malformed(bindings->status[i]);
                row_judge(row, COLUMN_COUNT, is_malformed ? VERDICT_MALFORMED : VERDICT_INVALID,
                          is_malformed ? gecc_item_text(bindings->status[i]) : "not signed by the key of cnf");
                row->refusal.of_holder = true;
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
