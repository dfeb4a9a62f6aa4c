/* Nonces of RFC 6979, against its examples and a plain generator of OpenSSL's HMAC, on the lanes of the including
 * file. */
#ifndef GECC_TESTS_HASH_HMAC_DRBG_CASES_H
#define GECC_TESTS_HASH_HMAC_DRBG_CASES_H

#include "common.h"

#include <openssl/bn.h>
#include <openssl/hmac.h>

#include "hash/hmac_drbg.h"

enum { ORDER_BYTES_MAX = 48, ENTROPY_BYTES = 32 };

/* X(kind, order_bytes): the constants that the generator is compiled for. */
#define CONFIGURATIONS(X)                                                                                              \
    X(GECC_SHA256, 32)                                                                                                 \
    X(GECC_SHA256, 48)                                                                                                 \
    X(GECC_SHA384, 32)                                                                                                 \
    X(GECC_SHA384, 48)                                                                                                 \
    X(GECC_SHA512, 32)                                                                                                 \
    X(GECC_SHA512, 48)                                                                                                 \
    X(GECC_SM3, 32)                                                                                                    \
    X(GECC_SM3, 48)

/* The generator of one configuration; entropy may be NULL. */
struct generator {
    gecc_hash kind;
    int order_bytes;
    void (*init)(struct rfc6979 *state, const lane32 *x, const lane32 *h1, const lane32 *entropy);
    void (*candidate)(struct rfc6979 *state, lane32 *t);
    void (*reject)(struct rfc6979 *state, const lane32 *chosen);
};

#define GENERATOR_FUNCTIONS(kind, bytes)                                                                               \
    static void init_##kind##_##bytes(struct rfc6979 *state, const lane32 *x, const lane32 *h1, const lane32 *e) {     \
        if (e)                                                                                                         \
            rfc6979_init(state, kind, 8 * bytes, x, h1, e);                                                            \
        else                                                                                                           \
            rfc6979_init(state, kind, 8 * bytes, x, h1, NULL);                                                         \
    }                                                                                                                  \
    static void candidate_##kind##_##bytes(struct rfc6979 *state, lane32 *t) {                                         \
        rfc6979_candidate(state, kind, 8 * bytes, t);                                                                  \
    }                                                                                                                  \
    static void reject_##kind##_##bytes(struct rfc6979 *state, const lane32 *chosen) {                                 \
        rfc6979_reject(state, kind, *chosen);                                                                          \
    }
CONFIGURATIONS(GENERATOR_FUNCTIONS)

