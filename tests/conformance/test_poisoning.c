/* One bad row never touches its neighbours: exceptional rows planted in a batch of good ones, at many places. Every
 * other row stays the same to the bit; the planted row has its status, and zeros unless that is OK.
 *
 * Test: fast; needs libcrypto; columns; no sanitizer on fake-cuda; no threads */
#include "support/effort.h"
#include "support/exceptional.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 71, MIXED_BATCHES = 4, SHORT_PART = 5 };

/* Ends of vectors of 8 lanes, of groups of 32 and of 64; the last row. */
static const size_t places[] = {0, 1, 7, 8, 9, 31, 32, 63, 64, ROWS - 1};

#define PLACES (sizeof places / sizeof *places)

struct suite {
    gecc_context *context;
    struct prng prng;
    struct pool *pools[GECC_CURVE25519 + 1];
};

/* Good rows, what came of them, and what may be planted. */
struct field {
    const struct call *call;
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    struct exceptional exceptional[EXCEPTIONAL_ROWS];
    struct expectation expected[EXCEPTIONAL_ROWS];
    size_t exceptional_count;
    struct arena arena;
};

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("poisoning");
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        suite->pools[curve] = pool_new((gecc_curve)curve, &suite->prng);
    }
    suite->pools[GECC_CURVE25519] = pool_new(GECC_CURVE25519, &suite->prng);
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        pool_free(suite->pools[curve]);
    }
    pool_free(suite->pools[GECC_CURVE25519]);
    free(suite);
    return 0;
}

static struct row good_row(struct suite *suite, const struct call *call, struct arena *arena) {
    struct row row;
    struct expectation expected;
    do {
        row = row_good(suite->pools[call->curve], call, &suite->prng, arena);
        reference_row(call, &row, &expected);
    } while (expected.statuses != STATUS(OK));
    return row;
}

static struct field *field_new(struct suite *suite, const struct call *call) {
    struct field *field = memory_new(1, sizeof *field);
    field->call = call;
    for (size_t i = 0; i < ROWS; i++) {
        field->rows[i] = good_row(suite, call, &field->arena);
    }
    run_rows(suite->context, call, field->rows, ROWS, NULL, field->outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(field->outcomes[i].status, GECC_ITEM_OK);
    }
    field->exceptional_count =
        exceptional_rows(suite->pools[call->curve], call, &suite->prng, &field->arena, field->exceptional);
    for (size_t i = 0; i < field->exceptional_count; i++) {
        const struct exceptional *exceptional = &field->exceptional[i];
        reference_row(call, &exceptional->row, &field->expected[i]);
        if (!(field->expected[i].statuses & exceptional->statuses)) {
            fprintf(stderr, "the reference says %08x of: %s\n", field->expected[i].statuses, exceptional->name);
        }
        REQUIRE(field->expected[i].statuses & exceptional->statuses);
        field->expected[i].statuses &= exceptional->statuses;
    }
    return field;
}

static void field_free(struct field *field) {
    arena_free(&field->arena);
    free(field);
}

/* planted[i]: the index of the exceptional row at place i, or -1. */
static size_t run_planted(struct suite *suite, struct field *field, const int planted[ROWS]) {
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    size_t mismatches = 0;
    char label[120];
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = planted[i] < 0 ? field->rows[i] : field->exceptional[planted[i]].row;
    }
    run_rows(suite->context, field->call, rows, ROWS, &suite->prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        if (planted[i] >= 0) {
            snprintf(label, sizeof label, "%s, planted at %zu", field->exceptional[planted[i]].name, i);
            mismatches +=
                (size_t)outcome_mismatch(field->call, &rows[i], &field->expected[planted[i]], &outcomes[i], label);
        } else if (!outcome_equal(&field->outcomes[i], &outcomes[i])) {
            fprintf(stderr, "POISONED: %s, row %zu\n", call_text(field->call, (char[160]){0}), i);
            mismatches++;
        }
    }
    return mismatches;
}

static void plant_nothing(int planted[ROWS]) {
    for (size_t i = 0; i < ROWS; i++) {
        planted[i] = -1;
    }
}

static size_t plant_alone(struct suite *suite, struct field *field, int which) {
    size_t mismatches = 0, first = prng_below(&suite->prng, PLACES);
    int planted[ROWS];
    for (size_t i = 0; i < (tests_are_long() ? PLACES : 1); i++) {
        plant_nothing(planted);
        planted[places[(first + i) % PLACES]] = which;
        mismatches += run_planted(suite, field, planted);
    }
    return mismatches;
}

