#include "bitcoin/inputs.h"
#include "bitcoin/spend.h"
#include "bitcoin/ripemd160.h"
#include "text/hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void inputs_reset(struct inputs *inputs) {
    arena_reset(&inputs->arena);
    inputs->entry_count = inputs->input_count = inputs->signature_count = 0;
    inputs->outcome = GECC_OK;
    inputs->seconds = 0;
}

void inputs_free(struct inputs *inputs) {
    arena_free(&inputs->arena);
    free(inputs->entries);
    free(inputs->inputs);
    free(inputs->signatures);
}

/* Room for one more. */
static bool reserve(void **array, size_t *room, size_t count, size_t each) {
    if (count < *room)
        return true;
    size_t larger = *room ? 2 * *room : 1024;
    void *moved = realloc(*array, larger * each);
    if (moved) {
        *array = moved;
        *room = larger;
    }
    return moved != NULL;
}

static struct entry *add_entry(struct inputs *inputs, uint64_t line) {
    void *entries = inputs->entries;
    bool grown = reserve(&entries, &inputs->entry_room, inputs->entry_count, sizeof *inputs->entries);
    inputs->entries = entries;
    if (!grown)
        return NULL;
    struct entry *entry = &inputs->entries[inputs->entry_count++];
    *entry = (struct entry){.line = line, .first_input = inputs->input_count};
    return entry;
}

static struct judged_input *add_input(struct inputs *inputs) {
    void *array = inputs->inputs;
    bool grown = reserve(&array, &inputs->input_room, inputs->input_count, sizeof *inputs->inputs);
    inputs->inputs = array;
    if (!grown)
        return NULL;
    struct judged_input *input = &inputs->inputs[inputs->input_count++];
    memset(input, 0, sizeof *input);
    return input;
}

static bool add_signature(struct inputs *inputs, struct bytes text) {
    void *array = inputs->signatures;
    bool grown = reserve(&array, &inputs->signature_room, inputs->signature_count, sizeof *inputs->signatures);
    inputs->signatures = array;
    if (grown)
        inputs->signatures[inputs->signature_count++] =
            (struct judged_signature){.input = inputs->input_count - 1, .text = text, .hash_type = -1};
    return grown;
}

bool inputs_add_malformed(struct inputs *inputs, uint64_t line, const char *reason, const struct inputs_told *told) {
    struct entry *entry = add_entry(inputs, line);
    size_t size = strlen(reason) + 1;
    char *copy = entry ? arena_take(&inputs->arena, size) : NULL;
    if (!copy)
        return false;
    memcpy(copy, reason, size);
    entry->malformed = copy;
    entry->told = *told;
    return true;
}

/* Input number `index` of the last entry. */
static bool add_spend(struct inputs *inputs, const struct transaction *transaction, size_t index,
                      const struct prevout *prevout, uint32_t height) {
    struct judged_input *input = add_input(inputs);
    if (!input || !spend_find(&input->spend, transaction, index, prevout, height, &inputs->arena))
        return false;
    struct entry *entry = &inputs->entries[inputs->entry_count - 1];
    input->entry = inputs->entry_count - 1;
    input->index = index;
    input->first_signature = inputs->signature_count;
    const struct spend *spend = &input->spend;
    if (spend->state != SPEND_OPEN) {
        input->signature_count = 1;
        return add_signature(inputs, (struct bytes){NULL, 0});
    }
    entry->wants_v0 |= spend->rule == DIGEST_WITNESS_V0;
    entry->wants_taproot |= spend_is_schnorr(spend);
    input->signature_count = spend->signature_count;
    for (size_t i = 0; i < spend->signature_count; i++)
        if (!add_signature(inputs, spend->signatures[i]))
            return false;
    return true;
}

