#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench.h"
#include "hex.h"

#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES = 104 };

static size_t width(const struct bench *b) { return 1 + 2 * b->keys.bytes; }
static gecc_out out_points(const struct bench *b, uint8_t *to) { return gecc_out_packed(to, width(b)); }
static gecc_out out_numbers(const struct bench *b, uint8_t *to) { return gecc_out_packed(to, b->keys.bytes); }
static gecc_rows scalars(const struct bench *b) { return gecc_rows_packed(b->keys.private_keys, b->keys.bytes); }
static gecc_rows digests(const struct bench *b) { return gecc_rows_packed(b->keys.digests, b->keys.bytes); }
static gecc_rows points(const struct bench *b) { return gecc_rows_packed(b->keys.public_keys, width(b)); }
static gecc_rows numbers(const struct bench *b, const uint8_t *at) { return gecc_rows_packed(at, b->keys.bytes); }
static gecc_rows mirrored_points(const struct bench *b) {
    gecc_rows rows = {b->keys.public_keys, 0, width(b), NULL, b->mirror};
    return rows;
}

static bool all_ok(const struct bench *b) { return count_items(b->keys.status, b->count, GECC_ITEM_OK) == b->count; }

static bool same(const struct bench *b, const uint8_t *expected, size_t bytes) {
    return all_ok(b) && memcmp(b->out, expected, b->count * bytes) == 0;
}

static gecc_result run_sign(struct bench *b) { return keys_sign(&b->keys, b->context, &b->options); }
static gecc_result run_verify(struct bench *b) {
    return keys_verify(&b->keys, b->context, b->keys.status, &b->options);
}
static bool check_sign(struct bench *b) {
    return all_ok(b) && keys_verify(&b->keys, b->context, b->keys.status, NULL) == GECC_OK && all_ok(b);
}
/* What is changed must be refused, too. */
static bool check_verify(struct bench *b) {
    if (!all_ok(b))
        return false;
    b->keys.digests[0] ^= 1;
    bool good = keys_verify(&b->keys, b->context, b->keys.status, NULL) == GECC_OK &&
                b->keys.status[0] == GECC_ITEM_INVALID &&
                count_items(b->keys.status, b->count, GECC_ITEM_OK) == b->count - 1;
    b->keys.digests[0] ^= 1;
    return good;
}

static gecc_result run_recover(struct bench *b) {
    return gecc_ecdsa_recover(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, digests(b),
                              gecc_rows_packed(b->keys.signatures, 2 * b->keys.bytes),
                              gecc_rows_packed(b->keys.recovery_ids, 1), b->count, &b->options);
}
static gecc_result run_pubkey(struct bench *b) {
    return gecc_ec_public_key(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, scalars(b), b->count,
                              &b->options);
}
static gecc_result run_mul_base(struct bench *b) {
    return gecc_ec_mul_base(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, scalars(b), b->count,
                            &b->options);
}
static bool check_public_keys(struct bench *b) { return same(b, b->keys.public_keys, width(b)); }

static gecc_result run_ecdh(struct bench *b) {
    return gecc_ecdh(b->context, b->keys.curve, out_numbers(b, b->out), b->keys.status, scalars(b), mirrored_points(b),
                     b->count, &b->options);
}
static gecc_result run_mul(struct bench *b) {
    return gecc_ec_mul(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, scalars(b), mirrored_points(b),
                       b->count, &b->options);
}
/* Row i and its mirror image multiply each other's keys: they agree. */
static bool agree(const struct bench *b, size_t bytes) {
    bool good = all_ok(b);
    for (size_t i = 0; good && i < b->count / 2; i++)
        good = memcmp(b->out + i * bytes, b->out + (b->count - 1 - i) * bytes, bytes) == 0;
    return good;
}
static bool check_ecdh(struct bench *b) { return agree(b, b->keys.bytes); }
static bool check_mul(struct bench *b) { return agree(b, width(b)); }

