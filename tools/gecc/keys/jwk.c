#define _GNU_SOURCE /* explicit_bzero, stpcpy */

#include "keys/jwk.h"
#include "text/base64.h"
#include "text/hex.h"
#include "text/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = GECC_CURVE_BYTES_MOST };

/* out[length] = the member's bytes in base64url; false: it is no such text, or of another length. */
static bool take_bytes(uint8_t *out, size_t length, const json_t *jwk, const char *member) {
    uint8_t bytes[NUMBER_BYTES + 8];
    const json_t *value = json_object_get(jwk, member);
    const size_t characters = json_string_length(value);
    size_t count = 0;
    bool good = characters && !strchr(json_string_value(value), '=') &&
                base64_decoded_most(characters) <= sizeof bytes &&
                base64_decode(bytes, &count, json_string_value(value), characters, true) && count == length;
    if (good)
        memcpy(out, bytes, length);
    explicit_bzero(bytes, sizeof bytes);
    return good;
}

static bool is(const json_t *jwk, const char *member, const char *text) {
    const char *value = json_string_value(json_object_get(jwk, member));
    return value && strcmp(value, text) == 0;
}

/* The curve whose name it has, in just that spelling; 0: none here. */
static gecc_curve curve_of(const json_t *jwk) {
    for (gecc_curve curve = (gecc_curve)1; curve < GECC_CURVE_END; curve++)
        if (is(jwk, "crv", gecc_curve_name(curve)))
            return curve;
    return (gecc_curve)0;
}

/* A key on a curve of Weierstrass form: x and y (RFC 7518, 6.2.1). */
static const char *read_ec(struct key_file *key, struct key_file *private_key, const json_t *jwk) {
    uint8_t bytes[1 + 2 * NUMBER_BYTES] = {4};
    key->curve = curve_of(jwk);
    if (!key->curve)
        return NULL;
    const size_t length = gecc_curve_bytes(key->curve);
    if (!take_bytes(bytes + 1, length, jwk, "x") || !take_bytes(bytes + 1 + length, length, jwk, "y"))
        return "a JWK whose x or y is not base64url of its curve's length";
    key->count = (size_t)(hex_encode(key->digits, bytes, 1 + 2 * length) - key->digits);
    if (json_object_get(jwk, "d")) {
        private_key->curve = key->curve;
        const bool good = take_bytes(bytes, length, jwk, "d");
        private_key->count = (size_t)(hex_encode(private_key->digits, bytes, length) - private_key->digits);
        explicit_bzero(bytes, sizeof bytes);
        return good ? NULL : "a JWK whose d is not base64url of its curve's length";
    }
    return NULL;
}

/* A key on Curve25519 (RFC 8037, 2). */
static const char *read_okp(struct key_file *key, struct key_file *private_key, const json_t *jwk) {
    uint8_t bytes[32];
    const bool x25519 = is(jwk, "crv", "X25519");
    if (!x25519 && !is(jwk, "crv", "Ed25519"))
        return NULL;
    key->curve = GECC_CURVE25519;
    key->scheme = x25519 ? SCHEME_X25519 : SCHEME_ED25519;
    if (!take_bytes(bytes, sizeof bytes, jwk, "x"))
        return "a JWK whose x is not base64url of 32 bytes";
    key->count = (size_t)(hex_encode(key->digits, bytes, sizeof bytes) - key->digits);
    if (json_object_get(jwk, "d")) {
        private_key->curve = key->curve;
        private_key->scheme = key->scheme;
        const bool good = take_bytes(bytes, sizeof bytes, jwk, "d");
        private_key->count = (size_t)(hex_encode(private_key->digits, bytes, sizeof bytes) - private_key->digits);
        explicit_bzero(bytes, sizeof bytes);
        return good ? NULL : "a JWK whose d is not base64url of 32 bytes";
    }
    return NULL;
}

/* Why a key is not for verifying signatures; NULL: it may be (RFC 7517, 4.2 and 4.3). The public key beside a private
 * one, which signs, verifies. */
