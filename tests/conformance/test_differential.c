/* Random rows of every operation, half of them spoiled, against OpenSSL.
 *
 * GECC_TEST_CASES: rows in all (20,000; in short tests 2,000, in long ones 1,000,000).
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

/* What is called, on which curves, and its part of the rows. */
struct experiment {
    enum operation operation;
    uint32_t flags;
    gecc_hash hash;
    unsigned weight;
    int entropy;
};

static const struct experiment every_curve[] = {
    {OPERATION_EC_VALIDATE, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_CONVERT, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_EC_ADD, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_EC_DOUBLE, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_PUBLIC_KEY, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_MUL_BASE, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_MUL_BASE, GECC_PUBLIC_SCALARS, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_MUL, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_EC_MUL, GECC_PUBLIC_SCALARS, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_EC_MUL_ADD, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_EC_MUL_ADD, GECC_PUBLIC_SCALARS, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDH, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_SIGN, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ECDSA_SIGN, GECC_DER | GECC_LOW_S, GECC_SHA512, 1, 0},
    {OPERATION_ECDSA_SIGN, GECC_ANY_S, GECC_SM3, 1, 1},
    {OPERATION_ECDSA_SIGN, GECC_DER | GECC_VERIFY_SIGNATURES, GECC_SHA384, 1, 1},
    {OPERATION_ECDSA_SIGN, 0, GECC_SHA256, 1, 1},
    {OPERATION_ECDSA_SIGN_NONCE, GECC_DER, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ECDSA_SIGN_NONCE, GECC_LOW_S, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ECDSA_SIGN_NONCE, GECC_ANY_S | GECC_VERIFY_SIGNATURES, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ECDSA_VERIFY, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_ECDSA_VERIFY, GECC_LOW_S, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_VERIFY, GECC_DER, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_ECDSA_VERIFY, GECC_DER | GECC_LOW_S, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_RECOVER, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_ECDSA_RECOVER, GECC_DER | GECC_LOW_S, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_VERIFY, GECC_DER | GECC_SIGHASH_BYTE, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ECDSA_RECOVER, GECC_SIGHASH_BYTE, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_EC_MUL_ADD_KEYS, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_VERIFY_KEYS, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_VERIFY_KEYS, GECC_DER | GECC_LOW_S, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ECDSA_VERIFY_KEYS, GECC_SIGHASH_BYTE, GECC_HASH_DEFAULT, 1, 0},
};

static const struct experiment only_sm2[] = {
    {OPERATION_SM2_DIGEST, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_SM2_SIGN, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SM2_SIGN, GECC_DER, GECC_SM3, 2, 1},
    {OPERATION_SM2_SIGN, GECC_VERIFY_SIGNATURES, GECC_SHA384, 1, 1},
    {OPERATION_SM2_SIGN_NONCE, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SM2_SIGN_NONCE, GECC_DER, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SM2_VERIFY, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_SM2_VERIFY, GECC_DER, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_SM2_VERIFY_KEYS, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SM2_VERIFY_KEYS, GECC_DER, GECC_HASH_DEFAULT, 2, 0},
};

static const struct experiment only_secp256k1[] = {
    {OPERATION_SCHNORR_PUBLIC_KEY, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_SCHNORR_SIGN, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SCHNORR_SIGN, 0, GECC_HASH_DEFAULT, 2, 1},
    {OPERATION_SCHNORR_SIGN, GECC_VERIFY_SIGNATURES, GECC_HASH_DEFAULT, 1, 1},
    {OPERATION_SCHNORR_VERIFY, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_SCHNORR_VERIFY, GECC_SIGHASH_BYTE, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SCHNORR_TWEAK_PUBLIC_KEY, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SCHNORR_TWEAK_PRIVATE_KEY, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_SCHNORR_VERIFY_KEYS, 0, GECC_HASH_DEFAULT, 3, 0},
    {OPERATION_SCHNORR_VERIFY_KEYS, GECC_SIGHASH_BYTE, GECC_HASH_DEFAULT, 1, 0},
};

