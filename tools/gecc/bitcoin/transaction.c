#include "bitcoin/transaction.h"

#include <string.h>

_Static_assert(INPUT_LEAST == OUTPOINT_BYTES + 1 + SEQUENCE_BYTES && OUTPUT_LEAST == AMOUNT_BYTES + 1, "the shortest");

static bool fail_at(struct cursor *cursor, size_t byte, const char *reason) {
    cursor->defect = (struct defect){reason, byte};
    return false;
}

static size_t left(const struct cursor *cursor) { return cursor->bytes.size - cursor->at; }

/* Step over `size` bytes; NULL: there are fewer. */
static const uint8_t *take(struct cursor *cursor, size_t size, const char *reason) {
    if (left(cursor) < size) {
        fail_at(cursor, cursor->at, reason);
        return NULL;
    }
    const uint8_t *data = cursor->bytes.data + cursor->at;
    cursor->at += size;
    return data;
}

static uint64_t little_endian(const uint8_t *data, size_t size) {
    uint64_t value = 0;
    while (size--)
        value = value << 8 | data[size];
    return value;
}

/* A number in the fewest bytes. */
static bool take_compact_size(uint64_t *value, struct cursor *cursor, const char *reason) {
    static const uint64_t least[] = {0xfd, 0x10000, 0x100000000};
    size_t start = cursor->at;
    const uint8_t *first = take(cursor, 1, reason);
    if (!first)
        return false;
    *value = *first;
    if (*first < 0xfd)
        return true;
    size_t size = (size_t)2 << (*first - 0xfd);
    const uint8_t *data = take(cursor, size, reason);
    if (!data)
        return false;
    *value = little_endian(data, size);
    return *value >= least[*first - 0xfd] || fail_at(cursor, start, "a number that is not in the fewest bytes");
}

/* The number of things of which each has `each` bytes or more. */
static bool take_count(size_t *count, struct cursor *cursor, size_t each, const char *ends, const char *too_many) {
    uint64_t value;
    size_t start = cursor->at;
    if (!take_compact_size(&value, cursor, ends))
        return false;
    *count = (size_t)value;
    return value <= left(cursor) / each || fail_at(cursor, start, too_many);
}

/* Bytes after their number. */
static bool take_bytes(struct bytes *bytes, struct cursor *cursor, const char *ends, const char *too_long) {
    if (!take_count(&bytes->size, cursor, 1, ends, too_long))
        return false;
    bytes->data = take(cursor, bytes->size, too_long);
    return true;
}

static bool take_inputs(struct transaction *transaction, struct arena *arena, struct cursor *cursor) {
    size_t start = cursor->at;
    if (!take_count(&transaction->input_count, cursor, INPUT_LEAST, "ends before the number of inputs",
                    "more inputs than there are bytes for"))
        return false;
    if (transaction->input_count == 0)
        return fail_at(cursor, start, "no inputs");
    transaction->inputs = arena_array(arena, transaction->input_count, sizeof *transaction->inputs);
    for (size_t i = 0; transaction->inputs && i < transaction->input_count; i++) {
        struct tx_input *input = &transaction->inputs[i];
        input->outpoint = take(cursor, OUTPOINT_BYTES, "ends within an input's outpoint");
        if (!input->outpoint || !take_bytes(&input->script, cursor, "ends before an input's script",
                                            "an input's script that is longer than what is left"))
            return false;
        input->sequence = take(cursor, SEQUENCE_BYTES, "ends within an input's sequence number");
        if (!input->sequence)
            return false;
    }
    return transaction->inputs != NULL;
}

static bool take_outputs(struct transaction *transaction, struct arena *arena, struct cursor *cursor) {
    size_t start = cursor->at;
    if (!take_count(&transaction->output_count, cursor, OUTPUT_LEAST, "ends before the number of outputs",
                    "more outputs than there are bytes for"))
        return false;
    if (transaction->output_count == 0)
        return fail_at(cursor, start, "no outputs");
    transaction->outputs = arena_array(arena, transaction->output_count, sizeof *transaction->outputs);
    for (size_t i = 0; transaction->outputs && i < transaction->output_count; i++) {
        struct bytes *output = &transaction->outputs[i], script;
        output->data = take(cursor, AMOUNT_BYTES, "ends within an output's amount");
        if (!output->data || !take_bytes(&script, cursor, "ends before an output's script",
                                         "an output's script that is longer than what is left"))
            return false;
        output->size = (size_t)(cursor->bytes.data + cursor->at - output->data);
    }
    return transaction->outputs != NULL;
}

