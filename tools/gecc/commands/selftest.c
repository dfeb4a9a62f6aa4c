/* selftest: known answers on every curve, random rows through operations that must agree, and every operation that the
 * library describes beside the portable code. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench/cases.h"
#include "commands/commands.h"
#include "text/hex.h"
#include "bench/keys.h"
#include "commands/known_answers.h"
#include "rows/stream.h"

#include <string.h>

enum { MAX_BYTES = 256, RANDOM_ROWS = 65 };

struct test {
    gecc_context *context, *portable;
    struct bench_cases cases;
    bool quiet;
    size_t passed, failed, left_out;
};

/* Bytes from a known answer. */
struct bytes {
    uint8_t data[MAX_BYTES];
    size_t count;
};

static struct bytes bytes_of(const char *text) {
    struct bytes bytes = {.count = strlen(text) / 2};
    hex_decode(bytes.data, text, 2 * bytes.count);
    return bytes;
}

static gecc_rows row_of(const struct bytes *bytes) { return gecc_rows_packed(bytes->data, bytes->count); }

static void check(struct test *test, const char *subject, const char *what, bool good) {
    if (good)
        test->passed++;
    else
        test->failed++;
    if (!good || !test->quiet)
        printf("%-6s %-10s %s\n", good ? "ok" : "FAILED", subject, what);
}

/* What one row gave. */
struct outcome {
    gecc_result result;
    uint8_t status;
    uint8_t data[MAX_BYTES];
};

static bool gave(const struct outcome *outcome, const struct bytes *expected) {
    return outcome->result == GECC_OK && outcome->status == GECC_ITEM_OK &&
           memcmp(outcome->data, expected->data, expected->count) == 0;
}

static bool refused(const struct outcome *outcome, gecc_item item) {
    return outcome->result == GECC_OK && outcome->status == (uint8_t)item;
}

static gecc_out out_of(struct outcome *outcome) { return gecc_out_packed(outcome->data, MAX_BYTES); }
static gecc_out status_of(struct outcome *outcome) { return gecc_out_packed(&outcome->status, 1); }

static void check_multiples(struct test *test, const struct known_multiples *known) {
    gecc_context *context = test->context;
    gecc_curve curve = known->curve;
    const char *name = gecc_curve_name(curve);
    struct bytes one = bytes_of(known->one), two = bytes_of(known->two), three = bytes_of(known->three);
    struct bytes minus_1 = bytes_of(known->order_less_1);
    struct bytes small = {.count = minus_1.count};
    struct outcome o = {0}, minus_g = {0};
    gecc_rows k = row_of(&small);
    small.data[small.count - 1] = 3;
    o.result = gecc_ec_public_key(context, curve, out_of(&o), status_of(&o), k, 1, NULL);
    check(test, name, "public key: 3 * G", gave(&o, &three));
    o.result = gecc_ec_mul_base(context, curve, out_of(&o), status_of(&o), k, 1, NULL);
    check(test, name, "multiplication of the base point: 3 * G", gave(&o, &three));
    o.result = gecc_ec_mul(context, curve, out_of(&o), status_of(&o), k, row_of(&one), 1, NULL);
    check(test, name, "multiplication of a point: 3 * G", gave(&o, &three));
    small.data[small.count - 1] = 1;
    o.result = gecc_ec_mul_add(context, curve, out_of(&o), status_of(&o), k, k, row_of(&two), 1, NULL);
    check(test, name, "1 * G + 1 * (2 * G)", gave(&o, &three));
    o.result = gecc_ec_add(context, curve, out_of(&o), status_of(&o), row_of(&one), row_of(&two), 1, NULL);
    check(test, name, "addition: G + 2 * G", gave(&o, &three));
    o.result = gecc_ec_add(context, curve, out_of(&o), status_of(&o), row_of(&one), row_of(&one), 1, NULL);
    check(test, name, "addition of equal points: G + G", gave(&o, &two));
    o.result = gecc_ec_double(context, curve, out_of(&o), status_of(&o), row_of(&one), 1, NULL);
    check(test, name, "doubling: 2 * G", gave(&o, &two));
    minus_g.result = gecc_ec_mul_base(context, curve, out_of(&minus_g), status_of(&minus_g), row_of(&minus_1), 1, NULL);
    o.result = gecc_ec_add(context, curve, out_of(&o), status_of(&o), row_of(&one),
                           gecc_rows_packed(minus_g.data, one.count), 1, NULL);
    check(test, name, "G + (n - 1) * G is the point at infinity", refused(&o, GECC_ITEM_INFINITY));
}

