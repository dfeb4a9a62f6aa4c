/* Ed25519, Ed25519ctx and Ed25519ph: RFC 8032's examples; the cases of ed25519.jsonl of GECC_VECTORS, by each rule;
 * OpenSSL on random rows, half of them spoiled; points of small order by the equations themselves. Whatever is verified
 * is verified with prepared keys too.
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

enum { SEED_BYTES = 32, KEY_BYTES = 32, SIGNATURE_BYTES = 64, MESSAGE_MOST = 400, ROWS_MOST = 4096 };

/* A case with a known answer. */
struct known {
    const char *seed, *public_key, *message, *context, *signature; /* hexadecimal; context NULL: no column */
    uint32_t flags;
};

/* RFC 8032, 7.1 (1, 2, 3, SHA(abc)), 7.2 (foo, bar), 7.3. */
static const struct known examples[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", NULL,
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246"
     "55141438"
     "e7a100b",
     0},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", NULL,
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb"
     "00d29161"
     "2bb0c00",
     0},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82", NULL,
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc"
     "027beceea"
     "1ec40a",
     0},
    {"833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
     "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2"
     "a9ac94fa5"
     "4ca49f",
     NULL,
     "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad"
     "9bef11773"
     "31a704",
     0},
    {"0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
     "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292", "f726936d19c800494e3fdaff20b276a8", "666f6f",
     "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21"
     "f4b888e4"
     "e7edb0d",
     0},
    {"0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
     "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292", "f726936d19c800494e3fdaff20b276a8", "626172",
     "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3216c48e8b3b66431b5b186d1d28f8ee15a5ca2df666834629"
     "1c2043d4e"
     "b3e90d",
     0},
    {"833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
     "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf", "616263", NULL,
     "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aa"
     "ad11c2a26"
     "083406",
     GECC_PREHASH},
};

/* Whose rule it is, and what ed25519.jsonl calls its verdict. */
static const struct {
    uint32_t flag;
    const char *verdict;
} rules[] = {{0, "valid"},
             {GECC_ACCEPT_REF10, "valid_ref10"},
             {GECC_ACCEPT_STRICT, "valid_no_small_order"},
             {GECC_ACCEPT_ZIP215, "valid_cofactored"}};

enum { RULES = sizeof rules / sizeof rules[0] };

struct suite {
    gecc_context *context;
    struct arena arena;
    struct prng prng;
    int prepares_keys;
};

static int start(void **state) {
    static struct suite suite;
    suite = (struct suite){.context = test_context(), .prng = prng_for("ed25519")};
    suite.prepares_keys = context_offers(suite.context, OPERATION_ED25519_VERIFY_KEYS);
    *state = &suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    arena_free(&suite->arena);
    gecc_close(suite->context);
    return 0;
}

static struct call call_of(enum operation operation, uint32_t flags) {
    return (struct call){.operation = operation, .curve = GECC_CURVE25519, .flags = flags};
}

static struct expectation expect_bytes(struct cell cell) {
    struct expectation expected = {.statuses = STATUS(OK)};
    expected.out[0].width = (uint32_t)cell.width;
    memcpy(expected.out[0].bytes, cell.data, cell.width);
    return expected;
}

/* OK, or INVALID or MALFORMED. */
static struct expectation expect_verdict(int valid) {
    return (struct expectation){.statuses = valid ? STATUS(OK) : STATUS(INVALID) | STATUS_ANY_MALFORMED};
}

/* The same rows, or the first of them, with prepared keys have the same statuses, whatever the rule is. */
static size_t other_statuses_by_keys(struct suite *suite, struct call call, const struct row *rows,
                                     const struct outcome *outcomes, size_t count) {
    enum { ROWS = 400 };
    static struct outcome by_keys[ROWS];
    size_t mismatches = 0;
    count = count < ROWS ? count : ROWS;
    call.operation = OPERATION_ED25519_VERIFY_KEYS;
    run_rows(suite->context, &call, rows, count, &suite->prng, by_keys);
    for (size_t i = 0; i < count; i++)
        mismatches += by_keys[i].status != outcomes[i].status;
    return mismatches;
}