#define GENERATOR(kind, bytes)                                                                                         \
    {kind, bytes, init_##kind##_##bytes, candidate_##kind##_##bytes, reject_##kind##_##bytes},
static const struct generator generators[] = {CONFIGURATIONS(GENERATOR)};
enum { GENERATORS = sizeof generators / sizeof generators[0] };

static const struct generator *find_generator(gecc_hash kind, int order_bytes) {
    for (size_t i = 0; i < GENERATORS; i++) {
        if (generators[i].kind == kind && generators[i].order_bytes == order_bytes)
            return &generators[i];
    }
    fail();
    return NULL;
}

/* bytes[lane] <-> words. */
static void to_words(lane32 *words, uint8_t bytes[LANES][ORDER_BYTES_MAX], int count) {
    for (int i = 0; i < count / 4; i++) {
        uint32_t word[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            const uint8_t *b = bytes[lane] + 4 * i;
            word[lane] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        }
        words[i] = lane32_load(word);
    }
}

static void to_bytes(uint8_t bytes[LANES][ORDER_BYTES_MAX], const lane32 *words, int count) {
    for (int i = 0; i < count; i++) {
        for (int lane = 0; lane < LANES; lane++)
            bytes[lane][i] = (uint8_t)(lane32_extract(words[i / 4], lane) >> (24 - 8 * (i % 4)));
    }
}

/* RFC 6979, section 3.2, to the letter and byte by byte. */
struct reference {
    const EVP_MD *hash;
    size_t hash_bytes;
    uint8_t k[64], v[64];
};

static void reference_hmac(const struct reference *r, uint8_t *out, const uint8_t *message, size_t width) {
    assert_non_null(HMAC(r->hash, r->k, (int)r->hash_bytes, message, width, out, NULL));
}

/* K = HMAC(K, V || separator || seed), V = HMAC(K, V). */
static void reference_update(struct reference *r, uint8_t separator, const uint8_t *seed, size_t seed_bytes) {
    uint8_t message[64 + 1 + 2 * ORDER_BYTES_MAX + ENTROPY_BYTES], key[64];
    memcpy(message, r->v, r->hash_bytes);
    message[r->hash_bytes] = separator;
    if (seed_bytes)
        memcpy(message + r->hash_bytes + 1, seed, seed_bytes);
    reference_hmac(r, key, message, r->hash_bytes + 1 + seed_bytes);
    memcpy(r->k, key, r->hash_bytes);
    reference_hmac(r, key, r->v, r->hash_bytes);
    memcpy(r->v, key, r->hash_bytes);
}

static void reference_init(struct reference *r, gecc_hash kind, const uint8_t *seed, size_t seed_bytes) {
    r->hash = reference_hash(kind);
    r->hash_bytes = (size_t)EVP_MD_get_size(r->hash);
    memset(r->v, 0x01, sizeof r->v);
    memset(r->k, 0x00, sizeof r->k);
    reference_update(r, 0x00, seed, seed_bytes);
    reference_update(r, 0x01, seed, seed_bytes);
}

static void reference_candidate(struct reference *r, uint8_t *t, size_t order_bytes) {
    uint8_t v[64];
    for (size_t done = 0; done < order_bytes; done += r->hash_bytes) {
        const size_t rest = order_bytes - done;
        reference_hmac(r, v, r->v, r->hash_bytes);
        memcpy(r->v, v, r->hash_bytes);
        memcpy(t + done, v, rest < r->hash_bytes ? rest : r->hash_bytes);
    }
}

/* bits2octets(digest) for an order of 8 order_bytes bits: the leftmost bits, modulo the order. */
static void bits_to_octets(uint8_t *h1, const uint8_t *digest, int digest_bytes, const char *order, int order_bytes) {
    BIGNUM *n = NULL, *z = BN_bin2bn(digest, digest_bytes < order_bytes ? digest_bytes : order_bytes, NULL);
    BN_CTX *context = BN_CTX_new();
    assert_int_not_equal(BN_hex2bn(&n, order), 0);
    assert_int_equal(BN_nnmod(z, z, n, context), 1);
    assert_int_equal(BN_bn2binpad(z, h1, order_bytes), order_bytes);
    BN_CTX_free(context);
    BN_free(n);
    BN_free(z);
}

static const char p256_order[] = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551";
static const char p256_key[] = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
static const char p384_order[] =
    "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973";
static const char p384_key[] =
    "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5";

/* RFC 6979, A.2.5 (P-256) and A.2.6 (P-384). */
static const struct {
    gecc_hash kind;
    int order_bytes;
    const char *message;
    const char *k;
} examples[] = {
    {GECC_SHA256, 32, "sample", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60"},
    {GECC_SHA384, 32, "sample", "09F634B188CEFD98E7EC88B1AA9852D734D0BC272F7D2A47DECC6EBEB375AAD4"},
    {GECC_SHA512, 32, "sample", "5FA81C63109BADB88C1F367B47DA606DA28CAD69AA22C4FE6AD7DF73A7173AA5"},
    {GECC_SHA256, 32, "test", "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0"},
    {GECC_SHA384, 32, "test", "16AEFFA357260B04B1DD199693960740066C1A8F3E8EDD79070AA914D361B3B8"},
    {GECC_SHA512, 32, "test", "6915D11632ACA3C40D5D51C08DAF9C555933819548784480E93499000D9F0B7F"},
    {GECC_SHA256, 48, "sample",
     "180AE9F9AEC5438A44BC159A1FCB277C7BE54FA20E7CF404B490650A8ACC414E375572342863C899F9F2EDF9747A9B60"},
    {GECC_SHA384, 48, "sample",
     "94ED910D1A099DAD3254E9242AE85ABDE4BA15168EAF0CA87A555FD56D10FBCA2907E3E83BA95368623B8C4686915CF9"},
    {GECC_SHA512, 48, "sample",
     "92FC3C7183A883E24216D1141F1A8976C5B0DD797DFA597E3D7B32198BD35331A4E966532593A52980D0E3AAA5E10EC3"},
    {GECC_SHA256, 48, "test",
     "0CFAC37587532347DC3389FDC98286BBA8C73807285B184C83E62E26C401C0FAA48DD070BA79921A3457ABFF2D630AD7"},
    {GECC_SHA384, 48, "test",
     "015EE46A5BF88773ED9123A5AB0807962D193719503C527B031B4C2D225092ADA71F4A459BC0DA98ADB95837DB8312EA"},
    {GECC_SHA512, 48, "test",
     "3780C4F67CB15518B6ACAE34C9F83568D2E12E47DEAB6C50A4E4EE5319D1E8CE0E2CC8A136036DC4B9C00E6888F66B6C"},
};

static void rfc6979_examples(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const int bytes = examples[i].order_bytes;
        const EVP_MD *hash = reference_hash(examples[i].kind);
        const struct generator *generator = find_generator(examples[i].kind, bytes);
        uint8_t digest[64], key[ORDER_BYTES_MAX], h1[ORDER_BYTES_MAX], expected[ORDER_BYTES_MAX];
        uint8_t keys[LANES][ORDER_BYTES_MAX], digests[LANES][ORDER_BYTES_MAX], found[LANES][ORDER_BYTES_MAX];
        lane32 x[12], h[12], t[12];
        struct rfc6979 state;
        assert_int_equal(from_hex(key, bytes == 32 ? p256_key : p384_key), bytes);
        assert_int_equal(from_hex(expected, examples[i].k), bytes);
        EVP_Digest(examples[i].message, strlen(examples[i].message), digest, NULL, hash, NULL);
        bits_to_octets(h1, digest, EVP_MD_get_size(hash), bytes == 32 ? p256_order : p384_order, bytes);
        for (int lane = 0; lane < LANES; lane++) {
            memcpy(keys[lane], key, (size_t)bytes);
            memcpy(digests[lane], h1, (size_t)bytes);
        }
        to_words(x, keys, bytes);
        to_words(h, digests, bytes);
        generator->init(&state, x, h, NULL);
        generator->candidate(&state, t);
        to_bytes(found, t, bytes);
        for (int lane = 0; lane < LANES; lane++)
            assert_memory_equal(found[lane], expected, bytes);
    }
}

/* Random x, h1 and entropy; then candidates, of which some lanes reject and others do not. */
static void check_random(const struct generator *generator, int hedged, struct prng *prng) {
    const int bytes = generator->order_bytes;
    uint8_t key[LANES][ORDER_BYTES_MAX], h1[LANES][ORDER_BYTES_MAX], entropy[LANES][ORDER_BYTES_MAX];
    uint8_t found[LANES][ORDER_BYTES_MAX], expected[ORDER_BYTES_MAX];
    uint8_t seed[2 * ORDER_BYTES_MAX + ENTROPY_BYTES];
    lane32 x[12], h[12], e[8], t[12];
    struct reference references[LANES];
    struct rfc6979 state;
    prng_bytes(prng, key, sizeof key);
    prng_bytes(prng, h1, sizeof h1);
    prng_bytes(prng, entropy, sizeof entropy);
    to_words(x, key, bytes);
    to_words(h, h1, bytes);
    to_words(e, entropy, ENTROPY_BYTES);
    generator->init(&state, x, h, hedged ? e : NULL);
    for (int lane = 0; lane < LANES; lane++) {
        memcpy(seed, key[lane], (size_t)bytes);
        memcpy(seed + bytes, h1[lane], (size_t)bytes);
        memcpy(seed + 2 * bytes, entropy[lane], ENTROPY_BYTES);
        reference_init(&references[lane], generator->kind, seed, 2 * (size_t)bytes + (hedged ? ENTROPY_BYTES : 0));
    }
    for (int round = 0; round < 4; round++) {
        uint32_t rejected[LANES];
        generator->candidate(&state, t);
        to_bytes(found, t, bytes);
        for (int lane = 0; lane < LANES; lane++) {
            reference_candidate(&references[lane], expected, (size_t)bytes);
            assert_memory_equal(found[lane], expected, bytes);
            rejected[lane] = prng_below(prng, 2) ? ~(uint32_t)0 : 0;
            if (rejected[lane])
                reference_update(&references[lane], 0x00, NULL, 0);
        }
        lane32 chosen = lane32_load(rejected);
        generator->reject(&state, &chosen);
    }
}

static void random_inputs(void **unused) {
    (void)unused;
    struct prng prng = prng_for("random_inputs");
    for (int i = 0; i < 10000; i += LANES) {
        const int turn = i / LANES;
        check_random(&generators[turn % GENERATORS], turn / GENERATORS % 2, &prng);
    }
}

/* The chaining values of the first key, K = 0, are what compressing its block gives. */
LANE_INLINE void check_zero_key(gecc_hash kind) {
    lane32 inner[CHAIN_WORDS_MAX], outer[CHAIN_WORDS_MAX], zero[CHAIN_WORDS_MAX];
    for (int i = 0; i < CHAIN_WORDS_MAX; i++)
        zero[i] = lane32_set(0);
    hmac_key(kind, inner, zero, 0x36363636);
    hmac_key(kind, outer, zero, 0x5c5c5c5c);
    for (int i = 0; i < hash_chain_words(kind); i++) {
        assert_int_equal(hmac_zero_key(kind, 0, i), lane32_extract(inner[i], 0));
        assert_int_equal(hmac_zero_key(kind, 1, i), lane32_extract(outer[i], 0));
    }
}

static void zero_keys(void **unused) {
    (void)unused;
    check_zero_key(GECC_SHA256);
    check_zero_key(GECC_SHA384);
    check_zero_key(GECC_SHA512);
    check_zero_key(GECC_SM3);
}

/* Runs them all; the result is main's. */
static int hmac_drbg_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_keys),
        cmocka_unit_test(rfc6979_examples),
        cmocka_unit_test(random_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
