#include "bitcoin/digest.h"

#include <string.h>

/* By enum tag: SHA-256 of "TapLeaf", "TapBranch", "TapSighash" (BIP-341). tests/tool compares what comes of them. */
const uint8_t bitcoin_tags[TAGS][HASH_BYTES] = {
    {0xae, 0xea, 0x8f, 0xdc, 0x42, 0x08, 0x98, 0x31, 0x05, 0x73, 0x4b, 0x58, 0x08, 0x1d, 0x1e, 0x26,
     0x38, 0xd3, 0x5f, 0x1c, 0xb5, 0x40, 0x08, 0xd4, 0xd3, 0x57, 0xca, 0x03, 0xbe, 0x78, 0xe9, 0xee},
    {0x19, 0x41, 0xa1, 0xf2, 0xe5, 0x6e, 0xb9, 0x5f, 0xa2, 0xa9, 0xf1, 0x94, 0xbe, 0x5c, 0x01, 0xf7,
     0x21, 0x6f, 0x33, 0xed, 0x82, 0xb0, 0x91, 0x46, 0x34, 0x90, 0xd0, 0x5b, 0xf5, 0x16, 0xa0, 0x15},
    {0xf4, 0x0a, 0x48, 0xdf, 0x4b, 0x2a, 0x70, 0xc8, 0xb4, 0x92, 0x4b, 0xf2, 0x65, 0x46, 0x61, 0xed,
     0x3d, 0x95, 0xfd, 0x66, 0xa3, 0x13, 0xeb, 0x87, 0x23, 0x75, 0x97, 0xc6, 0x28, 0xe4, 0xa0, 0x31}};

static void put_bytes(struct growing_column *message, struct bytes bytes) {
    column_put(message, bytes.data, bytes.size);
}

static void put_little_endian(struct growing_column *message, uint64_t value, size_t size) {
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    column_put(message, bytes, size);
}

static void put_compact_size(struct growing_column *message, uint64_t value) {
    uint8_t bytes[9];
    column_put(message, bytes, compact_size_write(bytes, value));
}

static void put_script(struct growing_column *message, struct bytes script) {
    put_compact_size(message, script.size);
    put_bytes(message, script);
}

static void put_tag(struct growing_column *message, enum tag tag) {
    column_put(message, bitcoin_tags[tag], HASH_BYTES);
    column_put(message, bitcoin_tags[tag], HASH_BYTES);
}

void part_put(struct growing_column *message, enum part part, const struct transaction *transaction,
              const struct prevout *prevouts) {
    if (part == PART_OUTPUTS) {
        put_bytes(message, transaction_outputs(transaction));
        return;
    }
    for (size_t i = 0; i < transaction->input_count; i++) {
        if (part == PART_PREVOUTS)
            column_put(message, transaction->inputs[i].outpoint, OUTPOINT_BYTES);
        else if (part == PART_SEQUENCES)
            column_put(message, transaction->inputs[i].sequence, SEQUENCE_BYTES);
        else if (part == PART_AMOUNTS)
            put_little_endian(message, prevouts[i].satoshi, AMOUNT_BYTES);
        else
            put_script(message, prevouts[i].script);
    }
}

void stripped_put(struct growing_column *message, const struct transaction *transaction) {
    column_put(message, transaction->version, 4);
    put_bytes(message, transaction->body);
    column_put(message, transaction->lock_time, 4);
}

static uint8_t base_of(const struct signing *signing) { return signing->hash_type & HASH_MASK; }
static bool is_single(const struct signing *signing) { return base_of(signing) == HASH_SINGLE; }
static bool is_none(const struct signing *signing) { return base_of(signing) == HASH_NONE; }
static bool anyone_can_pay(const struct signing *signing) { return signing->hash_type & HASH_ANYONECANPAY; }

bool signing_lacks_output(const struct signing *signing) {
    return is_single(signing) && signing->input >= signing->transaction->output_count;
}

bool signing_has_sequences(const struct signing *signing) { return !is_none(signing) && !is_single(signing); }