/* All rows in one call. */
static void run_all(struct suite *suite, struct call call, const struct row *rows, const struct expectation *expected,
                    size_t count, const char *what) {
    static struct outcome outcomes[ROWS_MOST];
    size_t mismatches = 0;
    assert_in_range(count, 1, ROWS_MOST);
    run_rows(suite->context, &call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        char label[120];
        snprintf(label, sizeof label, "%s, row %zu", what, i);
        mismatches += (size_t)outcome_mismatch(&call, &rows[i], &expected[i], &outcomes[i], label);
    }
    if (call.operation == OPERATION_ED25519_VERIFY && suite->prepares_keys)
        mismatches += other_statuses_by_keys(suite, call, rows, outcomes, count);
    assert_int_equal(mismatches, 0);
}

static void run_one(struct suite *suite, struct call call, struct row row, struct expectation expected,
                    const char *what) {
    run_all(suite, call, &row, &expected, 1, what);
}

static void known_answer(struct suite *suite, const struct known *known, const char *what) {
    struct cell seed = hex_cell(&suite->arena, known->seed), key = hex_cell(&suite->arena, known->public_key);
    struct cell message = hex_cell(&suite->arena, known->message),
                signature = hex_cell(&suite->arena, known->signature);
    struct cell context = known->context ? hex_cell(&suite->arena, known->context) : (struct cell){NULL, 0};
    run_one(suite, call_of(OPERATION_ED25519_PUBLIC_KEY, 0), (struct row){{seed}}, expect_bytes(key), what);
    for (uint32_t more = 0; more <= GECC_VERIFY_SIGNATURES; more += GECC_VERIFY_SIGNATURES)
        run_one(suite, call_of(OPERATION_ED25519_SIGN, known->flags | more), (struct row){{seed, message, context}},
                expect_bytes(signature), what);
    for (unsigned rule = 0; rule < RULES; rule++)
        run_one(suite, call_of(OPERATION_ED25519_VERIFY, known->flags | rules[rule].flag),
                (struct row){{key, message, signature, context}}, expect_verdict(1), what);
    run_one(suite, call_of(OPERATION_ED25519_VERIFY, known->flags ^ GECC_PREHASH),
            (struct row){{key, message, signature, context}}, expect_verdict(0), what);
}

static void rfc8032(void **state) {
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        known_answer(*state, &examples[i], "RFC 8032");
}

/* Widths that no row can have, and contexts that are too long. */
static void widths(void **state) {
    struct suite *suite = *state;
    uint8_t bytes[300] = {1};
    const struct known *known = &examples[4];
    struct cell seed = hex_cell(&suite->arena, known->seed), key = hex_cell(&suite->arena, known->public_key);
    struct cell message = hex_cell(&suite->arena, known->message),
                signature = hex_cell(&suite->arena, known->signature);
    struct cell context = hex_cell(&suite->arena, known->context), longest = {bytes, 255}, too_long = {bytes, 256};
    const struct expectation refused = {.statuses = STATUS(MALFORMED_WIDTH)};
    const struct row verify[] = {{{key, message, signature, context}},   {{{bytes, 31}, message, signature, context}},
                                 {{key, message, {bytes, 63}, context}}, {{key, message, {bytes, 65}, context}},
                                 {{key, message, signature, too_long}},  {{key, message, signature, longest}},
                                 {{key, message, {bytes, 0}, context}}};
    const struct expectation verdicts[] = {expect_verdict(1), refused,           refused, refused,
                                           refused,           expect_verdict(0), refused};
    const struct row sign[] = {
        {{seed, message, context}}, {{{bytes, 33}, message, context}}, {{seed, message, too_long}}};
    const struct expectation signatures[] = {expect_bytes(signature), refused, refused};
    run_all(suite, call_of(OPERATION_ED25519_VERIFY, 0), verify, verdicts, 7, "widths");
    run_all(suite, call_of(OPERATION_ED25519_SIGN, 0), sign, signatures, 3, "widths");
}

/* The cases of ed25519.jsonl. */

