/* What is a block, and what no node takes for one.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gecc/gecc.h>

/* reason: in the error's text; NULL: it is a block of so many transactions. */
static const struct {
    const char *name, *hex;
    size_t count;
    const char *reason;
} cases[] = {
    {"no transactions", "e5e2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c0c0", 0, NULL},
    {"a list and a string",
     "ede2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c8c30980028302c105c0", 2, NULL},
    {"a type that is not known", "e8e2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c3827ec0c0",
     1, NULL},
    {"withdrawals", "eae2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c48302c105c0c0", 1, NULL},
    {"a list within a string", "eae2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c584c3098002c0",
     0, "block: at byte 38 there is no such type of transaction"},
    {"a string of nothing", "eae2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c58302c10580c0", 0,
     "block: at byte 41 it is empty"},
    {"no type below 0x80", "e8e2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c3828001c0", 0,
     "there is no such type"},
    {"no uncles", "e8e2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c48302c105", 0,
     "a list ends where an item is missing"},
    {"uncles that are no list", "e9e2a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c48302c10501",
     0, "a string stands where a list has to"},
    {"a header of nothing", "c7c0c48302c105c0", 0, "a list ends where an item is missing"},
    {"a header that begins with no hash",
     "e7e09f00000000000000000000000000000000000000000000000000000000000000c48302c105c0", 0, "has another width"},
    {"a header with a list", "eae3a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01c0c48302c105c0",
     0, "a list stands where a string has to"},
    {"a body", "cac8c30980028302c105c0", 0, "a list stands where a string has to"},
};

static size_t decode(uint8_t *out, const char *hex) {
    size_t count = strlen(hex) / 2;
    for (size_t i = 0; i < count; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        out[i] = (uint8_t)byte;
    }
    return count;
}

static void blocks(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t block[256];
        uint64_t offsets[2];
        uint32_t widths[2];
        size_t count = 7, bytes = decode(block, cases[i].hex);
        gecc_result result = gecc_ethereum_block_transactions(offsets, widths, 2, &count, block, bytes);
        if (result != (cases[i].reason ? GECC_ERROR_ARGUMENT : GECC_OK) || count != cases[i].count ||
            (cases[i].reason && !strstr(gecc_error_text(), cases[i].reason)))
            fail_msg("%s: %zu transactions, %s", cases[i].name, count, gecc_error_text());
        /* Each lies within the block, and one that begins with its type has no head before it. */
        for (size_t t = 0; t < count; t++)
            assert_true(offsets[t] + widths[t] <= bytes && (block[offsets[t]] >= 0xc0 || block[offsets[t]] < 0x80));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
