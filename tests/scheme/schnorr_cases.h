/* Schnorr signatures, and what ecdsa_cases.h has, in small groups. Hashes are OpenSSL's, of the bytes that BIP-340
 * says. */
#ifndef TESTS_SCHEME_SCHNORR_CASES_H
#define TESTS_SCHEME_SCHNORR_CASES_H

#include <openssl/evp.h>

#include "scheme/schnorr.h"

#include "ecdsa_cases.h"

enum { MESSAGE_BYTES = 40, SHORT_MESSAGE = 5 };

static uint8_t messages[ROWS][MESSAGE_BYTES], x_only[ROWS][ROW_BYTES];

/* hash = SHA-256(SHA-256(tag) || SHA-256(tag) || a || b || message) as bytes; a and b of ROW_BYTES, b and message may
 * be NULL. */
static void tagged(uint8_t hash[ROW_BYTES], const char *tag, const uint8_t *a, const uint8_t *b, const uint8_t *message,
                   size_t width) {
    uint8_t bytes[4 * ROW_BYTES + MESSAGE_BYTES];
    size_t used = 3 * ROW_BYTES;
    assert_int_equal(EVP_Digest(tag, strlen(tag), bytes, NULL, EVP_sha256(), NULL), 1);
    memcpy(bytes + ROW_BYTES, bytes, ROW_BYTES);
    memcpy(bytes + 2 * ROW_BYTES, a, ROW_BYTES);
    if (b != NULL) {
        memcpy(bytes + used, b, ROW_BYTES);
        used += ROW_BYTES;
    }
    if (message != NULL)
        memcpy(bytes + used, message, width);
    assert_int_equal(EVP_Digest(bytes, used + width, hash, NULL, EVP_sha256(), NULL), 1);
}

static unsigned modulo_order(const struct group *g, const uint8_t bytes[ROW_BYTES]) {
    unsigned r = 0;
    for (int i = 0; i < ROW_BYTES; i++)
        r = (r << 8 | bytes[i]) % g->order;
    return r;
}

/* i or -i, of which multiple of G is the point with an even y; x: its x. */
static unsigned even_index(const struct group *g, unsigned i, uint8_t x[ROW_BYTES]) {
    write_integer(x, g->x[i]);
    return mpz_odd_p(g->y[i]) ? g->order - i : i;
}

static unsigned challenge_of(const struct group *g, const uint8_t *r, const uint8_t *p, size_t row, size_t width) {
    uint8_t hash[ROW_BYTES];
    tagged(hash, "BIP0340/challenge", r, p, messages[row], width);
    return modulo_order(g, hash);
}

static void set_messages(struct prng *prng, size_t width) {
    prng_bytes(prng, messages[0], sizeof messages);
    job.in[1] = gecc_rows_strided(messages, width, MESSAGE_BYTES);
}

/* What signing makes of the key d and the row's message, without auxiliary randomness; 0: there is no signature. */
static int expected_signature(const struct group *g, size_t row, size_t width, uint8_t signature[2 * ROW_BYTES]) {
    const uint8_t zeros[ROW_BYTES] = {0};
    uint8_t p[ROW_BYTES], t[ROW_BYTES], hash[ROW_BYTES];
    unsigned d = even_index(g, signings[row].d, p);
    write_index(t, d);
    tagged(hash, "BIP0340/aux", zeros, NULL, NULL, 0);
    for (int i = 0; i < ROW_BYTES; i++)
        t[i] ^= hash[i];
    tagged(hash, "BIP0340/nonce", t, p, messages[row], width);
    unsigned k = modulo_order(g, hash);
    memset(signature, 0, 2 * ROW_BYTES);
    if (k == 0)
        return 0;
    k = even_index(g, k, signature);
    unsigned e = challenge_of(g, signature, p, row, width);
    write_index(signature + ROW_BYTES, index_add(g, k, index_mul(g, e, d)));
    return 1;
}

