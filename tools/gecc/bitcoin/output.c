#define _DEFAULT_SOURCE /* fwrite_unlocked */

#include "bitcoin/output.h"
#include "text/hex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, HEX_BYTES = 256 };

const char *const outcome_texts[OUTCOMES] = {"ok", "invalid", "malformed", "not covered"};

const char *const input_results[] = {"txid",   "input",  "kind",   "scheme",       "hash_type",   "curve",
                                     "pub",    "digest", "sig",    "internal_key", "merkle_root", "output_key",
                                     "parity", "status", "reason", "line",         "transaction", NULL};

static void put(struct output *output, const char *text, size_t size) {
    if (size)
        fwrite_unlocked(text, 1, size, output->file);
}

const char *output_open(struct output *output, const struct options *options, bool as_json, int input,
                        const char *kept_header) {
    *output = (struct output){.file = stdout, .json = as_json, .verify = options->verify_inputs};
    const char *reason = target_open(&output->target, options->output, false, input);
    if (reason)
        return reason;
    if (output->target.descriptor != STDOUT_FILENO && !(output->file = fdopen(output->target.descriptor, "w")))
        return strerror(errno);
    setvbuf(output->file, NULL, _IOFBF, BUFFER_BYTES);
    if (!output->json) {
        put(output, kept_header, strlen(kept_header));
        for (size_t i = 0; input_results[i]; i++) {
            put(output, ",", i != 0);
            put(output, input_results[i], strlen(input_results[i]));
        }
        put(output, "\n", 1);
    }
    return NULL;
}

/* A field begins: of JSON with its name, where it has something to say. */
static void begin(struct output *output, const char *name, bool first) {
    if (output->json) {
        put(output, first ? "\"" : ",\"", first ? 1 : 2);
        put(output, name, strlen(name));
        put(output, "\":", 2);
    } else if (!first) {
        put(output, ",", 1);
    }
}

static void put_quote(struct output *output) {
    if (output->json)
        put(output, "\"", 1);
}

static void field_text(struct output *output, const char *name, const char *text, bool first) {
    if (output->json && !*text)
        return;
    begin(output, name, first);
    /* Reasons have commas; none has a quotation mark. */
    bool quoted = output->json || strchr(text, ',');
    if (quoted)
        put(output, "\"", 1);
    put(output, text, strlen(text));
    if (quoted)
        put(output, "\"", 1);
}

static void field_number(struct output *output, const char *name, bool there, uint64_t value) {
    char digits[24];
    if (output->json && !there)
        return;
    begin(output, name, false);
    if (there)
        put(output, digits, (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value));
}

static void field_hex(struct output *output, const char *name, struct bytes bytes, bool first) {
    char digits[2 * HEX_BYTES];
    if (output->json && bytes.size == 0)
        return;
    begin(output, name, first);
    put_quote(output);
    for (size_t at = 0; at < bytes.size; at += HEX_BYTES) {
        size_t size = bytes.size - at < HEX_BYTES ? bytes.size - at : HEX_BYTES;
        hex_encode(digits, bytes.data + at, size);
        put(output, digits, 2 * size);
    }
    put_quote(output);
}

static struct bytes some(const uint8_t *data, size_t size, bool there) {
    return (struct bytes){data, there ? size : 0};
}

static void put_id(struct output *output, const struct entry *entry) {
    const uint8_t *id = entry->malformed ? entry->told.txid : entry->id;
    uint8_t shown[HASH_BYTES];
    for (size_t i = 0; id && i < HASH_BYTES; i++)
        shown[i] = id[HASH_BYTES - 1 - i];
    field_hex(output, "txid", some(shown, sizeof shown, id != NULL), true);
}

static void put_end(struct output *output, const struct entry *entry, enum outcome outcome, const char *reason,
                    bool first) {
    const char *text = outcome == OUTCOME_GOOD && output->verify ? "valid" : outcome_texts[outcome];
    output->counts[outcome]++;
    field_text(output, "status", text, first);
    field_text(output, "reason", reason ? reason : "", false);
    field_number(output, "line", true, entry->line);
    field_number(output, "transaction", entry->told.place != 0, entry->told.place - 1);
    put(output, output->json ? "}\n" : "\n", output->json ? 2 : 1);
}