/* An input of the copy that is hashed: the script stands in the one that is signed, the sequence number of another only
 * where all outputs are signed. */
static void put_legacy_input(struct growing_column *message, const struct signing *signing, size_t index,
                             struct bytes script_code) {
    const struct tx_input *input = &signing->transaction->inputs[index];
    bool own = index == signing->input;
    column_put(message, input->outpoint, OUTPOINT_BYTES);
    put_script(message, own ? script_code : (struct bytes){NULL, 0});
    if (own || signing_has_sequences(signing))
        column_put(message, input->sequence, SEQUENCE_BYTES);
    else
        put_little_endian(message, 0, SEQUENCE_BYTES);
}

void blanked_put(uint8_t *out, const struct transaction *transaction, bool with_sequences) {
    for (size_t i = 0; i < transaction->input_count; i++, out += BLANKED_BYTES) {
        memset(out, 0, BLANKED_BYTES);
        memcpy(out, transaction->inputs[i].outpoint, OUTPOINT_BYTES);
        if (with_sequences)
            memcpy(out + OUTPOINT_BYTES + 1, transaction->inputs[i].sequence, SEQUENCE_BYTES);
    }
}

size_t signing_bytes(const struct signing *signing) {
    const struct transaction *transaction = signing->transaction;
    size_t inputs = anyone_can_pay(signing) ? 1 : transaction->input_count;
    size_t outputs = is_none(signing)     ? 0
                     : is_single(signing) ? signing->input * (AMOUNT_BYTES + 1)
                                          : transaction_outputs(transaction).size;
    return inputs * BLANKED_BYTES + outputs;
}

static void put_legacy_inputs(struct growing_column *message, const struct signing *signing, struct bytes script_code) {
    size_t own = signing->input, count = signing->transaction->input_count;
    put_compact_size(message, count);
    if (signing->blanked) {
        column_put(message, signing->blanked, own * BLANKED_BYTES);
        put_legacy_input(message, signing, own, script_code);
        column_put(message, signing->blanked + (own + 1) * BLANKED_BYTES, (count - own - 1) * BLANKED_BYTES);
        return;
    }
    for (size_t i = 0; i < count; i++)
        put_legacy_input(message, signing, i, script_code);
}

static void put_legacy_outputs(struct growing_column *message, const struct signing *signing) {
    const struct transaction *transaction = signing->transaction;
    static const uint8_t blank[AMOUNT_BYTES + 1] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0};
    if (is_none(signing)) {
        put_compact_size(message, 0);
    } else if (is_single(signing)) {
        put_compact_size(message, signing->input + 1);
        for (size_t i = 0; i < signing->input; i++)
            column_put(message, blank, sizeof blank);
        put_bytes(message, transaction->outputs[signing->input]);
    } else {
        put_compact_size(message, transaction->output_count);
        put_bytes(message, transaction_outputs(transaction));
    }
}

/* The first rule (SignatureHash of Bitcoin Core for SigVersion::BASE). The script code is clean. */
static void put_legacy(struct growing_column *message, const struct signing *signing) {
    const struct transaction *transaction = signing->transaction;
    struct bytes script_code = signing->spend->script_code;
    column_put(message, transaction->version, 4);
    if (anyone_can_pay(signing)) {
        put_compact_size(message, 1);
        put_legacy_input(message, signing, signing->input, script_code);
    } else {
        put_legacy_inputs(message, signing, script_code);
    }
    put_legacy_outputs(message, signing);
    column_put(message, transaction->lock_time, 4);
    put_little_endian(message, signing->hash_type, 4);
}

