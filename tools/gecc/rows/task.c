/* A task through the library: the digests that its rows bring, the hashes of their messages or the messages themselves,
 * and the call of its operation. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "rows/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *scratch_digests(const struct task *task) {
    return task->batch->scratch + task->group->first * MAX_DIGEST_BYTES;
}

/* The prefix of EIP-191's personal messages, and the message's width in decimal. */
static size_t personal_prefix(char out[64], size_t width) {
    return (size_t)snprintf(out, 64,
                            "\x19"
                            "Ethereum Signed Message:\n%zu",
                            width);
}

/* The digests of personal messages, each with its prefix before it. */
static gecc_result personal_digests(const struct task *task, gecc_out out, gecc_out status) {
    gecc_rows message = task_rows(task, COLUMN_MSG);
    size_t used = 0, total = 0, width;
    if (task->count == 0)
        return GECC_OK;
    for (size_t i = 0; i < task->count; i++, total += width + 64)
        (void)row_at(&message, i, &width);
    uint64_t *offsets = malloc(task->count * sizeof *offsets);
    uint32_t *widths = malloc(task->count * sizeof *widths);
    char *bytes = malloc(total);
    gecc_result result = GECC_ERROR_MEMORY;
    for (size_t i = 0; offsets && widths && bytes && i < task->count; i++) {
        const uint8_t *text = row_at(&message, i, &width);
        size_t prefix = personal_prefix(bytes + used, width);
        memcpy(bytes + used + prefix, text, width);
        offsets[i] = used;
        widths[i] = (uint32_t)(prefix + width);
        used += widths[i];
    }
    if (offsets && widths && bytes)
        result = gecc_digest(task->context, GECC_KECCAK256, out, status, (gecc_rows){bytes, 0, 0, widths, offsets},
                             task->count, NULL);
    free(offsets);
    free(widths);
    free(bytes);
    return result;
}

/* The hashes of the rows' messages, in the batch's scratch memory. */
static gecc_result message_digests(struct task *task, gecc_rows *digest) {
    gecc_out status = gecc_out_packed(task->batch->scratch_status + task->group->first, 1);
    gecc_out out = gecc_out_packed(scratch_digests(task), MAX_DIGEST_BYTES);
    gecc_rows message = task_rows(task, COLUMN_MSG);
    gecc_hash hash = group_hash(task->group, task->options);
    *digest = gecc_rows_strided(out.data, gecc_hash_bytes(hash), out.stride);
    if (task->options->personal_message)
        return personal_digests(task, out, status);
    if (group_scheme(task->group, task->options) != SCHEME_SM2)
        return gecc_digest(task->context, hash, out, status, message, task->count, NULL);
    digest->width = gecc_hash_bytes(GECC_SM3);
    return gecc_sm2_digest(task->context, out, status, task->public_key, task_rows(task, COLUMN_ID), message,
                           task->count, NULL);
}

/* Refuse the rows whose digest, the first column, is not the second: they have no results. */
static void compare(struct task *task, gecc_rows digest, gecc_rows expected, const char *reason) {
    const struct batch *batch = task->batch;
    for (size_t i = 0; i < task->count; i++) {
        size_t width, expected_width;
        const uint8_t *bytes = row_at(&digest, i, &width), *expected_bytes = row_at(&expected, i, &expected_width);
        if (width == expected_width && memcmp(bytes, expected_bytes, width) == 0)
            continue;
        struct row *row = &batch->rows[batch->order[task->group->first + i]];
        row_refuse(row, COLUMN_DIGEST, reason);
        row->slot = SLOT_NONE;
    }
}

gecc_result task_digests(struct task *task, gecc_rows *digest) {
    gecc_rows computed = gecc_rows_none();
    gecc_result result = GECC_OK;
    if (task_has(task, COLUMN_BIT(MSG)))
        result = message_digests(task, &computed);
    if (!task_has(task, COLUMN_BIT(DIGEST))) {
        *digest = computed;
        return result;
    }
    *digest = task_rows(task, COLUMN_DIGEST);
    if (result == GECC_OK && task_has(task, COLUMN_BIT(MSG)))
        compare(task, *digest, computed, "not the hash of `msg`");
    return result;
}

/* Rows noted as failed lose their results and get the status of that failure, unless they are malformed already: a key
 * comes before the digest. */
static void merge(struct task *task) {
    const struct batch *batch = task->batch;
    if (!task_has(task, COLUMN_BIT(MSG)))
        return;
    for (size_t i = 0; i < task->count; i++) {
        uint8_t status = batch->scratch_status[task->group->first + i];
        if (status == GECC_ITEM_OK || gecc_item_is_malformed(task->status[i])) /* of a key, which comes first */
            continue;
        task->status[i] = status;
        for (size_t r = 0; r < MAX_RESULTS && batch->result[r]; r++) {
            size_t stride = result_stride(batch->mapping->results[r].kind);
            explicit_bzero(batch->result[r] + (task->group->first + i) * stride, stride);
        }
    }
}

/* The message itself, which may be called `digest`. */
static gecc_rows whole_message(struct task *task) {
    const bool is_digest = task_has(task, COLUMN_BIT(DIGEST));
    const gecc_rows rows = task_rows(task, is_digest ? COLUMN_DIGEST : COLUMN_MSG);
    if (is_digest && task_has(task, COLUMN_BIT(MSG)))
        compare(task, rows, task_rows(task, COLUMN_MSG), "not what `msg` is");
    return rows;
}

static bool takes_digests(const struct task *task) {
    const gecc_column *input;
    bool takes = false;
    for (size_t i = 0; (input = gecc_operation_input(task->operation, i)) != NULL; i++)
        takes |= column_of_input(input, task->group->form) == COLUMN_DIGEST;
    return takes;
}

/* digest: of the rows, if the operation takes any. */
static gecc_rows input_rows(struct task *task, const gecc_column *input, gecc_rows digest) {
    const enum column column = column_of_input(input, task->group->form);
    switch (input->kind) {
    case GECC_KIND_MESSAGE:
        return whole_message(task);
    case GECC_KIND_SM2_ID: /* each row has one, by itself or by default */
        return task_rows(task, COLUMN_ID);
    case GECC_KIND_ENTROPY:
    case GECC_KIND_AUXILIARY:
        if (task->entropy.data)
            return task->entropy;
        break;
    default:
        if (column == COLUMN_DIGEST)
            return digest;
    }
    return task_has(task, 1u << column) ? task_rows(task, column) : gecc_rows_none();
}

gecc_result task_run(struct task *task) {
    const bool has_digests = takes_digests(task);
    const gecc_column *input;
    gecc_rows inputs[TASK_INPUTS], digest = gecc_rows_none();
    gecc_out outputs[MAX_RESULTS];
    gecc_result result = has_digests ? task_digests(task, &digest) : GECC_OK;
    if (result != GECC_OK)
        return result;
    for (size_t i = 0; i < TASK_INPUTS && (input = gecc_operation_input(task->operation, i)) != NULL; i++)
        inputs[i] = input_rows(task, input, digest);
    for (size_t i = 0; i < MAX_RESULTS && gecc_operation_output(task->operation, i) != NULL; i++)
        outputs[i] = task->batch->result[i] ? task_result(task, i) : gecc_out_none();
    result = gecc_run(task->context, task->operation, &task->parameters, outputs, task_status(task), inputs,
                      task->count, &task->call);
    if (has_digests)
        merge(task);
    return result;
}
