/* The programs of papers that are measured beside the library's: the same bytes and statuses, in every way of
 * multiplying. The includer has included a machine and SM2's constants. */
#ifndef PAPERS_TESTS_POINT_CASES_H
#define PAPERS_TESTS_POINT_CASES_H

/* As on a GPU, which these programs are for: what rechecks look at, digits of windows, they do not have. */
#undef LANE_RECHECKS
#define LANE_RECHECKS 0
#include "papers/kernels/programs.h"

#include "papers/kernels/sharing.h"
#include "papers/kernels/simple.h"

#include "support/prng.h"

enum { ROWS = 24, POINT_BYTES = 65, ARENA_BYTES = ROWS * PAPERS_SLOT_BYTES + PAPERS_BYTES };

static struct rows {
    uint8_t keys[ROWS][32], points[ROWS][POINT_BYTES], digests[ROWS][32], nonces[ROWS][32], signatures[ROWS][64];
} rows;
static gecc_context *library;
static _Alignas(64) uint8_t memory[ARENA_BYTES];
static limb powers[SCALAR_BITS * ROW_LIMBS];

/* n of SM2: GB/T 32918.5, 2. */
static const uint8_t order[32] = {0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0xff, 0x72, 0x03, 0xdf, 0x6b, 0x21, 0xc6,
                                  0x05, 0x2b, 0x53, 0xbb, 0xf4, 0x09, 0x39, 0xd5, 0x41, 0x23};

/* Every way that is measured, and those between. */
static const struct ways all_ways[] = {
    {0, 0, BY_COLUMNS, FUSED, FERMAT_INVERSIONS}, {0, 0, BY_COLUMNS, FUSED, BATCH_INVERSIONS},
    {1, 0, BY_COLUMNS, FUSED, BATCH_INVERSIONS},  {1, 1, BY_COLUMNS, FUSED, BATCH_INVERSIONS},
    {1, 1, BY_COLUMNS, APART, BATCH_INVERSIONS},  {1, 1, BY_SLOTS, FUSED, BATCH_INVERSIONS},
    {1, 1, BY_SLOTS, APART, BATCH_INVERSIONS},
};
enum { WAYS = sizeof all_ways / sizeof *all_ways };

static struct arena arena_fresh(void) {
    struct arena arena = {memory, sizeof memory, 0};
    memset(memory, 0xcc, sizeof memory);
    return arena;
}

static int make_rows(void **state) {
    (void)state;
    struct prng prng = prng_for("papers");
    gecc_config config = GECC_CONFIG_INIT;
    struct worker all = worker_of_chunk(SCALAR_BITS);
    uint8_t status[ROWS];
    config.backend = "cpu";
    assert_int_equal(gecc_open(&library, &config), GECC_OK);
    prng_bytes(&prng, rows.keys, sizeof rows.keys);
    prng_bytes(&prng, rows.digests, sizeof rows.digests);
    prng_bytes(&prng, rows.nonces, sizeof rows.nonces);
    powers_fill(&all, powers);
    assert_int_equal(gecc_ec_public_key(library, GECC_SM2, gecc_out_packed(rows.points, POINT_BYTES),
                                        gecc_out_packed(status, 1), gecc_rows_packed(rows.keys, 32), ROWS, NULL),
                     GECC_OK);
    return gecc_sm2_sign(library, gecc_out_packed(rows.signatures, 64), gecc_out_packed(status, 1),
                         gecc_rows_packed(rows.keys, 32), gecc_rows_packed(rows.digests, 32), gecc_rows_none(), ROWS,
                         NULL) != GECC_OK;
}

static int close_library(void **state) {
    (void)state;
    gecc_close(library);
    return 0;
}

/* Random ones, and 0, 1, 2, n, n - 1, n + 1, 2^255, 2^256 - 1, and what has a carry in every digit of its form. */
static void draw_scalars(uint8_t scalars[ROWS][32]) {
    memcpy(scalars, rows.nonces, sizeof rows.nonces);
    memset(scalars[0], 0, 3 * sizeof scalars[0]);
    scalars[1][31] = 1;
    scalars[2][31] = 2;
    for (size_t i = 3; i < 6; i++)
        memcpy(scalars[i], order, 32);
    scalars[4][31]--;
    scalars[5][31]++;
    memset(scalars[6], 0, sizeof scalars[6]);
    scalars[6][0] = 0x80;
    memset(scalars[7], 0xff, sizeof scalars[7]);
    memset(scalars[8], 0xaa, sizeof scalars[8]);
    memset(scalars[9], 0xbb, sizeof scalars[9]);
}