/* A coinbase that is not known to be its block's: a row that says so. */
static bool add_coinbase(struct inputs *inputs, struct entry *entry) {
    struct judged_input *input = add_input(inputs);
    if (!input)
        return false;
    input->spend = (struct spend){.kind = "coinbase",
                                  .state = SPEND_NOT_COVERED,
                                  .reason = "it spends no output, as only the first transaction of a block may"};
    input->entry = inputs->entry_count - 1;
    input->first_signature = inputs->signature_count;
    input->signature_count = entry->input_count = 1;
    return add_signature(inputs, (struct bytes){NULL, 0});
}

bool inputs_add(struct inputs *inputs, uint64_t line, uint32_t height, const struct transaction *transaction,
                const struct prevout *prevouts, const struct inputs_told *told) {
    struct entry *entry = add_entry(inputs, line);
    if (!entry)
        return false;
    entry->transaction = *transaction;
    entry->prevouts = prevouts;
    entry->told = *told;
    if (transaction_is_coinbase(transaction))
        return told->is_coinbase || add_coinbase(inputs, entry);
    entry->input_count = transaction->input_count;
    for (size_t i = 0; i < transaction->input_count; i++)
        if (!add_spend(inputs, transaction, i, &prevouts[i], height))
            return false;
    return true;
}

/* What one run needs. */
struct run {
    struct inputs *inputs;
    struct hashing once, twice;
};

static bool good(const struct run *run) { return run->inputs->outcome == GECC_OK; }

/* Both kinds of hashes that wait. */
static void hash(struct run *run) {
    if (!good(run))
        return;
    hashing_run(&run->once);
    hashing_run(&run->twice);
    run->inputs->outcome = run->once.outcome != GECC_OK ? run->once.outcome : run->twice.outcome;
}

static void hash_entries(struct run *run) {
    struct inputs *inputs = run->inputs;
    for (size_t e = 0; e < inputs->entry_count; e++) {
        struct entry *entry = &inputs->entries[e];
        if (entry->malformed)
            continue;
        stripped_put(&run->twice.messages, &entry->transaction);
        hashing_end(&run->twice, entry->id);
        if (entry->told.hash) {
            column_put(&run->twice.messages, entry->transaction.whole.data, entry->transaction.whole.size);
            hashing_end(&run->twice, entry->whole_id);
        }
        enum part parts = entry->wants_taproot ? PARTS : entry->wants_v0 ? PARTS_OF_BIP143 : 0;
        for (enum part part = 0; part < parts; part++) {
            part_put(&run->once.messages, part, &entry->transaction, entry->prevouts);
            hashing_end(&run->once, entry->parts.once[part]);
        }
    }
}

static void hash_entries_again(struct run *run) {
    struct inputs *inputs = run->inputs;
    for (size_t e = 0; e < inputs->entry_count; e++) {
        struct entry *entry = &inputs->entries[e];
        for (enum part part = 0; entry->wants_v0 && part < PARTS_OF_BIP143; part++) {
            column_put(&run->once.messages, entry->parts.once[part], HASH_BYTES);
            hashing_end(&run->once, entry->parts.twice[part]);
        }
    }
}

/* Of an input what is needed besides its signatures: hashes that an output names, the annex, the leaf. */
static void hash_inputs(struct run *run) {
    struct inputs *inputs = run->inputs;
    for (size_t i = 0; i < inputs->input_count; i++) {
        struct judged_input *input = &inputs->inputs[i];
        const struct spend *spend = &input->spend;
        if (spend->state != SPEND_OPEN)
            continue;
        for (size_t c = 0; c < spend->check_count; c++) {
            column_put(&run->once.messages, spend->checks[c].message.data, spend->checks[c].message.size);
            hashing_end(&run->once, input->checks[c]);
        }
        if (spend->annex.data) {
            annex_put(&run->once.messages, spend->annex);
            hashing_end(&run->once, input->annex);
        }
        if (spend->leaf_script.data) {
            leaf_put(&run->once.messages, spend->control.data[0] & 0xfe, spend->leaf_script);
            hashing_end(&run->once, input->leaf);
        }
    }
}