static const char *text_of(const json_t *json, const char *key) {
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

/* Rows again and again, so that their keys repeat and get tables within the call: in long tests all of them. */
static void verify_repeated(struct suite *suite, const struct row *rows, const struct expectation *expected,
                            size_t count, uint32_t flags) {
    enum { KEYS = 100, ROWS = 20 * KEYS };
    static struct row many[ROWS];
    static struct outcome outcomes[ROWS];
    const struct call call = call_of(OPERATION_ED25519_VERIFY, flags);
    const size_t part = count < KEYS ? count : KEYS, parts = tests_are_long() ? (count + part - 1) / part : 1;
    for (size_t k = 0, first = (size_t)prng_below(&suite->prng, count); k < parts; k++, first += part) {
        size_t mismatches = 0;
        for (size_t i = 0; i < ROWS; i++)
            many[i] = rows[(first + i % part) % count];
        run_rows(suite->context, &call, many, ROWS, &suite->prng, outcomes);
        for (size_t i = 0; i < ROWS; i++)
            mismatches += (size_t)outcome_mismatch(&call, &many[i], &expected[(first + i % part) % count], &outcomes[i],
                                                   "a key that repeats");
        assert_int_equal(mismatches, 0);
    }
}

static void verify_given(struct suite *suite, const struct row *rows, int (*verdicts)[RULES], size_t count) {
    static struct expectation expected[ROWS_MOST];
    for (unsigned rule = 0; rule < RULES && count > 0; rule++) {
        for (size_t i = 0; i < count; i++)
            expected[i] = expect_verdict(verdicts[i][rule]);
        run_all(suite, call_of(OPERATION_ED25519_VERIFY, rules[rule].flag), rows, expected, count, rules[rule].verdict);
        verify_repeated(suite, rows, expected, count, rules[rule].flag);
        for (size_t i = 0; i < count; i += tests_are_short() ? 20 : 1) /* a row's verdict is not its batch's */
            run_one(suite, call_of(OPERATION_ED25519_VERIFY, rules[rule].flag), rows[i], expected[i],
                    rules[rule].verdict);
    }
}

static void given(void **state) {
    static struct row rows[ROWS_MOST];
    static int verdicts[ROWS_MOST][RULES];
    struct suite *suite = *state;
    const char *folder = data_folder("GECC_VECTORS");
    char path[PATH_BYTES];
    char *line = NULL;
    size_t capacity = 0, verified = 0, signed_rows = 0;
    if (folder == NULL) /* which has said so */
        return;
    snprintf(path, sizeof path, "%s/ed25519.jsonl", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &capacity, file) > 0) {
        json_t *json = json_loads(line, 0, NULL);
        const char *op = text_of(json, "op");
        assert_non_null(json);
        if (strcmp(op, "ed25519_verify") == 0) {
            assert_true(verified < ROWS_MOST);
            rows[verified] = (struct row){{hex_cell(&suite->arena, text_of(json, "pub")),
                                           hex_cell(&suite->arena, text_of(json, "msg")),
                                           hex_cell(&suite->arena, text_of(json, "sig")),
                                           {NULL, 0}}};
            for (unsigned rule = 0; rule < RULES; rule++)
                verdicts[verified][rule] = json_is_true(json_object_get(json, rules[rule].verdict));
            verified++;
        } else {
            struct known known = {text_of(json, "seed"), text_of(json, "pub"),
                                  text_of(json, "msg"),  NULL,
                                  text_of(json, "sig"),  strcmp(op, "ed25519ph_sign") == 0 ? GECC_PREHASH : 0};
            if (strcmp(op, "ed25519ctx_sign") == 0 || known.flags != 0)
                known.context = text_of(json, "ctx");
            if (!tests_are_short() || signed_rows % 20 == 0)
                known_answer(suite, &known, text_of(json, "src"));
            signed_rows++;
        }
        json_decref(json);
    }
    free(line);
    fclose(file);
    verify_given(suite, rows, verdicts, verified);
    print_message("%zu verifications, %zu signatures\n", verified, signed_rows);
    assert_true(verified > 300 && signed_rows > 600);
}

