/* Test: needs libcrypto */
/* SM2 encryption (GM/T 0003.4) and key exchange (GM/T 0003.3) over OpenSSL's points and SM3. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "reference.h"

#include <openssl/asn1.h>
#include <string.h>

enum { HASH_BYTES = 32, TEXT_MOST = 1 << 14 };

/* Pieces that are hashed one after the other. */
struct pieces {
    struct cell list[8];
    int count;
};

static void add(struct pieces *pieces, const void *data, size_t width) {
    pieces->list[pieces->count++] = (struct cell){(uint8_t *)data, (uint32_t)width};
}

static void sm3(uint8_t out[HASH_BYTES], const struct pieces *pieces) {
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    REQUIRE(EVP_DigestInit_ex(hash, EVP_sm3(), NULL));
    for (int i = 0; i < pieces->count; i++)
        REQUIRE(EVP_DigestUpdate(hash, pieces->list[i].data, pieces->list[i].width));
    REQUIRE(EVP_DigestFinal_ex(hash, out, NULL));
    EVP_MD_CTX_free(hash);
}

/* The KDF of the pieces; returns whether a byte of it is not 0. */
static int kdf(uint8_t *out, size_t width, const struct pieces *z) {
    int any = 0;
    for (uint32_t counter = 1; width != 0; counter++) {
        struct pieces pieces = *z;
        uint8_t block[HASH_BYTES], big_endian[4] = {(uint8_t)(counter >> 24), (uint8_t)(counter >> 16),
                                                    (uint8_t)(counter >> 8), (uint8_t)counter};
        size_t bytes = width < HASH_BYTES ? width : HASH_BYTES;
        add(&pieces, big_endian, 4);
        sm3(block, &pieces);
        for (size_t i = 0; i < bytes; i++)
            any |= *out++ = block[i];
        width -= bytes;
    }
    return any != 0;
}

static void coordinates(const struct reference_curve *curve, const EC_POINT *point, uint8_t out[64]) {
    REQUIRE(reference_point_encode(curve, GECC_POINT_RAW, point, out) == 64);
}

/* text = from ^ KDF(x || y), c3 = SM3(x || plaintext || y) for the plaintext, which is one of them. Returns whether t
 * is not all zeros. */
static int crypt(uint8_t *text, struct cell from, const uint8_t point[64], int encrypts, uint8_t c3[HASH_BYTES]) {
    struct pieces z = {.count = 0}, hashed = {.count = 0};
    add(&z, point, 64);
    const int any = kdf(text, from.width, &z);
    for (size_t i = 0; i < from.width; i++)
        text[i] ^= from.data[i];
    add(&hashed, point, 32);
    add(&hashed, encrypts ? from.data : text, from.width);
    add(&hashed, point + 32, 32);
    sm3(c3, &hashed);
    return any;
}

static ASN1_TYPE *element(int type, void *value) {
    ASN1_TYPE *made = ASN1_TYPE_new();
    ASN1_TYPE_set(made, type, value);
    return made;
}

static ASN1_TYPE *octets(const uint8_t *data, size_t width) {
    ASN1_OCTET_STRING *string = ASN1_OCTET_STRING_new();
    REQUIRE(ASN1_OCTET_STRING_set(string, data, (int)width));
    return element(V_ASN1_OCTET_STRING, string);
}

static ASN1_TYPE *integer(const uint8_t *data) {
    BIGNUM *number = BN_bin2bn(data, 32, NULL);
    ASN1_INTEGER *made = BN_to_ASN1_INTEGER(number, NULL);
    BN_free(number);
    return element(V_ASN1_INTEGER, made);
}

