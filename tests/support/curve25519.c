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

/* Are all bytes of y but the first `fill`, which are those of 0 and, ff, of p? */
static int is_near(const uint8_t *encoding, uint8_t fill) {
    int is_alike = (encoding[31] & 0x7f) == (fill & 0x7f);
    for (int i = 1; i < 31; i++) {
        is_alike &= encoding[i] == fill;
    }
    return is_alike;
}

/* y < p = 2^255 - 19, and where x = 0, y = 1 or -1, no sign. */
static int is_canonical(const uint8_t *encoding) {
    const int is_signed = encoding[31] >> 7;
    if (is_near(encoding, 0xff)) {
        return encoding[0] < 0xec || (encoding[0] == 0xec && !is_signed);
    }
    return !(is_near(encoding, 0) && encoding[0] == 1 && is_signed);
}

/* Is y 1, -1, 0 or that of a point of order 8, in any encoding? */
static int has_small_order(const uint8_t *encoding) {
    static const uint8_t eighth[2][CURVE25519_BYTES] = {
        {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
         0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
        {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
         0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}};
    int is_small = (is_near(encoding, 0) && encoding[0] <= 1) ||
                   (is_near(encoding, 0xff) && encoding[0] >= 0xec && encoding[0] <= 0xee);
    for (int i = 0; i < 2; i++) {
        is_small |= memcmp(encoding, eighth[i], 31) == 0 && (encoding[31] & 0x7f) == eighth[i][31];
    }
    return is_small;
}

/* By the rule of the flags. With S = 0, a key and an R of small order 8 S G = 8 R + 8 k A holds where S G = R + k A may
 * not. */
static int ed25519_verifies(uint32_t flags, const uint8_t *key, struct cell message, const uint8_t *signature) {
    static const uint8_t zero[CURVE25519_BYTES];
    const int valid = openssl_ed25519_verify(key, message, signature);
    const int small_key = has_small_order(key), small_r = has_small_order(signature);
    if (flags & GECC_ACCEPT_ZIP215) {
        return valid || (small_key && small_r && memcmp(signature + CURVE25519_BYTES, zero, sizeof zero) == 0);
    }
    if (flags & GECC_ACCEPT_REF10) {
        return valid;
    }
    return valid && is_canonical(key) && is_canonical(signature) &&
           !(flags & GECC_ACCEPT_STRICT && (small_key || small_r));
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
        expected->statuses = ed25519_verifies(call->flags, row->in[0].data, row->in[1], row->in[2].data)
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
