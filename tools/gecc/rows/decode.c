#include "rows/decode.h"
#include "text/base64.h"
#include "text/hex.h"
#include "rows/key_cells.h"
#include "rows/typed_cells.h"

#include <string.h>

static const char odd_digits[] = "an odd number of hexadecimal digits";
static const char bad_digit[] = "a character that is not a hexadecimal digit";
static const char missing[] = "no value";

/* A message that stands beside its digest is read as well: they have to agree. */
static uint32_t beside(const struct mapping *mapping, uint32_t form, uint32_t present) {
    bool both = (form & COLUMN_BIT(DIGEST)) && (present & COLUMN_BIT(MSG)) && mapping_has(mapping, COLUMN_MSG);
    return both ? COLUMN_BIT(MSG) : 0;
}

uint32_t form_choose(const struct mapping *mapping, const struct options *options, uint32_t present) {
    for (size_t f = 0; f < MAX_FORMS && mapping->forms[f]; f++) {
        uint32_t form = mapping->forms[f];
        if ((form & ~present) == 0 && (!mapping->accepts || mapping->accepts(options, form)))
            return form | beside(mapping, form, present);
    }
    return 0;
}

uint32_t columns_told(const struct mapping *mapping, uint32_t present) {
    if (!mapping_has(mapping, COLUMN_DIGEST) || !mapping_has(mapping, COLUMN_MSG))
        return 0;
    return present & (present & COLUMN_BIT(MSG) ? COLUMN_BIT(MSG) : COLUMN_BIT(DIGEST));
}

const char *columns_refuse(const struct mapping *mapping, const struct options *options, uint32_t present) {
    if (!form_choose(mapping, options, present))
        return "columns are missing";
    if (options->required & ~present)
        return "a column that --require names is missing";
    const uint32_t says = COLUMN_BIT(CURVE) | COLUMN_BIT(PUB) | COLUMN_BIT(PEER) | COLUMN_BIT(PRIV);
    if (!mapping->modular && !mapping->curve_optional && !options->curve && !(present & says))
        return "neither --curve nor a column `curve` says which curve";
    const struct group group = {.curve = options->curve};
    return mapping->refuses ? mapping->refuses(options, present, &group) : NULL;
}

/* Bytes of any width. */
static const char *decode_bytes(struct batch *batch, struct span *out, struct cell cell) {
    hex_skip_prefix(&cell.text, &cell.length);
    if (cell.length % 2)
        return odd_digits;
    const char *reason = batch_take(batch, cell.length / 2, out);
    return reason || hex_decode(batch->bytes + out->offset, cell.text, cell.length) ? reason : bad_digit;
}

/* out[width] = the number, big-endian. Leading zeros beyond the width are dropped; their count is public. */
static const char *number_decode(uint8_t *out, size_t width, const char *text, size_t digits) {
    hex_skip_prefix(&text, &digits);
    if (digits % 2)
        return odd_digits;
    if (digits == 0)
        return missing;
    for (; digits > 2 * width && *text == '0'; digits--)
        text++;
    if (digits > 2 * width)
        return "a number that is too wide";
    memset(out, 0, width - digits / 2);
    return hex_decode(out + width - digits / 2, text, digits) ? NULL : bad_digit;
}

static const char *decode_number(struct batch *batch, struct span *out, size_t width, struct cell cell) {
    const char *reason = batch_take(batch, width, out);
    return reason ? reason : number_decode(batch->bytes + out->offset, width, cell.text, cell.length);
}

/* Exactly so many bytes: what is no number has no zeros to leave out. */
static const char *decode_string(struct batch *batch, struct span *out, size_t width, struct cell cell) {
    const char *reason = decode_bytes(batch, out, cell);
    return reason || out->length == width ? reason : "not 32 bytes, which private keys of Curve25519 have";
}

/* A number below 2^64, in decimal or, after 0x, in hexadecimal. */
static bool decode_integer(uint64_t *value, struct cell cell) {
    size_t length = cell.length;
    hex_skip_prefix(&cell.text, &cell.length);
    const unsigned base = cell.length < length ? 16 : 10;
    *value = 0;
    for (size_t i = 0; i < cell.length; i++) {
        const char c = cell.text[i];
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                      : 16;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = base * *value + digit;
    }
    return cell.length > 0;
}

