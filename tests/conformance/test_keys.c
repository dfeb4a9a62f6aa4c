/* Sets of prepared keys: what is opened, what it is said to be, and what it takes. What calls make of them is compared
 * with OpenSSL by the tests that run over all operations.
 *
 * Test: fast; needs libcrypto; columns */
#define _POSIX_C_SOURCE 200809L
#include "support/effort.h"
#include "support/generate.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 60, THREADS = 4, ROUNDS = 12, POINT_MOST = 1 + 2 * GECC_CURVE_BYTES_MOST };

struct suite {
    gecc_context *context;
    struct prng prng;
    /* A row for each key of the pool that are used, its number that of the key. */
    uint8_t digest[ROWS][32], signature[ROWS][64], number[ROWS][4];
    uint8_t point[POOL_KEYS][65];
};

static gecc_keys_config config_of(unsigned window, size_t memory, size_t rows) {
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    config.window = window;
    config.memory = memory;
    config.rows = rows;
    return config;
}

static gecc_keys_info info_of(const gecc_keys *keys) {
    gecc_keys_info info = {.size = sizeof info};
    gecc_keys_describe(keys, &info);
    return info;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    const struct call call = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256};
    struct arena arena = {0};
    suite->context = test_context();
    suite->prng = prng_for("keys");
    for (size_t i = 0; i < POOL_KEYS; i++) {
        suite->point[i][0] = 4;
        memcpy(suite->point[i] + 1, pool_point(pool_of(GECC_P256), i), 64);
    }
    for (size_t i = 0; i < ROWS; i++) {
        struct row row;
        size_t key = 0;
        do {
            row = row_good(&call, &suite->prng, &arena);
        } while (row.in[1].width != 32 || row.in[0].width != 65);
        while (memcmp(suite->point[key], row.in[0].data, 65) != 0) {
            key++;
        }
        suite->number[i][0] = (uint8_t)key;
        memcpy(suite->digest[i], row.in[1].data, 32);
        memcpy(suite->signature[i], row.in[2].data, 64);
    }
    suite->digest[ROWS - 1][0] ^= 1;
    arena_free(&arena);
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    free(suite);
    return 0;
}

static gecc_result open_pool(const struct suite *suite, gecc_keys **keys, const gecc_keys_config *config) {
    uint8_t status[POOL_KEYS];
    return gecc_keys_open(suite->context, keys, GECC_P256, gecc_out_packed(status, 1),
                          gecc_rows_packed(suite->point, 65), POOL_KEYS, config);
}

static gecc_result verify(const struct suite *suite, gecc_keys *keys, uint8_t status[ROWS]) {
    return gecc_ecdsa_verify_keys(suite->context, keys, gecc_out_packed(status, 1), gecc_rows_packed(suite->number, 4),
                                  gecc_rows_packed(suite->digest, 32), gecc_rows_packed(suite->signature, 64), ROWS,
                                  NULL);
}

/* Every row but the last verifies. Rows whose verdict is another are returned. */
static size_t wrong_verdicts(const struct suite *suite, gecc_keys *keys) {
    uint8_t status[ROWS];
    size_t wrong = 0;
    if (verify(suite, keys, status) != GECC_OK) {
        return ROWS;
    }
    for (size_t i = 0; i < ROWS; i++) {
        wrong += status[i] != (i == ROWS - 1 ? GECC_ITEM_INVALID : GECC_ITEM_OK);
    }
    return wrong;
}

static void widths_of_windows(void **state) {
    const struct suite *suite = *state;
    size_t memory = 0;
    for (unsigned window = 4; window <= (tests_are_long() ? 12 : 9); window++) {
        const gecc_keys_config config = config_of(window, SIZE_MAX, 0);
        gecc_keys *keys;
        assert_int_equal(open_pool(suite, &keys, &config), GECC_OK);
        gecc_keys_info info = info_of(keys);
        assert_int_equal(info.window, window);
        assert_int_equal(info.curve, GECC_P256);
        assert_int_equal(info.count, POOL_KEYS);
        size_t entries = (256 + window - 1) / window * (((size_t)1 << (window - 1)) + 1);
        assert_true(info.memory >= POOL_KEYS * entries * 64 && info.memory < 2 * POOL_KEYS * entries * 64);
        assert_true(info.memory > memory);
        memory = info.memory;
        assert_int_equal(wrong_verdicts(suite, keys), 0);
        gecc_keys_close(keys);
    }
}

