/* libsodium: Ed25519 and X25519 on Curve25519, keys as it keeps them. */
#include "compare.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint8_t secret_key[crypto_sign_ed25519_SECRETKEYBYTES]; /* the seed, and the public key, which signing hashes */
    struct {
        int verdict;
        uint8_t key[crypto_sign_ed25519_PUBLICKEYBYTES], signature[crypto_sign_ed25519_BYTES];
        uint8_t shared[crypto_scalarmult_curve25519_BYTES];
    } result;
};

struct sodium_library {
    const struct rows *rows;
    struct row *row;
};

static void version(char *text, size_t size) { snprintf(text, size, "%s", sodium_version_string()); }

static void release(void *state) {
    struct sodium_library *library = state;
    free(library->row);
    free(library);
}

static void *prepare(const struct rows *rows, unsigned threads) {
    (void)threads;
    struct sodium_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->rows = rows;
    library->row = calloc(rows->count, sizeof *library->row);
    bool made = library->row && sodium_init() >= 0;
    for (size_t i = 0; made && i < rows->count; i++)
        made = crypto_sign_ed25519_seed_keypair(library->row[i].result.key, library->row[i].secret_key,
                                                rows->private_key + i * rows->length) == 0;
    if (made)
        return library;
    release(library);
    return NULL;
}

static bool run_row(const struct rows *rows, struct row *row, size_t i, enum operation operation) {
    const uint8_t *private_key = rows->private_key + i * rows->length, *key = rows->x_only + i * rows->length;
    const uint8_t *message = rows->digest + i * DIGEST_BYTES, *checked = rows->checked + i * DIGEST_BYTES;
    switch (operation) {
    case ED25519_VERIFY:
        row->result.verdict =
            crypto_sign_ed25519_verify_detached(rows->schnorr + i * 2 * rows->length, checked, DIGEST_BYTES, key) == 0;
        return true;
    case ED25519_SIGN:
        return crypto_sign_ed25519_detached(row->result.signature, NULL, message, DIGEST_BYTES, row->secret_key) == 0;
    case ED25519_PUBLIC_KEY:
        return crypto_sign_ed25519_seed_keypair(row->result.key, row->secret_key, private_key) == 0;
    case X25519:
        return crypto_scalarmult_curve25519(row->result.shared, private_key, key) == 0;
    default:
        return false;
    }
}

static bool run(void *state, enum operation operation, size_t first, size_t count) {
    const struct sodium_library *library = state;
    for (size_t i = first; i < first + count; i++)
        if (!run_row(library->rows, &library->row[i], i, operation))
            return false;
    return true;
}

static bool result(void *state, enum operation operation, size_t row, uint8_t *bytes) {
    const struct sodium_library *library = state;
    const struct row *from = &library->row[row];
    switch (operation) {
    case ED25519_VERIFY:
        *bytes = (uint8_t)from->result.verdict;
        return true;
    case ED25519_SIGN:
        memcpy(bytes, from->result.signature, sizeof from->result.signature);
        return true;
    case ED25519_PUBLIC_KEY:
        memcpy(bytes, from->result.key, sizeof from->result.key);
        return true;
    case X25519:
        memcpy(bytes, from->result.shared, sizeof from->result.shared);
        return true;
    default:
        return false;
    }
}

static bool offers(gecc_curve curve, enum operation operation) {
    return curve == GECC_CURVE25519 && is_of_curve25519(operation);
}

static bool is_tuned(gecc_curve curve) { return curve == GECC_CURVE25519; }

const struct library library_libsodium = {
    .name = "libsodium",
    .rfc6979 = false,
    .offers = offers,
    .is_tuned = is_tuned,
    .version = version,
    .prepare = prepare,
    .release = release,
    .run = run,
    .result = result,
};
