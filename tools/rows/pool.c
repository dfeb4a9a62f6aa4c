/* Keys, points and signatures of one curve, made by the CPU before anything is compared. */
#include "put.h"

#include <stdlib.h>

enum { WIDE_TRIED = 64, WIDE_DIGEST_BYTES = 32, MESSAGE_MOST = 300 };

/* p and n of each curve; check_constants asks the library whether they are right. */
static const char *const primes[GECC_CURVE25519 + 1][2] = {
#define PRIMES(identifier, value, name, title, bits, hash, prime, order) [identifier] = {prime, order},
    GECC_CURVE_LIST(PRIMES) GECC_EDWARDS_CURVE_LIST(PRIMES)
#undef PRIMES
};

static void number_read(uint8_t *bytes, size_t width, const char *text) {
    for (size_t i = 0; i < width; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static void require(gecc_result result, const char *what) {
    if (result != GECC_OK)
        trouble("%s: %s", what, gecc_error_text());
}

/* n G is infinity; x = p is out of range and x = p - 1 is not. */
static void check_constants(gecc_context *trusted, const struct pool *pool) {
    uint8_t points[2][1 + LENGTH_MOST] = {{2}, {2}}, out[1 + 2 * LENGTH_MOST], status[2];
    size_t width = 1 + pool->length;
    require(gecc_ec_mul_base(trusted, pool->curve, gecc_out_packed(out, sizeof out), gecc_out_packed(status, 1),
                             gecc_rows_packed(pool->n, pool->length), 1, NULL),
            "n G");
    bool right = status[0] == GECC_ITEM_INFINITY;
    memcpy(points[0] + 1, pool->p, pool->length);
    number_add_small(points[1] + 1, pool->p, -1, pool->length);
    require(gecc_ec_validate(trusted, pool->curve, gecc_out_packed(status, 1),
                             gecc_rows_strided(points, width, sizeof points[0]), 2, NULL),
            "p");
    right = right && status[0] == GECC_ITEM_MALFORMED_POINT_RANGE && status[1] != GECC_ITEM_MALFORMED_POINT_RANGE;
    if (!right)
        trouble("the constants of %s are wrong, or the CPU's arithmetic is", gecc_curve_name(pool->curve));
}

void curve_prime(uint8_t *p, gecc_curve curve) { number_read(p, gecc_curve_bytes(curve), primes[curve][0]); }

static void set_constants(struct pool *pool) {
    unsigned carry = 0;
    curve_prime(pool->p, pool->curve);
    number_read(pool->n, pool->length, primes[pool->curve][1]);
    for (size_t i = 0; i < pool->length; i++) {
        pool->half_n[i] = (uint8_t)(carry << 7 | pool->n[i] >> 1);
        carry = pool->n[i] & 1;
    }
}

static void random_below_n(struct pool *pool, uint8_t *number, struct prng *prng) {
    do {
        prng_bytes(prng, number, pool->length);
        number[pool->length - 1] |= 1;
    } while (memcmp(number, pool->n, pool->length) >= 0);
}

static void fill_messages(struct pool *pool, bool plain, struct prng *prng) {
    pool->message_stride = plain ? 64 : MESSAGE_MOST;
    pool->messages = memory_new(pool->count, pool->message_stride);
    pool->message_widths = memory_new(pool->count, sizeof *pool->message_widths);
    if (plain)
        memcpy(pool->messages, pool->digests, pool->count * pool->message_stride);
    else
        prng_bytes(prng, pool->messages, pool->count * pool->message_stride);
    for (size_t i = 0; i < pool->count; i++)
        pool->message_widths[i] = i % 2 == 0 || plain ? 32 : any_message_width(prng, MESSAGE_MOST);
}

static gecc_rows messages_of(const struct pool *pool) {
    return (gecc_rows){pool->messages, pool->message_stride, 0, pool->message_widths, NULL};
}

static void fill_random(struct pool *pool, size_t signers, struct prng *prng) {
    static const uint32_t usual[] = {20, 28, 32, 48, 64};
    for (size_t i = 0; i < pool->count; i++) {
        if (i < signers)
            random_below_n(pool, pool->keys + i * pool->length, prng);
        else
            memcpy(pool->keys + i * pool->length, pool_key(pool, i - signers), pool->length);
        if (pool->v != NULL)
            random_below_n(pool, pool->v + i * pool->length, prng);
        uint32_t any = prng_below(prng, 2) ? usual[prng_below(prng, 5)] : 20 + (uint32_t)prng_below(prng, 45);
        pool->digest_widths[i] = i % 2 == 0 || pool->v == NULL ? 32 : any;
    }
}

static gecc_rows rows_of(const struct pool *pool, const uint8_t *numbers, size_t stride) {
    return gecc_rows_strided(numbers, pool->length, stride);
}

static gecc_rows rows_of_points(const struct pool *pool) { return gecc_rows_packed(pool->points, 2 * pool->length); }

/* product[i] = factor[i] times key i mod n, which gecc_mod_mul has not for numbers so wide. */
static void multiply_keys(struct pool *pool, uint8_t *product, const gecc_rows *factor) {
    size_t length = pool->length;
    for (size_t i = 0; i < pool->count; i++) {
        uint8_t reduced[LENGTH_MOST];
        memcpy(reduced, (const uint8_t *)factor->data + i * factor->stride, length);
        number_reduce(reduced, pool->n, length);
        number_multiply_modulo(product + i * length, reduced, pool->keys + i * length, pool->n, length);
    }
}

/* Texts are from digest i on, and all have one nonce. */
static void fill_ciphertexts(struct pool *pool, gecc_context *trusted, gecc_out status) {
    const size_t count = pool->count;
    uint32_t *widths = memory_new(count, sizeof *widths);
    for (size_t i = 0; i < count; i++)
        pool->sm2_text_widths[i] = i % 2 == 0 ? 32 : 1 + (uint32_t)(37 * i % TEXT_MOST);
    const gecc_rows texts = {pool->digests, 64, 0, pool->sm2_text_widths, NULL};
    const gecc_rows nonces = gecc_rows_same(pool->keys, 32);
    require(gecc_sm2_encrypt(trusted, (gecc_out){pool->sm2_ciphertexts, CIPHERTEXT_MOST, widths}, status,
                             rows_of_points(pool), nonces, texts, count, NULL),
            "SM2 ciphertexts");
    free(widths);
}

static void fill_computed(struct pool *pool, gecc_context *trusted, gecc_out status) {
    size_t length = pool->length, count = pool->count;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_rows keys = rows_of(pool, pool->keys, length);
    gecc_rows digests = {pool->digests, 64, 0, pool->digest_widths, NULL};
    options.point_format = GECC_POINT_RAW;
    require(gecc_ec_public_key(trusted, pool->curve, gecc_out_packed(pool->points, 2 * length), status, keys, count,
                               &options),
            "public keys");
    options.flags = pool->curve == GECC_SECP256K1 ? GECC_ANY_S : 0;
    require(gecc_ecdsa_sign(trusted, pool->curve, gecc_out_packed(pool->signatures, 2 * length),
                            gecc_out_packed(pool->ids, 1), status, keys, digests, gecc_rows_none(), count, &options),
            "signatures");
    if (pool->curve == GECC_SM2)
        require(gecc_sm2_sign(trusted, gecc_out_packed(pool->sm2_signatures, 2 * length), status, keys,
                              gecc_rows_strided(pool->digests, 32, 64), gecc_rows_none(), count, NULL),
                "SM2 signatures");
    if (pool->curve == GECC_SM2)
        fill_ciphertexts(pool, trusted, status);
    if (pool->curve == GECC_SECP256K1)
        require(gecc_schnorr_sign(trusted, gecc_out_packed(pool->bip340_signatures, 64), status, keys,
                                  messages_of(pool), gecc_rows_none(), count, NULL),
                "Schnorr signatures");
}

static void fill_products(struct pool *pool, gecc_context *trusted, gecc_out status) {
    const size_t length = pool->length, count = pool->count;
    const gecc_modulus n = {pool->n, length};
    const gecc_rows keys = rows_of(pool, pool->keys, length);
    const struct {
        uint8_t *product;
        gecc_rows factor;
    } products[] = {{pool->vd, rows_of(pool, pool->v, length)},
                    {pool->rd, rows_of(pool, pool->signatures, 2 * length)},
                    {pool->xd, rows_of(pool, pool->points, 2 * length)}};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (length > MODULUS_BYTES_MOST)
            multiply_keys(pool, products[i].product, &products[i].factor);
        else
            require(gecc_mod_mul(trusted, n, gecc_out_packed(products[i].product, length), status, keys,
                                 products[i].factor, count, NULL),
                    "products");
}

/* Keys under which (r, s) is valid with a point R whose x is r + n: r is small, since n is close to p. */
static void fill_wide(struct pool *pool, gecc_context *trusted, struct prng *prng) {
    size_t length = pool->length;
    uint8_t status[WIDE_TRIED], ids[WIDE_TRIED], digest[WIDE_DIGEST_BYTES];
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_RAW;
    memset(digest, 0x5a, sizeof digest);
    for (size_t i = 0; i < WIDE_TRIED; i++) {
        uint8_t *signature = pool->wide_signatures + 2 * length * i;
        signature[length - 1] = (uint8_t)(1 + i);
        random_below_n(pool, signature + length, prng);
        ids[i] = (uint8_t)(2 + i % 2);
    }
    require(gecc_ecdsa_recover(trusted, pool->curve, gecc_out_packed(pool->wide_keys, 2 * length),
                               gecc_out_packed(status, 1), gecc_rows_same(digest, sizeof digest),
                               gecc_rows_packed(pool->wide_signatures, 2 * length), gecc_rows_packed(ids, 1),
                               WIDE_TRIED, &options),
            "keys of signatures with a small r");
    for (size_t i = 0; i < WIDE_TRIED; i++)
        if (status[i] == GECC_ITEM_OK) {
            size_t to = pool->wide_count++;
            memmove(pool->wide_keys + 2 * length * to, pool->wide_keys + 2 * length * i, 2 * length);
            memmove(pool->wide_signatures + 2 * length * to, pool->wide_signatures + 2 * length * i, 2 * length);
        }
}

/* Seeds, keys, messages, contexts and signatures of both schemes on Curve25519. */
static void fill_curve25519(struct pool *pool, gecc_context *trusted, size_t signers, gecc_out status,
                            struct prng *prng) {
    size_t length = pool->length, count = pool->count;
    gecc_rows keys = gecc_rows_packed(pool->keys, length), none = gecc_rows_none();
    uint32_t *context_widths = memory_new(count, sizeof *context_widths);
    prng_bytes(prng, pool->v, count * length);
    for (size_t i = 0; i < count; i++) {
        if (i < signers)
            prng_bytes(prng, pool->keys + i * length, length);
        else
            memcpy(pool->keys + i * length, pool_key(pool, i - signers), length);
        context_widths[i] = (uint32_t)pool_context_width(i);
    }
    gecc_rows contexts = {pool->v, length, 0, context_widths, NULL};
    gecc_out public_keys = {pool->points, 2 * length, NULL}, u = {pool->points + length, 2 * length, NULL};
    require(gecc_ed25519_public_key(trusted, public_keys, status, keys, count, NULL), "Ed25519's keys");
    require(gecc_x25519_public_key(trusted, u, status, keys, count, NULL), "X25519's keys");
    for (unsigned way = 0; way < 4; way++) {
        gecc_options options = GECC_OPTIONS_INIT;
        options.flags = way % 2 != 0 ? GECC_PREHASH : 0;
        require(gecc_ed25519_sign(trusted, gecc_out_packed(pool->ed25519_signatures[way], 2 * length), status, keys,
                                  messages_of(pool), way / 2 != 0 ? contexts : none, count, &options),
                "Ed25519's signatures");
    }
    free(context_widths);
}

bool has_curve25519(gecc_context *context) {
    static const uint8_t seed[32];
    uint8_t key[32], status;
    return gecc_ed25519_public_key(context, gecc_out_packed(key, sizeof key), gecc_out_packed(&status, 1),
                                   gecc_rows_packed(seed, sizeof seed), 1, NULL) != GECC_ERROR_UNSUPPORTED;
}

struct pool *pool_new(gecc_context *trusted, gecc_curve curve, size_t count, size_t signers, bool plain,
                      struct prng *prng) {
    struct pool *pool = memory_new(1, sizeof *pool);
    size_t length = gecc_curve_bytes(curve);
    pool->curve = curve;
    pool->length = length;
    pool->count = count;
    if (length == 0)
        return pool;
    uint8_t *status = memory_new(count, 1);
    uint8_t **const single[] = {&pool->keys, &pool->v, &pool->vd, &pool->rd, &pool->xd};
    for (size_t i = 0; i < (plain && curve != GECC_CURVE25519 ? 1 : sizeof single / sizeof *single); i++)
        *single[i] = memory_new(count, length);
    uint8_t **const pairs[] = {&pool->points, &pool->signatures, &pool->sm2_signatures, &pool->bip340_signatures};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        *pairs[i] = memory_new(count, 2 * length);
    pool->digests = memory_new(count + 1, 64); /* the end of texts */
    pool->sm2_ciphertexts = memory_new(curve == GECC_SM2 ? count : 0, CIPHERTEXT_MOST);
    pool->sm2_text_widths = memory_new(count, sizeof *pool->sm2_text_widths);
    pool->digest_widths = memory_new(count, sizeof *pool->digest_widths);
    pool->ids = memory_new(count, 1);
    pool->wide_keys = memory_new(WIDE_TRIED, 2 * length);
    pool->wide_signatures = memory_new(WIDE_TRIED, 2 * length);
    for (size_t way = 0; way < 4; way++)
        pool->ed25519_signatures[way] = memory_new(count, 2 * length);
    prng_bytes(prng, pool->digests, count * 64);
    set_constants(pool);
    if (curve == GECC_CURVE25519 || curve == GECC_SECP256K1)
        fill_messages(pool, plain, prng);
    if (curve == GECC_CURVE25519) {
        fill_curve25519(pool, trusted, signers, gecc_out_packed(status, 1), prng);
    } else {
        check_constants(trusted, pool);
        fill_random(pool, signers, prng);
        fill_computed(pool, trusted, gecc_out_packed(status, 1));
        if (!plain) {
            fill_products(pool, trusted, gecc_out_packed(status, 1));
            fill_wide(pool, trusted, prng);
        }
    }
    free(status);
    return pool;
}

void pool_free(struct pool *pool) {
    uint8_t *const all[] = {pool->keys,
                            pool->v,
                            pool->vd,
                            pool->rd,
                            pool->xd,
                            pool->points,
                            pool->signatures,
                            pool->sm2_signatures,
                            pool->digests,
                            pool->messages,
                            pool->ids,
                            pool->wide_keys,
                            pool->wide_signatures,
                            pool->bip340_signatures};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (size_t way = 0; way < 4; way++)
        free(pool->ed25519_signatures[way]);
    free(pool->sm2_ciphertexts);
    free(pool->sm2_text_widths);
    free(pool->digest_widths);
    free(pool->message_widths);
    free(pool);
}