/* The ciphertext in the call's format; its width is returned. */
static size_t ciphertext_encode(const struct call *call, const EC_POINT *c1, const uint8_t c3[HASH_BYTES],
                                struct cell c2, uint8_t *out) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    uint8_t point[64];
    if (call->flags & GECC_DER) {
        coordinates(curve, c1, point);
        STACK_OF(ASN1_TYPE) *sequence = sk_ASN1_TYPE_new_null();
        sk_ASN1_TYPE_push(sequence, integer(point));
        sk_ASN1_TYPE_push(sequence, integer(point + 32));
        sk_ASN1_TYPE_push(sequence, octets(c3, HASH_BYTES));
        sk_ASN1_TYPE_push(sequence, octets(c2.data, c2.width));
        const int width = i2d_ASN1_SEQUENCE_ANY(sequence, &out);
        sk_ASN1_TYPE_pop_free(sequence, ASN1_TYPE_free);
        REQUIRE(width > 0);
        return (size_t)width;
    }
    size_t width = reference_point_encode(curve, call->point_format, c1, out);
    const int last = (call->flags & GECC_C1C2C3) != 0;
    memcpy(out + width + (last ? c2.width : 0), c3, HASH_BYTES);
    memcpy(out + width + (last ? 0 : HASH_BYTES), c2.data, c2.width);
    return width + HASH_BYTES + c2.width;
}

void reference_sm2_encrypt(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    const size_t room = call_output_widths(call, 0).most;
    EC_POINT *point = EC_POINT_new(curve->group), *c1 = EC_POINT_new(curve->group);
    BIGNUM *k = BN_new();
    struct cell text = row->in[2];
    static uint8_t out[TEXT_MOST], c2[TEXT_MOST];
    uint8_t shared[64], c3[HASH_BYTES];
    expected->statuses = reference_point(curve, row->in[0], point) | reference_nonce(curve, row->in[1], k);
    expected->statuses |= text.width == 0 || text.width > room ? STATUS(MALFORMED_WIDTH) : 0;
    if (!expected->statuses) {
        REQUIRE(EC_POINT_mul(curve->group, c1, k, NULL, NULL, reference_bn()));
        REQUIRE(EC_POINT_mul(curve->group, point, NULL, point, k, reference_bn()));
        coordinates(curve, point, shared);
        const int any = crypt(c2, text, shared, 1, c3);
        const size_t width = ciphertext_encode(call, c1, c3, (struct cell){c2, text.width}, out);
        expected->statuses = width > room ? STATUS(MALFORMED_WIDTH) : any ? STATUS(OK) : STATUS(INVALID);
        if (expected->statuses == STATUS(OK)) {
            memcpy(expected->out[0].bytes, out, width);
            expected->out[0].width = (uint32_t)width;
        }
    }
    EC_POINT_free(point);
    EC_POINT_free(c1);
    BN_free(k);
}

struct parts {
    uint8_t c1[65], c3[HASH_BYTES], c2[TEXT_MOST];
    size_t c1_bytes, c2_bytes;
};

static int read_elements(struct parts *parts, STACK_OF(ASN1_TYPE) * sequence, uint32_t *defects) {
    static const int types[] = {V_ASN1_INTEGER, V_ASN1_INTEGER, V_ASN1_OCTET_STRING, V_ASN1_OCTET_STRING};
    if (sk_ASN1_TYPE_num(sequence) != 4)
        return 0;
    for (int i = 0; i < 4; i++) {
        const ASN1_TYPE *item = sk_ASN1_TYPE_value(sequence, i);
        if (item->type != types[i] || item->value.asn1_string->type == V_ASN1_NEG_INTEGER)
            return 0;
        const ASN1_STRING *string = item->value.asn1_string;
        const size_t width = (size_t)ASN1_STRING_length(string);
        if (i == 2 && width != HASH_BYTES)
            return 0;
        if (i < 2 && width > 32)
            *defects |= STATUS(MALFORMED_POINT_RANGE);
        else if (i < 2)
            memcpy(parts->c1 + 32 * i + 32 - width, ASN1_STRING_get0_data(string), width);
        else if (i == 2)
            memcpy(parts->c3, ASN1_STRING_get0_data(string), width);
        else
            memcpy(parts->c2, ASN1_STRING_get0_data(string), parts->c2_bytes = width);
    }
    return 1;
}

/* Strict DER is what OpenSSL reads and writes again without a change. Of what is not, numbers that are too long may be
 * told as such. */
