/* Ed25519 and X25519 beside OpenSSL's libcrypto, on 10^6 random rows each, most of them spoiled. GECC_ROWS gives
 * another number.
 *
 * OpenSSL's rule is GECC_ACCEPT_REF10; on rows whose key and R are canonical and of large order the others say the
 * same.
 *
 * Test: long; needs libcrypto */
#define _POSIX_C_SOURCE 200809L
#include "support/curve25519.h"
#include "support/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BATCH = 4096, BYTES = CURVE25519_BYTES, MESSAGE_MOST = 300, ROWS_BY_DEFAULT = 1000000 };

struct suite {
    gecc_context *context;
    struct prng prng;
    struct arena arena; /* of a batch */
    size_t rows, valid, refused, special;
};

struct rows {
    struct row row[BATCH];
    struct expectation expected[BATCH];
    size_t count;
};

static struct cell copy(struct suite *suite, const uint8_t *bytes, size_t width) {
    return arena_copy(&suite->arena, bytes, width);
}

static struct expectation expect_bytes(const uint8_t *bytes, uint32_t width) {
    struct expectation expected = {.statuses = STATUS(OK)};
    expected.out[0].width = width;
    memcpy(expected.out[0].bytes, bytes, width);
    return expected;
}

static struct expectation expect_verdict(int valid) {
    return (struct expectation){.statuses = valid ? STATUS(OK) : STATUS(INVALID) | STATUS_ANY_MALFORMED};
}

static void add_row(struct rows *rows, struct row row, struct expectation expected) {
    rows->row[rows->count] = row;
    rows->expected[rows->count++] = expected;
}

static void run_all(struct suite *suite, enum operation operation, uint32_t flags, const struct rows *rows) {
    static struct outcome outcomes[BATCH];
    const struct call call = {.operation = operation, .curve = GECC_CURVE25519, .flags = flags};
    size_t mismatches = 0;
    if (rows->count == 0)
        return;
    run_rows(suite->context, &call, rows->row, rows->count, &suite->prng, outcomes);
    for (size_t i = 0; i < rows->count; i++)
        mismatches += (size_t)outcome_mismatch(&call, &rows->row[i], &rows->expected[i], &outcomes[i], "OpenSSL");
    assert_int_equal(mismatches, 0);
}

