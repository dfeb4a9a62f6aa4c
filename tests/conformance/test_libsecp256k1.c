/* Random rows on secp256k1, half of them spoiled, against libsecp256k1. Signatures are the same to the bit.
 *
 * GECC_TEST_CASES: four times the rows (20,000; in short tests 2,000, in long ones 1,000,000).
 *
 * Test: fast; needs libcrypto libsecp256k1 */
#include "support/effort.h"
#include "support/generate.h"

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { GREATEST_BATCH = 300, NO_RESULT = 0, RESULT = 1 };

static const secp256k1_context *library;

/* libsecp256k1 takes digests of 32 bytes: the same number in 32 bytes. */
static void digest32(struct cell digest, uint8_t out[32]) {
    memset(out, 0, 32);
    if (digest.width >= 32) {
        memcpy(out, digest.data, 32);
    } else {
        memcpy(out + 32 - digest.width, digest.data, digest.width);
    }
}

static int digest_fits(struct cell digest) { return digest.width >= 20 && digest.width <= 64; }

static int parse_point(struct cell cell, secp256k1_pubkey *key) {
    uint8_t bytes[65] = {4};
    if (cell.width == 64) {
        memcpy(bytes + 1, cell.data, 64);
        return secp256k1_ec_pubkey_parse(library, key, bytes, 65);
    }
    int hybrid = cell.width == 65 && cell.data[0] != 4;
    return !hybrid && secp256k1_ec_pubkey_parse(library, key, cell.data, cell.width);
}

static int parse_signature(uint32_t flags, struct cell cell, secp256k1_ecdsa_signature *signature) {
    if (flags & GECC_DER) {
        return secp256k1_ecdsa_signature_parse_der(library, signature, cell.data, cell.width);
    }
    return cell.width == 64 && secp256k1_ecdsa_signature_parse_compact(library, signature, cell.data);
}

static int write_point(gecc_point_format format, const secp256k1_pubkey *key, struct expectation *expected) {
    uint8_t bytes[65];
    size_t width = sizeof bytes, skip = format == GECC_POINT_RAW;
    unsigned form = format == GECC_POINT_COMPRESSED ? SECP256K1_EC_COMPRESSED : SECP256K1_EC_UNCOMPRESSED;
    secp256k1_ec_pubkey_serialize(library, bytes, &width, key, form);
    expected->out[0].width = (uint32_t)(width - skip);
    memcpy(expected->out[0].bytes, bytes + skip, width - skip);
    return RESULT;
}

static int verify(const struct call *call, const struct row *row) {
    secp256k1_pubkey key;
    secp256k1_ecdsa_signature signature;
    uint8_t digest[32];
    if (!parse_point(row->in[0], &key) || !digest_fits(row->in[1]) ||
        !parse_signature(call->flags, row->in[2], &signature)) {
        return NO_RESULT;
    }
    digest32(row->in[1], digest);
    if (!(call->flags & GECC_LOW_S)) {
        secp256k1_ecdsa_signature_normalize(library, &signature, &signature);
    }
    return secp256k1_ecdsa_verify(library, &signature, digest, &key);
}

static int recover(const struct call *call, const struct row *row, struct expectation *expected) {
    secp256k1_ecdsa_recoverable_signature signature;
    secp256k1_ecdsa_signature plain;
    secp256k1_pubkey key;
    uint8_t digest[32], raw[64];
    struct cell id = row->in[2];
    if (!digest_fits(row->in[0]) || id.width != 1 || id.data[0] > 3 ||
        !parse_signature(call->flags, row->in[1], &plain) ||
        ((call->flags & GECC_LOW_S) && secp256k1_ecdsa_signature_normalize(library, NULL, &plain))) {
        return NO_RESULT;
    }
    digest32(row->in[0], digest);
    secp256k1_ecdsa_signature_serialize_compact(library, raw, &plain);
    return secp256k1_ecdsa_recoverable_signature_parse_compact(library, &signature, raw, id.data[0]) &&
           secp256k1_ecdsa_recover(library, &key, &signature, digest) &&
           write_point(call->point_format, &key, expected);
}