/* The hash of an output that a signature with SINGLE signs alone. */
static void hash_single_outputs(struct run *run) {
    struct inputs *inputs = run->inputs;
    for (size_t s = 0; s < inputs->signature_count; s++) {
        const struct judged_signature *signature = &inputs->signatures[s];
        struct judged_input *input = &inputs->inputs[signature->input];
        const struct transaction *transaction = &inputs->entries[input->entry].transaction;
        if (signature->judgement != JUDGEMENT_OPEN || input->spend.rule == DIGEST_LEGACY ||
            (signature->hash_type & HASH_MASK) != HASH_SINGLE || input->index >= transaction->output_count)
            continue;
        struct bytes output = transaction->outputs[input->index];
        struct hashing *hashing = spend_is_schnorr(&input->spend) ? &run->once : &run->twice;
        column_put(&hashing->messages, output.data, output.size);
        hashing_end(hashing, spend_is_schnorr(&input->spend) ? input->output_once : input->output_twice);
    }
}

/* From leaves to roots, a level of all trees at a time. */
static void hash_branches(struct run *run) {
    struct inputs *inputs = run->inputs;
    bool more = true;
    for (size_t i = 0; i < inputs->input_count; i++)
        memcpy(inputs->inputs[i].root, inputs->inputs[i].leaf, HASH_BYTES);
    for (size_t level = 0; more && good(run); level++) {
        more = false;
        for (size_t i = 0; i < inputs->input_count; i++) {
            struct judged_input *input = &inputs->inputs[i];
            struct bytes control = input->spend.control;
            if (!input->spend.leaf_script.data || control.size <= CONTROL_BYTES + level * HASH_BYTES)
                continue;
            more = true;
            branch_put(&run->once.messages, input->root, control.data + CONTROL_BYTES + level * HASH_BYTES);
            hashing_end(&run->once, input->root);
        }
        hash(run);
    }
}

/* Compare the hashes that outputs name. */
static void check_hashes(struct inputs *inputs) {
    for (size_t i = 0; i < inputs->input_count; i++) {
        const struct judged_input *input = &inputs->inputs[i];
        for (size_t c = 0; input->spend.state == SPEND_OPEN && c < input->spend.check_count; c++) {
            const struct hash_check *check = &input->spend.checks[c];
            uint8_t short_hash[HASH160_BYTES];
            const uint8_t *found = input->checks[c];
            if (check->ripemd) {
                bitcoin_ripemd160(short_hash, found, HASH_BYTES);
                found = short_hash;
            }
            if (memcmp(found, check->expected, check->ripemd ? HASH160_BYTES : HASH_BYTES) != 0) {
                input_refuse(inputs, input, check->reason);
                break;
            }
        }
    }
}

/* The id in hexadecimal digits, of which the last byte comes first. */
static void write_id(char out[2 * HASH_BYTES + 1], const uint8_t id[HASH_BYTES]) {
    uint8_t shown[HASH_BYTES];
    for (size_t i = 0; i < HASH_BYTES; i++)
        shown[i] = id[HASH_BYTES - 1 - i];
    *hex_encode(out, shown, HASH_BYTES) = 0;
}

static bool is_id(const uint8_t *told, const uint8_t id[HASH_BYTES]) { return memcmp(told, id, HASH_BYTES) == 0; }

/* Compare the ids that records say with those that transactions have; where they differ, nothing is said of the
 * inputs. */
static bool check_ids(struct inputs *inputs) {
    for (size_t e = 0; e < inputs->entry_count; e++) {
        struct entry *entry = &inputs->entries[e];
        const struct inputs_told *told = &entry->told;
        bool wrong_id = told->txid && !is_id(told->txid, entry->id);
        bool wrong_hash = told->hash && !is_id(told->hash, entry->id) && !is_id(told->hash, entry->whole_id);
        char said[2 * HASH_BYTES + 1], found[2 * HASH_BYTES + 1];
        if (entry->malformed || (!wrong_id && !wrong_hash))
            continue;
        write_id(said, wrong_id ? told->txid : told->hash);
        write_id(found, wrong_id ? entry->id : entry->whole_id);
        entry->malformed = arena_take(&inputs->arena, 256);
        if (!entry->malformed)
            return false;
        snprintf(entry->malformed, 256, "%s: it says %s, and the transaction's is %s", wrong_id ? "txid" : "hash", said,
                 found);
        entry->is_other = true;
    }
    return true;
}

