/* Lane programs on P-256, from headers into which the includer has planted a leak, on secrets. The includer includes
 * the machine and the constants of the curve. */
#ifndef TESTS_CONSTANT_TIME_LEAKY_PROGRAMS_H
#define TESTS_CONSTANT_TIME_LEAKY_PROGRAMS_H

#include "leak.h"

#include <stdlib.h>

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"

#include "support/base_tables.h"
#include "support/prng.h"

enum { BYTES = 32, ARENA_BYTES = CHUNK_SLOT_BYTES + CHUNK_BYTES + TEST_TABLES_SCRATCH };

static struct arena arena_of_test;
static void *tables_of_test;
static uint8_t key[BYTES], nonce[BYTES], message[BYTES], out[2 * BYTES], status;

static void run_program(lane_program *program) {
    struct job job = {.operation = OPERATION_ECDSA_SIGN, .curve = GECC_P256, .hash = GECC_SHA256, .count = 1};
    job.point_format = GECC_POINT_RAW;
    job.in[0] = gecc_rows_packed(key, BYTES);
    job.in[1] = gecc_rows_packed(message, BYTES);
    job.in[2] = gecc_rows_packed(nonce, BYTES);
    job.out[0] = gecc_out_packed(out, sizeof out);
    job.status = gecc_out_packed(&status, 1);
    arena_of_test.used = 0;
    (void)program(&arena_of_test, tables_of_test, &job, 0, 1);
}

static void make_public_key(void) { run_program(ec_public_key); }
static void sign_with_nonce(void) { run_program(ecdsa_sign_nonce); }

static void public_key_leaks(void **state) {
    (void)state;
    expect_leak("ec_public_key", make_public_key);
}

static void signing_leaks(void **state) {
    (void)state;
    expect_leak("ecdsa_sign_nonce", sign_with_nonce);
}

static int prepare(void **state) {
    struct prng prng = prng_for("planted leaks");
    (void)state;
    arena_of_test.bytes = ARENA_BYTES;
    if (posix_memalign((void **)&arena_of_test.base, 64, ARENA_BYTES) != 0 ||
        posix_memalign(&tables_of_test, 64, TEST_TABLES_BYTES) != 0)
        return -1;
    test_tables_fill(tables_of_test, &arena_of_test);
    prng_bytes(&prng, key, sizeof key);
    prng_bytes(&prng, nonce, sizeof nonce);
    prng_bytes(&prng, message, sizeof message);
    secret(key, sizeof key);
    secret(nonce, sizeof nonce);
    return 0;
}

static int release(void **state) {
    (void)state;
    free(arena_of_test.base);
    free(tables_of_test);
    return 0;
}

/* Both programs leak; the result is main's. */
static int leaky_programs(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(public_key_leaks), cmocka_unit_test(signing_leaks)};
    if (without_memcheck())
        return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, prepare, release);
}

#endif