static int sign(const struct call *call, const struct row *row, struct expectation *expected) {
    secp256k1_ecdsa_recoverable_signature recoverable;
    secp256k1_ecdsa_signature signature;
    uint8_t digest[32], raw[64];
    int id;
    if (row->in[0].width != 32 || !digest_fits(row->in[1])) {
        return NO_RESULT;
    }
    digest32(row->in[1], digest);
    if (!secp256k1_ecdsa_sign_recoverable(library, &recoverable, digest, row->in[0].data, NULL, row->in[2].data)) {
        return NO_RESULT;
    }
    secp256k1_ecdsa_recoverable_signature_serialize_compact(library, raw, &id, &recoverable);
    secp256k1_ecdsa_recoverable_signature_convert(library, &signature, &recoverable);
    expected->out[1] = (struct value){1, {(uint8_t)id}};
    size_t width = OUTCOME_BYTES;
    if (call->flags & GECC_DER) {
        REQUIRE(secp256k1_ecdsa_signature_serialize_der(library, expected->out[0].bytes, &width, &signature));
        expected->out[0].width = (uint32_t)width;
    } else {
        memcpy(expected->out[0].bytes, raw, 64);
        expected->out[0].width = 64;
    }
    return RESULT;
}

static int copy_x(unsigned char *output, const unsigned char *x32, const unsigned char *y32, void *data) {
    (void)y32;
    (void)data;
    memcpy(output, x32, 32);
    return 1;
}

static int ecdh(const struct row *row, struct expectation *expected) {
    secp256k1_pubkey key;
    expected->out[0].width = 32;
    return row->in[0].width == 32 && parse_point(row->in[1], &key) &&
           secp256k1_ecdh(library, expected->out[0].bytes, &key, row->in[0].data, copy_x, NULL);
}

/* Sums and multiples through the key-tweaking functions, which know no infinity: it is no result here. */
static int point_arithmetic(const struct call *call, const struct row *row, struct expectation *expected) {
    secp256k1_pubkey a, b, sum;
    const secp256k1_pubkey *terms[2] = {&a, &b};
    int fine;
    switch (call->operation) {
    case OPERATION_EC_PUBLIC_KEY:
        fine = row->in[0].width == 32 && secp256k1_ec_pubkey_create(library, &sum, row->in[0].data);
        break;
    case OPERATION_EC_ADD:
        fine = parse_point(row->in[0], &a) && parse_point(row->in[1], &b) &&
               secp256k1_ec_pubkey_combine(library, &sum, terms, 2);
        break;
    case OPERATION_EC_MUL:
        fine = row->in[0].width == 32 && parse_point(row->in[1], &sum) &&
               secp256k1_ec_pubkey_tweak_mul(library, &sum, row->in[0].data);
        break;
    case OPERATION_EC_MUL_ADD:
        fine = row->in[0].width == 32 && row->in[1].width == 32 && parse_point(row->in[2], &sum) &&
               secp256k1_ec_pubkey_tweak_mul(library, &sum, row->in[1].data) &&
               secp256k1_ec_pubkey_tweak_add(library, &sum, row->in[0].data);
        break;
    default:
        fine = parse_point(row->in[0], &sum);
    }
    return fine && write_point(call->point_format, &sum, expected);
}

static int schnorr_sign(const struct row *row, struct expectation *expected) {
    uint8_t auxiliary[32];
    secp256k1_keypair pair;
    secp256k1_schnorrsig_extraparams parameters = SECP256K1_SCHNORRSIG_EXTRAPARAMS_INIT;
    struct cell aux = row->in[2];
    if (row->in[0].width != 32 || (aux.data && aux.width != 32) ||
        !secp256k1_keypair_create(library, &pair, row->in[0].data)) {
        return NO_RESULT;
    }
    if (aux.data) {
        memcpy(auxiliary, aux.data, 32);
        parameters.ndata = auxiliary;
    }
    expected->out[0].width = 64;
    return secp256k1_schnorrsig_sign_custom(library, expected->out[0].bytes, row->in[1].data, row->in[1].width, &pair,
                                            &parameters);
}

static int schnorr_verify(const struct call *call, const struct row *row) {
    secp256k1_xonly_pubkey key;
    struct cell signature = row->in[2];
    int sighash = (call->flags & GECC_SIGHASH_BYTE) && signature.width == 65 && signature.data[64] != 0;
    return row->in[0].width == 32 && secp256k1_xonly_pubkey_parse(library, &key, row->in[0].data) &&
           (signature.width == 64 || sighash) &&
           secp256k1_schnorrsig_verify(library, signature.data, row->in[1].data, row->in[1].width, &key);
}

