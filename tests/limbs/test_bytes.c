/* Rows as words by aligned accesses, at every alignment: as word by word, and no byte beside the row is touched.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "limbs/bytes.h"

enum { WORDS_MOST = 16, ALIGNMENTS = 8, GUARD = 0xa5 };

static const int lengths[] = {1, 2, 8, 12, WORDS_MOST};

static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(i * 97 + 13);
}

static void test_read(void **state) {
    _Alignas(8) uint8_t row[ALIGNMENTS + 4 * WORDS_MOST];
    uint32_t words[WORDS_MOST];
    (void)state;
    fill(row, sizeof row);
    for (size_t at = 0; at < ALIGNMENTS; at++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            words_read_row(words, row + at, lengths[k]);
            for (int i = 0; i < lengths[k]; i++)
                assert_int_equal(words[i], word_read(row + at + 4 * i));
        }
}

static void test_write(void **state) {
    _Alignas(8) uint8_t row[ALIGNMENTS + 4 * WORDS_MOST + ALIGNMENTS], expected[sizeof row];
    uint32_t words[WORDS_MOST];
    (void)state;
    fill((uint8_t *)words, sizeof words);
    for (size_t at = 0; at < ALIGNMENTS; at++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            memset(row, GUARD, sizeof row);
            memset(expected, GUARD, sizeof expected);
            for (int i = 0; i < lengths[k]; i++)
                word_write(expected + at + 4 * i, words[i]);
            words_write_row(row + at, words, lengths[k]);
            assert_memory_equal(row, expected, sizeof row);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