static void begin_row(struct output *output, const struct entry *entry) {
    if (output->json)
        put(output, "{", 1);
    put(output, (const char *)entry->told.kept.data, entry->told.kept.size);
}

static void put_malformed(struct output *output, const struct entry *entry) {
    /* CSV: 12 fields between the id, which may be known all the same, and the status are empty. */
    begin_row(output, entry);
    put_id(output, entry);
    if (!output->json)
        put(output, ",,,,,,,,,,,,", 12);
    put_end(output, entry, OUTCOME_MALFORMED, entry->malformed, output->json && !entry->told.txid);
}

static enum outcome outcome_of(const struct judged_signature *signature) {
    return signature->judgement == JUDGEMENT_INVALID       ? OUTCOME_INVALID
           : signature->judgement == JUDGEMENT_NOT_COVERED ? OUTCOME_NOT_COVERED
                                                           : OUTCOME_GOOD;
}

static void put_signature(struct output *output, const struct inputs *inputs,
                          const struct judged_signature *signature) {
    const struct judged_input *input = &inputs->inputs[signature->input];
    const struct spend *spend = &input->spend;
    bool schnorr = spend_is_schnorr(spend), open = spend->state == SPEND_OPEN;
    bool script_path = open && spend->leaf_script.data;
    uint8_t key[MAX_KEY_BYTES];
    struct bytes shown = signature->key;
    size_t size = shown.size && !schnorr ? bitcoin_key_write(key, shown) : 0;
    if (size)
        shown = (struct bytes){key, size};
    begin_row(output, &inputs->entries[input->entry]);
    put_id(output, &inputs->entries[input->entry]);
    field_number(output, "input", true, input->index);
    field_text(output, "kind", spend->kind, false);
    field_text(output, "scheme", !open ? "" : schnorr ? "bip340" : "ecdsa", false);
    field_number(output, "hash_type", signature->hash_type >= 0, (uint64_t)signature->hash_type);
    field_text(output, "curve", open ? "secp256k1" : "", false);
    field_hex(output, "pub", shown, false);
    field_hex(output, "digest", some(signature->digest, HASH_BYTES, signature->has_digest), false);
    field_hex(output, "sig", signature->text, false);
    field_hex(output, "internal_key", some(script_path ? spend->control.data + 1 : NULL, XONLY_BYTES, script_path),
              false);
    field_hex(output, "merkle_root", some(input->root, HASH_BYTES, script_path), false);
    field_hex(output, "output_key", some(spend->output_key, XONLY_BYTES, script_path), false);
    field_number(output, "parity", script_path, script_path ? spend->control.data[0] & 1 : 0);
    put_end(output, &inputs->entries[input->entry], outcome_of(signature), signature->reason, false);
}

void output_batch(struct output *output, const struct inputs *inputs) {
    size_t signature = 0;
    for (size_t e = 0; e < inputs->entry_count; e++) {
        const struct entry *entry = &inputs->entries[e];
        size_t end = entry->first_input + entry->input_count;
        output->records++;
        if (entry->malformed) {
            put_malformed(output, entry);
            while (signature < inputs->signature_count && inputs->signatures[signature].input < end)
                signature++;
            continue;
        }
        output->transactions++;
        output->inputs += entry->input_count;
        for (; signature < inputs->signature_count && inputs->signatures[signature].input < end; signature++)
            put_signature(output, inputs, &inputs->signatures[signature]);
    }
    fflush(output->file);
}

bool output_add(struct output *output, const struct output *batch, struct print *print) {
    for (int o = 0; o < OUTCOMES; o++)
        output->counts[o] += batch->counts[o];
    output->transactions += batch->transactions;
    output->inputs += batch->inputs;
    output->records += batch->records;
    if (!print->file || !print_end(print)) {
        errno = ENOMEM;
        return false;
    }
    return fwrite(print->text, 1, print->size, output->file) == print->size && fflush(output->file) == 0;
}

bool output_close(struct output *output, bool whole) {
    bool good = !ferror(output->file);
    if (output->file == stdout)
        return fflush(stdout) == 0 && good;
    return fclose(output->file) == 0 && good && (!whole || target_finish(&output->target));
}
