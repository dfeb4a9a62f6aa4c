/* The programs that a breakdown of the GPU's speed compares with: the same bytes and statuses as the library's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/machine.h"

#include "limbs/portable/multiply.h"

#include "curve/generated/secp256k1.gen.h"

static int batched;
#define BATCHED batched
#include "papers/breakdown/breakdown.h"

#include "support/prng.h"

enum { ROWS = 40, POINT_BYTES = 65, ARENA_BYTES = ROWS * PLAIN_SLOT_BYTES + PLAIN_BYTES };

static struct rows {
    uint8_t keys[ROWS][32], points[ROWS][POINT_BYTES], digests[ROWS][32], signatures[ROWS][64], status[ROWS];
} rows;
static gecc_context *library;
static _Alignas(64) uint8_t memory[ARENA_BYTES];

/* n of secp256k1: SEC 2 (version 2.0), 2.4.1. */
static const uint8_t order[32] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                  0xff, 0xff, 0xff, 0xff, 0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48,
                                  0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41};

static int make_rows(void **state) {
    (void)state;
    struct prng prng = prng_for("breakdown");
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    assert_int_equal(gecc_open(&library, &config), GECC_OK);
    prng_bytes(&prng, rows.keys, sizeof rows.keys);
    prng_bytes(&prng, rows.digests, sizeof rows.digests);
    memset(rows.digests[4], 0, 32);
    gecc_out status = gecc_out_packed(rows.status, 1);
    gecc_rows keys = gecc_rows_packed(rows.keys, 32), digests = gecc_rows_packed(rows.digests, 32);
    assert_int_equal(gecc_ec_public_key(library, GECC_SECP256K1, gecc_out_packed(rows.points, POINT_BYTES), status,
                                        keys, ROWS, NULL),
                     GECC_OK);
    return gecc_ecdsa_sign(library, GECC_SECP256K1, gecc_out_packed(rows.signatures, 64), gecc_out_none(), status, keys,
                           digests, gecc_rows_none(), ROWS, NULL) != GECC_OK;
}

static int close_library(void **state) {
    (void)state;
    gecc_close(library);
    return 0;
}

/* Scalars 0, 1, n, n - 1 and 2^256 - 1 among random ones. */
static void test_mul_base(void **state) {
    (void)state;
    uint8_t scalars[ROWS][32], out[ROWS][POINT_BYTES], expected[ROWS][POINT_BYTES], status[ROWS], expected_status[ROWS];
    memcpy(scalars, rows.keys, sizeof scalars);
    memset(scalars[0], 0, 32);
    memset(scalars[1], 0, 32);
    scalars[1][31] = 1;
    memcpy(scalars[2], order, 32);
    memcpy(scalars[3], order, 32);
    scalars[3][31]--;
    memset(scalars[ROWS - 1], 0xff, 32);
    assert_int_equal(gecc_ec_mul_base(library, GECC_SECP256K1, gecc_out_packed(expected, POINT_BYTES),
                                      gecc_out_packed(expected_status, 1), gecc_rows_packed(scalars, 32), ROWS, NULL),
                     GECC_OK);
    struct job job = {
        .operation = OPERATION_EC_MUL_BASE, .curve = GECC_SECP256K1, .status = {status, 1, NULL}, .count = ROWS};
    job.in[0] = gecc_rows_packed(scalars, 32);
    job.out[0] = gecc_out_packed(out, POINT_BYTES);
    job.out_width[0] = POINT_BYTES;
    for (batched = 0; batched <= 1; batched++) {
        struct arena arena = {memory, sizeof memory, 0};
        memset(out, 0xcc, sizeof out);
        assert_int_equal(plain_mul_base(&arena, &job, 0, ROWS), GECC_OK);
        assert_memory_equal(out, expected, sizeof out);
        assert_memory_equal(status, expected_status, ROWS);
    }
}

/* Good signatures, changed ones, malformed ones. */
static void test_verify(void **state) {
    (void)state;
    uint8_t status[ROWS], expected[ROWS];
    for (size_t i = 5; i < ROWS; i += 5)
        rows.signatures[i][i] ^= 1;
    rows.points[7][40] ^= 1;
    rows.digests[8][3] ^= 1;
    memset(rows.signatures[11], 0, 32);
    gecc_rows points = gecc_rows_packed(rows.points, POINT_BYTES), digests = gecc_rows_packed(rows.digests, 32);
    gecc_rows signatures = gecc_rows_packed(rows.signatures, 64);
    assert_int_equal(gecc_ecdsa_verify(library, GECC_SECP256K1, gecc_out_packed(expected, 1), points, digests,
                                       signatures, ROWS, NULL),
                     GECC_OK);
    struct job job = {
        .operation = OPERATION_ECDSA_VERIFY, .curve = GECC_SECP256K1, .status = {status, 1, NULL}, .count = ROWS};
    job.in[0] = points;
    job.in[1] = digests;
    job.in[2] = signatures;
    size_t good = 0;
    for (size_t i = 0; i < ROWS; i++)
        good += expected[i] == GECC_ITEM_OK;
    assert_true(good > ROWS / 2 && good < ROWS - 5);
    for (batched = 0; batched <= 1; batched++) {
        struct arena arena = {memory, sizeof memory, 0};
        memset(status, 0, sizeof status);
        assert_int_equal(plain_verify(&arena, &job, 0, ROWS), GECC_OK);
        assert_memory_equal(status, expected, ROWS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mul_base),
        cmocka_unit_test(test_verify),
    };
    return cmocka_run_group_tests(tests, make_rows, close_library);
}
