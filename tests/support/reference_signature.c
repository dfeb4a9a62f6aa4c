/* Test: needs libcrypto */
/* ECDSA (SEC 1, 4.1), SM2 signatures (GB/T 32918.2) and deterministic nonces (RFC 6979, 3.2 and 3.6) over OpenSSL. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "reference.h"

#include <openssl/asn1.h>
#include <openssl/ecdsa.h>
#include <openssl/hmac.h>
#include <string.h>

/* Is the row strict DER of a sequence with a negative integer? */
static int der_has_negative(struct cell cell) {
    const unsigned char *cursor = cell.data;
    STACK_OF(ASN1_TYPE) *sequence = d2i_ASN1_SEQUENCE_ANY(NULL, &cursor, cell.width);
    unsigned char *again = NULL;
    int negative = 0;
    if (sequence && i2d_ASN1_SEQUENCE_ANY(sequence, &again) == (int)cell.width &&
        memcmp(again, cell.data, cell.width) == 0) {
        for (int i = 0; i < sk_ASN1_TYPE_num(sequence); i++) {
            ASN1_TYPE *element = sk_ASN1_TYPE_value(sequence, i);
            negative |= element->type == V_ASN1_INTEGER && element->value.integer->type == V_ASN1_NEG_INTEGER;
        }
    }
    OPENSSL_free(again);
    sk_ASN1_TYPE_pop_free(sequence, ASN1_TYPE_free);
    return negative;
}

/* Strict DER is what OpenSSL reads and writes again without a change. */
static uint32_t parse_der(const struct reference_curve *curve, struct cell cell, BIGNUM *r, BIGNUM *s) {
    const unsigned char *cursor = cell.data;
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &cursor, cell.width);
    unsigned char *again = NULL;
    int strict =
        signature && i2d_ECDSA_SIG(signature, &again) == (int)cell.width && memcmp(again, cell.data, cell.width) == 0;
    uint32_t too_wide = cell.width > gecc_der_bytes(curve->id) ? STATUS(MALFORMED_WIDTH) : 0;
    uint32_t defects = 0;
    if (!strict) {
        defects = STATUS(MALFORMED_SIGNATURE_ENCODING) | too_wide;
        defects |= cell.width && der_has_negative(cell) ? STATUS(MALFORMED_SIGNATURE_RANGE) : 0;
    } else {
        BN_copy(r, ECDSA_SIG_get0_r(signature));
        BN_copy(s, ECDSA_SIG_get0_s(signature));
        int long_integer = BN_num_bytes(r) > (int)curve->length || BN_num_bytes(s) > (int)curve->length;
        defects = long_integer ? STATUS(MALFORMED_SIGNATURE_ENCODING) | too_wide : 0;
    }
    OPENSSL_free(again);
    ECDSA_SIG_free(signature);
    return defects;
}

uint32_t reference_signature(const struct reference_curve *curve, uint32_t flags, struct cell cell, BIGNUM *r,
                             BIGNUM *s) {
    uint32_t defects = 0;
    if (flags & GECC_SIGHASH_BYTE) {
        if (cell.width == 0) {
            return flags & GECC_DER ? STATUS(MALFORMED_SIGNATURE_ENCODING) | STATUS(MALFORMED_WIDTH)
                                    : STATUS(MALFORMED_WIDTH);
        }
        cell.width--;
    }
    if (flags & GECC_DER) {
        BN_set_word(r, 1);
        BN_set_word(s, 1);
        defects = parse_der(curve, cell, r, s);
    } else if (cell.width != 2 * curve->length) {
        return STATUS(MALFORMED_WIDTH);
    } else {
        BN_bin2bn(cell.data, (int)curve->length, r);
        BN_bin2bn(cell.data + curve->length, (int)curve->length, s);
    }
    if (BN_is_zero(r) || BN_is_zero(s) || BN_cmp(r, curve->n) >= 0 || BN_cmp(s, curve->n) >= 0) {
        defects |= STATUS(MALFORMED_SIGNATURE_RANGE);
    }
    if ((flags & GECC_LOW_S) && BN_cmp(s, curve->half_n) > 0) {
        defects |= STATUS(MALFORMED_HIGH_S);
    }
    return defects;
}

uint32_t reference_signature_encode(const struct reference_curve *curve, uint32_t flags, const BIGNUM *r,
                                    const BIGNUM *s, uint8_t *out) {
    uint32_t width = (uint32_t)(2 * curve->length);
    if (!(flags & GECC_DER)) {
        REQUIRE(BN_bn2binpad(r, out, (int)curve->length) > 0);
        REQUIRE(BN_bn2binpad(s, out + curve->length, (int)curve->length) > 0);
    } else {
        uint8_t *der = out;
        ECDSA_SIG *signature = ECDSA_SIG_new();
        REQUIRE(signature && ECDSA_SIG_set0(signature, BN_dup(r), BN_dup(s)));
        width = (uint32_t)i2d_ECDSA_SIG(signature, &der);
        ECDSA_SIG_free(signature);
    }
    if (flags & GECC_SIGHASH_BYTE) {
        out[width] = out[width - 1]; /* any byte */
        width++;
    }
    return width;
}