static size_t plant_everywhere(struct suite *suite, struct field *field, int which) {
    int planted[ROWS];
    plant_nothing(planted);
    for (size_t i = 0; i < PLACES; i++) {
        planted[places[i]] = which;
    }
    planted[prng_below(&suite->prng, ROWS)] = which;
    return run_planted(suite, field, planted);
}

static size_t plant_mixture(struct suite *suite, struct field *field, uint64_t one_in) {
    int planted[ROWS];
    plant_nothing(planted);
    for (size_t i = 0; i < ROWS; i++) {
        if (prng_below(&suite->prng, one_in) == 0) {
            planted[i] = (int)prng_below(&suite->prng, field->exceptional_count);
        }
    }
    return run_planted(suite, field, planted);
}

static void plant_all(struct suite *suite, const struct call *call) {
    if (!context_offers(suite->context, call->operation)) {
        return;
    }
    struct field *field = field_new(suite, call);
    size_t mismatches = 0;
    int step = tests_are_short() ? SHORT_PART : 1;
    for (int which = (int)prng_below(&suite->prng, (uint64_t)step); which < (int)field->exceptional_count;
         which += step) {
        mismatches += plant_alone(suite, field, which);
        mismatches += plant_everywhere(suite, field, which);
    }
    for (uint64_t i = 0; i < MIXED_BATCHES; i++) {
        mismatches += plant_mixture(suite, field, i + 1);
    }
    field_free(field);
    assert_int_equal(mismatches, 0);
}

/* Of curves whose formulas are the same, one of 256 bits stands for the others unless tests may take long. */
static int is_planted_on(gecc_curve curve) {
    return curve == GECC_SECP256K1 || curve == GECC_P256 || curve == GECC_BRAINPOOL_P256R1 || tests_are_long();
}

static void plant_on_every_curve(struct suite *suite, enum operation operation, uint32_t flags) {
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        if (!is_planted_on((gecc_curve)curve)) {
            continue;
        }
        struct call call = {
            operation, (gecc_curve)curve, flags, GECC_HASH_DEFAULT, (gecc_point_format)prng_below(&suite->prng, 3),
            {NULL, 0}};
        plant_all(suite, &call);
    }
}

static void points(void **state) {
    plant_on_every_curve(*state, OPERATION_EC_VALIDATE, 0);
    plant_on_every_curve(*state, OPERATION_EC_CONVERT, 0);
    plant_on_every_curve(*state, OPERATION_EC_ADD, 0);
    plant_on_every_curve(*state, OPERATION_EC_DOUBLE, 0);
}

static void base_multiples(void **state) {
    plant_on_every_curve(*state, OPERATION_EC_PUBLIC_KEY, 0);
    plant_on_every_curve(*state, OPERATION_EC_MUL_BASE, 0);
    plant_on_every_curve(*state, OPERATION_EC_MUL_BASE, GECC_PUBLIC_SCALARS);
}

static void multiples(void **state) {
    plant_on_every_curve(*state, OPERATION_EC_MUL, 0);
    plant_on_every_curve(*state, OPERATION_EC_MUL, GECC_PUBLIC_SCALARS);
}

static void sums_of_multiples(void **state) {
    plant_on_every_curve(*state, OPERATION_EC_MUL_ADD, 0);
    plant_on_every_curve(*state, OPERATION_EC_MUL_ADD, GECC_PUBLIC_SCALARS);
    plant_on_every_curve(*state, OPERATION_EC_MUL_ADD_KEYS, 0);
}

static void shared_secrets(void **state) { plant_on_every_curve(*state, OPERATION_ECDH, 0); }

static void ecdsa_signing(void **state) {
    plant_on_every_curve(*state, OPERATION_ECDSA_SIGN, 0);
    plant_on_every_curve(*state, OPERATION_ECDSA_SIGN, GECC_DER | GECC_VERIFY_SIGNATURES);
    plant_on_every_curve(*state, OPERATION_ECDSA_SIGN_NONCE, GECC_LOW_S);
    plant_on_every_curve(*state, OPERATION_ECDSA_SIGN_NONCE, GECC_DER);
}