static void schnorr_sign_rows(const struct group *g, struct prng *prng, size_t count) {
    static const size_t widths[] = {ROW_BYTES, SHORT_MESSAGE};
    for (size_t f = 0; f < 4; f++) {
        size_t width = widths[f & 1];
        job_begin(OPERATION_SCHNORR_SIGN, f & 2 ? GECC_VERIFY_SIGNATURES : 0);
        set_signing_columns(g, prng, count);
        set_messages(prng, width);
        job.in[2] = gecc_rows_none();
        assert_int_equal(run(schnorr_sign, count), GECC_OK);
        for (size_t i = 0; i < count; i++) {
            uint8_t signature[2 * ROW_BYTES];
            gecc_item status = expected_signature(g, i, width, signature) ? GECC_ITEM_OK : GECC_ITEM_INVALID;
            expect_row(statuses[i] == status, "schnorr_sign, status", g, signings[i]);
            expect_row(memcmp(signatures[i], signature, sizeof signature) == 0, "schnorr_sign", g, signings[i]);
        }
    }
}

static unsigned schnorr_expected[ROWS];

static void expect_schnorr_verdict(const struct group *g, size_t i) {
    expect_row(statuses[i] == (schnorr_expected[i] ? GECC_ITEM_OK : GECC_ITEM_INVALID), "schnorr_verify_keys", g,
               signings[i]);
}

/* The key d, r the x of k G, and s = e, anything from 0 up, or what makes the signature valid. */
static void schnorr_verify_rows_with(const struct group *g, struct prng *prng, size_t count, int valid) {
    size_t found = 0;
    job_begin(OPERATION_SCHNORR_VERIFY, 0);
    set_messages(prng, valid ? ROW_BYTES : SHORT_MESSAGE);
    job.in[0] = gecc_rows_packed(x_only, ROW_BYTES);
    job.in[2] = gecc_rows_packed(signatures, 2 * ROW_BYTES);
    unsigned *expected = schnorr_expected;
    for (size_t i = 0; i < count; i++) {
        struct signing row = signings[i];
        unsigned d = even_index(g, row.d, x_only[i]), k = even_index(g, row.k, signatures[i]);
        unsigned e = challenge_of(g, signatures[i], x_only[i], i, job.in[1].width);
        unsigned s = valid ? index_add(g, k, index_mul(g, e, d)) : row.e;
        unsigned r = index_add(g, s, g->order - index_mul(g, e, d));
        write_index(signatures[i] + ROW_BYTES, s);
        expected[i] = r == k; /* of +-k that with an even y */
    }
    assert_int_equal(run(schnorr_verify, count), GECC_OK);
    for (size_t i = 0; i < count; i++) {
        expect_row(statuses[i] == (expected[i] ? GECC_ITEM_OK : GECC_ITEM_INVALID), "schnorr_verify", g, signings[i]);
        found += expected[i];
    }
    assert_true(!valid || found == count);
    run_by_keys(g, OPERATION_SCHNORR_VERIFY_KEYS, schnorr_verify_keys, 0, count, expect_schnorr_verdict);
}

static void schnorr_verify_rows(const struct group *g, struct prng *prng, size_t count) {
    schnorr_verify_rows_with(g, prng, count, 0);
}

static void schnorr_verify_valid_rows(const struct group *g, struct prng *prng, size_t count) {
    schnorr_verify_rows_with(g, prng, count, 1);
}

