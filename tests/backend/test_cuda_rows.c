/* How many bytes of rows the CUDA backend takes along: of rows whose widths change meanwhile no more than it has room
 * for, of keys no more than there are.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gecc/gecc.h>
#include <string.h>

#include "fake_cuda/backend.h"
#include "support/trap.h"

enum { ROWS = 90, ROW_MOST = 9000 };

static gecc_context *open_on(const struct backend *backend) {
    gecc_context *context;
    assert_int_equal(context_on(&context, backend), GECC_OK);
    return context;
}

static gecc_context *open_fake(void) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = 1;
    fake_driver_start(&settings);
    return open_on(&fake_cuda);
}

/* Widths of a column, and what they are when the column before it is packed. */
struct change {
    uint32_t widths[ROWS], to;
};

static void change(void *argument) {
    struct change *change = argument;
    for (size_t i = 0; i < ROWS; i++)
        change->widths[i] = change->to;
}

/* Of the last column the widths change once those before have been measured, and the first is packed. Rows are all the
 * same. */
static gecc_result call_with_change(gecc_context *context, int digests, struct trap *trap, struct change *c,
                                    uint8_t *status) {
    static uint8_t out[ROWS][65];
    static uint32_t widths[ROWS];
    static const uint64_t offsets[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        widths[i] = 33;
    const gecc_rows first = {trap->trap, 0, 0, widths, offsets}, last = {trap->before, 0, 0, c->widths, offsets};
    const gecc_out to = gecc_out_packed(out, digests ? 32 : 65);
    trap_set(trap, change, c);
    gecc_result result =
        digests ? gecc_sm2_digest(context, to, gecc_out_packed(status, 1), first, gecc_rows_none(), last, ROWS, NULL)
                : gecc_ec_add(context, GECC_SM2, to, gecc_out_packed(status, 1), first, last, ROWS, NULL);
    assert_true(trap_release(trap));
    return result;
}

static void test_widths_that_change(void **state) {
    (void)state;
    static const uint32_t widths[] = {0, 1, 33, 65, 100, 8000, 8999};
    enum { WIDTHS = sizeof widths / sizeof widths[0] };
    gecc_context *context = open_fake();
    struct trap trap;
    struct change c;
    uint8_t status[ROWS];
    trap_new(&trap, ROW_MOST, 65);
    for (int way = 0; way < 2 * WIDTHS * WIDTHS; way++) {
        c.to = widths[way / 2 / WIDTHS];
        change(&c);
        c.to = widths[way / 2 % WIDTHS];
        assert_int_equal(call_with_change(context, way % 2, &trap, &c, status), GECC_OK);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(gecc_item_is_malformed(status[i]));
    }
    trap_free(&trap);
    gecc_close(context); /* looks at what lies beside pinned memory */
    assert_int_equal(fake_driver_held(), 0);
}

static void check_keys(gecc_context *context, gecc_context *cpu, gecc_curve curve, size_t width, size_t count) {
    uint8_t *points = calloc(count, width), status[2], expected[2];
    const gecc_rows rows = gecc_rows_packed(points, width);
    gecc_keys *keys, *same;
    assert_int_equal(gecc_keys_open(context, &keys, curve, gecc_out_packed(status, 1), rows, count, NULL), GECC_OK);
    assert_int_equal(gecc_keys_open(cpu, &same, curve, gecc_out_packed(expected, 1), rows, count, NULL), GECC_OK);
    assert_memory_equal(status, expected, count);
    gecc_keys_close(keys);
    gecc_keys_close(same);
    free(points);
}

/* Keys of many widths, on each curve, in memory that ends with the last of them, have the statuses that they have on
 * the CPU. */
static void test_keys_of_many_widths(void **state) {
    (void)state;
    gecc_context *context = open_fake(), *cpu = open_on(&gecc_backend_cpu);
    for (gecc_curve curve = GECC_SECP256K1; curve <= GECC_CURVE25519; curve++) {
        const size_t bytes = gecc_curve_bytes(curve);
        for (size_t most = bytes; bytes != 0 && most <= 2 * bytes + 2; most += bytes)
            for (size_t width = most - 1; width <= most + 2; width++)
                check_keys(context, cpu, curve, width, 1 + width % 2);
        if (bytes != 0)
            check_keys(context, cpu, curve, 200, 2);
    }
    gecc_close(context);
    gecc_close(cpu);
    assert_int_equal(fake_driver_held(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_widths_that_change),
                                       cmocka_unit_test(test_keys_of_many_widths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
