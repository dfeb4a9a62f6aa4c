/* 100,000 flips of bits on each machine: with GECC_VERIFY_SIGNATURES no signature that is published tells a key,
 * without it fewer than one in a thousand flips do. GECC_FAULTS gives another number of flips, GECC_FAULTS_MACHINE the
 * only machine.
 *
 * Test: long; needs libcrypto; 10800 s */
#define _GNU_SOURCE
#include "backend/faults.h"

static unsigned long wanted(void) {
    const char *number = getenv("GECC_FAULTS");
    return number != NULL ? strtoul(number, NULL, 10) : 100000;
}

/* Of all flips two in five are in the arena, as many on the stack, the rest in the table. */
static struct tally sign_everywhere(struct prng *prng, const char *machine, uint32_t flags) {
    static const unsigned share[] = {[PLACE_ARENA] = 40, [PLACE_TABLE] = 20, [PLACE_STACK] = 40};
    struct tally sum = {0};
    for (int place = 0; place < PLACES; place++) {
        unsigned long runs = wanted() * share[place] / 100 / 6;
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
            sum = tally_sum(sum, campaign(prng, machine, curve, signing(curve), flags, (enum place)place, runs));
        sum = tally_sum(
            sum, campaign(prng, machine, GECC_SECP256K1, OPERATION_SCHNORR_SIGN, flags, (enum place)place, runs));
        sum = tally_sum(
            sum, campaign(prng, machine, GECC_CURVE25519, OPERATION_ED25519_SIGN, flags, (enum place)place, runs));
    }
    return sum;
}

static void say(const char *machine, const char *what, struct tally t) {
    print_message("%s, %s: %lu flips in %lu runs, %lu crashes, %lu withheld, %lu wrong, %lu reveal a key\n\n", machine,
                  what, t.flips, t.runs, t.crashes, t.withheld, t.wrong, t.reveals);
}

static void test_signing(void **state) {
    (void)state;
    struct prng prng = prng_for("faults");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++) {
        struct tally plain = sign_everywhere(&prng, machine, 0);
        say(machine, "signing", plain);
        struct tally verified = sign_everywhere(&prng, machine, GECC_VERIFY_SIGNATURES);
        say(machine, "signing, verified", verified);
        assert_true(plain.reveals * 1000 < plain.flips);
        assert_int_equal(verified.reveals, 0);
    }
}

static void test_products(void **state) {
    (void)state;
    struct prng prng = prng_for("faults in products");
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++) {
        struct tally sum = {0};
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
            sum =
                tally_sum(sum, campaign(&prng, machine, curve, OPERATION_EC_PUBLIC_KEY, 0, PLACE_TABLE, wanted() / 20));
            sum =
                tally_sum(sum, campaign(&prng, machine, curve, OPERATION_EC_PUBLIC_KEY, 0, PLACE_ARENA, wanted() / 20));
            sum = tally_sum(sum, campaign(&prng, machine, curve, OPERATION_ECDH, 0, PLACE_ARENA, wanted() / 20));
        }
        say(machine, "public keys and shared secrets", sum);
    }
}

int main(void) {
    if (NOT_HERE) {
        puts("not run: faults are put where the processor of x86-64 keeps its stack, and no sanitizer looks");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signing),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
