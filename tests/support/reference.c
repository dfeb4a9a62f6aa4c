/* Test: needs libcrypto */
#include "reference.h"
#include "order.h"

#include "curve25519.h"

#include <openssl/err.h>
#include <openssl/objects.h>
#include <string.h>

BN_CTX *reference_bn(void) {
    static BN_CTX *context;
    if (!context) {
        context = BN_CTX_new();
        REQUIRE(context);
    }
    return context;
}

/* A group of OpenSSL's code for any curve. Its code for P-384 alone is wrong for rare scalars: that of 3.5.9 on x86-64
 * gave a point beside the curve. */
static EC_GROUP *general_group(const EC_GROUP *group) {
    BIGNUM *p = BN_new(), *a = BN_new(), *b = BN_new(), *x = BN_new(), *y = BN_new();
    BN_CTX *bn = reference_bn();
    REQUIRE(EC_GROUP_get_curve(group, p, a, b, bn));
    EC_GROUP *general = EC_GROUP_new_curve_GFp(p, a, b, bn);
    REQUIRE(general);
    EC_POINT *generator = EC_POINT_new(general);
    REQUIRE(EC_POINT_get_affine_coordinates(group, EC_GROUP_get0_generator(group), x, y, bn));
    REQUIRE(EC_POINT_set_affine_coordinates(general, generator, x, y, bn));
    REQUIRE(EC_GROUP_set_generator(general, generator, EC_GROUP_get0_order(group), BN_value_one()));
    EC_POINT_free(generator);
    BN_free(p);
    BN_free(a);
    BN_free(b);
    BN_free(x);
    BN_free(y);
    return general;
}

static EC_GROUP *group_of(gecc_curve id) {
    int nid = id == GECC_P256 ? NID_X9_62_prime256v1 : OBJ_txt2nid(gecc_curve_name(id));
    nid = id == GECC_P384 ? NID_secp384r1 : id == GECC_P521 ? NID_secp521r1 : nid;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(nid);
    REQUIRE(group);
    if (id != GECC_P384) {
        return group;
    }
    EC_GROUP *general = general_group(group);
    EC_GROUP_set_curve_name(general, nid);
    EC_GROUP_free(group);
    return general;
}

const struct reference_curve *reference_curve(gecc_curve id) {
    static struct reference_curve curves[GECC_CURVE_END];
    REQUIRE(id >= GECC_SECP256K1 && id < GECC_CURVE_END);
    struct reference_curve *curve = &curves[id];
    if (!curve->group) {
        curve->id = id;
        curve->group = group_of(id);
        curve->length = (size_t)(EC_GROUP_get_degree(curve->group) + 7) / 8;
        curve->p = BN_new();
        curve->a = BN_new();
        curve->b = BN_new();
        curve->n = BN_new();
        curve->half_n = BN_new();
        REQUIRE(EC_GROUP_get_curve(curve->group, curve->p, curve->a, curve->b, reference_bn()));
        REQUIRE(EC_GROUP_get_order(curve->group, curve->n, reference_bn()));
        REQUIRE(BN_rshift1(curve->half_n, curve->n));
    }
    return curve;
}

BIGNUM *order_of(gecc_curve curve) { return BN_dup(reference_curve(curve)->n); }

/* 04 || x || y, with the range of the coordinates checked before OpenSSL sees them. */
static uint32_t affine_point(const struct reference_curve *curve, const uint8_t *x_bytes, EC_POINT *point) {
    BIGNUM *x = BN_bin2bn(x_bytes, (int)curve->length, NULL);
    BIGNUM *y = BN_bin2bn(x_bytes + curve->length, (int)curve->length, NULL);
    uint32_t defects = 0;
    if (BN_cmp(x, curve->p) >= 0 || BN_cmp(y, curve->p) >= 0) {
        defects = STATUS(MALFORMED_POINT_RANGE);
    } else if (!EC_POINT_set_affine_coordinates(curve->group, point, x, y, reference_bn())) {
        defects = STATUS(MALFORMED_POINT_OFF_CURVE);
    }
    BN_free(x);
    BN_free(y);
    return defects;
}

