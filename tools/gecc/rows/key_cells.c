#define _DEFAULT_SOURCE /* explicit_bzero */

#include "rows/key_cells.h"
#include "text/base64.h"
#include "text/hex.h"
#include "keys/ssh_key.h"

#include <string.h>

enum { MOST_DIGITS = 2 * KEY_FILE_BYTES, WIDEST_SCALAR = 48 };

static const enum column key_columns[KEY_COLUMNS] = {COLUMN_PUB, COLUMN_PEER, COLUMN_PRIV};

static const char pem_begin[] = "-----BEGIN ";

bool cell_is_pem(const struct cell *cell) {
    return cell->length >= sizeof pem_begin && memcmp(cell->text, pem_begin, sizeof pem_begin - 1) == 0;
}

/* Whether points without a prefix have this width on a curve on which their first byte may be 0x30. Where the field's
 * bits are not whole bytes, as those of P-521, it is 00 or 01. */
static bool is_width_of_points(size_t width) {
#define OR_IS(curve, value, name, title, bits, ...) || ((bits) % 8 == 0 && width == (bits) / 4)
    return false GECC_CURVE_LIST(OR_IS);
#undef OR_IS
}

/* Whether DER that starts with bytes[4] is a sequence of `width` bytes which is no point and no scalar. Scalars that
 * may begin with 0x30 have at most 48 bytes, or 64, which points on curves of 256 bits have too. */
static bool is_sequence(const uint8_t bytes[4], size_t width) {
    if (bytes[0] != 0x30 || width <= WIDEST_SCALAR || is_width_of_points(width) || width >= KEY_FILE_BYTES)
        return false;
    if (bytes[1] < 0x80)
        return width == 2u + bytes[1];
    return (bytes[1] == 0x81 && width == 3u + bytes[2]) ||
           (bytes[1] == 0x82 && width == 4u + ((size_t)bytes[2] << 8 | bytes[3]));
}

static bool is_der_in_hex(struct cell cell) {
    uint8_t start[4];
    hex_skip_prefix(&cell.text, &cell.length);
    return cell.length > 2 * WIDEST_SCALAR && cell.length % 2 == 0 && hex_decode(start, cell.text, 2 * sizeof start) &&
           is_sequence(start, cell.length / 2);
}

/* 0x30 in base64 begins with M, which no hexadecimal cell does. */
static bool is_der_in_base64(const struct cell *cell) {
    return cell->text[0] == 'M' && cell->length > WIDEST_SCALAR && cell->length < MOST_DIGITS;
}

static const char *take_hex(struct key_file *key, struct cell cell, bool is_private) {
    uint8_t der[KEY_FILE_BYTES];
    hex_skip_prefix(&cell.text, &cell.length);
    const char *reason = hex_decode(der, cell.text, cell.length)
                             ? key_decode(key, NULL, der, cell.length / 2, NULL, is_private)
                             : "a character that is not a hexadecimal digit";
    explicit_bzero(der, cell.length / 2);
    return reason;
}

static const char *take_base64(struct key_file *key, struct cell cell, bool is_private) {
    uint8_t der[3 * MOST_DIGITS / 4];
    size_t count = 0;
    const char *reason = base64_decode(der, &count, cell.text, cell.length, false)
                             ? key_decode(key, NULL, der, count, NULL, is_private)
                             : "neither hexadecimal nor a key in base64";
    explicit_bzero(der, count);
    return reason;
}

/* NULL also where the cell holds no such key: key->count is 0 then. */
static const char *take(struct key_file *key, const struct batch *batch, struct cell cell, bool is_private) {
    key->count = 0;
    key->found_private = false;
    if (cell_is_pem(&cell) || ssh_key_is(cell.text, cell.length))
        return key_decode(key, NULL, cell.text, cell.length, NULL, is_private);
    if (batch->options->encoding == ENCODING_HEX && is_der_in_base64(&cell))
        return take_base64(key, cell, is_private);
    return is_der_in_hex(cell) ? take_hex(key, cell, is_private) : NULL;
}

const char *key_curve_refusal(gecc_curve curve) {
    switch (curve) {
#define REFUSAL(curve, value, name, title, ...)                                                                        \
    case curve:                                                                                                        \
        return "a key on " title ", and the row is on another curve";
        GECC_CURVE_LIST(REFUSAL)
        GECC_EDWARDS_CURVE_LIST(REFUSAL)
#undef REFUSAL
    }
    return NULL;
}

/* What keys on Curve25519 have to be for. */
static enum scheme key_scheme(const struct batch *batch) {
    if (batch->options->scheme != SCHEME_OF_CURVE)
        return batch->options->scheme;
    return batch->kinds[COLUMN_PEER] != KIND_NONE ? SCHEME_X25519 : SCHEME_ED25519;
}

static bool may_be_key(const struct cell *cell) {
    return cell->length >= sizeof pem_begin &&
           (ssh_key_is(cell->text, cell->length) || cell->text[0] == '-' || cell->text[0] == 'M' ||
            cell->text[0] == '3' || (cell->text[0] == '0' && cell->text[2] == '3'));
}

bool cell_may_say_curve(enum column column, const struct cell *cell) {
    for (size_t k = 0; k < KEY_COLUMNS; k++)
        if (column == key_columns[k])
            return may_be_key(cell);
    return false;
}

struct cell key_cell(const struct key_file *key, const struct options *options, bool is_private) {
    if (options->scheme == SCHEME_BIP340 && !is_private)
        return (struct cell){key->digits + 2, key->count / 2 - 1, false};
    return (struct cell){key->digits, key->count, false};
}

bool key_cells_take(struct key_cells *keys, struct batch *batch, struct row *row, struct cell cells[COLUMN_COUNT]) {
    const struct key_file *file =
        batch->options->public_key.count ? &batch->options->public_key : &batch->options->private_key;
    keys->curve = file->curve;
    keys->column = file == &batch->options->public_key ? COLUMN_PUB : COLUMN_PRIV;
    keys->in_cells = false;
    keys->count = 0;
    for (size_t k = 0; k < KEY_COLUMNS; k++) {
        enum column column = key_columns[k];
        struct cell *cell = &cells[column];
        if (batch->kinds[column] == KIND_NONE || !cell->text || !may_be_key(cell))
            continue;
        struct key_file *key = &keys->keys[keys->count++];
        const char *reason = take(key, batch, *cell, column == COLUMN_PRIV);
        if (!reason && key->count && keys->curve && keys->curve != key->curve)
            reason = key_curve_refusal(key->curve);
        if (!reason && key->count && key->scheme != SCHEME_OF_CURVE && key->scheme != key_scheme(batch))
            reason = "a key of another scheme on Curve25519 than what is asked for";
        if (key->found_private && column != COLUMN_PRIV && !batch->mapping->secret) {
            reason = "a private key, where a public one is wanted";
            row->keep_count = 0; /* the output is not for secrets */
            batch->dropped = true;
        }
        if (reason) {
            row_refuse(row, column, reason);
            return false;
        }
        if (!key->count)
            continue;
        *cell = key_cell(key, batch->options, column == COLUMN_PRIV);
        keys->in_cells = true;
        keys->curve = key->curve;
        keys->column = column;
    }
    return true;
}

void key_cells_wipe(struct key_cells *keys) {
    if (keys->count)
        explicit_bzero(keys->keys, keys->count * sizeof *keys->keys);
}