/* One key with each width that there is. */
static void widest_windows(void **state) {
    const struct suite *suite = *state;
    for (unsigned window = 4; window <= 16; window++) {
        const gecc_keys_config config = config_of(window, 0, 0);
        uint8_t key_status, status[2];
        static const uint8_t number[2][4] = {{0}, {1}};
        gecc_keys *keys;
        assert_int_equal(gecc_keys_open(suite->context, &keys, GECC_P256, gecc_out_packed(&key_status, 1),
                                        gecc_rows_packed(suite->point[suite->number[0][0]], 65), 1, &config),
                         GECC_OK);
        assert_int_equal(key_status, GECC_ITEM_OK);
        assert_int_equal(info_of(keys).window, window);
        assert_int_equal(gecc_ecdsa_verify_keys(suite->context, keys, gecc_out_packed(status, 1),
                                                gecc_rows_packed(number, 4), gecc_rows_same(suite->digest[0], 32),
                                                gecc_rows_same(suite->signature[0], 64), 2, NULL),
                         GECC_OK);
        assert_int_equal(status[0], GECC_ITEM_OK);
        assert_int_equal(status[1], GECC_ITEM_MALFORMED_KEY_NUMBER);
        gecc_keys_close(keys);
    }
}

/* More rows have wider windows; what the memory has no room for has narrower ones, and at last none. */
static void rows_and_memory(void **state) {
    const struct suite *suite = *state;
    unsigned last = 0;
    for (size_t rows = 1; rows <= 100000; rows *= 10) {
        const gecc_keys_config config = config_of(0, SIZE_MAX, rows);
        gecc_keys *keys;
        assert_int_equal(open_pool(suite, &keys, &config), GECC_OK);
        assert_true(info_of(keys).window >= last);
        last = info_of(keys).window;
        gecc_keys_close(keys);
        if (!tests_are_long() && rows == 1000) {
            break;
        }
    }
    assert_true(last > 6);
    size_t memory = SIZE_MAX;
    for (int step = 0;; step++) {
        const gecc_keys_config config = config_of(0, memory, 1000);
        gecc_keys *keys;
        gecc_result result = open_pool(suite, &keys, &config);
        if (result != GECC_OK) {
            assert_int_equal(result, GECC_ERROR_MEMORY);
            assert_null(keys);
            assert_non_null(strstr(gecc_error_text(), "48 keys"));
            assert_true(step > 2);
            break;
        }
        gecc_keys_info info = info_of(keys);
        assert_true(info.memory <= memory);
        assert_true(info.window >= 4);
        assert_int_equal(wrong_verdicts(suite, keys), 0);
        gecc_keys_close(keys);
        memory = info.memory - 1;
    }
}

