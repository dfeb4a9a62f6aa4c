/* Whole inputs through reader and decoder: every row is refused or has a slot, and what is kept of it lies in the text.
 * The first byte chooses the command, the second the format. */
#include "json.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 64, COMMANDS = 9 /* those that map rows come first */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char modulus[] = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

/* One batch for each command: making one takes longer than a run. */
static struct batch *batch_of(size_t index) {
    static struct batch *batches[COMMANDS];
    static struct options options[COMMANDS];
    if (!batches[index]) {
        options_init(&options[index]);
        options[index].curve = GECC_P256;
        options[index].dangerous_nonce = true;
        options[index].modulus = commands[index]->mapping->modular ? modulus : NULL;
        options[index].modular_operation = MOD_POWER;
        batches[index] = batch_create(commands[index]->mapping, &options[index], CAPACITY);
    }
    return batches[index];
}

static void check_json(const struct batch *batch, const struct row *row) {
    const struct span *keep = &batch->keep[(size_t)(row - batch->rows) * KEEP_MAX];
    size_t length = 0;
    char *text = malloc(batch->text_used + KEEP_MAX + 2);
    text[length++] = '{';
    for (size_t k = 0; k < row->keep_count; k++) {
        if (k)
            text[length++] = ',';
        memcpy(text + length, batch->text + keep[k].offset, keep[k].length);
        length += keep[k].length;
    }
    text[length++] = '}';
    if (!json_is_valid(text, length))
        abort();
    free(text);
}

static void check_batch(const struct batch *batch, enum format format) {
    for (size_t i = 0; i < batch->count; i++) {
        const struct row *row = &batch->rows[i];
        if ((row->slot == SLOT_NONE) != (row->refusal.text != NULL))
            abort();
        for (size_t k = 0; k < row->keep_count; k++) {
            struct span span = batch->keep[i * KEEP_MAX + k];
            if ((size_t)span.offset + span.length > batch->text_used)
                abort();
        }
        if (format == FORMAT_JSONL)
            check_json(batch, row);
    }
}

/* A reader whose input is all there and has ended. */
static bool open_text(struct reader *reader, const char *text, size_t size) {
    size_t used = 0;
    reader->ended = true;
    reader->line = 1;
    reader->name = "text";
    reader->complaints = UINT64_MAX / 2; /* say nothing */
    reader->carry = malloc(size + 1);
    reader->carry_capacity = size + 1;
    if (reader->format == FORMAT_CSV && !csv_header(reader, text, size, true, &used))
        return false;
    if (reader->format == FORMAT_RAW && !raw_layout(reader))
        return false;
    memcpy(reader->carry, text + used, size - used);
    reader->carry_used = size - used;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct dialect *const dialects[] = {
        [FORMAT_CSV] = &dialect_csv, [FORMAT_JSONL] = &dialect_jsonl, [FORMAT_RAW] = &dialect_raw};
    atomic_bool stop = false;
    if (size < 2)
        return 0;
    enum format format = (enum format)(1 + data[1] % 3);
    struct batch *batch = batch_of(data[0] % COMMANDS);
    struct reader reader = {.descriptor = -1,
                            .mapping = batch->mapping,
                            .options = batch->options,
                            .format = format,
                            .dialect = dialects[format],
                            .stop = &stop};
    if (open_text(&reader, (const char *)data + 2, size - 2)) {
        do {
            batch_reset(batch);
            if (!reader_fill(&reader, batch))
                abort();
            batch_close(batch);
            check_batch(batch, format);
        } while (batch->count);
    }
    reader_close(&reader);
    return 0;
}