/* What is signed for Bitcoin and Ethereum has recovery ids that begin with 27. */
static uint64_t recovery_id(uint64_t value) { return value >= 27 && value < 31 ? value - 27 : value; }

/* 0 to 3, or 27 more, as Ethereum and Bitcoin write it in a byte; of other bytes the library says that they are none.
 * Ethereum's v has no 2 and 3, and from EIP-155 on may be 35 or 36 and twice the chain's id. */
static const char *decode_recid(struct batch *batch, struct span *out, struct cell cell, bool is_v) {
    uint64_t value;
    const bool number = decode_integer(&value, cell);
    const uint64_t id = is_v && value >= 35 ? (value - 35) % 2 : recovery_id(value);
    if (!number || id > (is_v ? 1 : UINT8_MAX))
        return is_v ? "not 0, 1, 27, 28 or a number from 35 up" : "not a number from 0 to 3, or from 27 to 30";
    const char *reason = batch_take(batch, 1, out);
    if (!reason)
        batch->bytes[out->offset] = (uint8_t)id;
    return reason;
}

static const char *decode_address(struct batch *batch, struct span *out, struct cell cell) {
    const char *reason = decode_bytes(batch, out, cell);
    return reason || out->length == GECC_ADDRESS_BYTES ? reason : "not 20 bytes, which addresses have";
}

/* Of text and bytes both may be hexadecimal digits: bytes have 0x before them where people sign text. */
static const char *decode_message(struct batch *batch, struct span *out, struct cell cell) {
    const bool told = batch->options->encoding != ENCODING_HEX || (cell.length >= 2 && (cell.text[1] | 0x20) == 'x');
    if (batch->options->personal_message && cell.length && !told)
        return "bytes of a personal message begin with 0x; text is in a column `msg_text`";
    return decode_bytes(batch, out, cell);
}

static const char *decode_text(struct batch *batch, struct span *out, struct cell cell) {
    const char *reason = batch_take(batch, cell.length, out);
    if (reason)
        return reason;
    uint8_t *end = batch->bytes + out->offset;
    for (size_t i = 0; i < cell.length; i++) {
        *end++ = (uint8_t)cell.text[i];
        i += cell.doubled && cell.text[i] == '"';
    }
    out->length = (uint32_t)(end - (batch->bytes + out->offset));
    return NULL;
}

/* NULL, or why the number is no modulus. */
static const char *modulus_check(const uint8_t *value, size_t bytes) {
    uint8_t high = 0;
    for (size_t i = 0; i + 1 < bytes; i++)
        high |= value[i];
    return value[bytes - 1] % 2 && (high || value[bytes - 1] > 1) ? NULL : "not an odd number of at least 3";
}

const char *modulus_decode(struct group *group, size_t bits, const char *text, size_t digits) {
    uint8_t value[MAX_MODULUS_BYTES];
    const char *reason = number_decode(value, sizeof value, text, digits);
    if (!reason)
        reason = modulus_check(value, sizeof value);
    if (reason)
        return reason;
    size_t zeros = 0;
    while (zeros < sizeof value - 1 && value[zeros] == 0)
        zeros++;
    size_t width = (sizeof value - zeros + 3) / 4 * 4;
    if (bits && width > bits / 8)
        return "wider than --bits";
    group->modulus_bytes = bits ? (uint32_t)(bits / 8) : width > 16 ? (uint32_t)width : 16;
    memcpy(group->modulus, value + sizeof value - group->modulus_bytes, group->modulus_bytes);
    return NULL;
}

static const char *decode_hash(const struct batch *batch, struct group *key, struct cell cell) {
    int hash = name_find(names_of_hashes, cell.text, cell.length);
    if (hash < 0)
        return batch->unknown_hash;
    key->hash = (gecc_hash)hash;
    return NULL;
}

static const char *decode_curve(const struct batch *batch, struct group *key, struct cell cell) {
    int curve = name_find(names_of_curves, cell.text, cell.length);
    if (curve < 0)
        return batch->unknown_curve;
    key->curve = (gecc_curve)curve;
    return NULL;
}

