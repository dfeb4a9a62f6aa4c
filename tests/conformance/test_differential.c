/* Random rows of every operation, half of them spoiled, against OpenSSL.
 *
 * GECC_TEST_CASES: rows in all (40,000; in short tests 4,000, in long ones 2,000,000).
 *
 * Test: fast; needs libcrypto; columns */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "support/effort.h"
#include "support/generate.h"

#include <openssl/ecdsa.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { GREATEST_BATCH = 300 };

/* An operation has one share of the rows on a curve for each set of its flags, and at least so many. */
enum { LEAST_SHARES = 4 };

/* The hashes of nonces; of messages those but the first. OpenSSL has not Keccak-256, which has known answers alone. */
static const gecc_hash hashes[] = {GECC_HASH_DEFAULT,
#define IDENTIFIER(identifier, ...) identifier,
                                   GECC_NONCE_HASH_LIST(IDENTIFIER)
#undef IDENTIFIER
};

enum { HASHES = sizeof hashes / sizeof *hashes };

struct suite {
    gecc_context *context;
    struct prng prng;
    size_t rows_in_share;
};

static size_t shares_of(struct call call) {
    size_t shares = 0;
    while (call_next_curve(&call)) {
        size_t sets = 1;
        while (call_next_flags(&call)) {
            sets++;
        }
        shares += sets < LEAST_SHARES ? LEAST_SHARES : sets;
    }
    return shares;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    size_t rows = environment_number("GECC_TEST_CASES", repetitions(40000, 2000000)), shares = 0;
    for (int operation = 0; operation < OPERATION_COUNT; operation++) {
        shares += shares_of((struct call){.operation = (enum operation)operation});
    }
    suite->context = test_context();
    suite->prng = prng_for("differential");
    suite->rows_in_share = (rows + shares - 1) / shares;
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    free(suite);
    return 0;
}

/* OpenSSL accepts a signature the library made; beside the comparison with the expected bytes. */
static int signature_verifies(const struct call *call, const struct row *row, const struct outcome *outcome) {
    const struct reference_curve *curve = reference_curve(call->curve);
    uint8_t point[1 + 2 * GECC_CURVE_BYTES_MOST], made[OUTCOME_BYTES];
    BIGNUM *d = BN_bin2bn(row->in[0].data, (int)row->in[0].width, NULL);
    EC_POINT *key = EC_POINT_new(curve->group);
    REQUIRE(EC_POINT_mul(curve->group, key, d, NULL, NULL, reference_bn()));
    memcpy(made, outcome->out[0].bytes, sizeof made);
    struct row verify = {{{point, reference_point_encode(curve, GECC_POINT_UNCOMPRESSED, key, point)},
                          row->in[1],
                          {made, outcome->out[0].width}}};
    struct call verify_call = *call;
    int sm2 = input_of_kind(call->operation, GECC_KIND_SM2_DIGEST) >= 0;
    verify_call.operation = sm2 ? OPERATION_SM2_VERIFY : OPERATION_ECDSA_VERIFY;
    struct expectation expected;
    reference_row(&verify_call, &verify, &expected);
    BN_free(d);
    EC_POINT_free(key);
    return expected.statuses == STATUS(OK);
}

/* The column of random bytes for nonces; -1: there is none. */
static int entropy_column(enum operation operation) {
    int column = input_of_kind(operation, GECC_KIND_ENTROPY);
    return column < 0 ? input_of_kind(operation, GECC_KIND_AUXILIARY) : column;
}

static size_t run_batch(struct suite *suite, const struct call *call, int entropy, size_t count) {
    struct arena arena = {0};
    struct row rows[GREATEST_BATCH] = {0};
    struct outcome outcomes[GREATEST_BATCH];
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_good(call, &suite->prng, &arena);
        if (entropy) {
            uint8_t bytes[32];
            prng_bytes(&suite->prng, bytes, sizeof bytes);
            rows[i].in[entropy_column(call->operation)] = arena_copy(&arena, bytes, sizeof bytes);
        }
        if (prng_below(&suite->prng, 2)) {
            rows[i] = row_spoiled(call, rows[i], &suite->prng, &arena);
        }
    }
    run_rows(suite->context, call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        struct expectation expected;
        reference_row(call, &rows[i], &expected);
        mismatches += (size_t)outcome_mismatch(call, &rows[i], &expected, &outcomes[i], "random row");
        if (kind_of_output(call->operation, 0) == GECC_KIND_SIGNATURE && outcomes[i].status == GECC_ITEM_OK) {
            mismatches += !signature_verifies(call, &rows[i], &outcomes[i]);
        }
    }
    arena_free(&arena);
    pool_used(call->curve, count);
    return mismatches;
}

