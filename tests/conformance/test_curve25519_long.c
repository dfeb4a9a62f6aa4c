/* Ed25519 and X25519 beside OpenSSL's libcrypto, on 10^6 random rows each, most of them spoiled, with other keys in each
 * batch. GECC_ROWS gives another number.
 *
 * OpenSSL's rule is GECC_ACCEPT_REF10, from which follows what the others say.
 *
 * Test: long; needs libcrypto */
#define _POSIX_C_SOURCE 200809L
#include "support/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BATCH = 4096, ROWS_BY_DEFAULT = 1000000 };

struct suite {
    gecc_context *context;
    struct prng prng;
    size_t rows;
};

/* Rows of the operation, of which `spoiled` in 8 are spoiled: how many are good. */
static size_t run_batch(struct suite *suite, enum operation operation, uint32_t flags, size_t count, unsigned spoiled) {
    static struct row rows[BATCH];
    static struct outcome outcomes[BATCH];
    const struct call call = {.operation = operation, .curve = GECC_CURVE25519, .flags = flags};
    struct arena arena = {0};
    size_t mismatches = 0, good = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_good(&call, &suite->prng, &arena);
        if (prng_below(&suite->prng, 8) < spoiled)
            rows[i] = row_spoiled(&call, rows[i], &suite->prng, &arena);
    }
    run_rows(suite->context, &call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        struct expectation expected;
        reference_row(&call, &rows[i], &expected);
        mismatches += (size_t)outcome_mismatch(&call, &rows[i], &expected, &outcomes[i], "OpenSSL");
        good += outcomes[i].status == GECC_ITEM_OK;
    }
    arena_free(&arena);
    assert_int_equal(mismatches, 0);
    return good;
}

static void ed25519(void **state) {
    static const uint32_t others[] = {0, GECC_ACCEPT_STRICT, GECC_ACCEPT_ZIP215};
    struct suite *suite = *state;
    size_t valid = 0, valid_by_others = 0;
    for (size_t done = 0, count, turn = 0; done < suite->rows; turn++, done += count) {
        count = suite->rows - done < BATCH ? suite->rows - done : BATCH;
        pool_renew(GECC_CURVE25519);
        run_batch(suite, OPERATION_ED25519_PUBLIC_KEY, 0, count, 1);
        run_batch(suite, OPERATION_ED25519_SIGN, turn % 3 == 0 ? GECC_VERIFY_SIGNATURES : 0, count, 1);
        valid += run_batch(suite, OPERATION_ED25519_VERIFY, GECC_ACCEPT_REF10, count, 5);
        valid_by_others += run_batch(suite, OPERATION_ED25519_VERIFY, others[turn % 3], count, 5);
    }
    print_message("Ed25519: of %zu rows %zu are valid by OpenSSL's rule; of as many %zu by others\n", suite->rows,
                  valid, valid_by_others);
    assert_in_range(valid, suite->rows / 4, suite->rows * 3 / 4);
    assert_in_range(valid_by_others, suite->rows / 4, suite->rows * 3 / 4);
}

static void x25519(void **state) {
    struct suite *suite = *state;
    size_t good = 0;
    for (size_t done = 0, count; done < suite->rows; done += count) {
        count = suite->rows - done < BATCH ? suite->rows - done : BATCH;
        pool_renew(GECC_CURVE25519);
        good += run_batch(suite, OPERATION_X25519_PUBLIC_KEY, 0, count, 2);
        good += run_batch(suite, OPERATION_X25519, 0, count, 2);
    }
    print_message("X25519: %zu rows twice, %zu of them with a result\n", suite->rows, good);
    assert_in_range(good, suite->rows, 2 * suite->rows - suite->rows / 100);
}

int main(void) {
    static struct suite suite;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(ed25519, &suite),
                                       cmocka_unit_test_prestate(x25519, &suite)};
    suite = (struct suite){.context = test_context(),
                           .prng = prng_for("Curve25519 beside OpenSSL"),
                           .rows = environment_number("GECC_ROWS", ROWS_BY_DEFAULT)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gecc_close(suite.context);
    return failed;
}
