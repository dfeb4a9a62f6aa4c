/* Test: needs libcrypto */
/* Schnorr signatures (BIP-340) and Taproot's tweaks (BIP-341) over OpenSSL, step by step as the BIPs have them. */
#include "reference.h"

#include <string.h>

enum { BYTES = 32, SIGNATURE_BYTES = 64 };

/* SHA-256(SHA-256(tag) || SHA-256(tag) || a || b || c). */
static void tagged_hash(const char *tag, struct cell a, struct cell b, struct cell c, uint8_t out[BYTES]) {
    uint8_t name[BYTES];
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    REQUIRE(EVP_Digest(tag, strlen(tag), name, NULL, EVP_sha256(), NULL) && EVP_DigestInit(hash, EVP_sha256()));
    REQUIRE(EVP_DigestUpdate(hash, name, BYTES) && EVP_DigestUpdate(hash, name, BYTES));
    REQUIRE(EVP_DigestUpdate(hash, a.data, a.width) && EVP_DigestUpdate(hash, b.data, b.width));
    REQUIRE(EVP_DigestUpdate(hash, c.data, c.width) && EVP_DigestFinal(hash, out, NULL));
    EVP_MD_CTX_free(hash);
}

uint32_t reference_x_only(const struct reference_curve *curve, struct cell cell, EC_POINT *point) {
    uint8_t compressed[1 + BYTES] = {2};
    if (cell.width != BYTES) {
        return STATUS(MALFORMED_WIDTH);
    }
    memcpy(compressed + 1, cell.data, BYTES);
    return reference_point(curve, (struct cell){compressed, sizeof compressed}, point);
}

/* x of the point; returns whether its y is odd. */
static int x_of(const struct reference_curve *curve, const EC_POINT *point, uint8_t x[BYTES]) {
    uint8_t compressed[1 + BYTES];
    REQUIRE(reference_point_encode(curve, GECC_POINT_COMPRESSED, point, compressed));
    memcpy(x, compressed + 1, BYTES);
    return compressed[0] & 1;
}

void reference_challenge(const struct reference_curve *curve, const uint8_t *r, const uint8_t *p, struct cell message,
                         BIGNUM *e) {
    uint8_t hash[BYTES], r_bytes[BYTES], p_bytes[BYTES];
    memcpy(r_bytes, r, BYTES);
    memcpy(p_bytes, p, BYTES);
    tagged_hash("BIP0340/challenge", (struct cell){r_bytes, BYTES}, (struct cell){p_bytes, BYTES}, message, hash);
    BN_bin2bn(hash, BYTES, e);
    REQUIRE(BN_nnmod(e, e, curve->n, reference_bn()));
}

uint32_t reference_bip340_signature(const struct reference_curve *curve, uint32_t flags, struct cell cell, BIGNUM *r,
                                    BIGNUM *s) {
    uint32_t defects = 0;
    if ((flags & GECC_SIGHASH_BYTE) && cell.width == SIGNATURE_BYTES + 1) {
        defects |= cell.data[SIGNATURE_BYTES] == 0 ? STATUS(MALFORMED_SIGNATURE_ENCODING) : 0;
    } else if (cell.width != SIGNATURE_BYTES) {
        return STATUS(MALFORMED_WIDTH);
    }
    BN_bin2bn(cell.data, BYTES, r);
    BN_bin2bn(cell.data + BYTES, BYTES, s);
    if (BN_cmp(r, curve->p) >= 0 || BN_cmp(s, curve->n) >= 0) {
        defects |= STATUS(MALFORMED_SIGNATURE_RANGE);
    }
    return defects;
}

static void verify(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *r = BN_new(), *s = BN_new(), *e = BN_new();
    expected->statuses |= reference_x_only(curve, row->in[0], point);
    expected->statuses |= reference_bip340_signature(curve, call->flags, row->in[2], r, s);
    if (!expected->statuses) {
        uint8_t x[BYTES];
        reference_challenge(curve, row->in[2].data, row->in[0].data, row->in[1], e);
        REQUIRE(BN_mod_sub(e, curve->n, e, curve->n, reference_bn()));
        REQUIRE(EC_POINT_mul(curve->group, point, s, point, e, reference_bn()));
        int valid = !EC_POINT_is_at_infinity(curve->group, point) && !x_of(curve, point, x) &&
                    memcmp(x, row->in[2].data, BYTES) == 0;
        expected->statuses = valid ? STATUS(OK) : STATUS(INVALID);
    }
    EC_POINT_free(point);
    BN_free(r);
    BN_free(s);
    BN_free(e);
}

/* k = k or n - k, whichever makes the y of point = k G even; x: its x. */
static void even(const struct reference_curve *curve, BIGNUM *k, EC_POINT *point, uint8_t x[BYTES]) {
    REQUIRE(EC_POINT_mul(curve->group, point, k, NULL, NULL, reference_bn()));
    if (x_of(curve, point, x)) {
        REQUIRE(BN_sub(k, curve->n, k) && EC_POINT_invert(curve->group, point, reference_bn()));
    }
}

