/* Numbers of keys that repeat: those that a sample shows to have rows enough get one each, which every row with that
 * key is given chunk by chunk; rows with other keys get none.
 *
 * Test: fast; link -Wl,--wrap=malloc -Wl,--wrap=calloc */
#include "backend/cuda/cards/repeats.h"
#include "backend/job_rows.h"
#include "backend/key_column.h"
#include "backend/least.h"
#include "support/prng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROWS = 200000, POINT = 65, X = 32, NO_TABLES = 1, CHUNK = 70000 };

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

static size_t allocations_left = SIZE_MAX; /* until one fails, and the others after it */

static bool allocation_fails(void) {
    if (allocations_left == 0)
        return true;
    allocations_left -= allocations_left != SIZE_MAX;
    return false;
}

void *__wrap_malloc(size_t bytes) { return allocation_fails() ? NULL : __real_malloc(bytes); }
void *__wrap_calloc(size_t count, size_t bytes) { return allocation_fails() ? NULL : __real_calloc(count, bytes); }

struct rows {
    uint8_t key[ROWS][POINT];
    uint8_t status[ROWS];
};

/* Keys by turns of a generator. */
static struct rows *rows_with(size_t keys) {
    struct rows *rows = calloc(1, sizeof *rows);
    struct prng prng = prng_for("keys");
    assert_non_null(rows);
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

/* Have all numbers made, of two parts of the job, each in chunks. Freed by the caller. */
static uint32_t *make_numbers(const struct numbered *numbered) {
    uint32_t *number = calloc(ROWS, sizeof *number);
    assert_non_null(number);
    for (size_t from = 0; from < ROWS && numbered->packer.pack != NULL; from += ROWS / 2) {
        const struct job part = job_rows(&numbered->rows, from, ROWS / 2);
        for (size_t first = 0; first < part.count; first += CHUNK)
            numbered->packer.pack(&numbered->packer, &part, first, least(first + CHUNK, part.count),
                                  (uint8_t *)(number + from + first));
    }
    return number;
}

static void check_row(const struct numbered *numbered, const struct job *job, size_t i, uint32_t number) {
    struct key_encoding given = key_at(&job->in[0], i), found = key_at(&numbered->keys.in[0], number);
    assert_int_equal(given.width, found.width);
    assert_memory_equal(given.data, found.data, given.width);
}

/* A sample may miss a key in a hundred. */
static void check_numbers(const struct numbered *numbered, const struct job *job, size_t keys) {
    const size_t found = numbered->keys.count;
    size_t without = 0;
    assert_in_range(found, keys - keys / 100, keys);
    assert_int_equal(numbered->rows.keys.count, found);
    uint32_t *number = make_numbers(numbered);
    for (size_t i = 0; i < ROWS; i++) {
        without += number[i] == NO_KEY_NUMBER;
        if (number[i] == NO_KEY_NUMBER)
            continue;
        assert_true(number[i] < found);
        check_row(numbered, job, i, number[i]);
    }
    assert_in_range(without, 0, 2 * (keys - found) * ROWS / keys);
    free(number);
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
    uint32_t *widths = calloc(ROWS, sizeof *widths);
    (void)state;
    assert_non_null(widths);
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
    uint32_t *number = make_numbers(&numbered);
    for (size_t i = 0; i < ROWS; i++) {
        struct key_encoding point = key_at(&numbered.keys.in[0], number[i]);
        assert_int_equal(point.width, 1 + X);
        assert_int_equal(point.data[0], 2);
        assert_memory_equal(point.data + 1, rows->key[i], X);
    }
    free(number);
    gecc_numbered_free(&numbered);
    free(rows);
}

/* Rows with a key of their own among others of ten keys have no number: few of them, or nearly half; with more of them
 * no key gets a table. */
static void rest(void **state) {
    static const size_t own_of_100[] = {1, 10, 45, 60};
    (void)state;
    for (size_t k = 0; k < sizeof own_of_100 / sizeof own_of_100[0]; k++) {
        struct rows *rows = rows_with(10);
        struct job job = job_of(rows, GECC_P256);
        struct numbered numbered;
        for (size_t i = 0; i < ROWS; i++)
            if (i % 100 < own_of_100[k])
                memcpy(rows->key[i] + 40, &i, sizeof i);
        assert_int_equal(gecc_numbered_make(&numbered, &job, 0), own_of_100[k] < 50);
        if (own_of_100[k] < 50) {
            assert_int_equal(numbered.keys.count, 10);
            uint32_t *number = make_numbers(&numbered);
            for (size_t i = 0; i < ROWS; i++)
                if (number[i] != NO_KEY_NUMBER)
                    check_row(&numbered, &job, i, number[i]);
                else
                    assert_true(i % 100 < own_of_100[k]);
            free(number);
            gecc_numbered_free(&numbered);
        }
        free(rows);
    }
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

/* Where memory lacks, there are no numbers, and nothing else happens. */
static void no_memory(void **state) {
    struct rows *rows = rows_with(100);
    struct job job = job_of(rows, GECC_P256);
    struct numbered numbered;
    bool made = false;
    size_t allocations = 0;
    (void)state;
    for (; !made && allocations < 100; allocations++) {
        allocations_left = allocations;
        made = gecc_numbered_make(&numbered, &job, 0);
        allocations_left = SIZE_MAX;
    }
    assert_true(made && allocations > 5);
    gecc_numbered_free(&numbered);
    free(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers),  cmocka_unit_test(columns),
                                       cmocka_unit_test(x_only),   cmocka_unit_test(rest),
                                       cmocka_unit_test(refusals), cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