static void check_encodings(struct test *test, const struct known_multiples *known) {
    gecc_curve curve = known->curve;
    const char *name = gecc_curve_name(curve);
    struct bytes point = bytes_of(known->three), compressed = {.count = gecc_curve_bytes(curve) + 1};
    struct outcome o = {0};
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_COMPRESSED;
    memcpy(compressed.data, point.data, compressed.count);
    compressed.data[0] = 2 + point.data[point.count - 1] % 2;
    o.result = gecc_ec_convert(test->context, curve, out_of(&o), status_of(&o), row_of(&point), 1, &options);
    check(test, name, "compression", gave(&o, &compressed));
    o.result = gecc_ec_convert(test->context, curve, out_of(&o), status_of(&o), row_of(&compressed), 1, NULL);
    check(test, name, "decompression", gave(&o, &point));
    o.result = gecc_ec_validate(test->context, curve, status_of(&o), row_of(&point), 1, NULL);
    check(test, name, "a point on the curve", refused(&o, GECC_ITEM_OK));
    point.data[point.count - 1] ^= 1;
    o.result = gecc_ec_validate(test->context, curve, status_of(&o), row_of(&point), 1, NULL);
    check(test, name, "a point beside the curve", refused(&o, GECC_ITEM_MALFORMED_POINT_OFF_CURVE));
}

/* The operation that gives shared secrets. */
static const gecc_operation *key_agreement(void) {
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        const gecc_column *output = gecc_operation_output(operation, 0);
        if (output != NULL && output->kind == GECC_KIND_SHARED_SECRET)
            break;
    }
    return operation;
}

static gecc_result agree(gecc_context *context, gecc_curve curve, gecc_out shared, gecc_out status, gecc_rows key,
                         gecc_rows peer, size_t count) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    const gecc_rows inputs[] = {key, peer};
    parameters.curve = curve;
    return gecc_run(context, key_agreement(), &parameters, &shared, status, inputs, count, NULL);
}

/* 3 * G has the x coordinate that 3 shares with the owner of 1. */
static void check_shared_secret(struct test *test, const struct known_multiples *known) {
    struct bytes one = bytes_of(known->one), x = bytes_of(known->three);
    struct bytes key = {.count = gecc_curve_bytes(known->curve)};
    struct outcome o = {0};
    key.data[key.count - 1] = 3;
    memmove(x.data, x.data + 1, x.count = key.count);
    o.result = agree(test->context, known->curve, out_of(&o), status_of(&o), row_of(&key), row_of(&one), 1);
    check(test, gecc_curve_name(known->curve), "shared secret of 3 and G", gave(&o, &x));
}

static void check_digests(struct test *test) {
    for (size_t i = 0; i < sizeof known_digests / sizeof *known_digests; i++) {
        struct bytes message = bytes_of(known_digests[i].message), digest = bytes_of(known_digests[i].digest);
        struct outcome o = {0};
        o.result =
            gecc_digest(test->context, known_digests[i].hash, out_of(&o), status_of(&o), row_of(&message), 1, NULL);
        check(test, name_of(names_of_hashes, known_digests[i].hash), "digest", gave(&o, &digest));
    }
    struct bytes key = bytes_of(known_e.public_key), id = bytes_of(known_e.id), message = bytes_of(known_e.message);
    struct bytes e = bytes_of(known_e.e);
    struct outcome o = {0};
    o.result =
        gecc_sm2_digest(test->context, out_of(&o), status_of(&o), row_of(&key), row_of(&id), row_of(&message), 1, NULL);
    check(test, "SM2", "e of GM/T 0003.5", gave(&o, &e));
}

static struct outcome sign_known(struct test *test, const struct known_signature *known, uint8_t *recovery_id,
                                 bool with_nonce) {
    struct bytes key = bytes_of(known->private_key), digest = bytes_of(known->digest), nonce = bytes_of(known->nonce);
    struct outcome o = {0};
    gecc_options options = GECC_OPTIONS_INIT;
    options.nonce_hash = known->hash;
    gecc_out id = gecc_out_packed(recovery_id, 1);
    gecc_context *context = test->context;
    if (known->curve == GECC_SM2)
        o.result = gecc_sm2_sign_with_dangerous_nonce(context, out_of(&o), status_of(&o), row_of(&key), row_of(&digest),
                                                      row_of(&nonce), 1, &options);
    else if (with_nonce)
        o.result = gecc_ecdsa_sign_with_dangerous_nonce(context, known->curve, out_of(&o), id, status_of(&o),
                                                        row_of(&key), row_of(&digest), row_of(&nonce), 1, &options);
    else
        o.result = gecc_ecdsa_sign(context, known->curve, out_of(&o), id, status_of(&o), row_of(&key), row_of(&digest),
                                   gecc_rows_none(), 1, &options);
    return o;
}