/* r || s || v of Ethereum: where its addresses are asked for, and there is no recovery id. */
static bool is_joined(const struct options *options, const struct group *key, size_t width) {
    return options->address && !(key->form & COLUMN_BIT(RECID)) && width != 2 * gecc_curve_bytes(key->curve);
}

static const char *decode_cell(struct batch *batch, struct group *key, enum column column, size_t i, struct cell cell) {
    struct span *out = &batch->cells[column][i];
    const char *reason;
    switch (batch->kinds[column]) {
    case KIND_BYTES:
    case KIND_POINT:
    case KIND_TEXT_HEX:
        return decode_bytes(batch, out, cell);
    case KIND_MESSAGE:
        return decode_message(batch, out, cell);
    case KIND_ADDRESS:
        return decode_address(batch, out, cell);
    case KIND_SIG:
        reason = decode_bytes(batch, out, cell);
        if (batch->options->signature_format == SIGNATURE_UNKNOWN && batch->options->scheme != SCHEME_BIP340 &&
            key->curve != GECC_CURVE25519 && !is_joined(batch->options, key, out->length))
            key->der = out->length != 2 * gecc_curve_bytes(key->curve) + batch->options->sighash_byte;
        return reason;
    case KIND_SCALAR:
        return key->curve == GECC_CURVE25519 ? decode_string(batch, out, gecc_curve_bytes(key->curve), cell)
                                             : decode_number(batch, out, gecc_curve_bytes(key->curve), cell);
    case KIND_OPERAND:
        return decode_number(batch, out, key->modulus_bytes, cell);
    case KIND_EXPONENT:
        return decode_number(batch, out, MAX_MODULUS_BYTES, cell);
    case KIND_RECID:
        return decode_recid(batch, out, cell, column == COLUMN_V);
    case KIND_TEXT:
        return decode_text(batch, out, cell);
    case KIND_TYPED:
        return typed_cell_decode(batch, out, &cell);
    case KIND_CURVE: /* decoded before the others, as what they become depends on it */
    case KIND_HASH:
    case KIND_MODULUS:
    case KIND_NAME:     /* likewise, by row_name */
    case KIND_DOCUMENT: /* never: open_document opens it */
    case KIND_NONE:
        break;
    }
    return NULL;
}

static bool may_be_empty(enum kind kind) {
    return kind == KIND_MESSAGE || kind == KIND_TEXT || kind == KIND_TEXT_HEX || kind == KIND_NAME;
}

/* An empty cell of an optional column counts as missing, except in a column of texts: the empty text is an id, and a
 * context. */
static uint32_t present_cells(const struct batch *batch, const struct cell cells[COLUMN_COUNT]) {
    uint32_t present = 0;
    for (size_t i = 0; i < batch->column_count; i++) {
        unsigned c = batch->columns[i];
        if (cells[c].text &&
            (cells[c].length || !(batch->mapping->optional & 1u << c) || may_be_empty(batch->kinds[c])))
            present |= 1u << c;
    }
    return columns_meant(batch->mapping, present);
}

/* Where the text lies in the batch: given->span. NULL, or why not. */
static const char *take_given(struct batch *batch, struct given_text *given, const char *text) {
    if (given->taken)
        return NULL;
    const char *reason = batch_take(batch, strlen(text), &given->span);
    if (reason)
        return reason;
    memcpy(batch->bytes + given->span.offset, text, given->span.length);
    given->taken = true;
    return NULL;
}

static bool same_bytes(const struct batch *batch, struct span a, struct span b) {
    return a.length == b.length && memcmp(batch->bytes + a.offset, batch->bytes + b.offset, a.length) == 0;
}

/* Texts that rows may have as they stand or in hexadecimal, and that may be given for all rows. */
struct text_columns {
    enum column text, hex;
    size_t most; /* bytes */
    const char *too_long, *not_in_hex, *not_given;
};

static const struct text_columns id_columns = {
    COLUMN_ID,           COLUMN_ID_HEX, MAX_ID_BYTES, "longer than 8191 bytes", "not what `sm2_id_hex` says",
    "not what --id says"};
static const struct text_columns context_columns = {
    COLUMN_CTX,           COLUMN_CTX_HEX, MAX_CONTEXT_BYTES, "longer than 255 bytes", "not what `ed25519_ctx_hex` says",
    "not what --ctx says"};

