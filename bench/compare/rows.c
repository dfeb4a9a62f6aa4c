/* The inputs: reproducible random bytes, and what gecc makes of them. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

enum { REFUSED_EVERY = 16 };

size_t result_bytes(enum operation operation, size_t length) {
    const gecc_column *out = gecc_operation_output(gecc_library_operation(operation, GECC_SECP256K1), 0);
    if (out == NULL)
        return 1;
    switch (out->kind) {
    case GECC_KIND_SIGNATURE:
    case GECC_KIND_BIP340_SIGNATURE:
    case GECC_KIND_ED25519_SIGNATURE:
        return 2 * length;
    case GECC_KIND_ADDRESS:
        return GECC_ADDRESS_BYTES;
    case GECC_KIND_POINT:
        return 1 + 2 * length;
    default:
        return length;
    }
}

/* SplitMix64. */
static uint64_t random_next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void random_fill(uint8_t *bytes, size_t size, uint64_t *state) {
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(random_next(state) >> 56);
}

/* Scalars below n: the orders exceed 2^(8L - 1), or have a bit in their first byte. */
static void random_scalars(uint8_t *scalar, size_t count, size_t length, uint64_t *state) {
    random_fill(scalar, count * length, state);
    for (size_t i = 0; i < count; i++)
        scalar[i * length] &= length == 66 ? 0 : 0x7f;
}

static bool rows_allocate(struct rows *rows) {
    size_t count = rows->count, length = rows->length;
    rows->private_key = malloc(count * length);
    rows->scalar = malloc(count * length);
    rows->public_key = malloc(count * (1 + 2 * length));
    rows->digest = malloc(count * DIGEST_BYTES);
    rows->checked = malloc(count * DIGEST_BYTES);
    rows->signature = malloc(count * 2 * length);
    rows->recovery_id = calloc(count, 1);
    rows->joined = calloc(count, ETHEREUM_BYTES);
    rows->x_only = calloc(count, length);
    rows->schnorr = calloc(count, 2 * length);
    rows->status = malloc(count);
    return rows->private_key && rows->scalar && rows->public_key && rows->digest && rows->checked && rows->signature &&
           rows->recovery_id && rows->joined && rows->x_only && rows->schnorr && rows->status;
}

static bool all_ok(const struct rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        if (rows->status[i] != GECC_ITEM_OK)
            return false;
    return true;
}

static bool make_public_keys(const struct rows *rows) {
    gecc_out public_key = gecc_out_packed(rows->public_key, 1 + 2 * rows->length);
    gecc_rows private_key = gecc_rows_packed(rows->private_key, rows->length);
    return gecc_ec_public_key(rows->context, rows->curve, public_key, gecc_out_packed(rows->status, 1), private_key,
                              rows->count, NULL) == GECC_OK &&
           all_ok(rows);
}

static bool make_signatures(const struct rows *rows) {
    gecc_out signature = gecc_out_packed(rows->signature, 2 * rows->length);
    gecc_rows private_key = gecc_rows_packed(rows->private_key, rows->length);
    gecc_rows digest = gecc_rows_packed(rows->digest, DIGEST_BYTES);
    gecc_out status = gecc_out_packed(rows->status, 1);
    gecc_result result;
    if (rows->curve == GECC_SM2)
        result =
            gecc_sm2_sign(rows->context, signature, status, private_key, digest, gecc_rows_none(), rows->count, NULL);
    else
        result = gecc_ecdsa_sign(rows->context, rows->curve, signature, gecc_out_packed(rows->recovery_id, 1), status,
                                 private_key, digest, gecc_rows_none(), rows->count, NULL);
    return result == GECC_OK && all_ok(rows);
}

static void make_joined(const struct rows *rows) {
    for (size_t i = 0; rows->curve == GECC_SECP256K1 && i < rows->count; i++) {
        uint8_t *joined = rows->joined + i * ETHEREUM_BYTES;
        memcpy(joined, rows->signature + i * (ETHEREUM_BYTES - 1), ETHEREUM_BYTES - 1);
        joined[ETHEREUM_BYTES - 1] = rows->recovery_id[i];
    }
}

static bool make_schnorr(const struct rows *rows) {
    gecc_rows private_key = gecc_rows_packed(rows->private_key, rows->length);
    gecc_out status = gecc_out_packed(rows->status, 1);
    return rows->curve != GECC_SECP256K1 ||
           (gecc_schnorr_public_key(rows->context, gecc_out_packed(rows->x_only, rows->length), status, private_key,
                                    rows->count, NULL) == GECC_OK &&
            gecc_schnorr_sign(rows->context, gecc_out_packed(rows->schnorr, 2 * rows->length), status, private_key,
                              gecc_rows_packed(rows->digest, DIGEST_BYTES), gecc_rows_none(), rows->count,
                              NULL) == GECC_OK &&
            all_ok(rows));
}

