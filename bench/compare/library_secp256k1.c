/* libsecp256k1: parsed keys and signatures in, its own structures out. */
#include "compare.h"
#include "keccak.h"

#include <secp256k1.h>
#include <secp256k1_ecdh.h>
#include <secp256k1_recovery.h>
#include <secp256k1_schnorrsig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    secp256k1_pubkey public_key;
    secp256k1_ecdsa_signature signature;
    secp256k1_ecdsa_recoverable_signature recoverable;
    secp256k1_xonly_pubkey x_only;
    struct {
        int verdict;
        secp256k1_pubkey point;
        secp256k1_ecdsa_signature signature;
        uint8_t coordinates[64], schnorr[64], address[GECC_ADDRESS_BYTES];
    } result;
};

struct secp256k1_library {
    const struct rows *rows;
    secp256k1_context *context;
    struct row *row;
};

/* The library does not tell its version. */
static void version(char *text, size_t size) {
    FILE *pipe = popen("pkg-config --modversion libsecp256k1 2>/dev/null", "r");
    if (!pipe || !fgets(text, (int)size, pipe))
        snprintf(text, size, "version unknown");
    text[strcspn(text, "\n")] = 0;
    if (pipe)
        pclose(pipe);
}

static bool parse_row(const struct secp256k1_library *library, size_t i) {
    const struct rows *rows = library->rows;
    struct row *row = &library->row[i];
    const uint8_t *signature = rows->signature + 64 * i;
    return secp256k1_ec_pubkey_parse(library->context, &row->public_key, rows->public_key + 65 * i, 65) &&
           secp256k1_xonly_pubkey_parse(library->context, &row->x_only, rows->x_only + 32 * i) &&
           secp256k1_ecdsa_signature_parse_compact(library->context, &row->signature, signature) &&
           secp256k1_ecdsa_recoverable_signature_parse_compact(library->context, &row->recoverable, signature,
                                                               rows->recovery_id[i]);
}

static void release(void *state) {
    struct secp256k1_library *library = state;
    if (library->context)
        secp256k1_context_destroy(library->context);
    free(library->row);
    free(library);
}

static void *prepare(const struct rows *rows, unsigned threads) {
    (void)threads;
    struct secp256k1_library *library = calloc(1, sizeof *library);
    if (!library)
        return NULL;
    library->rows = rows;
    library->context = secp256k1_context_create(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY);
    library->row = calloc(rows->count, sizeof *library->row);
    bool parsed = library->context && library->row;
    for (size_t i = 0; parsed && i < rows->count; i++)
        parsed = parse_row(library, i);
    if (parsed)
        return library;
    release(library);
    return NULL;
}

/* Instead of a hash: x. */
static int take_x(unsigned char *out, const unsigned char *x, const unsigned char *y, void *data) {
    (void)y;
    (void)data;
    memcpy(out, x, 32);
    return 1;
}

/* Instead of a hash: x || y. With it ECDH is the library's constant-time scalar * point. */
static int take_x_y(unsigned char *out, const unsigned char *x, const unsigned char *y, void *data) {
    (void)data;
    memcpy(out, x, 32);
    memcpy(out + 32, y, 32);
    return 1;
}

/* A private key in, as gecc takes it; a caller of libsecp256k1 may keep the pair that is made here first. */
static bool schnorr_sign(const secp256k1_context *context, const uint8_t *private_key, const uint8_t *message,
                         uint8_t *signature) {
    secp256k1_keypair pair;
    return secp256k1_keypair_create(context, &pair, private_key) &&
           secp256k1_schnorrsig_sign32(context, signature, message, &pair, NULL);
}

/* The key, its coordinates, and the end of their Keccak-256. */
static bool recover_address(const secp256k1_context *context, struct row *row, const uint8_t *digest) {
    uint8_t point[65], hash[32];
    size_t width = sizeof point;
    if (!secp256k1_ecdsa_recover(context, &row->result.point, &row->recoverable, digest) ||
        !secp256k1_ec_pubkey_serialize(context, point, &width, &row->result.point, SECP256K1_EC_UNCOMPRESSED))
        return false;
    keccak256_short(point + 1, 64, hash);
    memcpy(row->result.address, hash + 12, GECC_ADDRESS_BYTES);
    return true;
}

