/* A planted leak: coordinates are selected by a branch, where X25519's ladder swaps points and where entries of the
 * table of multiples of G are negated.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#include "curve/generated/curve25519.gen.h"

#define fe_select fe_select_constant_time
#include "field/field.h"
#undef fe_select

/* m ? a : b; the empty asm keeps compilers from turning the branch into a selection. */
LANE_INLINE fe fe_select(mask m, fe a, fe b) {
    if (m != 0) {
        __asm__ volatile("");
        return a;
    }
    return fe_select_constant_time(m, a, b);
}

#include "leak.h"

#include <stdlib.h>

#include <cmocka.h>

#include "backend/cpu/machine.h"
#include "scheme/edwards_keys.h"

#include "support/prng.h"

enum {
    BYTES = 32,
    SECRET_BYTES = SECRET_TABLE_LIMBS * sizeof(limb),
    CHUNK_OF_TEST = CHUNK_BYTES + CHUNK_SLOT_BYTES,
    SCRATCH_OF_TEST = GENERATOR_SCRATCH_BYTES,
    ARENA_BYTES = (int)CHUNK_OF_TEST > (int)SCRATCH_OF_TEST ? (int)CHUNK_OF_TEST : (int)SCRATCH_OF_TEST
};

static struct arena arena_of_test;
static struct base_tables tables_of_test;
static void *secret_table;
static uint8_t key[BYTES], message[BYTES], out[2 * BYTES], status;

static void run_program(lane_program *program) {
    struct job job = {.curve = GECC_CURVE25519, .count = 1};
    job.in[0] = gecc_rows_packed(key, BYTES);
    job.in[1] = gecc_rows_packed(message, BYTES);
    job.out[0] = gecc_out_packed(out, sizeof out);
    job.status = gecc_out_packed(&status, 1);
    arena_of_test.used = 0;
    (void)program(&arena_of_test, &tables_of_test, &job, 0, 1);
}

static void make_ed25519_key(void) { run_program(ed25519_public_key); }
static void sign(void) { run_program(ed25519_sign); }
static void make_x25519_key(void) { run_program(x25519_public_key); }
static void exchange(void) { run_program(x25519); }

static void every_program_leaks(void **state) {
    (void)state;
    expect_leak("ed25519_public_key", make_ed25519_key);
    expect_leak("ed25519_sign", sign);
    expect_leak("x25519_public_key", make_x25519_key);
    expect_leak("x25519", exchange);
}

static int prepare(void **state) {
    struct prng prng = prng_for("planted leaks");
    (void)state;
    arena_of_test.bytes = ARENA_BYTES;
    if (posix_memalign((void **)&arena_of_test.base, 64, ARENA_BYTES) != 0 ||
        posix_memalign(&secret_table, 64, SECRET_BYTES) != 0)
        return -1;
    base_table_secret((limb *)secret_table, NULL, &arena_of_test);
    tables_of_test.secret = secret_table;
    prng_bytes(&prng, key, sizeof key);
    prng_bytes(&prng, message, sizeof message);
    secret(key, sizeof key);
    return 0;
}

static int release(void **state) {
    (void)state;
    free(arena_of_test.base);
    free(secret_table);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_program_leaks)};
    if (without_memcheck())
        return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, prepare, release);
}
