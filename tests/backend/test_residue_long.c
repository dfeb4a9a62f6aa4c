/* Nothing is left of secrets in 1,000 runs of signing and 100 of each other secret operation, on every machine and
 * curve.
 *
 * Test: long; needs libcrypto; link -Wl,--wrap=gecc_wipe,--wrap=gecc_wipe_stack -Wl,-z,lazy */
#include "backend/residue.h"

static void test_nothing_is_left(void **state) {
    (void)state;
    check_residue(1000, 100, false);
}

int main(int count, char **arguments) {
    (void)arguments;
    if (count > 1)
        return residue_run();
    if (SANITIZED) {
        puts("not run: a sanitizer keeps copies of what it sees");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