/* hash_TapTweak of the key and the root, which has 32 bytes or none. */
static int tweak_of(const uint8_t *key, struct cell root, uint8_t tweak[32]) {
    uint8_t bytes[64];
    memcpy(bytes, key, 32);
    if (root.width != 0 && root.width != 32) {
        return 0;
    }
    memcpy(bytes + 32, root.data, root.width);
    return secp256k1_tagged_sha256(library, tweak, (const uint8_t *)"TapTweak", 8, bytes, 32 + root.width);
}

static int tweak_public_key(const struct row *row, struct expectation *expected) {
    secp256k1_xonly_pubkey key, tweaked;
    secp256k1_pubkey point;
    uint8_t tweak[32];
    int parity;
    if (row->in[0].width != 32 || !secp256k1_xonly_pubkey_parse(library, &key, row->in[0].data) ||
        !tweak_of(row->in[0].data, row->in[1], tweak) ||
        !secp256k1_xonly_pubkey_tweak_add(library, &point, &key, tweak)) {
        return NO_RESULT;
    }
    expected->out[0].width = 32;
    REQUIRE(secp256k1_xonly_pubkey_from_pubkey(library, &tweaked, &parity, &point));
    expected->out[1] = (struct value){1, {(uint8_t)parity}};
    return secp256k1_xonly_pubkey_serialize(library, expected->out[0].bytes, &tweaked);
}

/* The x-only public key, or the tweaked private key. */
static int schnorr_key(const struct call *call, const struct row *row, struct expectation *expected) {
    secp256k1_keypair pair;
    secp256k1_xonly_pubkey key;
    uint8_t x[32], tweak[32];
    if (row->in[0].width != 32 || !secp256k1_keypair_create(library, &pair, row->in[0].data)) {
        return NO_RESULT;
    }
    REQUIRE(secp256k1_keypair_xonly_pub(library, &key, NULL, &pair));
    expected->out[0].width = 32;
    if (call->operation == OPERATION_SCHNORR_PUBLIC_KEY) {
        return secp256k1_xonly_pubkey_serialize(library, expected->out[0].bytes, &key);
    }
    REQUIRE(secp256k1_xonly_pubkey_serialize(library, x, &key));
    return tweak_of(x, row->in[1], tweak) && secp256k1_keypair_xonly_tweak_add(library, &pair, tweak) &&
           secp256k1_keypair_sec(library, expected->out[0].bytes, &pair);
}

static int schnorr(const struct call *call, const struct row *row, struct expectation *expected) {
    switch (call->operation) {
    case OPERATION_SCHNORR_SIGN:
        return schnorr_sign(row, expected);
    case OPERATION_SCHNORR_VERIFY:
        return schnorr_verify(call, row);
    case OPERATION_SCHNORR_TWEAK_PUBLIC_KEY:
        return tweak_public_key(row, expected);
    default:
        return schnorr_key(call, row, expected);
    }
}

/* The recovery id that v stands for; 4: none. */
static uint8_t id_of_v(struct cell v) {
    int large = 0;
    uint8_t last = v.data[v.width - 1];
    for (uint32_t i = 0; i + 1 < v.width; i++) {
        large |= v.data[i];
    }
    if (large || last > 34) {
        return last % 2 == 0;
    }
    return last < 2 ? last : last == 27 ? 0 : last == 28 ? 1 : 4;
}

/* Recovery of the public key, or a key that is given, and the end of its Keccak-256. */
static int ethereum(const struct call *call, const struct row *row, struct expectation *expected) {
    struct call inner = {.operation = OPERATION_ECDSA_RECOVER, .flags = call->flags, .point_format = GECC_POINT_RAW};
    struct row key = {{row->in[0]}};
    struct cell r = row->in[1], s = row->in[2], v = row->in[3];
    uint8_t raw[64] = {0}, hash[32], digest[32], id;
    secp256k1_pubkey point;
    if (call->operation == OPERATION_ETHEREUM_ADDRESS) {
        if (!parse_point(row->in[0], &point) || !write_point(GECC_POINT_RAW, &point, expected)) {
            return NO_RESULT;
        }
    } else {
        if (call->operation == OPERATION_ETHEREUM_RECOVER_MESSAGE) {
            reference_keccak256(key.in[0].data, key.in[0].width, digest);
            key.in[0] = (struct cell){digest, sizeof digest};
        }
        if (call->operation != OPERATION_ETHEREUM_RECOVER_COLUMNS && r.width > 64) {
            v = (struct cell){r.data + 64, r.width - 64};
            s = (struct cell){r.data + 32, 32};
            r.width = 32;
        }
        if (key.in[0].width != 32 || r.width - 1 > 31 || s.width - 1 > 31 || v.width - 1 > 31) {
            return NO_RESULT;
        }
        memcpy(raw + 32 - r.width, r.data, r.width);
        memcpy(raw + 64 - s.width, s.data, s.width);
        id = id_of_v(v);
        key.in[1] = (struct cell){raw, 64};
        key.in[2] = (struct cell){&id, 1};
        if (!recover(&inner, &key, expected)) {
            return NO_RESULT;
        }
    }
    reference_keccak256(expected->out[0].bytes, 64, hash);
    memset(&expected->out[0], 0, sizeof expected->out[0]);
    memcpy(expected->out[0].bytes, hash + 12, GECC_ADDRESS_BYTES);
    expected->out[0].width = GECC_ADDRESS_BYTES;
    return RESULT;
}

