/* Multiples and sums of points in small groups, as programs. */
#ifndef TESTS_SCHEME_EC_CASES_H
#define TESTS_SCHEME_EC_CASES_H

#include "scheme/ec.h"

#include "keys_cases.h"
#include "msm_cases.h"

static uint8_t others[ROWS][2 * ROW_BYTES], sums[ROWS][2 * ROW_BYTES];

/* The rows' sums are the points with these indices. */
static void expect_points(const char *what, const struct group *g, size_t count,
                          unsigned (*index)(const struct group *g, struct signing row)) {
    uint8_t point[2 * ROW_BYTES];
    for (size_t i = 0; i < count; i++) {
        unsigned expected = index(g, signings[i]);
        gecc_item status = expected == 0 ? GECC_ITEM_INFINITY : GECC_ITEM_OK;
        memset(point, 0, sizeof point);
        if (expected != 0)
            write_point(point, g, expected);
        expect_row(statuses[i] == status && memcmp(sums[i], point, sizeof point) == 0, what, g, signings[i]);
    }
}

static void job_begin_sums(enum operation operation, uint32_t flags) {
    job_begin(operation, flags);
    job.out[0] = gecc_out_packed(sums, 2 * ROW_BYTES);
    memset(sums, 0xa5, sizeof sums);
}

static unsigned index_of_sum(const struct group *g, struct signing row) { return index_add(g, row.d, row.k); }
static unsigned index_of_double(const struct group *g, struct signing row) { return index_add(g, row.d, row.d); }
static unsigned index_of_base(const struct group *g, struct signing row) { return (void)g, row.e; }
static unsigned index_of_multiple(const struct group *g, struct signing row) { return index_mul(g, row.e, row.d); }
static unsigned index_of_multiples(const struct group *g, struct signing row) {
    return index_add(g, row.e, index_mul(g, row.k, row.d));
}

static void ec_sum_rows(const struct group *g, size_t count) {
    job_begin_sums(OPERATION_EC_ADD, 0);
    job.in[0] = gecc_rows_packed(points, 2 * ROW_BYTES);
    job.in[1] = gecc_rows_packed(others, 2 * ROW_BYTES);
    assert_int_equal(run(ec_add, count), GECC_OK);
    expect_points("ec_add", g, count, index_of_sum);
    job_begin_sums(OPERATION_EC_DOUBLE, 0);
    job.in[0] = gecc_rows_packed(points, 2 * ROW_BYTES);
    assert_int_equal(run(ec_double, count), GECC_OK);
    expect_points("ec_double", g, count, index_of_double);
}

static void ec_multiply_rows(const struct group *g, size_t count, uint32_t flags) {
    job_begin_sums(OPERATION_EC_MUL_BASE, flags);
    job.in[0] = gecc_rows_packed(digests, ROW_BYTES);
    assert_int_equal(run(ec_mul_base, count), GECC_OK);
    expect_points("ec_mul_base", g, count, index_of_base);
    job_begin_sums(OPERATION_EC_MUL, flags);
    job.in[0] = gecc_rows_packed(digests, ROW_BYTES);
    job.in[1] = gecc_rows_packed(points, 2 * ROW_BYTES);
    assert_int_equal(run(ec_mul, count), GECC_OK);
    expect_points("ec_mul", g, count, index_of_multiple);
    job_begin_sums(OPERATION_EC_MUL_ADD, flags);
    job.in[0] = gecc_rows_packed(digests, ROW_BYTES);
    job.in[1] = gecc_rows_packed(nonces, ROW_BYTES);
    job.in[2] = gecc_rows_packed(points, 2 * ROW_BYTES);
    assert_int_equal(run(ec_mul_add, count), GECC_OK);
    expect_points("ec_mul_add", g, count, index_of_multiples);
}

static void expect_multiples(const struct group *g, size_t i) {
    uint8_t point[2 * ROW_BYTES] = {0};
    unsigned expected = index_of_multiples(g, signings[i]);
    if (expected != 0)
        write_point(point, g, expected);
    expect_row(statuses[i] == (expected == 0 ? GECC_ITEM_INFINITY : GECC_ITEM_OK) &&
                   memcmp(sums[i], point, sizeof point) == 0,
               "ec_mul_add_keys", g, signings[i]);
}

/* P = d G, another point k G; scalars e, and k. */
static void ec_rows(const struct group *g, struct prng *prng, size_t count) {
    for (size_t i = 0; i < count; i++) {
        write_point(points[i], g, signings[i].d);
        write_point(others[i], g, signings[i].k);
        write_digest(digests[i], g, signings[i].e, prng);
        write_digest(nonces[i], g, signings[i].k, prng);
    }
    ec_sum_rows(g, count);
    ec_multiply_rows(g, count, 0);
    ec_multiply_rows(g, count, GECC_PUBLIC_SCALARS);
    run_by_keys(g, OPERATION_EC_MUL_ADD_KEYS, ec_mul_add_keys, 2, count, expect_multiples);
}

static void ec_group(struct group *g, struct prng *prng) {
    const struct plan plan = {WITH_D | WITH_E | WITH_K, ec_rows};
    tables_of_group();
    key_sets_of_group(g);
    try_plan(g, prng, &plan, repetitions(g->order < 8 ? SIZE_MAX : ROWS / 4, g->order < 14 ? SIZE_MAX : 2 * ROWS));
}

static void ec(void **state) {
    (void)state;
    for_each_group(ec_group, "multiples and sums", 3);
}

#endif
