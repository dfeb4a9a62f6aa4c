/* Cells are decoded into memory of a batch. Whatever they are, and however little memory there is, no byte is written
 * behind it, and rows for which it does not do are refused.
 *
 * Test: fast; the tool's reader */
#include "rows/decode.h"
#include "rows/reader.h"
#include "text/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, MOST_CHARACTERS = 4000, MOST_ROOM = 12000, GUARD_BYTES = 8192, GUARD = 0xa5 };

static char characters[MOST_CHARACTERS + 1];

/* Of one command, with all columns that it may have. */
static struct batch *batch_of(const struct command *command, struct options *options, enum encoding encoding) {
    const struct mapping *mapping = command->mapping;
    options_init(options);
    options->encoding = encoding;
    options->curve = command->curve != 0      ? command->curve
                     : mapping->compared != 0 ? GECC_SECP256K1 /* addresses are on it */
                                              : GECC_P521;
    options->dangerous_nonce = true;
    options->modular_operation = MOD_POWER;
    options->modulus = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
    return batch_create(mapping, options, ROWS);
}

/* Give it no more room than that, with a guard behind. */
static void confine(struct batch *batch, size_t room) {
    free(batch->bytes);
    batch->bytes = malloc(room + GUARD_BYTES);
    batch->bytes_capacity = room;
    assert_non_null(batch->bytes);
    memset(batch->bytes, GUARD, room + GUARD_BYTES);
}

static void check_guard(const struct batch *batch) {
    assert_true(batch->bytes_used <= batch->bytes_capacity);
    for (size_t i = 0; i < GUARD_BYTES; i++)
        assert_int_equal(batch->bytes[batch->bytes_capacity + i], GUARD);
}

/* Rows whose every cell has so many characters. Names, documents and columns that ECDSA does not take, or not beside a
 * nonce, have none. */
static size_t decode_rows(struct batch *batch, size_t length) {
    size_t full = 0;
    batch_reset(batch);
    for (size_t i = 0; i < ROWS; i++) {
        struct cell cells[COLUMN_COUNT];
        struct row *row = batch_add(batch, i + 1);
        cells_clear(batch, cells);
        for (size_t c = 0; c < batch->column_count; c++)
            if (!(1u << batch->columns[c] & (COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(AUX) |
                                             COLUMN_BIT(ENTROPY) | COLUMN_BIT(TYPED_DATA))))
                cells[batch->columns[c]] = (struct cell){characters, length, false};
        row_decode(batch, row, cells);
        full += row->refusal.text == batch_is_full;
        check_guard(batch);
    }
    return full;
}

static void test_every_command(void **state) {
    (void)state;
    memset(characters, '1', MOST_CHARACTERS);
    for (size_t i = 0; command_at(i); i++) {
        for (int encoding = ENCODING_HEX; command_at(i)->mapping && encoding <= ENCODING_BASE64URL; encoding++) {
            struct options options;
            struct batch *batch = batch_of(command_at(i), &options, (enum encoding)encoding);
            size_t full = 0;
            assert_non_null(batch);
            for (size_t room = 0; room <= MOST_ROOM; room = 2 * room + 17) {
                confine(batch, room);
                for (size_t length = 4; length <= MOST_CHARACTERS; length += 4 * length)
                    full += decode_rows(batch, length);
            }
            assert_true(full > 0);
            batch_free(batch);
        }
    }
}

/* What base64 becomes has room in what its length says. */
static void test_base64_sizes(void **state) {
    (void)state;
    uint8_t bytes[64];
    memset(characters, 'A', MOST_CHARACTERS);
    for (size_t length = 0; length < sizeof bytes; length++) {
        size_t count, most = base64_decoded_most(length);
        memset(bytes, GUARD, sizeof bytes);
        (void)!base64_decode(bytes, &count, characters, length, false);
        assert_true(count <= most);
        for (size_t i = most; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], GUARD);
    }
}

/* Each byte at each place of a text, of each length up to some vectors, by a table; also in the place of the text. */
static void test_base64(void **state) {
    (void)state;
    enum { LONGEST = 140 };
    static const char *const alphabets[] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};
    for (size_t length = 0; length <= LONGEST; length++)
        for (size_t at = 0; at < length || at == 0; at++)
            for (unsigned c = 0; c < 256; c += length == 72 || length == 107 ? 1 : 37) {
                const bool url = (length + at) % 2;
                char text[LONGEST];
                uint8_t bytes[LONGEST], expected[LONGEST];
                size_t count = 0, used = 0;
                uint32_t bits = 0;
                for (size_t i = 0; i < length; i++)
                    text[i] = alphabets[url][(i * 29 + at + c) % 64];
                if (length)
                    text[at] = (char)c;
                bool right = length % 4 != 1;
                for (size_t i = 0; i < length; i++) {
                    const char *found = text[i] ? strchr(alphabets[url], text[i]) : NULL;
                    right &= found != NULL;
                    bits = bits << 6 | (found ? (uint32_t)(found - alphabets[url]) : 0);
                    if (i % 4 != 0)
                        expected[used++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
                }
                right &= length % 4 < 2 || (bits & (length % 4 == 2 ? 15 : 3)) == 0;
                if (length && c == '=') /* padding: see the fuzz target */
                    continue;
                assert_int_equal(base64_decode(bytes, &count, text, length, url), right);
                if (!right)
                    continue;
                assert_int_equal(count, used);
                assert_memory_equal(bytes, expected, used);
                assert_true(base64_decode((uint8_t *)text, &count, text, length, url));
                assert_memory_equal(text, expected, used);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_command), cmocka_unit_test(test_base64_sizes),
                                       cmocka_unit_test(test_base64)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
