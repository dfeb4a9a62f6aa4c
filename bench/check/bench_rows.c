#include "bench.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_BYTES = 64, DIGEST_BYTES = 32, ENTROPY_BYTES = 32 };

static void require(gecc_result result, const char *what) {
    if (result != GECC_OK)
        trouble("rows to measure with: %s: %s", what, gecc_error_text());
}

/* Random numbers less than n: every n here is greater than 2^(8 L - 1), or has a bit in its first byte. Of Curve25519
 * any bytes. */
static void fill_keys(struct bench_rows *rows) {
    for (size_t i = 0; i < rows->count; i++) {
        uint8_t *key = rows->keys + i * rows->length;
        memcpy(key, rows->random + i * RANDOM_BYTES + (RANDOM_BYTES - rows->length), rows->length);
        if (rows->curve != GECC_CURVE25519)
            key[0] &= rows->length == 66 ? 0 : 0x7f;
    }
}

static void sign(struct bench_rows *rows, gecc_context *maker) {
    size_t length = rows->length, count = rows->count;
    uint8_t *statuses = memory_new(count, 1);
    const gecc_out status = gecc_out_packed(statuses, 1);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_rows keys = gecc_rows_packed(rows->keys, length);
    gecc_rows digests = gecc_rows_strided(rows->random, DIGEST_BYTES, RANDOM_BYTES);
    require(gecc_ec_public_key(maker, rows->curve, gecc_out_packed(rows->points, 1 + 2 * length), status, keys, count,
                               NULL),
            "public keys");
    options.point_format = GECC_POINT_COMPRESSED;
    require(gecc_ec_convert(maker, rows->curve, gecc_out_packed(rows->compressed, 1 + length), status,
                            gecc_rows_packed(rows->points, 1 + 2 * length), count, &options),
            "compressed points");
    require(gecc_ecdsa_sign(maker, rows->curve, gecc_out_packed(rows->signatures, 2 * length),
                            gecc_out_packed(rows->ids, 1), status, keys, digests, gecc_rows_none(), count, NULL),
            "signatures");
    if (rows->curve == GECC_SM2)
        require(gecc_sm2_sign(maker, gecc_out_packed(rows->sm2_signatures, 2 * length), status, keys, digests,
                              gecc_rows_none(), count, NULL),
                "SM2 signatures");
    if (rows->curve == GECC_SECP256K1)
        require(gecc_schnorr_sign(maker, gecc_out_packed(rows->bip340_signatures, 64), status, keys,
                                  gecc_rows_packed(rows->random, RANDOM_BYTES), gecc_rows_none(), count, NULL),
                "Schnorr signatures");
    free(statuses);
}

/* Seeds, which are private keys of X25519 too, and what they make. */
static void sign_25519(struct bench_rows *rows, gecc_context *maker) {
    size_t length = rows->length, count = rows->count;
    uint8_t *statuses = memory_new(count, 1);
    const gecc_out status = gecc_out_packed(statuses, 1);
    gecc_rows keys = gecc_rows_packed(rows->keys, length);
    require(gecc_ed25519_public_key(maker, gecc_out_packed(rows->ed25519_keys, length), status, keys, count, NULL),
            "Ed25519's keys");
    require(gecc_ed25519_sign(maker, gecc_out_packed(rows->ed25519_signatures, 2 * length), status, keys,
                              gecc_rows_packed(rows->random, RANDOM_BYTES), gecc_rows_none(), count, NULL),
            "Ed25519's signatures");
    require(gecc_x25519_public_key(maker, gecc_out_packed(rows->x25519_keys, length), status, keys, count, NULL),
            "X25519's keys");
    free(statuses);
}

struct bench_rows *bench_rows_new(gecc_context *maker, gecc_curve curve, size_t count, struct prng *prng) {
    struct bench_rows *rows = memory_new(1, sizeof *rows);
    size_t length = gecc_curve_bytes(curve);
    rows->count = count;
    rows->length = length;
    rows->curve = curve;
    rows->random = memory_new(count, RANDOM_BYTES);
    prng_bytes(prng, rows->random, count * RANDOM_BYTES);
    if (length == 0)
        return rows;
    rows->keys = memory_new(count, length);
    fill_keys(rows);
    if (curve == GECC_CURVE25519) {
        rows->ed25519_keys = memory_new(count, length);
        rows->ed25519_signatures = memory_new(count, 2 * length);
        rows->x25519_keys = memory_new(count, length);
        sign_25519(rows, maker);
        return rows;
    }
    rows->points = memory_new(count, 1 + 2 * length);
    rows->compressed = memory_new(count, 1 + length);
    rows->signatures = memory_new(count, 2 * length);
    rows->ids = memory_new(count, 1);
    rows->sm2_signatures = memory_new(count, 2 * length);
    rows->bip340_signatures = memory_new(count, 2 * length);
    sign(rows, maker);
    return rows;
}