static struct job point_job(enum operation operation, uint8_t out[ROWS][POINT_BYTES], uint8_t *status,
                            uint8_t scalars[ROWS][32]) {
    struct job job = {.operation = operation, .curve = GECC_SM2, .status = {status, 1, NULL}, .count = ROWS};
    job.in[0] = gecc_rows_packed(scalars, 32);
    job.in[1] = gecc_rows_packed(rows.points, POINT_BYTES);
    job.out[0] = gecc_out_packed(out, POINT_BYTES);
    job.out_width[0] = POINT_BYTES;
    return job;
}

static void test_multiply(void **state) {
    (void)state;
    uint8_t scalars[ROWS][32], out[ROWS][POINT_BYTES], expected[2][ROWS][POINT_BYTES];
    uint8_t status[ROWS], expected_status[2][ROWS];
    gecc_rows k = gecc_rows_packed(scalars, 32), points = gecc_rows_packed(rows.points, POINT_BYTES);
    draw_scalars(scalars);
    memset(rows.points[11], 0, POINT_BYTES); /* refused */
    assert_int_equal(gecc_ec_mul_base(library, GECC_SM2, gecc_out_packed(expected[0], POINT_BYTES),
                                      gecc_out_packed(expected_status[0], 1), k, ROWS, NULL),
                     GECC_OK);
    assert_int_equal(gecc_ec_mul(library, GECC_SM2, gecc_out_packed(expected[1], POINT_BYTES),
                                 gecc_out_packed(expected_status[1], 1), k, points, ROWS, NULL),
                     GECC_OK);
    for (int unknown = 0; unknown <= 1; unknown++)
        for (size_t i = 0; i < WAYS; i++) {
            struct arena arena = arena_fresh();
            struct job job = point_job(unknown ? OPERATION_EC_MUL : OPERATION_EC_MUL_BASE, out, status, scalars);
            memset(out, 0xcc, sizeof out);
            memset(status, 0, sizeof status);
            if (unknown)
                assert_int_equal(papers_mul(&all_ways[i], &arena, &job, 0, ROWS), GECC_OK);
            else
                assert_int_equal(papers_mul_base(&all_ways[i], &arena, powers, &job, 0, ROWS), GECC_OK);
            assert_memory_equal(out, expected[unknown], sizeof out);
            assert_memory_equal(status, expected_status[unknown], ROWS);
        }
    struct arena arena = arena_fresh();
    struct job job = point_job(OPERATION_EC_MUL, out, status, scalars);
    memset(out, 0xcc, sizeof out);
    memset(status, 0, sizeof status);
    assert_int_equal(simple_mul(&arena, &job, 0, ROWS), GECC_OK);
    assert_memory_equal(out, expected[1], sizeof out);
    assert_memory_equal(status, expected_status[1], ROWS);
}

static void test_sign(void **state) {
    (void)state;
    uint8_t nonces[ROWS][32], out[ROWS][64], expected[ROWS][64], status[ROWS], expected_status[ROWS];
    gecc_rows keys = gecc_rows_packed(rows.keys, 32), digests = gecc_rows_packed(rows.digests, 32);
    draw_scalars(nonces);
    assert_int_equal(gecc_sm2_sign_with_dangerous_nonce(library, gecc_out_packed(expected, 64),
                                                        gecc_out_packed(expected_status, 1), keys, digests,
                                                        gecc_rows_packed(nonces, 32), ROWS, NULL),
                     GECC_OK);
    for (size_t i = 0; i < WAYS; i++) {
        struct arena arena = arena_fresh();
        struct job job = {
            .operation = OPERATION_SM2_SIGN_NONCE, .curve = GECC_SM2, .status = {status, 1, NULL}, .count = ROWS};
        job.in[0] = keys;
        job.in[1] = digests;
        job.in[2] = gecc_rows_packed(nonces, 32);
        job.out[0] = gecc_out_packed(out, 64);
        job.out_width[0] = 64;
        memset(out, 0xcc, sizeof out);
        assert_int_equal(papers_sign(&all_ways[i], &arena, powers, &job, 0, ROWS), GECC_OK);
        assert_memory_equal(status, expected_status, ROWS);
        assert_memory_equal(out, expected, sizeof out);
    }
}