static void libsecp256k1_row(const struct call *call, const struct row *row, struct expectation *expected) {
    memset(expected, 0, sizeof *expected);
    int result = call->operation == OPERATION_ECDSA_VERIFY                          ? verify(call, row)
                 : call->operation == OPERATION_ECDSA_RECOVER                       ? recover(call, row, expected)
                 : call->operation == OPERATION_ECDSA_SIGN                          ? sign(call, row, expected)
                 : call->operation == OPERATION_ECDH                                ? ecdh(row, expected)
                 : strncmp(operation_of(call->operation)->name, "schnorr.", 8) == 0 ? schnorr(call, row, expected)
                 : strncmp(operation_of(call->operation)->name, "ethereum.", 9) == 0
                     ? ethereum(call, row, expected)
                     : point_arithmetic(call, row, expected);
    expected->statuses = result ? STATUS(OK) : STATUS(INVALID) | STATUS(INFINITY) | STATUS_ANY_MALFORMED;
}

/* Scalars that libsecp256k1 refuses and the library takes modulo n: 0 (as v) and those not less than n. A digest not
 * less than n: its nonce function does not reduce it as RFC 6979 does. */
static int outside_libsecp256k1(const struct call *call, const struct row *row) {
    int outside = 0;
    for (int i = 0; i < CELLS; i++) {
        gecc_kind kind = kind_of_input(call->operation, i);
        int number = kind == GECC_KIND_SCALAR || (kind == GECC_KIND_DIGEST && call->operation == OPERATION_ECDSA_SIGN);
        if (number && row->in[i].width >= 32) {
            BIGNUM *value = BN_bin2bn(row->in[i].data, 32, NULL);
            outside |=
                BN_cmp(value, reference_curve(call->curve)->n) >= 0 || (kind == GECC_KIND_SCALAR && BN_is_zero(value));
            BN_free(value);
        }
    }
    return outside;
}

static size_t run_batch(gecc_context *context, struct prng *prng, const struct call *call, int entropy, size_t count) {
    struct arena arena = {0};
    struct row rows[GREATEST_BATCH] = {0};
    struct outcome outcomes[GREATEST_BATCH];
    size_t mismatches = 0;
    for (size_t i = 0; i < count; i++) {
        do {
            rows[i] = row_good(call, prng, &arena);
            if (prng_below(prng, 2)) {
                rows[i] = row_spoiled(call, rows[i], prng, &arena);
            }
        } while (outside_libsecp256k1(call, &rows[i]));
        if (entropy) {
            rows[i].in[2] = arena_copy(&arena, pool_key(pool_of(call->curve), i % POOL_KEYS), 32);
        }
    }
    run_rows(context, call, rows, count, prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        struct expectation expected;
        libsecp256k1_row(call, &rows[i], &expected);
        mismatches += (size_t)outcome_mismatch(call, &rows[i], &expected, &outcomes[i], "against libsecp256k1");
    }
    arena_free(&arena);
    pool_used(call->curve, count);
    return mismatches;
}

static void compare(enum operation operation, uint32_t flags, int entropy) {
    gecc_context *context = test_context();
    struct prng prng = prng_for(operation_of(operation)->name);
    size_t cases = environment_number("GECC_TEST_CASES", repetitions(20000, 1000000));
    size_t mismatches = 0, left = 1 + cases / 64;
    while (left) {
        size_t count = 1 + (size_t)prng_below(&prng, GREATEST_BATCH);
        count = count < left ? count : left;
        struct call call = {.operation = operation,
                            .curve = GECC_SECP256K1,
                            .flags = flags,
                            .point_format = (gecc_point_format)prng_below(&prng, 3)};
        mismatches += run_batch(context, &prng, &call, entropy, count);
        left -= count;
    }
    gecc_close(context);
    assert_int_equal(mismatches, 0);
}

