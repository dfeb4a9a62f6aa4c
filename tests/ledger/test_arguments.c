/* The calls over transactions: what they refuse, and in which words; columns of any shape; threads.
 *
 * Test: fast */
#include "support/memory.h"

#include <gecc/gecc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 5000, STRIDE = 200 };

/* Of ethereum/tests: a transaction from before EIP-155. */
static const uint8_t good[] = {0xf8, 0x5f, 0x80, 0x01, 0x82, 0x52, 0x08, 0x94, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                               0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b, 0x93, 0x31, 0x67, 0x7e, 0x6e, 0xbf,
                               0x0a, 0x80, 0x1c, 0xa0, 0x98, 0xff, 0x92, 0x12, 0x01, 0x55, 0x47, 0x26, 0x36, 0x7d,
                               0x2b, 0xe8, 0xc8, 0x04, 0xa7, 0xff, 0x89, 0xcc, 0xf2, 0x85, 0xeb, 0xc5, 0x7d, 0xff,
                               0x8a, 0xe4, 0xc4, 0x4b, 0x9c, 0x19, 0xac, 0x4a, 0xa0, 0x18, 0x87, 0x32, 0x1b, 0xe5,
                               0x75, 0xc8, 0x09, 0x5f, 0x78, 0x9d, 0xd4, 0xc7, 0x43, 0xdf, 0xe4, 0x2c, 0x18, 0x20,
                               0xf9, 0x23, 0x1f, 0x98, 0xa9, 0x62, 0xb2, 0x10, 0xe3, 0xac, 0x24, 0x52, 0xa3};
static const uint8_t sender_of_good[GECC_ADDRESS_BYTES] = {0x2f, 0xbf, 0xfb, 0x0b, 0x9f, 0x70, 0x9f, 0xd1, 0xfa, 0x4d,
                                                           0xb9, 0xff, 0x73, 0x42, 0xf2, 0xe6, 0xb3, 0xb2, 0xb7, 0xa6};

static uint8_t rows[ROWS][STRIDE], senders[ROWS][32], hashes[ROWS][32], statuses[ROWS], reasons[ROWS], types[ROWS];
static uint32_t positions[ROWS];

static gecc_result call(gecc_context *context, gecc_rows transactions, size_t count,
                        const gecc_ethereum_options *options) {
    return gecc_ethereum_senders(context, gecc_out_packed(senders, sizeof *senders), gecc_out_packed(hashes, 32),
                                 gecc_out_packed(types, 1), gecc_out_packed(reasons, 1), gecc_out_packed(positions, 4),
                                 gecc_out_packed(statuses, 1), transactions, count, options);
}

static void says(const char *text) {
    if (strncmp(gecc_error_text(), text, strlen(text)) != 0) {
        fail_msg("\"%s\", not \"%s\"", gecc_error_text(), text);
    }
}

