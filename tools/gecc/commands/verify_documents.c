#include "commands/commands.h"
#include "commands/verify_documents.h"
#include "rows/documents.h"
#include "rows/task.h"
#include "text/json_grammar.h"

#include <stdlib.h>
#include <string.h>

/* What tokens and certificates say themselves, or have not. */
static bool says_more_than_records(const struct options *options, const struct key_file *key) {
    return options->hash_given || options->scheme != key->scheme || options->columns || options->required ||
           options->encoding != ENCODING_HEX || options->sighash_byte || options->context || options->prehash ||
           options->signature_format != SIGNATURE_UNKNOWN ||
           (options->id && key->curve != GECC_SM2 && !options->authorities);
}

static const char not_with_documents[] =
    "--jwt, --x509 and --nostr go without --hash, --scheme, --sig-format, --sighash-byte, "
    "--id, --ctx, --prehash, --encoding, --columns and --require";

const char *documents_check(const struct options *options) {
    if (options->jwt + options->x509 + options->nostr > 1)
        return "--jwt, --x509 and --nostr exclude each other";
    if (options->nostr)
        return options->format != FORMAT_JSONL ? "--nostr: events are JSON Lines"
               : options->public_key.count || options->keys.count || options->curve || options->accept ||
                       options->low_s || options->any_s
                   ? "--nostr: each event has its key, on secp256k1, and BIP-340's signature"
               : says_more_than_records(options, &options->public_key) ? not_with_documents
                                                                       : NULL;
    if (options->format == FORMAT_RAW || options->output_format == FORMAT_RAW)
        return "--jwt and --x509: tables are csv or jsonl, not raw rows";
    if (options->keys.count || options->authorities)
        return options->issuer && options->x509                        ? "--issuer and --keys exclude each other"
               : options->curve                                        ? "--curve: each key of --keys says its own"
               : says_more_than_records(options, &options->public_key) ? not_with_documents
                                                                       : NULL;
    if (!options->public_key.count)
        return options->sd_jwt ? "--sd-jwt needs --pub-file or --keys"
               : options->jwt  ? "--jwt needs --pub-file or --keys"
                               : "--x509 needs --issuer or --keys";
    if (options->public_key.refusal)
        return options->public_key.refusal;
    if (options->public_key.scheme == SCHEME_X25519)
        return "X25519 has no signatures";
    if (options->accept && options->public_key.scheme != SCHEME_ED25519)
        return "--accept goes with keys of Ed25519";
    if (options->jwt && options->public_key.curve == GECC_SM2)
        return "--jwt: there are no tokens with SM2 signatures";
    return says_more_than_records(options, &options->public_key) ? not_with_documents : NULL;
}

static bool is_utf8(const char *text) {
    size_t left = text ? strlen(text) : 0, bytes;
    while (left && (bytes = utf8_character(text, left)) != 0) {
        text += bytes;
        left -= bytes;
    }
    return left == 0;
}

const char *claims_check(const struct options *options) {
    const struct key_file *key = &options->private_key;
    const struct group group = {.curve = options->curve};
    gecc_hash hash;
    if (!key->count)
        return "--jwt needs --key-file";
    if (key->refusal)
        return key->refusal;
    if (key->scheme == SCHEME_X25519)
        return "X25519 has no signatures";
    if (!token_algorithm(key->curve, &hash))
        return "--jwt: there are no tokens with signatures on the key's curve";
    if (options->format == FORMAT_RAW || options->output_format == FORMAT_RAW)
        return "--jwt: rows are csv or jsonl, not raw";
    if (says_more_than_records(options, key) || options->dangerous_nonce)
        return "--jwt goes without --hash, --scheme, --sig-format, --id, --ctx, --prehash, --encoding, --columns, "
               "--require and --dangerous-nonce";
    if (options->hedged && key->scheme == SCHEME_ED25519)
        return "--hedged: Ed25519 takes no more input to its nonces";
    if (!is_utf8(options->kid) || !is_utf8(options->typ))
        return "--kid and --typ: they are no UTF-8";
    return scheme_has_no(options, &group);
}

/* Of documents what verify needs of a row. */
enum { MADE_OF_DOCUMENTS = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG) | COLUMN_BIT(ID) };

/* Options that the scheme of a document has not; its curve is not known before it is opened. */
static const char *document_refuses(const struct options *options, uint32_t present, const struct group *group) {
    (void)present;
    return group->curve ? scheme_has_no(options, group) : NULL;
}