static const struct experiment of_ethereum[] = {
    {OPERATION_ETHEREUM_ADDRESS, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ETHEREUM_RECOVER, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ETHEREUM_RECOVER, GECC_LOW_S, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ETHEREUM_RECOVER_COLUMNS, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ETHEREUM_RECOVER_COLUMNS, GECC_LOW_S, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ETHEREUM_RECOVER_MESSAGE, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ETHEREUM_RECOVER_MESSAGE, GECC_LOW_S, GECC_HASH_DEFAULT, 1, 0},
};

static const struct experiment on_curve25519[] = {
    {OPERATION_ED25519_PUBLIC_KEY, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ED25519_SIGN, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ED25519_SIGN, GECC_VERIFY_SIGNATURES, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ED25519_VERIFY, 0, GECC_HASH_DEFAULT, 4, 0},
    {OPERATION_ED25519_VERIFY, GECC_ACCEPT_REF10, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ED25519_VERIFY, GECC_ACCEPT_STRICT, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ED25519_VERIFY, GECC_ACCEPT_ZIP215, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ED25519_VERIFY_KEYS, 0, GECC_HASH_DEFAULT, 2, 0},
    {OPERATION_ED25519_VERIFY_KEYS, GECC_ACCEPT_REF10, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ED25519_VERIFY_KEYS, GECC_ACCEPT_STRICT, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_ED25519_VERIFY_KEYS, GECC_ACCEPT_ZIP215, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_X25519_PUBLIC_KEY, 0, GECC_HASH_DEFAULT, 1, 0},
    {OPERATION_X25519, 0, GECC_HASH_DEFAULT, 4, 0},
};

/* OpenSSL's: Keccak-256 has known answers alone. */
static const struct experiment hashes[] = {
#define DIGEST_OF(identifier, ...) {OPERATION_DIGEST, 0, identifier, 1, 0},
    GECC_NONCE_HASH_LIST(DIGEST_OF)
#undef DIGEST_OF
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct suite {
    gecc_context *context;
    struct prng prng;
    size_t cases_per_weight;
};

static unsigned weights(const struct experiment *list, size_t count) {
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += list[i].weight;
    }
    return sum;
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    size_t cases = environment_number("GECC_TEST_CASES", repetitions(20000, 1000000));
    size_t sum = 4 * weights(every_curve, COUNT(every_curve)) + weights(only_sm2, COUNT(only_sm2)) +
                 weights(only_secp256k1, COUNT(only_secp256k1)) + weights(of_ethereum, COUNT(of_ethereum)) +
                 weights(hashes, COUNT(hashes));
    suite->context = test_context();
    suite->prng = prng_for("differential");
    suite->cases_per_weight = (cases + sum - 1) / sum;
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
static int signature_verifies(const struct pool *pool, const struct call *call, const struct row *row,
                              const struct outcome *outcome) {
    uint8_t point[1 + 2 * GECC_CURVE_BYTES_MOST], made[OUTCOME_BYTES];
    BIGNUM *d = BN_bin2bn(row->in[0].data, (int)row->in[0].width, NULL);
    EC_POINT *key = EC_POINT_new(pool->curve->group);
    REQUIRE(EC_POINT_mul(pool->curve->group, key, d, NULL, NULL, reference_bn()));
    memcpy(made, outcome->out[0].bytes, sizeof made);
    struct row verify = {{{point, reference_point_encode(pool->curve, GECC_POINT_UNCOMPRESSED, key, point)},
                          row->in[1],
                          {made, outcome->out[0].width}}};
    struct call verify_call = *call;
    int sm2 = call->operation == OPERATION_SM2_SIGN || call->operation == OPERATION_SM2_SIGN_NONCE;
    verify_call.operation = sm2 ? OPERATION_SM2_VERIFY : OPERATION_ECDSA_VERIFY;
    struct expectation expected;
    reference_row(&verify_call, &verify, &expected);
    BN_free(d);
    EC_POINT_free(key);
    return expected.statuses == STATUS(OK);
}

static size_t run_batch(struct suite *suite, const struct pool *pool, const struct call *call, int entropy,
                        size_t count) {
    struct arena arena = {0};
    struct row rows[GREATEST_BATCH] = {0};
    struct outcome outcomes[GREATEST_BATCH];
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i] = row_good(pool, call, &suite->prng, &arena);
        if (entropy) {
            uint8_t bytes[32];
            prng_bytes(&suite->prng, bytes, sizeof bytes);
            int column = input_of_kind(call->operation, GECC_KIND_ENTROPY);
            column = column < 0 ? input_of_kind(call->operation, GECC_KIND_AUXILIARY) : column;
            rows[i].in[column] = arena_copy(&arena, bytes, sizeof bytes);
        }
        if (prng_below(&suite->prng, 2)) {
            rows[i] = row_spoiled(pool, call, rows[i], &suite->prng, &arena);
        }
    }
    run_rows(suite->context, call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        struct expectation expected;
        reference_row(call, &rows[i], &expected);
        mismatches += (size_t)outcome_mismatch(call, &rows[i], &expected, &outcomes[i], "random row");
        if (kind_of_output(call->operation, 0) == GECC_KIND_SIGNATURE && outcomes[i].status == GECC_ITEM_OK) {
            mismatches += !signature_verifies(pool, call, &rows[i], &outcomes[i]);
        }
    }
    arena_free(&arena);
    return mismatches;
}

