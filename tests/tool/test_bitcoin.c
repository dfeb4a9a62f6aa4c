/* RIPEMD-160 on its authors' messages, and what is taken out of a script before it is signed.
 *
 * Test: fast */
#include "bitcoin/ripemd160.h"
#include "bitcoin/script.h"

#include "bitcoin/ripemd160.c"
#include "bitcoin/script.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void check_ripemd(const char *message, size_t repeats, const char *expected) {
    size_t length = strlen(message);
    uint8_t digest[20], *text = malloc(length * repeats + 1);
    char shown[41];
    assert_non_null(text);
    for (size_t i = 0; i < repeats; i++)
        memcpy(text + i * length, message, length);
    bitcoin_ripemd160(digest, text, length * repeats);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(shown + 2 * i, 3, "%02x", digest[i]);
    assert_string_equal(shown, expected);
    free(text);
}

/* The messages of the paper's appendix. */
static void test_ripemd160(void **state) {
    (void)state;
    check_ripemd("", 1, "9c1185a5c5e9fc54612808977ee8f548b2258d31");
    check_ripemd("a", 1, "0bdc9d2d256b3ee9daae347be6f4dc835a467ffe");
    check_ripemd("abc", 1, "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc");
    check_ripemd("message digest", 1, "5d0689ef49d2fae572b881b123a85ffa21595f36");
    check_ripemd("abcdefghijklmnopqrstuvwxyz", 1, "f71c27109c692c1b56bbdceb5b9d2865b3708dbc");
    check_ripemd("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                 "12a053384a9c0c88e405a06c27dcf49ada62eb2b");
    check_ripemd("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 1,
                 "b0e20b6e3116640286ed3a87a5713079b21f5189");
    check_ripemd("1234567890", 8, "9b752e45573d4b39f4dbd3323cab82bf63326bfb");
    check_ripemd("a", 1000000, "52783243c1697bdbe16d37f97f68f08325dc1528");
}

#define BYTES(...)                                                                                                     \
    (struct bytes) {                                                                                                   \
        (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]) { __VA_ARGS__ }                                        \
    }

static void check_clean(struct bytes script, const struct bytes *signatures, size_t count, struct bytes expected) {
    uint8_t out[128];
    size_t size = script_clean(out, script, signatures, count);
    assert_int_equal(size, expected.size);
    assert_memory_equal(out, expected.data, size);
}

static void test_separators_are_left_out(void **state) {
    (void)state;
    check_clean(BYTES(OP_CODESEPARATOR), NULL, 0, (struct bytes){(const uint8_t *)"", 0});
    check_clean(BYTES(OP_CODESEPARATOR, OP_DUP, OP_CODESEPARATOR, OP_CODESEPARATOR, OP_CHECKSIG), NULL, 0,
                BYTES(OP_DUP, OP_CHECKSIG));
    /* One that is pushed is data. */
    check_clean(BYTES(2, OP_CODESEPARATOR, 7, OP_CODESEPARATOR, OP_DUP), NULL, 0,
                BYTES(2, OP_CODESEPARATOR, 7, OP_DUP));
    /* What follows a push that the script does not hold stays as it is. */
    check_clean(BYTES(OP_CODESEPARATOR, 3, OP_CODESEPARATOR), NULL, 0, BYTES(3, OP_CODESEPARATOR));
}

static void test_signatures_are_deleted(void **state) {
    (void)state;
    struct bytes signatures[] = {BYTES(0x30, 1), BYTES(0x30, 2)};
    check_clean(BYTES(2, 0x30, 1, OP_DUP, 2, 0x30, 2, 2, 0x30, 1, OP_CHECKSIG), signatures, 2,
                BYTES(OP_DUP, OP_CHECKSIG));
    /* The bytes of a push within other data are no push; another way to push is another push. */
    check_clean(BYTES(3, 2, 0x30, 1, OP_PUSHDATA1, 2, 0x30, 1), signatures, 2,
                BYTES(3, 2, 0x30, 1, OP_PUSHDATA1, 2, 0x30, 1));
    check_clean(BYTES(2, 0x30, 1, 2, 0x30), signatures, 2, BYTES(2, 0x30));
    /* An empty signature is OP_0. */
    struct bytes empty = {NULL, 0};
    check_clean(BYTES(OP_0, OP_DUP, 1, OP_0, OP_0), &empty, 1, BYTES(OP_DUP, 1, OP_0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ripemd160),
        cmocka_unit_test(test_separators_are_left_out),
        cmocka_unit_test(test_signatures_are_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