/* Good signatures, changed ones, malformed ones. */
static void test_verify(void **state) {
    (void)state;
    uint8_t status[ROWS], expected[ROWS];
    for (size_t i = 5; i < ROWS; i += 5)
        rows.signatures[i][i] ^= 1;
    rows.digests[8][3] ^= 1;
    memset(rows.signatures[12], 0, 32);
    gecc_rows points = gecc_rows_packed(rows.points, POINT_BYTES), digests = gecc_rows_packed(rows.digests, 32);
    gecc_rows signatures = gecc_rows_packed(rows.signatures, 64);
    assert_int_equal(gecc_sm2_verify(library, gecc_out_packed(expected, 1), points, digests, signatures, ROWS, NULL),
                     GECC_OK);
    size_t good = 0;
    for (size_t i = 0; i < ROWS; i++)
        good += expected[i] == GECC_ITEM_OK;
    assert_true(good > ROWS / 2 && good < ROWS - 5);
    for (size_t i = 0; i < WAYS; i++) {
        struct arena arena = arena_fresh();
        struct job job = {
            .operation = OPERATION_SM2_VERIFY, .curve = GECC_SM2, .status = {status, 1, NULL}, .count = ROWS};
        job.in[0] = points;
        job.in[1] = digests;
        job.in[2] = signatures;
        memset(status, 0, sizeof status);
        if (all_ways[i].layout == BY_SLOTS)
            continue;
        assert_int_equal(papers_verify(&all_ways[i], &arena, powers, &job, 0, ROWS), GECC_OK);
        assert_memory_equal(status, expected, ROWS);
    }
}

/* Pairs of finite points, and some that are equal, opposite, or have one or two infinities. */
static void draw_pairs(struct affine pairs[ROWS][2]) {
    struct jacobian r = jacobian_from_affine(affine_generator());
    for (size_t i = 0; i < ROWS; i++) {
        struct affine *a = pairs[i];
        for (int k = 0; k < 2; k++) {
            jacobian_double(&r);
            struct affine xy = {r.x, r.y};
            a[k] = affine_from_jacobian(xy, fe_inverse(r.z));
        }
        if (i == 3 || i == 4)
            a[1] = affine_negate_if(mask_set(i == 4), a[0]);
        if (i == 5 || i == 7)
            a[0] = affine_infinity();
        if (i == 6 || i == 7)
            a[1] = affine_infinity();
    }
}

/* One step of algorithm 3 and one of k G for points of every kind, beside formulas that take all of them. */
static void test_steps(void **state) {
    (void)state;
    for (int layout = BY_COLUMNS; layout <= BY_SLOTS; layout++)
        for (int fusion = FUSED; fusion <= APART; fusion++) {
            struct arena arena = arena_fresh();
            struct job job = {.count = ROWS};
            struct papers p = papers_open(&arena, &job, 0, ROWS);
            struct affine pairs[ROWS][2], sums[ROWS], doubles[ROWS];
            const struct limbs none = limbs_zero();
            draw_pairs(pairs);
            for (size_t i = 0; i < ROWS; i++) {
                struct affine a = pairs[i][0], q = pairs[i][1];
                fe sum = fe_inverse(affine_add_denominator(a, q)), twice = fe_inverse(affine_add_denominator(a, a));
                sums[i] = i % 8 == 1 ? q : affine_add(&a, &q, &sum);
                doubles[i] = affine_add(&a, &a, &twice);
                bits_store(&p, i, none);
                if (i % 8 != 1)
                    *bits_at(&p, i, 2) = 1u << 5;
                point_save((enum layout)layout, p.c.points, i, a);
                point_save((enum layout)layout, p.c.m.points, i, q);
            }
            if (fusion == FUSED)
                batch_add_double((enum layout)layout, &p, p.c.points, p.c.m.points, 69);
            else
                batch_add_double_apart((enum layout)layout, &p, p.c.points, p.c.m.points, 69);
            for (size_t i = 0; i < ROWS; i++) {
                struct affine twice = point_load((enum layout)layout, p.c.points, i);
                struct affine sum = point_load((enum layout)layout, p.c.m.points, i);
                assert_true(mask_any(fe_equal(twice.x, doubles[i].x) & fe_equal(twice.y, doubles[i].y)));
                assert_true(mask_any(fe_equal(sum.x, sums[i].x) & fe_equal(sum.y, sums[i].y)));
            }
        }
}

static void test_fermat(void **state) {
    (void)state;
    struct prng prng = prng_for("papers, Fermat");
    for (int i = 0; i < 20; i++) {
        fe a = fe_zero();
        for (int j = 0; j < LIMBS && i > 0; j++)
            a.v[j] = (limb)prng_next(&prng);
        a = i == 1 ? fe_one() : fe_encode(a);
        assert_true(mask_any(fe_equal(modular_fermat(&CURVE.p, a), fe_inverse(a))));
    }
}

