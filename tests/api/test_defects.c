/* Rows that are refused for one defect of several, or by a hair: which status they get, and what becomes of their
 * results.
 *
 * Test: fast; needs libcrypto */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gecc/gecc.h>
#include <openssl/evp.h>
#include <string.h>
#include <sys/mman.h>

enum { ROWS = 4 };

/* SM2: a key of n - 1 has no inverse of 1 + d, which counts before the width of e. */
static void test_sm2_key_before_digest(void **state) {
    (void)state;
    static const uint8_t n_minus_1[32] = {0xff, 0xff, 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                          0xff, 0xff, 0xff, 0xff, 0xff, 0x72, 0x03, 0xdf, 0x6b, 0x21, 0xc6,
                                          0x05, 0x2b, 0x53, 0xbb, 0xf4, 0x09, 0x39, 0xd5, 0x41, 0x22};
    static const uint32_t widths[ROWS] = {31, 32, 31, 32};
    static const uint8_t expected[ROWS] = {GECC_ITEM_MALFORMED_SCALAR, GECC_ITEM_MALFORMED_SCALAR,
                                           GECC_ITEM_MALFORMED_WIDTH, GECC_ITEM_OK};
    uint8_t keys[ROWS][32], e[ROWS][32], nonces[ROWS][32], signatures[ROWS][64], status[ROWS];
    gecc_context *context;
    memset(keys, 0x11, sizeof keys);
    memcpy(keys[0], n_minus_1, 32);
    memcpy(keys[1], n_minus_1, 32);
    memset(e, 0x22, sizeof e);
    memset(nonces, 0x33, sizeof nonces);
    memset(nonces[0], 0, 32); /* a third defect */
    gecc_rows digests = {e, 32, 0, widths, NULL};
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(gecc_sm2_sign(context, gecc_out_packed(signatures, 64), gecc_out_packed(status, 1),
                                   gecc_rows_packed(keys, 32), digests, gecc_rows_none(), ROWS, NULL),
                     GECC_OK);
    assert_memory_equal(status, expected, ROWS);
    assert_int_equal(gecc_sm2_sign_with_dangerous_nonce(context, gecc_out_packed(signatures, 64),
                                                        gecc_out_packed(status, 1), gecc_rows_packed(keys, 32), digests,
                                                        gecc_rows_packed(nonces, 32), ROWS, NULL),
                     GECC_OK);
    assert_memory_equal(status, expected, ROWS);
    gecc_close(context);
}

/* Entropy of another width than 32 bytes costs its row and no other. */
static void test_width_of_entropy(void **state) {
    (void)state;
    static const uint32_t widths[ROWS] = {32, 31, 33, 32};
    uint8_t keys[ROWS][32], digests[ROWS][32], entropy[ROWS][33], signatures[ROWS][64], status[ROWS];
    gecc_context *context;
    memset(keys, 0x11, sizeof keys);
    memset(digests, 0x22, sizeof digests);
    memset(entropy, 0x33, sizeof entropy);
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(gecc_ecdsa_sign(context, GECC_P256, gecc_out_packed(signatures, 64), gecc_out_none(),
                                     gecc_out_packed(status, 1), gecc_rows_packed(keys, 32),
                                     gecc_rows_packed(digests, 32), (gecc_rows){entropy, 33, 0, widths, NULL}, ROWS,
                                     NULL),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++)
        assert_int_equal(status[i], widths[i] == 32 ? GECC_ITEM_OK : GECC_ITEM_MALFORMED_WIDTH);
    gecc_close(context);
}

/* A refused row has zeros in place of a raw signature, and no width. */
static void test_width_of_a_refused_signature(void **state) {
    (void)state;
    static const uint8_t zeros[64];
    uint8_t keys[ROWS][32], digests[ROWS][32], signatures[ROWS][64], status[ROWS];
    uint32_t widths[ROWS];
    gecc_context *context;
    memset(keys, 0x11, sizeof keys);
    memset(keys[2], 0, 32);
    memset(digests, 0x22, sizeof digests);
    memset(signatures, 0x55, sizeof signatures);
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(gecc_ecdsa_sign(context, GECC_P256, (gecc_out){signatures, 64, widths}, gecc_out_none(),
                                     gecc_out_packed(status, 1), gecc_rows_packed(keys, 32),
                                     gecc_rows_packed(digests, 32), gecc_rows_none(), ROWS, NULL),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(status[i], i == 2 ? GECC_ITEM_MALFORMED_SCALAR : GECC_ITEM_OK);
        assert_int_equal(widths[i], i == 2 ? 0 : 64);
    }
    assert_memory_equal(signatures[2], zeros, 64);
    gecc_close(context);
}