/* Batches of random size until the experiment had its rows. */
static size_t run_experiment(struct suite *suite, const struct pool *pool, gecc_curve curve,
                             const struct experiment *experiment) {
    size_t left = suite->cases_per_weight * experiment->weight, mismatches = 0;
    while (left) {
        size_t count = 1 + (size_t)prng_below(&suite->prng, GREATEST_BATCH);
        count = count < left ? count : left;
        struct call call = {experiment->operation,
                            curve,
                            experiment->flags,
                            experiment->hash,
                            (gecc_point_format)prng_below(&suite->prng, 3),
                            {NULL, 0}};
        mismatches += run_batch(suite, pool, &call, experiment->entropy, count);
        left -= count;
    }
    return mismatches;
}

static void run_experiments(struct suite *suite, gecc_curve curve, const struct experiment *list, size_t count) {
    if (!curve_is_tried(curve)) {
        return;
    }
    struct pool *pool = pool_new(curve, &suite->prng);
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        struct experiment experiment = list[i];
        if (curve != GECC_SECP256K1 && experiment.flags & GECC_ANY_S) {
            experiment.flags &= ~(uint32_t)GECC_ANY_S;
        }
        if (context_offers(suite->context, experiment.operation)) {
            mismatches += run_experiment(suite, pool, curve, &experiment);
        }
    }
    pool_free(pool);
    assert_int_equal(mismatches, 0);
}

#define OF_CURVE(identifier, value, name, ...)                                                                         \
    static void curve_##name(void **state) { run_experiments(*state, identifier, every_curve, COUNT(every_curve)); }
GECC_CURVE_LIST(OF_CURVE)
#undef OF_CURVE

static void schnorr(void **state) { run_experiments(*state, GECC_SECP256K1, only_secp256k1, COUNT(only_secp256k1)); }

static void ethereum(void **state) { run_experiments(*state, GECC_SECP256K1, of_ethereum, COUNT(of_ethereum)); }

static void curve25519(void **state) { run_experiments(*state, GECC_CURVE25519, on_curve25519, COUNT(on_curve25519)); }

static void sm2_signatures(void **state) { run_experiments(*state, GECC_SM2, only_sm2, COUNT(only_sm2)); }

static void digests(void **state) {
    struct suite *suite = *state;
    struct pool *pool = pool_new(GECC_SM2, &suite->prng);
    size_t mismatches = 0;
    for (size_t i = 0; i < COUNT(hashes); i++) {
        mismatches += run_experiment(suite, pool, (gecc_curve)0, &hashes[i]);
    }
    pool_free(pool);
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
        GECC_CURVE_LIST(OF_CURVE)
#undef OF_CURVE
            cmocka_unit_test(sm2_signatures),
        cmocka_unit_test(sm2_signatures_of_openssl),
        cmocka_unit_test(digests),
        cmocka_unit_test(schnorr),
        cmocka_unit_test(ethereum),
        cmocka_unit_test(curve25519),
    };
    return cmocka_run_group_tests_name("differential", tests, start, stop);
}