/* BIP-143. */
static void put_witness_v0(struct growing_column *message, const struct signing *signing) {
    static const uint8_t zeros[HASH_BYTES];
    const struct transaction *transaction = signing->transaction;
    const struct tx_input *input = &transaction->inputs[signing->input];
    bool anyone = anyone_can_pay(signing), all_outputs = !is_single(signing) && !is_none(signing);
    bool output = is_single(signing) && !signing_lacks_output(signing);
    column_put(message, transaction->version, 4);
    column_put(message, anyone ? zeros : signing->parts->twice[PART_PREVOUTS], HASH_BYTES);
    column_put(message, anyone || !all_outputs ? zeros : signing->parts->twice[PART_SEQUENCES], HASH_BYTES);
    column_put(message, input->outpoint, OUTPOINT_BYTES);
    put_script(message, signing->spend->script_code);
    put_little_endian(message, signing->prevouts[signing->input].satoshi, AMOUNT_BYTES);
    column_put(message, input->sequence, SEQUENCE_BYTES);
    column_put(message,
               all_outputs ? signing->parts->twice[PART_OUTPUTS]
               : output    ? signing->output_hash
                           : zeros,
               HASH_BYTES);
    column_put(message, transaction->lock_time, 4);
    put_little_endian(message, signing->hash_type, 4);
}

static void put_taproot_inputs(struct growing_column *message, const struct signing *signing) {
    static const enum part parts[] = {PART_PREVOUTS, PART_AMOUNTS, PART_SCRIPTS, PART_SEQUENCES};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        column_put(message, signing->parts->once[parts[i]], HASH_BYTES);
}

static void put_taproot_input(struct growing_column *message, const struct signing *signing) {
    const struct tx_input *input = &signing->transaction->inputs[signing->input];
    const struct prevout *prevout = &signing->prevouts[signing->input];
    if (!anyone_can_pay(signing)) {
        put_little_endian(message, signing->input, 4);
        return;
    }
    column_put(message, input->outpoint, OUTPOINT_BYTES);
    put_little_endian(message, prevout->satoshi, AMOUNT_BYTES);
    put_script(message, prevout->script);
    column_put(message, input->sequence, SEQUENCE_BYTES);
}

/* BIP-341, with BIP-342's extension if the rule is that of a script path: no OP_CODESEPARATOR was executed. */
static void put_taproot(struct growing_column *message, const struct signing *signing) {
    const struct transaction *transaction = signing->transaction;
    bool script_path = signing->spend->rule == DIGEST_TAPSCRIPT, annex = signing->spend->annex.data != NULL;
    put_tag(message, TAG_SIGHASH);
    put_little_endian(message, 0, 1);
    put_little_endian(message, signing->hash_type, 1);
    column_put(message, transaction->version, 4);
    column_put(message, transaction->lock_time, 4);
    if (!anyone_can_pay(signing))
        put_taproot_inputs(message, signing);
    if (!is_none(signing) && !is_single(signing))
        column_put(message, signing->parts->once[PART_OUTPUTS], HASH_BYTES);
    put_little_endian(message, (script_path ? 2u : 0u) + annex, 1);
    put_taproot_input(message, signing);
    if (annex)
        column_put(message, signing->annex_hash, HASH_BYTES);
    if (is_single(signing))
        column_put(message, signing->output_hash, HASH_BYTES);
    if (script_path) {
        column_put(message, signing->leaf_hash, HASH_BYTES);
        put_little_endian(message, 0, 1);
        put_little_endian(message, 0xffffffff, 4);
    }
}

void signing_put(struct growing_column *message, const struct signing *signing) {
    if (signing->spend->rule == DIGEST_LEGACY)
        put_legacy(message, signing);
    else if (signing->spend->rule == DIGEST_WITNESS_V0)
        put_witness_v0(message, signing);
    else
        put_taproot(message, signing);
}

void annex_put(struct growing_column *message, struct bytes annex) { put_script(message, annex); }

void leaf_put(struct growing_column *message, uint8_t version, struct bytes script) {
    put_tag(message, TAG_LEAF);
    column_put(message, &version, 1);
    put_script(message, script);
}

void branch_put(struct growing_column *message, const uint8_t *a, const uint8_t *b) {
    bool ordered = memcmp(a, b, HASH_BYTES) < 0;
    put_tag(message, TAG_BRANCH);
    column_put(message, ordered ? a : b, HASH_BYTES);
    column_put(message, ordered ? b : a, HASH_BYTES);
}