/* Batches of random size until the share is used up. */
static size_t run_share(struct suite *suite, struct call call, int entropy) {
    size_t left = suite->rows_in_share, mismatches = 0;
    while (left) {
        size_t count = 1 + (size_t)prng_below(&suite->prng, GREATEST_BATCH);
        count = count < left ? count : left;
        call.point_format = (gecc_point_format)prng_below(&suite->prng, 3);
        mismatches += run_batch(suite, &call, entropy, count);
        left -= count;
    }
    return mismatches;
}

/* Every set of flags; from one share to the next the nonces' hash changes, and whether they have entropy. */
static size_t run_operation(struct suite *suite, struct call call) {
    size_t mismatches = 0, first = (size_t)prng_below(&suite->prng, (uint64_t)HASHES * 2);
    int has_hash = input_of_kind(call.operation, GECC_KIND_ENTROPY) >= 0;
    for (size_t share = 0; share < LEAST_SHARES || call.flags != 0; share++) {
        call.hash = has_hash ? hashes[(first + share) % HASHES] : GECC_HASH_DEFAULT;
        int entropy = entropy_column(call.operation) >= 0 && (first + share) % 2;
        mismatches += run_share(suite, call, entropy);
        (void)call_next_flags(&call);
    }
    return mismatches;
}

static void run_curve(struct suite *suite, gecc_curve curve) {
    if (!curve_is_tried(curve)) {
        return;
    }
    size_t mismatches = 0;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct call call = {.operation = (enum operation)i, .curve = curve};
        if (operation_of(call.operation)->curves >> curve & 1 && context_offers(suite->context, call.operation)) {
            mismatches += run_operation(suite, call);
        }
    }
    assert_int_equal(mismatches, 0);
}

#define OF_CURVE(identifier, value, name, ...)                                                                         \
    static void curve_##name(void **state) { run_curve(*state, identifier); }
GECC_CURVE_LIST(OF_CURVE)
GECC_EDWARDS_CURVE_LIST(OF_CURVE)
#undef OF_CURVE

static void digests(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (size_t i = 1; i < HASHES; i++) {
        mismatches += run_share(suite, (struct call){.operation = OPERATION_DIGEST, .hash = hashes[i]}, 0);
    }
    assert_int_equal(mismatches, 0);
}

/* OpenSSL's SM2 from message to signature: its key, its id, its nonces; the library digests and verifies. */
static void sm2_signatures_of_openssl(void **state) {
    struct suite *suite = *state;
    enum { ROWS = 64 };
    struct call digest_call = {.operation = OPERATION_SM2_DIGEST, .curve = GECC_SM2};
    struct call verify_call = {.operation = OPERATION_SM2_VERIFY, .curve = GECC_SM2, .flags = GECC_DER};
    struct arena arena = {0};
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    struct cell signatures[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "SM2");
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        EVP_PKEY_CTX *key_context = EVP_PKEY_CTX_new(key, NULL);
        uint8_t message[200], id[40], point[65], signature[80];
        size_t message_width = prng_below(&suite->prng, sizeof message), width = 0, signature_width = sizeof signature;
        size_t id_width = 1 + prng_below(&suite->prng, sizeof id - 1);
        prng_bytes(&suite->prng, message, sizeof message);
        prng_bytes(&suite->prng, id, sizeof id);
        EVP_MD_CTX_set_pkey_ctx(context, key_context);
        assert_true(EVP_PKEY_CTX_set1_id(key_context, id, (int)id_width) > 0);
        assert_true(EVP_DigestSignInit(context, NULL, EVP_sm3(), NULL, key) > 0);
        assert_true(EVP_DigestSign(context, signature, &signature_width, message, message_width) > 0);
        assert_true(EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", point, sizeof point, &width));
        rows[i] = (struct row){{arena_copy(&arena, point, width), arena_copy(&arena, id, id_width),
                                arena_copy(&arena, message, message_width)}};
        signatures[i] = arena_copy(&arena, signature, signature_width);
        EVP_MD_CTX_free(context);
        EVP_PKEY_CTX_free(key_context);
        EVP_PKEY_free(key);
    }
    run_rows(suite->context, &digest_call, rows, ROWS, &suite->prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(outcomes[i].status, GECC_ITEM_OK);
        rows[i].in[1] = arena_copy(&arena, outcomes[i].out[0].bytes, 32);
        rows[i].in[2] = signatures[i];
    }
    run_rows(suite->context, &verify_call, rows, ROWS, &suite->prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(outcomes[i].status, GECC_ITEM_OK);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define OF_CURVE(identifier, value, name, ...) cmocka_unit_test(curve_##name),
        GECC_CURVE_LIST(OF_CURVE) GECC_EDWARDS_CURVE_LIST(OF_CURVE)
#undef OF_CURVE
            cmocka_unit_test(sm2_signatures_of_openssl),
        cmocka_unit_test(digests),
    };
    return cmocka_run_group_tests_name("differential", tests, start, stop);
}
