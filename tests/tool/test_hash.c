/* The tool's hashes of single messages are the library's of rows, for every length about a block's, in any pieces.
 *
 * Test: fast; the tool's reader */
#include "text/hash.h"

#include <gecc/gecc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BYTES = 300 };

static void digest(gecc_context *context, gecc_hash hash, uint8_t out[HASH_BYTES], const uint8_t *bytes, size_t count) {
    uint8_t status = GECC_ITEM_NOT_PROCESSED;
    assert_int_equal(gecc_digest(context, hash, gecc_out_packed(out, HASH_BYTES), gecc_out_packed(&status, 1),
                                 gecc_rows_packed(bytes, count), 1, NULL),
                     GECC_OK);
    assert_int_equal(status, GECC_ITEM_OK);
}

static void test_lengths(void **state) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    uint8_t bytes[MOST_BYTES], expected[HASH_BYTES], found[HASH_BYTES];
    (void)state;
    config.backend = "cpu";
    config.threads = 1;
    assert_int_equal(gecc_open(&context, &config), GECC_OK);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + 1);
    for (size_t count = 0; count <= sizeof bytes; count++) {
        digest(context, GECC_SHA256, expected, bytes, count);
        token_hash(found, bytes, count);
        assert_memory_equal(found, expected, sizeof found);
        digest(context, GECC_KECCAK256, expected, bytes, count);
        for (size_t piece = 1; piece <= sizeof bytes; piece = 5 * piece - 1) {
            struct ethereum_hash hash = {.used = 0};
            for (size_t at = 0; at < count; at += piece)
                ethereum_hash_absorb(&hash, bytes + at, piece < count - at ? piece : count - at);
            ethereum_hash_finish(&hash, found);
            assert_memory_equal(found, expected, sizeof found);
        }
    }
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