static const char *use_refusal(const json_t *jwk) {
    const json_t *use = json_object_get(jwk, "use"), *operations = json_object_get(jwk, "key_ops");
    bool verifies = !operations;
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const char *operation = json_string_value(json_array_get(operations, i));
        verifies |= operation && (strcmp(operation, "verify") == 0 || strcmp(operation, "sign") == 0);
    }
    return use && !is(jwk, "use", "sig") ? "its key has another `use` than signatures"
           : !verifies                   ? "its key has other `key_ops` than signatures"
                                         : NULL;
}

/* Why a private key is not for signing, though its public one may verify; NULL: it may be. */
static const char *sign_refusal(const json_t *jwk) {
    const json_t *operations = json_object_get(jwk, "key_ops");
    bool signs = !operations;
    for (size_t i = 0; i < json_array_size(operations); i++) {
        const char *operation = json_string_value(json_array_get(operations, i));
        signs |= operation && strcmp(operation, "sign") == 0;
    }
    return signs ? NULL : "its key has `key_ops` without `sign`";
}

/* Is its `alg`, if it has one, that of signatures on its curve (RFC 7518, 3.1; RFC 8037; RFC 8812; RFC 9864)? */
static bool fits_algorithm(const struct key_file *key, const json_t *jwk) {
    static const struct {
        const char *algorithm;
        gecc_curve curve;
    } fits[] = {{"ES256", GECC_P256},       {"ES384", GECC_P384},       {"ES512", GECC_P521},
                {"ES256K", GECC_SECP256K1}, {"EdDSA", GECC_CURVE25519}, {"Ed25519", GECC_CURVE25519}};
    bool fit = !json_object_get(jwk, "alg");
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        fit |= is(jwk, "alg", fits[i].algorithm) && key->curve == fits[i].curve;
    return fit;
}

/* The first private key of all goes to *private_key. */
static const char *read_one(struct key_set *set, struct key_file *private_key, const json_t *jwk) {
    struct key_file private = {.count = 0};
    struct set_key *key = json_is_object(jwk) ? key_set_add(set) : NULL;
    if (!key)
        return json_is_object(jwk) ? "not enough memory" : "an element of `keys` that is no object";
    const json_t *kid = json_object_get(jwk, "kid");
    if (kid && !json_is_string(kid))
        return "a JWK whose kid is no text";
    if (!json_is_string(json_object_get(jwk, "kty")))
        return "a JWK without `kty`";
    if (kid && !(key->kid = strdup(json_string_value(kid))))
        return "not enough memory";
    const char *reason = is(jwk, "kty", "EC")    ? read_ec(&key->key, &private, jwk)
                         : is(jwk, "kty", "OKP") ? read_okp(&key->key, &private, jwk)
                                                 : NULL;
    key->key.found_private = private.count != 0;
    key->refusal = use_refusal(jwk);
    if (!key->key.count)
        key->refusal = KEY_OF_NO_CURVE;
    else if (!key->refusal && key->key.scheme == SCHEME_X25519)
        key->refusal = X25519_HAS_NO_SIGNATURES;
    else if (!key->refusal && !fits_algorithm(&key->key, jwk))
        key->refusal = "its key has an `alg` that is not one of signatures on its curve";
    private.refusal = key->refusal ? key->refusal : sign_refusal(jwk);
    if (!private_key->count)
        *private_key = private;
    explicit_bzero(&private, sizeof private);
    return reason;
}

const char *jwk_read(struct key_set *set, struct key_file *private_key, const char *text, size_t size) {
    json_use_wiped_memory();
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    const json_t *keys = json_object_get(root, "keys");
    const char *reason = NULL;
    if (!json_is_object(root))
        reason = "JSON that is neither a JWK nor a set of them, is broken, or has a name twice";
    else if (!keys)
        reason = read_one(set, private_key, root);
    else if (!json_is_array(keys))
        reason = "a JWK set whose `keys` is no array";
    for (size_t i = 0; !reason && i < json_array_size(keys); i++)
        reason = read_one(set, private_key, json_array_get(keys, i));
    json_decref(root);
    return reason;
}
