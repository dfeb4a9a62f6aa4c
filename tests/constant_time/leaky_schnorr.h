/* Lane programs of Schnorr signatures, from headers into which the includer has planted a leak, on secrets. The
 * includer includes the machine and the constants of secp256k1. */
#ifndef TESTS_CONSTANT_TIME_LEAKY_SCHNORR_H
#define TESTS_CONSTANT_TIME_LEAKY_SCHNORR_H

#include "leak.h"

#include <stdlib.h>

#include "backend/cpu/machine.h"
#include "scheme/schnorr.h"

#include "support/base_tables.h"
#include "support/prng.h"

enum { BYTES = 32, ARENA_BYTES = CHUNK_SLOT_BYTES + CHUNK_BYTES + TEST_TABLES_SCRATCH };

static struct arena arena_of_test;
static void *tables_of_test;
static uint8_t key[BYTES], message[BYTES], out[2 * BYTES], status;

static void run_program(lane_program *program) {
    struct job job = {.curve = GECC_SECP256K1, .hash = GECC_SHA256, .count = 1};
    job.in[0] = gecc_rows_packed(key, BYTES);
    job.in[1] = gecc_rows_packed(message, BYTES);
    job.out[0] = gecc_out_packed(out, sizeof out);
    job.status = gecc_out_packed(&status, 1);
    arena_of_test.used = 0;
    (void)program(&arena_of_test, tables_of_test, &job, 0, 1);
}

static void sign(void) { run_program(schnorr_sign); }
static void tweak_private_key(void) { run_program(schnorr_tweak_private_key); }

static void signing_leaks(void **state) {
    (void)state;
    expect_leak("schnorr_sign", sign);
}

static void tweaking_leaks(void **state) {
    (void)state;
    expect_leak("schnorr_tweak_private_key", tweak_private_key);
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
    prng_bytes(&prng, message, sizeof message);
    secret(key, sizeof key);
    return 0;
}

static int release(void **state) {
    (void)state;
    free(arena_of_test.base);
    free(tables_of_test);
    return 0;
}

/* Both programs leak; the result is main's. */
static int leaky_schnorr(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(signing_leaks), cmocka_unit_test(tweaking_leaks)};
    if (without_memcheck())
        return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, prepare, release);
}

#endif