static uint32_t both_columns(const struct text_columns *of) { return 1u << of->text | 1u << of->hex; }

/* The row's text goes to the column `text`, or `given` (NULL: none) where it says none; `only`: it has to be that one.
 * NULL, or why it is refused. */
static const char *resolve_text(struct batch *batch, size_t i, uint32_t columns, const struct text_columns *of,
                                const struct span *given, bool only) {
    const uint32_t said = columns & both_columns(of);
    if (!said) {
        if (given)
            batch->cells[of->text][i] = *given;
        return NULL;
    }
    struct span *text = &batch->cells[of->text][i], *hex = &batch->cells[of->hex][i];
    if (said == both_columns(of) && !same_bytes(batch, *text, *hex))
        return of->not_in_hex;
    if (said == 1u << of->hex)
        *text = *hex;
    if (text->length > of->most)
        return of->too_long;
    return given && only && !same_bytes(batch, *text, *given) ? of->not_given : NULL;
}

/* The signer's id of SM2: --id, or that of those who say none. */
static const char *resolve_id(struct batch *batch, size_t i, uint32_t columns) {
    const char *id = batch->options->id;
    const char *reason = take_given(batch, &batch->id, id ? id : GECC_SM2_DEFAULT_ID);
    return reason ? reason : resolve_text(batch, i, columns, &id_columns, &batch->id.span, id != NULL);
}

static const char *resolve_context(struct batch *batch, size_t i, uint32_t columns) {
    if (!batch->options->context)
        return resolve_text(batch, i, columns, &context_columns, NULL, false);
    const char *reason = take_given(batch, &batch->context, batch->options->context);
    return reason ? reason : resolve_text(batch, i, columns, &context_columns, &batch->context.span, true);
}

/* What texts a row of these columns has, and --id and --ctx say for it. false: it is refused. */
static bool resolve_texts(struct batch *batch, struct row *row, uint32_t columns) {
    const size_t i = (size_t)(row - batch->rows);
    const struct text_columns *of = &id_columns;
    const char *reason = batch->kinds[COLUMN_ID] != KIND_NONE ? resolve_id(batch, i, columns) : NULL;
    if (!reason && batch->kinds[COLUMN_CTX] != KIND_NONE) {
        of = &context_columns;
        reason = resolve_context(batch, i, columns);
    }
    if (reason)
        row_refuse(row, columns & 1u << of->text ? of->text : of->hex, reason);
    return !reason;
}

/* COLUMN_CTX, if a row of these columns has a context: those without one are of another scheme. */
static uint32_t context_form(const struct batch *batch, gecc_curve curve, uint32_t columns) {
    const bool has = batch->options->context || (columns & both_columns(&context_columns));
    return has && curve == GECC_CURVE25519 && batch->kinds[COLUMN_CTX] != KIND_NONE ? COLUMN_BIT(CTX) : 0;
}

/* The curve, which a key in PEM or DER may say, or the modulus, which decide how wide numbers are, and the hash. */
static bool decode_domain(struct batch *batch, struct row *row, struct group *key, uint32_t columns,
                          const struct cell *cells, const struct key_cells *keys) {
    const struct options *options = batch->options;
    const char *reason = NULL;
    enum column column = batch->mapping->modular ? COLUMN_MODULUS : COLUMN_CURVE;
    key->curve = options->curve;
    if (batch->mapping->modular && !(columns & COLUMN_BIT(MODULUS)))
        reason = modulus_decode(key, options->bits, options->modulus, strlen(options->modulus));
    else if (batch->mapping->modular)
        reason = modulus_decode(key, options->bits, cells[column].text, cells[column].length);
    else if (columns & COLUMN_BIT(CURVE))
        reason = decode_curve(batch, key, cells[column]);
    else if (!key->curve && keys->curve)
        key->curve = keys->curve;
    else if (!key->curve && !batch->mapping->curve_optional)
        reason = "neither --curve nor the row says which";
    if (!reason && keys->curve && keys->curve != key->curve) {
        column = keys->column;
        reason = key_curve_refusal(keys->curve);
    }
    if (!reason && (columns & COLUMN_BIT(HASH))) {
        column = COLUMN_HASH;
        reason = decode_hash(batch, key, cells[column]);
    }
    if (!reason && (columns & COLUMN_BIT(TYPED_DATA))) {
        column = COLUMN_TYPED_DATA;
        reason = typed_cell_refusal(options, key, columns, cells);
    }
    if (reason)
        row_refuse(row, column, reason);
    return !reason;
}