static uint32_t digest_width_defects(const struct call *call, struct cell digest) {
    int sm2 = call->operation == OPERATION_SM2_SIGN || call->operation == OPERATION_SM2_SIGN_NONCE ||
              call->operation == OPERATION_SM2_VERIFY;
    int right = sm2 ? digest.width == 32 : digest.width >= 20 && digest.width <= 64;
    return right ? 0 : STATUS(MALFORMED_WIDTH);
}

/* HMAC-DRBG of RFC 6979. */
struct nonces {
    const EVP_MD *hash;
    size_t width;
    uint8_t key[64], value[64];
};

/* K = HMAC(K, V || tag || seed); V = HMAC(K, V). */
static void nonces_update(struct nonces *nonces, uint8_t tag, const uint8_t *seed, size_t seed_width) {
    uint8_t message[64 + 1 + 2 * GECC_CURVE_BYTES_MOST + 32];
    memcpy(message, nonces->value, nonces->width);
    message[nonces->width] = tag;
    if (seed_width != 0) {
        memcpy(message + nonces->width + 1, seed, seed_width);
    }
    REQUIRE(HMAC(nonces->hash, nonces->key, (int)nonces->width, message, nonces->width + 1 + seed_width, nonces->key,
                 NULL));
    REQUIRE(HMAC(nonces->hash, nonces->key, (int)nonces->width, nonces->value, nonces->width, nonces->value, NULL));
}

static void nonces_start(struct nonces *nonces, const struct reference_curve *curve, const EVP_MD *hash,
                         const BIGNUM *key, struct cell digest, struct cell entropy) {
    uint8_t seed[2 * GECC_CURVE_BYTES_MOST + 32];
    BIGNUM *h = BN_new();
    reference_digest_number(curve, digest, h);
    REQUIRE(BN_nnmod(h, h, curve->n, reference_bn()));
    BN_bn2binpad(key, seed, (int)curve->length);
    BN_bn2binpad(h, seed + curve->length, (int)curve->length);
    memcpy(seed + 2 * curve->length, entropy.data ? entropy.data : seed, entropy.data ? entropy.width : 0);
    BN_free(h);
    size_t width = 2 * curve->length + (entropy.data ? entropy.width : 0);
    nonces->hash = hash;
    nonces->width = (size_t)EVP_MD_get_size(hash);
    memset(nonces->value, 1, sizeof nonces->value);
    memset(nonces->key, 0, sizeof nonces->key);
    nonces_update(nonces, 0, seed, width);
    nonces_update(nonces, 1, seed, width);
}

/* The next 1 <= k < n. */
static void nonces_next(struct nonces *nonces, const struct reference_curve *curve, BIGNUM *k) {
    do {
        uint8_t t[128];
        size_t filled = 0;
        while (filled < curve->length) {
            REQUIRE(
                HMAC(nonces->hash, nonces->key, (int)nonces->width, nonces->value, nonces->width, nonces->value, NULL));
            memcpy(t + filled, nonces->value, nonces->width);
            filled += nonces->width;
        }
        BN_bin2bn(t, (int)curve->length, k);
        REQUIRE(BN_rshift(k, k, 8 * (int)curve->length - BN_num_bits(curve->n))); /* the leftmost bits */
        if (BN_is_zero(k) || BN_cmp(k, curve->n) >= 0) {
            nonces_update(nonces, 0, NULL, 0);
        }
    } while (BN_is_zero(k) || BN_cmp(k, curve->n) >= 0);
}

struct signature {
    BIGNUM *r, *s;
    uint8_t recovery_id;
};

/* R = k * G; r = x mod n; s = k^-1 (e + r d) mod n. 0 where r or s is 0. */
static int ecdsa_equation(const struct reference_curve *curve, const BIGNUM *d, const BIGNUM *e, const BIGNUM *k,
                          struct signature *out) {
    BN_CTX *bn = reference_bn();
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *x = BN_new(), *y = BN_new(), *inverse = BN_new();
    REQUIRE(EC_POINT_mul(curve->group, point, k, NULL, NULL, bn));
    REQUIRE(EC_POINT_get_affine_coordinates(curve->group, point, x, y, bn));
    out->recovery_id = (uint8_t)(BN_is_odd(y) | (BN_cmp(x, curve->n) >= 0) << 1);
    REQUIRE(BN_nnmod(out->r, x, curve->n, bn) && BN_mod_inverse(inverse, k, curve->n, bn));
    REQUIRE(BN_mod_mul(out->s, out->r, d, curve->n, bn) && BN_mod_add(out->s, out->s, e, curve->n, bn));
    REQUIRE(BN_mod_mul(out->s, out->s, inverse, curve->n, bn));
    EC_POINT_free(point);
    BN_free(x);
    BN_free(y);
    BN_free(inverse);
    return !BN_is_zero(out->r) && !BN_is_zero(out->s);
}

