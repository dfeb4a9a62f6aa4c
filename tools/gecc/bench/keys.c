#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { DIGEST_BYTES_MOST = 64 }; /* gecc/ecdsa.h */

bool random_bytes(void *out, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = getrandom((uint8_t *)out + done, count - done, 0);
        if (got < 0 && errno != EINTR)
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* A remainder of 64 bits: for bounds of some million no bias that anybody could see. */
bool random_below(size_t *out, size_t bound) {
    uint64_t value;
    if (!random_bytes(&value, sizeof value))
        return false;
    *out = (size_t)(value % bound);
    return true;
}

static bool allocate(struct keys *keys) {
    size_t count = keys->count, bytes = keys->bytes;
    keys->private_keys = calloc(count, bytes);
    keys->public_keys = malloc(count * (1 + 2 * bytes));
    keys->digests = calloc(count, bytes);
    keys->signatures = malloc(count * 2 * bytes);
    keys->recovery_ids = calloc(count, 1);
    keys->status = malloc(count);
    return keys->private_keys && keys->public_keys && keys->digests && keys->signatures && keys->recovery_ids &&
           keys->status;
}

/* What the first byte of a number may have to be less than the order, whose highest bit is left out. Private keys of
 * Curve25519 are any bytes. */
static uint8_t curve_first_byte(gecc_curve curve) {
    static const unsigned bits[GECC_CURVE_END] = {
#define BITS(curve, value, name, title, bits, ...) [curve] = bits,
        GECC_CURVE_LIST(BITS)
#undef BITS
    };
    if (curve == GECC_CURVE25519)
        return UINT8_MAX;
    return (uint8_t)((1u << ((bits[curve] - 1) % 8)) - 1);
}

bool keys_make(struct keys *keys, gecc_context *context, gecc_curve curve, size_t count, gecc_result *result) {
    *keys = (struct keys){.curve = curve, .count = count, .bytes = gecc_curve_bytes(curve)};
    keys->digest_bytes = keys->bytes < DIGEST_BYTES_MOST ? keys->bytes : DIGEST_BYTES_MOST;
    *result = GECC_ERROR_MEMORY;
    if (!allocate(keys) || !random_bytes(keys->private_keys, count * keys->bytes) ||
        !random_bytes(keys->digests, count * keys->bytes))
        return false;
    for (size_t i = 0; i < count && keys->bytes != 0; i++) {
        keys->private_keys[i * keys->bytes] &= curve_first_byte(curve);
        keys->digests[i * keys->bytes] &= curve_first_byte(curve);
    }
    gecc_out status = gecc_out_packed(keys->status, 1);
    gecc_rows private_keys = gecc_rows_packed(keys->private_keys, keys->bytes);
    if (curve == GECC_CURVE25519)
        *result = gecc_ed25519_public_key(context, gecc_out_packed(keys->public_keys, keys->bytes), status,
                                          private_keys, count, NULL);
    else
        *result = gecc_ec_public_key(context, curve, gecc_out_packed(keys->public_keys, 1 + 2 * keys->bytes), status,
                                     private_keys, count, NULL);
    return *result == GECC_OK && count_items(keys->status, count, GECC_ITEM_OK) == count;
}

gecc_rows keys_digests(const struct keys *keys) {
    return gecc_rows_strided(keys->digests, keys->digest_bytes, keys->bytes);
}

gecc_result keys_sign(struct keys *keys, gecc_context *context, const gecc_options *options) {
    gecc_out out = gecc_out_packed(keys->signatures, 2 * keys->bytes), status = gecc_out_packed(keys->status, 1);
    gecc_rows private_keys = gecc_rows_packed(keys->private_keys, keys->bytes);
    gecc_rows digests = keys_digests(keys);
    if (keys->curve == GECC_CURVE25519)
        return gecc_ed25519_sign(context, out, status, private_keys, digests, gecc_rows_none(), keys->count, options);
    if (keys->curve == GECC_SM2)
        return gecc_sm2_sign(context, out, status, private_keys, digests, gecc_rows_none(), keys->count, options);
    return gecc_ecdsa_sign(context, keys->curve, out, gecc_out_packed(keys->recovery_ids, 1), status, private_keys,
                           digests, gecc_rows_none(), keys->count, options);
}

gecc_result keys_verify(const struct keys *keys, gecc_context *context, uint8_t *statuses,
                        const gecc_options *options) {
    gecc_out status = gecc_out_packed(statuses, 1);
    gecc_rows public_keys = gecc_rows_packed(keys->public_keys, 1 + 2 * keys->bytes);
    gecc_rows digests = keys_digests(keys);
    gecc_rows signatures = gecc_rows_packed(keys->signatures, 2 * keys->bytes);
    if (keys->curve == GECC_SM2)
        return gecc_sm2_verify(context, status, public_keys, digests, signatures, keys->count, options);
    return gecc_ecdsa_verify(context, keys->curve, status, public_keys, digests, signatures, keys->count, options);
}

void keys_free(struct keys *keys) {
    if (keys->private_keys)
        explicit_bzero(keys->private_keys, keys->count * keys->bytes);
    free(keys->private_keys);
    free(keys->public_keys);
    free(keys->digests);
    free(keys->signatures);
    free(keys->recovery_ids);
    free(keys->status);
    *keys = (struct keys){0};
}

size_t count_items(const uint8_t *status, size_t count, gecc_item item) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += status[i] == (uint8_t)item;
    return found;
}