static bool is_taproot_hash_type(uint8_t type) {
    uint8_t base = type & (uint8_t)~HASH_ANYONECANPAY;
    return base >= HASH_ALL && base <= HASH_SINGLE;
}

/* BIP-341: 64 bytes, or 65 of which the last is not 0. */
static void open_schnorr(struct judged_signature *signature, bool has_output) {
    const struct bytes text = signature->text;
    if (text.size != 64 && text.size != 65) {
        signature_refuse(signature, text.size ? "a signature that has neither 64 nor 65 bytes" : "no signature");
        return;
    }
    uint8_t type = text.size == 65 ? text.data[64] : HASH_DEFAULT;
    if (text.size == 65 && !is_taproot_hash_type(type))
        signature_refuse(signature, "a hash type that BIP 341 does not have");
    else if ((type & HASH_MASK) == HASH_SINGLE && !has_output)
        signature_refuse(signature, "SINGLE, and no output of the input's number");
    else
        signature->hash_type = type;
}

/* What the hash type of each signature is, where all else is good. */
static void open_signatures(struct inputs *inputs) {
    for (size_t s = 0; s < inputs->signature_count; s++) {
        struct judged_signature *signature = &inputs->signatures[s];
        const struct judged_input *input = &inputs->inputs[signature->input];
        const struct spend *spend = &input->spend;
        bool has_output = input->index < inputs->entries[input->entry].transaction.output_count;
        if (spend->state != SPEND_OPEN) {
            signature->judgement = spend->state == SPEND_INVALID ? JUDGEMENT_INVALID : JUDGEMENT_NOT_COVERED;
            signature->reason = spend->reason;
            continue;
        }
        if (spend->signature_count == spend->key_count)
            signature->key = spend->keys[s - input->first_signature];
        if (spend_is_schnorr(spend))
            open_schnorr(signature, has_output);
        else if (signature->text.size == 0)
            signature_refuse(signature, "no signature");
        else
            signature->hash_type = signature->text.data[signature->text.size - 1];
    }
}

/* The script that a signature of the first rule signs: without all signatures, and without OP_CODESEPARATOR. */
static bool clean_script_codes(struct inputs *inputs) {
    for (size_t i = 0; i < inputs->input_count; i++) {
        struct spend *spend = &inputs->inputs[i].spend;
        if (spend->state != SPEND_OPEN || spend->rule != DIGEST_LEGACY)
            continue;
        uint8_t *clean = arena_take(&inputs->arena, spend->script_code.size);
        if (!clean)
            return false;
        size_t size = script_clean(clean, spend->script_code, spend->signatures, spend->signature_count);
        spend->script_code = (struct bytes){clean, size};
    }
    return true;
}

/* What of the transaction the first rule hashes again for each input. NULL: not enough memory. */
static const uint8_t *find_blanked(struct inputs *inputs, struct entry *entry, bool with_sequences) {
    uint8_t **blanked = &entry->blanked[with_sequences];
    if (!*blanked && (*blanked = arena_take(&inputs->arena, entry->transaction.input_count * BLANKED_BYTES)))
        blanked_put(*blanked, &entry->transaction, with_sequences);
    if (!*blanked)
        inputs->outcome = GECC_ERROR_MEMORY;
    return *blanked;
}

/* Whether there is work left for a signature of the first rule; if so, it is taken. */
static bool take_work(struct run *run, struct entry *entry, struct signing *signing,
                      struct judged_signature *signature) {
    entry->legacy_bytes += signing_bytes(signing);
    if (entry->legacy_bytes > LEGACY_BYTES_MOST) {
        if (signature->judgement != JUDGEMENT_OPEN)
            return false;
        signature->judgement = JUDGEMENT_NOT_COVERED;
        signature->reason = "the signatures of the transaction are over more than 2 GiB in all";
        return false;
    }
    signing->blanked = find_blanked(run->inputs, entry, signing_has_sequences(signing));
    return signing->blanked != NULL;
}