/* DER: a length of 0x80 (BER's "until the end is marked") and one of two bytes are no lengths, whatever follows. The
 * sequence is 128 bytes long, so that nothing else is wrong with it. */
static void test_der_lengths(void **state) {
    (void)state;
    uint8_t key[65], scalar[32] = {[31] = 1}, digest[32] = {1}, der[3][130], status[3];
    static const uint32_t widths[3] = {130, 130, 8};
    gecc_context *context;
    memset(der, 0, sizeof der);
    for (size_t i = 0; i < 2; i++) { /* two integers of 62 bytes each: 2 + 62 + 2 + 62 */
        static const uint8_t head[2][2] = {{0x30, 0x80}, {0x30, 0x81}};
        memcpy(der[i], head[i], 2);
        memcpy(der[i] + 2, "\2\76\1", 3);
        memcpy(der[i] + 66, "\2\76\1", 3);
    }
    memcpy(der[2], "\60\6\2\1\1\2\1\1", 8);
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(gecc_ec_public_key(context, GECC_P256, gecc_out_packed(key, 65), gecc_out_packed(status, 1),
                                        gecc_rows_same(scalar, 32), 1, NULL),
                     GECC_OK);
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER;
    for (size_t i = 0; i < 3; i++) {
        /* Columns of DER have widths of their own: no more than the greatest is read. */
        gecc_rows signature = {der[i], 130, 0, &widths[i], NULL};
        assert_int_equal(gecc_ecdsa_verify(context, GECC_P256, gecc_out_packed(&status[i], 1), gecc_rows_same(key, 65),
                                           gecc_rows_same(digest, 32), signature, 1, &options),
                         GECC_OK);
    }
    assert_int_equal(status[0], GECC_ITEM_MALFORMED_SIGNATURE_ENCODING);
    assert_int_equal(status[1], GECC_ITEM_MALFORMED_SIGNATURE_ENCODING);
    assert_int_equal(status[2], GECC_ITEM_INVALID);
    gecc_close(context);
}

/* More rows than memory has addresses for their offsets are refused before anything is written. */
static void test_too_many_rows(void **state) {
    (void)state;
    static const size_t counts[] = {(size_t)PTRDIFF_MAX / 8 + 1, (size_t)PTRDIFF_MAX, SIZE_MAX};
    uint8_t point[65] = {4}, status = 0x55;
    gecc_context *context;
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_int_equal(gecc_ec_validate(context, GECC_P256, gecc_out_packed(&status, 1), gecc_rows_same(point, 65),
                                          counts[i], NULL),
                         GECC_ERROR_ARGUMENT);
    }
    gecc_close(context);
}

/* A message of more than 2^32 bits, whose length takes two words of 32 bits. */
static void test_long_message(void **state) {
    (void)state;
    enum { BYTES = (1 << 29) + 9 };
    uint8_t digest[32], expected[32], status;
    const uint8_t *message = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    gecc_context *context;
    assert_true(message != MAP_FAILED);
    assert_int_equal(EVP_Digest(message, BYTES, expected, NULL, EVP_sha256(), NULL), 1);
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(digest, 32), gecc_out_packed(&status, 1),
                                 gecc_rows_same(message, BYTES), 1, NULL),
                     GECC_OK);
    assert_int_equal(status, GECC_ITEM_OK);
    assert_memory_equal(digest, expected, 32);
    gecc_close(context);
    (void)munmap((void *)(uintptr_t)message, BYTES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sm2_key_before_digest),
        cmocka_unit_test(test_width_of_entropy),
        cmocka_unit_test(test_width_of_a_refused_signature),
        cmocka_unit_test(test_der_lengths),
        cmocka_unit_test(test_too_many_rows),
        cmocka_unit_test(test_long_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
