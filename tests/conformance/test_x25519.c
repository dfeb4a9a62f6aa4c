/* X25519: RFC 7748's examples; the cases of x25519.jsonl of GECC_VECTORS; OpenSSL on random rows.
 *
 * Test: fast; needs jansson libcrypto */
#define _POSIX_C_SOURCE 200809L
#include "support/curve25519.h"
#include "support/effort.h"
#include "support/operation.h"
#include "support/vectors.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { KEY_BYTES = 32, ROWS_MOST = 4096, ITERATIONS = 1000 };

struct suite {
    gecc_context *context;
    struct arena arena;
    struct prng prng;
};

static int start(void **state) {
    static struct suite suite;
    suite = (struct suite){.context = test_context(), .prng = prng_for("x25519")};
    *state = &suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    arena_free(&suite->arena);
    gecc_close(suite->context);
    return 0;
}

static void from_hex(uint8_t bytes[KEY_BYTES], const char *hex) {
    assert_int_equal(strlen(hex), 2 * KEY_BYTES);
    for (size_t i = 0; i < KEY_BYTES; i++) {
        unsigned byte;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &byte), 1);
        bytes[i] = (uint8_t)byte;
    }
}

static struct expectation expect_bytes(const uint8_t bytes[KEY_BYTES]) {
    static const uint8_t zeros[KEY_BYTES];
    struct expectation expected = {.statuses = STATUS(OK)};
    if (memcmp(bytes, zeros, KEY_BYTES) == 0)
        return (struct expectation){.statuses = STATUS(INVALID)};
    expected.out[0].width = KEY_BYTES;
    memcpy(expected.out[0].bytes, bytes, KEY_BYTES);
    return expected;
}

static void run_all(struct suite *suite, enum operation operation, const struct row *rows,
                    const struct expectation *expected, size_t count, const char *what) {
    static struct outcome outcomes[ROWS_MOST];
    const struct call call = {.operation = operation, .curve = GECC_CURVE25519};
    size_t mismatches = 0;
    run_rows(suite->context, &call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        char label[120];
        snprintf(label, sizeof label, "%s, row %zu", what, i);
        mismatches += (size_t)outcome_mismatch(&call, &rows[i], &expected[i], &outcomes[i], label);
    }
    assert_int_equal(mismatches, 0);
}

static struct cell cell_of(struct suite *suite, const uint8_t bytes[KEY_BYTES]) {
    return arena_copy(&suite->arena, bytes, KEY_BYTES);
}

/* One case: that, and where the peer is 9 the public key too. */
static void known_answer(struct suite *suite, const char *private_key, const char *peer, const char *shared,
                         const char *what) {
    static const uint8_t nine[KEY_BYTES] = {9};
    uint8_t k[KEY_BYTES], u[KEY_BYTES], expected_bytes[KEY_BYTES];
    from_hex(k, private_key);
    from_hex(u, peer);
    from_hex(expected_bytes, shared);
    const struct row row = {{cell_of(suite, k), cell_of(suite, u)}};
    const struct expectation expected = expect_bytes(expected_bytes);
    run_all(suite, OPERATION_X25519, &row, &expected, 1, what);
    if (memcmp(u, nine, KEY_BYTES) == 0)
        run_all(suite, OPERATION_X25519_PUBLIC_KEY, &row, &expected, 1, what);
}