static void arguments(void **state) {
    const struct suite *suite = *state;
    uint8_t status[POOL_KEYS];
    const gecc_out out = gecc_out_packed(status, 1);
    const gecc_rows points = gecc_rows_packed(suite->point, 65);
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    gecc_keys *keys;
#define REFUSED(word, ...)                                                                                             \
    do {                                                                                                               \
        keys = (gecc_keys *)status;                                                                                    \
        assert_int_equal(gecc_keys_open(__VA_ARGS__), GECC_ERROR_ARGUMENT);                                            \
        assert_null(keys);                                                                                             \
        assert_memory_equal(gecc_error_text(), word, strlen(word));                                                    \
    } while (0)
    REFUSED("context", NULL, &keys, GECC_P256, out, points, 1, NULL);
    REFUSED("curve", suite->context, &keys, (gecc_curve)0, out, points, 1, NULL);
    REFUSED("curve", suite->context, &keys, GECC_CURVE_END, out, points, 1, NULL);
    REFUSED("status", suite->context, &keys, GECC_P256, gecc_out_none(), points, 1, NULL);
    REFUSED("status", suite->context, &keys, GECC_P256, gecc_out_packed(status, 0), points, 2, NULL);
    REFUSED("public_keys", suite->context, &keys, GECC_P256, out, gecc_rows_none(), 1, NULL);
    REFUSED("count", suite->context, &keys, GECC_P256, out, points, (size_t)UINT32_MAX + 1, NULL);
    config.size = sizeof config.size;
    REFUSED("config", suite->context, &keys, GECC_P256, out, points, 1, &config);
    config = config_of(3, 0, 0);
    REFUSED("config: window is 3", suite->context, &keys, GECC_P256, out, points, 1, &config);
    config = config_of(17, 0, 0);
    REFUSED("config: window is 17", suite->context, &keys, GECC_P256, out, points, 1, &config);
    config = (gecc_keys_config)GECC_KEYS_CONFIG_INIT;
    config.capacity = UINT32_MAX;
    REFUSED("config: capacity is 4294967295", suite->context, &keys, GECC_P256, out, points, 1, &config);
    assert_int_equal(gecc_keys_open(suite->context, NULL, GECC_P256, out, points, 1, NULL), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "keys", 4);
    gecc_keys_close(NULL);
    gecc_keys_describe(NULL, NULL);
}

static void no_keys(void **state) {
    const struct suite *suite = *state;
    gecc_keys *keys;
    uint8_t status[ROWS];
    assert_int_equal(gecc_keys_open(suite->context, &keys, GECC_P256, gecc_out_none(), gecc_rows_none(), 0, NULL),
                     GECC_OK);
    assert_int_equal(info_of(keys).count, 0);
    assert_int_equal(verify(suite, keys, status), GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(status[i], GECC_ITEM_MALFORMED_KEY_NUMBER);
    }
    gecc_keys_close(keys);
}

/* How many statuses are not those of `good` rows that verify and others whose keys are not there. */
static size_t wrong_numbers(const struct suite *suite, gecc_keys *keys, size_t known) {
    uint8_t status[ROWS];
    size_t wrong = 0;
    assert_int_equal(verify(suite, keys, status), GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        uint8_t verdict = i == ROWS - 1 ? GECC_ITEM_INVALID : GECC_ITEM_OK;
        wrong += status[i] != (suite->number[i][0] < known ? verdict : GECC_ITEM_MALFORMED_KEY_NUMBER);
    }
    return wrong;
}

/* From no key or some to all of them, in steps of several sizes, one key too many, and one that is none. */
static void added_keys(void **state) {
    const struct suite *suite = *state;
    static const size_t begin[] = {0, 1, POOL_KEYS / 2};
    for (size_t b = 0; b < sizeof begin / sizeof *begin; b++) {
        gecc_keys_config config = config_of(b == 1 ? 7 : 0, 0, 0);
        gecc_keys *keys;
        uint8_t status[POOL_KEYS + 1];
        size_t known = begin[b], first = 99;
        config.capacity = POOL_KEYS + 1;
        assert_int_equal(gecc_keys_open(suite->context, &keys, GECC_P256, gecc_out_packed(status, 1),
                                        gecc_rows_packed(suite->point, 65), known, &config),
                         GECC_OK);
        const size_t memory = info_of(keys).memory;
        assert_int_equal(info_of(keys).capacity, POOL_KEYS + 1);
        assert_int_equal(wrong_numbers(suite, keys, known), 0);
        for (size_t step = 1; known < POOL_KEYS; step += 2) {
            const size_t count = step < POOL_KEYS - known ? step : POOL_KEYS - known;
            assert_int_equal(gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(suite->point[known], 65),
                                           count, &first),
                             GECC_OK);
            assert_int_equal(first, known);
            for (size_t i = 0; i < count; i++) {
                assert_int_equal(status[i], GECC_ITEM_OK);
            }
            known += count;
            assert_int_equal(info_of(keys).count, known);
            assert_int_equal(wrong_numbers(suite, keys, known), 0);
        }
        assert_int_equal(gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(suite->point, 65), 2, &first),
                         GECC_ERROR_ARGUMENT);
        assert_string_equal(gecc_error_text(), "count: 2 keys, and there is room for 1: config.capacity");
        assert_int_equal(info_of(keys).count, POOL_KEYS);
        const uint8_t off_curve[65] = {4, 1};
        assert_int_equal(gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(off_curve, 65), 1, NULL),
                         GECC_OK);
        assert_int_equal(status[0], GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
        assert_int_equal(gecc_keys_add(keys, gecc_out_none(), gecc_rows_none(), 0, &first), GECC_OK);
        assert_int_equal(first, POOL_KEYS + 1);
        assert_int_equal(info_of(keys).memory, memory);
        assert_int_equal(wrong_numbers(suite, keys, POOL_KEYS), 0);
        gecc_keys_close(keys);
    }
    assert_int_equal(gecc_keys_add(NULL, gecc_out_none(), gecc_rows_none(), 0, NULL), GECC_ERROR_ARGUMENT);
}

