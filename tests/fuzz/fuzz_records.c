/* Tokens, certificates and events through their readers: every record is a row that is refused or has a slot, its cells
 * are the bytes of the record that were signed, and the pieces that are kept of it lie in the text or in bytes that were
 * made. Claims are in the signed text as they stand. The first byte, of which half counts, chooses tokens, certificates,
 * events or claims, and the key; tokens without their payloads and with disclosures, too, and certificates that are
 * those of authorities, of which the first is trusted. */
#include "text/base64.h"
#include "text/hex.h"
#include "text/json_grammar.h"
#include "keys/der.h"
#include "rows/issuers.h"
#include "rows/reader.h"
#include "rows/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 16, ED25519_KEY_BYTES = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* x and y of P-256's G, whose first 32 bytes do for a key of Ed25519. */
static const char generator[] =
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ece"
    "cbb6406837bf51f5";

static struct batch *events(void) {
    static struct batch *batch;
    static struct options options;
    if (!batch) {
        options_init(&options);
        options.nostr = true;
        options.format = FORMAT_JSONL;
        batch = batch_create(command_find("verify")->nostr_mapping, &options, CAPACITY);
    }
    return batch;
}

static struct batch *claims(void) {
    static struct batch *batch;
    static struct options options;
    static char header[] = "e30.";
    if (!batch) {
        options_init(&options);
        options.jwt = true;
        options.curve = options.private_key.curve = GECC_P256;
        options.private_key.count = 64;
        options.token_header = header;
        memcpy(options.private_key.digits, generator + 2, 64);
        batch = batch_create(command_find("sign")->jwt_mapping, &options, CAPACITY);
    }
    return batch;
}

/* Tokens under one key on P-256. */
static struct batch *under_generator(struct options *options, const struct mapping *mapping) {
    options->jwt = true;
    options->curve = options->public_key.curve = GECC_P256;
    options->public_key.count = sizeof generator - 1;
    memcpy(options->public_key.digits, generator, sizeof generator - 1);
    return batch_create(mapping, options, CAPACITY);
}

static struct batch *detached(void) {
    static struct batch *batch;
    static struct options options;
    if (!batch) {
        options_init(&options);
        options.detached = true;
        batch = under_generator(&options, command_find("verify")->detached_mapping);
    }
    return batch;
}

static struct batch *presentations(void) {
    static struct batch *batch;
    static struct options options;
    if (!batch) {
        options_init(&options);
        options.sd_jwt = true;
        batch = under_generator(&options, command_find("verify")->sd_jwt_mapping);
    }
    return batch;
}

/* Of the set that is made of each input anew. */
static struct batch *certificates_of_many(const uint8_t *data, size_t size) {
    static struct batch *batch;
    static struct options options;
    static struct authorities set;
    authorities_free(&set);
    set.depth = 2;
    if (!batch) {
        options_init(&options);
        options.x509 = true;
        options.authorities = &set;
        batch = batch_create(command_find("verify")->authorities_mapping, &options, CAPACITY);
    }
    const size_t first = der_sequence_size(data, size);
    (void)authorities_decode(&set, data, first && first < size ? first : size);
    (void)authorities_seal(&set);
    return batch;
}

static struct batch *batch_of(bool x509, bool ed25519) {
    static struct batch *batches[2][2];
    static struct options all_options[2][2];
    struct options *options = &all_options[x509][ed25519];
    struct key_file *key = &options->public_key;
    if (!batches[x509][ed25519]) {
        options_init(options);
        options->jwt = !x509;
        options->x509 = x509;
        options->curve = key->curve = ed25519 ? GECC_CURVE25519 : GECC_P256;
        options->scheme = key->scheme = ed25519 ? SCHEME_ED25519 : SCHEME_OF_CURVE;
        key->count = ed25519 ? 2 * ED25519_KEY_BYTES : sizeof generator - 1;
        memcpy(key->digits, generator, key->count);
        batches[x509][ed25519] = batch_create(
            x509 ? command_find("verify")->x509_mapping : command_find("verify")->jwt_mapping, options, CAPACITY);
    }
    return batches[x509][ed25519];
}

static void require(bool condition) {
    if (!condition)
        abort();
}

