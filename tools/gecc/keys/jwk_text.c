#define _GNU_SOURCE /* stpcpy */

#include "keys/jwk_text.h"
#include "text/base64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *curve_name(gecc_curve curve, enum scheme scheme) {
    switch (curve) {
    case GECC_P256:
    case GECC_P384:
    case GECC_P521:
    case GECC_SECP256K1:
        return gecc_curve_name(curve);
    case GECC_CURVE25519:
        return scheme == SCHEME_X25519 ? "X25519" : "Ed25519";
    default:
        return NULL;
    }
}

bool jwk_has_curve(gecc_curve curve) { return curve_name(curve, SCHEME_OF_CURVE) != NULL; }

size_t jwk_canonical(char out[JWK_BYTES], gecc_curve curve, enum scheme scheme, const uint8_t *key) {
    char x[2 * GECC_CURVE_BYTES_MOST], y[2 * GECC_CURVE_BYTES_MOST];
    const char *name = curve_name(curve, scheme);
    const size_t length = gecc_curve_bytes(curve);
    if (!name)
        return 0;
    if (curve == GECC_CURVE25519) {
        *base64_encode(x, key, length, true) = 0;
        return (size_t)snprintf(out, JWK_BYTES, "{\"crv\":\"%s\",\"kty\":\"OKP\",\"x\":\"%s\"}", name, x);
    }
    *base64_encode(x, key + 1, length, true) = 0;
    *base64_encode(y, key + 1 + length, length, true) = 0;
    return (size_t)snprintf(out, JWK_BYTES, "{\"crv\":\"%s\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}", name, x, y);
}

/* Write a member, whose value is bytes, in the place of the brace that ends the object; returns where that is now. */
static char *put_member(char *brace, const char *name, const uint8_t *bytes, size_t count) {
    char *end = base64_encode(stpcpy(stpcpy(stpcpy(brace, ",\""), name), "\":\""), bytes, count, true);
    return stpcpy(end, "\"}") - 1;
}

gecc_result jwk_write(gecc_context *context, char (*out)[JWK_BYTES], gecc_curve curve, enum scheme scheme,
                      const uint8_t *public_keys, size_t stride, const uint8_t *private_keys, size_t count) {
    enum { THUMBPRINT_BYTES = 32 };
    const size_t bytes = gecc_curve_bytes(curve);
    uint8_t(*prints)[THUMBPRINT_BYTES] = malloc(count * sizeof *prints), *status = malloc(count);
    gecc_result result = GECC_ERROR_MEMORY;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length = jwk_canonical(out[i], curve, scheme, public_keys + i * stride);
    if (prints && status)
        result = gecc_digest(context, GECC_SHA256, gecc_out_packed(prints, sizeof *prints), gecc_out_packed(status, 1),
                             gecc_rows_strided(out, length, sizeof *out), count, NULL);
    for (size_t i = 0; result == GECC_OK && i < count; i++) {
        char *brace = out[i] + length - 1;
        if (private_keys)
            brace = put_member(brace, "d", private_keys + i * bytes, bytes);
        put_member(brace, "kid", prints[i], sizeof prints[i]);
    }
    free(prints);
    free(status);
    return result;
}