static uint32_t compressed_point(const struct reference_curve *curve, const uint8_t *x_bytes, int y_odd,
                                 EC_POINT *point) {
    BIGNUM *x = BN_bin2bn(x_bytes, (int)curve->length, NULL);
    uint32_t defects = 0;
    if (BN_cmp(x, curve->p) >= 0) {
        defects = STATUS(MALFORMED_POINT_RANGE);
    } else if (!EC_POINT_set_compressed_coordinates(curve->group, point, x, y_odd, reference_bn())) {
        defects = STATUS(MALFORMED_POINT_OFF_CURVE);
    }
    BN_free(x);
    return defects;
}

uint32_t reference_point(const struct reference_curve *curve, struct cell cell, EC_POINT *point) {
    uint32_t defects = STATUS(MALFORMED_WIDTH);
    if (cell.width == 2 * curve->length) {
        defects = affine_point(curve, cell.data, point);
    } else if (cell.width == 1 + 2 * curve->length) {
        defects = affine_point(curve, cell.data + 1, point);
        if (cell.data[0] != 4) {
            defects = (defects & STATUS(MALFORMED_POINT_RANGE)) | STATUS(MALFORMED_POINT_ENCODING);
        }
    } else if (cell.width == 1 + curve->length) {
        defects = compressed_point(curve, cell.data + 1, cell.data[0] & 1, point);
        if (cell.data[0] != 2 && cell.data[0] != 3) {
            defects = (defects & STATUS(MALFORMED_POINT_RANGE)) | STATUS(MALFORMED_POINT_ENCODING);
        }
    }
    if (cell.width == 1 && cell.data[0] == 0) {
        defects |= STATUS(MALFORMED_POINT_ENCODING); /* the point at infinity */
    }
    ERR_clear_error();
    return defects;
}

uint32_t reference_point_encode(const struct reference_curve *curve, gecc_point_format format, const EC_POINT *point,
                                uint8_t *out) {
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST];
    if (EC_POINT_is_at_infinity(curve->group, point)) {
        return 0;
    }
    point_conversion_form_t form =
        format == GECC_POINT_COMPRESSED ? POINT_CONVERSION_COMPRESSED : POINT_CONVERSION_UNCOMPRESSED;
    size_t width = EC_POINT_point2oct(curve->group, point, form, bytes, sizeof bytes, reference_bn());
    REQUIRE(width == 1 + (format == GECC_POINT_COMPRESSED ? 1 : 2) * curve->length);
    size_t skip = format == GECC_POINT_RAW;
    memcpy(out, bytes + skip, width - skip);
    return (uint32_t)(width - skip);
}

uint32_t reference_nonce(const struct reference_curve *curve, struct cell cell, BIGNUM *value) {
    if (cell.width != curve->length) {
        return STATUS(MALFORMED_WIDTH);
    }
    BN_bin2bn(cell.data, (int)cell.width, value);
    return BN_is_zero(value) || BN_cmp(value, curve->n) >= 0 ? STATUS(MALFORMED_SCALAR) : 0;
}

uint32_t reference_private_key(const struct reference_curve *curve, struct cell cell, BIGNUM *value) {
    uint32_t defects = reference_nonce(curve, cell, value);
    if (defects == 0 && curve == reference_curve(GECC_SM2)) {
        BIGNUM *next = BN_dup(value);
        REQUIRE(next && BN_add_word(next, 1));
        defects = BN_cmp(next, curve->n) == 0 ? STATUS(MALFORMED_SCALAR) : 0;
        BN_free(next);
    }
    return defects;
}

/* Any integer of L bytes, modulo n. */
static uint32_t scalar(const struct reference_curve *curve, struct cell cell, BIGNUM *value) {
    if (cell.width != curve->length) {
        return STATUS(MALFORMED_WIDTH);
    }
    BN_bin2bn(cell.data, (int)cell.width, value);
    REQUIRE(BN_nnmod(value, value, curve->n, reference_bn()));
    return 0;
}

void reference_digest_number(const struct reference_curve *curve, struct cell digest, BIGNUM *e) {
    size_t width = digest.width < curve->length ? digest.width : curve->length;
    BN_bin2bn(digest.data, (int)width, e);
}

