/* Ed25519's signing with one wrong bit in what one of its functions gives: in each value in turn, of each row of a
 * slot's first lane. Where signatures are verified, what is published as OK is right; where they are not, a wrong
 * encoding of A or R and a message that changes between its two hashes are noticed by machines that look for faults,
 * since they tell the key. */
#ifndef TESTS_SCHEME_ED25519_FAULT_CASES_H
#define TESTS_SCHEME_ED25519_FAULT_CASES_H

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/message_mark.h"
#include "scheme/x25519.h"
#include "support/base_tables.h"

/* What values are counted, and which of them has a wrong bit. */
enum { ENCODINGS = 1, ALL_VALUES = 3 };
static unsigned counted_kinds, values, struck_value;

static int is_struck(unsigned kind) { return (counted_kinds & kind) != 0 && values++ == struck_value; }

static struct limbs strike(unsigned kind, struct limbs value) {
    static limb memory[LIMBS * LANES * SLOT_GROUP];
    if (!is_struck(kind))
        return value;
    limbs_store(memory, 0, value);
    memory[0] ^= (limb)1 << 17;
    return limbs_load(memory, 0);
}

static void strike_words(lane32 *words) {
    uint32_t lanes[LANES];
    if (!is_struck(ALL_VALUES & ~ENCODINGS))
        return;
    lane32_store(lanes, words[3]);
    lanes[0] ^= 1u << 17;
    words[3] = lane32_load(lanes);
}

/* What is called before each multiplication of G: it may change the caller's rows. */
static void (*before_multiplying)(unsigned number);
static unsigned multiplications;

static void multiply_next(void) {
    if (before_multiplying)
        before_multiplying(multiplications);
    multiplications++;
}

#define OTHER_VALUES (ALL_VALUES & ~ENCODINGS)
#define chunk_encode(...) strike(ENCODINGS, chunk_encode(__VA_ARGS__))
#define chunk_encode_sound(...) strike(ENCODINGS, chunk_encode_sound(__VA_ARGS__))
#define limbs_load(...) strike(OTHER_VALUES, limbs_load(__VA_ARGS__))
#define integer_read(...) strike(OTHER_VALUES, integer_read(__VA_ARGS__))
#define scalar_add(...) strike(OTHER_VALUES, scalar_add(__VA_ARGS__))
#define scalar_mul(...) strike(OTHER_VALUES, scalar_mul(__VA_ARGS__))
#define scalar_encode(...) strike(OTHER_VALUES, scalar_encode(__VA_ARGS__))
#define scalar_decode(...) strike(OTHER_VALUES, scalar_decode(__VA_ARGS__))
#define message_hash(kind, words, message) (message_hash(kind, words, message), strike_words(words))
#define chunk_multiply_base(...) (multiply_next(), chunk_multiply_base(__VA_ARGS__))
#include "scheme/ed25519.h"
#undef chunk_encode
#undef chunk_encode_sound
#undef limbs_load
#undef integer_read
#undef scalar_add
#undef scalar_mul
#undef scalar_encode
#undef scalar_decode
#undef message_hash
#undef chunk_multiply_base

enum { ROWS = LANES + 2, MESSAGE_MOST = 100, ARENA_BYTES = 2 * SLOT_GROUP * CHUNK_SLOT_BYTES + CHUNK_BYTES };

static uint8_t seeds[ROWS][32], messages[ROWS][MESSAGE_MOST], contexts[ROWS][8];
static uint8_t right[ROWS][64], signatures[ROWS][64], statuses[ROWS];
static struct arena arena;
static void *tables;
static struct job job;

static gecc_result sign(void) {
    arena.used = 0;
    values = multiplications = 0;
    memset(statuses, 0xff, sizeof statuses);
    memset(signatures, 0xff, sizeof signatures);
    return ed25519_sign(&arena, tables, &job, 0, ROWS);
}

static void set_job(uint32_t flags, size_t width, int with_contexts) {
    job = (struct job){.operation = OPERATION_ED25519_SIGN, .curve = GECC_CURVE25519, .flags = flags, .count = ROWS};
    job.in[0] = gecc_rows_packed(seeds, sizeof seeds[0]);
    job.in[1] = gecc_rows_strided(messages, width, sizeof messages[0]);
    job.in[2] = with_contexts ? gecc_rows_packed(contexts, sizeof contexts[0]) : gecc_rows_none();
    job.out[0] = gecc_out_packed(signatures, sizeof signatures[0]);
    job.status = gecc_out_packed(statuses, 1);
    before_multiplying = NULL;
    counted_kinds = 0;
    assert_int_equal(sign(), GECC_OK);
    memcpy(right, signatures, sizeof right);
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(statuses[row], GECC_ITEM_OK);
}

/* What is OK is right, and what is not reads zeros and is reported. How many rows have no signature. */
static size_t check_rows(gecc_result result) {
    static const uint8_t zeros[64];
    size_t withheld = 0;
    for (size_t row = 0; row < ROWS; row++) {
        const int ok = statuses[row] == GECC_ITEM_OK;
        if (!ok)
            assert_int_equal(statuses[row], GECC_ITEM_NOT_PROCESSED);
        if (memcmp(signatures[row], ok ? right[row] : zeros, sizeof zeros) != 0)
            fail_msg("row %zu: a wrong signature reads %s, value %u was struck", row, ok ? "OK" : "not processed",
                     struck_value);
        withheld += !ok;
    }
    assert_int_equal(result, withheld != 0 ? GECC_ERROR_FAULT : GECC_OK);
    return withheld;
}