static void make_s_low(const struct reference_curve *curve, struct signature *signature) {
    if (BN_cmp(signature->s, curve->half_n) > 0) {
        REQUIRE(BN_sub(signature->s, curve->n, signature->s));
        signature->recovery_id ^= 1;
    }
}

/* (x1, y1) = k * G; r = e + x1 mod n; s = (1 + d)^-1 (k - r d) mod n. 0 where r = 0, r + k = n or s = 0. */
static int sm2_equation(const struct reference_curve *curve, const BIGNUM *d, const BIGNUM *e, const BIGNUM *k,
                        struct signature *out) {
    BN_CTX *bn = reference_bn();
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *t = BN_new();
    REQUIRE(EC_POINT_mul(curve->group, point, k, NULL, NULL, bn));
    REQUIRE(EC_POINT_get_affine_coordinates(curve->group, point, t, NULL, bn));
    REQUIRE(BN_mod_add(out->r, e, t, curve->n, bn) && BN_add(t, out->r, k));
    int fine = !BN_is_zero(out->r) && BN_cmp(t, curve->n) != 0;
    REQUIRE(BN_mod_mul(out->s, out->r, d, curve->n, bn) && BN_mod_sub(out->s, k, out->s, curve->n, bn));
    REQUIRE(BN_copy(t, d) && BN_add_word(t, 1) && BN_mod_inverse(t, t, curve->n, bn));
    REQUIRE(BN_mod_mul(out->s, out->s, t, curve->n, bn));
    EC_POINT_free(point);
    BN_free(t);
    return fine && !BN_is_zero(out->s);
}

typedef int signing_equation(const struct reference_curve *curve, const BIGNUM *d, const BIGNUM *e, const BIGNUM *k,
                             struct signature *out);

static void sign(const struct call *call, const struct row *row, signing_equation *equation, int low_s,
                 struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    int given = call->operation == OPERATION_ECDSA_SIGN_NONCE || call->operation == OPERATION_SM2_SIGN_NONCE;
    BIGNUM *d = BN_new(), *e = BN_new(), *k = BN_new();
    struct signature signature = {BN_new(), BN_new(), 0};
    struct cell entropy = given ? (struct cell){NULL, 0} : row->in[2];
    expected->statuses |= reference_private_key(curve, row->in[0], d);
    expected->statuses |= digest_width_defects(call, row->in[1]);
    expected->statuses |= given ? reference_nonce(curve, row->in[2], k) : 0;
    expected->statuses |= entropy.data && entropy.width != 32 ? STATUS(MALFORMED_WIDTH) : 0;
    if (!expected->statuses) {
        reference_digest_number(curve, row->in[1], e);
        int done = given && equation(curve, d, e, k, &signature);
        if (!given) {
            struct nonces nonces;
            nonces_start(&nonces, curve, reference_hash(call->hash, call->curve), d, row->in[1], entropy);
            nonces_next(&nonces, curve, k);
            while (!equation(curve, d, e, k, &signature)) {
                nonces_update(&nonces, 0, NULL, 0);
                nonces_next(&nonces, curve, k);
            }
            done = 1;
        }
        if (low_s) {
            make_s_low(curve, &signature);
        }
        expected->statuses = done ? STATUS(OK) : STATUS(INVALID);
        expected->out[0].width =
            reference_signature_encode(curve, call->flags, signature.r, signature.s, expected->out[0].bytes);
        expected->out[1] = (struct value){1, {signature.recovery_id}};
    }
    BN_free(d);
    BN_free(e);
    BN_free(k);
    BN_free(signature.r);
    BN_free(signature.s);
}

void reference_ecdsa_sign(const struct call *call, const struct row *row, struct expectation *expected) {
    int low_s = call->curve == GECC_SECP256K1 ? !(call->flags & GECC_ANY_S) : !!(call->flags & GECC_LOW_S);
    sign(call, row, ecdsa_equation, low_s, expected);
}

void reference_sm2_sign(const struct call *call, const struct row *row, struct expectation *expected) {
    sign(call, row, sm2_equation, 0, expected);
}

