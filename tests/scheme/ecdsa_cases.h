/* ECDSA, and multiples and sums of points, in small groups. */
#ifndef TESTS_SCHEME_ECDSA_CASES_H
#define TESTS_SCHEME_ECDSA_CASES_H

#include "ec_cases.h"

static const uint32_t signing_flags[] = {0, GECC_LOW_S, GECC_ANY_S, GECC_LOW_S | GECC_VERIFY_SIGNATURES};

/* r = x(k G) mod n, s = (e + r d) / k, none of them 0; low s changes R's parity. */
static void expect_ecdsa_signature(const struct group *g, size_t i) {
    struct signing row = signings[i];
    unsigned r = g->x_mod_order[row.k], s = index_div(g, index_add(g, row.e, index_mul(g, r, row.d)), row.k);
    unsigned odd = mpz_odd_p(g->y[row.k]) ? 1 : 0, over = mpz_cmp_ui(g->x[row.k], g->order) >= 0 ? 2 : 0;
    if ((job.flags & GECC_LOW_S) != 0 && s > g->order / 2) {
        s = g->order - s;
        odd ^= 1;
    }
    gecc_item status = key_is_refused(g, row.d) ? GECC_ITEM_MALFORMED_SCALAR
                       : r == 0 || s == 0       ? GECC_ITEM_INVALID
                                                : GECC_ITEM_OK;
    int exists = status == GECC_ITEM_OK;
    expect_row(statuses[i] == status, "ecdsa_sign_nonce, status", g, row);
    expect_signature(g, i, exists ? r : 0, exists ? s : 0);
    expect_row(recovery_ids[i] == (exists ? over | odd : 0), "recovery id", g, signings[i]);
}

static void ecdsa_sign_rows_given(const struct group *g, struct prng *prng, size_t count) {
    for (size_t f = 0; f < sizeof signing_flags / sizeof signing_flags[0]; f++) {
        job_begin(OPERATION_ECDSA_SIGN_NONCE, signing_flags[f]);
        set_signing_columns(g, prng, count);
        job.out[1] = gecc_out_packed(recovery_ids, 1);
        assert_int_equal(run(ecdsa_sign_nonce, count), GECC_OK);
        for (size_t i = 0; i < count; i++)
            expect_ecdsa_signature(g, i);
    }
}

static void ecdsa_sign_group(const struct group *g, struct prng *prng) {
    const struct plan plan = {WITH_D | WITH_E | WITH_K, ecdsa_sign_rows_given};
    try_plan(g, prng, &plan, repetitions(g->order < 14 ? SIZE_MAX : ROWS, g->order < 32 ? SIZE_MAX : 20 * ROWS));
}

/* Valid: x((e G + r Q) / s) mod n = r, the point being finite. */
static int ecdsa_is_valid(const struct group *g, struct signing row) {
    unsigned sum = index_add(g, row.e, index_mul(g, row.r, row.d)), point = index_div(g, sum, row.s);
    return point != 0 && g->x_mod_order[point] == row.r;
}

static void expect_ecdsa_verdict(const struct group *g, size_t i) {
    expect_row(statuses[i] == (ecdsa_is_valid(g, signings[i]) ? GECC_ITEM_OK : GECC_ITEM_INVALID), "ecdsa_verify_keys",
               g, signings[i]);
}

static void ecdsa_verify_rows(const struct group *g, struct prng *prng, size_t count) {
    job_begin(OPERATION_ECDSA_VERIFY, 0);
    set_verifying_columns(g, prng, count);
    assert_int_equal(run(ecdsa_verify, count), GECC_OK);
    for (size_t i = 0; i < count; i++)
        expect_row(statuses[i] == (ecdsa_is_valid(g, signings[i]) ? GECC_ITEM_OK : GECC_ITEM_INVALID), "ecdsa_verify",
                   g, signings[i]);
    run_by_keys(g, OPERATION_ECDSA_VERIFY_KEYS, ecdsa_verify_keys, 0, count, expect_ecdsa_verdict);
}

/* The same rows with r and s from x(k G), so that about all of them are valid. */
static void ecdsa_verify_valid_rows(const struct group *g, struct prng *prng, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct signing *row = &signings[i];
        row->r = g->x_mod_order[row->k];
        row->s = index_div(g, index_add(g, row->e, index_mul(g, row->r, row->d)), row->k);
        if (row->r == 0 || row->s == 0)
            row->r = row->s = 1;
    }
    ecdsa_verify_rows(g, prng, count);
}

static void ecdsa_verify_group(const struct group *g, struct prng *prng) {
    const struct plan any = {WITH_D | WITH_E | WITH_R | WITH_S, ecdsa_verify_rows};
    const struct plan valid = {WITH_D | WITH_E | WITH_K, ecdsa_verify_valid_rows};
    try_plan(g, prng, &any, repetitions(g->order < 8 ? SIZE_MAX : ROWS / 4, g->order < 20 ? SIZE_MAX : 20 * ROWS));
    try_plan(g, prng, &valid, repetitions(ROWS / 4, g->order < 30 ? SIZE_MAX : 20 * ROWS));
}