/* What stands in the place of another column goes there, or has to be what it says. */
static bool resolve_stand_ins(struct batch *batch, struct row *row, uint32_t columns, const struct cell *cells) {
    static const struct {
        enum column column, of;
        const char *reason;
    } stand_ins[] = {{COLUMN_MSG_TEXT, COLUMN_MSG, "not what `msg` is"},
                     {COLUMN_TYPED_DATA, COLUMN_MSG, "not what `msg` is"},
                     {COLUMN_V, COLUMN_RECID, "not what `recid` is"}};
    const size_t i = (size_t)(row - batch->rows);
    for (size_t s = 0; s < sizeof stand_ins / sizeof *stand_ins; s++) {
        const enum column column = stand_ins[s].column, of = stand_ins[s].of;
        if (!(columns & 1u << column) || batch->kinds[column] == KIND_SCALAR)
            continue;
        if (cells[of].text && !same_bytes(batch, batch->cells[of][i], batch->cells[column][i])) {
            row_refuse(row, column, stand_ins[s].reason);
            return false;
        }
        batch->cells[of][i] = batch->cells[column][i];
    }
    return true;
}

/* 1.2E+76: what spreadsheets make of digits that they take for a number. */
static bool is_rounded(struct cell cell) {
    size_t exponent = 0, at = 0;
    bool only = true;
    while (exponent < cell.length && (cell.text[exponent] | 0x20) != 'e')
        exponent++;
    for (; at < exponent; at++)
        only &= (cell.text[at] >= '0' && cell.text[at] <= '9') ||
                (at == 1 && (cell.text[at] == '.' || cell.text[at] == ','));
    bool sign = at + 1 < cell.length && (cell.text[at + 1] == '+' || cell.text[at + 1] == '-');
    for (at += sign ? 2 : 1; at < cell.length; at++)
        only &= cell.text[at] >= '0' && cell.text[at] <= '9';
    return only && sign && exponent > 0 && cell.length > exponent + 2;
}

/* The kinds of cells of which there are empty ones; what BIP-340 and Ed25519 sign may be called `digest`. */
static bool may_be_empty_here(const struct batch *batch, const struct group *key, enum column column) {
    const enum scheme scheme = group_scheme(key, batch->options);
    return may_be_empty(batch->kinds[column]) ||
           (column == COLUMN_DIGEST && (scheme == SCHEME_BIP340 || scheme == SCHEME_ED25519));
}

static bool decode_columns(struct batch *batch, struct row *row, struct group *key, uint32_t columns,
                           const struct cell *cells) {
    size_t i = (size_t)(row - batch->rows);
    for (uint32_t left = columns; left; left &= left - 1) {
        unsigned c = (unsigned)__builtin_ctz(left);
        if (!cells[c].text) /* another stands in its place */
            continue;
        if (cells[c].length == 0 && !may_be_empty_here(batch, key, (enum column)c)) {
            row_break(row, (enum column)c, missing);
            return false;
        }
        const char *reason = decode_cell(batch, key, (enum column)c, i, cells[c]);
        if ((reason == odd_digits || reason == bad_digit) && is_rounded(cells[c]))
            reason = "a number that a spreadsheet has rounded; there the column has to be text";
        if (reason) {
            row_refuse(row, (enum column)c, reason);
            return false;
        }
    }
    return resolve_stand_ins(batch, row, columns, cells) && resolve_texts(batch, row, columns);
}

static void join_group(struct batch *batch, struct row *row, struct group *group, size_t exponent_bytes) {
    row->group = (uint32_t)(group - batch->groups);
    group->count++;
    if (exponent_bytes > MAX_MODULUS_BYTES)
        exponent_bytes = MAX_MODULUS_BYTES;
    if (exponent_bytes > group->exponent_bytes)
        group->exponent_bytes = (uint32_t)exponent_bytes;
}

