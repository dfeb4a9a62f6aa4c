/* encrypt and decrypt: ciphertexts of SM2, which have any width, as their texts have. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench/keys.h"
#include "commands/commands.h"
#include "rows/task.h"

#include <stdlib.h>
#include <string.h>

enum {
    PART_BYTES = 64 << 20, /* that results of one call have room for, but for a single row */
    NONCE_BYTES = 32,
    NONCES_MOST = 64 /* tries of a row, of which one of 2^8 fails or, of longer texts than a byte, fewer */
};

/* Rows of a task that one call computes, and the room that each result has. */
struct part {
    size_t first, count, room;
};

/* The rows of a part. */
static gecc_rows rows_of(gecc_rows rows, struct part part) {
    if (rows.offsets)
        rows.offsets += part.first;
    else
        rows.data = (const uint8_t *)rows.data + part.first * rows.stride;
    if (rows.widths)
        rows.widths += part.first;
    return rows;
}

/* Results of rows that are good go to the batch's bytes. */
static void keep(const struct task *task, struct part part, const uint8_t *results) {
    struct batch *batch = task->batch;
    const size_t slot = task->group->first + part.first;
    for (size_t i = 0; i < part.count; i++) {
        struct span span;
        if (task->status[part.first + i] != GECC_ITEM_OK)
            continue;
        if (batch_take(batch, batch->result_widths[0][slot + i], &span))
            task->status[part.first + i] = GECC_ITEM_NOT_PROCESSED;
        else
            memcpy(batch->bytes + span.offset, results + i * part.room, span.length);
        memcpy(batch->result[0] + (slot + i) * sizeof span, &span, sizeof span);
    }
}

/* The key and the text of each row, and a nonce between them where it is encrypted. */
static gecc_result run_part(struct task *task, struct part part, gecc_rows key, gecc_rows text, bool encrypts) {
    const size_t nonce_bytes = encrypts ? part.count * NONCE_BYTES : 0, size = part.count * part.room + nonce_bytes;
    uint8_t *results = malloc(size ? size : 1);
    if (!results)
        return GECC_ERROR_MEMORY;
    uint8_t *nonces = results + part.count * part.room;
    const gecc_rows nonce = gecc_rows_packed(nonces, NONCE_BYTES);
    const gecc_rows inputs[] = {rows_of(key, part), encrypts ? nonce : rows_of(text, part), rows_of(text, part)};
    const gecc_out out = {results, part.room, task->batch->result_widths[0] + task->group->first + part.first};
    gecc_result result = GECC_ERROR_UNSUPPORTED; /* the system gives no random numbers */
    if (random_bytes(nonces, nonce_bytes))
        result = gecc_run(task->context, task->operation, &task->parameters, &out,
                          gecc_out_packed(task->status + part.first, 1), inputs, part.count, &task->call);
    if (result == GECC_OK)
        keep(task, part, results);
    explicit_bzero(results, size);
    free(results);
    return result;
}

/* The rows from number `first` on whose results one call has room for. */
static struct part next_part(const struct task *task, const gecc_rows *text, size_t first, size_t more) {
    struct part part = {first, 0, 0};
    for (size_t i = first; i < task->count; i++, part.count++) {
        size_t width;
        (void)row_at(text, i, &width);
        const size_t room = width + more > part.room ? width + more : part.room;
        if (part.count && room * (part.count + 1) > PART_BYTES)
            break;
        part.room = room;
    }
    return part;
}

/* The nonce was not below the order, or its KDF all zeros. */
static bool needs_nonce(uint8_t status) { return status == GECC_ITEM_MALFORMED_SCALAR || status == GECC_ITEM_INVALID; }

static gecc_result run_parts(struct task *task, enum column key_column, enum column text_column) {
    const bool encrypts = text_column == COLUMN_MSG;
    const gecc_rows key = task_rows(task, key_column), text = task_rows(task, text_column);
    gecc_result result = GECC_OK;
    double seconds = 0;
    for (struct part part = {0, 0, 0}; result == GECC_OK && part.first + part.count < task->count;) {
        part = next_part(task, &text, part.first + part.count, encrypts ? CIPHERTEXT_MORE : 0);
        result = run_part(task, part, key, text, encrypts);
        seconds += task->call.report->seconds;
        for (size_t i = part.first; encrypts && i < part.first + part.count; i++)
            for (size_t n = 0; result == GECC_OK && n < NONCES_MOST && needs_nonce(task->status[i]); n++)
                result = run_part(task, (struct part){i, 1, part.room}, key, text, encrypts);
    }
    task->call.report->seconds = seconds;
    return result;
}