static const EVP_MD *default_hash(const struct reference_curve *curve) {
    return curve->length > 48 ? EVP_sha512() : curve->length == 48 ? EVP_sha384() : EVP_sha256();
}

const EVP_MD *reference_hash(gecc_hash hash, gecc_curve curve) {
    switch (hash) {
    case GECC_HASH_DEFAULT:
        return default_hash(reference_curve(curve));
#define OF(identifier, value, name, ...)                                                                               \
    case identifier:                                                                                                   \
        return EVP_get_digestbyname(#name);
        GECC_HASH_LIST(OF)
#undef OF
    }
    return NULL;
}

static void expect_point(const struct call *call, const struct reference_curve *curve, const EC_POINT *point,
                         struct expectation *expected) {
    struct value *out = &expected->out[0];
    out->width = reference_point_encode(curve, call->point_format, point, out->bytes);
    expected->statuses = out->width ? STATUS(OK) : STATUS(INFINITY);
}

/* x of d * P, or d * G, d in 1 .. n - 1: never infinity. */
static void expect_x(const struct reference_curve *curve, const EC_POINT *point, struct expectation *expected) {
    uint8_t bytes[1 + GECC_CURVE_BYTES_MOST];
    REQUIRE(reference_point_encode(curve, GECC_POINT_COMPRESSED, point, bytes));
    memcpy(expected->out[0].bytes, bytes + 1, curve->length);
    expected->out[0].width = (uint32_t)curve->length;
    expected->statuses = STATUS(OK);
}

static void point_row(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    gecc_kind kind, out = kind_of_output(call->operation, 0);
    EC_POINT *point[2] = {EC_POINT_new(curve->group), EC_POINT_new(curve->group)};
    BIGNUM *number[2] = {BN_new(), BN_new()};
    int points = 0, numbers = 0;
    for (int i = 0; (kind = kind_of_input(call->operation, i)) != 0; i++) {
        if (kind == GECC_KIND_POINT) {
            expected->statuses |= reference_point(curve, row->in[i], point[points++]);
        } else if (kind == GECC_KIND_PRIVATE_KEY) {
            expected->statuses |= reference_private_key(curve, row->in[i], number[numbers++]);
        } else {
            expected->statuses |= scalar(curve, row->in[i], number[numbers++]);
        }
    }
    if (!expected->statuses) {
        EC_POINT *result = EC_POINT_dup(point[0], curve->group);
        if (call->operation == OPERATION_EC_ADD) {
            REQUIRE(EC_POINT_add(curve->group, result, point[0], point[1], reference_bn()));
        } else if (call->operation == OPERATION_EC_DOUBLE) {
            REQUIRE(EC_POINT_dbl(curve->group, result, point[0], reference_bn()));
        } else if (call->operation == OPERATION_EC_MUL || call->operation == OPERATION_ECDH) {
            REQUIRE(EC_POINT_mul(curve->group, result, NULL, point[0], number[0], reference_bn()));
        } else if (call->operation == OPERATION_EC_MUL_ADD) {
            REQUIRE(EC_POINT_mul(curve->group, result, number[0], point[0], number[1], reference_bn()));
        } else if (call->operation == OPERATION_EC_PUBLIC_KEY || call->operation == OPERATION_EC_MUL_BASE) {
            REQUIRE(EC_POINT_mul(curve->group, result, number[0], NULL, NULL, reference_bn()));
        }
        if (out == GECC_KIND_POINT) {
            expect_point(call, curve, result, expected);
        } else if (out == GECC_KIND_SHARED_SECRET) {
            expect_x(curve, result, expected);
        } else {
            expected->statuses = STATUS(OK);
        }
        EC_POINT_free(result);
    }
    for (int i = 0; i < 2; i++) {
        EC_POINT_free(point[i]);
        BN_free(number[i]);
    }
}

/* The sum of k P over the terms of a group; its defects are those of the first term that has any. */
static void sum_row(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    const size_t terms = row->in[0].width / curve->length, width = terms == 0 ? 0 : row->in[1].width / terms;
    EC_POINT *sum = EC_POINT_new(curve->group), *point = EC_POINT_new(curve->group);
    BIGNUM *number = BN_new();
    if (terms * curve->length != row->in[0].width || terms * width != row->in[1].width) {
        expected->statuses = STATUS(MALFORMED_WIDTH);
    }
    REQUIRE(EC_POINT_set_to_infinity(curve->group, sum));
    for (size_t i = 0; i < terms && !expected->statuses; i++) {
        const struct cell k = {row->in[0].data + i * curve->length, curve->length};
        const struct cell p = {row->in[1].data + i * width, width};
        expected->statuses = scalar(curve, k, number) | reference_point(curve, p, point);
        if (!expected->statuses) {
            REQUIRE(EC_POINT_mul(curve->group, point, NULL, point, number, reference_bn()) &&
                    EC_POINT_add(curve->group, sum, sum, point, reference_bn()));
        }
    }
    if (!expected->statuses) {
        expect_point(call, curve, sum, expected);
    }
    BN_free(number);
    EC_POINT_free(point);
    EC_POINT_free(sum);
}

static void digest_row(const struct call *call, const struct row *row, struct expectation *expected) {
    const EVP_MD *hash = reference_hash(call->hash, call->curve);
    struct value *out = &expected->out[0];
    REQUIRE(hash && EVP_Digest(row->in[0].data, row->in[0].width, out->bytes, &out->width, hash, NULL));
    expected->statuses = STATUS(OK);
}

/* ZA = SM3(bits of id || id || a || b || G || public key), GB/T 32918.2, 5.5; e = SM3(ZA || message). */
static void sm2_digest_row(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    static uint8_t default_id[] = GECC_SM2_DEFAULT_ID;
    struct cell id = row->in[1].data ? row->in[1] : (struct cell){default_id, sizeof default_id - 1};
    EC_POINT *key = EC_POINT_new(curve->group);
    expected->statuses = reference_point(curve, row->in[0], key);
    expected->statuses |= id.width > 8191 ? STATUS(MALFORMED_WIDTH) : 0;
    if (!expected->statuses) {
        uint8_t fixed[6 * 32], za[32], bits[2] = {(uint8_t)(id.width >> 5), (uint8_t)(id.width << 3)};
        BN_bn2binpad(curve->a, fixed, 32);
        BN_bn2binpad(curve->b, fixed + 32, 32);
        reference_point_encode(curve, GECC_POINT_RAW, EC_GROUP_get0_generator(curve->group), fixed + 64);
        reference_point_encode(curve, GECC_POINT_RAW, key, fixed + 128);
        EVP_MD_CTX *hash = EVP_MD_CTX_new();
        REQUIRE(EVP_DigestInit_ex(hash, EVP_sm3(), NULL) && EVP_DigestUpdate(hash, bits, 2));
        REQUIRE(EVP_DigestUpdate(hash, id.data, id.width) && EVP_DigestUpdate(hash, fixed, sizeof fixed));
        REQUIRE(EVP_DigestFinal_ex(hash, za, NULL) && EVP_DigestInit_ex(hash, EVP_sm3(), NULL));
        REQUIRE(EVP_DigestUpdate(hash, za, 32) && EVP_DigestUpdate(hash, row->in[2].data, row->in[2].width));
        REQUIRE(EVP_DigestFinal_ex(hash, expected->out[0].bytes, &expected->out[0].width));
        EVP_MD_CTX_free(hash);
        expected->statuses = STATUS(OK);
    }
    EC_POINT_free(key);
}

/* A key that is prepared: a point in any encoding; or on secp256k1 the x of one with an even y. Defects of what is
 * none. */
static uint32_t reference_key(const struct reference_curve *curve, struct cell cell, EC_POINT *point) {
    if (!cell_is_key(cell)) {
        return cell.width == 4 ? STATUS(MALFORMED_KEY_NUMBER) : STATUS(MALFORMED_WIDTH);
    }
    return curve->id == GECC_SECP256K1 && cell.width == 32 ? reference_x_only(curve, cell, point)
                                                           : reference_point(curve, cell, point);
}

/* As the operation on points does with the key's point; where there is none, the other columns are looked at with G. */
static void keys_row(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    int column = input_of_kind(call->operation, GECC_KIND_KEY_NUMBER);
    struct call plain = *call;
    struct row with_point = *row;
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST];
    EC_POINT *point = EC_POINT_new(curve->group);
    uint32_t defects = reference_key(curve, row->in[column], point);
    reference_point_encode(curve, GECC_POINT_UNCOMPRESSED, defects ? EC_GROUP_get0_generator(curve->group) : point,
                           bytes);
    plain.operation = operation_on_points(call->operation);
    with_point.in[column] = kind_of_input(plain.operation, column) == GECC_KIND_X_ONLY_POINT
                                ? (struct cell){bytes + 1, 32}
                                : (struct cell){bytes, (uint32_t)(1 + 2 * curve->length)};
    reference_row(&plain, &with_point, expected);
    if (defects) {
        expected->statuses = (expected->statuses & STATUS_ANY_MALFORMED) | defects;
    }
    EC_POINT_free(point);
}

