/* Addresses of every point, and what schnorr_cases.h has, in small groups; on machines of all kinds, the model of the
 * GPU's among them. Recovery has no small groups where there is an endomorphism: see ecdsa_group. */
#ifndef TESTS_SCHEME_ETHEREUM_CASES_H
#define TESTS_SCHEME_ETHEREUM_CASES_H

#include "scheme/ethereum.h"

#include "schnorr_cases.h"

/* Of support/reference.h, which has names of its own for what these tests have. */
void reference_keccak256(const uint8_t *data, size_t width, uint8_t out[ROW_BYTES]);

static uint8_t addresses[ROWS][GECC_ADDRESS_BYTES];

static void address_rows(const struct group *g, struct prng *prng, size_t count) {
    (void)prng;
    job_begin(OPERATION_ETHEREUM_ADDRESS, 0);
    job.in[0] = gecc_rows_packed(recovered, 2 * ROW_BYTES);
    job.out[0] = gecc_out_packed(addresses, sizeof addresses[0]);
    for (size_t i = 0; i < count; i++) {
        write_integer(recovered[i], g->x[signings[i].d]);
        write_integer(recovered[i] + ROW_BYTES, g->y[signings[i].d]);
    }
    assert_int_equal(run(ethereum_address, count), GECC_OK);
    for (size_t i = 0; i < count; i++) {
        uint8_t hash[ROW_BYTES];
        reference_keccak256(recovered[i], 2 * ROW_BYTES, hash);
        expect_row(statuses[i] == GECC_ITEM_OK, "ethereum_address, status", g, signings[i]);
        expect_row(memcmp(addresses[i], hash + ROW_BYTES - sizeof addresses[0], sizeof addresses[0]) == 0,
                   "ethereum_address", g, signings[i]);
    }
}

static void ethereum_group(struct group *g, struct prng *prng) {
    const struct plan plan = {WITH_D, address_rows};
    tables_of_group();
    try_plan(g, prng, &plan, SIZE_MAX);
}

static void ethereum(void **state) {
    (void)state;
    for_each_group(ethereum_group, "Ethereum's addresses", 3);
}

/* Over the groups of the curve called `name`; the result is main's. */
static int ethereum_cases(const char *name) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ec) MSM_TESTS, cmocka_unit_test(ecdsa),
                                       cmocka_unit_test(schnorr), cmocka_unit_test(ethereum)};
    return run_over_groups(name, tests, sizeof tests / sizeof tests[0]);
}

#endif
