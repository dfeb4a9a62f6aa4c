/* Transactions and blocks with the outputs that they spend, as text or bytes: what is parsed lies within what was
 * given, a transaction without its witnesses is one, too, and each input has its rows, of which the good ones have all
 * there is.
 *
 * The first byte chooses how the rest is read (ABCD: JSON, JSON with blocks, CSV, CSV with blocks; else bytes), and
 * whether signatures are judged (if it is odd). Bytes are scripts of outputs, each after its length, up to one of
 * length 0, and a transaction. */
#include "bitcoin/record.h"
#include "text/json_split.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static gecc_context *context_of_all(void) {
    static gecc_context *context;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    config.threads = 1;
    if (!context && gecc_open(&context, &config) != GECC_OK)
        abort();
    return context;
}

/* The transaction's id is the hash of bytes that parse as it does. */
static void check_stripped(const struct transaction *transaction) {
    struct growing_column stripped = {0};
    struct arena arena = {0};
    struct transaction again;
    stripped_put(&stripped, transaction);
    struct cursor cursor = {.bytes = {stripped.bytes, stripped.used}};
    if (!transaction_parse(&again, &arena, &cursor) || !cursor_at_end(&cursor))
        abort();
    if (again.has_witness || again.input_count != transaction->input_count ||
        again.output_count != transaction->output_count)
        abort();
    column_free(&stripped);
    arena_free(&arena);
}

static void check_row(const struct inputs *inputs, const struct judged_signature *row) {
    const struct spend *spend = &inputs->inputs[row->input].spend;
    bool open = spend->state == SPEND_OPEN;
    bool good = row->judgement == (inputs->verify ? JUDGEMENT_VALID : JUDGEMENT_OPEN);
    if (good != (row->reason == NULL))
        abort();
    if (!open && (row->text.size || row->key.size || row->has_digest))
        abort();
    if (good && (!row->has_digest || row->key.size == 0 || row->text.size == 0))
        abort();
}

static void check(struct inputs *inputs) {
    size_t rows = 0;
    inputs_run(inputs, context_of_all());
    if (inputs->outcome != GECC_OK)
        abort();
    for (size_t e = 0; e < inputs->entry_count; e++) {
        const struct entry *entry = &inputs->entries[e];
        if (!entry->malformed)
            check_stripped(&entry->transaction);
        for (size_t i = 0; i < entry->input_count; i++) {
            const struct judged_input *input = &inputs->inputs[entry->first_input + i];
            if (input->index != i || input->first_signature != rows || input->signature_count == 0)
                abort();
            rows += input->signature_count;
        }
    }
    if (rows != inputs->signature_count)
        abort();
    for (size_t s = 0; s < rows; s++)
        check_row(inputs, &inputs->signatures[s]);
}

static void take_text(struct inputs *inputs, bool csv, bool blocks, const char *text, size_t size) {
    struct record_layout layout = {.format = csv ? FORMAT_CSV : FORMAT_JSONL, .blocks = blocks, .height = 1};
    uint64_t line = 1;
    const char *reason = NULL;
    while (size && !reason) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline ? (size_t)(newline - text) + 1 : size;
        if (csv && line == 1)
            reason = record_header(&layout, text, length);
        else if ((csv || json_is_value(text, length)) && !record_take(inputs, &layout, line, text, length))
            abort();
        line++;
        text += length;
        size -= length;
    }
    record_layout_free(&layout);
}

/* In a block of their own, so that the sanitizer sees where they end. */
static struct bytes apart(struct arena *arena, struct bytes bytes) {
    /* Blocks are multiples of the alignment: what is read is at their end. */
    size_t align = _Alignof(max_align_t), front = (align - bytes.size % align) % align;
    uint8_t *copy = arena_take(arena, front + bytes.size);
    if (!copy)
        abort();
    if (bytes.size)
        memcpy(copy + front, bytes.data, bytes.size);
    return (struct bytes){copy + front, bytes.size};
}

static void set_apart(struct arena *arena, struct tx_input *input) {
    input->script = apart(arena, input->script);
    for (size_t w = 0; w < input->witness_count; w++)
        input->witness[w] = apart(arena, input->witness[w]);
}

/* Inputs without an output of their own spend the last. */
static void take_bytes(struct inputs *inputs, const uint8_t *data, size_t size) {
    enum { MOST = 256 };
    struct prevout given[MOST] = {{0}};
    size_t count = 0;
    while (size && *data && *data < size && count < MOST) {
        given[count] = (struct prevout){UINT64_C(5000000000) + count, {data + 1, *data}};
        count++;
        size -= 1u + *data;
        data += 1 + *data;
    }
    if (size == 0)
        return;
    struct transaction transaction;
    struct cursor cursor = {.bytes = {data + 1, size - 1}};
    if (!transaction_parse(&transaction, &inputs->arena, &cursor)) {
        if (!cursor.defect.reason || cursor.defect.byte > size - 1)
            abort();
        return;
    }
    struct prevout *prevouts = arena_array(&inputs->arena, transaction.input_count, sizeof *prevouts);
    if (!prevouts)
        abort();
    for (size_t i = 0; count && i < transaction.input_count; i++) {
        prevouts[i] = given[i < count ? i : count - 1];
        prevouts[i].script = apart(&inputs->arena, prevouts[i].script);
        set_apart(&inputs->arena, &transaction.inputs[i]);
    }
    if (!inputs_add(inputs, 1, HEIGHT_LATEST, &transaction, prevouts, &(struct inputs_told){0}))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct inputs inputs = {.arena = {.chunk_bytes = 1}};
    if (size == 0)
        return 0;
    /* A copy that ends where it ends, for the sanitizer. */
    uint8_t *copy = malloc(size);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    inputs.verify = *data & 1;
    if (*data >= 'A' && *data <= 'D')
        take_text(&inputs, *data >= 'C', *data == 'B' || *data == 'D', (const char *)copy + 1, size - 1);
    else
        take_bytes(&inputs, copy + 1, size - 1);
    check(&inputs);
    inputs_reset(&inputs);
    free(copy);
    return 0;
}