static bool lies_in(struct span span, size_t used) { return (size_t)span.offset + span.length <= used; }

/* What is signed is the token up to its last dot; of a certificate it lies beside the signature in what was decoded. */
static void check_cells(const struct batch *batch, size_t i, bool x509) {
    struct span message = batch->cells[COLUMN_MSG][i], signature = batch->cells[COLUMN_SIG][i];
    struct piece piece = *row_pieces(batch, &batch->rows[i]);
    const char *token = batch->text + piece.offset;
    require(lies_in(message, batch->bytes_used) && lies_in(signature, batch->bytes_used));
    const struct group *group = &batch->groups[batch->rows[i].group];
    const bool ed25519 = group->curve == GECC_CURVE25519;
    require(ed25519 == (batch->options->scheme == SCHEME_ED25519) || batch->options->authorities);
    require(batch->cells[COLUMN_PUB][i].length ==
            (ed25519 ? ED25519_KEY_BYTES : 1 + 2 * gecc_curve_bytes(group->curve)));
    if (x509) {
        require(batch->bytes[message.offset] == 0x30 && signature.offset > message.offset + message.length);
        return;
    }
    require(signature.length == 64 && message.length < piece.length && token[message.length] == '.');
    require(memcmp(token, batch->bytes + message.offset, message.length) == 0);
    require(!memchr(token + message.length + 1, '.', piece.length - message.length - 1));
}

/* The array that is hashed is no longer than the event, and names its key. */
static void check_event(const struct batch *batch, size_t i) {
    const struct row *row = &batch->rows[i];
    require((row->slot == SLOT_NONE) == (row->refusal.text != NULL));
    if (row->slot == SLOT_NONE)
        return;
    const struct span message = batch->cells[COLUMN_MSG][i];
    char digits[64];
    require(lies_in(message, batch->bytes_used) && message.length > 80 && batch->cells[COLUMN_SIG][i].length == 64);
    hex_encode(digits, batch->bytes + batch->cells[COLUMN_PUB][i].offset, 32);
    require(memcmp(batch->bytes + message.offset, "[0,\"", 4) == 0 &&
            memcmp(batch->bytes + message.offset + 4, digits, sizeof digits) == 0 &&
            batch->bytes[message.offset + message.length - 1] == ']');
}

/* What is signed behind the header is an object. */
static void check_claims(const struct batch *batch, size_t i) {
    const struct row *row = &batch->rows[i];
    require((row->slot == SLOT_NONE) == (row->refusal.text != NULL));
    if (row->slot == SLOT_NONE)
        return;
    const struct span message = batch->cells[COLUMN_MSG][i];
    const char *text = (const char *)batch->bytes + message.offset;
    require(lies_in(message, batch->bytes_used) && batch->cells[COLUMN_PRIV][i].length == 32);
    require(message.length > 4 && memcmp(text, "e30.", 4) == 0);
    uint8_t *json = malloc(message.length);
    size_t size = 0;
    require(json && base64_decode(json, &size, text + 4, message.length - 4, true));
    require(json_is_valid((const char *)json, size) && json[0] == '{' && json[size - 1] == '}');
    free(json);
}

/* What is signed is a header and the base64url of a payload. */
static void check_detached(const struct batch *batch, size_t i) {
    const struct row *row = &batch->rows[i];
    require((row->slot == SLOT_NONE) == (row->refusal.text != NULL));
    if (row->slot == SLOT_NONE)
        return;
    const struct span message = batch->cells[COLUMN_MSG][i];
    require(lies_in(message, batch->bytes_used) && batch->cells[COLUMN_SIG][i].length == 64);
    const char *text = (const char *)batch->bytes + message.offset, *dot = memchr(text, '.', message.length);
    uint8_t *payload = malloc(message.length);
    size_t size = 0;
    require(dot && dot != text && payload);
    require(base64_decode(payload, &size, dot + 1, message.length - (size_t)(dot + 1 - text), true));
    free(payload);
}