static gecc_result run_mul_add(struct bench *b) {
    return gecc_ec_mul_add(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, digests(b), scalars(b),
                           mirrored_points(b), b->count, &b->options);
}
/* In three steps. */
static bool check_mul_add(struct bench *b) {
    gecc_curve curve = b->keys.curve;
    gecc_rows first = gecc_rows_packed(b->scratch, width(b)), second = gecc_rows_packed(b->reference, width(b));
    return gecc_ec_mul_base(b->context, curve, out_points(b, b->scratch), b->keys.status, digests(b), b->count, NULL) ==
               GECC_OK &&
           gecc_ec_mul(b->context, curve, out_points(b, b->reference), b->keys.status, scalars(b), mirrored_points(b),
                       b->count, NULL) == GECC_OK &&
           gecc_ec_add(b->context, curve, out_points(b, b->reference), b->keys.status, first, second, b->count, NULL) ==
               GECC_OK &&
           same(b, b->reference, width(b));
}

static gecc_result run_add(struct bench *b) {
    return gecc_ec_add(b->context, b->keys.curve, out_points(b, b->out), b->keys.status, points(b), mirrored_points(b),
                       b->count, &b->options);
}
/* k * G + 1 * Q. */
static bool check_add(struct bench *b) {
    uint8_t one[48] = {0};
    one[b->keys.bytes - 1] = 1;
    return all_ok(b) &&
           gecc_ec_mul_add(b->context, b->keys.curve, out_points(b, b->reference), b->keys.status, scalars(b),
                           gecc_rows_same(one, b->keys.bytes), mirrored_points(b), b->count, NULL) == GECC_OK &&
           same(b, b->reference, width(b));
}

/* Modular operands: digests and private keys. */
static gecc_modulus modulus(const struct bench *b) {
    gecc_modulus m = {b->modulus, b->keys.bytes};
    return m;
}
static gecc_result run_mod_add(struct bench *b) {
    return gecc_mod_add(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b), scalars(b),
                        b->count, &b->options);
}
static gecc_result run_mod_sub(struct bench *b) {
    return gecc_mod_sub(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b), scalars(b),
                        b->count, &b->options);
}
static gecc_result run_mod_mul(struct bench *b) {
    return gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b), scalars(b),
                        b->count, &b->options);
}
static gecc_result run_mod_square(struct bench *b) {
    return gecc_mod_square(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b), b->count,
                           &b->options);
}
static gecc_result run_mod_inverse(struct bench *b) {
    return gecc_mod_inverse(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b), b->count,
                            &b->options);
}
/* The exponent m - 2, which makes inverses of a prime modulus. */
static gecc_result run_mod_power(struct bench *b) {
    uint8_t exponent[48];
    memcpy(exponent, b->modulus, b->keys.bytes);
    exponent[b->keys.bytes - 1] -= 2;
    return gecc_mod_power(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, digests(b),
                          gecc_rows_same(exponent, b->keys.bytes), b->count, &b->options);
}