static bool run_row(const secp256k1_context *context, const struct rows *rows, struct row *row, size_t i,
                    enum operation operation) {
    const uint8_t *private_key = rows->private_key + 32 * i, *scalar = rows->scalar + 32 * i;
    const uint8_t *digest = rows->digest + 32 * i, *checked = rows->checked + 32 * i;
    switch (operation) {
    case VERIFY:
        row->result.verdict = secp256k1_ecdsa_verify(context, &row->signature, checked, &row->public_key);
        return true;
    case SIGN:
        return secp256k1_ecdsa_sign(context, &row->result.signature, digest, private_key, NULL, NULL);
    case PUBLIC_KEY:
        return secp256k1_ec_pubkey_create(context, &row->result.point, private_key);
    case MUL:
        return secp256k1_ecdh(context, row->result.coordinates, &row->public_key, scalar, take_x_y, NULL);
    case MUL_PUBLIC:
        row->result.point = row->public_key;
        return secp256k1_ec_pubkey_tweak_mul(context, &row->result.point, scalar);
    case ECDH:
        return secp256k1_ecdh(context, row->result.coordinates, &row->public_key, scalar, take_x, NULL);
    case RECOVER:
        return secp256k1_ecdsa_recover(context, &row->result.point, &row->recoverable, digest);
    case RECOVER_ADDRESS:
        return recover_address(context, row, digest);
    case SCHNORR_VERIFY:
        row->result.verdict = secp256k1_schnorrsig_verify(context, rows->schnorr + 64 * i, checked, 32, &row->x_only);
        return true;
    case SCHNORR_SIGN:
        return schnorr_sign(context, private_key, digest, row->result.schnorr);
    case ED25519_VERIFY: /* which are on another curve */
    case ED25519_SIGN:
    case ED25519_PUBLIC_KEY:
    case X25519:
        break;
    }
    return false;
}

static bool run(void *state, enum operation operation, size_t first, size_t count) {
    const struct secp256k1_library *library = state;
    for (size_t i = first; i < first + count; i++)
        if (!run_row(library->context, library->rows, &library->row[i], i, operation))
            return false;
    return true;
}

static bool result(void *state, enum operation operation, size_t row, uint8_t *bytes) {
    const struct secp256k1_library *library = state;
    const secp256k1_context *context = library->context;
    const struct row *from = &library->row[row];
    size_t width = 65;
    switch (operation) {
    case VERIFY:
    case SCHNORR_VERIFY:
        *bytes = (uint8_t)from->result.verdict;
        return true;
    case RECOVER_ADDRESS:
        memcpy(bytes, from->result.address, GECC_ADDRESS_BYTES);
        return true;
    case SCHNORR_SIGN:
        memcpy(bytes, from->result.schnorr, 64);
        return true;
    case SIGN:
        return secp256k1_ecdsa_signature_serialize_compact(context, bytes, &from->result.signature);
    case ECDH:
        memcpy(bytes, from->result.coordinates, 32);
        return true;
    case MUL:
        bytes[0] = 4;
        memcpy(bytes + 1, from->result.coordinates, 64);
        return true;
    default:
        return secp256k1_ec_pubkey_serialize(context, bytes, &width, &from->result.point, SECP256K1_EC_UNCOMPRESSED);
    }
}

static bool offers(gecc_curve curve, enum operation operation) {
    return curve == GECC_SECP256K1 && !is_of_curve25519(operation);
}

static bool is_tuned(gecc_curve curve) { return curve == GECC_SECP256K1; }

const struct library library_secp256k1 = {
    .name = "libsecp256k1",
    .rfc6979 = true,
    .offers = offers,
    .is_tuned = is_tuned,
    .version = version,
    .prepare = prepare,
    .release = release,
    .run = run,
    .result = result,
};