/* Keys of every encoding, bad ones between them, of which statuses are those of ec.validate, an x of 32 bytes apart. */
static void statuses_of_keys(void **state) {
    struct suite *suite = *state;
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        enum { KEYS = 70 };
        const struct call call = {.operation = OPERATION_EC_VALIDATE, .curve = curve};
        struct arena arena = {0};
        uint8_t memory[KEYS][POINT_MOST + 5] = {{0}}, status[KEYS][3];
        uint32_t widths[KEYS], expected[KEYS]; /* sets of statuses: of two defects either may be told */
        size_t good = 0;
        for (size_t i = 0; i < KEYS; i++) {
            struct row row = row_good(&call, &suite->prng, &arena);
            row = i % 2 ? row_spoiled(&call, row, &suite->prng, &arena) : row;
            struct expectation expectation;
            reference_row(&call, &row, &expectation);
            int x_only = curve == GECC_SECP256K1 && (i % 10 == 8 || row.in[0].width == 32);
            if (x_only) {
                row.in[0] = arena_copy(&arena, pool_point(pool_of(curve), i % POOL_KEYS), 32);
            }
            memcpy(memory[i], row.in[0].data, row.in[0].width);
            widths[i] = row.in[0].width;
            expected[i] = x_only ? STATUS(OK) : expectation.statuses;
            good += expected[i] == STATUS(OK);
        }
        gecc_rows rows = gecc_rows_strided(memory, 0, sizeof memory[0]);
        rows.widths = widths;
        gecc_keys *keys;
        memset(status, 0xee, sizeof status);
        assert_int_equal(gecc_keys_open(suite->context, &keys, curve, gecc_out_packed(status, 3), rows, KEYS, NULL),
                         GECC_OK);
        for (size_t i = 0; i < KEYS; i++) {
            assert_true(status[i][0] < 32 && (expected[i] >> status[i][0] & 1) != 0);
            assert_true(status[i][1] == 0xee && status[i][2] == 0xee);
        }
        assert_true(good >= KEYS / 2 && good < KEYS); /* a spoiled row may be good by chance */
        gecc_keys_close(keys);
        arena_free(&arena);
    }
}

/* Public keys of Ed25519: their statuses are those of rows by the rule without a flag, unless their signatures are at
 * fault. */
