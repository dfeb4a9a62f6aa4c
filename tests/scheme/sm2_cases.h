/* SM2 signatures, and what ecdsa_cases.h has, in small groups. */
#ifndef TESTS_SCHEME_SM2_CASES_H
#define TESTS_SCHEME_SM2_CASES_H

#include "scheme/sm2.h"

#include "ecdsa_cases.h"

/* r = e + x(k G), s = (k - r d) / (1 + d); none where r = 0, r + k = n or s = 0. */
static void expect_sm2_signature(const struct group *g, size_t i) {
    struct signing row = signings[i];
    unsigned r = index_add(g, row.e, g->x_mod_order[row.k]), s = 0;
    unsigned numerator = index_add(g, row.k, g->order - index_mul(g, r, row.d));
    gecc_item status = GECC_ITEM_OK;
    if (key_is_refused(g, row.d))
        status = GECC_ITEM_MALFORMED_SCALAR;
    else
        s = index_div(g, numerator, row.d + 1);
    if (status == GECC_ITEM_OK && (r == 0 || index_add(g, r, row.k) == 0 || s == 0))
        status = GECC_ITEM_INVALID;
    expect_row(statuses[i] == status, "sm2_sign_nonce, status", g, row);
    expect_signature(g, i, status == GECC_ITEM_OK ? r : 0, status == GECC_ITEM_OK ? s : 0);
}

static void sm2_sign_rows_given(const struct group *g, struct prng *prng, size_t count) {
    for (uint32_t flags = 0; flags <= GECC_VERIFY_SIGNATURES; flags += GECC_VERIFY_SIGNATURES) {
        job_begin(OPERATION_SM2_SIGN_NONCE, flags);
        job.curve = GECC_SM2;
        set_signing_columns(g, prng, count);
        assert_int_equal(run(sm2_sign_nonce, count), GECC_OK);
        for (size_t i = 0; i < count; i++)
            expect_sm2_signature(g, i);
    }
}

/* Valid: t = r + s is not 0, and e + x(s G + t Q) = r, the point being finite. */
static int sm2_is_valid(const struct group *g, struct signing row) {
    unsigned t = index_add(g, row.r, row.s), point = index_add(g, row.s, index_mul(g, t, row.d));
    return t != 0 && point != 0 && index_add(g, row.e, g->x_mod_order[point]) == row.r;
}

static void expect_sm2_verdict(const struct group *g, size_t i) {
    expect_row(statuses[i] == (sm2_is_valid(g, signings[i]) ? GECC_ITEM_OK : GECC_ITEM_INVALID), "sm2_verify_keys", g,
               signings[i]);
}

static void sm2_verify_rows(const struct group *g, struct prng *prng, size_t count) {
    job_begin(OPERATION_SM2_VERIFY, 0);
    set_verifying_columns(g, prng, count);
    assert_int_equal(run(sm2_verify, count), GECC_OK);
    for (size_t i = 0; i < count; i++)
        expect_row(statuses[i] == (sm2_is_valid(g, signings[i]) ? GECC_ITEM_OK : GECC_ITEM_INVALID), "sm2_verify", g,
                   signings[i]);
    run_by_keys(g, OPERATION_SM2_VERIFY_KEYS, sm2_verify_keys, 0, count, expect_sm2_verdict);
}

/* The same rows with r and s as signing makes them. */
static void sm2_verify_valid_rows(const struct group *g, struct prng *prng, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct signing *row = &signings[i];
        row->r = index_add(g, row->e, g->x_mod_order[row->k]);
        row->s = 0;
        if (row->d != g->order - 1)
            row->s = index_div(g, index_add(g, row->k, g->order - index_mul(g, row->r, row->d)), row->d + 1);
        if (row->r == 0 || row->s == 0)
            row->r = row->s = 1;
    }
    sm2_verify_rows(g, prng, count);
}

static void sm2_group(struct group *g, struct prng *prng) {
    const struct plan sign = {WITH_D | WITH_E | WITH_K, sm2_sign_rows_given};
    const struct plan any = {WITH_D | WITH_E | WITH_R | WITH_S, sm2_verify_rows};
    const struct plan valid = {WITH_D | WITH_E | WITH_K, sm2_verify_valid_rows};
    tables_of_group();
    key_sets_of_group(g);
    expect_scalar_ranges(g, prng, OPERATION_SM2_SIGN_NONCE, sm2_sign_nonce);
    expect_signature_ranges(g, prng, OPERATION_SM2_VERIFY, sm2_verify);
    try_plan(g, prng, &sign, repetitions(g->order < 14 ? SIZE_MAX : ROWS, g->order < 32 ? SIZE_MAX : 20 * ROWS));
    try_plan(g, prng, &any, repetitions(g->order < 8 ? SIZE_MAX : ROWS / 4, g->order < 20 ? SIZE_MAX : 20 * ROWS));
    try_plan(g, prng, &valid, repetitions(ROWS / 4, g->order < 30 ? SIZE_MAX : 20 * ROWS));
}

static void sm2(void **state) {
    (void)state;
    for_each_group(sm2_group, "SM2 signatures", 3);
}

/* Over the groups of the curve called `name`; the result is main's. */
static int sm2_cases(const char *name) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ec) MSM_TESTS, cmocka_unit_test(ecdsa), cmocka_unit_test(sm2)};
    return run_over_groups(name, tests, sizeof tests / sizeof tests[0]);
}

#endif
