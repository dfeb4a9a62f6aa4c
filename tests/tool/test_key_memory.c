/* Nothing of a private key is left in the heap once it is read and wiped.
 *
 * Test: fast; the tool's reader */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/key_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SECRET = 32 };

/* Byte i of the secret number, which no constant of the program has as a whole. */
static uint8_t secret_byte(size_t i) { return (uint8_t)(1 + 37 * i); }

/* How often the heap holds the second half of the secret: its first bytes the allocator writes over. */
static unsigned find_secret(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    unsigned found = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        char *dash;
        if (!strstr(line, "[heap]"))
            continue;
        const unsigned long from = strtoul(line, &dash, 16), to = strtoul(dash + 1, NULL, 16);
        const uint8_t *at = (const uint8_t *)from; /* NOLINT(performance-no-int-to-ptr) */
        for (size_t i = 0; i + SECRET / 2 <= to - from; i++) {
            size_t same = 0, reversed = 0; /* numbers lie in limbs, the lowest first */
            while (same < SECRET / 2 && at[i + same] == secret_byte(SECRET / 2 + same))
                same++;
            while (reversed < SECRET / 2 && at[i + reversed] == secret_byte(SECRET / 2 - 1 - reversed))
                reversed++;
            found += same == SECRET / 2 || reversed == SECRET / 2;
        }
    }
    if (maps)
        fclose(maps);
    return found;
}

static void test_key_is_wiped(void **state) {
    (void)state;
    static const uint8_t head[] = {0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48,
                                   0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03,
                                   0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20};
    uint8_t *bytes = malloc(sizeof head + SECRET);
    struct key_file key;
    assert_non_null(bytes);
    memcpy(bytes, head, sizeof head);
    for (size_t i = 0; i < SECRET; i++)
        bytes[sizeof head + i] = secret_byte(i);
    assert_int_equal(find_secret(), 1);
    const char *reason = key_decode(&key, NULL, bytes, sizeof head + SECRET, NULL, true);
    if (reason && strstr(reason, "libcrypto"))
        skip();
    assert_null(reason);
    assert_int_equal(key.count, 2 * SECRET);
    explicit_bzero(bytes, sizeof head + SECRET);
    explicit_bzero(&key, sizeof key);
    assert_int_equal(find_secret(), 0);
    free(bytes);
}

int main(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    puts("not run: a sanitizer's heap is its own");
    return 77;
#endif
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_key_is_wiped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