/* Rows 0, 1, p and random ones, in every way of sharing, beside one inversion for each. */
static void test_inverses(void **state) {
    (void)state;
    uint8_t in[ROWS][32], out[ROWS][32], expected[ROWS][32];
    struct limbs p = limbs_set(&CURVE.p.m);
    struct job job = {.count = ROWS};
    struct lane_words words;
    memcpy(in, rows.nonces, sizeof in);
    memset(in[0], 0, sizeof in[0]);
    memset(in[1], 0, sizeof in[1]);
    in[1][31] = 1;
    words_from_limbs(&words, p);
    words_write(in[2], &words, 0, 32);
    job.in[0] = gecc_rows_packed(in, 32);
    job.out[0] = gecc_out_packed(out, 32);
    for (size_t i = 0; i < ROWS; i++) {
        lane32 status = status_ok();
        fe a = fe_inverse(fe_encode(integer_read(0, &job.in[0], i, 1, 32, &status)));
        const gecc_out row = gecc_out_packed(expected, 32);
        integer_write(0, &row, i, 1, 32, fe_decode(a));
    }
    for (int sharing = EACH_BY_STEPS; sharing <= ONE_A_SCHEDULER; sharing++) {
        struct arena arena = arena_fresh();
        memset(out, 0xcc, sizeof out);
        inverse_rows((enum sharing)sharing, &arena, &job, 0, ROWS);
        assert_memory_equal(out, expected, sizeof out);
    }
}

/* G + times P, for a P that is -G too. */
static void test_sums(void **state) {
    (void)state;
    enum { TIMES = 5 };
    uint8_t points[ROWS][POINT_BYTES], out[ROWS][POINT_BYTES], expected[ROWS][POINT_BYTES];
    uint8_t status[ROWS], expected_status[ROWS], scalars[ROWS][32], u[32] = {0}, v[32] = {0};
    u[31] = 1;
    v[31] = TIMES;
    memcpy(scalars, rows.nonces, sizeof scalars);
    memcpy(scalars[0], order, 32);
    scalars[0][31]--;
    memcpy(scalars[1], u, 32);
    assert_int_equal(gecc_ec_mul_base(library, GECC_SM2, gecc_out_packed(points, POINT_BYTES),
                                      gecc_out_packed(status, 1), gecc_rows_packed(scalars, 32), ROWS, NULL),
                     GECC_OK);
    assert_int_equal(gecc_ec_mul_add(library, GECC_SM2, gecc_out_packed(expected, POINT_BYTES),
                                     gecc_out_packed(expected_status, 1), gecc_rows_same(u, 32), gecc_rows_same(v, 32),
                                     gecc_rows_packed(points, POINT_BYTES), ROWS, NULL),
                     GECC_OK);
    for (int affine = 0; affine <= 1; affine++) {
        struct arena arena = arena_fresh();
        struct job job = point_job(OPERATION_EC_ADD, out, status, scalars);
        job.in[0] = gecc_rows_packed(points, POINT_BYTES);
        memset(out, 0xcc, sizeof out);
        assert_int_equal(add_rows(affine, TIMES, &arena, &job, 0, ROWS), GECC_OK);
        assert_memory_equal(out, expected, sizeof out);
        assert_memory_equal(status, expected_status, ROWS);
    }
}

/* P + P, P - P and sums of others, as the library's. */
static void test_additions(void **state) {
    (void)state;
    uint8_t others[ROWS][POINT_BYTES], out[ROWS][POINT_BYTES], expected[ROWS][POINT_BYTES];
    uint8_t status[ROWS], expected_status[ROWS], keys[ROWS][32];
    for (size_t i = 0; i < ROWS; i++)
        memcpy(keys[i], rows.keys[i < 3 ? i : (i + 1) % ROWS], 32);
    assert_int_equal(gecc_ec_mul_base(library, GECC_SM2, gecc_out_packed(others, POINT_BYTES),
                                      gecc_out_packed(status, 1), gecc_rows_packed(keys, 32), ROWS, NULL),
                     GECC_OK);
    gecc_rows a = gecc_rows_packed(rows.points, POINT_BYTES), b = gecc_rows_packed(others, POINT_BYTES);
    assert_int_equal(gecc_ec_add(library, GECC_SM2, gecc_out_packed(expected, POINT_BYTES),
                                 gecc_out_packed(expected_status, 1), a, b, ROWS, NULL),
                     GECC_OK);
    struct arena arena = arena_fresh();
    struct job job = point_job(OPERATION_EC_ADD, out, status, keys);
    job.in[0] = a;
    job.in[1] = b;
    memset(out, 0xcc, sizeof out);
    assert_int_equal(papers_add(&arena, &job, 0, ROWS), GECC_OK);
    assert_memory_equal(out, expected, sizeof out);
    assert_memory_equal(status, expected_status, ROWS);
}

static int papers_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps), cmocka_unit_test(test_fermat),    cmocka_unit_test(test_multiply),
        cmocka_unit_test(test_sign),  cmocka_unit_test(test_verify),    cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_sums),  cmocka_unit_test(test_additions),
    };
    return cmocka_run_group_tests(tests, make_rows, close_library);
}

#endif