void bench_rows_free(struct bench_rows *rows) {
    free(rows->random);
    free(rows->keys);
    free(rows->points);
    free(rows->compressed);
    free(rows->signatures);
    free(rows->ids);
    free(rows->sm2_signatures);
    free(rows->bip340_signatures);
    free(rows->ed25519_keys);
    free(rows->ed25519_signatures);
    free(rows->x25519_keys);
    free(rows);
}

/* An INTEGER without its redundant zeros; returns the width. */
static void add_der(struct column *column, const uint8_t *raw, size_t length) {
    uint8_t der[OUT_BYTES_MOST];
    column_add(column, der, der_signature(der, raw, length));
}

static void add_point(struct column *column, const struct bench_rows *rows, const struct call *call, size_t i) {
    bool compressed = call_is(call, "ec.convert") || (call_is(call, "ecdsa.verify") && call->flags & GECC_DER);
    if (compressed)
        column_add(column, rows->compressed + i * (1 + rows->length), 1 + rows->length);
    else
        column_add(column, rows->points + i * (1 + 2 * rows->length), 1 + 2 * rows->length);
}

/* Columns of one kind in one row take their bytes from rows that are not the same. */
static void add_cell(struct column *column, const struct bench_rows *rows, const struct call *call, int input,
                     size_t row) {
    size_t i = (row + (input == 0 ? 0 : (size_t)input * 77)) % rows->count, length = rows->length;
    const uint8_t *random = rows->random + i * RANDOM_BYTES;
    const uint8_t *signatures = call_is_sm2(call) ? rows->sm2_signatures : rows->signatures;
    switch (call_kind(call, input)) {
    case GECC_KIND_POINT:
        add_point(column, rows, call, call_is(call, "ec.add") ? i : row);
        break;
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_SEED:
    case GECC_KIND_X25519_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
        column_add(column, rows->keys + i * length, length);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        column_add(column, rows->random + row * RANDOM_BYTES, DIGEST_BYTES);
        break;
    case GECC_KIND_SIGNATURE:
        if (call->flags & GECC_DER)
            add_der(column, signatures + row * 2 * length, length);
        else
            column_add(column, signatures + row * 2 * length, 2 * length);
        break;
    case GECC_KIND_RECOVERY_ID:
        column_add(column, rows->ids + row, 1);
        break;
    case GECC_KIND_RESIDUE:
    case GECC_KIND_EXPONENT:
        column_add(column, random, call->modulus_bytes);
        break;
    case GECC_KIND_ENTROPY:
    case GECC_KIND_AUXILIARY:
    case GECC_KIND_MERKLE_ROOT:
        column_add(column, random, ENTROPY_BYTES);
        break;
    case GECC_KIND_MESSAGE:
        column_add(column, rows->random + row * RANDOM_BYTES, RANDOM_BYTES);
        break;
    case GECC_KIND_X_ONLY_POINT:
        column_add(column, rows->compressed + row * (1 + length) + 1, length);
        break;
    case GECC_KIND_ED25519_PUBLIC_KEY:
        column_add(column, rows->ed25519_keys + row * length, length);
        break;
    case GECC_KIND_ED25519_SIGNATURE:
        column_add(column, rows->ed25519_signatures + row * 2 * length, 2 * length);
        break;
    case GECC_KIND_X25519_PUBLIC_KEY:
        column_add(column, rows->x25519_keys + i * length, length);
        break;
    case GECC_KIND_BIP340_SIGNATURE:
        column_add(column, rows->bip340_signatures + row * 2 * length, 2 * length);
        break;
    case GECC_KIND_DIGEST32:
        column_add(column, rows->random + row * RANDOM_BYTES, DIGEST_BYTES);
        break;
    case GECC_KIND_ETHEREUM_SIGNATURE: {
        uint8_t joined[65];
        memcpy(joined, signatures + row * 64, 64);
        joined[64] = rows->ids[row];
        column_add(column, joined, sizeof joined);
        break;
    }
    case GECC_KIND_ETHEREUM_NUMBER:
        if (input == 3)
            column_add(column, rows->ids + row, 1);
        else
            column_add(column, signatures + row * 64 + (input == 2 ? 32 : 0), 32);
        break;
    default:
        column_add(column, random, RANDOM_BYTES);
    }
}

void bench_fill(struct batch *batch, const struct bench_rows *rows, const struct call *call, size_t count) {
    batch_clear(batch);
    batch->call = *call;
    batch->count = count;
    batch->shape = PACKED;
    for (int input = 0; input < INPUTS; input++)
        if (call_uses(call, input))
            for (size_t row = 0; row < count; row++)
                add_cell(&batch->in[input], rows, call, input, row);
}