/* s is out of range from n on; r from p on. */
static void expect_schnorr_ranges(const struct group *g, struct prng *prng) {
    struct ring p;
    mpz_t r;
    mpz_init(r);
    ring_open(&p, &FIELD_CURVE.p);
    job_begin(OPERATION_SCHNORR_VERIFY, 0);
    set_messages(prng, ROW_BYTES);
    job.in[0] = gecc_rows_packed(x_only, ROW_BYTES);
    job.in[2] = gecc_rows_packed(signatures, 2 * ROW_BYTES);
    for (unsigned i = 0; i < 8; i++) {
        write_integer(x_only[i], g->x[1]);
        mpz_add_ui(r, p.m, i < 4 ? i : 0);
        mpz_sub_ui(r, r, i < 4 ? 0 : 1);
        write_integer(signatures[i], r);
        write_index(signatures[i] + ROW_BYTES, i < 4 ? 1 : g->order - 1 + (i & 1));
    }
    assert_int_equal(run(schnorr_verify, 8), GECC_OK);
    for (unsigned i = 0; i < 8; i++)
        expect_row(statuses[i] == (i < 4 || (i & 1) ? GECC_ITEM_MALFORMED_SIGNATURE_RANGE : GECC_ITEM_INVALID),
                   "ranges of a signature", g, signings[i]);
    ring_close(&p);
    mpz_clear(r);
}

/* Keys of all d; and tweaks, which are not less than n: no hash of 256 bits is. */
static void schnorr_key_rows(const struct group *g, struct prng *prng, size_t count) {
    uint8_t x[ROW_BYTES], zeros[ROW_BYTES] = {0};
    job_begin(OPERATION_SCHNORR_PUBLIC_KEY, 0);
    set_signing_columns(g, prng, count);
    job.in[1] = job.in[2] = gecc_rows_none();
    job.out[0] = gecc_out_packed(x_only, ROW_BYTES);
    assert_int_equal(run(schnorr_public_key, count), GECC_OK);
    for (size_t i = 0; i < count; i++) {
        (void)even_index(g, signings[i].d, x);
        expect_row(statuses[i] == GECC_ITEM_OK && memcmp(x_only[i], x, sizeof x) == 0, "schnorr_public_key", g,
                   signings[i]);
    }
    job.out[0] = gecc_out_packed(recovered, ROW_BYTES);
    for (int private = 0; private <= 1; private ++) {
        job.operation = private ? OPERATION_SCHNORR_TWEAK_PRIVATE_KEY : OPERATION_SCHNORR_TWEAK_PUBLIC_KEY;
        job.in[0] = gecc_rows_packed(private ? keys : x_only, ROW_BYTES);
        memset(recovered, 0xa5, sizeof recovered);
        assert_int_equal(run(private ? schnorr_tweak_private_key : schnorr_tweak_public_key, count), GECC_OK);
        for (size_t i = 0; i < count; i++)
            expect_row(statuses[i] == GECC_ITEM_INVALID && memcmp(recovered[0] + i * ROW_BYTES, zeros, ROW_BYTES) == 0,
                       "a tweak that is not less than n", g, signings[i]);
    }
}

static void schnorr_group(struct group *g, struct prng *prng) {
    const struct plan keys_plan = {WITH_D, schnorr_key_rows}, sign = {WITH_D | WITH_K, schnorr_sign_rows};
    const struct plan any = {WITH_D | WITH_E | WITH_K, schnorr_verify_rows};
    const struct plan valid = {WITH_D | WITH_K, schnorr_verify_valid_rows};
    tables_of_group();
    key_sets_of_group(g);
    expect_schnorr_ranges(g, prng);
    try_plan(g, prng, &keys_plan, SIZE_MAX);
    try_plan(g, prng, &sign, repetitions(g->order < 14 ? SIZE_MAX : ROWS / 4, g->order < 60 ? SIZE_MAX : 20 * ROWS));
    try_plan(g, prng, &any, repetitions(g->order < 8 ? SIZE_MAX : ROWS / 4, g->order < 20 ? SIZE_MAX : 20 * ROWS));
    try_plan(g, prng, &valid, repetitions(ROWS / 4, g->order < 60 ? SIZE_MAX : 20 * ROWS));
}

static void schnorr(void **state) {
    (void)state;
    for_each_group(schnorr_group, "Schnorr signatures", 3);
}

#endif