void row_join(struct batch *batch, struct row *row, const struct group *key) {
    const struct mapping *mapping = batch->mapping;
    const char *reason = mapping->refuses ? mapping->refuses(batch->options, key->form, key) : NULL;
    if (reason)
        row_refuse(row, COLUMN_COUNT, reason);
    else if (resolve_texts(batch, row, 0))
        join_group(batch, row, batch_group(batch, key), 0);
}

uint32_t columns_given(const struct options *options) {
    return (options->public_key.count ? COLUMN_BIT(PUB) : 0) | (options->private_key.count ? COLUMN_BIT(PRIV) : 0);
}

/* Put the keys of all rows into their cells. false: the row has one itself, and is refused. */
static bool give_keys(const struct options *options, struct row *row, struct cell cells[COLUMN_COUNT]) {
    const uint32_t given = columns_given(options);
    if ((given & COLUMN_BIT(PUB)) && cells[COLUMN_PUB].text)
        row_refuse(row, COLUMN_COUNT, "a public key of its own, and --pub-file");
    else if ((given & COLUMN_BIT(PRIV)) && cells[COLUMN_PRIV].text)
        row_refuse(row, COLUMN_COUNT, "a private key of its own, and --key-file");
    if (given & COLUMN_BIT(PUB))
        cells[COLUMN_PUB] = key_cell(&options->public_key, options, false);
    if (given & COLUMN_BIT(PRIV))
        cells[COLUMN_PRIV] = key_cell(&options->private_key, options, true);
    return !row->refusal.text;
}

static bool is_encoded(enum kind kind) {
    return kind != KIND_NONE && kind != KIND_CURVE && kind != KIND_HASH && kind != KIND_RECID && kind != KIND_TEXT &&
           kind != KIND_TEXT_HEX && kind != KIND_ADDRESS && kind != KIND_TYPED && kind != KIND_NAME;
}

/* The cell's bytes in hexadecimal. They are decoded to the end of where their digits are written, which never pass the
 * bytes that are still to be read. */
static const char *base64_to_hex(struct batch *batch, struct cell *cell, bool url) {
    const size_t most = base64_decoded_most(cell->length);
    struct span span;
    size_t count;
    const char *reason = batch_take(batch, 2 * most, &span);
    if (reason)
        return reason;
    uint8_t *bytes = batch->bytes + span.offset + most;
    if (!base64_decode(bytes, &count, cell->text, cell->length, url))
        return url ? "not base64url" : "not base64";
    char *digits = (char *)bytes + count - 2 * count;
    hex_encode(digits, bytes, count);
    *cell = (struct cell){digits, 2 * count, false};
    return NULL;
}

/* Cells in base64 become cells in hexadecimal. */
static bool take_base64(struct batch *batch, struct row *row, struct cell cells[COLUMN_COUNT]) {
    bool url = batch->options->encoding == ENCODING_BASE64URL;
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        if (!cells[c].length || !is_encoded(batch->kinds[c]) || cell_is_pem(&cells[c]))
            continue;
        const char *reason = base64_to_hex(batch, &cells[c], url);
        if (reason) {
            row_refuse(row, (enum column)c, reason);
            return false;
        }
    }
    return true;
}

/* Whether the row lacks a column that all rows of the file have to have. */
static bool lacks_column(const struct batch *batch, struct row *row, uint32_t present) {
    const uint32_t says = COLUMN_BIT(MSG) | COLUMN_BIT(DIGEST), required = batch->options->required & ~present,
                   told = batch->options->required & says ? 0 : batch->told & ~present;
    if (required)
        row_refuse(row, (enum column)__builtin_ctz(required), "not there, and --require names it");
    else if (told)
        row_refuse(row, (enum column)__builtin_ctz(told),
                   "not there, and the first row of the file that could be read has it");
    return required || told;
}

/* What a row with these cells is. false: it is refused. The plan is `valid` for others like it if no cell has
 * decided. */