static void hash_signature(struct run *run, struct judged_signature *signature) {
    const struct judged_input *input = &run->inputs->inputs[signature->input];
    struct entry *entry = &run->inputs->entries[input->entry];
    const struct spend *spend = &input->spend;
    bool schnorr = spend_is_schnorr(spend);
    struct signing signing = {.transaction = &entry->transaction,
                              .prevouts = entry->prevouts,
                              .spend = spend,
                              .parts = &entry->parts,
                              .input = input->index,
                              .hash_type = (uint8_t)signature->hash_type,
                              .output_hash = schnorr ? input->output_once : input->output_twice,
                              .annex_hash = input->annex,
                              .leaf_hash = input->leaf};
    if (spend->rule == DIGEST_LEGACY && signing_lacks_output(&signing)) {
        /* The first rule signs the number 1 then, as uint256 has its bytes. */
        memset(signature->digest, 0, sizeof signature->digest);
        signature->digest[0] = 1;
        signature->has_digest = true;
        return;
    }
    if (spend->rule == DIGEST_LEGACY && !take_work(run, entry, &signing, signature))
        return;
    signature->has_digest = true;
    struct hashing *hashing = schnorr ? &run->once : &run->twice;
    signing_put(&hashing->messages, &signing);
    hashing_end(hashing, signature->digest);
}

/* Of each signature the first of its input that has the same hash type: it has the same digest. */
static struct judged_signature *first_like(struct judged_signature *first[256], const struct inputs *inputs, size_t s) {
    struct judged_signature *signature = &inputs->signatures[s];
    if (inputs->inputs[signature->input].first_signature == s)
        for (size_t type = 0; type < 256; type++)
            first[type] = NULL;
    if (signature->hash_type < 0)
        return NULL;
    if (!first[signature->hash_type])
        first[signature->hash_type] = signature;
    return first[signature->hash_type];
}

static void hash_signatures(struct run *run) {
    struct inputs *inputs = run->inputs;
    struct judged_signature *first[256] = {NULL};
    for (size_t s = 0; good(run) && s < inputs->signature_count; s++)
        if (first_like(first, inputs, s) == &inputs->signatures[s])
            hash_signature(run, &inputs->signatures[s]);
    hash(run);
    for (size_t s = 0; s < inputs->signature_count; s++) {
        struct judged_signature *signature = &inputs->signatures[s], *like = first_like(first, inputs, s);
        if (!like)
            continue;
        signature->has_digest = like->has_digest;
        memmove(signature->digest, like->digest, HASH_BYTES);
        if (like->judgement == JUDGEMENT_NOT_COVERED && signature->judgement == JUDGEMENT_OPEN) {
            signature->judgement = like->judgement;
            signature->reason = like->reason;
        }
    }
}

static void hash_all(struct run *run) {
    struct inputs *inputs = run->inputs;
    hash_entries(run);
    hash_inputs(run);
    open_signatures(inputs);
    hash_single_outputs(run);
    hash(run);
    if (!good(run))
        return;
    check_hashes(inputs);
    if (!check_ids(inputs) || !clean_script_codes(inputs)) {
        inputs->outcome = GECC_ERROR_MEMORY;
        return;
    }
    hash_entries_again(run);
    hash(run);
    hash_branches(run);
    hash_signatures(run);
}

void inputs_run(struct inputs *inputs, gecc_context *context) {
    struct run run = {.inputs = inputs, .once.context = context, .twice.context = context};
    run.twice.twice = true;
    hash_all(&run);
    if (good(&run))
        inputs_judge(inputs, context);
    inputs->seconds += run.once.seconds + run.twice.seconds;
    hashing_free(&run.once);
    hashing_free(&run.twice);
}
