/* A sample of what test_residue_long.c does; and that secrets which are not wiped are found.
 *
 * Test: fast; needs libcrypto; link -Wl,--wrap=gecc_wipe,--wrap=gecc_wipe_stack -Wl,-z,lazy */
#include "backend/residue.h"

static void test_nothing_is_left(void **state) {
    (void)state;
    check_residue(3, 1, true);
}

static unsigned operation_named(const char *name) {
    unsigned operation = 0;
    while (strcmp(residue_operation(operation).operation->name, name) != 0)
        operation++;
    return operation;
}

/* Without the wipe of the stack, or of arenas, there is something, on every machine. */
static void test_a_missing_wipe_is_found(void **state) {
    (void)state;
    const struct {
        unsigned operation;
        gecc_curve curve;
    } all[] = {{operation_named("ecdsa.sign"), GECC_P256},
               {operation_named("ecdsa.sign"), GECC_P521},
               {operation_named("ed25519.sign"), GECC_CURVE25519}};
    const char *machine;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++)
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            const size_t bytes = gecc_curve_bytes(all[i].curve);
            assert_true(count_residue(machine, all[i].operation, all[i].curve, bytes, 1, LEAVE_STACK) != 0);
            assert_true(count_residue(machine, all[i].operation, all[i].curve, bytes, 1, LEAVE_ARENAS) != 0);
        }
}

/* A run that does not end as it should is not one that found nothing. */
static void test_a_failing_run_is_noticed(void **state) {
    (void)state;
    static struct order order = {.operation = 1000};
    struct answer answer;
    assert_false(run_order(&order, machine_at(0), &answer));
}

int main(int count, char **arguments) {
    (void)arguments;
    if (count > 1)
        return residue_run();
    if (SANITIZED) {
        puts("not run: a sanitizer keeps copies of what it sees");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_a_missing_wipe_is_found),
        cmocka_unit_test(test_a_failing_run_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