static struct outcome verify_known(struct test *test, gecc_curve curve, const struct bytes *key,
                                   const struct bytes *digest, const struct bytes *signature) {
    struct outcome o = {0};
    if (curve == GECC_SM2)
        o.result =
            gecc_sm2_verify(test->context, status_of(&o), row_of(key), row_of(digest), row_of(signature), 1, NULL);
    else
        o.result = gecc_ecdsa_verify(test->context, curve, status_of(&o), row_of(key), row_of(digest),
                                     row_of(signature), 1, NULL);
    return o;
}

static void check_signature(struct test *test, const struct known_signature *known) {
    const char *name = gecc_curve_name(known->curve);
    struct bytes digest = bytes_of(known->digest), signature = bytes_of(known->signature);
    struct bytes private_key = bytes_of(known->private_key), key = {.count = 1 + 2 * private_key.count};
    struct outcome o = {0};
    uint8_t recovery_id = 0xff;
    char what[96];
    for (int with_nonce = known->curve == GECC_SM2; with_nonce < 2; with_nonce++) {
        o = sign_known(test, known, &recovery_id, with_nonce);
        snprintf(what, sizeof what, "sign%s: %s", with_nonce ? " with that nonce" : "", known->source);
        check(test, name, what, gave(&o, &signature) && (known->recovery_id < 0 || recovery_id == known->recovery_id));
    }
    o.result =
        gecc_ec_public_key(test->context, known->curve, out_of(&o), status_of(&o), row_of(&private_key), 1, NULL);
    memcpy(key.data, o.data, key.count);
    o = verify_known(test, known->curve, &key, &digest, &signature);
    check(test, name, "verify it", refused(&o, GECC_ITEM_OK));
    if (known->recovery_id >= 0) {
        gecc_rows id = gecc_rows_packed(&recovery_id, 1);
        o.result = gecc_ecdsa_recover(test->context, known->curve, out_of(&o), status_of(&o), row_of(&digest),
                                      row_of(&signature), id, 1, NULL);
        check(test, name, "recover its key", gave(&o, &key));
    }
    signature.data[signature.count - 1] ^= 1;
    o = verify_known(test, known->curve, &key, &digest, &signature);
    check(test, name, "refuse it with one bit of s changed", refused(&o, GECC_ITEM_INVALID));
}

static void check_residues(struct test *test) {
    for (size_t i = 0; i < sizeof known_residues / sizeof *known_residues; i++) {
        const struct known_residue *known = &known_residues[i];
        struct bytes m = bytes_of(known->modulus), a = bytes_of(known->a), b = bytes_of(known->b);
        struct bytes r = bytes_of(known->r);
        struct outcome o = {0};
        gecc_parameters parameters = GECC_PARAMETERS_INIT;
        char name[32];
        snprintf(name, sizeof name, "mod.%s", known->name);
        parameters.modulus = (gecc_modulus){m.data, m.count};
        const gecc_rows inputs[] = {row_of(&a), row_of(&b)};
        const gecc_out out = out_of(&o);
        o.result =
            gecc_run(test->context, gecc_operation_find(name), &parameters, &out, status_of(&o), inputs, 1, NULL);
        check(test, "modular", known->name, gave(&o, &r));
    }
}

/* Whether each key is recovered from its signature. */
static bool recovers(gecc_context *context, const struct keys *keys) {
    uint8_t recovered[RANDOM_ROWS * (1 + 2 * GECC_CURVE_BYTES_MOST)], status[RANDOM_ROWS];
    size_t width = 1 + 2 * keys->bytes;
    gecc_result result =
        gecc_ecdsa_recover(context, keys->curve, gecc_out_packed(recovered, width), gecc_out_packed(status, 1),
                           keys_digests(keys), gecc_rows_packed(keys->signatures, 2 * keys->bytes),
                           gecc_rows_packed(keys->recovery_ids, 1), keys->count, NULL);
    return result == GECC_OK && count_items(status, keys->count, GECC_ITEM_OK) == keys->count &&
           memcmp(recovered, keys->public_keys, keys->count * width) == 0;
}

/* Whether row i and row count - 1 - i agree on a secret. */
static bool agrees(gecc_context *context, const struct keys *keys) {
    uint8_t shared[RANDOM_ROWS * GECC_CURVE_BYTES_MOST], status[RANDOM_ROWS];
    size_t width = 1 + 2 * keys->bytes, bytes = keys->bytes, count = keys->count;
    uint64_t mirrored[RANDOM_ROWS];
    for (size_t i = 0; i < count; i++)
        mirrored[i] = (count - 1 - i) * width;
    gecc_rows peers = {keys->public_keys, 0, width, NULL, mirrored};
    bool good = agree(context, keys->curve, gecc_out_packed(shared, bytes), gecc_out_packed(status, 1),
                      gecc_rows_packed(keys->private_keys, bytes), peers, count) == GECC_OK &&
                count_items(status, count, GECC_ITEM_OK) == count;
    for (size_t i = 0; good && i < count / 2; i++)
        good = memcmp(shared + i * bytes, shared + (count - 1 - i) * bytes, bytes) == 0;
    explicit_bzero(shared, sizeof shared);
    return good;
}