static void refuses(void **state) {
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    gecc_rows one = gecc_rows_packed(good, sizeof good);
    gecc_out sender = gecc_out_packed(senders, 32), none = gecc_out_none(), status = gecc_out_packed(statuses, 1);
    uint64_t offsets[3];
    size_t count;
    assert_int_equal(call(NULL, one, 1, NULL), GECC_ERROR_ARGUMENT);
    says("context is NULL");
    assert_int_equal(call(*state, gecc_rows_packed(NULL, 9), 1, NULL), GECC_ERROR_ARGUMENT);
    says("transactions: data is NULL");
    assert_int_equal(gecc_ethereum_senders(*state, none, none, none, none, none, status, one, 1, NULL),
                     GECC_ERROR_ARGUMENT);
    says("sender: data is NULL");
    assert_int_equal(
        gecc_ethereum_senders(*state, gecc_out_packed(senders, 19), none, none, none, none, status, one, 2, NULL),
        GECC_ERROR_ARGUMENT);
    says("sender: 2 rows of 20 bytes cannot be 19 bytes apart");
    assert_int_equal(gecc_ethereum_senders(*state, sender, none, none, none, none, none, one, 1, NULL),
                     GECC_ERROR_ARGUMENT);
    says("status: data is NULL");
#define REFUSED_FLAG(name, bit, text, what)                                                                            \
    options.flags = (name);                                                                                            \
    if ((name) != GECC_LOW_S && (name) != GECC_ANY_S) {                                                                \
        assert_int_equal(call(*state, one, 1, &options), GECC_ERROR_ARGUMENT);                                         \
        says("options: flags has " #name ", which means nothing to ethereum.senders");                                 \
    }
    GECC_FLAG_LIST(REFUSED_FLAG)
#undef REFUSED_FLAG
    options.size = 3;
    assert_int_equal(call(*state, one, 1, &options), GECC_ERROR_ARGUMENT);
    says("options: size is 3");
    assert_int_equal(gecc_ethereum_authorities(*state, NULL, none, none, 0, one, 1, NULL), GECC_ERROR_ARGUMENT);
    says("offsets is NULL");
    assert_int_equal(gecc_ethereum_authorities(*state, offsets, none, status, 1, one, 1, NULL), GECC_ERROR_ARGUMENT);
    says("authority: data is NULL");
    assert_int_equal(gecc_ethereum_block_transactions(NULL, NULL, 0, NULL, good, sizeof good), GECC_ERROR_ARGUMENT);
    says("count is NULL");
    assert_int_equal(gecc_ethereum_block_transactions(NULL, NULL, 0, &count, good, sizeof good), GECC_ERROR_ARGUMENT);
    says("block: at byte 2 a string stands where a list has to");
    assert_int_equal(gecc_ethereum_block_transactions(NULL, NULL, 1, &count, good, sizeof good), GECC_ERROR_ARGUMENT);
    says("offsets is NULL");
}

static void nothing(void **state) {
    uint64_t offsets[1] = {7};
    assert_int_equal(call(*state, gecc_rows_none(), 0, NULL), GECC_OK);
    assert_int_equal(
        gecc_ethereum_authorities(*state, offsets, gecc_out_none(), gecc_out_none(), 0, gecc_rows_none(), 0, NULL),
        GECC_OK);
    assert_int_equal(offsets[0], 0);
    assert_int_equal(call(*state, gecc_rows_packed(NULL, 0), 3, NULL), GECC_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(statuses[i], GECC_ITEM_MALFORMED_TRANSACTION);
        assert_int_equal(reasons[i], GECC_ETHEREUM_EMPTY);
    }
}

/* Every third row is cut; rows lie apart, or have widths, or are one. */
static void shapes(void **state) {
    static uint32_t widths[ROWS];
    static uint64_t offsets[ROWS];
    gecc_report report = GECC_REPORT_INIT;
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    options.report = &report;
    for (size_t i = 0; i < ROWS; i++) {
        widths[i] = (uint32_t)(sizeof good - (i % 3 == 2));
        offsets[i] = (ROWS - 1 - i) * STRIDE;
        memcpy(rows[i], good, sizeof good);
    }
    for (int shape = 0; shape < 3; shape++) {
        gecc_rows column = {rows, shape == 2 ? 0 : STRIDE, sizeof good, shape ? widths : NULL, NULL};
        column.offsets = shape == 1 ? offsets : NULL;
        memset(senders, 0xaa, sizeof senders);
        assert_int_equal(call(*state, column, ROWS, &options), GECC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            int cut = shape && i % 3 == 2;
            assert_int_equal(statuses[i], cut ? GECC_ITEM_MALFORMED_TRANSACTION : GECC_ITEM_OK);
            assert_int_equal(memcmp(senders[i], sender_of_good, GECC_ADDRESS_BYTES) == 0, !cut);
            assert_int_equal(senders[i][GECC_ADDRESS_BYTES], 0xaa);
            assert_int_equal(reasons[i], cut ? GECC_ETHEREUM_TOO_SHORT : GECC_ETHEREUM_PARSED);
        }
        assert_true(report.seconds > 0 && report.backend[0] != 0);
    }
}

enum { SIGNED = 4100 }; /* more than are recovered at once */

/* A transaction of type 0x04 with so many authorizations, none of which anybody signed; its width. */
static size_t set_code_row(uint8_t *row, size_t authorizations) {
    static const uint8_t begin[] = {1, 0x80, 1, 1, 0x82, 0x52, 8, 0x94, 0, 0, 0, 0, 0,    0,    0,   0,
                                    0, 0,    0, 0, 0,    0,    0, 0,    0, 0, 0, 0, 0x80, 0x80, 0xc0};
    static const uint8_t one[] = {0xda, 1, 0x94, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0,
                                  0,    0, 0,    0, 0, 0, 0, 0, 0, 0x80, 0x80, 1, 1};
    const size_t width = authorizations * sizeof one, all = sizeof begin + 4 + width + 3;
    const uint8_t heads[2][4] = {{0xfa, (uint8_t)(all >> 16), (uint8_t)(all >> 8), (uint8_t)all},
                                 {0xfa, (uint8_t)(width >> 16), (uint8_t)(width >> 8), (uint8_t)width}};
    size_t at = 0;
    row[at++] = 4;
    memcpy(row + at, heads[0], 4);
    memcpy(row + at + 4, begin, sizeof begin);
    memcpy(row + at + 4 + sizeof begin, heads[1], 4);
    at += 8 + sizeof begin;
    for (size_t i = 0; i < authorizations; i++, at += sizeof one)
        memcpy(row + at, one, sizeof one);
    memcpy(row + at, "\x80\1\1", 3);
    return at + 3;
}

/* A report tells of the whole call: of all batches, of none, of a count, and of no rows. */
static void reports(void **state) {
    static uint8_t row[SIGNED * 27 + 100], authorities[SIGNED][GECC_ADDRESS_BYTES], answers[SIGNED];
    const gecc_rows signed_rows = gecc_rows_packed(row, set_code_row(row, SIGNED)),
                    one = gecc_rows_packed(good, sizeof good);
    const gecc_out none = gecc_out_none();
    for (int way = 0; way < 5; way++) {
        gecc_report report = GECC_REPORT_INIT;
        gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
        uint64_t offsets[2];
        gecc_result result;
        options.report = &report;
        if (way == 0)
            result = call(*state, gecc_rows_none(), 0, &options);
        else if (way == 1)
            result = call(*state, one, 1, &options);
        else
            result = gecc_ethereum_authorities(*state, offsets,
                                               way == 2 ? none : gecc_out_packed(authorities, GECC_ADDRESS_BYTES),
                                               way == 2 ? none : gecc_out_packed(answers, 1), way == 2 ? 0 : SIGNED,
                                               way == 3 ? one : signed_rows, 1, &options);
        assert_int_equal(result, GECC_OK);
        assert_string_equal(report.backend, "cpu");
        assert_true(report.seconds > 0 && report.detail[0] != 0 && report.reason[0] != 0);
        if (way >= 2)
            assert_int_equal(offsets[1], way == 3 ? 0 : SIGNED);
    }
}

/* The outputs that may be left out are. */
static void only_senders(void **state) {
    gecc_out none = gecc_out_none();
    memset(senders, 0, sizeof senders);
    assert_int_equal(gecc_ethereum_senders(*state, gecc_out_packed(senders, 32), none, none, none, none,
                                           gecc_out_packed(statuses, 1), gecc_rows_same(good, sizeof good), ROWS, NULL),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_memory_equal(senders[i], sender_of_good, GECC_ADDRESS_BYTES);
    }
}

static void texts(void **state) {
    (void)state;
    assert_string_equal(gecc_ethereum_reason_text(GECC_ETHEREUM_PARSED), "it is well formed");
    assert_string_equal(gecc_ethereum_reason_text(200), "unknown reason");
}

static int start(void **state) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    config.backend = "cpu";
    config.threads = 3;
    REQUIRE(gecc_open(&context, &config) == GECC_OK);
    *state = context;
    return 0;
}

static int stop(void **state) {
    gecc_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses),      cmocka_unit_test(nothing),
                                       cmocka_unit_test(shapes),       cmocka_unit_test(reports),
                                       cmocka_unit_test(only_senders), cmocka_unit_test(texts)};
    return cmocka_run_group_tests_name("ledger", tests, start, stop);
}