/* Claims that are kept are an object. */
static void check_presentation(const struct batch *batch, size_t i) {
    const struct row *row = &batch->rows[i];
    const struct piece *piece = row_pieces(batch, row);
    require((row->slot == SLOT_NONE) == (row->refusal.text != NULL) && row->keep_count <= 5);
    for (size_t k = 1; k < row->keep_count; k++) {
        require((size_t)piece[k].offset + piece[k].length <= batch->bytes_used);
        require(piece[k].result < 2 || !piece[k].length || row->slot != SLOT_NONE);
        require(piece[k].result < 2 || !piece[k].length ||
                json_is_valid((const char *)batch->bytes + piece[k].offset, piece[k].length));
    }
    if (row->slot == SLOT_NONE)
        return;
    const struct span binding = batch->cells[COLUMN_PEER][i];
    require(row->keep_count >= 4 && piece[3].length && lies_in(binding, batch->bytes_used));
    require(lies_in(batch->cells[COLUMN_MSG][i], batch->bytes_used) && batch->cells[COLUMN_SIG][i].length == 64);
    require((binding.length != 0) == (row->keep_count == 5));
    if (!binding.length)
        return;
    const struct algorithm *algorithm = token_algorithm_at(batch->bytes[binding.offset]);
    require(algorithm &&
            binding.length == 1 + (algorithm->curve == GECC_CURVE25519 ? ED25519_KEY_BYTES
                                                                       : 1 + 2 * gecc_curve_bytes(algorithm->curve)));
}

static void check_row(const struct batch *batch, size_t i, bool x509) {
    const struct row *row = &batch->rows[i];
    require((row->slot == SLOT_NONE) == (row->refusal.text != NULL) &&
            row->keep_count <= (batch->options->authorities ? 6 : 3));
    if (row->slot != SLOT_NONE)
        check_cells(batch, i, x509);
    for (size_t k = 0; k < row->keep_count; k++) {
        const struct piece *piece = &row_pieces(batch, row)[k];
        const bool made = piece->kind == PIECE_MADE || piece->kind == PIECE_RESULT;
        require(!batch->options->authorities || piece->kind != PIECE_RESULT ||
                piece->result != CERTIFICATE_FINGERPRINT ||
                piece->length == (row->slot != SLOT_NONE ? FINGERPRINT_DIGITS : 0));
        require(made == (x509 || k != 0) &&
                (size_t)piece->offset + piece->length <= (made ? batch->bytes_used : batch->text_used));
        for (size_t at = 0; piece->kind == PIECE_RESULT && at < piece->length;) {
            size_t length = utf8_character((const char *)batch->bytes + piece->offset + at, piece->length - at);
            require(length != 0);
            at += length;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    atomic_bool stop = false;
    if (size < 2)
        return 0;
    const unsigned choice = data[0] % 16; /* of digits their number */
    const bool x509 = choice % 2, ed25519 = choice / 2 % 2, nostr = choice / 4 == 1, signs = choice == 8,
               of_many = choice == 9 && certificates_can_be_read(), disclosed = choice == 15,
               apart = choice > 9 && !disclosed;
    struct batch *batch = disclosed ? presentations()
                          : apart   ? detached()
                          : of_many ? certificates_of_many(data + 1, size - 1)
                          : signs   ? claims()
                          : nostr   ? events()
                                    : batch_of(x509, ed25519);
    struct reader reader = {.input = -1,
                            .mapping = batch->mapping,
                            .options = batch->options,
                            .stop = &stop,
                            .name = "records",
                            .ended = true,
                            .line = 1,
                            .complaints = UINT64_MAX / 2 /* say nothing */};
    reader.carry = malloc(size - 1);
    reader.carry_capacity = reader.carry_used = size - 1;
    memcpy(reader.carry, data + 1, size - 1);
    if (nostr || signs || apart)
        reader.dialect = &dialect_jsonl;
    else
        require((x509 && !disclosed ? x509_open : jwt_open)(&reader));
    do {
        batch_reset(batch);
        require(reader_read(&reader, batch));
        (void)reader_order(&reader, batch);
        reader_parse(&reader, batch);
        batch_close(batch);
        for (size_t i = 0; i < batch->count; i++)
            if (disclosed)
                check_presentation(batch, i);
            else if (apart)
                check_detached(batch, i);
            else if (signs)
                check_claims(batch, i);
            else if (nostr)
                check_event(batch, i);
            else
                check_row(batch, i, x509);
    } while (batch->text_whole);
    reader_close(&reader);
    return 0;
}