static void check_random(struct test *test, gecc_curve curve) {
    const char *name = gecc_curve_name(curve);
    struct keys keys = {0};
    gecc_result result;
    bool made = keys_make(&keys, test->context, curve, RANDOM_ROWS, &result);
    check(test, name, "random keys", made);
    if (made) {
        bool good = keys_sign(&keys, test->context, NULL) == GECC_OK &&
                    keys_verify(&keys, test->context, keys.status, NULL) == GECC_OK;
        check(test, name, "random rows: sign, verify",
              good && count_items(keys.status, RANDOM_ROWS, GECC_ITEM_OK) == RANDOM_ROWS);
        if (curve != GECC_SM2)
            check(test, name, "random rows: recover", recovers(test->context, &keys));
        check(test, name, "random rows: shared secrets from both sides", agrees(test->context, &keys));
        for (size_t i = 0; i < RANDOM_ROWS; i += 2)
            keys.digests[i * keys.bytes] ^= 0x80;
        good = keys_verify(&keys, test->context, keys.status, NULL) == GECC_OK;
        check(test, name, "random rows: every other digest changed",
              good && count_items(keys.status, RANDOM_ROWS, GECC_ITEM_INVALID) == (RANDOM_ROWS + 1) / 2 &&
                  keys.status[1] == GECC_ITEM_OK);
    }
    keys_free(&keys);
}

/* Every operation makes of random rows what the portable code makes of them; one that the backend has no program for is
 * said to be left out. */
static void check_operations(struct test *test, gecc_curve curve) {
    struct bench bench;
    bool made = bench_prepare(&bench, test->context, curve, RANDOM_ROWS, PAGEABLE);
    check(test, gecc_curve_name(curve), "rows for every operation", made);
    for (size_t i = 0; made && i < test->cases.count; i++) {
        const struct bench_case *item = &test->cases.item[i];
        char what[96];
        bool same = false;
        if (!bench_case_is_on(item, curve))
            continue;
        bench_choose(&bench, item);
        gecc_result result = bench_compare(&bench, test->portable, 0, &same);
        (void)snprintf(what, sizeof what, "%s, as the portable code", item->name);
        if (result != GECC_ERROR_UNSUPPORTED) {
            check(test, gecc_curve_name(curve), what, result == GECC_OK && same);
            continue;
        }
        test->left_out++;
        if (!test->quiet)
            printf("%-6s %-10s %s: %s\n", "none", gecc_curve_name(curve), item->name, gecc_result_text(result));
    }
    bench_free(&bench);
}

static int selftest(const struct options *options) {
    struct test test = {.quiet = options->quiet, .portable = cpu_context_open("portable-c")};
    if (test.portable)
        test.context = context_open(options, 0);
    if (!test.context) {
        gecc_close(test.portable);
        return EXIT_TROUBLE;
    }
    bench_list(&test.cases);
    check_digests(&test);
    for (size_t c = 0; c < sizeof known_multiples / sizeof *known_multiples; c++) {
        check_multiples(&test, &known_multiples[c]);
        check_encodings(&test, &known_multiples[c]);
        check_shared_secret(&test, &known_multiples[c]);
        check_signature(&test, &known_signatures[c]);
        check_random(&test, known_multiples[c].curve);
        check_operations(&test, known_multiples[c].curve);
    }
    check_residues(&test);
    gecc_close(test.context);
    gecc_close(test.portable);
    if (!options->quiet || test.failed) {
        printf("%zu passed, %zu failed", test.passed, test.failed);
        if (test.left_out)
            printf(", %zu left out: this backend cannot do them", test.left_out);
        printf("\n");
    }
    if (fflush(stdout) != 0)
        return EXIT_TROUBLE;
    return test.failed ? EXIT_BAD_ROWS : EXIT_GOOD;
}

const struct command command_selftest = {
    .name = "selftest",
    .summary = "check that this machine computes rightly",
    .description = "Known answers on every curve, from the standards; random rows through operations that must agree: "
                   "sign, verify, recover, shared secrets from both sides; and random rows through every operation, "
                   "which the portable code has to compute alike. What the backend has no program for is left out, and "
                   "said. Exits with 1 if anything is wrong.",
    .examples = "gecc selftest --backend cpu --quiet\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT,
    .main = selftest};
