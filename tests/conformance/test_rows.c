/* What tests count on where they take rows: spoiled ones differ from good ones, special ones come, pools change.
 *
 * Test: fast; needs libcrypto */
#include "support/generate.h"

#include "number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 4000 };

/* Of ROWS rows that are spoiled, how many are as `is_wanted` says, given the good one. */
static size_t spoiled_rows(struct call call, int (*is_wanted)(const struct row *good, const struct row *spoiled)) {
    struct prng prng = prng_for(operation_of(call.operation)->name);
    size_t found = 0;
    for (size_t i = 0; i < ROWS; i++) {
        struct arena arena = {0};
        const struct row good = row_good(&call, &prng, &arena), spoiled = row_spoiled(&call, good, &prng, &arena);
        found += (size_t)is_wanted(&good, &spoiled);
        arena_free(&arena);
    }
    return found;
}

static int differs(const struct row *good, const struct row *spoiled) {
    int is_other = 0;
    for (int i = 0; i < INPUTS; i++) {
        const struct cell a = good->in[i], b = spoiled->in[i];
        is_other |= a.width != b.width || (a.width != 0 && memcmp(a.data, b.data, a.width) != 0);
    }
    return is_other;
}

/* No column is spoiled that the row has not, as that of entropy. */
static void spoiled_rows_differ(void **state) {
    (void)state;
    assert_in_range(spoiled_rows((struct call){.operation = OPERATION_ECDSA_SIGN, .curve = GECC_P256}, differs),
                    ROWS - ROWS / 10, ROWS);
}

/* n - s in place of s, in r || s || v or in a column of its own. */
static int has_other_s(const struct row *good, const struct row *spoiled) {
    const int has_column = good->in[2].data != NULL;
    const uint32_t start = has_column ? 0 : 32, end = start + 32;
    const struct cell before = good->in[has_column ? 2 : 1], after = spoiled->in[has_column ? 2 : 1];
    uint8_t sum[32];
    if (before.width < end || after.width < end)
        return 0;
    number_add(sum, before.data + start, after.data + start, sizeof sum);
    return memcmp(sum, pool_of(GECC_SECP256K1)->n, sizeof sum) == 0;
}

static void the_other_s_comes(void **state) {
    (void)state;
    struct call call = {.operation = OPERATION_ETHEREUM_RECOVER, .curve = GECC_SECP256K1, .flags = GECC_LOW_S};
    assert_in_range(spoiled_rows(call, has_other_s), ROWS / 200, ROWS / 10);
    call.operation = OPERATION_ETHEREUM_RECOVER_COLUMNS;
    assert_in_range(spoiled_rows(call, has_other_s), ROWS / 200, ROWS / 10);
}

static void pools_change(void **state) {
    (void)state;
    uint8_t first[32];
    memcpy(first, pool_key(pool_of(GECC_P256), 0), sizeof first);
    pool_used(GECC_P256, 9999);
    assert_memory_equal(pool_key(pool_of(GECC_P256), 0), first, sizeof first);
    pool_used(GECC_P256, 1);
    assert_memory_not_equal(pool_key(pool_of(GECC_P256), 0), first, sizeof first);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spoiled_rows_differ), cmocka_unit_test(the_other_s_comes),
                                       cmocka_unit_test(pools_change)};
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
