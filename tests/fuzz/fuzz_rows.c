/* Whole inputs through reader and decoder: every row is refused or has a slot, what is kept of it lies in the text, and
 * its cells are of their columns' widths and stand in the text. The first byte chooses the command (HIJKLMNOPQR: in
 * the order of commands.c), the second the format (012: CSV, JSON Lines, raw). */
#define _GNU_SOURCE /* memmem */

#include "text/hex.h"
#include "text/json.h"
#include "rows/reader.h"

#include <ctype.h>
#include <sanitizer/asan_interface.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 64,
    COMMANDS = 11,      /* that map rows */
    GUARD_BYTES = 4096, /* behind the text, not to be read */
    CELL_BYTES = 1024   /* wider cells are not looked for in the text */
};

/* The whole input: all that a batch may hold. For other formats than raw in lower case. */
struct input {
    enum format format;
    char *text;
    size_t size;
    bool escaped; /* has a backslash, or what may be a key in PEM or DER: cells may not stand in it as they are */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char modulus[] = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

/* Command number `index` of those that map rows. */
static const struct command *mapper(size_t index) {
    for (size_t i = 0; command_at(i) != NULL; i++)
        if (command_at(i)->mapping && index-- == 0)
            return command_at(i);
    abort();
}

/* One batch for each command: making one takes longer than a run. */
static struct batch *batch_of(size_t index) {
    static struct batch *batches[COMMANDS];
    static struct options options[COMMANDS];
    if (!batches[index]) {
        options_init(&options[index]);
        options[index].curve = mapper(index)->curve ? mapper(index)->curve : GECC_P256;
        options[index].dangerous_nonce = true;
        options[index].modulus = mapper(index)->mapping->modular ? modulus : NULL;
        options[index].modular_operation = MOD_POWER;
        batches[index] = batch_create(mapper(index)->mapping, &options[index], CAPACITY);
    }
    return batches[index];
}

/* What is kept of an object is one; of a line that is none it is the whole line. */
static void check_json(const struct batch *batch, const struct row *row) {
    const struct piece *keep = row_pieces(batch, row);
    size_t length = 0;
    char *text = malloc(batch->text_used + KEEP_MAX * (RESULT_NAME_BYTES + 4) + 2);
    text[length++] = '{';
    for (size_t k = 0; k < row->keep_count; k++) {
        if (keep[k].kind == PIECE_UNREADABLE && (row->keep_count > 1 || !row->refusal.broken))
            abort();
        if (keep[k].kind == PIECE_UNREADABLE)
            continue;
        if (k)
            text[length++] = ',';
        if (keep[k].kind == PIECE_RENAMED) {
            char name[RESULT_NAME_BYTES];
            kept_name(name, batch->mapping, batch->options, keep[k].result, keep[k].number);
            length += (size_t)sprintf(text + length, "\"%s\":", name);
        }
        memcpy(text + length, batch->text + keep[k].offset, keep[k].length);
        length += keep[k].length;
    }
    text[length++] = '}';
    if (!json_is_valid(text, length))
        abort();
    free(text);
}

/* The width of a column's cells; 0: any. */
static size_t width_of(const struct group *group, enum kind kind) {
    switch (kind) {
    case KIND_SCALAR:
        return gecc_curve_bytes(group->curve);
    case KIND_OPERAND:
        return group->modulus_bytes;
    case KIND_EXPONENT:
        return MAX_MODULUS_BYTES;
    case KIND_RECID:
        return 1;
    default:
        return 0;
    }
}

/* Bytes without the zeros that numbers are filled up with, or their digits, are part of the input. */
static void check_stands(const struct input *input, const uint8_t *bytes, size_t count) {
    char digits[2 * CELL_BYTES];
    size_t width = count;
    for (; width && *bytes == 0; width--)
        bytes++;
    if (input->escaped || width == 0 || width > CELL_BYTES)
        return;
    if (input->format != FORMAT_RAW)
        hex_encode(digits, bytes, width);
    bool odd = input->format != FORMAT_RAW && digits[0] == '0';
    const char *stands = input->format == FORMAT_RAW ? memmem(input->text, input->size, bytes, width)
                                                     : memmem(input->text, input->size, digits + odd, 2 * width - odd);
    if (!stands)
        abort();
}

static void check_cells(const struct batch *batch, size_t i, const struct input *input) {
    const struct row *row = &batch->rows[i];
    const struct group *group = &batch->groups[row->group];
    const struct task task = {.batch = (struct batch *)(uintptr_t)batch, .group = group};
    if (row->slot < group->first || row->slot >= group->first + group->count || batch->order[row->slot] != i)
        abort();
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        enum kind kind = column_kind(batch->mapping, batch->options, (enum column)c);
        if (!(group->form & 1u << c) || kind == KIND_CURVE || kind == KIND_MODULUS)
            continue;
        struct span cell = batch->cells[c][i];
        size_t width = width_of(group, kind), given_width;
        const gecc_rows given = task_rows(&task, (enum column)c);
        const uint8_t *bytes = row_at(&given, row->slot - group->first, &given_width);
        if ((size_t)cell.offset + cell.length > batch->bytes_used || (width && cell.length != width) ||
            bytes + given_width != batch->bytes + cell.offset + cell.length ||
            (kind != KIND_EXPONENT && given_width != cell.length))
            abort();
        if (kind != KIND_RECID && kind != KIND_TEXT &&
            !(kind == KIND_MESSAGE && batch->kinds[COLUMN_MSG_TEXT] != KIND_NONE))
            check_stands(input, batch->bytes + cell.offset, cell.length);
    }
}

