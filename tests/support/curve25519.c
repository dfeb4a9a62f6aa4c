/* Test: needs libcrypto */
#include "curve25519.h"

#include <openssl/evp.h>
#include <string.h>

static EVP_PKEY *private_key_of(int type, const uint8_t *bytes) {
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(type, NULL, bytes, CURVE25519_BYTES);
    REQUIRE(key);
    return key;
}

void openssl_ed25519_public_key(uint8_t *key, const uint8_t *seed) {
    EVP_PKEY *pkey = private_key_of(EVP_PKEY_ED25519, seed);
    size_t bytes = CURVE25519_BYTES;
    REQUIRE(EVP_PKEY_get_raw_public_key(pkey, key, &bytes) == 1);
    EVP_PKEY_free(pkey);
}

void openssl_ed25519_sign(uint8_t *signature, const uint8_t *seed, struct cell message) {
    EVP_PKEY *pkey = private_key_of(EVP_PKEY_ED25519, seed);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t bytes = ED25519_SIGNATURE_BYTES;
    REQUIRE(EVP_DigestSignInit(context, NULL, NULL, NULL, pkey) == 1);
    REQUIRE(EVP_DigestSign(context, signature, &bytes, message.data, message.width) == 1);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pkey);
}

int openssl_ed25519_verify(const uint8_t *key, struct cell message, const uint8_t *signature) {
    EVP_PKEY *pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, key, CURVE25519_BYTES);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int valid = pkey && EVP_DigestVerifyInit(context, NULL, NULL, NULL, pkey) == 1 &&
                EVP_DigestVerify(context, signature, ED25519_SIGNATURE_BYTES, message.data, message.width) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pkey);
    return valid;
}

int openssl_x25519(uint8_t *shared, const uint8_t *private_key, const uint8_t *peer) {
    EVP_PKEY *own = private_key_of(EVP_PKEY_X25519, private_key);
    EVP_PKEY *other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer, CURVE25519_BYTES);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    size_t bytes = CURVE25519_BYTES;
    int done = other && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, other) == 1 &&
               EVP_PKEY_derive(context, shared, &bytes) == 1;
    if (!done) {
        memset(shared, 0, CURVE25519_BYTES);
    }
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    return done;
}

static void expect_bytes(struct expectation *expected, const uint8_t *bytes, uint32_t width) {
    expected->statuses = STATUS(OK);
    expected->out[0].width = width;
    memcpy(expected->out[0].bytes, bytes, width);
}

/* Have the columns but messages the widths that they must have? */
static int widths_are_right(const struct call *call, const struct row *row) {
    int right = row->in[0].width == CURVE25519_BYTES;
    if (call->operation == OPERATION_X25519) {
        right &= row->in[1].width == CURVE25519_BYTES;
    }
    if (call->operation == OPERATION_ED25519_VERIFY) {
        right &= row->in[2].width == ED25519_SIGNATURE_BYTES;
    }
    return right;
}

void curve25519_reference(const struct call *call, const struct row *row, struct expectation *expected) {
    static const uint8_t nine[CURVE25519_BYTES] = {9};
    uint8_t bytes[ED25519_SIGNATURE_BYTES];
    memset(expected, 0, sizeof *expected);
    if (!widths_are_right(call, row)) {
        /* a row with another defect too may read as that */
        expected->statuses =
            call->operation == OPERATION_ED25519_VERIFY ? STATUS_ANY_MALFORMED : STATUS(MALFORMED_WIDTH);
        return;
    }
    switch (call->operation) {
    case OPERATION_ED25519_PUBLIC_KEY:
        openssl_ed25519_public_key(bytes, row->in[0].data);
        expect_bytes(expected, bytes, CURVE25519_BYTES);
        break;
    case OPERATION_ED25519_SIGN:
        openssl_ed25519_sign(bytes, row->in[0].data, row->in[1]);
        expect_bytes(expected, bytes, ED25519_SIGNATURE_BYTES);
        break;
    case OPERATION_ED25519_VERIFY:
        expected->statuses = openssl_ed25519_verify(row->in[0].data, row->in[1], row->in[2].data)
                                 ? STATUS(OK)
                                 : STATUS(INVALID) | STATUS_ANY_MALFORMED;
        break;
    default:
        if (openssl_x25519(bytes, row->in[0].data, call->operation == OPERATION_X25519 ? row->in[1].data : nine)) {
            expect_bytes(expected, bytes, CURVE25519_BYTES);
        } else {
            expected->statuses = STATUS(INVALID);
        }
    }
}