static void rfc7748(void **state) {
    static const char *const examples[][3] = {
        {"a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
         "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
         "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
        {"4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
         "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
         "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"},
        {"77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
         "0900000000000000000000000000000000000000000000000000000000000000",
         "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"},
        {"5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
         "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
         "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        known_answer(*state, examples[i][0], examples[i][1], examples[i][2], "RFC 7748");
}

/* RFC 7748, 5.2: k = u = 9, then u = k and k = X25519(k, u), again and again. */
static void iterated(void **state) {
    struct suite *suite = *state;
    uint8_t k[KEY_BYTES] = {9}, u[KEY_BYTES] = {9}, expected[KEY_BYTES];
    for (int i = 0; i < ITERATIONS; i++) {
        uint8_t next[KEY_BYTES], status = 0;
        assert_int_equal(gecc_x25519(suite->context, gecc_out_packed(next, KEY_BYTES), gecc_out_packed(&status, 1),
                                     gecc_rows_packed(k, KEY_BYTES), gecc_rows_packed(u, KEY_BYTES), 1, NULL),
                         GECC_OK);
        assert_int_equal(status, GECC_ITEM_OK);
        memcpy(u, k, KEY_BYTES);
        memcpy(k, next, KEY_BYTES);
        if (i == 0) {
            from_hex(expected, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
            assert_memory_equal(k, expected, KEY_BYTES);
        }
    }
    from_hex(expected, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
    assert_memory_equal(k, expected, KEY_BYTES);
}

/* u of all points of small order, on the curve and its twist, with and without p added and bit 255. */
static void small_order(void **state) {
    struct suite *suite = *state;
    static const char *const peers[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    for (size_t i = 0; i < 2 * sizeof peers / sizeof peers[0]; i++) {
        uint8_t k[KEY_BYTES], u[KEY_BYTES];
        prng_bytes(&suite->prng, k, sizeof k);
        from_hex(u, peers[i / 2]);
        u[KEY_BYTES - 1] |= i % 2 ? 0x80 : 0;
        const struct row row = {{cell_of(suite, k), cell_of(suite, u)}};
        const struct expectation expected = {.statuses = STATUS(INVALID)};
        run_all(suite, OPERATION_X25519, &row, &expected, 1, "small order");
    }
}

static void given(void **state) {
    struct suite *suite = *state;
    const char *folder = data_folder("GECC_VECTORS");
    char path[PATH_BYTES];
    char *line = NULL;
    size_t capacity = 0, count = 0;
    if (folder == NULL) /* which has said so */
        return;
    snprintf(path, sizeof path, "%s/x25519.jsonl", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &capacity, file) > 0) {
        json_t *json = json_loads(line, 0, NULL);
        const char *text[] = {"op", "priv", "pub", "shared", "src"};
        assert_non_null(json);
        for (int i = 0; i < 5; i++)
            text[i] = json_string_value(json_object_get(json, text[i]));
        if (strcmp(text[0], "x25519") == 0) {
            known_answer(suite, text[1], text[2], text[3], text[4]);
            count++;
        }
        json_decref(json);
    }
    free(line);
    fclose(file);
    print_message("%zu cases\n", count);
    assert_true(count > 300);
}

static void openssl(void **state) {
    struct suite *suite = *state;
    static struct row rows[ROWS_MOST], bases[ROWS_MOST];
    static struct expectation expected[ROWS_MOST], public_keys[ROWS_MOST];
    for (size_t round = repetitions(1, 100); round > 0; round--) {
        size_t count = 1 + (size_t)prng_below(&suite->prng, repetitions(2000, ROWS_MOST - 1));
        for (size_t i = 0; i < count; i++) {
            static const uint8_t nine[KEY_BYTES] = {9};
            uint8_t k[KEY_BYTES], u[KEY_BYTES], shared[KEY_BYTES];
            prng_bytes(&suite->prng, k, sizeof k);
            prng_bytes(&suite->prng, u, sizeof u);
            if (prng_below(&suite->prng, 16) == 0) /* about 2^255, which is 19 */
                memset(u + 1, 0xff, KEY_BYTES - 1);
            (void)openssl_x25519(shared, k, u); /* zeros where it refuses */
            rows[i] = (struct row){{cell_of(suite, k), cell_of(suite, u)}};
            expected[i] = expect_bytes(shared);
            assert_true(openssl_x25519(shared, k, nine));
            bases[i] = (struct row){{rows[i].in[0]}};
            public_keys[i] = expect_bytes(shared);
        }
        run_all(suite, OPERATION_X25519, rows, expected, count, "OpenSSL");
        run_all(suite, OPERATION_X25519_PUBLIC_KEY, bases, public_keys, count, "OpenSSL's public key");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rfc7748), cmocka_unit_test(iterated),
                                       cmocka_unit_test(small_order), cmocka_unit_test(given),
                                       cmocka_unit_test(openssl)};
    return cmocka_run_group_tests(tests, start, stop);
}