/* v P for a point anywhere on the curve, |v| small, by GMP. Returns whether it is finite. */
static int reference_multiply(mpz_t x, mpz_t y, const struct ring *p, const mpz_t px, const mpz_t py, int v) {
    mpz_t a;
    int steps = v < 0 ? -v : v;
    mpz_init(a);
    curve_coefficient_a(a, &CURVE);
    mpz_set(x, px);
    mpz_set(y, py);
    for (int i = 1; i < steps; i++)
        reference_add(x, y, x, y, px, py, a, p->m);
    if (v < 0)
        mpz_sub(y, p->m, y);
    mpz_clear(a);
    return v != 0;
}

/* The x of R for recovery: r, or r + n with bit 1 of the id. Such an x is hardly ever in the small group, so R is a
 * point of the curve of some large order, by which a scalar acts as its least absolute residue, as scalar_fold makes
 * it. */
static int reference_lift(mpz_t x, mpz_t y, const struct ring *p, const struct group *g, struct signing row, int id) {
    mpz_t t;
    mpz_init(t);
    curve_coefficient_a(t, &CURVE);
    mpz_set_ui(x, row.r + (id & 2 ? g->order : 0));
    mpz_powm_ui(y, x, 3, p->m);
    mpz_addmul(y, x, t);
    mpz_add(y, y, g->b);
    mpz_add_ui(t, p->m, 1);
    mpz_fdiv_q_2exp(t, t, 2);
    mpz_mod(y, y, p->m);
    int exists = mpz_legendre(y, p->m) >= 0;
    mpz_powm(y, y, t, p->m);
    if (mpz_odd_p(y) != (id & 1))
        mpz_sub(y, p->m, y);
    mpz_clear(t);
    return exists;
}

/* Q = (s / r) R - (e / r) G, by GMP. */
static int reference_recover(mpz_t x, mpz_t y, const struct ring *p, const struct group *g, struct signing row,
                             int id) {
    mpz_t rx, ry, a;
    unsigned u = index_div(g, (g->order - row.e) % g->order, row.r), v = index_div(g, row.s, row.r);
    mpz_inits(rx, ry, NULL);
    mpz_init(a);
    curve_coefficient_a(a, &CURVE);
    int exists = reference_lift(rx, ry, p, g, row, id);
    if (exists) {
        reference_multiply(x, y, p, rx, ry, v > g->order / 2 ? (int)v - (int)g->order : (int)v);
        if (u != 0)
            reference_add(x, y, x, y, g->x[u], g->y[u], a, p->m);
    }
    mpz_clears(rx, ry, a, NULL);
    return exists;
}

static void expect_recovered(const struct group *g, const struct ring *p, size_t i) {
    uint8_t expected[2 * ROW_BYTES] = {0};
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    int exists = reference_recover(x, y, p, g, signings[i], recovery_ids[i]);
    if (exists) {
        write_integer(expected, x);
        write_integer(expected + ROW_BYTES, y);
    }
    expect_row(statuses[i] == (exists ? GECC_ITEM_OK : GECC_ITEM_INVALID), "ecdsa_recover, status", g, signings[i]);
    expect_row(memcmp(recovered[i], expected, sizeof expected) == 0, "ecdsa_recover", g, signings[i]);
    mpz_clears(x, y, NULL);
}

static void ecdsa_recover_rows(const struct group *g, struct prng *prng, size_t count) {
    struct ring p;
    ring_open(&p, &FIELD_CURVE.p);
    job_begin(OPERATION_ECDSA_RECOVER, 0);
    set_verifying_columns(g, prng, count);
    for (size_t i = 0; i < count; i++)
        recovery_ids[i] = (uint8_t)prng_below(prng, 4);
    job.in[0] = message_digests();
    job.in[1] = gecc_rows_packed(signatures, 2 * ROW_BYTES);
    job.in[2] = gecc_rows_packed(recovery_ids, 1);
    job.out[0] = gecc_out_packed(recovered, 2 * ROW_BYTES);
    assert_int_equal(run(ecdsa_recover, count), GECC_OK);
    for (size_t i = 0; i < count; i++)
        expect_recovered(g, &p, i);
    ring_close(&p);
}

static void ecdsa_recover_group(const struct group *g, struct prng *prng) {
    const struct plan plan = {WITH_E | WITH_R | WITH_S, ecdsa_recover_rows};
    try_plan(g, prng, &plan, repetitions(g->order < 8 ? SIZE_MAX : ROWS / 4, g->order < 20 ? SIZE_MAX : 10 * ROWS));
}

/* Recovery not with an endomorphism: it acts as lambda on the small group alone, and R is outside. */
static void ecdsa_group(struct group *g, struct prng *prng) {
    tables_of_group();
    key_sets_of_group(g);
    expect_scalar_ranges(g, prng, OPERATION_ECDSA_SIGN_NONCE, ecdsa_sign_nonce);
    expect_signature_ranges(g, prng, OPERATION_ECDSA_VERIFY, ecdsa_verify);
    ecdsa_sign_group(g, prng);
    ecdsa_verify_group(g, prng);
    if (!CURVE.has_glv)
        ecdsa_recover_group(g, prng);
}

static void ecdsa(void **state) {
    (void)state;
    for_each_group(ecdsa_group, "ECDSA", 3);
}

/* Over the groups of the curve called `name`; the result is main's. */
static inline int ecdsa_cases(const char *name) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ec) MSM_TESTS, cmocka_unit_test(ecdsa)};
    return run_over_groups(name, tests, sizeof tests / sizeof tests[0]);
}

#endif