/* number += 2^252 + 27742317777372353535851937790883648493 */
static void add_order(uint8_t number[BYTES]) {
    static const uint8_t order[BYTES] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6,       0x9c,
                                         0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    [31] = 0x10};
    unsigned carry = 0;
    for (int i = 0; i < BYTES; i++) {
        carry += (unsigned)number[i] + order[i];
        number[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* An encoding of a point of small order, or of y that is not below p, or close to that. */
static void special_encoding(struct prng *prng, uint8_t encoding[BYTES]) {
    static const uint8_t eighth[2][BYTES] = {
        {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
         0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
        {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
         0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}};
    switch (prng_below(prng, 3)) {
    case 0:
        memcpy(encoding, eighth[prng_below(prng, 2)], BYTES);
        break;
    case 1:
        memset(encoding, 0, BYTES);
        encoding[0] = (uint8_t)prng_below(prng, 3);
        break;
    default:
        memset(encoding, 0xff, BYTES);
        encoding[0] = (uint8_t)(0xe8 + prng_below(prng, 24));
        encoding[BYTES - 1] = 0x7f;
    }
    encoding[BYTES - 1] ^= (uint8_t)(prng_below(prng, 2) << 7);
}

/* A verification's row before it is spoiled, and after. */
struct verification {
    uint8_t key[BYTES], message[MESSAGE_MOST], signature[ED25519_SIGNATURE_BYTES];
    size_t width;
};

static void flip(struct prng *prng, uint8_t *bytes, size_t width) {
    if (width > 0)
        bytes[prng_below(prng, width)] ^= (uint8_t)(1u << prng_below(prng, 8));
}

/* Returns whether it has a key or an R that the rules differ on. */
static int spoil(struct prng *prng, struct verification *v) {
    switch (prng_below(prng, 10)) {
    case 0:
    case 1:
    case 2:
        return 0; /* valid */
    case 3:
        flip(prng, v->key, BYTES);
        return 0;
    case 4:
        flip(prng, v->signature, sizeof v->signature);
        return 0;
    case 5:
        flip(prng, v->message, v->width);
        return 0;
    case 6:
        add_order(v->signature + BYTES);
        return 0;
    case 7:
        prng_bytes(prng, prng_below(prng, 2) ? v->key : v->signature + BYTES, BYTES);
        return 0;
    case 8:
        v->key[BYTES - 1] ^= 0x80;
        v->signature[BYTES - 1] ^= (uint8_t)(prng_below(prng, 2) << 7);
        return 0;
    default:
        special_encoding(prng, v->key);
        if (prng_below(prng, 2)) {
            special_encoding(prng, v->signature);
            memset(v->signature + BYTES, 0, BYTES);
        }
        return 1;
    }
}

static void ed25519_batch(struct suite *suite, size_t count, uint32_t other_rule) {
    static struct rows keys, sign, verify, ordinary;
    keys.count = sign.count = verify.count = ordinary.count = 0;
    for (size_t i = 0; i < count; i++) {
        struct verification v;
        uint8_t seed[BYTES];
        v.width = (size_t)prng_below(&suite->prng, prng_below(&suite->prng, 2) ? 64 : MESSAGE_MOST);
        prng_bytes(&suite->prng, seed, sizeof seed);
        prng_bytes(&suite->prng, v.message, v.width);
        struct cell message = copy(suite, v.message, v.width), given = copy(suite, seed, sizeof seed);
        openssl_ed25519_public_key(v.key, seed);
        openssl_ed25519_sign(v.signature, seed, message);
        add_row(&keys, (struct row){{given}}, expect_bytes(v.key, BYTES));
        add_row(&sign, (struct row){{given, message}}, expect_bytes(v.signature, sizeof v.signature));
        const int special = spoil(&suite->prng, &v);
        const struct row row = {
            {copy(suite, v.key, BYTES), copy(suite, v.message, v.width), copy(suite, v.signature, sizeof v.signature)}};
        const int valid = openssl_ed25519_verify(v.key, row.in[1], v.signature);
        add_row(&verify, row, expect_verdict(valid));
        if (!special)
            add_row(&ordinary, row, expect_verdict(valid));
        suite->valid += (size_t)valid;
        suite->refused += (size_t)!valid;
        suite->special += (size_t)special;
    }
    run_all(suite, OPERATION_ED25519_PUBLIC_KEY, 0, &keys);
    run_all(suite, OPERATION_ED25519_SIGN, other_rule == 0 ? GECC_VERIFY_SIGNATURES : 0, &sign);
    run_all(suite, OPERATION_ED25519_VERIFY, GECC_ACCEPT_REF10, &verify);
    run_all(suite, OPERATION_ED25519_VERIFY, other_rule, &ordinary);
}

static void ed25519(void **state) {
    static const uint32_t others[] = {0, GECC_ACCEPT_STRICT, GECC_ACCEPT_ZIP215};
    struct suite *suite = *state;
    for (size_t done = 0, turn = 0; done < suite->rows; turn++) {
        size_t count = suite->rows - done < BATCH ? suite->rows - done : BATCH;
        ed25519_batch(suite, count, others[turn % 3]);
        arena_free(&suite->arena);
        done += count;
    }
    print_message("Ed25519: %zu rows: %zu valid, %zu refused, %zu of all with special keys or R\n", suite->rows,
                  suite->valid, suite->refused, suite->special);
    assert_true(suite->valid > suite->rows / 4 && suite->refused > suite->rows / 4);
}

static void x25519(void **state) {
    static const uint8_t nine[BYTES] = {9};
    static struct rows keys, exchanges;
    struct suite *suite = *state;
    size_t zeros = 0;
    for (size_t done = 0; done < suite->rows; done += exchanges.count) {
        size_t count = suite->rows - done < BATCH ? suite->rows - done : BATCH;
        keys.count = exchanges.count = 0;
        for (size_t i = 0; i < count; i++) {
            uint8_t private_key[BYTES], peer[BYTES], out[BYTES];
            prng_bytes(&suite->prng, private_key, BYTES);
            prng_bytes(&suite->prng, peer, BYTES);
            if (prng_below(&suite->prng, 16) == 0)
                special_encoding(&suite->prng, peer);
            if (prng_below(&suite->prng, 16) == 0)
                special_encoding(&suite->prng, private_key);
            const struct row row = {{copy(suite, private_key, BYTES), copy(suite, peer, BYTES)}};
            const int is_result = openssl_x25519(out, private_key, peer);
            add_row(&exchanges, row,
                    is_result ? expect_bytes(out, BYTES) : (struct expectation){.statuses = STATUS(INVALID)});
            zeros += (size_t)!is_result;
            assert_true(openssl_x25519(out, private_key, nine));
            add_row(&keys, (struct row){{row.in[0]}}, expect_bytes(out, BYTES));
        }
        run_all(suite, OPERATION_X25519_PUBLIC_KEY, 0, &keys);
        run_all(suite, OPERATION_X25519, 0, &exchanges);
        arena_free(&suite->arena);
    }
    print_message("X25519: %zu rows, %zu of them of small order\n", suite->rows, zeros);
    assert_true(zeros > suite->rows / 100);
}

int main(void) {
    static struct suite suite;
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(ed25519, &suite),
                                       cmocka_unit_test_prestate(x25519, &suite)};
    suite = (struct suite){.context = test_context(),
                           .prng = prng_for("Curve25519 beside OpenSSL"),
                           .rows = environment_number("GECC_ROWS", ROWS_BY_DEFAULT)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gecc_close(suite.context);
    return failed;
}