static uint32_t parts_der(struct parts *parts, struct cell cell) {
    const unsigned char *cursor = cell.data;
    unsigned char *again = NULL;
    uint32_t defects = 0;
    STACK_OF(ASN1_TYPE) *sequence = cell.width ? d2i_ASN1_SEQUENCE_ANY(NULL, &cursor, cell.width) : NULL;
    const int strict = sequence && i2d_ASN1_SEQUENCE_ANY(sequence, &again) == (int)cell.width &&
                       memcmp(again, cell.data, cell.width) == 0;
    memset(parts->c1, 0, sizeof parts->c1);
    parts->c1_bytes = 64;
    if (!strict || !read_elements(parts, sequence, &defects))
        defects |= STATUS(MALFORMED_CIPHERTEXT) | STATUS(MALFORMED_POINT_RANGE);
    else if (parts->c2_bytes == 0)
        defects |= STATUS(MALFORMED_WIDTH);
    OPENSSL_free(again);
    sk_ASN1_TYPE_pop_free(sequence, ASN1_TYPE_free);
    return defects;
}

static uint32_t parts_plain(struct parts *parts, const struct call *call, struct cell cell) {
    const size_t c1 = gecc_point_bytes(GECC_SM2, call->point_format);
    if (cell.width <= c1 + HASH_BYTES)
        return STATUS(MALFORMED_WIDTH);
    const int last = (call->flags & GECC_C1C2C3) != 0;
    parts->c1_bytes = c1;
    parts->c2_bytes = cell.width - c1 - HASH_BYTES;
    memcpy(parts->c1, cell.data, c1);
    memcpy(parts->c3, cell.data + c1 + (last ? parts->c2_bytes : 0), HASH_BYTES);
    memcpy(parts->c2, cell.data + c1 + (last ? 0 : HASH_BYTES), parts->c2_bytes);
    return 0;
}

void reference_sm2_decrypt(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    const size_t room = call_output_widths(call, 0).most;
    EC_POINT *point = EC_POINT_new(curve->group);
    BIGNUM *d = BN_new();
    static struct parts parts;
    static uint8_t text[TEXT_MOST];
    uint8_t shared[64], c3[HASH_BYTES];
    struct cell cell = row->in[1];
    REQUIRE(cell.width < TEXT_MOST);
    expected->statuses = reference_private_key(curve, row->in[0], d);
    uint32_t defects = call->flags & GECC_DER ? parts_der(&parts, cell) : parts_plain(&parts, call, cell);
    defects |= defects == 0 && parts.c2_bytes > room ? STATUS(MALFORMED_WIDTH) : 0;
    if (defects == 0)
        defects = reference_point(curve, (struct cell){parts.c1, (uint32_t)parts.c1_bytes}, point);
    expected->statuses |= defects;
    if (!expected->statuses) {
        REQUIRE(EC_POINT_mul(curve->group, point, NULL, point, d, reference_bn()));
        coordinates(curve, point, shared);
        const int any = crypt(text, (struct cell){parts.c2, (uint32_t)parts.c2_bytes}, shared, 0, c3);
        expected->statuses = any && memcmp(c3, parts.c3, HASH_BYTES) == 0 ? STATUS(OK) : STATUS(INVALID);
        if (expected->statuses == STATUS(OK)) {
            memcpy(expected->out[0].bytes, text, parts.c2_bytes);
            expected->out[0].width = (uint32_t)parts.c2_bytes;
        }
    }
    EC_POINT_free(point);
    BN_free(d);
}

/* x' of a point: 2^127 + (x mod 2^127). */
static BIGNUM *reduced(const uint8_t point[64]) {
    uint8_t low[16];
    memcpy(low, point + 16, sizeof low);
    low[0] |= 0x80;
    return BN_bin2bn(low, sizeof low, NULL);
}

/* Z of a point and an id, GB/T 32918.2, 5.5. */
static void z_of(uint8_t out[HASH_BYTES], const uint8_t point[64], struct cell id) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    static uint8_t default_id[] = GECC_SM2_DEFAULT_ID;
    struct pieces pieces = {.count = 0};
    uint8_t fixed[128];
    id = id.data ? id : (struct cell){default_id, sizeof default_id - 1};
    uint8_t bits[2] = {(uint8_t)(id.width >> 5), (uint8_t)(id.width << 3)};
    BN_bn2binpad(curve->a, fixed, 32);
    BN_bn2binpad(curve->b, fixed + 32, 32);
    coordinates(curve, EC_GROUP_get0_generator(curve->group), fixed + 64);
    add(&pieces, bits, 2);
    add(&pieces, id.data, id.width);
    add(&pieces, fixed, sizeof fixed);
    add(&pieces, point, 64);
    sm3(out, &pieces);
}