const struct mapping jwt_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(TOKEN)},
    .results = {{"kid", RESULT_KEPT, "the name of its key"}, {"iss", RESULT_KEPT, "who says to have issued it"}},
    .judges = true,
    .curve25519 = true,
    .curve_optional = true, /* the alg of a token says it */
    .refuses = document_refuses,
    .open = token_open,
    .document = COLUMN_TOKEN,
    .made = MADE_OF_DOCUMENTS,
    .run = task_run};

const struct mapping detached_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(TOKEN) | COLUMN_BIT(MSG_TEXT)},
    .results = {{"kid", RESULT_KEPT, "the name of its key"}, {"iss", RESULT_KEPT, "who says to have issued it"}},
    .judges = true,
    .curve25519 = true,
    .curve_optional = true,
    .refuses = document_refuses,
    .open = detached_open,
    .document = COLUMN_TOKEN,
    .beside = COLUMN_BIT(MSG_TEXT),
    .made = MADE_OF_DOCUMENTS,
    .run = task_run};

const struct mapping sd_jwt_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(TOKEN)},
    .results = {{"kid", RESULT_KEPT, "the name of the issuer's key"},
                {"iss", RESULT_KEPT, "who says to have issued it"},
                {"claims", RESULT_KEPT, "of a valid row: the claims that are disclosed, as JSON"},
                {"key_binding", RESULT_KEPT, "of a valid row: what its holder signed, as JSON; empty: nothing"}},
    .judges = true,
    .curve25519 = true,
    .curve_optional = true,
    .refuses = document_refuses,
    .open = token_open,
    .document = COLUMN_TOKEN,
    .made = MADE_OF_DOCUMENTS | COLUMN_BIT(PEER) | COLUMN_BIT(A) | COLUMN_BIT(B),
    .run = presentations_run};

const struct mapping x509_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(CERTIFICATE)},
    .results = {{"subject", RESULT_KEPT, "whose it is"}, {"serial", RESULT_KEPT, "its serial number"}},
    .judges = true,
    .curve25519 = true,
    .refuses = document_refuses,
    .open = certificate_open,
    .document = COLUMN_CERTIFICATE,
    .made = MADE_OF_DOCUMENTS,
    .run = task_run};

const struct mapping authorities_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(CERTIFICATE)},
    .results = {{"subject", RESULT_KEPT, "whose it is"},
                {"serial", RESULT_KEPT, "its serial number"},
                {"issuer", RESULT_KEPT, "who issued it, as it says"},
                {"issuer_sha256", RESULT_KEPT, "the SHA-256 of the issuer's certificate under whose key it is valid"},
                {"signer_id", RESULT_KEPT, "SM2: the id that it is valid with: default, empty or given"}},
    .judges = true,
    .curve25519 = true,
    .curve_optional = true, /* the key of each issuer says it */
    .open = certificate_open,
    .document = COLUMN_CERTIFICATE,
    .made = MADE_OF_DOCUMENTS,
    .run = certificates_run};

static gecc_result event_run(struct task *task) {
    enum { ID_BYTES = 32 };
    uint8_t *hashes = malloc(task->count * ID_BYTES), *status = malloc(task->count);
    gecc_result result = GECC_ERROR_MEMORY;
    if (hashes && status)
        result = gecc_digest(task->context, gecc_hash_named("SHA-256"), gecc_out_packed(hashes, ID_BYTES),
                             gecc_out_packed(status, 1), task_rows(task, COLUMN_MSG), task->count, NULL);
    const gecc_rows ids = result == GECC_OK ? task_rows(task, COLUMN_DIGEST) : gecc_rows_none();
    for (size_t i = 0; result == GECC_OK && i < task->count; i++) {
        size_t width;
        struct row *row = &task->batch->rows[task->batch->order[task->group->first + i]];
        if (memcmp(row_at(&ids, i, &width), hashes + i * ID_BYTES, ID_BYTES) != 0) {
            row_judge(row, COLUMN_EVENT, VERDICT_INVALID, "its id is not the hash of the event");
            row->slot = SLOT_NONE;
        }
    }
    free(hashes);
    free(status);
    struct group group = *task->group;
    struct task by_id = *task;
    group.form &= ~COLUMN_BIT(MSG); /* the signature is of the id */
    by_id.group = &group;
    return result == GECC_OK ? task_run(&by_id) : result;
}

static const gecc_operation *event_operation(const struct options *options, const struct group *group) {
    (void)options;
    (void)group;
    return gecc_operation_find("schnorr.verify");
}

const struct mapping nostr_mapping = {.operation = event_operation,
                                      .forms = {COLUMN_BIT(EVENT)},
                                      .judges = true,
                                      .curve_optional = true,
                                      .open = event_open,
                                      .document = COLUMN_EVENT,
                                      .of_objects = true,
                                      .made = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG),
                                      .run = event_run};