/* OpenSSL's own verification. */
static int ecdsa_valid(const struct reference_curve *curve, const EC_POINT *point, struct cell digest, const BIGNUM *r,
                       const BIGNUM *s) {
    EC_KEY *key = EC_KEY_new();
    ECDSA_SIG *signature = ECDSA_SIG_new();
    REQUIRE(EC_KEY_set_group(key, curve->group) && EC_KEY_set_public_key(key, point));
    REQUIRE(ECDSA_SIG_set0(signature, BN_dup(r), BN_dup(s)));
    int valid = ECDSA_do_verify(digest.data, (int)digest.width, signature, key) == 1;
    ECDSA_SIG_free(signature);
    EC_KEY_free(key);
    return valid;
}

void reference_ecdsa_verify(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *r = BN_new(), *s = BN_new();
    expected->statuses |= reference_point(curve, row->in[0], point);
    expected->statuses |= digest_width_defects(call, row->in[1]);
    expected->statuses |= reference_signature(curve, call->flags, row->in[2], r, s);
    if (!expected->statuses) {
        expected->statuses = ecdsa_valid(curve, point, row->in[1], r, s) ? STATUS(OK) : STATUS(INVALID);
    }
    EC_POINT_free(point);
    BN_free(r);
    BN_free(s);
}

/* t = r + s mod n, not 0; (x1, y1) = s * G + t * P; e + x1 = r mod n. */
static int sm2_valid(const struct reference_curve *curve, EC_POINT *point, const BIGNUM *e, const BIGNUM *r,
                     const BIGNUM *s) {
    BN_CTX *bn = reference_bn();
    BIGNUM *t = BN_new();
    REQUIRE(BN_mod_add(t, r, s, curve->n, bn));
    int valid = !BN_is_zero(t);
    REQUIRE(EC_POINT_mul(curve->group, point, s, point, t, bn));
    valid &= !EC_POINT_is_at_infinity(curve->group, point);
    if (valid) {
        REQUIRE(EC_POINT_get_affine_coordinates(curve->group, point, t, NULL, bn));
        REQUIRE(BN_mod_add(t, t, e, curve->n, bn));
        valid = BN_cmp(t, r) == 0;
    }
    BN_free(t);
    return valid;
}

void reference_sm2_verify(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *r = BN_new(), *s = BN_new(), *e = BN_new();
    expected->statuses |= reference_point(curve, row->in[0], point);
    expected->statuses |= digest_width_defects(call, row->in[1]);
    expected->statuses |= reference_signature(curve, call->flags, row->in[2], r, s);
    if (!expected->statuses) {
        reference_digest_number(curve, row->in[1], e);
        expected->statuses = sm2_valid(curve, point, e, r, s) ? STATUS(OK) : STATUS(INVALID);
    }
    EC_POINT_free(point);
    BN_free(r);
    BN_free(s);
    BN_free(e);
}

/* x = r + (id & 2 ? n : 0), R = (x, y of parity id & 1); Q = r^-1 (s R - e G). 0 where R or Q is no point. */
static int recover(const struct reference_curve *curve, uint8_t id, const BIGNUM *r, const BIGNUM *s, const BIGNUM *e,
                   EC_POINT *key) {
    BN_CTX *bn = reference_bn();
    BIGNUM *x = BN_dup(r), *u = BN_new(), *v = BN_new();
    if (id & 2) {
        REQUIRE(BN_add(x, x, curve->n));
    }
    int exists = BN_cmp(x, curve->p) < 0 && EC_POINT_set_compressed_coordinates(curve->group, key, x, id & 1, bn);
    if (exists) {
        REQUIRE(BN_mod_inverse(v, r, curve->n, bn) && BN_mod_mul(u, v, e, curve->n, bn));
        REQUIRE(BN_mod_sub(u, curve->n, u, curve->n, bn) && BN_mod_mul(v, v, s, curve->n, bn));
        REQUIRE(EC_POINT_mul(curve->group, key, u, key, v, bn));
        exists = !EC_POINT_is_at_infinity(curve->group, key);
    }
    BN_free(x);
    BN_free(u);
    BN_free(v);
    return exists;
}

void reference_ecdsa_recover(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *key = EC_POINT_new(curve->group);
    BIGNUM *r = BN_new(), *s = BN_new(), *e = BN_new();
    struct cell id = row->in[2];
    expected->statuses |= digest_width_defects(call, row->in[0]);
    expected->statuses |= reference_signature(curve, call->flags, row->in[1], r, s);
    if (id.width != 1) {
        expected->statuses |= STATUS(MALFORMED_WIDTH);
    } else if (id.data[0] > 3) {
        expected->statuses |= STATUS(MALFORMED_RECOVERY_ID);
    }
    if (!expected->statuses) {
        reference_digest_number(curve, row->in[0], e);
        expected->statuses = STATUS(INVALID);
        if (recover(curve, id.data[0], r, s, e, key)) {
            expected->out[0].width = reference_point_encode(curve, call->point_format, key, expected->out[0].bytes);
            expected->statuses = STATUS(OK);
        }
    }
    EC_POINT_free(key);
    BN_free(r);
    BN_free(s);
    BN_free(e);
}