static void statuses_of_ed25519_keys(void **state) {
    struct suite *suite = *state;
    enum { KEYS = 200, BYTES = 32 };
    uint8_t key[KEYS][BYTES], status[KEYS], expected[KEYS];
    uint32_t widths[KEYS];
    const uint8_t signature[64] = {1};
    size_t refused[32] = {0};
    gecc_keys *keys;
    if (!context_offers(suite->context, OPERATION_ED25519_VERIFY_KEYS))
        return;
    for (size_t i = 0; i < KEYS; i++) {
        prng_bytes(&suite->prng, key[i], BYTES);
        if (i % 3 == 0) { /* y is 0, 1, p - 1, p, p + 1 or near them, x of either sign */
            memset(key[i] + 1, i % 2 ? 0xff : 0, BYTES - 1);
            key[i][0] = (uint8_t)(i % 2 ? 0xea + prng_below(&suite->prng, 12) : prng_below(&suite->prng, 3));
            key[i][BYTES - 1] = (uint8_t)((key[i][BYTES - 1] & 0x7f) | prng_below(&suite->prng, 2) << 7);
        }
        widths[i] = prng_below(&suite->prng, 10) == 0 ? BYTES - 1 : BYTES;
    }
    gecc_rows rows = gecc_rows_strided(key, 0, BYTES);
    rows.widths = widths;
    assert_int_equal(gecc_ed25519_verify(suite->context, gecc_out_packed(expected, 1), rows,
                                         gecc_rows_same(signature, 3), gecc_rows_same(signature, 64), gecc_rows_none(),
                                         KEYS, NULL),
                     GECC_OK);
    assert_int_equal(
        gecc_keys_open(suite->context, &keys, GECC_CURVE25519, gecc_out_packed(status, 1), rows, KEYS, NULL), GECC_OK);
    for (size_t i = 0; i < KEYS; i++) {
        assert_int_equal(status[i], gecc_item_is_malformed(expected[i]) ? expected[i] : GECC_ITEM_OK);
        refused[status[i]]++;
    }
    for (gecc_item item = GECC_ITEM_MALFORMED_WIDTH; item <= GECC_ITEM_MALFORMED_POINT_OFF_CURVE; item++)
        assert_true(refused[item] != 0);
    assert_int_equal(info_of(keys).curve, GECC_CURVE25519);
    gecc_keys_close(keys);
}

/* The field, where the struct has it. */
#define GIVEN(field)                                                                                                   \
    do {                                                                                                               \
        if (offsetof(gecc_keys_info, field) + sizeof whole.field <= size)                                              \
            assert_true(given.info.field == whole.field);                                                              \
    } while (0)

/* No more is written than the struct of an older program has. */
static void description_of_a_shorter_struct(void **state) {
    const struct suite *suite = *state;
    gecc_keys *keys;
    assert_int_equal(open_pool(suite, &keys, NULL), GECC_OK);
    const gecc_keys_info whole = info_of(keys);
    for (size_t size = sizeof size; size <= sizeof whole + 8; size++) {
        union {
            gecc_keys_info info;
            uint8_t bytes[sizeof(gecc_keys_info) + 16];
        } given;
        size_t known = size < sizeof whole ? size : sizeof whole;
        memset(&given, 0xee, sizeof given);
        given.info.size = size;
        gecc_keys_describe(keys, &given.info);
        assert_int_equal(given.info.size, size);
        GIVEN(curve);
        GIVEN(count);
        GIVEN(memory);
        GIVEN(window);
        for (size_t i = known; i < sizeof given; i++) {
            assert_int_equal(given.bytes[i], 0xee);
        }
    }
    gecc_keys_close(keys);
}

struct worker {
    const struct suite *suite;
    gecc_keys *shared;
    size_t wrong;
};

/* Adds the pool's keys to an empty set, one after the other. */
static void *add_keys(void *argument) {
    struct worker *worker = argument;
    for (size_t i = 0; i < POOL_KEYS; i++) {
        uint8_t status = 0;
        size_t first;
        worker->wrong += gecc_keys_add(worker->shared, gecc_out_packed(&status, 1),
                                       gecc_rows_packed(worker->suite->point[i], 65), 1, &first) != GECC_OK;
        worker->wrong += status != GECC_ITEM_OK || first != i;
    }
    return NULL;
}

