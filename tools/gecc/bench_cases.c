#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench.h"
#include "hex.h"

#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES = 104 };

static size_t width(const struct bench *b) { return 1 + 2 * b->keys.bytes; }
static gecc_out out_points(const struct bench *b, uint8_t *to) { return gecc_out_packed(to, width(b)); }
static gecc_out out_numbers(const struct bench *b, uint8_t *to) { return gecc_out_packed(to, b->keys.bytes); }
static gecc_out statuses(const struct bench *b) { return gecc_out_packed(b->keys.status, 1); }
static gecc_rows scalars(const struct bench *b) { return gecc_rows_packed(b->keys.private_keys, b->keys.bytes); }
static gecc_rows digests(const struct bench *b) { return gecc_rows_packed(b->keys.digests, b->keys.bytes); }
static gecc_rows points(const struct bench *b) { return gecc_rows_packed(b->keys.public_keys, width(b)); }
static gecc_rows numbers(const struct bench *b, const uint8_t *at) { return gecc_rows_packed(at, b->keys.bytes); }
static gecc_rows mirrored_points(const struct bench *b) { return gecc_rows_packed(b->mirrored, width(b)); }

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
    return gecc_ecdsa_recover(b->context, b->keys.curve, out_points(b, b->out), statuses(b), digests(b),
                              gecc_rows_packed(b->keys.signatures, 2 * b->keys.bytes),
                              gecc_rows_packed(b->keys.recovery_ids, 1), b->count, &b->options);
}
static gecc_result run_pubkey(struct bench *b) {
    return gecc_ec_public_key(b->context, b->keys.curve, out_points(b, b->out), statuses(b), scalars(b), b->count,
                              &b->options);
}
static gecc_result run_mul_base(struct bench *b) {
    return gecc_ec_mul_base(b->context, b->keys.curve, out_points(b, b->out), statuses(b), scalars(b), b->count,
                            &b->options);
}
static bool check_public_keys(struct bench *b) { return same(b, b->keys.public_keys, width(b)); }

static gecc_result run_ecdh(struct bench *b) {
    return gecc_ecdh(b->context, b->keys.curve, out_numbers(b, b->out), statuses(b), scalars(b), mirrored_points(b),
                     b->count, &b->options);
}
static gecc_result run_mul(struct bench *b) {
    return gecc_ec_mul(b->context, b->keys.curve, out_points(b, b->out), statuses(b), scalars(b), mirrored_points(b),
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
    return gecc_ec_mul_add(b->context, b->keys.curve, out_points(b, b->out), statuses(b), digests(b), scalars(b),
                           mirrored_points(b), b->count, &b->options);
}
/* In three steps. */
static bool check_mul_add(struct bench *b) {
    gecc_curve curve = b->keys.curve;
    gecc_rows first = gecc_rows_packed(b->scratch, width(b)), second = gecc_rows_packed(b->reference, width(b));
    return gecc_ec_mul_base(b->context, curve, out_points(b, b->scratch), statuses(b), digests(b), b->count, NULL) ==
               GECC_OK &&
           gecc_ec_mul(b->context, curve, out_points(b, b->reference), statuses(b), scalars(b), mirrored_points(b),
                       b->count, NULL) == GECC_OK &&
           gecc_ec_add(b->context, curve, out_points(b, b->reference), statuses(b), first, second, b->count, NULL) ==
               GECC_OK &&
           same(b, b->reference, width(b));
}

static gecc_result run_add(struct bench *b) {
    return gecc_ec_add(b->context, b->keys.curve, out_points(b, b->out), statuses(b), points(b), mirrored_points(b),
                       b->count, &b->options);
}
/* k * G + 1 * Q. */
static bool check_add(struct bench *b) {
    uint8_t one[48] = {0};
    one[b->keys.bytes - 1] = 1;
    return all_ok(b) &&
           gecc_ec_mul_add(b->context, b->keys.curve, out_points(b, b->reference), statuses(b), scalars(b),
                           gecc_rows_same(one, b->keys.bytes), mirrored_points(b), b->count, NULL) == GECC_OK &&
           same(b, b->reference, width(b));
}

/* Modular operands: digests and private keys. */
static gecc_modulus modulus(const struct bench *b) {
    gecc_modulus m = {b->modulus, b->keys.bytes};
    return m;
}
static gecc_result run_mod_add(struct bench *b) {
    return gecc_mod_add(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b), scalars(b), b->count,
                        &b->options);
}
static gecc_result run_mod_sub(struct bench *b) {
    return gecc_mod_sub(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b), scalars(b), b->count,
                        &b->options);
}
static gecc_result run_mod_mul(struct bench *b) {
    return gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b), scalars(b), b->count,
                        &b->options);
}
static gecc_result run_mod_square(struct bench *b) {
    return gecc_mod_square(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b), b->count,
                           &b->options);
}
static gecc_result run_mod_inverse(struct bench *b) {
    return gecc_mod_inverse(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b), b->count,
                            &b->options);
}
/* The exponent m - 2, which makes inverses of a prime modulus. */
static gecc_result run_mod_power(struct bench *b) {
    uint8_t exponent[48];
    memcpy(exponent, b->modulus, b->keys.bytes);
    exponent[b->keys.bytes - 1] -= 2;
    return gecc_mod_power(b->context, modulus(b), out_numbers(b, b->out), statuses(b), digests(b),
                          gecc_rows_same(exponent, b->keys.bytes), b->count, &b->options);
}