static void sign(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *d = BN_new(), *k = BN_new(), *e = BN_new();
    uint8_t zeros[BYTES] = {0}, x[BYTES], t[BYTES], mix[BYTES], *out = expected->out[0].bytes;
    struct cell auxiliary = row->in[2].data ? row->in[2] : (struct cell){zeros, BYTES};
    const struct cell none = {NULL, 0};
    expected->statuses |= reference_private_key(curve, row->in[0], d);
    expected->statuses |= auxiliary.width != BYTES ? STATUS(MALFORMED_WIDTH) : 0;
    if (!expected->statuses) {
        even(curve, d, point, x);
        REQUIRE(BN_bn2binpad(d, t, BYTES) > 0);
        tagged_hash("BIP0340/aux", auxiliary, none, none, mix);
        for (int i = 0; i < BYTES; i++) {
            t[i] ^= mix[i];
        }
        tagged_hash("BIP0340/nonce", (struct cell){t, BYTES}, (struct cell){x, BYTES}, row->in[1], mix);
        BN_bin2bn(mix, BYTES, k);
        REQUIRE(BN_nnmod(k, k, curve->n, reference_bn()) && !BN_is_zero(k));
        even(curve, k, point, out);
        reference_challenge(curve, out, x, row->in[1], e);
        REQUIRE(BN_mod_mul(e, e, d, curve->n, reference_bn()) && BN_mod_add(e, e, k, curve->n, reference_bn()));
        REQUIRE(BN_bn2binpad(e, out + BYTES, BYTES) > 0);
        expected->out[0].width = SIGNATURE_BYTES;
        expected->statuses = STATUS(OK);
    }
    EC_POINT_free(point);
    BN_free(d);
    BN_free(k);
    BN_free(e);
}

/* t for the key x and the root, none where there is no column; which defects the root has. No hash has been seen that
 * is not less than n. */
static uint32_t tweak(const struct reference_curve *curve, uint8_t x[BYTES], struct cell root, BIGNUM *t) {
    uint8_t hash[BYTES];
    if (root.width != 0 && root.width != BYTES) {
        return STATUS(MALFORMED_WIDTH);
    }
    tagged_hash("TapTweak", (struct cell){x, BYTES}, root, (struct cell){NULL, 0}, hash);
    BN_bin2bn(hash, BYTES, t);
    REQUIRE(BN_cmp(t, curve->n) < 0);
    return 0;
}

static void tweak_public_key(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *t = BN_new();
    expected->statuses |= reference_x_only(curve, row->in[0], point);
    if (!expected->statuses) {
        expected->statuses |= tweak(curve, row->in[0].data, row->in[1], t);
    } else if (row->in[1].width != 0 && row->in[1].width != BYTES) {
        expected->statuses |= STATUS(MALFORMED_WIDTH);
    }
    if (!expected->statuses) {
        REQUIRE(EC_POINT_mul(curve->group, point, t, point, BN_value_one(), reference_bn()));
        expected->out[1] = (struct value){1, {(uint8_t)x_of(curve, point, expected->out[0].bytes)}};
        expected->out[0].width = BYTES;
        expected->statuses = STATUS(OK);
    }
    EC_POINT_free(point);
    BN_free(t);
}

static void private_key(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *d = BN_new(), *t = BN_new();
    uint8_t x[BYTES] = {0};
    expected->statuses |= reference_private_key(curve, row->in[0], d);
    if (!expected->statuses) {
        even(curve, d, point, x);
    }
    if (call->operation == OPERATION_SCHNORR_TWEAK_PRIVATE_KEY) {
        expected->statuses |= tweak(curve, x, row->in[1], t);
    }
    if (!expected->statuses && call->operation == OPERATION_SCHNORR_TWEAK_PRIVATE_KEY) {
        REQUIRE(BN_mod_add(d, d, t, curve->n, reference_bn()) && !BN_is_zero(d));
        REQUIRE(BN_bn2binpad(d, x, BYTES) > 0);
    }
    if (!expected->statuses) {
        memcpy(expected->out[0].bytes, x, BYTES);
        expected->out[0].width = BYTES;
        expected->statuses = STATUS(OK);
    }
    EC_POINT_free(point);
    BN_free(d);
    BN_free(t);
}

void reference_schnorr(const struct call *call, const struct row *row, struct expectation *expected) {
    switch (call->operation) {
    case OPERATION_SCHNORR_SIGN:
        sign(call, row, expected);
        break;
    case OPERATION_SCHNORR_VERIFY:
        verify(call, row, expected);
        break;
    case OPERATION_SCHNORR_TWEAK_PUBLIC_KEY:
        tweak_public_key(call, row, expected);
        break;
    default:
        private_key(call, row, expected);
    }
}