/* While keys are added a row's key is there or not; one that is there decides. */
static void added_while_used(void **state) {
    const struct suite *suite = *state;
    gecc_keys_config config = config_of(4, 0, 0);
    gecc_keys *keys;
    pthread_t thread;
    uint8_t status[ROWS];
    config.capacity = POOL_KEYS;
    assert_int_equal(gecc_keys_open(suite->context, &keys, GECC_P256, gecc_out_none(), gecc_rows_none(), 0, &config),
                     GECC_OK);
    struct worker worker = {suite, keys, 0};
    assert_int_equal(pthread_create(&thread, NULL, add_keys, &worker), 0);
    for (size_t there = 0; there < POOL_KEYS;) {
        there = info_of(keys).count;
        assert_int_equal(verify(suite, keys, status), GECC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            uint8_t verdict = i == ROWS - 1 ? GECC_ITEM_INVALID : GECC_ITEM_OK;
            int unknown = status[i] == GECC_ITEM_MALFORMED_KEY_NUMBER && suite->number[i][0] >= there;
            assert_true(unknown || status[i] == verdict);
        }
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(worker.wrong, 0);
    assert_int_equal(wrong_verdicts(suite, keys), 0);
    gecc_keys_close(keys);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (int round = 0; round < ROUNDS; round++) {
        const gecc_keys_config config = config_of(4 + (unsigned)round % 3, 0, 0);
        gecc_keys *own;
        if (open_pool(worker->suite, &own, &config) != GECC_OK) {
            worker->wrong += ROWS;
            continue;
        }
        worker->wrong += wrong_verdicts(worker->suite, worker->shared);
        worker->wrong += wrong_verdicts(worker->suite, own);
        gecc_keys_close(own);
    }
    return NULL;
}

/* Each with sets of its own, and all with one. */
static void several_threads(void **state) {
    struct suite *suite = *state;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    gecc_keys *shared;
    assert_int_equal(open_pool(suite, &shared, NULL), GECC_OK);
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){suite, shared, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
    gecc_keys_close(shared);
}

/* Pages that the process has; 0: unknown. */
static size_t resident_pages(void) {
    size_t total, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        resident = fscanf(file, "%zu %zu", &total, &resident) == 2 ? resident : 0;
        fclose(file);
    }
    return resident;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum {
    KEEPS_FREED_MEMORY = 1
}; /* AddressSanitizer keeps 256 MB of it, and says itself at the end what was not freed */
#else
enum { KEEPS_FREED_MEMORY = 0 };
#endif

/* Sets of a key each; a set that stayed would be seen: 37 kB of tables each, or some hundred bytes. */
static void many_small_sets(void **state) {
    const struct suite *suite = *state;
    const size_t sets = repetitions(20000, 100000), warm = sets / 10;
    size_t before = 0;
    for (size_t i = 0; i < sets; i++) {
        const gecc_keys_config config = config_of(4, 0, 0);
        gecc_keys *keys;
        uint8_t status;
        assert_int_equal(gecc_keys_open(suite->context, &keys, GECC_P256, gecc_out_packed(&status, 1),
                                        gecc_rows_packed(suite->point[i % POOL_KEYS], 65), 1, &config),
                         GECC_OK);
        assert_int_equal(status, GECC_ITEM_OK);
        gecc_keys_close(keys);
        before = i == warm ? resident_pages() : before;
    }
    assert_true(KEEPS_FREED_MEMORY || resident_pages() <= before + 512);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments),
        cmocka_unit_test(no_keys),
        cmocka_unit_test(widths_of_windows),
        cmocka_unit_test(widest_windows),
        cmocka_unit_test(rows_and_memory),
        cmocka_unit_test(statuses_of_keys),
        cmocka_unit_test(statuses_of_ed25519_keys),
        cmocka_unit_test(description_of_a_shorter_struct),
        cmocka_unit_test(added_keys),
        cmocka_unit_test(several_threads),
        cmocka_unit_test(added_while_used),
        cmocka_unit_test(many_small_sets),
    };
    gecc_context *context = test_context();
    int offered = context_offers(context, OPERATION_ECDSA_VERIFY_KEYS);
    gecc_close(context);
    if (!offered) {
        printf("not run: the backend cannot prepare keys\n");
        return 77;
    }
    return cmocka_run_group_tests_name("keys", tests, start, stop);
}
