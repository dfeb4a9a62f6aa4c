/* Memory that jansson used is wiped before it is freed: it may hold private keys.
 *
 * Test: fast */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stddef.h>
#include <stdlib.h>
#undef _DEFAULT_SOURCE /* json.c defines it */

static void *counted_malloc(size_t size);
static void checked_free(void *memory);

#define malloc counted_malloc
#define free checked_free
#include "text/wiped.c"
#undef _DEFAULT_SOURCE
#include "text/json.c"
#undef malloc
#undef free

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Blocks given to jansson or to the caller, and how many came back. */
static unsigned given, returned;
static bool secret_seen; /* where a block should have been zero */

static void *counted_malloc(size_t size) {
    given++;
    return malloc(size);
}

static void checked_free(void *memory) {
    const union header *header = memory;
    const uint8_t *bytes = (const uint8_t *)(header + 1);
    returned++;
    for (size_t i = 0; i < header->size; i++)
        secret_seen |= bytes[i] != 0;
    free(memory);
}

static int start(void **state) {
    (void)state;
    given = returned = 0;
    secret_seen = false;
    return 0;
}

static void test_a_string_is_wiped(void **state) {
    (void)state;
    static const char text[] = "\"\\u0030123456789abcdef a private key 0123456789abcdef\"";
    size_t length = 0;
    char *copy = json_unescape(text, sizeof text - 1, &length);
    assert_non_null(copy);
    assert_memory_equal(copy, "0123456789abcdef a private key 0123456789abcdef", length + 1);
    free(copy); /* the caller's to wipe */
    assert_true(returned > 1);
    assert_int_equal(given, returned + 1);
    assert_false(secret_seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_string_is_wiped, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