/* U = (d + x'(r G) r) (P + x'(R) R), or infinity. */
static void shared_point(EC_POINT *u, const BIGNUM *d, const BIGNUM *r, const uint8_t own[64], const EC_POINT *p,
                         const EC_POINT *peer, const uint8_t peer_bytes[64]) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    BIGNUM *t = reduced(own), *x = reduced(peer_bytes);
    REQUIRE(BN_mod_mul(t, t, r, curve->n, reference_bn()) && BN_mod_add(t, t, d, curve->n, reference_bn()));
    REQUIRE(EC_POINT_mul(curve->group, u, NULL, peer, x, reference_bn()));
    REQUIRE(EC_POINT_add(curve->group, u, u, p, reference_bn()));
    REQUIRE(EC_POINT_mul(curve->group, u, NULL, u, t, reference_bn()));
    BN_free(t);
    BN_free(x);
}

/* The key and both confirmations; z and ephemeral: the initiator's first. */
static void exchanged(const struct call *call, const uint8_t u[64], uint8_t z[2][HASH_BYTES], uint8_t ephemeral[2][64],
                      struct expectation *expected) {
    const int responds = (call->flags & GECC_RESPONDER) != 0;
    struct pieces derived = {.count = 0}, inner = {.count = 0};
    uint8_t hash[HASH_BYTES];
    add(&derived, u, 64);
    add(&derived, z, sizeof(uint8_t[2][HASH_BYTES]));
    expected->out[0].width = (uint32_t)call_output_widths(call, 0).most;
    (void)kdf(expected->out[0].bytes, expected->out[0].width, &derived);
    add(&inner, u, 32);
    add(&inner, z, sizeof(uint8_t[2][HASH_BYTES]));
    add(&inner, ephemeral, sizeof(uint8_t[2][64]));
    sm3(hash, &inner);
    for (int side = 0; side < 2; side++) { /* what the responder sends, then the initiator */
        struct pieces outer = {.count = 0};
        const uint8_t mark = (uint8_t)(2 + side);
        struct value *value = &expected->out[responds == (side == 0) ? 1 : 2];
        add(&outer, &mark, 1);
        add(&outer, u + 32, 32);
        add(&outer, hash, sizeof hash);
        sm3(value->bytes, &outer);
        value->width = HASH_BYTES;
    }
}

void reference_sm2_exchange(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(GECC_SM2);
    const int own = (call->flags & GECC_RESPONDER) != 0, other = !own;
    EC_POINT *p = EC_POINT_new(curve->group), *peer = EC_POINT_new(curve->group), *u = EC_POINT_new(curve->group);
    BIGNUM *d = BN_new(), *r = BN_new();
    uint8_t ephemeral[2][64], key[64], z[2][HASH_BYTES], shared[64];
    expected->statuses = reference_private_key(curve, row->in[0], d) | reference_nonce(curve, row->in[1], r);
    expected->statuses |= reference_point(curve, row->in[3], p) | reference_point(curve, row->in[4], peer);
    for (int i = 2; i <= 5; i += 3)
        expected->statuses |= row->in[i].width > 8191 ? STATUS(MALFORMED_WIDTH) : 0;
    if (!expected->statuses) {
        REQUIRE(EC_POINT_mul(curve->group, u, d, NULL, NULL, reference_bn()));
        coordinates(curve, u, key);
        z_of(z[own], key, row->in[2]);
        coordinates(curve, p, key);
        z_of(z[other], key, row->in[5]);
        REQUIRE(EC_POINT_mul(curve->group, u, r, NULL, NULL, reference_bn()));
        coordinates(curve, u, ephemeral[own]);
        coordinates(curve, peer, ephemeral[other]);
        shared_point(u, d, r, ephemeral[own], p, peer, ephemeral[other]);
        expected->statuses = EC_POINT_is_at_infinity(curve->group, u) ? STATUS(INVALID) : STATUS(OK);
        if (expected->statuses == STATUS(OK)) {
            coordinates(curve, u, shared);
            exchanged(call, shared, z, ephemeral, expected);
        }
    }
    EC_POINT_free(p);
    EC_POINT_free(peer);
    EC_POINT_free(u);
    BN_free(d);
    BN_free(r);
}