static void ecdsa_verifying(void **state) {
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY, 0);
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY, GECC_DER | GECC_LOW_S);
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY, GECC_DER | GECC_SIGHASH_BYTE);
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY, GECC_SIGHASH_BYTE);
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY_KEYS, 0);
    plant_on_every_curve(*state, OPERATION_ECDSA_VERIFY_KEYS, GECC_DER | GECC_LOW_S);
}

static void ecdsa_recovering(void **state) {
    plant_on_every_curve(*state, OPERATION_ECDSA_RECOVER, 0);
    plant_on_every_curve(*state, OPERATION_ECDSA_RECOVER, GECC_DER | GECC_LOW_S);
}

static void sm2(void **state) {
    static const struct {
        enum operation operation;
        uint32_t flags;
    } calls[] = {{OPERATION_SM2_DIGEST, 0},        {OPERATION_SM2_SIGN, 0},
                 {OPERATION_SM2_SIGN_NONCE, 0},    {OPERATION_SM2_SIGN_NONCE, GECC_DER},
                 {OPERATION_SM2_VERIFY, 0},        {OPERATION_SM2_SIGN, GECC_DER | GECC_VERIFY_SIGNATURES},
                 {OPERATION_SM2_VERIFY, GECC_DER}, {OPERATION_SM2_VERIFY_KEYS, 0}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = {.operation = calls[i].operation, .curve = GECC_SM2, .flags = calls[i].flags};
        plant_all(*state, &call);
    }
}

static void schnorr(void **state) {
    static const struct {
        enum operation operation;
        uint32_t flags;
    } calls[] = {{OPERATION_SCHNORR_PUBLIC_KEY, 0},
                 {OPERATION_SCHNORR_SIGN, 0},
                 {OPERATION_SCHNORR_VERIFY, 0},
                 {OPERATION_SCHNORR_SIGN, GECC_VERIFY_SIGNATURES},
                 {OPERATION_SCHNORR_TWEAK_PUBLIC_KEY, 0},
                 {OPERATION_SCHNORR_VERIFY, GECC_SIGHASH_BYTE},
                 {OPERATION_SCHNORR_TWEAK_PRIVATE_KEY, 0},
                 {OPERATION_SCHNORR_VERIFY_KEYS, 0}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = {.operation = calls[i].operation, .curve = GECC_SECP256K1, .flags = calls[i].flags};
        plant_all(*state, &call);
    }
}

static void ethereum(void **state) {
    static const struct {
        enum operation operation;
        uint32_t flags;
    } calls[] = {{OPERATION_ETHEREUM_ADDRESS, 0},
                 {OPERATION_ETHEREUM_RECOVER, 0},
                 {OPERATION_ETHEREUM_RECOVER, GECC_LOW_S},
                 {OPERATION_ETHEREUM_RECOVER_COLUMNS, 0},
                 {OPERATION_ETHEREUM_RECOVER_COLUMNS, GECC_LOW_S},
                 {OPERATION_ETHEREUM_RECOVER_MESSAGE, 0}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = {.operation = calls[i].operation, .curve = GECC_SECP256K1, .flags = calls[i].flags};
        plant_all(*state, &call);
    }
}

static void curve25519(void **state) {
    static const struct {
        enum operation operation;
        uint32_t flags;
    } calls[] = {{OPERATION_ED25519_PUBLIC_KEY, 0},
                 {OPERATION_ED25519_SIGN, 0},
                 {OPERATION_ED25519_SIGN, GECC_VERIFY_SIGNATURES},
                 {OPERATION_ED25519_VERIFY, 0},
                 {OPERATION_ED25519_VERIFY, GECC_ACCEPT_ZIP215},
                 {OPERATION_ED25519_VERIFY_KEYS, 0},
                 {OPERATION_X25519_PUBLIC_KEY, 0},
                 {OPERATION_X25519, 0}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = {.operation = calls[i].operation, .curve = GECC_CURVE25519, .flags = calls[i].flags};
        plant_all(*state, &call);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(base_multiples),
        cmocka_unit_test(multiples),
        cmocka_unit_test(sums_of_multiples),
        cmocka_unit_test(shared_secrets),
        cmocka_unit_test(ecdsa_signing),
        cmocka_unit_test(ecdsa_verifying),
        cmocka_unit_test(ecdsa_recovering),
        cmocka_unit_test(sm2),
        cmocka_unit_test(schnorr),
        cmocka_unit_test(ethereum),
        cmocka_unit_test(curve25519),
    };
    return cmocka_run_group_tests_name("poisoning", tests, start, stop);
}
