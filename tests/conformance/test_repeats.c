/* Keys that repeat within a call: the verdicts are those of a context that makes no tables for them, whatever the rows
 * are like and however they lie in memory, and the report says what was done.
 *
 * Test: fast; needs libcrypto; columns; no threads; no sanitizer on fake-cuda */
#include "backend/key_column.h"
#include "support/effort.h"
#include "support/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_TABLES = 1, FEW_TABLES = 300 << 10, KEEPS_MANY = 64 << 20, KEEPS_FEW = 1 << 20, THREADS = 2 };

static gecc_context *context_with(size_t key_table_bytes) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = THREADS;
    config.key_table_bytes = key_table_bytes;
    return test_context_with(&config);
}

/* Rows of the pool's keys, a quarter of them spoiled; all of one key now and then. */
static void draw_rows(struct row *rows, size_t count, const struct call *call, struct prng *prng, struct arena *arena) {
    int one_key = prng_below(prng, 4) == 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_good(call, prng, arena);
        if (prng_below(prng, 4) == 0) {
            rows[i] = row_spoiled(call, rows[i], prng, arena);
        }
        if (one_key) {
            rows[i].in[0] = rows[0].in[0];
        }
    }
}

static void same_verdicts(enum operation operation, gecc_curve curve, uint32_t flags) {
    static const size_t memory[] = {0, FEW_TABLES};
    struct prng prng = prng_for(operation_of(operation)->name);
    gecc_context *plain = context_with(NO_TABLES);
    const struct call call = {.operation = operation, .curve = curve, .flags = flags, .point_format = GECC_POINT_RAW};
    size_t mismatches = 0;
    for (size_t k = 0; k < repetitions(4, 200); k++) {
        gecc_context *context = context_with(memory[k % 2]);
        size_t count = 256 + (size_t)prng_below(&prng, 1500);
        struct arena arena = {0};
        struct row *rows = memory_new(count, sizeof *rows);
        struct outcome *expected = memory_new(count, sizeof *expected), *outcomes = memory_new(count, sizeof *outcomes);
        draw_rows(rows, count, &call, &prng, &arena);
        run_rows(plain, &call, rows, count, NULL, expected);
        run_rows(context, &call, rows, count, k % 4 < 2 ? &prng : NULL, outcomes);
        for (size_t i = 0; i < count; i++) {
            mismatches += !outcome_equal(&expected[i], &outcomes[i]);
        }
        free(outcomes);
        free(expected);
        free(rows);
        arena_free(&arena);
        gecc_close(context);
    }
    gecc_close(plain);
    assert_int_equal(mismatches, 0);
}

/* Call after call of rows, every other one one of five good ones: with tables that are kept, of many keys or of few, the
 * verdicts are those without. */
static void check_kept(const struct call *call, const struct row *rows, const struct outcome *expected, size_t count,
                       size_t memory, struct prng *prng) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = THREADS;
    config.key_table_bytes = NO_TABLES;
    config.key_cache_bytes = memory;
    gecc_context *context = test_context_with(&config);
    struct outcome *outcomes = memory_new(count, sizeof *outcomes);
    size_t mismatches = 0, kept = 0, prepared_rows = 0;
    for (size_t first = 0, some; first < count; first += some) {
        some = 1 + (size_t)prng_below(prng, 500);
        some = some < count - first ? some : count - first;
        struct batch *batch = batch_new(call, rows + first, some, prng_below(prng, 2) != 0 ? prng : NULL, ALIAS_NONE);
        assert_int_equal(batch_call(batch, context, NULL), GECC_OK);
        batch_outcomes(batch, outcomes + first);
        assert_true(batch_report(batch)->kept_keys >= kept);
        kept = batch_report(batch)->kept_keys;
        prepared_rows += batch_report(batch)->prepared_rows;
        batch_free(batch);
    }
    for (size_t i = 0; i < count; i++) {
        mismatches += !outcome_equal(&expected[i], &outcomes[i]);
    }
    assert_int_equal(mismatches, 0);
    if (call->flags & GECC_LITTLE_ENDIAN) {
        assert_int_equal(kept + prepared_rows, 0);
    } else if (memory == KEEPS_MANY) {
        assert_in_range(kept, 1, 200);
        assert_in_range(prepared_rows, count / 8, count);
    }
    free(outcomes);
    gecc_close(context);
}