/* Public keys and signatures of Ed25519. */
static bool make_ed25519(const struct rows *rows) {
    gecc_rows seed = gecc_rows_packed(rows->private_key, rows->length);
    gecc_out status = gecc_out_packed(rows->status, 1);
    return gecc_ed25519_public_key(rows->context, gecc_out_packed(rows->x_only, rows->length), status, seed,
                                   rows->count, NULL) == GECC_OK &&
           gecc_ed25519_sign(rows->context, gecc_out_packed(rows->schnorr, 2 * rows->length), status, seed,
                             gecc_rows_packed(rows->digest, DIGEST_BYTES), gecc_rows_none(), rows->count,
                             NULL) == GECC_OK &&
           all_ok(rows);
}

/* Rows from rows->count on, up to `count`, repeat those before. */
static void rows_repeat(struct rows *rows, size_t count) {
    const struct {
        uint8_t *data;
        size_t width;
    } columns[] = {{rows->private_key, rows->length},
                   {rows->scalar, rows->length},
                   {rows->public_key, 1 + 2 * rows->length},
                   {rows->digest, DIGEST_BYTES},
                   {rows->checked, DIGEST_BYTES},
                   {rows->signature, 2 * rows->length},
                   {rows->recovery_id, 1},
                   {rows->joined, ETHEREUM_BYTES},
                   {rows->x_only, rows->length},
                   {rows->schnorr, 2 * rows->length},
                   {rows->status, 1}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (size_t i = rows->count * columns[c].width; i < count * columns[c].width; i++)
            columns[c].data[i] = columns[c].data[i - rows->count * columns[c].width];
    rows->count = count;
}

bool rows_make(struct rows *rows, gecc_curve curve, size_t different, size_t count) {
    uint64_t state = (uint64_t)curve;
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = 1;
    config.backend = "cpu";
    *rows = (struct rows){.curve = curve, .count = count, .length = gecc_curve_bytes(curve)};
    if (!rows_allocate(rows) || gecc_open(&rows->context, &config) != GECC_OK)
        return false;
    rows->count = different = different < count ? different : count;
    random_scalars(rows->private_key, different, rows->length, &state);
    random_scalars(rows->scalar, different, rows->length, &state);
    random_fill(rows->digest, different * DIGEST_BYTES, &state);
    for (size_t i = 0; i < different * DIGEST_BYTES; i++)
        rows->checked[i] = rows->digest[i] ^ (i % (DIGEST_BYTES * REFUSED_EVERY) == DIGEST_BYTES * REFUSED_EVERY - 1);
    if (curve == GECC_CURVE25519 ? !make_ed25519(rows)
                                 : !make_public_keys(rows) || !make_signatures(rows) || !make_schnorr(rows))
        return false;
    make_joined(rows);
    rows_repeat(rows, count);
    return true;
}

void rows_free(struct rows *rows) {
    if (rows->context)
        gecc_close(rows->context);
    free(rows->private_key);
    free(rows->scalar);
    free(rows->public_key);
    free(rows->digest);
    free(rows->checked);
    free(rows->signature);
    free(rows->recovery_id);
    free(rows->joined);
    free(rows->x_only);
    free(rows->schnorr);
    free(rows->status);
}

bool rows_accept(const struct rows *rows, size_t row, const uint8_t *signature) {
    gecc_rows public_key = gecc_rows_packed(rows->public_key + row * (1 + 2 * rows->length), 1 + 2 * rows->length);
    gecc_rows digest = gecc_rows_packed(rows->digest + row * DIGEST_BYTES, DIGEST_BYTES);
    gecc_rows signatures = gecc_rows_packed(signature, 2 * rows->length);
    uint8_t status = GECC_ITEM_NOT_PROCESSED;
    gecc_out out = gecc_out_packed(&status, 1);
    gecc_result result =
        rows->curve == GECC_SM2
            ? gecc_sm2_verify(rows->context, out, public_key, digest, signatures, 1, NULL)
            : gecc_ecdsa_verify(rows->context, rows->curve, out, public_key, digest, signatures, 1, NULL);
    return result == GECC_OK && status == GECC_ITEM_OK;
}
