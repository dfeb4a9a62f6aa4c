/* The inputs: those of a pool, whose signatures have a low s, as libsecp256k1 wants them. */
#include "compare.h"
#include "number.h"
#include "rows.h"

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
    return rows->private_key && rows->scalar && rows->public_key && rows->digest && rows->checked && rows->signature &&
           rows->recovery_id && rows->joined && rows->x_only && rows->schnorr;
}

/* Row i of every column. The scalar is the key of the row as far from the end. */
static void fill_row(const struct rows *rows, const struct pool *pool, size_t i) {
    const size_t length = rows->length, twice = 2 * length;
    const bool is_25519 = rows->curve == GECC_CURVE25519;
    const uint8_t *digest = pool->digests + 64 * i;
    uint8_t *signature = rows->signature + twice * i, *joined = rows->joined + ETHEREUM_BYTES * i;
    memcpy(rows->private_key + length * i, pool_key(pool, i), length);
    memcpy(rows->scalar + length * i, pool_key(pool, rows->count - 1 - i), length);
    memcpy(rows->digest + DIGEST_BYTES * i, digest, DIGEST_BYTES);
    memcpy(rows->checked + DIGEST_BYTES * i, digest, DIGEST_BYTES);
    rows->checked[DIGEST_BYTES * i + DIGEST_BYTES - 1] ^= i % REFUSED_EVERY == REFUSED_EVERY - 1;
    memcpy(rows->x_only + length * i, pool_point(pool, i), length);
    memcpy(rows->schnorr + twice * i, (is_25519 ? pool->ed25519_signatures[0] : pool->bip340_signatures) + twice * i,
           twice);
    if (is_25519)
        return;
    (void)point_encode(pool, rows->public_key + (1 + twice) * i, pool_point(pool, i), GECC_POINT_UNCOMPRESSED);
    memcpy(signature, (rows->curve == GECC_SM2 ? pool->sm2_signatures : pool->signatures) + twice * i, twice);
    rows->recovery_id[i] = pool->ids[i];
    if (rows->curve == GECC_SECP256K1) {
        if (memcmp(signature + length, pool->half_n, length) > 0) {
            number_sub(signature + length, pool->n, signature + length, length);
            rows->recovery_id[i] ^= 1;
        }
        memcpy(joined, signature, twice);
        joined[twice] = rows->recovery_id[i];
    }
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
                   {rows->schnorr, 2 * rows->length}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        for (size_t i = rows->count * columns[c].width; i < count * columns[c].width; i++)
            columns[c].data[i] = columns[c].data[i - rows->count * columns[c].width];
    rows->count = count;
}

bool rows_make(struct rows *rows, gecc_curve curve, size_t different, size_t count) {
    struct prng prng = {(uint64_t)curve};
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = 1;
    config.backend = "cpu";
    *rows = (struct rows){.curve = curve, .count = count, .length = gecc_curve_bytes(curve)};
    if (!rows_allocate(rows) || gecc_open(&rows->context, &config) != GECC_OK)
        return false;
    rows->count = different = different < count ? different : count;
    struct pool *pool = pool_new(rows->context, curve, different, different, true, &prng);
    for (size_t i = 0; i < different; i++)
        fill_row(rows, pool, i);
    pool_free(pool);
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