static void same_verdicts_kept(enum operation operation, gecc_curve curve, uint32_t flags) {
    const size_t count = 1500 + repetitions(500, 18500);
    const struct call call = {.operation = operation, .curve = curve, .flags = flags, .point_format = GECC_POINT_RAW};
    struct prng prng = prng_for(operation_of(operation)->name);
    gecc_context *plain = context_with(NO_TABLES);
    struct arena arena = {0};
    struct row *rows = memory_new(count, sizeof *rows);
    struct outcome *expected = memory_new(count, sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_good(&call, &prng, &arena);
        if (i % 4 == 1) {
            rows[i] = row_spoiled(&call, rows[i], &prng, &arena);
        }
    }
    for (size_t i = 0; i < count; i += 2) {
        rows[i] = rows[2 * (i % 5)];
    }
    run_rows(plain, &call, rows, count, NULL, expected);
    check_kept(&call, rows, expected, count, KEEPS_MANY, &prng);
    check_kept(&call, rows, expected, count, KEEPS_FEW, &prng);
    free(expected);
    free(rows);
    arena_free(&arena);
    gecc_close(plain);
}

/* Each operation that has one on numbers of keys, on each of its curves. */
static void kept(void **state) {
    (void)state;
    for (enum operation operation = 0; operation < OPERATION_COUNT; operation++) {
        if (gecc_operation_by_keys(operation) == OPERATION_COUNT) {
            continue;
        }
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
            if ((operation_of(operation)->curves >> curve & 1) != 0 && curve_is_tried(curve)) {
                same_verdicts_kept(operation, curve, 0);
                if ((operation_of(operation)->flags & GECC_LITTLE_ENDIAN) != 0) {
                    same_verdicts_kept(operation, curve, GECC_LITTLE_ENDIAN);
                }
            }
        }
    }
}

static void ecdsa(void **state) {
    (void)state;
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        if (curve_is_tried(curve)) {
            same_verdicts(OPERATION_ECDSA_VERIFY, curve, curve == GECC_SECP256K1 ? GECC_DER : 0);
        }
    }
}

static void sm2(void **state) {
    (void)state;
    same_verdicts(OPERATION_SM2_VERIFY, GECC_SM2, 0);
}

static void schnorr(void **state) {
    (void)state;
    same_verdicts(OPERATION_SCHNORR_VERIFY, GECC_SECP256K1, 0);
}

/* By each rule: a key is another's business where it is refused. */
static void ed25519(void **state) {
    static const uint32_t rules[] = {0, GECC_ACCEPT_REF10, GECC_ACCEPT_STRICT, GECC_ACCEPT_ZIP215};
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        same_verdicts(OPERATION_ED25519_VERIFY, GECC_CURVE25519, rules[i]);
    }
}

/* Good rows of P-256 as packed columns, with keys of the pool by turns. */
enum { COUNT = 2048 };

struct columns {
    uint8_t key[COUNT][64], digest[COUNT][32], signature[COUNT][64];
};

static void fill_columns(struct columns *columns, size_t keys) {
    const struct call call = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .point_format = GECC_POINT_RAW};
    struct prng prng = prng_for("columns");
    struct arena arena = {0};
    struct row row = {0};
    for (size_t i = 0; i < COUNT; i++) {
        do {
            row = row_good(&call, &prng, &arena);
        } while (row.in[1].width != 32);
        memcpy(columns->digest[i], row.in[1].data, 32);
        memcpy(columns->signature[i], row.in[2].data, 64);
        memcpy(columns->key[i], pool_point(pool_of(GECC_P256), i % keys), 64); /* which is seldom the signer's */
    }
    arena_free(&arena);
}

static gecc_report verify(gecc_context *context, const struct columns *columns, size_t count) {
    static _Thread_local uint8_t status[COUNT];
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &report;
    assert_int_equal(gecc_ecdsa_verify(context, GECC_P256, gecc_out_packed(status, 1),
                                       gecc_rows_packed(columns->key, 64), gecc_rows_packed(columns->digest, 32),
                                       gecc_rows_packed(columns->signature, 64), count, &options),
                     GECC_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(status[i], GECC_ITEM_NOT_PROCESSED);
    }
    return report;
}

struct kept_thread {
    gecc_context *context;
    const struct columns *columns;
};

static atomic_bool kept_stop;

/* A child of a process that keeps tables makes calls without them, even where another thread had the cache. */
static void *verify_for_ever(void *argument) {
    const struct kept_thread *thread = argument;
    while (!atomic_load(&kept_stop)) {
        (void)verify(thread->context, thread->columns, COUNT);
    }
    return NULL;
}