static void public_keys(void **state) {
    (void)state;
    compare(OPERATION_EC_PUBLIC_KEY, 0, 0);
}

static void points(void **state) {
    (void)state;
    compare(OPERATION_EC_CONVERT, 0, 0);
    compare(OPERATION_EC_ADD, 0, 0);
}

static void multiples(void **state) {
    (void)state;
    compare(OPERATION_EC_MUL, 0, 0);
    compare(OPERATION_EC_MUL, GECC_PUBLIC_SCALARS, 0);
    compare(OPERATION_EC_MUL_ADD, 0, 0);
    compare(OPERATION_EC_MUL_ADD, GECC_PUBLIC_SCALARS, 0);
}

static void shared_secrets(void **state) {
    (void)state;
    compare(OPERATION_ECDH, 0, 0);
}

static void signing(void **state) {
    (void)state;
    compare(OPERATION_ECDSA_SIGN, 0, 0);
    compare(OPERATION_ECDSA_SIGN, GECC_DER, 0);
    compare(OPERATION_ECDSA_SIGN, GECC_VERIFY_SIGNATURES, 1);
}

static void verification(void **state) {
    (void)state;
    compare(OPERATION_ECDSA_VERIFY, 0, 0);
    compare(OPERATION_ECDSA_VERIFY, GECC_LOW_S, 0);
    compare(OPERATION_ECDSA_VERIFY, GECC_DER, 0);
    compare(OPERATION_ECDSA_VERIFY, GECC_DER | GECC_LOW_S, 0);
}

static void schnorr_keys(void **state) {
    (void)state;
    compare(OPERATION_SCHNORR_PUBLIC_KEY, 0, 0);
    compare(OPERATION_SCHNORR_TWEAK_PUBLIC_KEY, 0, 0);
    compare(OPERATION_SCHNORR_TWEAK_PRIVATE_KEY, 0, 0);
}

static void schnorr_signing(void **state) {
    (void)state;
    compare(OPERATION_SCHNORR_SIGN, 0, 0);
    compare(OPERATION_SCHNORR_SIGN, 0, 1);
    compare(OPERATION_SCHNORR_SIGN, GECC_VERIFY_SIGNATURES, 1);
}

static void schnorr_verification(void **state) {
    (void)state;
    compare(OPERATION_SCHNORR_VERIFY, 0, 0);
    compare(OPERATION_SCHNORR_VERIFY, GECC_SIGHASH_BYTE, 0);
}

static void recovery(void **state) {
    (void)state;
    compare(OPERATION_ECDSA_RECOVER, 0, 0);
    compare(OPERATION_ECDSA_RECOVER, GECC_LOW_S, 0);
    compare(OPERATION_ECDSA_RECOVER, GECC_DER, 0);
}

static void ethereum_addresses(void **state) {
    (void)state;
    compare(OPERATION_ETHEREUM_ADDRESS, 0, 0);
    compare(OPERATION_ETHEREUM_RECOVER, 0, 0);
    compare(OPERATION_ETHEREUM_RECOVER, GECC_LOW_S, 0);
    compare(OPERATION_ETHEREUM_RECOVER_COLUMNS, 0, 0);
    compare(OPERATION_ETHEREUM_RECOVER_COLUMNS, GECC_LOW_S, 0);
    compare(OPERATION_ETHEREUM_RECOVER_MESSAGE, GECC_LOW_S, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_keys),        cmocka_unit_test(points),
        cmocka_unit_test(multiples),          cmocka_unit_test(signing),
        cmocka_unit_test(verification),       cmocka_unit_test(shared_secrets),
        cmocka_unit_test(recovery),           cmocka_unit_test(schnorr_keys),
        cmocka_unit_test(schnorr_signing),    cmocka_unit_test(schnorr_verification),
        cmocka_unit_test(ethereum_addresses),
    };
    secp256k1_context *context = secp256k1_context_create(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY);
    library = context;
    int failed = cmocka_run_group_tests_name("libsecp256k1", tests, NULL, NULL);
    secp256k1_context_destroy(context);
    return failed;
}