/* The same on Curve25519, where keys are columns as they are. */
static void keys25519_row(const struct call *call, const struct row *row, struct expectation *expected) {
    struct call plain = *call;
    plain.operation = operation_on_points(call->operation);
    curve25519_reference(&plain, row, expected);
    if (!cell_is_key(row->in[0])) {
        expected->statuses = STATUS(MALFORMED_WIDTH) | STATUS(MALFORMED_KEY_NUMBER);
    }
}

void reference_row(const struct call *call, const struct row *row, struct expectation *expected) {
    memset(expected, 0, sizeof *expected);
    if (call->operation == OPERATION_ED25519_VERIFY_KEYS) {
        keys25519_row(call, row, expected);
        return;
    }
    if (input_of_kind(call->operation, GECC_KIND_KEY_NUMBER) >= 0) {
        keys_row(call, row, expected);
        return;
    }
    switch (call->operation) {
    case OPERATION_ECDSA_SIGN:
    case OPERATION_ECDSA_SIGN_NONCE:
        reference_ecdsa_sign(call, row, expected);
        break;
    case OPERATION_ECDSA_VERIFY:
        reference_ecdsa_verify(call, row, expected);
        break;
    case OPERATION_ECDSA_RECOVER:
        reference_ecdsa_recover(call, row, expected);
        break;
    case OPERATION_SM2_SIGN:
    case OPERATION_SM2_SIGN_NONCE:
        reference_sm2_sign(call, row, expected);
        break;
    case OPERATION_SM2_VERIFY:
        reference_sm2_verify(call, row, expected);
        break;
    case OPERATION_SM2_ENCRYPT:
        reference_sm2_encrypt(call, row, expected);
        break;
    case OPERATION_SM2_DECRYPT:
        reference_sm2_decrypt(call, row, expected);
        break;
    case OPERATION_SM2_EXCHANGE:
        reference_sm2_exchange(call, row, expected);
        break;
    case OPERATION_SCHNORR_PUBLIC_KEY:
    case OPERATION_SCHNORR_SIGN:
    case OPERATION_SCHNORR_VERIFY:
    case OPERATION_SCHNORR_TWEAK_PUBLIC_KEY:
    case OPERATION_SCHNORR_TWEAK_PRIVATE_KEY:
        reference_schnorr(call, row, expected);
        break;
    case OPERATION_ETHEREUM_ADDRESS:
    case OPERATION_ETHEREUM_RECOVER:
    case OPERATION_ETHEREUM_RECOVER_COLUMNS:
    case OPERATION_ETHEREUM_RECOVER_MESSAGE:
        reference_ethereum(call, row, expected);
        break;
    case OPERATION_ED25519_PUBLIC_KEY:
    case OPERATION_ED25519_SIGN:
    case OPERATION_ED25519_VERIFY:
    case OPERATION_X25519_PUBLIC_KEY:
    case OPERATION_X25519:
        curve25519_reference(call, row, expected);
        break;
    case OPERATION_SM2_DIGEST:
        sm2_digest_row(call, row, expected);
        break;
    case OPERATION_DIGEST:
        digest_row(call, row, expected);
        break;
    case OPERATION_EC_MSM:
        sum_row(call, row, expected);
        break;
    default:
        point_row(call, row, expected);
    }
    ERR_clear_error();
}