/* reference = the digests reduced: operands need not be, results are. */
static bool reduced_digests(struct bench *b) {
    uint8_t zero[48] = {0};
    return gecc_mod_add(b->context, modulus(b), out_numbers(b, b->reference), statuses(b), digests(b),
                        gecc_rows_same(zero, b->keys.bytes), b->count, NULL) == GECC_OK;
}
/* (a + b) - b = a, and the other way round. */
static bool check_mod_add(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_sub(b->context, modulus(b), out_numbers(b, b->out), statuses(b), numbers(b, b->out), scalars(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
static bool check_mod_sub(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_add(b->context, modulus(b), out_numbers(b, b->out), statuses(b), numbers(b, b->out), scalars(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
/* (a * b) / b = a. */
static bool check_mod_mul(struct bench *b) {
    return all_ok(b) && reduced_digests(b) &&
           gecc_mod_inverse(b->context, modulus(b), out_numbers(b, b->scratch), statuses(b), scalars(b), b->count,
                            NULL) == GECC_OK &&
           gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), statuses(b), numbers(b, b->out),
                        numbers(b, b->scratch), b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
static bool check_mod_square(struct bench *b) {
    return all_ok(b) &&
           gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->reference), statuses(b), digests(b), digests(b),
                        b->count, NULL) == GECC_OK &&
           same(b, b->reference, b->keys.bytes);
}
/* a * (1 / a) = 1. */
static bool check_mod_inverse(struct bench *b) {
    bool good = all_ok(b) && gecc_mod_mul(b->context, modulus(b), out_numbers(b, b->out), statuses(b),
                                          numbers(b, b->out), digests(b), b->count, NULL) == GECC_OK;
    memset(b->reference, 0, b->count * b->keys.bytes);
    for (size_t i = 1; i <= b->count; i++)
        b->reference[i * b->keys.bytes - 1] = 1;
    return good && same(b, b->reference, b->keys.bytes);
}

static gecc_result run_digest(struct bench *b) {
    return gecc_digest(b->context, b->hash, gecc_out_packed(b->out, gecc_hash_bytes(b->hash)), statuses(b),
                       gecc_rows_packed(b->messages, BENCH_MESSAGE_BYTES), b->count, &b->options);
}
/* Messages one by one hash as they do together. */
static bool check_digest(struct bench *b) {
    size_t bytes = gecc_hash_bytes(b->hash);
    bool good = all_ok(b);
    for (size_t i = 0; good && i < b->count; i += 1 + b->count / 16) {
        uint8_t status;
        good = gecc_digest(b->context, b->hash, gecc_out_packed(b->reference, bytes), gecc_out_packed(&status, 1),
                           gecc_rows_packed(b->messages + i * BENCH_MESSAGE_BYTES, BENCH_MESSAGE_BYTES), 1,
                           NULL) == GECC_OK &&
               memcmp(b->reference, b->out + i * bytes, bytes) == 0;
    }
    return good;
}

const struct bench_case bench_cases[] = {
    {"sign", run_sign, check_sign, BENCH_CURVE, OUT_NOTHING, 0, 0},
    {"verify", run_verify, check_verify, BENCH_CURVE, OUT_NOTHING, 0, 0},
    {"recover", run_recover, check_public_keys, BENCH_ECDSA, OUT_POINT, 0, 0},
    {"pubkey", run_pubkey, check_public_keys, BENCH_CURVE, OUT_POINT, 0, 0},
    {"ecdh", run_ecdh, check_ecdh, BENCH_CURVE, OUT_NUMBER, 0, 0},
    {"mul-base", run_mul_base, check_public_keys, BENCH_CURVE, OUT_POINT, 0, 0},
    {"mul-base-public", run_mul_base, check_public_keys, BENCH_CURVE, OUT_POINT, GECC_PUBLIC_SCALARS, 0},
    {"mul", run_mul, check_mul, BENCH_CURVE, OUT_POINT, 0, 0},
    {"mul-public", run_mul, check_mul, BENCH_CURVE, OUT_POINT, GECC_PUBLIC_SCALARS, 0},
    {"mul-add", run_mul_add, check_mul_add, BENCH_CURVE, OUT_POINT, 0, 0},
    {"mul-add-public", run_mul_add, check_mul_add, BENCH_CURVE, OUT_POINT, GECC_PUBLIC_SCALARS, 0},
    {"add", run_add, check_add, BENCH_CURVE, OUT_POINT, 0, 0},
    {"mod-add", run_mod_add, check_mod_add, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"mod-sub", run_mod_sub, check_mod_sub, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"mod-mul", run_mod_mul, check_mod_mul, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"mod-square", run_mod_square, check_mod_square, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"mod-inverse", run_mod_inverse, check_mod_inverse, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"mod-power", run_mod_power, check_mod_inverse, BENCH_MOD, OUT_NUMBER, 0, 0},
    {"digest-sha256", run_digest, check_digest, BENCH_HASH, OUT_DIGEST, 0, GECC_SHA256},
    {"digest-sha384", run_digest, check_digest, BENCH_HASH, OUT_DIGEST, 0, GECC_SHA384},
    {"digest-sha512", run_digest, check_digest, BENCH_HASH, OUT_DIGEST, 0, GECC_SHA512},
    {"digest-sm3", run_digest, check_digest, BENCH_HASH, OUT_DIGEST, 0, GECC_SM3},
    {"digest-keccak256", run_digest, check_digest, BENCH_HASH, OUT_DIGEST, 0, GECC_KECCAK256},
};
const size_t bench_case_count = sizeof bench_cases / sizeof *bench_cases;

/* The primes of P-256 and P-384: FIPS 186-5; of secp256k1: SEC 2; of SM2: GM/T 0003.5. */
const uint8_t *bench_prime(gecc_curve curve) {
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

/* Every array, in the order in which they are placed. */
enum { ARRAYS = 11 };
struct array {
    uint8_t **memory;
    size_t bytes;
};
static void arrays_of(struct bench *b, struct array arrays[ARRAYS]) {
    size_t count = b->prepared, bytes = b->keys.bytes, point = 1 + 2 * bytes;
    const struct array all[ARRAYS] = {{&b->keys.private_keys, count * bytes},
                                      {&b->keys.public_keys, count * point},
                                      {&b->keys.digests, count * bytes},
                                      {&b->keys.signatures, count * 2 * bytes},
                                      {&b->keys.recovery_ids, count},
                                      {&b->keys.status, count},
                                      {&b->mirrored, count * point},
                                      {&b->out, count * OUT_BYTES},
                                      {&b->reference, count * OUT_BYTES},
                                      {&b->scratch, count * OUT_BYTES},
                                      {&b->messages, count * BENCH_MESSAGE_BYTES}};
    memcpy(arrays, all, sizeof all);
}

/* All arrays, which are in pageable memory, to bench->place. */
static bool move_arrays(struct bench *bench) {
    struct array arrays[ARRAYS];
    arrays_of(bench, arrays);
    for (; bench->place != PAGEABLE && bench->placed < ARRAYS; bench->placed++) {
        struct array *array = &arrays[bench->placed];
        uint8_t *moved = place_new(bench->place, array->bytes);
        if (!moved)
            return false;
        memcpy(moved, *array->memory, array->bytes);
        explicit_bzero(*array->memory, array->bytes);
        free(*array->memory);
        *array->memory = moved;
    }
    return true;
}

bool bench_prepare(struct bench *bench, gecc_context *context, gecc_curve curve, size_t count, enum place place) {
    gecc_result result;
    *bench = (struct bench){.context = context, .prepared = count, .modulus = bench_prime(curve), .place = place};
    bench->options = (gecc_options)GECC_OPTIONS_INIT;
    bench->report = (gecc_report)GECC_REPORT_INIT;
    bench->options.report = &bench->report;
    bench->mirrored = malloc(count * (1 + 2 * gecc_curve_bytes(curve)));
    bench->out = malloc(count * OUT_BYTES);
    bench->reference = malloc(count * OUT_BYTES);
    bench->scratch = malloc(count * OUT_BYTES);
    bench->messages = malloc(count * BENCH_MESSAGE_BYTES);
    if (!bench->mirrored || !bench->out || !bench->reference || !bench->scratch || !bench->messages ||
        !random_bytes(bench->messages, count * BENCH_MESSAGE_BYTES) ||
        !keys_make(&bench->keys, context, curve, count, &result) || keys_sign(&bench->keys, context, NULL) != GECC_OK ||
        !move_arrays(bench))
        return false;
    bench_take(bench, count);
    return true;
}

void bench_take(struct bench *bench, size_t count) {
    size_t bytes = width(bench);
    bench->count = bench->keys.count = count;
    for (size_t i = 0; i < count; i++)
        memcpy(bench->mirrored + i * bytes, bench->keys.public_keys + (count - 1 - i) * bytes, bytes);
}

/* What a run writes, of each row in use. */
enum { WRITTEN = 4 };
struct written {
    uint8_t *data;
    size_t bytes;
};
static void written_by(const struct bench *b, const struct bench_case *item, struct written *written) {
    const size_t bytes[] = {[OUT_NOTHING] = 0,
                            [OUT_POINT] = width(b),
                            [OUT_NUMBER] = b->keys.bytes,
                            [OUT_DIGEST] = gecc_hash_bytes(item->hash)};
    written[0] = (struct written){b->out, bytes[item->output]};
    written[1] = (struct written){b->keys.signatures, 2 * b->keys.bytes};
    written[2] = (struct written){b->keys.recovery_ids, 1};
    written[3] = (struct written){b->keys.status, 1};
}

static gecc_result run_from_zeros(struct bench *bench, const struct bench_case *item) {
    memset(bench->out, 0, bench->count * OUT_BYTES);
    memset(bench->keys.status, 0, bench->count);
    return item->run(bench);
}

/* Rows first .. first + count - 1 of the batch as a batch in another context. Results of its own are written over those
 * of the batch. */
static struct bench part_of(const struct bench *b, gecc_context *context, size_t first, size_t count) {
    struct bench part = *b;
    size_t bytes = b->keys.bytes;
    part.context = context;
    part.count = part.keys.count = count;
    part.keys.private_keys += first * bytes;
    part.keys.public_keys += first * width(b);
    part.keys.digests += first * bytes;
    part.keys.signatures += first * 2 * bytes;
    part.keys.recovery_ids += first;
    part.keys.status += first;
    part.mirrored += first * width(b);
    part.messages += first * BENCH_MESSAGE_BYTES;
    part.out = b->scratch;
    part.options.report = NULL;
    return part;
}

/* Does the other context make of these rows what was kept? */
static gecc_result compare_part(struct bench *bench, const struct bench_case *item, gecc_context *other,
                                uint8_t *const kept[WRITTEN], size_t first, size_t count, bool *same_bytes) {
    struct bench part = part_of(bench, other, first, count);
    struct written written[WRITTEN];
    gecc_result result = run_from_zeros(&part, item);
    written_by(&part, item, written);
    for (size_t i = 0; i < WRITTEN; i++)
        *same_bytes =
            *same_bytes && memcmp(kept[i] + first * written[i].bytes, written[i].data, count * written[i].bytes) == 0;
    return result;
}

static bool keep(const struct bench *bench, const struct bench_case *item, uint8_t *kept[WRITTEN]) {
    struct written written[WRITTEN];
    written_by(bench, item, written);
    for (size_t i = 0; i < WRITTEN; i++) {
        kept[i] = malloc(bench->count * written[i].bytes + 1);
        if (!kept[i])
            return false;
        memcpy(kept[i], written[i].data, bench->count * written[i].bytes);
    }
    return true;
}

gecc_result bench_compare(struct bench *bench, const struct bench_case *item, gecc_context *other, size_t sample,
                          bool *same_bytes) {
    uint8_t *kept[WRITTEN] = {NULL};
    size_t count = bench->count;
    bool all = sample == 0 || count <= 3 * sample;
    const size_t first[3] = {0, (count - sample) / 2, count - sample};
    gecc_result result = run_from_zeros(bench, item);
    *same_bytes = true;
    if (result == GECC_OK && !keep(bench, item, kept))
        result = GECC_ERROR_MEMORY;
    for (size_t i = 0; result == GECC_OK && i < (all ? 1 : 3); i++)
        result = compare_part(bench, item, other, kept, first[i], all ? count : sample, same_bytes);
    for (size_t i = 0; i < WRITTEN; i++)
        free(kept[i]);
    return result;
}

void bench_free(struct bench *bench) {
    struct array arrays[ARRAYS];
    arrays_of(bench, arrays);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (*arrays[i].memory)
            explicit_bzero(*arrays[i].memory, arrays[i].bytes);
        place_free(i < bench->placed ? bench->place : PAGEABLE, *arrays[i].memory);
    }
    *bench = (struct bench){.count = 0};
}
