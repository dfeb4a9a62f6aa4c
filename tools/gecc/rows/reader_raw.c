/* Raw rows: the columns' bytes one after another, each with the width that it has on the curve. */
#include "rows/reader.h"

#include <stdio.h>
#include <string.h>

static bool fail(struct reader *reader, const char *text, const char *detail, size_t length) {
    snprintf(reader->error, sizeof reader->error, "raw rows: %.120s%.*s", text, (int)(length < 60 ? length : 60),
             detail);
    return false;
}

/* 0: a column that raw rows cannot have. */
static size_t width_of(const struct reader *reader, enum column column) {
    const struct options *options = reader->options;
    size_t scalar = gecc_curve_bytes(options->curve);
    struct group group = {0};
    if (column == COLUMN_AUX || column == COLUMN_ENTROPY ||
        (column == COLUMN_PUB && options->scheme == SCHEME_BIP340) ||
        ((column == COLUMN_PUB || column == COLUMN_PEER) && options->curve == GECC_CURVE25519))
        return 32;
    switch (column_kind(reader->mapping, options, column)) {
    case KIND_SIG:
        return 2 * scalar + options->sighash_byte;
    case KIND_POINT:
        return 2 * scalar;
    case KIND_SCALAR:
        return scalar;
    case KIND_BYTES:
        return options->digest_bytes;
    case KIND_MESSAGE:
        return options->message_bytes;
    case KIND_RECID:
        return column == COLUMN_RECID; /* not Ethereum's v */
    case KIND_ADDRESS:
        return GECC_ADDRESS_BYTES;
    case KIND_MODULUS:
        return options->bits / 8;
    case KIND_OPERAND:
    case KIND_EXPONENT:
        if (options->modulus)
            modulus_decode(&group, options->bits, options->modulus, strlen(options->modulus));
        return options->modulus ? group.modulus_bytes : options->bits / 8;
    default:
        return 0;
    }
}

static bool add_column(struct reader *reader, const char *name, size_t length, uint32_t *present) {
    struct layout *layout = &reader->layout;
    enum column column = column_find(reader->mapping, reader->options, name, length);
    if (column == COLUMN_COUNT || (*present & 1u << column))
        return fail(reader, "no such column, or twice: ", name, length);
    size_t width = width_of(reader, column);
    if (!width)
        return fail(reader,
                    reader->mapping->modular ? "give --bits, or leave out the column "
                                             : "they cannot have it: leave out the column ",
                    name, length);
    *present |= 1u << column;
    if (column == COLUMN_MODULUS)
        layout->modulus_offset = layout->row_bytes;
    if (column_kind(reader->mapping, reader->options, column) == KIND_EXPONENT)
        layout->exponent_bytes = width;
    layout->columns[layout->count] = column;
    layout->widths[layout->count++] = width;
    layout->row_bytes += width;
    return true;
}

/* Of the columns that the command lists, mod needs those of its operation. */
static bool is_default(const struct reader *reader, const char *name, size_t length) {
    if (!reader->mapping->modular)
        return true;
    uint32_t form = form_choose(reader->mapping, reader->options, UINT32_MAX);
    return (form & 1u << column_find(reader->mapping, reader->options, name, length)) != 0;
}

static void lay_out_results(struct reader *reader) {
    const struct options *options = reader->options;
    struct group group = {
        .curve = options->curve, .form = reader->layout.form, .modulus_bytes = (uint32_t)(options->bits / 8)};
    if (options->modulus)
        modulus_decode(&group, options->bits, options->modulus, strlen(options->modulus));
    for (size_t r = 0; r < MAX_RESULTS; r++)
        reader->layout.result_bytes[r] = result_width(reader->mapping, r, options, &group);
}

bool raw_layout(struct reader *reader) {
    const struct options *options = reader->options;
    const char *list = options->columns ? options->columns : reader->mapping->raw_columns;
    uint32_t present = 0;
    reader->layout = (struct layout){.modulus_offset = SIZE_MAX};
    if (!reader->mapping->raw_columns)
        return fail(reader, "they have one width, and results of this command have any", "", 0);
    if (!reader->mapping->modular && !reader->mapping->curve_optional && !options->curve)
        return fail(reader, "--curve is needed", "", 0);
    if (columns_given(options))
        return fail(reader, "their keys are in the rows, not in a file", "", 0);
    if (options->map || options->only)
        return fail(reader, options->map ? "they have no names, and --map" : "--only would leave out which they are",
                    "", 0);
    if (options->group_by)
        return fail(reader, "they have no names, and --group-by", "", 0);
    if (options->signature_format == SIGNATURE_DER)
        return fail(reader, "signatures are raw, not DER", "", 0);
    for (bool more = true; more;) {
        size_t length = strcspn(list, ",");
        bool wanted = options->columns || is_default(reader, list, length);
        if (wanted && !add_column(reader, list, length, &present))
            return false;
        more = list[length] != 0;
        list += length + more;
    }
    present = columns_meant(reader->mapping, present);
    const char *reason = columns_refuse(reader->mapping, options, present);
    reader->layout.form = form_choose(reader->mapping, options, present);
    if (reader->layout.form)
        reader->layout.form |= present & reader->mapping->compared;
    lay_out_results(reader);
    return !reason || fail(reader, reason, "", 0);
}

static void split(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    (void)text;
    const size_t width = reader->layout.row_bytes, left = size - split->bytes;
    size_t rows = (last ? left + width - 1 : left) / width;
    if (rows > split->most - split->records)
        rows = split->most - split->records;
    split->records += rows;
    split->lines += rows;
    split->bytes += rows * width < left ? rows * width : left;
}

static size_t take(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    const size_t width = reader->layout.row_bytes;
    struct row *row = batch_add(batch, batch->line++);
    if (size < width)
        row_break(row, COLUMN_COUNT, "the input ends inside it");
    else
        row_decode_binary(batch, row, &reader->layout, text);
    return size < width ? size : width;
}

const struct dialect dialect_raw = {split, take, NULL, ""};