static bool make_plan(struct batch *batch, struct row *row, uint32_t present, const struct cell cells[COLUMN_COUNT],
                      const struct key_cells *keys) {
    const struct mapping *mapping = batch->mapping;
    const uint32_t domain = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(MODULUS);
    struct plan *plan = &batch->plan;
    plan->valid = false;
    uint32_t form = form_choose(mapping, batch->options, present);
    if (!form) {
        row_break(row, COLUMN_COUNT, "columns are missing");
        return false;
    }
    if (lacks_column(batch, row, present))
        return false;
    uint32_t columns = form | (mapping->optional & present);
    batch->unread |= present & mapping->overruled & ~columns;
    if (!(form & COLUMN_BIT(MSG)))
        columns &= ~COLUMN_BIT(HASH);
    struct group key = {.form = form, .der = batch->options->signature_format == SIGNATURE_DER};
    if (!decode_domain(batch, row, &key, columns, cells, keys))
        return false;
    const char *reason = key.curve == GECC_CURVE25519 && !mapping->curve25519 ? curve25519_refusal
                         : mapping->refuses ? mapping->refuses(batch->options, present, &key)
                                            : NULL;
    if (reason) {
        row_refuse(row, COLUMN_COUNT, reason);
        return false;
    }
    if (key.curve != GECC_SM2)
        columns &= ~both_columns(&id_columns);
    if (key.curve != GECC_CURVE25519)
        columns &= ~both_columns(&context_columns);
    key.form |= context_form(batch, key.curve, columns) | (columns & mapping->compared);
    *plan = (struct plan){!(columns & domain) && !keys->in_cells, present, columns, key, {UINT32_MAX, UINT32_MAX}};
    return true;
}

/* Decode cells in hexadecimal. */
static void decode_row(struct batch *batch, struct row *row, const struct cell cells[COLUMN_COUNT],
                       const struct key_cells *keys) {
    uint32_t present = present_cells(batch, cells);
    struct plan *plan = &batch->plan;
    bool like_last = plan->valid && plan->present == present && !keys->in_cells;
    if (!like_last && !make_plan(batch, row, present, cells, keys))
        return;
    bool der = plan->key.der;
    if (decode_columns(batch, row, &plan->key, plan->columns, cells)) {
        uint32_t *group = &plan->group[plan->key.der];
        if (*group == UINT32_MAX)
            *group = (uint32_t)(batch_group(batch, &plan->key) - batch->groups);
        size_t digits = batch->kinds[COLUMN_B] == KIND_EXPONENT ? cells[COLUMN_B].length : 0;
        join_group(batch, row, &batch->groups[*group], (digits + 1) / 2);
    }
    plan->key.der = der;
}

static void open_document(struct batch *batch, struct row *row, const struct cell cells[COLUMN_COUNT]) {
    const enum column column = batch->mapping->document;
    const struct cell *document = &cells[column];
    if (!document->text)
        row_break(row, COLUMN_COUNT, "columns are missing");
    else if (document->length == 0)
        row_break(row, column, missing);
    else
        batch->mapping->open(batch, row, cells);
}

/* In tables with both, rows have typed data or a message, of which a blank cell is none then. */
static void forget_blank_messages(const struct batch *batch, struct cell cells[COLUMN_COUNT]) {
    static const enum column messages[] = {COLUMN_MSG, COLUMN_MSG_TEXT};
    for (size_t m = 0; m < sizeof messages / sizeof *messages; m++)
        if (batch->kinds[COLUMN_TYPED_DATA] == KIND_TYPED && cells[COLUMN_TYPED_DATA].text &&
            !cells[messages[m]].length)
            cells[messages[m]].text = NULL;
}

void row_name(struct batch *batch, const struct row *row, const struct cell cells[COLUMN_COUNT]) {
    struct span span;
    if (batch->kinds[COLUMN_GROUP] == KIND_NONE || !cells[COLUMN_GROUP].text)
        return;
    if (decode_text(batch, &span, cells[COLUMN_GROUP]) == NULL)
        batch->cells[COLUMN_GROUP][row - batch->rows] = span;
}

void row_decode(struct batch *batch, struct row *row, struct cell cells[COLUMN_COUNT]) {
    struct key_cells keys;
    row_name(batch, row, cells);
    if (batch->mapping->open) {
        open_document(batch, row, cells);
        return;
    }
    forget_blank_messages(batch, cells);
    if (batch->options->encoding != ENCODING_HEX && !take_base64(batch, row, cells))
        return;
    if (key_cells_take(&keys, batch, row, cells) && give_keys(batch->options, row, cells))
        decode_row(batch, row, cells, &keys);
    key_cells_wipe(&keys);
}