static gecc_result encrypt(struct task *task) { return run_parts(task, COLUMN_PUB, COLUMN_MSG); }
static gecc_result decrypt(struct task *task) { return run_parts(task, COLUMN_PRIV, COLUMN_CIPHERTEXT); }

static const gecc_operation *encrypt_operation(const struct options *options, const struct group *group) {
    (void)options;
    (void)group;
    return gecc_operation_find("sm2.encrypt");
}

static const gecc_operation *decrypt_operation(const struct options *options, const struct group *group) {
    (void)options;
    (void)group;
    return gecc_operation_find("sm2.decrypt");
}

static const char *refuses(const struct options *options, uint32_t present, const struct group *group) {
    (void)options;
    (void)present;
    return group->curve && group->curve != GECC_SM2 ? "SM2's ciphertexts are on the curve SM2" : NULL;
}

static const char *check(const struct options *options) {
    return (options->ciphertext_format & GECC_DER) && options->point_format != GECC_POINT_UNCOMPRESSED
               ? "--point-format: in --ciphertext-format der C1 is x and y"
               : NULL;
}

static const struct mapping encrypt_mapping = {
    .operation = encrypt_operation,
    .forms = {COLUMN_BIT(PUB) | COLUMN_BIT(MSG)},
    .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(MSG_TEXT),
    .results = {{"ciphertext", RESULT_BYTES, "the ciphertext, as --ciphertext-format and --point-format say"}},
    .secret = true,
    .invalid_reason = "no nonce was found that hides the text",
    .refuses = refuses,
    .run = encrypt};

static const struct mapping decrypt_mapping = {
    .operation = decrypt_operation,
    .forms = {COLUMN_BIT(PRIV) | COLUMN_BIT(CIPHERTEXT)},
    .optional = COLUMN_BIT(CURVE),
    .results = {{"msg", RESULT_BYTES, "what was encrypted"}},
    .secret = true,
    .invalid_reason = "C3 is not the hash of the text: the ciphertext was changed, or is for another key",
    .refuses = refuses,
    .run = decrypt};

enum { OPTIONS_OF_CIPHERTEXTS = OPTIONS_COMMON | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CIPHERTEXT };

const struct command command_encrypt = {
    .name = "encrypt",
    .summary = "encrypt texts with SM2",
    .description =
        "The ciphertext of each row's `msg` for the holder of the private key of `pub`, by GM/T 0003.4, with a nonce "
        "for each row from the random numbers of the operating system (getrandom). So two ciphertexts of one text "
        "differ.\n\n"
        "Columns pass through, `msg` too. A file that -o names can be read by its owner only, be it there before or "
        "not.",
    .examples = "gecc encrypt --pub-file sm2.pem messages.csv\n"
                "gecc encrypt --ciphertext-format der --encoding base64 messages.jsonl\n",
    .options = OPTIONS_OF_CIPHERTEXTS | OPTIONS_PUBLIC_KEY,
    .check = check,
    .mapping = &encrypt_mapping,
    .curve = GECC_SM2};

const struct command command_decrypt = {
    .name = "decrypt",
    .summary = "decrypt texts that were encrypted with SM2",
    .description =
        "What each row's `ciphertext` becomes with the private key `priv` (GM/T 0003.4). A row reads `invalid` where "
        "C3 is not the hash of what comes out, and `malformed` where C1 is no point of the curve, the SEQUENCE no "
        "strict DER, or the row too short.\n\n"
        "Columns pass through, private keys too. A file that -o names can be read by its owner only, be it there "
        "before or not.",
    .examples = "gecc decrypt --key-file sm2.pem ciphertexts.csv\n"
                "gecc decrypt --ciphertext-format c1c2c3 --key-file sm2.pem old.jsonl\n",
    .options = OPTIONS_OF_CIPHERTEXTS | OPTIONS_PRIVATE_KEY,
    .check = check,
    .mapping = &decrypt_mapping,
    .curve = GECC_SM2};
