#include "bitcoin/judge.h"
#include "bitcoin/der.h"

#include <stdlib.h>
#include <string.h>

size_t bitcoin_key_write(uint8_t out[MAX_KEY_BYTES], struct bytes key) {
    if (key.size == 33 && (key.data[0] == 2 || key.data[0] == 3)) {
        memcpy(out, key.data, key.size);
        return key.size;
    }
    if (key.size != MAX_KEY_BYTES)
        return 0;
    bool hybrid = key.data[0] == 6 || key.data[0] == 7;
    if (key.data[0] != 4 && (!hybrid || (key.data[0] & 1) != (key.data[64] & 1)))
        return 0;
    memcpy(out, key.data, key.size);
    out[0] = 4;
    return key.size;
}

void signature_refuse(struct judged_signature *signature, const char *reason) {
    signature->judgement = JUDGEMENT_INVALID;
    signature->reason = reason;
}

void input_refuse(struct inputs *inputs, const struct judged_input *input, const char *reason) {
    for (size_t i = 0; i < input->signature_count; i++)
        signature_refuse(&inputs->signatures[input->first_signature + i], reason);
}

/* Signatures with keys that may have made them, as the library takes them. */
struct pairs {
    struct growing_column keys, digests, signatures;
    uint8_t *statuses;
};

static void pairs_free(struct pairs *pairs) {
    column_free(&pairs->keys);
    column_free(&pairs->digests);
    column_free(&pairs->signatures);
    free(pairs->statuses);
}

static bool pairs_allocate(struct pairs *pairs) {
    if (pairs->keys.failed || pairs->digests.failed || pairs->signatures.failed)
        return false;
    pairs->statuses = calloc(pairs->keys.count + 1, 1);
    return pairs->statuses != NULL;
}

/* The signature as the library takes it: one that was valid before BIP 66 becomes strict DER. */
static void put_signature(struct growing_column *column, const struct judged_signature *signature, bool lax) {
    struct bytes text = signature->text;
    uint8_t strict[STRICT_DER_BYTES];
    size_t size = lax ? bitcoin_der_strict(strict, (struct bytes){text.data, text.size - 1}) : 0;
    if (size) {
        column_put(column, strict, size);
        column_put(column, text.data + text.size - 1, 1);
    } else {
        column_put(column, text.data, text.size);
    }
    column_end(column);
}

static void add_pair(struct pairs *pairs, const struct judged_signature *signature, struct bytes key,
                     const struct spend *spend) {
    bool schnorr = spend_is_schnorr(spend);
    static const uint8_t no_key[1];
    uint8_t written[MAX_KEY_BYTES];
    size_t size = schnorr ? key.size : bitcoin_key_write(written, key);
    column_put(&pairs->keys, size == 0 ? no_key : schnorr ? key.data : written, size ? size : sizeof no_key);
    column_end(&pairs->keys);
    column_put(&pairs->digests, signature->digest, HASH_BYTES);
    column_end(&pairs->digests);
    put_signature(&pairs->signatures, signature, !schnorr && spend->height < HEIGHT_BIP66);
}

/* Whether it has to be known which keys the signatures of an input are of. */
static bool wants_pairs(const struct inputs *inputs, const struct judged_input *input) {
    const struct spend *spend = &input->spend;
    return spend->state == SPEND_OPEN && (inputs->verify || spend->key_count > spend->signature_count);
}

/* Signature number j is of key number j + k for a k from 0 to the number of keys that are not used. */
static size_t spare_keys(const struct spend *spend) { return spend->key_count - spend->signature_count; }

static void add_pairs(struct pairs *pairs, const struct inputs *inputs, bool schnorr) {
    for (size_t i = 0; i < inputs->input_count; i++) {
        const struct judged_input *input = &inputs->inputs[i];
        const struct spend *spend = &input->spend;
        if (!wants_pairs(inputs, input) || spend_is_schnorr(spend) != schnorr)
            continue;
        for (size_t j = 0; j < spend->signature_count; j++) {
            const struct judged_signature *signature = &inputs->signatures[input->first_signature + j];
            for (size_t k = 0; signature->judgement == JUDGEMENT_OPEN && k <= spare_keys(spend); k++)
                add_pair(pairs, signature, spend->keys[j + k], spend);
        }
    }
}

static void judge(struct judged_signature *signature, uint8_t status, const struct inputs *inputs) {
    if (!inputs->verify)
        return;
    signature->judgement = status == GECC_ITEM_OK ? JUDGEMENT_VALID : JUDGEMENT_INVALID;
    if (status == GECC_ITEM_INVALID)
        signature->reason = "the signature does not verify";
    else if (status != GECC_ITEM_OK)
        signature->reason = gecc_item_text(status);
}

/* As OP_CHECKMULTISIG does: each signature takes the first key after that of the signature before it under which it is
 * valid. Returns how many statuses were used. */
static size_t match(struct inputs *inputs, const struct judged_input *input, const uint8_t *statuses) {
    const struct spend *spend = &input->spend;
    size_t used = 0, next = 0;
    for (size_t j = 0; j < spend->signature_count; j++) {
        struct judged_signature *signature = &inputs->signatures[input->first_signature + j];
        if (signature->judgement != JUDGEMENT_OPEN)
            continue;
        const uint8_t *own = statuses + used;
        size_t width = 1 + spare_keys(spend), k = next > j ? next - j : 0;
        used += width;
        while (k < width && own[k] != GECC_ITEM_OK)
            k++;
        if (k < width) {
            signature->key = spend->keys[j + k];
            next = j + k + 1;
            judge(signature, GECC_ITEM_OK, inputs);
        } else if (width > 1) {
            signature_refuse(signature, "none of the keys that are left has made the signature");
        } else {
            judge(signature, own[0], inputs);
        }
    }
    return used;
}