static void kept_in_children(void **state) {
    struct columns *columns = memory_new(1, sizeof *columns);
    gecc_config config = GECC_CONFIG_INIT;
    pthread_t thread;
    (void)state;
    if (test_context_is_fake_cuda()) {
        free(columns);
        return; /* CUDA does not survive fork() */
    }
    config.threads = THREADS;
    config.key_table_bytes = NO_TABLES;
    config.key_cache_bytes = KEEPS_MANY;
    gecc_context *context = test_context_with(&config);
    fill_columns(columns, 16);
    struct kept_thread argument = {context, columns};
    assert_int_equal(pthread_create(&thread, NULL, verify_for_ever, &argument), 0);
    for (int i = 0; i < 20; i++) {
        int status;
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            (void)verify(context, columns, 100);
            _exit(0);
        }
        assert_true(child > 0 && waitpid(child, &status, 0) == child);
        assert_int_equal(status, 0);
    }
    atomic_store(&kept_stop, true);
    pthread_join(thread, NULL);
    gecc_close(context);
    free(columns);
}

/* Jobs under way at once, with keys that repeat and with keys that do not: reports and verdicts are those of calls. */
static void jobs(void **state) {
    enum { JOBS = 6 };
    struct columns *columns = memory_new(2, sizeof *columns);
    gecc_context *context = context_with(0), *plain = context_with(NO_TABLES);
    uint8_t(*status)[COUNT] = memory_new(JOBS + 2, COUNT);
    gecc_report report[JOBS];
    gecc_job *job[JOBS];
    (void)state;
    fill_columns(&columns[0], 8);
    fill_columns(&columns[1], 8);
    for (size_t i = 0; i < COUNT; i++) {
        columns[1].key[i][63] ^= (uint8_t)i, columns[1].key[i][62] ^= (uint8_t)(i >> 8);
    }
    for (size_t i = 0; i < JOBS + 2; i++) { /* the last two: what is expected */
        const struct columns *rows = &columns[i % 2];
        gecc_options options = GECC_OPTIONS_INIT;
        if (i < JOBS) {
            report[i] = (gecc_report)GECC_REPORT_INIT;
            options.report = &report[i];
            options.job = &job[i];
        }
        assert_int_equal(gecc_ecdsa_verify(i < JOBS ? context : plain, GECC_P256, gecc_out_packed(status[i], 1),
                                           gecc_rows_packed(rows->key, 64), gecc_rows_packed(rows->digest, 32),
                                           gecc_rows_packed(rows->signature, 64), COUNT, &options),
                         GECC_OK);
    }
    while (gecc_poll(job[0]) == GECC_PENDING) {
    }
    for (size_t i = 0; i < JOBS; i++) {
        assert_int_equal(gecc_wait(job[i]), GECC_OK);
        assert_memory_equal(status[i], status[JOBS + i % 2], COUNT);
        assert_int_equal(report[i].prepared_keys, i % 2 == 0 ? 8 : 0);
        assert_string_equal(report[i].backend, test_context_is_fake_cuda() ? "cuda" : "cpu");
        assert_true(report[i].seconds > 0);
    }
    gecc_close(plain);
    gecc_close(context);
    free(status);
    free(columns);
}

static void reports(void **state) {
    struct columns *columns = memory_new(1, sizeof *columns);
    gecc_context *context = context_with(0), *plain = context_with(NO_TABLES);
    (void)state;
    for (size_t keys = 1; keys <= 16; keys *= 4) {
        fill_columns(columns, keys);
        gecc_report report = verify(context, columns, COUNT);
        assert_int_equal(report.prepared_keys, keys);
        assert_int_equal(report.prepared_rows, COUNT);
        assert_string_equal(report.backend, test_context_is_fake_cuda() ? "cuda" : "cpu");
        assert_true(report.seconds > 0);
        assert_int_equal(verify(plain, columns, COUNT).prepared_keys, 0);
    }
    assert_int_equal(verify(context, columns, 100).prepared_keys, 0); /* too few rows to look at */
    for (size_t i = 0; i < COUNT; i++) {
        columns->key[i][63] = (uint8_t)i; /* keys that are hardly the same twice, and refused */
        columns->key[i][62] = (uint8_t)(i >> 8);
    }
    assert_int_equal(verify(context, columns, COUNT).prepared_keys, 0);
    gecc_close(plain);
    gecc_close(context);
    free(columns);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ecdsa),   cmocka_unit_test(sm2),
                                       cmocka_unit_test(schnorr), cmocka_unit_test(ed25519),
                                       cmocka_unit_test(jobs),    cmocka_unit_test(reports),
                                       cmocka_unit_test(kept),    cmocka_unit_test(kept_in_children)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