/* Each value of the kinds in turn. How many there are. */
static unsigned strike_each(unsigned kinds) {
    size_t withheld = 0;
    counted_kinds = kinds;
    for (struck_value = 0;; struck_value++) {
        gecc_result result = sign();
        if (struck_value >= values)
            break;
        withheld += check_rows(result);
    }
    assert_true(withheld >= struck_value / 2);
    return struck_value;
}

static void what_is_verified_is_what_is_published(void **state) {
    (void)state;
    set_job(GECC_VERIFY_SIGNATURES, 32, 0);
    assert_true(strike_each(ALL_VALUES) > 40);
}

static void encodings(void **state) {
    (void)state;
    for (int verified = !LANE_RECHECKS; verified <= 1; verified++) {
        set_job(verified ? GECC_VERIFY_SIGNATURES : 0, 32, 0);
        assert_true(strike_each(ENCODINGS) >= 4);
    }
}

/* One bit of a message, of a context or of where they are, between the hashes: number 1 is the multiplication by
 * nonces. */
static size_t changed_bit;
static int changed_column;

static void change_a_bit(unsigned number) {
    if (number != 1)
        return;
    uint8_t *bytes = changed_column == 1 ? messages[1] : contexts[1];
    bytes[changed_bit / 8] ^= (uint8_t)(1 << changed_bit % 8);
}

static void change_the_address(unsigned number) {
    if (number == 1)
        job.in[changed_column].data = (const uint8_t *)job.in[changed_column].data + changed_bit;
}

static void change_the_width(unsigned number) {
    if (number == 1)
        job.in[changed_column].width -= changed_bit;
}

static void expect_withheld(void (*change)(unsigned number), size_t rows) {
    before_multiplying = change;
    struck_value = (unsigned)changed_bit;
    assert_int_equal(check_rows(sign()), rows);
    before_multiplying = NULL;
}

static void messages_that_change(void **state) {
    (void)state;
    static const size_t widths[] = {1, 31, 32, 33, MESSAGE_MOST};
    for (int verified = !LANE_RECHECKS; verified <= 1; verified++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            const uint32_t flags = verified ? GECC_VERIFY_SIGNATURES : 0;
            changed_column = 1;
            set_job(flags, widths[w], 0);
            for (changed_bit = 0; changed_bit < 8 * widths[w]; changed_bit += 1 + 8 * widths[w] / 5) {
                expect_withheld(change_a_bit, 1);
                messages[1][changed_bit / 8] ^= (uint8_t)(1 << changed_bit % 8);
            }
            changed_bit = 1;
            expect_withheld(change_the_width, ROWS);
            set_job(flags, widths[w], 0);
            expect_withheld(change_the_address, ROWS);
        }
}

static void contexts_that_change(void **state) {
    (void)state;
    for (int verified = !LANE_RECHECKS; verified <= 1; verified++) {
        set_job(verified ? GECC_VERIFY_SIGNATURES : 0, 32, 1);
        changed_column = 2;
        changed_bit = 9;
        expect_withheld(change_a_bit, 1);
        contexts[1][1] ^= 2;
        changed_bit = 1;
        expect_withheld(change_the_width, ROWS);
    }
}

static int open_memory(void **state) {
    (void)state;
    const size_t scratch = (size_t)ARENA_BYTES + TEST_TABLES_SCRATCH;
    if (posix_memalign((void **)&arena.base, 64, scratch) != 0 || posix_memalign(&tables, 64, TEST_TABLES_BYTES) != 0)
        return 1;
    arena.bytes = scratch;
    test_tables_fill(tables, &arena);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < sizeof seeds[0]; i++)
            seeds[row][i] = (uint8_t)(31 * row + 7 * i + 1);
        for (size_t i = 0; i < MESSAGE_MOST; i++)
            messages[row][i] = (uint8_t)(101 * row + 13 * i * i + 5);
        for (size_t i = 0; i < sizeof contexts[0]; i++)
            contexts[row][i] = (uint8_t)(17 * row + 3 * i);
    }
    return 0;
}

static int close_memory(void **state) {
    (void)state;
    free(arena.base);
    free(tables);
    return 0;
}

/* The signatures that are compared with are OpenSSL's. */
static void signatures_are_right(void **state) {
    (void)state;
    set_job(GECC_VERIFY_SIGNATURES, 32, 0);
    for (size_t row = 0; row < ROWS; row++) {
        uint8_t signature[64];
        size_t width = sizeof signature;
        EVP_MD_CTX *digest = EVP_MD_CTX_new();
        EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seeds[row], sizeof seeds[row]);
        assert_int_equal(EVP_DigestSignInit(digest, NULL, NULL, NULL, key), 1);
        assert_int_equal(EVP_DigestSign(digest, signature, &width, messages[row], 32), 1);
        assert_memory_equal(signature, right[row], sizeof signature);
        EVP_PKEY_free(key);
        EVP_MD_CTX_free(digest);
    }
}

static int ed25519_fault_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_are_right),
        cmocka_unit_test(what_is_verified_is_what_is_published),
        cmocka_unit_test(encodings),
        cmocka_unit_test(messages_that_change),
        cmocka_unit_test(contexts_that_change),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}

#endif
