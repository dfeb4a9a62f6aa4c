/* A sample of what test_faults_long.c does.
 *
 * Test: fast; needs libcrypto */
#define _GNU_SOURCE
#include "backend/faults.h"

/* Without verification about one flip in a thousand on the stack tells a key, and up to five in a thousand of those in
 * registers: of 800 in four places one or two are expected. Before signatures were checked, 48 of 2,100 did. With
 * verification none should, which the long campaigns decide; a sample fails for two, so that a coincidence does not
 * stop a change. */
enum { REVEALS_MOST = 10, REVEALS_VERIFIED_MOST = 1 };

static void test_signing(void **state) {
    (void)state;
    struct prng prng = prng_for("faults");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++)
        for (int verify = 0; verify <= 1; verify++) {
            struct tally sum = {0};
            for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
                const enum place place = (enum place)((curve + m + (unsigned)verify) % PLACES);
                sum = tally_sum(sum, campaign(&prng, machine, curve, signing(curve),
                                              verify ? GECC_VERIFY_SIGNATURES : 0, place, verify ? 24 : 100));
            }
            assert_true(sum.flips > sum.runs / 4);      /* the faults are there, */
            assert_true(sum.withheld != 0);             /* and are noticed, */
            assert_true(sum.silent * 4 < sum.withheld); /* and reported, but where a status itself was hit */
            assert_true(sum.reveals <= (verify ? REVEALS_VERIFIED_MOST : REVEALS_MOST));
        }
}

/* Faults in SM2's signing too are reported. */
static void test_signing_with_sm2(void **state) {
    (void)state;
    struct prng prng = prng_for("faults in SM2");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++) {
        struct tally t = campaign(&prng, machine, GECC_SM2, OPERATION_SM2_SIGN, 0, PLACE_TABLE, 200);
        assert_true(t.withheld != 0);
        assert_true(t.silent * 4 < t.withheld);
    }
}

static void check_signing_of_messages(const char *name, gecc_curve curve, enum operation operation) {
    struct prng prng = prng_for(name);
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++)
        for (int verify = 0; verify <= 1; verify++) {
            struct tally sum = {0};
            for (int place = 0; place < PLACES; place++)
                sum = tally_sum(sum, campaign(&prng, machine, curve, operation, verify ? GECC_VERIFY_SIGNATURES : 0,
                                              (enum place)place, 200));
            assert_true(sum.flips > sum.runs / 4);
            assert_true(sum.withheld != 0);
            assert_true(sum.silent * 4 < sum.withheld);
            assert_true(sum.reveals <= (verify ? REVEALS_VERIFIED_MOST : REVEALS_MOST));
        }
}

/* Schnorr signatures multiply G by the key as well, and two challenges tell as much as two digests. */
static void test_signing_with_schnorr(void **state) {
    (void)state;
    check_signing_of_messages("faults in Schnorr signatures", GECC_SECP256K1, OPERATION_SCHNORR_SIGN);
}

/* So it is with Ed25519, and the public key is hashed too. */
static void test_signing_with_ed25519(void **state) {
    (void)state;
    check_signing_of_messages("faults in Ed25519", GECC_CURVE25519, OPERATION_ED25519_SIGN);
}

/* With a table that verification alone reads, and that is wrong, each signature that is verified is withheld, and none
 * that is not. */
static void check_verification(struct prng *prng, const char *machine, gecc_curve curve, enum operation operation) {
    static struct campaign c;
    static uint8_t out[ROWS][ROW_BYTES], status[ROWS];
    open_campaign(&c, prng, machine, curve, operation, 0, PLACE_ARENA);
    memset(c.public_table, 1, c.set->table_bytes[BASE_PUBLIC_FEW]);
    for (int verify = 0; verify <= 1; verify++) {
        c.flags = verify ? GECC_VERIFY_SIGNATURES : 0;
        assert_int_equal(run_once(&c, out, status), verify ? GECC_ERROR_FAULT : GECC_OK);
        for (size_t row = 0; row < ROWS; row++)
            assert_int_equal(status[row], verify ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK);
    }
    close_campaign(&c);
}

static void test_verification(void **state) {
    (void)state;
    struct prng prng = prng_for("faults in verification");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++) {
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
            check_verification(&prng, machine, curve, signing(curve));
        check_verification(&prng, machine, GECC_SECP256K1, OPERATION_SCHNORR_SIGN);
        check_verification(&prng, machine, GECC_CURVE25519, OPERATION_ED25519_SIGN);
    }
}

/* Wrong public keys and shared secrets. */
static void test_products(void **state) {
    (void)state;
    struct prng prng = prng_for("faults in products");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++) {
        struct tally t = campaign(&prng, machine, GECC_P256, OPERATION_EC_PUBLIC_KEY, 0, PLACE_TABLE, 300);
        assert_true(t.withheld != 0);
        assert_true(t.silent * 4 < t.withheld);
        assert_int_equal(t.wrong, 0);
    }
}

int main(void) {
    if (NOT_HERE) {
        puts("not run: faults are put where the processor of x86-64 keeps its stack, and no sanitizer looks");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signing),
        cmocka_unit_test(test_signing_with_sm2),
        cmocka_unit_test(test_signing_with_schnorr),
        cmocka_unit_test(test_signing_with_ed25519),
        cmocka_unit_test(test_verification),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
