/* Signing while the messages, their widths or addresses change between the hash that makes a nonce and the one that
 * makes its challenge: Schnorr signatures, and ECDSA, which reads its digests twice. What tells the key by its nonce is
 * withheld. */
#ifndef TESTS_SCHEME_SCHNORR_FAULT_CASES_H
#define TESTS_SCHEME_SCHNORR_FAULT_CASES_H

#include <stdlib.h>
#include <string.h>

#include "scheme/keys.h"
#include "support/base_tables.h"

/* What is called before each multiplication of G. */
static void (*before_multiplying)(unsigned number);
static unsigned multiplications;

static void multiply_next(void) {
    if (before_multiplying)
        before_multiplying(multiplications);
    multiplications++;
}

#define chunk_multiply_base(...) (multiply_next(), chunk_multiply_base(__VA_ARGS__))
#include "scheme/ecdsa.h"
#include "scheme/schnorr.h"
#undef chunk_multiply_base

enum {
    ROWS = LANES + 2,
    KEY_BYTES = 32,
    MESSAGE_MOST = 100,
    ARENA_BYTES = 2 * CHUNK_SLOT_BYTES + CHUNK_BYTES + (int)TEST_TABLES_SCRATCH
};

/* A program, and the multiplication of G by its nonces. */
static const struct signing {
    gecc_result (*program)(struct arena *arena, const void *tables, const struct job *job, size_t first, size_t count);
    unsigned nonces;
    size_t widths[4];
} signings[] = {{schnorr_sign, 1, {KEY_BYTES, 1, 33, MESSAGE_MOST}}, {ecdsa_sign, 0, {KEY_BYTES, 20, 33, 64}}};

static uint8_t keys[ROWS][KEY_BYTES], messages[ROWS + 1][MESSAGE_MOST], signatures[ROWS][2 * KEY_BYTES], statuses[ROWS];
static struct arena arena;
static void *tables;
static struct job job;
static const struct signing *signing;
static size_t width, changed_byte;

static void change_a_bit(unsigned number) {
    if (number == signing->nonces)
        messages[1][changed_byte] ^= 4;
}

static void change_the_address(unsigned number) {
    if (number == signing->nonces)
        job.in[1].data = (const uint8_t *)job.in[1].data + 8;
}

static void change_the_stride(unsigned number) {
    if (number == signing->nonces)
        job.in[1].stride ^= 8;
}

static void change_the_width(unsigned number) {
    if (number == signing->nonces)
        job.in[1].width ^= 1;
}

/* Sign with that change; are the rows from `first` to `end` withheld, and no others? */
static void expect_withheld(void (*change)(unsigned number), size_t first, size_t end) {
    const uint8_t zeros[2 * KEY_BYTES] = {0};
    job = (struct job){.curve = GECC_SECP256K1, .hash = GECC_SHA256, .count = ROWS};
    job.in[0] = gecc_rows_packed(keys, KEY_BYTES);
    job.in[1] = gecc_rows_strided(messages, width, MESSAGE_MOST);
    job.out[0] = gecc_out_packed(signatures, sizeof signatures[0]);
    job.status = gecc_out_packed(statuses, 1);
    arena.used = multiplications = 0;
    before_multiplying = change;
    gecc_result result = signing->program(&arena, tables, &job, 0, ROWS);
    assert_int_equal(result, first < end ? GECC_ERROR_FAULT : GECC_OK);
    for (size_t row = 0; row < ROWS; row++) {
        const int withheld = first <= row && row < end;
        assert_int_equal(statuses[row], withheld ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK);
        assert_int_equal(memcmp(signatures[row], zeros, sizeof zeros) == 0, withheld);
    }
}

static void messages_that_change(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof signings / sizeof signings[0]; s++)
        for (size_t w = 0; w < sizeof signings[s].widths / sizeof signings[s].widths[0]; w++) {
            signing = &signings[s];
            width = signing->widths[w];
            const size_t read = signing->program == ecdsa_sign && width > KEY_BYTES ? KEY_BYTES : width;
            expect_withheld(NULL, 0, 0);
            for (changed_byte = 0; changed_byte < read; changed_byte += 1 + read / 5)
                expect_withheld(change_a_bit, 1, 2);
            expect_withheld(change_the_address, 0, ROWS);
            expect_withheld(change_the_stride, 1, ROWS);
            if (signing->program == schnorr_sign)
                expect_withheld(change_the_width, 0, ROWS);
        }
}

static int open_memory(void **state) {
    (void)state;
    if (posix_memalign((void **)&arena.base, 64, ARENA_BYTES) != 0 ||
        posix_memalign(&tables, 64, TEST_TABLES_BYTES) != 0)
        return 1;
    arena.bytes = ARENA_BYTES;
    test_tables_fill(tables, &arena);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t i = 0; i < KEY_BYTES; i++)
            keys[row][i] = (uint8_t)(91 * row + 31 * i + 1);
    for (size_t row = 0; row <= ROWS; row++)
        for (size_t i = 0; i < MESSAGE_MOST; i++)
            messages[row][i] = (uint8_t)(101 * row + 13 * i * i + i / 5 + 7);
    return 0;
}

static int close_memory(void **state) {
    (void)state;
    free(arena.base);
    free(tables);
    return 0;
}

static int schnorr_fault_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_that_change)};
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}

#endif