static bool take_witness(struct tx_input *input, struct arena *arena, struct cursor *cursor) {
    if (!take_count(&input->witness_count, cursor, 1, "ends before an input's witness",
                    "more witness items than there are bytes for"))
        return false;
    if (input->witness_count == 0)
        return true;
    input->witness = arena_array(arena, input->witness_count, sizeof *input->witness);
    for (size_t i = 0; input->witness && i < input->witness_count; i++)
        if (!take_bytes(&input->witness[i], cursor, "ends before a witness item",
                        "a witness item that is longer than what is left"))
            return false;
    return input->witness != NULL;
}

static bool take_witnesses(struct transaction *transaction, struct arena *arena, struct cursor *cursor) {
    size_t start = cursor->at, items = 0;
    for (size_t i = 0; i < transaction->input_count; i++) {
        if (!take_witness(&transaction->inputs[i], arena, cursor))
            return false;
        items += transaction->inputs[i].witness_count;
    }
    return items > 0 || fail_at(cursor, start, "a witness without items");
}

static bool is_null(const struct tx_input *input) {
    static const uint8_t null_outpoint[OUTPOINT_BYTES] = {[32] = 0xff, [33] = 0xff, [34] = 0xff, [35] = 0xff};
    return memcmp(input->outpoint, null_outpoint, OUTPOINT_BYTES) == 0;
}

/* What nodes look at, too, before they look at scripts. */
static bool check(const struct transaction *transaction, struct cursor *cursor, size_t start) {
    for (size_t i = 0; transaction->input_count > 1 && i < transaction->input_count; i++)
        if (is_null(&transaction->inputs[i]))
            return fail_at(cursor, (size_t)(transaction->inputs[i].outpoint - cursor->bytes.data),
                           "an input that spends no output, beside others");
    return transaction_weight(transaction) <= MOST_WEIGHT ||
           fail_at(cursor, start, "a transaction that weighs more than 4,000,000");
}

size_t transaction_weight(const struct transaction *transaction) {
    return 3 * (4 + transaction->body.size + 4) + transaction->whole.size;
}

bool transaction_parse(struct transaction *transaction, struct arena *arena, struct cursor *cursor) {
    const size_t begin = cursor->at;
    *transaction = (struct transaction){0};
    transaction->version = take(cursor, 4, "ends within the version");
    if (!transaction->version)
        return false;
    /* No transaction has no inputs: a zero is the marker of witnesses. */
    if (left(cursor) >= 2 && cursor->bytes.data[cursor->at] == 0) {
        if (cursor->bytes.data[cursor->at + 1] != 1)
            return fail_at(cursor, cursor->at, "no inputs, and no marker of a witness");
        transaction->has_witness = true;
        cursor->at += 2;
    }
    size_t start = cursor->at;
    if (!take_inputs(transaction, arena, cursor) || !take_outputs(transaction, arena, cursor))
        return false;
    transaction->body = (struct bytes){cursor->bytes.data + start, cursor->at - start};
    if (transaction->has_witness && !take_witnesses(transaction, arena, cursor))
        return false;
    transaction->lock_time = take(cursor, 4, "ends within the lock time");
    if (!transaction->lock_time)
        return false;
    transaction->whole = (struct bytes){cursor->bytes.data + begin, cursor->at - begin};
    return check(transaction, cursor, begin);
}

bool block_parse_header(uint64_t *count, struct cursor *cursor) {
    size_t number;
    *count = 0;
    if (!take(cursor, BLOCK_HEADER_BYTES, "ends within the block's header") ||
        !take_count(&number, cursor, 4 + INPUT_LEAST + OUTPUT_LEAST + 4, "ends before the number of transactions",
                    "more transactions than there are bytes for"))
        return false;
    *count = number;
    return true;
}

bool cursor_at_end(struct cursor *cursor) { return !left(cursor) || fail_at(cursor, cursor->at, "bytes follow it"); }

bool transaction_is_coinbase(const struct transaction *transaction) {
    return transaction->input_count == 1 && is_null(&transaction->inputs[0]);
}

struct bytes transaction_outputs(const struct transaction *transaction) {
    const struct bytes *first = transaction->outputs, *last = first + transaction->output_count - 1;
    return (struct bytes){first->data, (size_t)(last->data + last->size - first->data)};
}

size_t compact_size_write(uint8_t out[9], uint64_t value) {
    size_t size = value < 0xfd ? 0 : value <= 0xffff ? 2 : value <= 0xffffffff ? 4 : 8;
    if (!size) {
        out[0] = (uint8_t)value;
        return 1;
    }
    out[0] = size == 2 ? 0xfd : size == 4 ? 0xfe : 0xff;
    for (size_t i = 0; i < size; i++)
        out[1 + i] = (uint8_t)(value >> 8 * i);
    return 1 + size;
}