/* reference = the digests reduced: operands need not be, results are. */
static bool reduced_digests(struct bench *b) {
    uint8_t zero[48] = {0};
    return gecc_mod_add(b->context, modulus(b), out_numbers(b, b->reference), b->keys.status, digests(b),
                        gecc_rows_same(zero, b->keys.bytes), b->count, NULL) == GECC_OK;
}
/* (a + b) - b = a, and the other way round. */
static bool check_mod_add(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_sub(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, numbers(b, b->out), scalars(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
static bool check_mod_sub(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_add(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, numbers(b, b->out), scalars(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
/* (a * b) / b = a. */
static bool check_mod_mul(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_inverse(b->context, modulus(b), out_numbers(b, b->scratch), b->keys.status, scalars(b), b->count,
                            NULL) == GECC_OK &&
           gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), b->keys.status, numbers(b, b->out),
                        numbers(b, b->scratch), b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
static bool check_mod_square(struct bench *b) {
    return all_ok(b) &&
           gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->reference), b->keys.status, digests(b), digests(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
/* a * (1 / a) = 1. */
static bool check_mod_inverse(struct bench *b) {
    bool good = all_ok(b) && gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), b->keys.status,
                                          numbers(b, b->out), digests(b), b->count, NULL) == GECC_OK;
    memset(b->reference, 0, b->count * b->keys.bytes);
    for (size_t i = 1; i <= b->count; i++)
        b->reference[i * b->keys.bytes - 1] = 1;
    return good && same(b, b->reference, b->keys.bytes);
}

static gecc_result run_digest(struct bench *b) {
    return gecc_digest(b->context, b->hash, gecc_out_packed(b->out, gecc_hash_bytes(b->hash)), b->keys.status,
                       gecc_rows_packed(b->messages, BENCH_MESSAGE_BYTES), b->count, &b->options);
}
/* Messages one by one hash as they do together. */
static bool check_digest(struct bench *b) {
    size_t bytes = gecc_hash_bytes(b->hash);
    bool good = all_ok(b);
    for (size_t i = 0; good && i < b->count; i += 1 + b->count / 16) {
        uint8_t status;
        good = gecc_digest(b->context, b->hash, gecc_out_packed(b->reference, bytes), &status,
                           gecc_rows_packed(b->messages + i * BENCH_MESSAGE_BYTES, BENCH_MESSAGE_BYTES), 1,
                           NULL) == GECC_OK &&
               memcmp(b->reference, b->out + i * bytes, bytes) == 0;
    }
    return good;
}

const struct bench_case bench_cases[] = {
    {"sign", run_sign, check_sign, BENCH_CURVE, 0, 0},
    {"verify", run_verify, check_verify, BENCH_CURVE, 0, 0},
    {"recover", run_recover, check_public_keys, BENCH_ECDSA, 0, 0},
    {"pubkey", run_pubkey, check_public_keys, BENCH_CURVE, 0, 0},
    {"ecdh", run_ecdh, check_ecdh, BENCH_CURVE, 0, 0},
    {"mul-base", run_mul_base, check_public_keys, BENCH_CURVE, 0, 0},
    {"mul-base-public", run_mul_base, check_public_keys, BENCH_CURVE, GECC_PUBLIC_SCALARS, 0},
    {"mul", run_mul, check_mul, BENCH_CURVE, 0, 0},
    {"mul-public", run_mul, check_mul, BENCH_CURVE, GECC_PUBLIC_SCALARS, 0},
    {"mul-add", run_mul_add, check_mul_add, BENCH_CURVE, 0, 0},
    {"mul-add-public", run_mul_add, check_mul_add, BENCH_CURVE, GECC_PUBLIC_SCALARS, 0},
    {"add", run_add, check_add, BENCH_CURVE, 0, 0},
    {"mod-add", run_mod_add, check_mod_add, BENCH_MOD, 0, 0},
    {"mod-sub", run_mod_sub, check_mod_sub, BENCH_MOD, 0, 0},
    {"mod-mul", run_mod_mul, check_mod_mul, BENCH_MOD, 0, 0},
    {"mod-square", run_mod_square, check_mod_square, BENCH_MOD, 0, 0},
    {"mod-inverse", run_mod_inverse, check_mod_inverse, BENCH_MOD, 0, 0},
    {"mod-power", run_mod_power, check_mod_inverse, BENCH_MOD, 0, 0},
    {"digest-sha256", run_digest, check_digest, BENCH_HASH, 0, GECC_SHA256},
    {"digest-sha384", run_digest, check_digest, BENCH_HASH, 0, GECC_SHA384},
    {"digest-sha512", run_digest, check_digest, BENCH_HASH, 0, GECC_SHA512},
    {"digest-sm3", run_digest, check_digest, BENCH_HASH, 0, GECC_SM3},
    {"digest-keccak256", run_digest, check_digest, BENCH_HASH, 0, GECC_KECCAK256},
};
const size_t bench_case_count = sizeof bench_cases / sizeof *bench_cases;

/* The primes of P-256 and P-384: FIPS 186-5; of secp256k1: SEC 2; of SM2: GM/T 0003.5. */
static const uint8_t *prime_of(gecc_curve curve) {
    static const char *const texts[] = {
        [GECC_SECP256K1] = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f",
        [GECC_P256] = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
        [GECC_P384] =
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
        [GECC_SM2] = "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff"};
    static uint8_t primes[GECC_SM2 + 1][48];
    hex_decode(primes[curve], texts[curve], 2 * gecc_curve_bytes(curve));
    return primes[curve];
}

bool bench_prepare(struct bench *bench, gecc_context *context, gecc_curve curve, size_t count) {
    gecc_result result;
    *bench = (struct bench){.context = context, .prepared = count, .modulus = prime_of(curve)};
    bench->options = (gecc_options)GECC_OPTIONS_INIT;
    bench->options.report = &bench->report;
    bench->mirror = malloc(count * sizeof *bench->mirror);
    bench->out = malloc(count * OUT_BYTES);
    bench->reference = malloc(count * OUT_BYTES);
    bench->scratch = malloc(count * OUT_BYTES);
    bench->messages = malloc(count * BENCH_MESSAGE_BYTES);
    if (!bench->mirror || !bench->out || !bench->reference || !bench->scratch || !bench->messages ||
        !random_bytes(bench->messages, count * BENCH_MESSAGE_BYTES) ||
        !keys_make(&bench->keys, context, curve, count, &result) || keys_sign(&bench->keys, context, NULL) != GECC_OK)
        return false;
    bench_take(bench, count);
    return true;
}

void bench_take(struct bench *bench, size_t count) {
    bench->count = bench->keys.count = count;
    for (size_t i = 0; i < count; i++)
        bench->mirror[i] = (count - 1 - i) * (1 + 2 * bench->keys.bytes);
}

/* What a run writes, of the rows in use. */
enum { WRITTEN = 4 };
struct written {
    uint8_t *data;
    size_t bytes;
};
static void written_by(const struct bench *b, struct written *written) {
    written[0] = (struct written){b->out, b->count * OUT_BYTES};
    written[1] = (struct written){b->keys.signatures, b->count * 2 * b->keys.bytes};
    written[2] = (struct written){b->keys.recovery_ids, b->count};
    written[3] = (struct written){b->keys.status, b->count};
}

static gecc_result run_from_zeros(struct bench *bench, const struct bench_case *item) {
    memset(bench->out, 0, bench->count * OUT_BYTES);
    memset(bench->keys.status, 0, bench->count);
    return item->run(bench);
}

gecc_result bench_compare(struct bench *bench, const struct bench_case *item, gecc_context *other, bool *same_bytes) {
    struct written written[WRITTEN];
    uint8_t *kept[WRITTEN] = {NULL};
    gecc_context *own = bench->context;
    gecc_result result = run_from_zeros(bench, item);
    written_by(bench, written);
    for (size_t i = 0; i < WRITTEN; i++) {
        kept[i] = malloc(written[i].bytes);
        if (kept[i])
            memcpy(kept[i], written[i].data, written[i].bytes);
        else
            result = GECC_ERROR_MEMORY;
    }
    bench->context = other;
    if (result == GECC_OK)
        result = run_from_zeros(bench, item);
    bench->context = own;
    *same_bytes = result == GECC_OK;
    for (size_t i = 0; i < WRITTEN; i++) {
        *same_bytes = *same_bytes && memcmp(kept[i], written[i].data, written[i].bytes) == 0;
        free(kept[i]);
    }
    return result;
}

void bench_free(struct bench *bench) {
    free(bench->mirror);
    free(bench->out);
    free(bench->reference);
    free(bench->scratch);
    free(bench->messages);
    bench->keys.count = bench->prepared;
    keys_free(&bench->keys);
}