static const char *copy_cell(struct batch *batch, struct span *out, enum kind kind, const char *bytes, size_t width) {
    size_t zeros = kind == KIND_EXPONENT ? MAX_MODULUS_BYTES - width : 0;
    const char *reason = batch_take(batch, zeros + width, out);
    if (reason)
        return reason;
    memset(batch->bytes + out->offset, 0, zeros);
    memcpy(batch->bytes + out->offset + zeros, bytes, width);
    if (kind == KIND_RECID)
        batch->bytes[out->offset] = (uint8_t)recovery_id(batch->bytes[out->offset]);
    return NULL;
}

static bool binary_domain(struct batch *batch, struct row *row, struct group *key, const char *modulus) {
    const struct options *options = batch->options;
    const char *reason = NULL;
    if (modulus) {
        key->modulus_bytes = (uint32_t)(options->bits / 8);
        memcpy(key->modulus, modulus, key->modulus_bytes);
        reason = modulus_check(key->modulus, key->modulus_bytes);
    } else if (batch->mapping->modular) {
        reason = modulus_decode(key, options->bits, options->modulus, strlen(options->modulus));
    }
    if (reason)
        row_refuse(row, COLUMN_MODULUS, reason);
    return !reason;
}

/* The plan of rows of that layout, the first of which is at `bytes`. false: the row has no modulus, and is refused. */
static bool plan_binary(struct batch *batch, struct row *row, const struct layout *layout, const char *bytes) {
    const char *modulus = layout->modulus_offset == SIZE_MAX ? NULL : bytes + layout->modulus_offset;
    struct group key = {.curve = batch->options->curve, .form = layout->form};
    if (batch->plan.valid)
        return true;
    key.form |= context_form(batch, key.curve, layout->form);
    if (!binary_domain(batch, row, &key, modulus))
        return false;
    batch->plan =
        (struct plan){!modulus, 0, layout->form, key, {(uint32_t)(batch_group(batch, &key) - batch->groups), 0}};
    return true;
}

bool rows_lay(struct batch *batch, const struct layout *layout) {
    const size_t size = batch->text_whole - batch->text_start;
    const uint32_t both = COLUMN_BIT(MSG) | COLUMN_BIT(DIGEST);
    char *text = batch->text + batch->text_start;
    struct row row = {0};
    const bool alike = size && size % layout->row_bytes == 0 && layout->modulus_offset == SIZE_MAX &&
                       !(layout->form & batch->mapping->compared) && (layout->form & both) != both;
    if (!alike || !plan_binary(batch, &row, layout, text) ||
        (batch->kinds[COLUMN_ID] != KIND_NONE && resolve_id(batch, 0, 0)) ||
        (batch->kinds[COLUMN_CTX] != KIND_NONE && resolve_context(batch, 0, 0)))
        return false;
    batch->laid = layout;
    batch->count = size / layout->row_bytes;
    struct group *group = &batch->groups[batch->plan.group[0]];
    group->count = batch->count;
    group->exponent_bytes = (uint32_t)layout->exponent_bytes;
    for (size_t f = 0; f < layout->count; text += layout->widths[f++])
        for (size_t i = 0; i < batch->count && batch->kinds[layout->columns[f]] == KIND_RECID; i++) {
            uint8_t *id = (uint8_t *)text + i * layout->row_bytes;
            *id = (uint8_t)recovery_id(*id);
        }
    return true;
}

void row_decode_binary(struct batch *batch, struct row *row, const struct layout *layout, const char *bytes) {
    if (!plan_binary(batch, row, layout, bytes))
        return;
    const struct plan *plan = &batch->plan;
    size_t i = (size_t)(row - batch->rows);
    for (size_t f = 0; f < layout->count; f++) {
        enum column column = layout->columns[f];
        const char *reason = copy_cell(batch, &batch->cells[column][i], batch->kinds[column], bytes, layout->widths[f]);
        if (reason) {
            row_refuse(row, column, reason);
            return;
        }
        bytes += layout->widths[f];
    }
    if (resolve_texts(batch, row, 0))
        join_group(batch, row, &batch->groups[plan->group[0]], layout->exponent_bytes);
}
