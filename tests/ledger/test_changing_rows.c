/* Rows of transactions that change while a call reads them, as memory may that another thread or process shares: the
 * call writes where it may, ends, and rows beside them are answered as ever.
 *
 * Test: fast */
#include "ledger/transactions.h"
#include "support/memory.h"
#include "support/trap.h"

#include <gecc/gecc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { NONE_WRITTEN = 0xa7 };

/* What becomes of the first of two rows when the second is looked at. */
struct change {
    uint8_t *bytes;
    uint32_t *width;
    const struct row *to;
};

static void change(void *argument) {
    const struct change *change = argument;
    memcpy(change->bytes, change->to->bytes, change->to->width);
    *change->width = (uint32_t)change->to->width;
}

/* Two rows: one that changes, and one that stays. */
struct rows {
    struct trap trap;
    uint32_t widths[2];
    uint64_t offsets[2];
    gecc_rows column;
    struct change change;
};

static void rows_start(struct rows *rows, const struct row *from, const struct row *to, const struct row *other) {
    memcpy(rows->trap.before, from->bytes, from->width);
    memcpy(rows->trap.trap, other->bytes, other->width);
    rows->widths[0] = (uint32_t)from->width;
    rows->widths[1] = (uint32_t)other->width;
    rows->offsets[1] = rows->trap.before_bytes;
    rows->column = (gecc_rows){rows->trap.before, 0, 0, rows->widths, rows->offsets};
    rows->change = (struct change){rows->trap.before, &rows->widths[0], to};
    trap_set(&rows->trap, change, &rows->change);
}

struct answer {
    uint8_t sender[2][GECC_ADDRESS_BYTES], hash[2][32], type[2], reason[2], status[2];
    uint32_t position[2];
};

static gecc_result ask(gecc_context *context, struct answer *a, gecc_rows column, size_t count) {
    memset(a, NONE_WRITTEN, sizeof *a);
    return gecc_ethereum_senders(context, gecc_out_packed(a->sender, GECC_ADDRESS_BYTES), gecc_out_packed(a->hash, 32),
                                 gecc_out_packed(a->type, 1), gecc_out_packed(a->reason, 1),
                                 gecc_out_packed(a->position, 4), gecc_out_packed(a->status, 1), column, count, NULL);
}

static void check_senders(gecc_context *context, struct rows *rows, const struct row *from, const struct row *to,
                          const struct row *other) {
    struct answer a, alone;
    rows_start(rows, from, to, other);
    assert_int_equal(ask(context, &a, rows->column, 2), GECC_OK);
    assert_true(trap_release(&rows->trap));
    assert_int_equal(ask(context, &alone, gecc_rows_packed(other->bytes, other->width), 1), GECC_OK);
    assert_memory_equal(a.sender[1], alone.sender[0], GECC_ADDRESS_BYTES);
    assert_memory_equal(a.hash[1], alone.hash[0], 32);
    assert_int_equal(a.status[1], alone.status[0]);
    assert_int_equal(a.reason[1], alone.reason[0]);
    assert_int_not_equal(a.status[0], GECC_ITEM_NOT_PROCESSED);
}

static void senders(void **state) {
    static struct row all[ROWS];
    struct rows rows = {.widths = {0}};
    make_rows(all);
    trap_new(&rows.trap, ROW_MOST, ROW_MOST);
    for (int from = 0; from < ROWS; from++)
        for (int to = 0; to < ROWS; to++)
            check_senders(*state, &rows, &all[from], &all[to], &all[from % 2]);
    trap_free(&rows.trap);
}

/* As many authorities as the rows had when they were counted; what is behind them stays as it is. */
static void check_authorities(gecc_context *context, struct rows *rows, const struct row *from, const struct row *to,
                              const struct row *other) {
    static uint8_t authority[3 * AUTHORIZATIONS][GECC_ADDRESS_BYTES], status[3 * AUTHORIZATIONS];
    uint64_t offsets[3], alone[2];
    memset(authority, NONE_WRITTEN, sizeof authority);
    memset(status, NONE_WRITTEN, sizeof status);
    assert_int_equal(gecc_ethereum_authorities(context, alone, gecc_out_none(), gecc_out_none(), 0,
                                               gecc_rows_packed(from->bytes, from->width), 1, NULL),
                     GECC_OK);
    const size_t capacity = alone[1] + 1;
    rows_start(rows, from, to, other);
    assert_int_equal(gecc_ethereum_authorities(context, offsets, gecc_out_packed(authority, GECC_ADDRESS_BYTES),
                                               gecc_out_packed(status, 1), capacity, rows->column, 2, NULL),
                     GECC_OK);
    assert_true(trap_release(&rows->trap));
    assert_int_equal(offsets[0], 0);
    assert_int_equal(offsets[1], alone[1]);
    assert_int_equal(offsets[2], capacity);
    for (size_t i = 0; i < 3 * AUTHORIZATIONS; i++) {
        for (size_t k = 0; i >= capacity && k < GECC_ADDRESS_BYTES; k++)
            assert_int_equal(authority[i][k], NONE_WRITTEN);
        if (i < capacity)
            assert_int_not_equal(status[i], GECC_ITEM_NOT_PROCESSED);
        else
            assert_int_equal(status[i], NONE_WRITTEN);
    }
}

static void authorities(void **state) {
    static struct row all[ROWS];
    struct rows rows = {.widths = {0}};
    make_rows(all);
    trap_new(&rows.trap, ROW_MOST, ROW_MOST);
    for (int from = 0; from < ROWS; from++)
        for (int to = 0; to < ROWS; to++)
            check_authorities(*state, &rows, &all[from], &all[to], &all[4]);
    trap_free(&rows.trap);
}

/* The rows are what they are meant to be: all but two are transactions, which a call without changes reads. */
static void rows_are_read(void **state) {
    static struct row all[ROWS];
    static const uint8_t reasons[ROWS] = {[5] = GECC_ETHEREUM_TOO_SHORT, [6] = GECC_ETHEREUM_EMPTY};
    struct answer a;
    make_rows(all);
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(ask(*state, &a, gecc_rows_packed(all[i].bytes, all[i].width), 1), GECC_OK);
        if (i != 2)
            assert_int_equal(a.reason[0], reasons[i]);
    }
}

static int start(void **state) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    config.backend = "cpu";
    config.threads = 1;
    REQUIRE(gecc_open(&context, &config) == GECC_OK);
    *state = context;
    return 0;
}

static int stop(void **state) {
    gecc_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_read), cmocka_unit_test(senders),
                                       cmocka_unit_test(authorities)};
    return cmocka_run_group_tests_name("changing rows", tests, start, stop);
}