/* One of: a bit of key, message or signature; S + n; the key or R negated; another row's width. */
static void spoil(struct prng *prng, uint8_t *key, uint8_t *message, size_t width, uint8_t *signature) {
    static const uint8_t order[SEED_BYTES] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                              0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                              0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
    unsigned bit = 1u << prng_below(prng, 8), carry = 0;
    switch (prng_below(prng, 6)) {
    case 0:
        key[prng_below(prng, KEY_BYTES)] ^= (uint8_t)bit;
        break;
    case 1:
        signature[prng_below(prng, SIGNATURE_BYTES)] ^= (uint8_t)bit;
        break;
    case 2:
        if (width > 0)
            message[prng_below(prng, width)] ^= (uint8_t)bit;
        break;
    case 3:
        for (int i = 0; i < SEED_BYTES; i++) {
            carry += (unsigned)signature[SEED_BYTES + i] + order[i];
            signature[SEED_BYTES + i] = (uint8_t)carry;
            carry >>= 8;
        }
        break;
    case 4:
        key[KEY_BYTES - 1] ^= 0x80;
        break;
    default:
        signature[KEY_BYTES - 1] ^= 0x80;
    }
}

static void openssl(void **state) {
    struct suite *suite = *state;
    static struct row sign[ROWS_MOST], verify[ROWS_MOST], keys[ROWS_MOST];
    static struct expectation signatures[ROWS_MOST], verdicts[ROWS_MOST], public_keys[ROWS_MOST];
    for (size_t round = repetitions(1, 100); round > 0; round--) {
        size_t count = 1 + (size_t)prng_below(&suite->prng, repetitions(2000, ROWS_MOST - 1));
        for (size_t i = 0; i < count; i++) {
            uint8_t seed[SEED_BYTES], key[KEY_BYTES], message[MESSAGE_MOST], signature[SIGNATURE_BYTES];
            size_t width = (size_t)prng_below(&suite->prng, prng_below(&suite->prng, 2) ? 64 : MESSAGE_MOST);
            prng_bytes(&suite->prng, seed, sizeof seed);
            prng_bytes(&suite->prng, message, width);
            struct cell given = arena_copy(&suite->arena, message, width);
            openssl_ed25519_public_key(key, seed);
            openssl_ed25519_sign(signature, seed, given);
            struct cell right = arena_copy(&suite->arena, signature, sizeof signature);
            keys[i] = (struct row){{arena_copy(&suite->arena, seed, sizeof seed)}};
            sign[i] = (struct row){{keys[i].in[0], given}};
            signatures[i] = expect_bytes(right);
            public_keys[i] = expect_bytes(arena_copy(&suite->arena, key, sizeof key));
            if (prng_below(&suite->prng, 2))
                spoil(&suite->prng, key, message, width, signature);
            verify[i] =
                (struct row){{arena_copy(&suite->arena, key, sizeof key), arena_copy(&suite->arena, message, width),
                              arena_copy(&suite->arena, signature, sizeof signature)}};
            verdicts[i] = expect_verdict(openssl_ed25519_verify(key, verify[i].in[1], signature));
        }
        run_all(suite, call_of(OPERATION_ED25519_PUBLIC_KEY, 0), keys, public_keys, count, "OpenSSL's public key");
        run_all(suite, call_of(OPERATION_ED25519_SIGN, 0), sign, signatures, count, "OpenSSL's signature");
        run_all(suite, call_of(OPERATION_ED25519_SIGN, GECC_VERIFY_SIGNATURES), sign, signatures, count,
                "OpenSSL's signature");
        for (unsigned rule = 0; rule < RULES; rule++) /* alike for such rows */
            run_all(suite, call_of(OPERATION_ED25519_VERIFY, rules[rule].flag), verify, verdicts, count,
                    "OpenSSL's verdict");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rfc8032), cmocka_unit_test(widths), cmocka_unit_test(given),
                                       cmocka_unit_test(openssl)};
    return cmocka_run_group_tests(tests, start, stop);
}