static void check_batch(const struct batch *batch, const struct input *input) {
    if (batch->laid) {
        if (batch->text_start != 0 || batch->count * batch->laid->row_bytes != batch->text_whole)
            abort();
        return;
    }
    for (size_t i = 0; i < batch->count; i++) {
        const struct row *row = &batch->rows[i];
        if ((row->slot == SLOT_NONE) != (row->refusal.text != NULL))
            abort();
        if (row->keep_count > KEEP_MAX)
            abort();
        for (size_t k = 0; k < row->keep_count; k++) {
            struct piece piece = row_pieces(batch, row)[k];
            if ((size_t)piece.offset + piece.length > batch->text_used)
                abort();
        }
        if (input->format == FORMAT_JSONL)
            check_json(batch, row);
        if (row->slot != SLOT_NONE)
            check_cells(batch, i, input);
    }
}

/* A reader whose input is all there and has ended. */
static bool open_text(struct reader *reader, const char *text, size_t size) {
    size_t used = 0;
    reader->ended = true;
    reader->line = 1;
    reader->name = "text";
    reader->complaints = UINT64_MAX / 2; /* say nothing */
    reader->unread_said = UINT64_MAX;
    reader->carry = malloc(size);
    reader->carry_capacity = size;
    if (reader->format == FORMAT_CSV && !csv_header(reader, text, size, true, &used))
        return false;
    if (reader->format == FORMAT_RAW && !raw_layout(reader))
        return false;
    memcpy(reader->carry, text + used, size - used);
    reader->carry_used = size - used;
    return true;
}

static struct input input_new(enum format format, const char *text, size_t size) {
    /* Of PEM, of DER in base64, and of object identifiers in hexadecimal. */
    static const char *const marks[] = {"\\", "-----begin ", "mf", "mi", "2a86", "2a81", "2b81"};
    struct input input = {format, malloc(size), size, false};
    for (size_t i = 0; i < size; i++)
        input.text[i] = (char)(format == FORMAT_RAW ? text[i] : tolower((unsigned char)text[i]));
    for (size_t m = 0; format != FORMAT_RAW && m < sizeof marks / sizeof *marks; m++)
        input.escaped |= memmem(input.text, size, marks[m], strlen(marks[m])) != NULL;
    return input;
}

/* The next rows of a reader that holds `size` bytes. */
static void fill(struct reader *reader, struct batch *batch, size_t size) {
    batch_reset(batch);
    ASAN_UNPOISON_MEMORY_REGION(batch->text, size);
    ASAN_POISON_MEMORY_REGION(batch->text + size, GUARD_BYTES);
    if (!reader_read(reader, batch))
        abort();
    (void)reader_order(reader, batch);
    reader_parse(reader, batch);
    reader_complain(reader, batch);
    batch_close(batch);
    ASAN_UNPOISON_MEMORY_REGION(batch->text + size, GUARD_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct dialect *const dialects[] = {
        [FORMAT_CSV] = &dialect_csv, [FORMAT_JSONL] = &dialect_jsonl, [FORMAT_RAW] = &dialect_raw};
    atomic_bool stop = false;
    if (size < 2)
        return 0;
    enum format format = (enum format)(1 + data[1] % 3);
    struct batch *batch = batch_of((uint8_t)(data[0] - 'H') % COMMANDS);
    struct input input = input_new(format, (const char *)data + 2, size - 2);
    struct reader reader = {.input = -1,
                            .mapping = batch->mapping,
                            .options = batch->options,
                            .format = format,
                            .dialect = dialects[format],
                            .stop = &stop};
    if (open_text(&reader, (const char *)data + 2, size - 2)) {
        do {
            fill(&reader, batch, reader.carry_used);
            check_batch(batch, &input);
        } while (batch->text_whole);
    }
    reader_close(&reader);
    free(input.text);
    return 0;
}