static void judge_pairs(const struct pairs *pairs, struct inputs *inputs, bool schnorr) {
    const uint8_t *statuses = pairs->statuses;
    for (size_t i = 0; i < inputs->input_count; i++) {
        const struct judged_input *input = &inputs->inputs[i];
        if (wants_pairs(inputs, input) && spend_is_schnorr(&input->spend) == schnorr)
            statuses += match(inputs, input, statuses);
    }
}

static void verify_pairs(struct inputs *inputs, gecc_context *context, bool schnorr) {
    struct pairs pairs = {0};
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_SIGHASH_BYTE | (schnorr ? 0u : GECC_DER);
    options.report = &report;
    add_pairs(&pairs, inputs, schnorr);
    if (!pairs_allocate(&pairs)) {
        inputs->outcome = GECC_ERROR_MEMORY;
    } else if (pairs.keys.count) {
        gecc_rows keys = column_rows(&pairs.keys), digests = column_rows(&pairs.digests);
        gecc_rows signatures = column_rows(&pairs.signatures);
        gecc_out status = gecc_out_packed(pairs.statuses, 1);
        size_t count = pairs.keys.count;
        inputs->outcome =
            schnorr ? gecc_schnorr_verify(context, status, keys, digests, signatures, count, &options)
                    : gecc_ecdsa_verify(context, GECC_SECP256K1, status, keys, digests, signatures, count, &options);
        inputs->seconds += report.seconds;
        inputs->report = report;
    }
    if (inputs->outcome == GECC_OK)
        judge_pairs(&pairs, inputs, schnorr);
    pairs_free(&pairs);
}

/* The internal keys of script paths and the roots of their scripts, and the keys that the library makes of them. */
struct commitments {
    struct growing_column keys, roots;
    size_t *inputs;
    uint8_t *tweaked, *parities, *statuses;
};

static void commitments_free(struct commitments *commitments) {
    column_free(&commitments->keys);
    column_free(&commitments->roots);
    free(commitments->inputs);
    free(commitments->tweaked);
    free(commitments->parities);
    free(commitments->statuses);
}

static bool is_commitment(const struct judged_input *input) {
    return input->spend.state == SPEND_OPEN && input->spend.leaf_script.data;
}

static bool commitments_fill(struct commitments *commitments, const struct inputs *inputs) {
    size_t count = 0;
    for (size_t i = 0; i < inputs->input_count; i++)
        count += is_commitment(&inputs->inputs[i]);
    commitments->inputs = calloc(count + 1, sizeof *commitments->inputs);
    commitments->tweaked = calloc(count + 1, XONLY_BYTES);
    commitments->parities = calloc(count + 1, 1);
    commitments->statuses = calloc(count + 1, 1);
    if (!commitments->inputs || !commitments->tweaked || !commitments->parities || !commitments->statuses)
        return false;
    for (size_t i = 0; i < inputs->input_count; i++) {
        const struct judged_input *input = &inputs->inputs[i];
        if (!is_commitment(input))
            continue;
        commitments->inputs[commitments->keys.count] = i;
        column_put(&commitments->keys, input->spend.control.data + 1, XONLY_BYTES);
        column_end(&commitments->keys);
        column_put(&commitments->roots, input->root, HASH_BYTES);
        column_end(&commitments->roots);
    }
    return !commitments->keys.failed && !commitments->roots.failed;
}

/* Whether the output key is the internal key with the root of the scripts, and its y has the parity of the control
 * block. */
static void judge_commitments(const struct commitments *commitments, struct inputs *inputs) {
    for (size_t i = 0; i < commitments->keys.count; i++) {
        const struct judged_input *input = &inputs->inputs[commitments->inputs[i]];
        const struct spend *spend = &input->spend;
        if (commitments->statuses[i] != GECC_ITEM_OK)
            input_refuse(inputs, input, "the internal key gives no output key");
        else if (memcmp(commitments->tweaked + i * XONLY_BYTES, spend->output_key, XONLY_BYTES) != 0)
            input_refuse(inputs, input, "the output key is not that of the internal key and the scripts");
        else if (commitments->parities[i] != (spend->control.data[0] & 1))
            input_refuse(inputs, input, "the output key's y has another parity than the control block says");
    }
}

static void verify_commitments(struct inputs *inputs, gecc_context *context) {
    struct commitments commitments = {0};
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &report;
    if (!commitments_fill(&commitments, inputs)) {
        inputs->outcome = GECC_ERROR_MEMORY;
    } else if (commitments.keys.count) {
        inputs->outcome = gecc_schnorr_tweak_public_key(
            context, gecc_out_packed(commitments.tweaked, XONLY_BYTES), gecc_out_packed(commitments.parities, 1),
            gecc_out_packed(commitments.statuses, 1), column_rows(&commitments.keys), column_rows(&commitments.roots),
            commitments.keys.count, &options);
        inputs->seconds += report.seconds;
    }
    if (inputs->outcome == GECC_OK)
        judge_commitments(&commitments, inputs);
    commitments_free(&commitments);
}

void inputs_judge(struct inputs *inputs, gecc_context *context) {
    verify_pairs(inputs, context, false);
    if (inputs->outcome == GECC_OK)
        verify_pairs(inputs, context, true);
    if (inputs->outcome == GECC_OK && inputs->verify)
        verify_commitments(inputs, context);
}
