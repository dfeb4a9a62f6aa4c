/* Numbers of keys that repeat, which several threads give at once: rows have the same number only if they have the same
 * key, and nearly always if they do.
 *
 * Test: fast */
#include "backend/cuda/card/repeats.h"
#include "backend/key_column.h"
#include "support/memory.h"
#include "support/prng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 200000, POINT = 65, X = 32, NO_TABLES = 1, THREADS = 16 };

struct rows {
    uint8_t key[ROWS][POINT];
    uint8_t status[ROWS];
};

/* Keys by turns of a generator. */
static struct rows *rows_with(size_t keys) {
    struct rows *rows = memory_new(1, sizeof *rows);
    struct prng prng = prng_for("keys");
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t key = (uint32_t)prng_below(&prng, keys);
        memcpy(rows->key[i] + 17, &key, sizeof key);
    }
    return rows;
}

static struct job job_of(struct rows *rows, gecc_curve curve) {
    struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = curve, .count = ROWS};
    job.in[0] = gecc_rows_packed(rows->key, POINT);
    job.status = gecc_out_packed(rows->status, 1);
    return job;
}

static uint32_t number_at(const struct numbered *numbered, size_t i) {
    return ((const uint32_t *)numbered->rows.in[0].data)[numbered->rows.in[0].stride == 0 ? 0 : i];
}

static void check_numbers(const struct numbered *numbered, const struct job *job, size_t keys) {
    assert_int_equal(numbered->different, keys);
    assert_in_range(numbered->keys.count, keys, keys + THREADS);
    assert_int_equal(numbered->rows.keys.count, numbered->keys.count);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(number_at(numbered, i) < numbered->keys.count);
        struct key_encoding given = key_at(&job->in[0], i),
                            found = key_at(&numbered->keys.in[0], number_at(numbered, i));
        assert_int_equal(given.width, found.width);
        assert_memory_equal(given.data, found.data, given.width);
    }
}

static void numbers(void **state) {
    (void)state;
    for (size_t keys = 1; keys <= 900; keys *= 30) {
        struct rows *rows = rows_with(keys);
        struct job job = job_of(rows, GECC_P256);
        struct numbered numbered;
        assert_true(gecc_numbered_make(&numbered, &job, 0));
        assert_int_equal(numbered.rows.operation, OPERATION_ECDSA_VERIFY_KEYS);
        check_numbers(&numbered, &job, keys);
        gecc_numbered_free(&numbered);
        assert_false(gecc_numbered_make(&numbered, &job, NO_TABLES));
        free(rows);
    }
}

/* All rows with the first one's key, and rows of widths of their own. */
static void columns(void **state) {
    struct rows *rows = rows_with(100);
    struct job job = job_of(rows, GECC_P384);
    struct numbered numbered;
    uint32_t *widths = memory_new(ROWS, sizeof *widths);
    (void)state;
    job.in[0] = gecc_rows_same(rows->key, POINT);
    assert_true(gecc_numbered_make(&numbered, &job, 0));
    assert_int_equal(numbered.rows.in[0].stride, 0);
    check_numbers(&numbered, &job, 1);
    gecc_numbered_free(&numbered);
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t key;
        memcpy(&key, rows->key[i] + 17, sizeof key);
        widths[i] = key % 2 == 0 ? POINT : POINT - 1;
    }
    job.in[0] = (gecc_rows){rows->key, POINT, POINT, widths, NULL};
    assert_true(gecc_numbered_make(&numbered, &job, 0));
    check_numbers(&numbered, &job, 100);
    gecc_numbered_free(&numbered);
    free(widths);
    free(rows);
}

/* x-only keys become points; one of another width becomes none. */
static void x_only(void **state) {
    struct rows *rows = rows_with(50);
    struct job job = job_of(rows, GECC_SECP256K1);
    struct numbered numbered;
    (void)state;
    job.operation = OPERATION_SCHNORR_VERIFY;
    job.in[0] = gecc_rows_strided(rows->key, X, POINT);
    assert_true(gecc_numbered_make(&numbered, &job, 0));
    assert_int_equal(numbered.rows.operation, OPERATION_SCHNORR_VERIFY_KEYS);
    for (size_t i = 0; i < ROWS; i++) {
        struct key_encoding point = key_at(&numbered.keys.in[0], number_at(&numbered, i));
        assert_int_equal(point.width, 1 + X);
        assert_int_equal(point.data[0], 2);
        assert_memory_equal(point.data + 1, rows->key[i], X);
    }
    gecc_numbered_free(&numbered);
    free(rows);
}

/* Too few rows of each key, though a sample has some again; rows in device memory; an operation without keys. */
static void refusals(void **state) {
    struct rows *rows = rows_with(ROWS / 70);
    struct job job = job_of(rows, GECC_P256), other;
    struct numbered numbered;
    (void)state;
    assert_false(gecc_numbered_make(&numbered, &job, 0));
    free(rows);
    rows = rows_with(10);
    job = other = job_of(rows, GECC_P256);
    assert_true(gecc_numbered_make(&numbered, &job, 0));
    gecc_numbered_free(&numbered);
    other.on_device = JOB_IN_ON_DEVICE;
    assert_false(gecc_numbered_make(&numbered, &other, 0));
    other = job;
    other.operation = OPERATION_ECDH;
    assert_false(gecc_numbered_make(&numbered, &other, 0));
    free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(columns), cmocka_unit_test(x_only),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
